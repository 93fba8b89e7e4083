"""Training with a table `[augmentation]`: the model learns what it is shown, and its card says so."""

from __future__ import annotations

import orjson
import pytest
from model_cases import references

import ibidem
from ibidem.config import from_toml
from ibidem.features.lexicons import empty
from ibidem.models.recipes import Recipe, follow

RECIPE = """
name = "x"
about = "x"
output = "x.ibidem"
[[data]]
file = "mine.jsonl"
repeat = 4
[[dev]]
file = "dev.jsonl"
[training]
iterations = 40
"""
AUGMENTATION = """
[augmentation]
share = 0.7
perturbations = ["lead-in"]
"""


@pytest.fixture
def folder(tmp_path):
    for name, some in (("mine", references(40)), ("dev", references(48)[40:])):
        lines = [
            {
                "text": one.text,
                "fields": [{"label": each.label, "start": each.start, "end": each.end} for each in one.annotations],
            }
            for one in some
        ]
        (tmp_path / f"{name}.jsonl").write_bytes(b"\n".join(map(orjson.dumps, lines)))
    return tmp_path


def test_a_model_trained_on_words_before_references_leaves_them_out(folder):
    found = {}
    for name, table in (("plain", ""), ("augmented", AUGMENTATION)):
        path = follow(from_toml(Recipe, RECIPE + table), folder, folder / f"{name}.ibidem", lambda _: None, empty())
        found[name] = ibidem.load(path)
    dev = references(48)[40:]

    def right(name: str) -> int:
        parsed = found[name].parse_many(f"See also {example.text}" for example in dev)
        gold = [{example.text[a.start : a.end] for a in example.annotations} for example in dev]
        return sum({field.text for field in one.fields} == texts for one, texts in zip(parsed, gold, strict=True))

    assert right("augmented") == len(dev) > right("plain")
    assert found["augmented"].model.card["augmentation"]["perturbations"] == ["lead-in"]
    assert "augmentation" not in found["plain"].model.card
