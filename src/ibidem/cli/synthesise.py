"""`ibidem synthesise`: records in, labelled strings out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli.options import INPUT, NAME_OR_INPUT, OUTPUT, Command, jobs_option, status_of, strict_option
from ibidem.cli.terminal import say
from ibidem.files import open_output
from ibidem.types import Example, Malformed

if TYPE_CHECKING:
    from ibidem.records.record import Record

_SHOWN = 3  # problems that are reported one by one


@click.command(cls=Command)
@click.argument("records", type=INPUT)
@click.option(
    "--output", "-o", metavar="FILE", type=OUTPUT, required=True, help="Where to write: .jsonl, .conll, .xml."
)
@click.option(
    "--styles",
    "-s",
    metavar="STYLE",
    type=NAME_OR_INPUT,
    multiple=True,
    default=("all",),
    help="A public CSL style, a pattern of names, or a .csl file; may be repeated. [default: all]",
)
@click.option(
    "--templates",
    metavar="KINDS",
    type=NAME_OR_INPUT,
    help="Use hand-written templates, not styles: `all`, or a TOML file of kinds and weights.",
)
@click.option(
    "--count", "-n", metavar="N", type=click.IntRange(1), help="How many strings to make. [default: one a record]"
)
@click.option(
    "--noise",
    metavar="NOISE",
    default="none",
    show_default=True,
    help="none, light or heavy, and shares: light,ocr=0.01",
)
@click.option(
    "--augment",
    metavar="SHARE",
    help="Perturb a share of the strings, with all perturbations or some: 0.3,lead-in,marker",
)
@click.option(
    "--locale",
    "-l",
    metavar="TAG",
    multiple=True,
    default=("own",),
    help="The language of the words that a style adds: de-DE, own or any; may be repeated. [default: own]",
)
@click.option("--journals", metavar="FILE", type=INPUT, help="A table name,abbreviation for styles that abbreviate.")
@click.option("--format", "-f", "form", metavar="FORMAT", help="The format, where the name does not say it.")
@click.option("--seed", metavar="N", default=1, show_default=True, help="The same seed gives the same strings.")
@jobs_option(help="How many processes.")
@strict_option
def synthesise(records: Path, output: Path, strict: bool, **options: Any) -> int:
    """Make labelled strings of records, for training.

    RECORDS is a file of records such as a BibTeX file, or an open set of the public data such as `dblp` or `laws-de`.
    Every record is rendered in one of the styles, drawn at random, with the labels of its fields; then noise is added:
    missing, breaks, hyphens, ocr, typing, diacritics, typewriter and spacing are shares from 0 to 1. With --augment a
    share of them is perturbed besides: words before the reference, markers, other punctuation, capitals and the like.
    """
    total, failed = write_strings(records, output, **options)
    return status_of(total, failed, strict=strict)


def write_strings(
    source: Path, output: Path, *, styles: Sequence[str], count: int | None, noise: str, augment: str | None,
    locale: tuple[str, ...], journals: Path | None, form: str | None, seed: int, jobs: int,
    templates: str | None = None,
) -> tuple[int, int]:  # fmt: skip
    """Write the strings to `output`; return the number of items and of those that could not be read or written.

    What could not be goes to standard error.
    """
    from ibidem.data import writers
    from ibidem.data.augmentation import augmentation_of
    from ibidem.synthesis import Plan, find_styles, keep_bibliographies, noise_of, read_weights, synthesise

    form = form or writers.format_of(output)
    kinds = read_weights(templates) if templates else ()
    paths, without = ((), 0) if kinds else keep_bibliographies(find_styles(styles))
    perturbed = None if augment is None else augmentation_of(augment)
    plan = Plan(paths, locale, noise_of(noise), seed, journals, perturbed, kinds)
    problems: list[Malformed] = []
    records = _invented(kinds, count) if str(source) == "invented" else _read_records(source, count, seed, problems)
    made = 0

    def strings() -> Iterator[Example]:
        nonlocal made
        for example in synthesise(records, count or len(records), plan, jobs):
            made += 1
            yield example

    unread = len(problems)
    with open_output(output) as stream:
        problems += writers.write(strings(), stream, form)
    used = f"kinds: {sum(weight > 0 for _, weight in kinds):,}" if kinds else f"styles: {len(paths):,}"
    say(f"{made:,} strings; records: {len(records):,}, {used}")
    if "all" in styles and not kinds:
        from ibidem.csl.style import dependent_styles

        others = len(dependent_styles())
        say(f"skipped: {without:,} styles without a bibliography, {others:,} that are other names for one")
    for problem in problems[:_SHOWN]:
        say(f"{problem.source}: {problem.reason}")
    if len(problems) > _SHOWN:
        say(f"and {len(problems) - _SHOWN:,} more that could not be read or written")
    return made + unread, len(problems)


def _invented(kinds: tuple[tuple[str, float], ...], count: int | None) -> list[Record]:
    """Return no records: templates invent their own; styles do not, and say so."""
    from ibidem.errors import InputError

    if not kinds or count is None:
        raise InputError("`invented` records need --templates, and --count to say how many strings; give both")
    return []


def _read_records(source: Path, count: int | None, seed: int, problems: list[Malformed]) -> list[Record]:
    """Read the records to render: all, or as many as there are to be strings, drawn at random."""
    from ibidem.synthesis import sample_records
    from ibidem.synthesis.sources import PUBLIC, records_in, records_of

    def keep_good(items: Iterator[Record | Malformed]) -> Iterator[Record]:
        for item in items:
            if isinstance(item, Malformed):
                problems.append(item)
            else:
                yield item

    found = keep_good(records_of(str(source)) if str(source) in PUBLIC else records_in(source))
    return list(found) if count is None else sample_records(found, count, seed)
