"""From files of citations to their segments: what stands behind `ibidem segment`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from ibidem.cli.inputs import Item, Source
from ibidem.cli.outputs import open_output
from ibidem.cli.segment_report import html_report, summary_of, terminal_report
from ibidem.errors import InputError
from ibidem.labels.schema import WITH_PARTS
from ibidem.unsupervised.segmenting import Segmentation, Segmented

_ASKED = 300  # citations that the parser is asked about to guess names


@dataclass(frozen=True, slots=True)
class SegmentOptions:
    """What is wanted of segmenting."""

    files: tuple[Path, ...]
    elements: int
    output: Path | None = None
    names: str | None = None
    hints: Path | None = None
    html: Path | None = None
    summary: Path | None = None
    sweeps: int = 15
    checkpoint: Path | None = None
    resume: bool = False
    seed: int = 1
    threads: int = 1
    text_key: str = "text"
    jsonl: bool = False


def run(wishes: SegmentOptions) -> None:
    """Nothing: writes the segments of all citations and tells what was learnt."""
    import ibidem

    if wishes.resume and wishes.checkpoint is None:
        raise InputError("--resume goes on from a checkpoint: say with --checkpoint where it is")
    source = Source((), wishes.files, wishes.text_key, wishes.jsonl)
    source.check(wishes.output)
    items = list(source.items(None))
    names = None if wishes.names in (None, "guess") else str(wishes.names).split(",")
    found = ibidem.segment(
        ("" if item.error else item.text for item in items),
        elements=wishes.elements,
        seed=wishes.seed,
        threads=wishes.threads,
        sweeps=wishes.sweeps,
        hints=wishes.hints,
        names=names,
        checkpoint=wishes.checkpoint,
        resume=wishes.resume,
        progress=partial(print, file=sys.stderr, flush=True),
    )
    if wishes.names == "guess":
        found = found.renamed(guessed_names(found))
    _write(wishes, items, found)
    if wishes.html is not None:
        with open_output(wishes.html) as stream:
            stream.write(html_report(found).encode("utf-8", "backslashreplace"))
    if wishes.summary is not None:
        import orjson

        with open_output(wishes.summary) as stream:
            stream.write(orjson.dumps(summary_of(found), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    print(terminal_report(found, sys.stderr), file=sys.stderr)


def _write(wishes: SegmentOptions, items: list[Item], found: Segmentation) -> None:
    failed = 0
    with open_output(wishes.output) as stream:
        for item, segmented in zip(items, found, strict=True):
            error = item.error or segmented.error
            failed += error is not None
            stream.write(_line({"text": item.text, "error": error} if error else as_object(segmented)))
    if failed:
        print(
            f"ibidem: {failed:,} of {len(items):,} citations could not be segmented; see their errors", file=sys.stderr
        )


def as_object(segmented: Segmented) -> dict[str, Any]:
    """The JSON object of a segmented citation; it is also that of a labelled string."""
    number = {token.start: element for token, element in zip(segmented.tokens, segmented.elements, strict=True)}
    fields = [
        {
            "label": field.label,
            "element": number[field.start],
            "text": field.text,
            "start": field.start,
            "end": field.end,
            "confidence": round(field.confidence, 4),
        }
        for field in segmented.fields
    ]
    made: dict[str, Any] = {"text": segmented.text, "fields": fields}
    made["tokens"] = [[token.start, token.end] for token in segmented.tokens]
    made["elements"] = segmented.elements
    made["token_confidence"] = [round(chance, 4) for chance in segmented.confidence]
    whole = sorted({field.label for field in segmented.fields} & WITH_PARTS)
    return made | ({"opaque": whole} if whole else {})


def _line(found: dict[str, Any]) -> bytes:
    import orjson

    try:
        return orjson.dumps(found, option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:  # a lone surrogate, which no UTF-8 can hold
        shown = found["text"].encode("utf-8", "backslashreplace").decode("utf-8")
        return orjson.dumps({"text": shown, "error": "not valid Unicode: a lone surrogate"}) + b"\n"


def guessed_names(found: Segmentation) -> tuple[str, ...]:
    """A name for each element: the label of the parser that ships with which it agrees best, each used once."""
    import ibidem

    shared: Counter[tuple[int, str]] = Counter()
    chosen = list(islice(_readable(found), _ASKED))
    parsed = ibidem.parse_many([segmented.text for segmented in chosen])
    for segmented, answer in zip(chosen, parsed, strict=True):
        tops = [field for field in answer.fields if "/" not in field.label]
        for token, element in zip(segmented.tokens, segmented.elements, strict=True):
            label = next((field.label for field in tops if field.start <= token.start < field.end), None)
            if label is not None and token.text.isalnum():
                shared[element - 1, label] += 1
    return _matched(shared, found.state.size)


def _matched(shared: Counter[tuple[int, str]], elements: int) -> tuple[str, ...]:
    """The label of each element, given how many tokens elements and labels share; the best match goes first."""
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


def _readable(found: Segmentation) -> Iterator[Segmented]:
    step = max(1, len(found) // _ASKED)
    return (found[number] for number in range(0, len(found), step) if number not in found.errors)
