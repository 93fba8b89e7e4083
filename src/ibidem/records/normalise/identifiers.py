"""Identifiers, validated by syntax and check digit: DOI, arXiv, PMID, PMCID, ISBN, ISSN and URLs.

One that is not valid keeps its text and gets a warning.
"""

from __future__ import annotations

import re
from functools import lru_cache

Outcome = tuple[str, tuple[str, ...]]

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d{1,9}){0,4}\s?/\s?\S.*", re.DOTALL)
_ARXIV_NEW = re.compile(r"(?<!\d)(\d{2})(0[1-9]|1[0-2])\.(\d{4,5})(v\d{1,2})?(?!\d)", re.IGNORECASE)
_ARXIV_OLD = re.compile(
    r"(?<![a-z])((?:[a-z]+-)?[a-z]{2,}(?:\.[A-Z]{2})?)\s?/\s?(\d{2}(?:0[1-9]|1[0-2])\d{3})(v\d{1,2})?(?!\d)", re.I
)
_ARCHIVES = frozenset(
    """acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs
    dg-ga funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics
    plasm-ph q-alg q-bio quant-ph solv-int supr-con stat eess econ q-fin""".split()
)
_NUMBER = re.compile(r"(?<!\d)\d{1,9}(?!\d)")
_PMC = re.compile(r"(?:PMC\s?)?(\d{3,9})(?:\.\d+)?\Z", re.IGNORECASE)
_BOOK = re.compile(r"(?:97[89][\s-]?)?(?:\d[\s-]?){9}[\dXx]")
_SERIAL = re.compile(r"(\d{4})[\s‐-―-]?(\d{3}[\dXx])(?!\d)")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]{1,15}://\S+\Z", re.IGNORECASE)
_BARE = re.compile(r"(?:www\.|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,12}(?:[/:?#]|\Z))\S*\Z", re.IGNORECASE)
_DASHES = str.maketrans("‐‑‒–—−", "------")
_RESOLVER = re.compile(r"(?:https?://)?(?:dx\.|www\.)?doi\.org/\s?(?=10\.)", re.IGNORECASE)
_PREPRINT = re.compile(r"(?:https?://)?(?:www\.)?arxiv\.org/(?:abs|pdf)/", re.IGNORECASE)
_CLOSING = {")": "(", "]": "[", ">": "<", "}": "{"}


def doi(text: str) -> Outcome:
    """Return the DOI in lower case from its 10. on.

    >>> doi("https://doi.org/10.1000/ABC(1)."), doi("10.1234")
    (('10.1000/abc(1)', ()), ('10.1234', ('not a DOI: it has the form 10.1234/suffix',)))
    """
    found = _DOI.search(text)
    if not found:
        return text, ("not a DOI: it has the form 10.1234/suffix",)
    pieces = found.group().split()
    return _trim("".join(pieces)).lower(), ("blanks inside were taken out",) if len(pieces) > 1 else ()


def _trim(text: str) -> str:
    """Strip full stops, commas and unmatched closing brackets from the end of a text."""
    unmatched = {last: text.count(last) - text.count(first) for last, first in _CLOSING.items()}
    end = len(text)
    while end:
        last = text[end - 1]
        if unmatched.get(last, 0) > 0:
            unmatched[last] -= 1
        elif last not in ".,;:'\"”’»":
            break
        end -= 1
    return text[:end]


def arxiv(text: str) -> Outcome:
    """Return the arXiv identifier, new or old, with its version.

    >>> arxiv("arXiv:1501.00001v2 [cs.CL]"), arxiv("hep-th/9901001"), arxiv("math.GT/0309136")
    (('1501.00001v2', ()), ('hep-th/9901001', ()), ('math.GT/0309136', ()))
    >>> arxiv("arXiv")
    ('arXiv', ('not an arXiv identifier: it has the form 1501.00001 or hep-th/9901001',))
    """
    plain = text.translate(_DASHES)
    found = _ARXIV_NEW.search(plain)
    if found:
        return found.group().lower(), ()
    old = _ARXIV_OLD.search(plain)
    if old and old[1].split(".")[0].lower() in _ARCHIVES:
        return f"{old[1]}/{old[2]}{(old[3] or '').lower()}", ()
    return text, ("not an arXiv identifier: it has the form 1501.00001 or hep-th/9901001",)


def pmid(text: str) -> Outcome:
    """Return the digits of a PubMed identifier.

    >>> pmid("PMID: 12345678"), pmid("in press")
    (('12345678', ()), ('in press', ('not a PMID: it is a number of up to nine digits',)))
    """
    found = _NUMBER.findall(text)
    return (found[0], ()) if len(found) == 1 else (text, ("not a PMID: it is a number of up to nine digits",))


