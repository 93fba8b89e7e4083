"""Headers rendered from records of authors and affiliations, as journals print them, with their true links.

The layout is drawn at random, seeded by the name of the paper: numbers, letters or signs as symbols, or none and
authors above their affiliations; names in full or with initials; one line or several.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from ibidem.text.fold import fold, hash32
from ibidem.types import Annotation, Example

_MAX_AUTHORS = 30
_LABEL = re.compile(r"<(label|email|x)\b[^>]*>[^<]*</\1>")
_SEAM = re.compile(r"(?:</[^>]+>\s*)+(?:<[^/>][^>]*>\s*)+")
_TAG = re.compile(r"<[^>]*>")
_SIGNS = ("*", "†", "‡", "§", "¶", "#", "**", "††", "‡‡")
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_HOSTS = ("example.org", "uni.example.edu", "mail.example.de", "inst.example.ac.uk", "lab.example.fr")
_NOTES = (
    "Corresponding author",
    "Correspondence: ",
    "To whom correspondence should be addressed",
    "These authors contributed equally to this work",
    "Present address: elsewhere",
)
Range = tuple[int, int]
Links = list[tuple[Range, Range]]


@dataclass(frozen=True, slots=True)
class Header:
    """A rendered header, and its links from authors to affiliations, both as character ranges."""

    example: Example
    links: frozenset[tuple[Range, Range]]


@dataclass(frozen=True, slots=True)
class _Person:
    given: str
    family: str
    homes: tuple[int, ...]  # numbers of affiliations


class _Draft:
    """Text written piece by piece, with an annotation for every piece that has a label."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self.annotations: list[Annotation] = []

    def add(self, text: str, label: str = "") -> Annotation | None:
        """Write a piece and return its annotation, without whitespace at its ends; None if it has no label."""
        start = self._length + len(text) - len(text.lstrip())
        self._pieces.append(text)
        self._length += len(text)
        end = self._length - (len(text) - len(text.rstrip()))
        if not label or start >= end:
            return None
        self.annotations.append(Annotation(label, start, end))
        return self.annotations[-1]

    def text(self, width: int = 0) -> str:
        """Return the text; with a `width`, lines are wrapped at it."""
        whole = "".join(self._pieces).rstrip()
        if not width:
            return whole
        letters, begin, space = list(whole), 0, -1
        for place, letter in enumerate(whole):
            if letter == "\n":
                begin, space = place + 1, -1
            elif letter == " ":
                space = place
            if place - begin >= width and space > begin:
                letters[space] = "\n"
                begin, space = space + 1, -1
        return "".join(letters)


def affiliation_text(xml: str) -> str:
    """Return the text of a tagged affiliation, with a comma between parts that have none.

    >>> affiliation_text("<label>1</label><institution>Bog Institute</institution><country>Marshland</country>")
    'Bog Institute, Marshland'
    """
    seams = _SEAM.sub(lambda found: ", " if "," not in found[0] else found[0], _LABEL.sub("", xml))
    text = " ".join(html.unescape(_TAG.sub("", seams)).split())
    return re.sub(r"(?:\s*,)+", ",", text).strip(" ,;.")


def render(record: dict[str, Any], source: str) -> Header | None:
    """Render a record with `authors` and `affs` as a header, its layout drawn at random with `source` as the seed.

    Return None if no author is linked to an affiliation.
    """
    texts = {name: text for name, xml in record["affs"] if name and (text := affiliation_text(xml))}
    people, names = _read_people(record["authors"][:_MAX_AUTHORS], texts)
    if not people:
        return None
    draw = np.random.default_rng(hash32(source))
    draft, homes = _Draft(), [texts[name] for name in names]
    blocks = len(homes) == 1 or draw.random() < 0.2
    links = (_write_blocks if blocks else _write_lists)(draft, people, homes, draw)
    width = int(draw.integers(55, 110)) if draw.random() < 0.6 else 0
    annotations = tuple(sorted(draft.annotations, key=lambda annotation: annotation.start))
    return Header(Example(draft.text(width), annotations, source), frozenset(links))


def _read_people(authors: Sequence[Any], texts: dict[str, str]) -> tuple[list[_Person], list[str]]:
    """Return the authors whose affiliations are known, and the affiliations in order of first mention."""
    people: list[_Person] = []
    names: dict[str, int] = {}
    for given, family, homes in authors:
        known = [name for name in dict.fromkeys(homes) if name in texts]
        if family and known:
            numbers = tuple(names.setdefault(name, len(names)) for name in known)
            people.append(_Person(" ".join(given.split()), " ".join(family.split()), numbers))
    return people, list(names)


def _format_name(person: _Person, form: str) -> str:
    given = person.given
    if form in ("initials", "dots"):
        letters = [part[0] for part in re.split(r"[\s.-]+", given) if part]
        given = " ".join(f"{letter}." for letter in letters) if form == "dots" else "".join(letters)
    elif form == "dotted":
        given = " ".join(f"{part}." if len(part) == 1 else part for part in given.split())
    name = f"{given} {person.family}".strip()
    return name.upper() if form == "upper" else name


def _choose_form(draw: np.random.Generator) -> str:
    return str(draw.choice(["full", "dotted", "dots", "initials", "upper"], p=[0.4, 0.25, 0.2, 0.05, 0.1]))


