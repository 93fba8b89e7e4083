"""Corrections to the CSL items of public sets, before they become records: a function for each set that needs one.

An item may be changed; None leaves it out. What no function knows of is taken as it is.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

from ibidem.data.decontamination import normalise

Item = dict[str, Any]
Correct = Callable[[Item], Item | None]

_MARKUP = re.compile(r"</?(?:i|b|em|strong|sup|sub|sc|span|nc|p)\b[^<>]*>|<!>")
_UNSEEN = re.compile("[\u00ad\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # soft hyphens, directions of writing
_PAGE = r"[A-Za-z]{0,2}\d{1,6}[a-z]?|[ivxlcdm]{1,8}"
_PAGES = re.compile(rf"(?:pp?\. ?)?({_PAGE})(?:\s*[-–—]+\s*({_PAGE}))?")
_NOT_UNDERSTOOD = re.compile(r"[\\${}^~]|<<|>>|<cit|``|\*\*|\ufffd")  # TeX and other markup that is still there
_MADE_UP = re.compile(r"\bEDTF\b|^title$|^test\b|\w_\w|^\W*\w+\d{4}[a-z]?\Z", re.IGNORECASE)  # of tests of programs
_KEYS = re.compile(
    r"country\w\w|pat(?:req|ent)\w*|(?:phd|mathesis|masters?|bathesis|candthesis|techreport)\w*"
)  # of TeX
_GENRES = {"phdthesis": "PhD thesis", "phd": "PhD thesis", "mathesis": "Master's thesis", "mastersthesis": "MA thesis"}


def correct(name: str, item: Item) -> Item | None:
    """Return the item of a set as it should have been, None where nothing good can be made of it."""
    found: Item | None = {key: _clean(value) for key, value in item.items() if value}
    special = _CORRECTIONS.get(name)
    found = special(found) if special and found else found
    if found is None or _NOT_UNDERSTOOD.search(str(found.get("title", ""))):
        return None
    if "page" in found:
        pages = _PAGES.fullmatch(found.pop("page"))  # plates and notes are no pages
        found |= {"page": "-".join(page for page in pages.groups() if page)} if pages else {}
    kept = {key: value for key, value in found.items() if not key.startswith("_") and _understood(key, value)}
    people = [key for key in ("author", "editor") if key in found]
    return None if any(key not in kept for key in people) else kept


def work_key(item: Item) -> str:
    """Return what items of one work share: the letters of title and first name, and the year."""
    first: dict[str, str] = next(iter(item.get("author") or item.get("editor") or []), {})
    issued = item.get("issued")
    year = issued["date-parts"][0][0] if isinstance(issued, dict) and issued.get("date-parts") else ""
    name = first.get("family") or first.get("literal") or ""
    return f"{normalise(str(item.get('title', '')))}|{normalise(name)}|{year}|{item.get('number', '')}"


def _clean(value: Any) -> Any:
    """Return a value without markup of fonts, in whatever it is made of."""
    if isinstance(value, str):
        value = _UNSEEN.sub("", value)
        return " ".join(html.unescape(_MARKUP.sub("", value)).split()) if "<" in value or "&" in value else value
    if isinstance(value, list):
        return [_clean(one) for one in value]
    return {key: _clean(one) for key, one in value.items()} if isinstance(value, dict) else value


def _understood(key: str, value: Any) -> bool:
    """Return whether nothing in a value is markup; an address or identifier may have any character."""
    if key in ("URL", "DOI") and isinstance(value, str):
        return not re.search(r"[\\{}\s]", value)
    if isinstance(value, list):
        return all(_understood(key, part) for one in value if isinstance(one, dict) for part in one.values())
    return not isinstance(value, str) or not (_NOT_UNDERSTOOD.search(value) or (key == "language" and value == "und"))


def _nist(item: Item) -> Item | None:
    """Call reports what they are; a series has several names, and a number stands once, as printed or in the series."""
    item["type"] = "standard" if "FIPS" in item.get("number", "") else "report"
    if item.get("DOI", "").startswith(("NBS", "NIST")):
        item["DOI"] = f"10.6028/{item['DOI']}"
    for field in ("publisher", "collection-title"):
        item[field] = item.get(field, "").rstrip(".")
    if item["publisher"] == "United States":
        item["publisher"] = "National Bureau of Standards"
    names = [name.strip() for name in item["collection-title"].split(";") if name.strip()]
    long = max(names, key=len, default="")
    if len(item["title"]) % 2 or not long:
        item = {key: value for key, value in item.items() if not key.startswith("collection-")}
    else:
        item["collection-title"] = long
        item.pop("number", None)
    item["author"] = [_turned(name) for name in item.get("author", [])]
    return {key: value for key, value in item.items() if value}


def _turned(name: dict[str, str]) -> dict[str, str]:
    """Divide a name of a library catalogue: Phillips, C. W. (Clinton Woodward),"""
    plain = re.sub(r"\s*\([^()]*\)", "", name.get("literal", "")).strip(" ,")
    family, comma, given = plain.partition(", ")
    if not comma or "," in given or not re.fullmatch(r"[\w'’. -]{1,40}", given):
        return {"literal": plain.rstrip(".")} if plain else name
    initial = re.search(r"(?:\A|[\s.-])\w\.\Z", given)
    return {"family": family, "given": given if initial else given.rstrip(".")}


_EDITION = re.compile(
    r"(?:(?:מתוך|ע[\"״“]פ)\s*:?\s*)?(?:[\"״“”„](?P<book>[^\"״“”]{3,})[\"״“”]\s*,\s*)?(?P<place>[^:,\"״“”]{2,25}):\s*"
    r"(?P<publisher>[^,:]{2,50})(?:,[^,]{0,20}?(?P<year>1[89]\d\d|20\d\d)?[^,\d]*)?"
)


def _benyehuda(item: Item) -> Item | None:
    """Divide the edition into book, place, publisher and year again; an item whose edition has no such form is none."""
    found = _EDITION.fullmatch(item.get("_source_edition", ""))
    names = ("type", "title", "author", "translator", "language")
    kept: Item = {key: item[key] for key in names if key in item}
    if found is None or "מתוך" in found["place"]:
        return None
    kept |= {"publisher": found["publisher"].strip(" []"), "publisher-place": found["place"].strip(" []")}
    if found["book"]:
        kept["container-title"] = found["book"].strip()
    else:
        kept["type"] = "book"
    if found["year"]:
        kept["issued"] = {"date-parts": [[int(found["year"])]]}
    return kept


def _polish_laws(item: Item) -> Item:
    """Keep what is printed: genres are keys without their accents, and bodies are abbreviations of a database."""
    dropped = ("authority", "genre", *(("volume",) if item.get("volume") == "0" else ()))
    return {key: value for key, value in item.items() if key not in dropped}


def _langsci(item: Item) -> Item:
    """Call a number what it is by the type; notes hold anything."""
    number = item.pop("number", "")
    if item["type"] in ("report", "standard", "patent"):
        item["number"] = number
    elif number.isdecimal() and item["type"] == "article-journal" and "issue" not in item:
        item["issue"] = number
    elif number.isdecimal() and "collection-title" in item:
        item["collection-number"] = number
    item.pop("note", None)
    return _without_keys(item)


def _without_keys(item: Item) -> Item:
    """Replace or leave out values that are keys of a TeX package: phdthesis, countryru."""
    genre = item.get("genre", "")
    if genre in _GENRES:
        item["genre"] = _GENRES[genre]
    return {
        key: value
        for key, value in item.items()
        if not (key in ("genre", "publisher-place") and isinstance(value, str) and _KEYS.fullmatch(value))
    }


def _fixtures(item: Item) -> Item | None:
    """Leave out items that somebody made up to test a program."""
    if found := re.fullmatch(r"([^\W\d][\w .-]+) ?: (\S.+)", item.get("publisher", "")):
        item |= {"publisher-place": found[1].strip(), "publisher": found[2]}
    made_up = _MADE_UP.search(item["title"]) or "contributor" in item
    return None if made_up else _without_keys({key: value for key, value in item.items() if key != "number-of-pages"})


def _template(item: Item) -> Item | None:
    """Leave out the examples of a template, whose author is called Family Name."""
    first: dict[str, str] = next(iter(item.get("author", [])), {})
    placeholder = first.get("family", "").startswith("Фамилия") or item["title"].startswith(
        ("Название", "The title of")
    )
    return None if placeholder else _without_keys(item)


def _specref(item: Item) -> Item:
    """Keep a genre that says what kind of document it is, not how far its standardisation has got."""
    if not re.fullmatch(
        r"[A-Z][\w'’ -]*\b(?:Draft|Standard|Specification|Recommendation|Report|Finding|RFC)", item.get("genre", "")
    ):
        item.pop("genre", None)
    if item.get("number") and item["number"] in item["title"]:
        item.pop("number")
    if item.get("publisher") in ("ISO", "ISO/IEC", "SCTE"):
        item["type"] = "standard"
    if found := re.fullmatch(r"((?:ANSI/)?SCTE [\w -]+ \d{4}): (.+)", item["title"]):
        item |= {"number": found[1], "title": found[2]}
    return item


def _afd(item: Item) -> Item:
    """Keep the number of pages of a book where it is one."""
    extent = re.match(r"(?:[ivxlc]+[\s,+]+)?(\d+) ?pp?\b", item.pop("number-of-pages", ""))
    return {**item, "number-of-pages": extent[1]} if extent else item


def _numbers(item: Item) -> Item:
    """Divide a series from its number, Texts and Studies 13, and a volume from the issue, 60:4."""
    found = re.fullmatch(r"(.*[^\W\d_]\)?),? (\d{1,4})", item.get("collection-title", ""))
    if found and "collection-number" not in item:
        item |= {"collection-title": found[1], "collection-number": found[2]}
    if found := re.fullmatch(r"(\w+):([\w/–-]+)", item.get("volume", "")):
        item |= {"volume": found[1], "issue": found[2]}
    return item


def _unquoted(item: Item) -> Item:
    """Take off the quotation marks around a title."""
    found = re.fullmatch(r'"([^"]+)"', item["title"])
    return {**item, "title": found[1]} if found else item


_CORRECTIONS: dict[str, Correct] = {
    "standards-nist": _nist,
    "standards-specref": _specref,
    "hebrew-benyehuda": _benyehuda,
    "laws-pl": _polish_laws,
    "langsci-multi": _langsci,
    "russian-harrix": lambda item: {key: value for key, value in item.items() if key != "note"},
    "russian-thesis-template": _template,
    "humanities-majlis-caesarea": _unquoted,
    "humanities-syriaca": _numbers,
    "taxonomy-afd-multi": _afd,
    "better-bibtex-fixtures": _fixtures,
}