def pmcid(text: str) -> Outcome:
    """Return PMC and the digits of a PubMed Central identifier.

    >>> pmcid("PMC123456"), pmcid("pmcid 123456")
    (('PMC123456', ()), ('PMC123456', ()))
    """
    found = _PMC.search(text.strip(" .,;"))
    return (f"PMC{found[1]}", ()) if found else (text, ("not a PMCID: it is PMC and a number",))


def isbn(text: str) -> Outcome:
    """Return the 13 or 10 digits of an ISBN whose check digit is right.

    >>> isbn("978-3-16-148410-0"), isbn("0-306-40615-2"), isbn("0-306-40615-3")
    (('9783161484100', ()), ('0306406152', ()), ('0-306-40615-3', ('not an ISBN: the check digit is wrong',)))
    """
    found = _BOOK.findall(text.translate(_DASHES))
    if not found:
        return text, ("not an ISBN: it has 10 or 13 digits",)
    digits = re.sub(r"[\s-]", "", found[0]).upper()
    right = _weighted_sum(digits) % 11 == 0
    if len(digits) == 13:
        right = digits.isdigit() and (sum(map(int, digits[::2])) + 3 * sum(map(int, digits[1::2]))) % 10 == 0
    if not right:
        return text, ("not an ISBN: the check digit is wrong",)
    return digits, ("more than one ISBN, the first is taken",) if len(found) > 1 else ()


def _weighted_sum(digits: str) -> int:
    """Return the sum of the digits, X being 10, each times its place counted from the end."""
    return sum((10 if digit == "X" else int(digit)) * place for place, digit in enumerate(reversed(digits), 1))


def issn(text: str) -> Outcome:
    """Return an ISSN as 1234-567X whose check digit is right.

    >>> issn("ISSN 0378-5955"), issn("2434561x"), issn("0378-5954")
    (('0378-5955', ()), ('2434-561X', ()), ('0378-5954', ('not an ISSN: the check digit is wrong',)))
    """
    found = _SERIAL.search(text.translate(_DASHES))
    if not found:
        return text, ("not an ISSN: it has the form 1234-567X",)
    digits = found[1] + found[2].upper()
    if _weighted_sum(digits) % 11:
        return text, ("not an ISSN: the check digit is wrong",)
    return f"{digits[:4]}-{digits[4:]}", ()


_AFTER_ADDRESS = re.compile(r"\s(?=[^\x00-\x7f]*[^\W\d_\x00-\u02ff])|[（）［］，。；、「」『』《》〈〉【】]")


def url(text: str) -> Outcome:
    """Return a web address, without the whitespace that a line break left; http:// is not put before a bare one.

    Words in another script that follow it are no part of it.

    >>> url("https://example.org/a b/c."), url("www.example.org")
    (('https://example.org/ab/c', ('blanks inside were taken out',)), ('www.example.org', ()))
    >>> url("https://example.org/a（2020年8月15日")
    ('https://example.org/a', ("'（2020年8月15日' after it is no part of it",))
    >>> url("Elsevier")
    ('Elsevier', ('not an address on the net',))
    """
    address, rest = text, ""
    if not text.isascii() and (after := _AFTER_ADDRESS.search(text)):
        address, rest = text[: after.start()], text[after.start() :]
    plain = _trim(address.strip().strip("<>"))
    whole = "".join(plain.split())
    if not (_SCHEME.match(whole) or _BARE.match(whole)):
        return text, ("not an address on the net",)
    doubts = ("blanks inside were taken out",) if whole != plain else ()
    return whole, (*doubts, f"{rest.strip()!r} after it is no part of it") if rest.strip() else doubts


@lru_cache(1 << 10)
def identifier_in_url(text: str) -> tuple[str, str] | None:
    """Return field and value of a URL that only spells out a DOI or an arXiv identifier, None for any other.

    >>> identifier_in_url("https://doi.org/10.1000/1"), identifier_in_url("http://arxiv.org/abs/1501.00001"), identifier_in_url("https://example.org")
    (('doi', '10.1000/1'), ('arxiv', '1501.00001'), None)
    """
    for field, server, normalise in (("doi", _RESOLVER, doi), ("arxiv", _PREPRINT, arxiv)):
        if found := server.match(text):
            value, warnings = normalise(text[found.end() :])
            return None if warnings else (field, value)
    return None
