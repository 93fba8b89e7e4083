"""Citation strings with clusters: Cora and CiteSeer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ibidem.data.readers.columns import example_of
from ibidem.data.readers.files import lines_of
from ibidem.types import Annotation, Example, Malformed


def read_cora(path: Path) -> Iterator[Example | Malformed]:
    """Cora's citations with their segments; the source is `cora:id:cluster`."""
    for number, line in enumerate(lines_of(path), 1):
        try:
            record = json.loads(line)
            text, segments = record["text"], record["segments"]
            source = f"cora:{record['id']}:{record['cluster']}"
        except (json.JSONDecodeError, KeyError) as error:
            yield Malformed(f"cora:{number}", f"{type(error).__name__}: {error}")
            continue
        annotations, place = [], 0
        for label, segment in segments:
            start = text.find(segment, place)
            if start < 0:
                yield Malformed(source, f"the segment {segment[:40]!r} is not in the text")
            elif segment:
                place = start + len(segment)
                annotations.append(Annotation(label, start, place))
        yield Example(text, tuple(annotations), source)


def read_cora_pairs(path: Path) -> Iterator[tuple[str, str] | Malformed]:
    """The pairs of identifiers that mean the same work."""
    lines = lines_of(path)
    next(lines, None)
    for number, line in enumerate(lines, 2):
        one, separator, other = line.partition(";")
        yield (one, other) if separator else Malformed(f"cora-pairs:{number}", "not two identifiers")


def read_citeseer(path: Path) -> Iterator[Example | Malformed]:
    """CiteSeer's citations as lower-case tokens with author, title and venue; punctuation is not in the tokens.

    The source is `citeseer:topic:id:silver cluster`; the cluster is a guess by rule and not the truth.
    """
    for number, line in enumerate(lines_of(path), 1):
        try:
            record = json.loads(line)
            rows = list(zip(record["tokens"], record["labels"], strict=True))
            source = f"citeseer:{record['section']}:{record['id']}:{record['silver_cluster']}"
        except (json.JSONDecodeError, KeyError, ValueError) as error:
            yield Malformed(f"citeseer:{number}", f"{type(error).__name__}: {error}")
            continue
        yield example_of(rows, source)


CORA_FILES = ("fahlman", "kibler", "utgoff")
"""The three files that Cora was put together from, by the author that each is about; no work is in two of them."""

_CORA_ENDS = (529, 1_123)  # the last numbers of the first two files


def cora_file_of(example: Example) -> str:
    """The file of Cora that an example is from, by its number: the keys begin anew where a file does."""
    number = int(example.source.split(":")[1])
    return CORA_FILES[sum(number > end for end in _CORA_ENDS)]


def cluster_of(example: Example) -> str:
    """The cluster of an example of Cora or CiteSeer: the last part of its source."""
    return example.source.rpartition(":")[2]
