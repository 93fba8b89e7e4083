"""Lists of words by language, of which invented records and the words of templates are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from ibidem.errors import ConfigError
from ibidem.synthesis.templates.language import SLOT, check_slots

_FOLDER = Path(__file__).parent / "words"
_COMMON = "common"  # the file of lists that languages without one of their own share
_DEEPEST = 6  # lists that name lists


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The lists of a language; an entry may name other lists and ranges of numbers, as words of templates do."""

    language: str
    lists: Mapping[str, tuple[str, ...]]

    def draw(self, name: str, random: Random) -> str:
        """Return an entry of a list, drawn at random and filled in."""
        return self.fill(random.choice(self.lists[name]), random)

    def fill(self, words: str, random: Random) -> str:
        """Return the words with a number for every range and an entry for every list in them.

        >>> Lexicon("en", {"bird": ("heron",)}).fill("@Bird@ 7-#05-05#", Random(1))
        'Heron 7-05'
        """
        pieces, place = [], 0
        for found in SLOT.finditer(words):
            pieces.append(words[place : found.start()])
            place = found.end()
            if found["list"]:
                entry = self.draw(found["list"].lower(), random)
                entry = entry[:-1] if words[place : place + 1] == "." == entry[-1:] else entry
                pieces.append(entry[:1].upper() + entry[1:] if found["list"][0].isupper() else entry)
            else:
                number = str(random.randint(int(found["low"]), int(found["high"])))
                width = len(found["low"]) if found["low"].startswith("0") else 0
                pieces.append(number.zfill(width))
        return "".join([*pieces, words[place:]])


@cache
def lexicons() -> dict[str, Lexicon]:
    """Return the lexicon of every language that has a file of words."""
    files = {path.stem: dict(_lists(path)) for path in sorted(_FOLDER.glob("*.txt"))}
    common = files.pop(_COMMON)
    found = {language: Lexicon(language, {**common, **lists}) for language, lists in files.items()}
    for lexicon in found.values():
        for name, entries in lexicon.lists.items():
            where = f"the list {name!r} of {lexicon.language!r}"
            for entry in entries:
                check_slots(entry, lexicon.lists.keys(), where)
            _depth(lexicon, name, where, 0)
    return found


def _lists(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the lists of a file: a name, a colon, and the entries with `|` between them; a list is a line."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, entries = line.partition(":")
        found = tuple(entry.strip() for entry in entries.split("|"))
        if not colon or not all(found):
            raise ConfigError(f"{path.name}:{number}: expected `name: one | two`, and no entry that is empty")
        yield name.strip(), found


def _depth(lexicon: Lexicon, name: str, where: str, depth: int) -> None:
    """Check that no list names itself, directly or by way of others."""
    if depth > _DEEPEST:
        raise ConfigError(f"{where} names lists that name lists more than {_DEEPEST} deep")
    for entry in lexicon.lists[name]:
        for found in SLOT.finditer(entry):
            if found["list"]:
                _depth(lexicon, found["list"].lower(), where, depth + 1)
