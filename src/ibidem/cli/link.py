"""The command `ibidem link`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli.inputs import say_blank
from ibidem.cli.options import (
    INPUT,
    OUTPUT,
    STANDARD_OUTPUT,
    Command,
    files_argument,
    jobs_option,
    jsonl_option,
    model_option,
    strict_option,
    text_key_option,
)
from ibidem.cli.pretty import is_terminal
from ibidem.cli.terminal import escape, say
from ibidem.errors import InputError
from ibidem.faults import describe_fault, trip
from ibidem.files import open_output

if TYPE_CHECKING:
    from ibidem.cli.convert import Diagnostics
    from ibidem.linking.matcher import PairwiseMatcher
    from ibidem.linking.works import Progress, Work, Works


@click.command(cls=Command, renamed={"--readings": "--nbest"})
@files_argument
@click.option("--output", "-o", metavar="FILE", type=STANDARD_OUTPUT, help="Write here instead of standard output.")
@click.option(
    "--threshold",
    metavar="P",
    type=float,
    help="The probability above which works are merged: higher is more careful. Its precision and recall on the dev"
    " set are reported on standard error. [default: the pairwise matcher's]",
)
@click.option(
    "--db",
    "database",
    metavar="FILE",
    type=OUTPUT,
    help="Keep references, works and links in a DuckDB database, and continue from it: after an interruption, or with"
    " more files. Works are written only if --output is given.",
)
@click.option(
    "--explain",
    metavar="A B",
    type=click.IntRange(1),
    nargs=2,
    help="Instead of writing works, explain why references A and B, counted from 1, refer to the same work or not.",
)
@click.option(
    "--nbest",
    metavar="N",
    type=click.IntRange(1, 20),
    default=1,
    show_default=True,
    help="Labellings of each string to consider; members then have the labelling that fits their work best.",
)
@model_option
@click.option("--pair-model", metavar="FILE", type=INPUT, help="The pairwise matcher. [default: the built-in one]")
@text_key_option
@jsonl_option
@jobs_option(help="Processes to parse with.")
@strict_option
def link(
    files: tuple[Path, ...], output: Path | None, database: Path | None, explain: tuple[int, int] | None,
    text_key: str, jsonl: bool, strict: bool, **options: Any,
) -> int:  # fmt: skip
    """Find the references that refer to the same work.

    A FILE holds one reference per line, or one JSON object per line if it is named .jsonl: a record, the output of
    `ibidem parse`, or any object with the reference under the key "text"; or records in a format that `ibidem convert`
    reads, recognised by the file name: BibTeX (.bib), CSL-JSON (.json) and others. - is standard input, which is also
    read if there is no FILE. Empty lines are skipped.

    Writes one JSON object per work, in the order of their first references: {"work", "confidence", "record", "sources",
    "members": [{"number", "nearest", "probability", "record"}]}. "record" is the work's canonical record, merged from
    those of its members; "sources" gives for each of its entries the reference it is from. References are numbered from
    1. "nearest" is a member's best match, and "probability" that the two refer to the same work.
    """
    import ibidem
    from ibidem.cli.convert import Diagnostics
    from ibidem.cli.link_inputs import input_files, items_of

    check_name(output)
    diagnostics = Diagnostics()
    paths = input_files(files, database)
    items = (item for path in paths for item in items_of(path, diagnostics, text_key, jsonl))
    with _show_progress(database) as progress:
        works = ibidem.link(items, database=database, progress=progress, **options)
    if explain is not None:
        return _explain(works, *explain)
    if output is not None or database is None:
        diagnostics.unwritten = _write(works, output)
    _summarise(works, diagnostics, reread=database is None)
    return diagnostics.status(strict=strict)


def check_name(output: Path | None) -> None:
    """Raise `InputError` where the name of an output asks for a format of records."""
    from ibidem.cli.convert import format_by_name

    if output is not None and format_by_name(output):
        raise InputError(f"works are written as JSON Lines, and {output} is named otherwise; name it .jsonl")


def _explain(works: Works, left: int, right: int) -> int:
    from ibidem.linking.explanation import describe, explain

    click.echo("\n".join(map(escape, describe(explain(works.linked, left - 1, right - 1)))))
    return 0


def _write(works: Works, output: Path | None) -> int:
    """Write a line of JSON for each work; return the number of those that could not be written."""
    failed = 0
    with open_output(output) as stream:
        for number, work in enumerate(works, 1):
            line, wrong = as_line(number, work)
            failed += wrong
            stream.write(line)
    return failed


def as_line(number: int, work: Work) -> tuple[bytes, bool]:
    """Return the line of JSON Lines of a work, and whether it holds an error in its place."""
    import orjson

    try:
        trip("json", repr(work.record))
        return orjson.dumps(as_object(number, work), option=orjson.OPT_APPEND_NEWLINE), False
    except Exception as error:
        surrogate = isinstance(error, orjson.JSONEncodeError)
        reason = "not valid Unicode: a lone surrogate" if surrogate else describe_fault(error, "writing this work")
        members = [{"number": member.number + 1} for member in work.members]
        found = {"work": number, "error": reason, "members": members}
        return orjson.dumps(found, option=orjson.OPT_APPEND_NEWLINE), True


def as_object(number: int, work: Work) -> dict[str, Any]:
    """Return the JSON object of a work; references are numbered from 1, in the order of the input."""
    from ibidem.records.formats.jsonl import as_object as record_object

    members = []
    for member in work.members:
        found: dict[str, Any] = {"number": member.number + 1}
        if member.nearest is not None and member.probability is not None:
            found |= {"nearest": member.nearest + 1, "probability": round(member.probability, 4)}
        members.append(found | {"record": record_object(member.record)})
    return {
        "work": number,
        "confidence": round(work.confidence, 4),
        "record": record_object(work.record),
        "sources": [source + 1 for source in work.sources],
        "members": members,
    }


def _summarise(works: Works, diagnostics: Diagnostics, *, reread: bool) -> None:
    """Report on standard error what could not be read, the number of works, and the threshold's dev-set scores.

    References that could not be parsed are counted too if the records can be read again at little cost.
    """
    linked = works.linked
    diagnostics.total = len(linked.records)
    if reread:
        origins = (record.origin for record in linked.records)
        diagnostics.malformed = sum(origin is not None and origin.error is not None for origin in origins)
    say_blank(diagnostics.blank)
    diagnostics.close("references could not be read")
    counts = f"{len(linked.records):,} references, {len(works):,} works, {works.count_repeated():,} of them cited more"
    compared = f"than once; {len(linked.pairs):,} pairs compared"
    for line in (f"{counts} {compared}", *describe_threshold(linked.matcher, linked.threshold)):
        say(line)


def describe_threshold(matcher: PairwiseMatcher, threshold: float) -> list[str]:
    """Return the dev-set scores of a threshold, and of the default one, in sentences; none if there are no scores."""
    from ibidem.linking.clustering import log_odds

    rows = matcher.card.get("dev", {}).get("thresholds", [])
    if not rows:
        return []
    wanted = [("threshold", threshold)]
    if threshold != matcher.threshold:
        wanted.append(("default threshold", matcher.threshold))
    lines = []
    for name, value in wanted:
        near = min(rows, key=lambda row: abs(log_odds(row["threshold"]) - log_odds(value)))
        lines.append(
            f"at a {name} of {near['threshold']:g}, pair precision on the dev set is {100 * near['precision']:.2f} and"
            f" recall {100 * near['recall']:.2f}; {100 * near['clusters']:.2f} % of the works are exactly right"
        )
    return lines


@contextmanager
def _show_progress(database: Path | None) -> Iterator[Progress | None]:
    """Yield a function that reports progress: references added to a database, and a bar on a terminal."""
    if not is_terminal(sys.stderr):
        yield None if database is None else _report_added
        return
    with click.progressbar(length=1_000, file=sys.stderr, label="linking") as bar:

        def progress(step: str, done: int, total: int) -> None:
            if step == "comparing":
                bar.update(1_000 * done // max(1, total) - bar.pos)
            else:
                _report_added(step, done, total)

        yield progress


def _report_added(step: str, done: int, _total: int) -> None:
    if step.startswith("adding "):
        say(f"{done:,} new references added from {step.removeprefix('adding ')}")
