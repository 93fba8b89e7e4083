"""The command `ibidem segment`: its options and its help."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ibidem.cli.options import PATH, jsonl_option, text_key_option


@click.command()
@click.argument("files", metavar="[FILE]...", nargs=-1, type=PATH)
@click.option(
    "--elements", "-e", metavar="K", type=int, required=True, help="How many elements a citation has, from 1 to 8."
)
@click.option("--output", "-o", metavar="FILE", type=PATH, help="Write here instead of standard output.")
@click.option(
    "--names",
    metavar="A,B,…",
    help="Names of the elements, in the order of their numbers; `guess` asks the parser that ships.",
)
@click.option("--hints", metavar="FILE", type=PATH, help="A TOML file with words and patterns of some elements.")
@click.option("--html", metavar="FILE", type=PATH, help="Write a report with citations in colour here.")
@click.option("--summary", metavar="FILE", type=PATH, help="Write what was learnt of the elements here, as JSON.")
@click.option("--sweeps", metavar="N", type=int, default=15, show_default=True, help="Sweeps at most.")
@click.option("--checkpoint", metavar="FILE", type=PATH, help="Write the run down here after each sweep.")
@click.option("--resume", is_flag=True, help="Go on from the checkpoint, if it is there.")
@click.option(
    "--seed", metavar="N", type=int, default=1, show_default=True, help="The same seed gives the same result."
)
@click.option(
    "--threads", "-j", metavar="N", type=click.IntRange(1), default=1, show_default=True, help="How many threads."
)
@text_key_option
@jsonl_option
def segment(files: tuple[Path, ...], **options: Any) -> None:
    """Cut citations into elements without labelled data.

    Learns from the citations alone which words stand in which element, how long elements are and in which order they
    come. Hundreds of citations are wanted, better thousands. A FILE holds one citation per line, or one JSON object per
    line when it is named .jsonl; - is standard input, which is also read when there is no FILE.

    Writes one JSON object per citation, in the order of the input: {"text", "fields": [{"label", "element", "text",
    "start", "end", "confidence"}], "tokens": [[start, end]], "elements", "token_confidence"}. Elements are numbered
    from 1 by where they stand on average. A field is as sure as its least sure token. A citation that cannot be
    segmented has "error" in place of "fields". With names of Ibidem's labels the file is one of labelled strings, which
    `ibidem train --silver` learns from.

    What was learnt goes to standard error: the elements with their typical words, the orders, and some citations.
    """
    from ibidem.cli.segmenting import SegmentOptions, run

    run(SegmentOptions(files, **options))