def _write_lists(draft: _Draft, people: Sequence[_Person], homes: Sequence[str], draw: np.random.Generator) -> Links:
    """Write authors in a list with symbols, then affiliations with the same symbols."""
    symbols = _choose_symbols(len(homes), draw)
    form, joiner = _choose_form(draw), str(draw.choice([", ", ", ", ", ", "; ", " , ", " · ", "\n"]))
    last = str(draw.choice([joiner, " and ", ", and ", " & "])) if joiner != "\n" else joiner
    glue, between = str(draw.choice(["", "", " ", " "])), str(draw.choice([",", ", ", " , "]))
    if symbols[0].isalpha():
        glue = " "  # a letter without a space before it would be part of the name
    star = int(draw.integers(len(people))) if draw.random() < 0.4 and "*" not in symbols else -1
    after_comma = joiner == ", " and draw.random() < 0.1
    authors: list[tuple[_Person, Annotation | None]] = []
    for place, person in enumerate(people):
        if place:
            _write_separator(draft, last if place == len(people) - 1 else " " if after_comma else joiner)
        authors.append((person, draft.add(_format_name(person, form), "author")))
        if after_comma:
            draft.add(",", "separator")
        carried = [symbols[home] for home in person.homes] + (["*"] if place == star else [])
        draft.add(glue)
        for number, symbol in enumerate(carried):
            if number:
                _write_separator(draft, between)
            draft.add(symbol, "symbol")
    annotations = _write_affiliations(draft, homes, symbols, draw)
    _write_notes(draft, people, star, draw)
    return [_link(annotation, annotations[home]) for person, annotation in authors for home in person.homes]


def _write_separator(draft: _Draft, separator: str) -> None:
    """Write a separator; a comma and a word are two."""
    for piece in re.split(r"(?<=,)(?= and)", separator):
        draft.add(piece, "separator")


def _choose_symbols(count: int, draw: np.random.Generator) -> list[str]:
    kind = draw.random()
    if kind < 0.2 and count <= 20:
        return [chr(97 + place) for place in range(count)]
    if kind < 0.3 and count <= len(_SIGNS):
        return list(_SIGNS[:count])
    plain_numbers = [str(place + 1) for place in range(count)]
    return [number.translate(_SUPERSCRIPT) for number in plain_numbers] if kind > 0.9 else plain_numbers


def _write_affiliations(
    draft: _Draft, homes: Sequence[str], symbols: Sequence[str], draw: np.random.Generator
) -> list[Annotation | None]:
    """Write the affiliations, one per line or one after the other, and return their annotations."""
    lead = str(draw.choice([" ", " ", "", ". ", ") ", ": "]))
    if lead == "" and symbols[0].isalpha():
        lead = " "
    joiner = str(draw.choice(["\n", "\n", "\n", "; ", ", ", ".\n"]))
    annotations = []
    draft.add("\n")
    if draw.random() < 0.06:
        draft.add(str(draw.choice(["Affiliations:\n", "Author affiliations\n"])))
    for place, home in enumerate(homes):
        if place:
            draft.add(joiner, "separator" if joiner[0] in ",;" else "")
        draft.add(symbols[place], "symbol")
        draft.add(lead)
        annotations.append(draft.add(home, "affiliation"))
    return annotations


def _write_notes(draft: _Draft, people: Sequence[_Person], star: int, draw: np.random.Generator) -> None:
    """Write the note that the star refers to, and an e-mail address."""
    if star >= 0 and draw.random() < 0.8:
        draft.add("\n")
        draft.add("*", "symbol")
        draft.add(" " + str(draw.choice(_NOTES)))
    if draw.random() < 0.3:
        draft.add(str(draw.choice(["\n", "\nE-mail: ", "\nEmail: ", "\ne-mail: "])))
        _write_email(draft, people[max(star, 0)], draw)


def _write_email(draft: _Draft, person: _Person, draw: np.random.Generator) -> None:
    name = re.sub(r"[^a-z]", "", fold(person.family)) or "author"
    draft.add(f"{fold(person.given[:1])}{draw.choice(['', '.'])}{name}@{draw.choice(_HOSTS)}", "email")


def _write_blocks(draft: _Draft, people: Sequence[_Person], homes: Sequence[str], draw: np.random.Generator) -> Links:
    """Write authors above their affiliations, without symbols."""
    form, joiner = _choose_form(draw), str(draw.choice([", ", ", ", "\n", "; "]))
    last = str(draw.choice([joiner, " and ", ", and "])) if joiner != "\n" else joiner
    mails = draw.random() < 0.3
    links = []
    ordered = sorted(people, key=lambda person: person.homes)
    for number, (places, group) in enumerate(groupby(ordered, key=lambda person: person.homes)):
        members = list(group)
        draft.add("\n" if number else "")
        authors = []
        for place, person in enumerate(members):
            if place:
                _write_separator(draft, last if place == len(members) - 1 else joiner)
            authors.append(draft.add(_format_name(person, form), "author"))
        annotations = []
        for home in places:
            draft.add("\n")
            annotations.append(draft.add(homes[home], "affiliation"))
        if mails:
            draft.add("\n")
            _write_email(draft, members[0], draw)
        links += [_link(author, annotation) for author in authors for annotation in annotations]
    return links


def _link(author: Annotation | None, affiliation: Annotation | None) -> tuple[Range, Range]:
    assert author is not None and affiliation is not None
    return (author.start, author.end), (affiliation.start, affiliation.end)
