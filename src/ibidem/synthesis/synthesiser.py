"""Labelled strings from records: each is rendered in a random style or template, then noise is added.

The strings are made in chunks. A chunk knows its number, its records and a handful of styles, and draws everything
from a generator seeded with the seed and its number, so it does not matter who makes it, and a seed fixes the result.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, starmap
from pathlib import Path
from random import Random

from ibidem.csl.items import Item, item_of
from ibidem.csl.locales import locale_tags
from ibidem.csl.markers import read_example, strip_markers
from ibidem.csl.style import NoBibliography, Style, compile_style
from ibidem.data.augmentation import AugmentationConfig, augment
from ibidem.data.readers.files import lines_of
from ibidem.errors import DataError, InputError
from ibidem.records.record import Record
from ibidem.synthesis.noise import PRESETS, Noise, add_noise, drop_fields
from ibidem.synthesis.templates import make_from_template
from ibidem.types import Example

_CHUNK = 128  # strings
_STYLES = 8  # styles in a chunk: loading one costs as much as rendering some dozen strings
_NUMBERED = 0.5  # share of the strings of numbering styles that show their number
_LETTERED = 0.05  # share of the years that have a letter, in styles that give them one
_SHORTEST = 20  # characters; less than that came of a record with nothing in it


@dataclass(frozen=True, slots=True)
class Plan:
    """Options of a synthesis: styles, languages, noise, augmentation and the seed.

    A locale is a tag such as `de-DE`, `own` for the language of the style, or `any` for one drawn at random. `journals`
    is a table of names and abbreviations (CSV), for styles that ask for the short name of a journal. `kinds` has the
    weights of the kinds of references that templates are for: where there are any, templates are used and not styles.
    """

    styles: tuple[Path, ...]
    locales: tuple[str, ...] = ("own",)
    noise: Noise = PRESETS["none"]
    seed: int = 1
    journals: Path | None = None
    augmentation: AugmentationConfig | None = None
    kinds: tuple[tuple[str, float], ...] = ()


def keep_bibliographies(styles: Iterable[Path]) -> tuple[tuple[Path, ...], int]:
    """Return the styles that have a bibliography, and the number of those that have none."""
    given = list(styles)
    kept = tuple(path for path in given if b"<bibliography" in path.read_bytes())
    if not kept:
        raise DataError(f"none of the {len(given)} styles has a bibliography; choose others")
    return kept, len(given) - len(kept)


def synthesise(records: Sequence[Record], count: int, plan: Plan, jobs: int = 1) -> Iterator[Example]:
    """Yield `count` labelled strings made of records; where there are fewer records, each is used several times.

    A record of which a style shows nothing gives no string. The result depends on the records and the plan alone.
    Templates use the records that suit them, and invent others: there may be none.
    """
    from ibidem.processes import map_in_processes

    if not records and not plan.kinds:
        raise DataError("there are no records to make strings of")
    chunks = ((*chunk, plan) for chunk in _chunks(records or [Record()], count, plan.seed))
    make = _make_chunk_of_templates if plan.kinds else _make_chunk
    for strings in starmap(make, chunks) if jobs == 1 else map_in_processes(make, chunks, jobs):
        yield from strings


def sample_records(records: Iterable[Record], count: int, seed: int) -> list[Record]:
    """Draw at most `count` of the records, each as likely as another, by reservoir sampling; keep their order."""
    random = Random(f"records:{seed}")  # noqa: S311
    kept: list[tuple[int, Record]] = []
    for number, record in enumerate(records):
        if len(kept) < count:
            kept.append((number, record))
        elif (place := random.randrange(number + 1)) < count:
            kept[place] = (number, record)
    return [record for _, record in sorted(kept, key=lambda pair: pair[0])]


def _chunks(records: Sequence[Record], count: int, seed: int) -> Iterator[tuple[int, list[Record]]]:
    """Yield the records of each chunk: pass after pass over all of them, every pass in another order."""
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


def _make_chunk(number: int, records: list[Record], plan: Plan) -> list[Example]:
    """Make the strings of a chunk."""
    random = Random(f"{plan.seed}:{number}")  # noqa: S311
    styles = [_draw_style(random, plan.styles) for _ in range(min(_STYLES, len(plan.styles)))]
    made = [
        make_string(record, random.choice(styles), plan, random, f"synthetic:{number * _CHUNK + place}")
        for place, record in enumerate(records)
    ]
    return _keep(made, plan, random)


def _make_chunk_of_templates(number: int, records: list[Record], plan: Plan) -> list[Example]:
    """Make as many strings as there are records in the chunk, from templates that draw among these records."""
    random = Random(f"templates:{plan.seed}:{number}")  # noqa: S311
    sources = [f"synthetic:{number * _CHUNK + place}" for place in range(len(records))]
    made = [make_from_template(plan.kinds, records, random, source) for source in sources]
    return _keep([add_noise(example, plan.noise, random) for example in made], plan, random)


def _keep(made: Iterable[Example], plan: Plan, random: Random) -> list[Example]:
    """Return the strings that have fields, perturbed where the plan says so."""
    kept = [example for example in made if example.annotations]
    return list(augment(kept, plan.augmentation, random)) if plan.augmentation else kept


def _draw_style(random: Random, paths: Sequence[Path]) -> Style:
    """Draw a style at random; one that turns out to have no bibliography is drawn again."""
    for _ in range(100):
        try:
            return compile_style(random.choice(paths))
        except NoBibliography:
            continue
    raise DataError("the styles have no bibliographies; choose others")


def make_string(record: Record, chosen: Style, plan: Plan, random: Random, source: str) -> Example:
    """Make one labelled string; where the noise leaves nothing to render, the whole record is rendered."""
    number = random.randint(1, 200) if random.random() < _NUMBERED else 0
    letter = random.choice("aabc") if chosen.letters == "year" and random.random() < _LETTERED else ""
    tag = _tag(chosen, plan.locales, random)
    for one in (drop_fields(record, plan.noise, random), record):
        item = item_of(one, number)
        item.letter = letter
        if plan.journals:
            _abbreviate(item, plan.journals)
        example = read_example(chosen.render(item, tag), f"{source}:{chosen.name}:{tag}")
        if len(example.text) >= _SHORTEST and example.annotations:
            break
    return add_noise(example, plan.noise, random)


def _abbreviate(item: Item, table: Path) -> None:
    """Give an article the short name of its journal where the table has one."""
    short = _abbreviations(table).get(item.values.get("container-title", "").casefold())
    if short and item.labels.get("container-title") == "journal":
        item.values["container-title-short"] = short


@lru_cache(2)
def _abbreviations(path: Path) -> dict[str, str]:
    """Read a table such as JabRef's: a full name and its abbreviation on every line."""
    try:
        rows = csv.reader(lines_of(path))
        return {row[0].casefold(): strip_markers(row[1]) for row in rows if len(row) > 1 and row[1].strip()}
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"cannot read the table of journals {path}: {error}; give lines of name,abbreviation"
        ) from error


def _tag(chosen: Style, wanted: Sequence[str], random: Random) -> str:
    tag = random.choice(wanted)
    if tag == "own":
        return chosen.default_locale or "en-US"
    return random.choice(locale_tags()) if tag == "any" else tag
