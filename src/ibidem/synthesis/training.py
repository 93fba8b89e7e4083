"""Strings for training: those of the tables `[[synthesis]]` of a recipe."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ibidem.csl.style import find_styles
from ibidem.models.sources import SyntheticSource
from ibidem.records.record import Record
from ibidem.synthesis.noise import noise_of
from ibidem.synthesis.sources import PUBLIC, records_in, records_of
from ibidem.synthesis.synthesiser import Plan, keep_bibliographies, sample_records, synthesise
from ibidem.synthesis.templates import weights_of
from ibidem.types import Example


def synthesise_source(source: SyntheticSource, folder: Path, jobs: int = 1) -> Iterator[Example]:
    """Yield the strings of a source; relative paths are taken from `folder`. Records that cannot be read are left out.

    Where there are more records than strings, they are drawn at random from all its sets and files together.
    """
    kinds = weights_of(source.kinds) if source.kinds else ()
    paths = () if kinds else keep_bibliographies(find_styles(source.styles))[0]
    plan = Plan(paths, source.locales, noise_of(source.noise), source.seed, kinds=kinds)
    records = [record for name in source.records for record in _records(name, folder, source.count, source.seed)]
    yield from synthesise(sample_records(records, source.count, source.seed), source.count, plan, jobs)


def _records(name: str, folder: Path, count: int, seed: int) -> list[Record]:
    """Return the records of an open set or of a file, at most `count` of them."""
    found = records_of(name) if name in PUBLIC else records_in(folder / name)
    return sample_records((one for one in found if isinstance(one, Record)), count, seed)
