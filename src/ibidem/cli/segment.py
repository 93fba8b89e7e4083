"""The command `ibidem segment`: citations are cut into fields without labelled data."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli.options import (
    INPUT,
    OUTPUT,
    STANDARD_OUTPUT,
    Command,
    files_argument,
    jobs_option,
    jsonl_option,
    status_of,
    strict_option,
    text_key_option,
)
from ibidem.cli.outputs import json_line, report_progress
from ibidem.cli.segment_report import examples_of, make_html, make_summary, make_terminal_report, to_json
from ibidem.cli.terminal import say
from ibidem.errors import ConfigError, InputError
from ibidem.faults import describe_fault, trip
from ibidem.files import open_output
from ibidem.unsupervised.methods import METHODS

if TYPE_CHECKING:
    from ibidem.cli.inputs import Item, Source
    from ibidem.unsupervised.segmenting import Segmentation, Segmented

_PARSED = 300  # citations that are parsed to guess names
_RENAMED = {"--elements": "--fields", "-e": "--fields", "--hints": "--seed-words", "--threads": "--jobs"}


@click.command(cls=Command, renamed=_RENAMED)
@files_argument
@click.option("--fields", metavar="K", type=int, required=True, help="Number of fields of a citation, from 1 to 8.")
@click.option(
    "--method",
    type=click.Choice(list(METHODS)),
    default="blocked",
    show_default=True,
    help="The sampler: whole citations at once, or the one of Masada et al. 2011 (from 2 to 16 fields).",
)
@click.option("--output", "-o", metavar="FILE", type=STANDARD_OUTPUT, help="Write here instead of standard output.")
@click.option(
    "--names", metavar="A,B,…", help="Names of the fields, in the order of their numbers; `guess` asks the parser."
)
@click.option("--seed-words", metavar="FILE", type=INPUT, help="A TOML file with words and patterns of some fields.")
@click.option("--html", metavar="FILE", type=OUTPUT, help="Write a report with citations in colour here.")
@click.option("--summary", metavar="FILE", type=OUTPUT, help="Write words, orders and likelihoods here, as JSON.")
@click.option("--sweeps", metavar="N", type=int, help="Sweeps over the citations. [default: at most 15; 200 for gibbs]")
@click.option(
    "--set",
    "settings",
    metavar="KEY=VALUE",
    multiple=True,
    help="Another setting of the method, such as draws=rebuilt; may be repeated.",
)
@click.option("--checkpoint", metavar="FILE", type=OUTPUT, help="Save the run here after each sweep.")
@click.option("--resume", is_flag=True, help="Continue from the checkpoint, if it exists.")
@click.option(
    "--seed", metavar="N", type=int, default=1, show_default=True, help="The same seed gives the same result."
)
@jobs_option(help="Number of threads.")
@text_key_option
@jsonl_option
@strict_option
def segment(
    files: tuple[Path, ...],
    output: Path | None,
    names: str | None,
    html: Path | None,
    summary: Path | None,
    settings: tuple[str, ...],
    text_key: str,
    jsonl: bool,
    strict: bool,
    **options: Any,
) -> int:
    """Cut citations into fields without labelled data.

    Learns from the citations alone which words belong to which field, how long fields are and in which order they come.
    It takes hundreds of citations, better thousands. A FILE holds one citation per line, or one JSON object per line
    when it is named .jsonl; - is standard input, which is also read when there is no FILE.

    Writes one JSON object per citation, in the order of the input: {"text", "fields": [{"label", "element", "text",
    "start", "end", "confidence"}], "tokens": [[start, end]], "elements", "token_confidence"}. An element is the number
    of a field, from 1, by average position. The confidence of a field is that of its least certain token. A citation
    that cannot be segmented has "error" in place of "fields". With names of Ibidem's labels the file is one of labelled
    strings, which `ibidem train --silver` learns from.

    A report goes to standard error: the fields with their typical words, the orders, and some citations.
    """
    import ibidem
    from ibidem.cli.inputs import Source

    if options["resume"] and options["checkpoint"] is None:
        raise InputError("--resume continues from a checkpoint: name its file with --checkpoint")
    source = Source((), files, text_key, jsonl)
    items = source.read_all()
    found = ibidem.segment(
        ("" if item.error else item.text for item in items),
        names=None if names in (None, "guess") else str(names).split(","),
        settings=parse_settings(settings),
        progress=report_progress,
        **options,
    )
    found = found.rename(guess_names(found)) if names == "guess" else found
    failed = _write_citations(found, items, output)
    _write_reports(found, html, summary, source)
    return status_of(len(items), failed, strict=strict)


def parse_settings(settings: Sequence[str]) -> dict[str, object]:
    """Return the settings given as KEY=VALUE; a value that is not TOML is a string.

    >>> parse_settings(["draws=rebuilt", "alpha=0.5"])
    {'draws': 'rebuilt', 'alpha': 0.5}
    """
    from ibidem.config import parse_toml

    table: dict[str, object] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise ConfigError(f"--set {setting} has no value; give it as KEY=VALUE")
        try:
            table[key] = parse_toml(f"value = {value}", "--set")["value"]
        except ConfigError:
            table[key] = value
    return table


def _write_citations(found: Segmentation, items: list[Item], output: Path | None) -> int:
    """Write the citations as JSON Lines; return the number of those that have an error."""
    failed = 0
    with open_output(output) as stream:
        for item, segmented in zip(items, found, strict=True):
            line = _to_json(item, segmented)
            failed += "error" in line
            stream.write(json_line(line))
    if failed:
        say(f"{failed:,} of {len(items):,} citations not segmented; see their errors")
    return failed


def _write_reports(found: Segmentation, html: Path | None, summary: Path | None, source: Source) -> None:
    for path, make in ((html, make_html), (summary, make_summary)):
        if path is not None:
            with open_output(path) as stream:
                stream.write(make(found))
    source.say_blank()
    click.echo(make_terminal_report(found, sys.stderr), err=True, color=True)


def _to_json(item: Item, segmented: Segmented) -> dict[str, Any]:
    error = item.error or segmented.error
    if error is None:
        try:
            trip("json", item.text)
            return to_json(segmented)
        except Exception as fault:
            error = describe_fault(fault, "writing this citation")
    return {"text": item.text, "error": error}


def guess_names(found: Segmentation) -> tuple[str, ...]:
    """Return a name for each field: the label of the default parser that agrees best with it, each used once."""
    import ibidem

    shared: Counter[tuple[int, str]] = Counter()
    chosen = list(islice(examples_of(found, _PARSED), _PARSED))
    parsed = ibidem.parse_many([segmented.text for segmented in chosen])
    for segmented, answer in zip(chosen, parsed, strict=True):
        tops = [field for field in answer.fields if "/" not in field.label]
        for token, element in zip(segmented.tokens, segmented.elements, strict=True):
            label = next((field.label for field in tops if field.start <= token.start < field.end), None)
            if label is not None and token.text.isalnum():
                shared[element - 1, label] += 1
    return match_labels(shared, len(found.names))


def match_labels(shared: Counter[tuple[int, str]], elements: int) -> tuple[str, ...]:
    """Return the label of each element, given the tokens that they share; greedily, by the F1 of their overlap."""
    own: Counter[int] = Counter()
    labels: Counter[str] = Counter()
    for (element, label), times in shared.items():
        own[element] += times
        labels[label] += times
    agreement = {pair: 2 * times / (own[pair[0]] + labels[pair[1]]) for pair, times in shared.items()}
    names: dict[int, str] = {}
    for element, label in sorted(agreement, key=lambda pair: (-agreement[pair], pair)):
        if element not in names and label not in names.values():
            names[element] = label
    return tuple(names.get(element, f"element-{element + 1}") for element in range(elements))
