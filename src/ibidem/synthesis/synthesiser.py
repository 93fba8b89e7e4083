"""Labelled strings from records: each is drawn a style, rendered, disturbed; a seed gives the same in any process.

The strings are made in chunks. A chunk knows its number, its records and a handful of styles, and draws everything
from a generator seeded with the seed and its number, so it does not matter who makes it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

from ibidem.csl import locales
from ibidem.csl.items import item_of
from ibidem.csl.markers import read_out
from ibidem.csl.style import NoBibliography, Style, style
from ibidem.errors import DataError
from ibidem.records.record import Record
from ibidem.synthesis.abbreviations import abbreviate
from ibidem.synthesis.noise import PRESETS, Noise, disturbed, thinned
from ibidem.types import Example

_CHUNK = 128  # strings
_STYLES = 8  # styles in a chunk: loading one costs as much as rendering some dozen strings
_NUMBERED = 0.5  # share of the strings of numbering styles that show their number
_LETTERED = 0.05  # share of the years that have a letter, in styles that give them one
_SHORTEST = 20  # characters; less than that came of a record with nothing in it


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked for: styles, languages, noise and the seed.

    A locale is a tag such as `de-DE`, `own` for the language of the style, or `any` for one drawn at random. `journals`
    is a table of names and abbreviations (CSV), for styles that ask for the short name of a journal.
    """

    styles: tuple[Path, ...]
    locales: tuple[str, ...] = ("own",)
    noise: Noise = PRESETS["none"]
    seed: int = 1
    journals: Path | None = None


def usable(styles: Iterable[Path]) -> tuple[tuple[Path, ...], int]:
    """The styles that have a bibliography, and the number of those that have none."""
    given = list(styles)
    kept = tuple(path for path in given if b"<bibliography" in path.read_bytes())
    if not kept:
        raise DataError(f"none of the {len(given)} styles has a bibliography; choose others")
    return kept, len(given) - len(kept)


def synthesise(records: Sequence[Record], count: int, plan: Plan, jobs: int = 1) -> Iterator[Example]:
    """`count` labelled strings made of records; where there are fewer records than that, each is used several times.

    A record of which a style shows nothing gives no string. The result depends on the records and the plan alone.
    """
    if not records:
        raise DataError("there are no records to make strings of")
    chunks = _chunks(records, count, plan.seed)
    made = (_made(*chunk, plan) for chunk in chunks) if jobs == 1 else _in_processes(chunks, plan, jobs)
    for strings in made:
        yield from strings


def drawn(records: Iterable[Record], count: int, seed: int) -> list[Record]:
    """At most `count` of the records, each as likely as another, in the order they came; holds no more of them."""
    chance = Random(f"records:{seed}")  # noqa: S311
    kept: list[tuple[int, Record]] = []
    for number, record in enumerate(records):
        if len(kept) < count:
            kept.append((number, record))
        elif (place := chance.randrange(number + 1)) < count:
            kept[place] = (number, record)
    return [record for _, record in sorted(kept, key=lambda pair: pair[0])]


def _chunks(records: Sequence[Record], count: int, seed: int) -> Iterator[tuple[int, list[Record]]]:
    """The records of each chunk: pass after pass over all of them, every pass in another order."""
    endless = (
        records[place] for turn in range(-(-count // len(records))) for place in _order(len(records), seed, turn)
    )
    wanted = islice(endless, count)
    number = 0
    while chunk := list(islice(wanted, _CHUNK)):
        yield number, chunk
        number += 1


def _order(length: int, seed: int, turn: int) -> list[int]:
    order = list(range(length))
    Random(f"order:{seed}:{turn}").shuffle(order)  # noqa: S311
    return order


def _made(number: int, records: list[Record], plan: Plan) -> list[Example]:
    """The strings of a chunk."""
    chance = Random(f"{plan.seed}:{number}")  # noqa: S311
    styles = [_ready(chance, plan.styles) for _ in range(min(_STYLES, len(plan.styles)))]
    made = [
        string(record, chance.choice(styles), plan, chance, f"synthetic:{number * _CHUNK + place}")
        for place, record in enumerate(records)
    ]
    return [example for example in made if example.annotations]


def _ready(chance: Random, paths: Sequence[Path]) -> Style:
    """A style drawn at random; one that turns out to have no bibliography is drawn again."""
    for _ in range(100):
        try:
            return style(chance.choice(paths))
        except NoBibliography:
            continue
    raise DataError("the styles have no bibliographies; choose others")


def string(record: Record, chosen: Style, plan: Plan, chance: Random, source: str) -> Example:
    """One labelled string; where the noise leaves nothing to render, the whole record is rendered."""
    number = chance.randint(1, 200) if chance.random() < _NUMBERED else 0
    letter = chance.choice("aabc") if chosen.letters == "year" and chance.random() < _LETTERED else ""
    tag = _tag(chosen, plan.locales, chance)
    for one in (thinned(record, plan.noise, chance), record):
        item = item_of(one, number)
        item.letter = letter
        if plan.journals:
            abbreviate(item, plan.journals)
        example = read_out(chosen.render(item, tag), f"{source}:{chosen.name}:{tag}")
        if len(example.text) >= _SHORTEST and example.annotations:
            break
    return disturbed(example, plan.noise, chance)


def _tag(chosen: Style, wanted: Sequence[str], chance: Random) -> str:
    tag = chance.choice(wanted)
    if tag == "own":
        return chosen.default_locale or "en-US"
    return chance.choice(locales.tags()) if tag == "any" else tag


def _in_processes(chunks: Iterator[tuple[int, list[Record]]], plan: Plan, jobs: int) -> Iterator[list[Example]]:
    from concurrent.futures import Future, ProcessPoolExecutor

    waiting: deque[Future[list[Example]]] = deque()
    with ProcessPoolExecutor(jobs) as pool:
        while True:
            while len(waiting) < 2 * jobs and (chunk := next(chunks, None)):
                waiting.append(pool.submit(_made, *chunk, plan))
            if not waiting:
                return
            yield waiting.popleft().result()
