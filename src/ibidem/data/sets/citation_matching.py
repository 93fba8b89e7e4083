"""Citation matching: Cora and CiteSeer, citation strings with clusters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ibidem.data.readers.columns import example_of
from ibidem.data.readers.files import lines_of
from ibidem.data.registry import DataFile, Dataset
from ibidem.data.sets.parscit import LABELS
from ibidem.labels.mapping.table import LabelTable
from ibidem.types import Annotation, Example, Malformed


def read_cora(path: Path) -> Iterator[Example | Malformed]:
    """Read Cora's citations with their segments; the source is `cora:id:cluster`."""
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


def read_citeseer(path: Path) -> Iterator[Example | Malformed]:
    """Read CiteSeer's citations as lower-case tokens with author, title and venue, without punctuation.

    The source is `citeseer:topic:id:silver cluster`; the cluster is guessed by rule, not annotated.
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


def cluster_of(example: Example) -> str:
    """Return the cluster of an example of Cora or CiteSeer: the last part of its source."""
    return example.source.rpartition(":")[2]


CORA = Dataset(
    name="cora",
    about="Cora citation matching: segmented strings with true clusters",
    home="https://people.cs.umass.edu/~mccallum/data.html",
    licence="CC0 packaging, original not stated",
    use="benchmark",
    files=(
        DataFile(
            "cora/cora_coref.jsonl",
            "e55f5e95b7e8ce18521ba7d8269f188a81eb96daa458fe9f07cd5f34ad7bce96",
            read=read_cora,
            expected=1_879,
        ),
        DataFile("cora/CORA.xml", "03b24471e06b0554e13f988930a2fc56a0812d86ce2b2893d96c22b523d42673"),
        DataFile("cora/cora_gold.csv", "63249869aea130946d0016db5170c7bb3e3c213c20397f917e4c7088f09f9881"),
    ),
    labels=LabelTable(
        {
            **LABELS.targets,
            "year": "date/year",
            "month": "date/month",
            "address": "place",
            "type": "type",
            "tech": "type|report-number|institution",
        },
        uncertain_boundaries=True,
    ),
)
CITESEER = Dataset(
    name="citeseer",
    about="CiteSeer citation matching (Wellner 2004): tokens with author, title, venue; clusters are guesses",
    home="the authors of Wellner et al. 2004; the true clusters are not public",
    licence="not stated",
    use="benchmark",
    files=(
        DataFile(
            "citeseer/citeseer_tokens.jsonl",
            "1f1a8bdf013446a74a3bc15f2f642fc9fb1c89570f648f177081cf1bcb983e0e",
            read=read_citeseer,
            expected=1_563,
        ),
        DataFile("citeseer/raw.tar.gz", "6d7480d01f43bfe3093103fbeef885ad440ce3de4fcf32fb72a64c71cb186a87"),
    ),
)
