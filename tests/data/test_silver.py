"""Silver data: which unsupervised segmentations are good enough to train on."""

from __future__ import annotations

import json

import pytest

from ibidem.data.readers.labelled import read_silver, trim_annotations
from ibidem.errors import ConfigError, DataError
from ibidem.models.sources import Source
from ibidem.types import Annotation, Example, Malformed

TEXT = "Reed A, On bells. 1999."


def line(*confidence: float) -> str:
    places = [("author", 0, 7), ("title", 8, 17), ("date", 18, 23)]
    fields = [
        {"label": label, "start": start, "end": end, "confidence": sure}
        for (label, start, end), sure in zip(places, confidence, strict=True)
    ]
    return json.dumps({"text": TEXT, "fields": fields, "opaque": ["author"]})


def test_only_confident_strings_are_taken_and_fields_lose_their_outer_punctuation(tmp_path):
    path = tmp_path / "segmented.jsonl"
    error = json.dumps({"text": "", "error": "empty"})
    path.write_text("\n".join([line(0.99, 0.95, 1.0), line(0.99, 0.5, 1.0), error, "{"]) + "\n", "utf-8")
    found = list(read_silver(path, 0.9))
    assert [type(one) for one in found] == [Example, Malformed]
    assert found[0].annotations == (Annotation("author", 0, 6), Annotation("title", 8, 16), Annotation("date", 18, 22))
    assert not found[0].partially_annotated


def test_neighbours_with_the_same_name_are_merged():
    annotations = (
        Annotation("author", 0, 4),
        Annotation("author", 5, 7),
        Annotation("title", 8, 10),
        Annotation("title", 18, 22),
    )
    assert trim_annotations(Example(TEXT, annotations, "")).annotations == (
        *(Annotation("author", 0, 6), Annotation("title", 8, 10)),
        Annotation("title", 18, 22),  # words stand between the two
    )


def test_a_missing_file_and_silver_without_a_file_are_refused(tmp_path):
    with pytest.raises(DataError, match="there is no file"):
        list(read_silver(tmp_path / "none.jsonl", 0.9))
    with pytest.raises(ConfigError, match=r"silver is 0\.9"):
        Source(name="cora", silver=0.9)
