"""Pages as first and last, abbreviated ranges written out."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import decimal

from ibidem.records.normalise.numbers import roman
from ibidem.records.record import Number, Pages

Outcome = tuple[Pages | str, tuple[str, ...]]

_DASH = r"\s*(?:[-–—−‐‑‒~]+|\bto\b|\bbis\b|\bà\b)\s*"
_PAGE = r"(?:[A-Za-z]{1,4}\.?[\s-]?)?\d[\d.,]*\d[A-Za-z]?|(?:[A-Za-z]{1,4}\.?[\s-]?)?\d[A-Za-z]?|[ivxlcdmIVXLCDM]+"
_LEADING = r"\W*(?:(?:pages?|pp?|pgs?|págs?|pagg?|seiten?|ss?|blz|str|стр|с|σσ?|σελ|صص?|עמ['׳]?)\b\s*\.?\s*:?\s*)?"
_RANGE = re.compile(
    rf"{_LEADING}(?P<first>{_PAGE})(?:{_DASH}(?:pp?\.\s*)?(?P<last>{_PAGE}))?(?:\s*pp?\.?)?\W*\Z", re.IGNORECASE
)
_AND_NEXT = re.compile(rf"{_LEADING}(?P<first>{_PAGE})\s*(?P<next>ff?|sqq?|et\s+seq|\+)\.?\W*\Z", re.IGNORECASE)
_PARTS = re.compile(r"([A-Za-z]*\.?[\s-]?)(\d+)([A-Za-z]?)\Z")


def complete_last_page(first: str, last: str) -> str:
    """Add the digits to a last page that an abbreviated range leaves out.

    >>> [complete_last_page(*pages) for pages in (("153", "60"), ("1123", "30"), ("S12", "5"), ("xi", "xv"))]
    ['160', '1130', 'S15', 'xv']
    """
    begin, end = _PARTS.match(first), _PARTS.match(last)
    if not begin or not end or (end[1] and end[1].lower() != begin[1].lower()):
        return last
    low, high = begin[2], end[2]
    if len(high) < len(low):
        full = low[: len(low) - len(high)] + high
        if int(full) < int(low):  # 199-4 passes the hundred: 204
            full = str(int(low[: len(low) - len(high)] or 0) + 1) + high
        high = full
    elif end[1] or not begin[1] or int(high) < int(low):
        return last
    return f"{begin[1]}{high}{end[3]}"


@lru_cache(1 << 12)
def pages_of(text: str) -> Outcome:
    """Return the first and last page, or the text and a warning where it is no page or range of pages.

    >>> pages_of("153-60"), pages_of("pp. 88–117")
    ((Pages(first='153', last='160'), ()), (Pages(first='88', last='117'), ()))
    >>> pages_of("12-15, 18")
    ('12-15, 18', ('more than one range of pages, or none',))
    """
    if len(text) > 80:
        return text, ("too long for pages",)
    if not text.isascii():  # ۶۱-۸۳
        text = "".join(str(decimal(one)) if one.isdecimal() else one for one in text)
    found = _RANGE.match(text)
    if found:
        first, last = found["first"], found["last"]
        if last is None:
            return Pages(first), ()
        whole = complete_last_page(first, last)
        low, high = _value(first), _value(whole)
        backwards = low is not None and high is not None and high < low
        return Pages(first, whole), ("the last page is before the first",) if backwards else ()
    onward = _AND_NEXT.match(text)
    if onward:
        return Pages(onward["first"]), (f"{onward['next']!r}: goes on after this page, the last is not said",)
    return text, ("more than one range of pages, or none",)


def _value(page: str) -> int | None:
    return int(page) if page.isascii() and page.isdigit() else roman(page) if page.isalpha() else None


_UNITS = (
    "p pp pg pgs page pages leaves s ss seite seiten bl blatt blz bladzijden pág págs página páginas pag pagg pagine"
    " str strony stron с стр sid sider sivua oldal 页 頁 ページ 쪽 면"
)
_EXTENT = re.compile(
    rf"\W{{0,4}}((?:[ivxlc]{{1,9}}\s?[,+]\s?)?)(\d{{1,6}})\s{{0,3}}(?:(?:{'|'.join(_UNITS.split())})\b\.?)?\W{{0,4}}\Z",
    re.IGNORECASE,
)


def extent_of(text: str) -> tuple[Number | str, tuple[str, ...]]:
    """Return how many pages a work has, the word for pages left out; a text that says more stays as it is.

    >>> [extent_of(text)[0] for text in ("2391 pp.", "xii, 250 S.", "3 vols.")]
    [Number(text='2391', value=2391), Number(text='xii, 250', value=250), '3 vols.']
    """
    found = _EXTENT.match(text)
    if found is None:
        return text, ()
    return Number(found[1] + found[2], int(found[2])), ()
