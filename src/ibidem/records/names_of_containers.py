"""Types of works that the name of what contains them tells: newspapers, magazines, works of reference, blogs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ibidem.text.fold import fold
from ibidem.types import Field

_NEWSPAPERS = """
new york times|washington post|wall street journal|los angeles times|chicago tribune|boston globe|usa today|guardian
|the times|times london|sunday times|observer|independent|daily telegraph|telegraph|financial times|daily mail
|scotsman
|irish times|globe and mail|toronto star|sydney morning herald|age melbourne|hindu|times of india
|south china morning post
|japan times|san francisco chronicle|christian science monitor|international herald tribune|miami herald|haaretz
|le monde
|le figaro|liberation|le temps|la croix|l humanite|le soir|el pais|el mundo|abc madrid|la vanguardia|clarin|la nacion
|el universal|la repubblica|corriere della sera|la stampa|il sole 24 ore|folha de s paulo|folha de sao paulo
|o estado de s paulo|publico|nrc handelsblad|de volkskrant|trouw|de standaard|frankfurter allgemeine zeitung
|frankfurter allgemeine|frankfurter rundschau|suddeutsche zeitung|die welt|die zeit|taz|die tageszeitung|handelsblatt
|der tagesspiegel|tagesspiegel|neue zurcher zeitung|der standard|die presse|bild|berliner zeitung|dagens nyheter
|svenska dagbladet|aftenposten|politiken|helsingin sanomat|gazeta wyborcza|hurriyet|известия|правда
|комсомольская правда
|независимая газета|российская газета|коммерсантъ
|人民日报|光明日报|朝日新聞|読売新聞|毎日新聞|日本経済新聞|조선일보|중앙일보
"""
_MAGAZINES = """
time|time magazine|newsweek|new yorker|economist|der spiegel|spiegel|stern|focus|wired|forbes|fortune|atlantic
|atlantic monthly|harper s magazine|harper s|national geographic|vanity fair|rolling stone|le point|l express
|nouvel observateur|l espresso|panorama|bloomberg businessweek|businessweek|new york review of books|people|vogue
|london review of books|times literary supplement|огонек|огонёк
"""


def _listed(names: str) -> frozenset[str]:
    return frozenset(" ".join(fold(name).split()) for name in names.replace("\n", "").split("|"))


_BY_NAME = (("newspaper-article", _listed(_NEWSPAPERS)), ("magazine-article", _listed(_MAGAZINES)))
_WORDS = {
    "newspaper-article": r"""\b(?:tageszeitung|abendzeitung|daily\ news|daily\ times|newspaper|evening\ post)\b
        |(?:日报|日報|晚报|新聞|일보)\Z""",
    "encyclopedia-entry": r"""encyclop|enzyklop|encicloped|ensiklop|энциклопед|百科|konversations-?lexikon|brockhaus
        |\bwikipedia\b|lexikon\b""",
    "dictionary-entry": r"""\bdictionary\b|wörterbuch|dictionnaire|diccionario|dizionario|dicionário|słownik|словарь
        |slovník|sözlük|词典|詞典|辞典|字典|merriam-webster""",
}
_BY_WORD = tuple((kind, re.compile(words, re.VERBOSE)) for kind, words in _WORDS.items())
_DAILY = re.compile(
    r"zeitung\b|tidning|tidende|\bavisen?\b|\bcourier\b|\bcourrier\b|\bcorriere\b|\bgazett?e\b|\bgazeta\b|\bherald\b"
    r"|\btribune\b|\bobserver\b|\btimes\b|\bla voz\b|\bdiario\b|\bdiário\b|新聞|日報|日报|晚报|일보|신문|газета|вечерн"
    r"|ведомости|صحيفة|جريدة|समाचार|εφημερίδα",
    re.IGNORECASE,
)
_BLOG = re.compile(
    r"//blog\.|//(?:[\w-]{1,60}\.){0,3}(?:wordpress|blogspot|tumblr|substack|typepad|livejournal|medium)\.(?:com|org)/"
)
_POST = re.compile(
    r"//(?:[\w-]{1,20}\.){0,2}(?:twitter|x|facebook|instagram|reddit|tiktok|threads|bsky)\.(?:com|net|app)/"
)
_MARKS = re.compile(r"[^\w]+")


@lru_cache(1 << 12)
def _type_by_name(container: str) -> str:
    name = " ".join(_MARKS.sub(" ", fold(container)).split()).removeprefix("the ")
    by_name = (kind for kind, names in _BY_NAME if name in names or f"the {name}" in names)
    by_word = (kind for kind, words in _BY_WORD if words.search(container.lower()))
    return next(by_name, "") or next(by_word, "")


def _is_a_day(one: Field) -> bool:
    """Whether a field is a date with more than a year: a newspaper is dated to the day."""
    return one.label == "date" and len(re.findall(r"\d+", one.text)) > 1


def container_type(fields: Sequence[Field]) -> str:
    """Return the type that the name of a container or the host of an address tells, "" for none.

    >>> container_type([Field("journal", "The New York Times", 0, 18, 0.9)])
    'newspaper-article'
    """
    labels = {one.label for one in fields}
    volumes = any(one.label == "volume" and one.text.isdigit() for one in fields)
    for one in fields:
        if one.label in ("journal", "book"):
            if kind := _type_by_name(one.text[:200]):
                return kind
            if not volumes and _DAILY.search(one.text) and any(map(_is_a_day, fields)):
                return "newspaper-article"
        elif one.label == "url" and not labels & {"journal", "book", "publisher"}:
            address = one.text.lower()
            if _BLOG.search(address):
                return "blog-post"
            if _POST.search(address):
                return "post"
    if "arxiv" in labels and not labels & {"journal", "book", "volume", "pages", "publisher"}:
        return "preprint"
    return ""
