"""Parts of fields that a dataset does not annotate: years and months, first and last pages, volume and issue.

Each function returns the annotations of the parts, or none if the text leaves any doubt.
"""

from __future__ import annotations

import re

from ibidem.types import Annotation

_MONTHS = frozenset(
    """january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    januar februar märz maerz mai juni juli oktober dezember mär okt dez
    janvier février mars avril juin juillet août septembre octobre novembre décembre janv févr fév avr juil déc
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre ene abr ago dic
    gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre gen mag giu lug set ott
    janeiro fevereiro março maio junho julho setembro outubro novembro dezembro fev""".split()
)
_WORD = re.compile(r"[^\W\d_]+|\d+")
_ORDINAL = frozenset("st nd rd th".split())
_TAIL = r"(?:[A-EG-Za-eg-z](?![A-Za-z]))?"  # 12a, but not 12f: "and the next"
_PAGE = rf"[A-Za-z]{{0,3}}[.\s]?\d[\d,]*\d{_TAIL}|[A-Za-z]{{0,3}}\d{_TAIL}|[ivxlcdmIVXLCDM]+"
_ONE_PAGE = re.compile(rf"(?P<first>{_PAGE})(?:\s*(?:ff?|sqq?|et\s+seq|\+)\.?)?\Z")
_PAGES = re.compile(rf"(?P<first>{_PAGE})\s*(?:[-–—−‐‑~]+|\bto\b|\bbis\b)\s*(?:pp?\.\s*)?(?P<last>{_PAGE})\Z")
_TOTAL = re.compile(r"[\divxlcIVXLC+,\s]+\s*(?:pp?|pages?|s|seiten|str|с)\s*\.?\Z", re.IGNORECASE)
_CHUNK = r"[^\s()\[\],;:/]+"
_ISSUE = r"(?:nos?|nr|num(?:ber)?|n°|nº|№|n|issues?|iss|heft|h|fasc)(?![a-z])\s*\.?\s*:?"
_VOLUME_ONLY = re.compile(r"[A-Za-z]*\s?\d*[A-Za-z]*\Z")
_BRACKETS = re.compile(
    rf"(?P<volume>{_CHUNK})\s*[(\[]\s*(?:{_ISSUE}\s*)?(?P<issue>[^()\[\]]*[^()\[\]\s])\s*[)\]]?\Z", re.IGNORECASE
)
_NUMBERED = re.compile(
    rf"(?P<volume>{_CHUNK})\s*[,:;/.]?\s*{_ISSUE}\s*(?P<issue>{_CHUNK}(?:\s*[-–/]\s*{_CHUNK})?)\Z", re.IGNORECASE
)
_PLAIN = re.compile(r"(?P<volume>\d+)\s*[,.:/]\s*(?P<issue>\d+(?:[-–/]\d+)?)\Z")
_ISSUE_ONLY = re.compile(rf"{_ISSUE}\s*(?P<issue>{_CHUNK}(?:\s*[-–/]\s*{_CHUNK})?)\Z", re.IGNORECASE)
_SUFFIXED = re.compile(r"\d{4}[a-z]?\Z")


def is_year(text: str) -> bool:
    """Return whether the text is a year since the invention of printing."""
    return bool(_SUFFIXED.match(text)) and 1400 <= int(text[:4]) <= 2100


def is_month(word: str) -> bool:
    """Return whether a word is a month or its abbreviation, in any of seven languages."""
    return word.casefold() in _MONTHS


def date_parts(text: str, start: int, end: int) -> list[Annotation]:
    """Return the year, month and day of a date, if it has one year and every word of it is one of the three."""
    annotations: list[Annotation] = []
    for word in _WORD.finditer(text, start, end):
        piece = word.group()
        label = ""
        if is_year(piece):
            label = "date/year"
        elif is_month(piece):
            label = "date/month"
        elif piece.isdigit() and len(piece) <= 2 and 1 <= int(piece) <= 31:
            label = "date/day"
        elif annotations and word.start() == annotations[-1].end:  # 1999a, 3rd
            last = annotations[-1]
            if (last.label == "date/year" and len(piece) == 1) or (last.label == "date/day" and piece in _ORDINAL):
                annotations[-1] = Annotation(last.label, last.start, word.end())
                continue
        if not label:
            return []
        annotations.append(Annotation(label, word.start(), word.end()))
    labels = [annotation.label for annotation in annotations]
    sure = labels.count("date/year") == 1 and len(set(labels)) == len(labels)
    return annotations if sure and not ("date/day" in labels and "date/month" not in labels) else []


def page_parts(text: str, start: int, end: int) -> list[Annotation]:
    """Return the first and the last page of `12-34`, or the only page of `12`."""
    found = _PAGES.match(text, start, end) or _ONE_PAGE.match(text, start, end)
    if not found:
        return []
    return [Annotation(f"pages/{part}", *found.span(part)) for part in found.groupdict() if found.group(part)]


def counts_pages(text: str, start: int, end: int) -> bool:
    """Return whether this is the number of pages of a book (`350 p.`)."""
    return bool(_TOTAL.match(text, start, end))


def volume_parts(text: str, start: int, end: int) -> list[Annotation]:
    """Return the volume and, if it is in the same field, the issue; nothing if the field holds anything else."""
    if _VOLUME_ONLY.match(text, start, end) and not _ISSUE_ONLY.match(text, start, end):
        return [Annotation("volume", start, end)]
    for form in (_ISSUE_ONLY, _BRACKETS, _NUMBERED, _PLAIN):
        found = form.match(text, start, end)
        if found and not is_year(found.group("issue")):
            return [Annotation(part, *found.span(part)) for part in found.groupdict()]
    return [] if len(re.findall(r"\d+", text[start:end])) > 1 else [Annotation("volume", start, end)]


_DOI = re.compile(r"10\.\d{4,9}/\S+")
_RESOLVER = re.compile(r"(?:doi\.org/|\bdoi\s*[:.]?)\s*\Z", re.IGNORECASE)


def identifier_parts(text: str, start: int, end: int, label: str) -> Annotation:
    """Return a DOI or an address: the DOI alone if only a resolver precedes it, else all of it."""
    found = _DOI.search(text, start, end)
    if not found:
        return Annotation(label, start, end)
    before = text[start : found.start()]
    if _RESOLVER.search(before) or (label == "doi" and "/" not in before):
        return Annotation("doi", found.start(), min(end, found.end()))
    return Annotation("url" if before else label, start, end)
