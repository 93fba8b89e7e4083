"""Training with tables `[augmentation]` and `[[synthesis]]`: the model learns what it is shown, its card says so."""

from __future__ import annotations

import orjson
import pytest
from model_cases import references

import ibidem
from ibidem.config import from_toml
from ibidem.errors import ConfigError, IbidemError
from ibidem.features.lexicons import empty
from ibidem.models.recipes import Recipe, follow
from ibidem.models.sources import SyntheticSource
from ibidem.synthesis import synthesise_source

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


def test_a_model_trained_on_records_reads_their_styles(folder):
    """Without them it has never seen a report number."""
    (folder / "mine.bib").write_text(
        "".join(
            f"@techreport{{r{n}, author = {{Reed, Anna}}, title = {{On {n} bells}}, institution = {{Fen Office}},"
            f" number = {{TR-{n}}}, year = {{{1900 + n}}}}}\n"
            for n in range(60)
        )
    )
    table = '\n[[synthesis]]\nrecords = ["mine.bib"]\ncount = 120\nstyles = ["apa", "ieee"]\n'
    messages: list[str] = []
    recipe = from_toml(Recipe, RECIPE + table)
    path = follow(recipe, folder, folder / "made.ibidem", messages.append, empty(), synthesise_source)
    parser = ibidem.load(path)
    found = {field.label for one in parser.parse_many(_reports(folder)) for field in one.fields}
    assert "report-number" in found
    assert parser.model.card["data"]["styles: mine.bib"]["strings"] > 100
    assert any(message.startswith("styles: mine.bib: ") for message in messages)
    with pytest.raises(ConfigError, match="ibidem train"):
        follow(recipe, folder, folder / "x.ibidem", messages.append, empty())


START = RECIPE.replace("iterations = 40", 'optimiser = "adagrad"\nepochs = 2\nstart = "first.ibidem"')


def test_a_training_goes_on_from_the_labels_features_and_weights_of_another(folder):
    def train(recipe: str, name: str):
        return ibidem.load(follow(from_toml(Recipe, recipe), folder, folder / name, lambda _: None, empty()))

    first = train(RECIPE, "first.ibidem")
    again = train(START, "again.ibidem")
    assert again.labels == first.labels
    assert set(again.model.encoder.attributes.tolist()) <= set(first.model.encoder.attributes.tolist())
    texts = [example.text for example in references(48)[40:]]
    assert [one.fields for one in again.parse_many(texts)] != []
    assert again.model.card["start"]["name"] == first.model.card["name"]
    few = train(START.replace("epochs = 2", "epochs = 1\nlearning_rate = 1e-9"), "few.ibidem")
    spans = [[(f.label, f.start, f.end) for f in one.fields] for one in first.parse_many(texts)]
    assert [[(f.label, f.start, f.end) for f in one.fields] for one in few.parse_many(texts)] == spans


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("window = 3", "a window of 5"),
        ('label_history = ["title"]', "label_history"),
        ('model = "semi"', "for chains"),
        ('start = "none.ibidem"', "none.ibidem"),
    ],
)
def test_a_start_that_does_not_fit_is_refused(folder, change, complaint):
    follow(from_toml(Recipe, RECIPE), folder, folder / "first.ibidem", lambda _: None, empty())
    start = START.replace('start = "first.ibidem"', "") if change.startswith("start") else START
    with pytest.raises(IbidemError, match=complaint):
        follow(from_toml(Recipe, f"{start}\n{change}\n"), folder, folder / "x.ibidem", lambda _: None, empty())


@pytest.mark.parametrize(("recipe", "output"), [(START, "first.ibidem"), (RECIPE, "mine.bib")])
def test_a_model_never_takes_the_place_of_what_it_is_trained_from(folder, recipe, output):
    (folder / output).write_bytes(b"kept")
    table = '\n[[synthesis]]\nrecords = ["mine.bib"]\ncount = 10\n' if recipe == RECIPE else ""
    with pytest.raises(IbidemError):
        follow(from_toml(Recipe, recipe + table), folder, folder / output, lambda _: None, empty(), synthesise_source)
    assert (folder / output).read_bytes() == b"kept"


def _reports(folder) -> list[str]:
    source = SyntheticSource(("mine.bib",), 10, styles=("apa", "ieee"), noise="none", seed=2)
    return [example.text for example in synthesise_source(source, folder)]


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ("records = []\ncount = 10", "give `records`, or `kinds`"),
        ('records = ["x.bib"]\ncount = 0', "1 or more"),
        ('records = ["x.bib"]', "lacks the key 'count'"),
    ],
)
def test_a_synthesis_that_makes_nothing_is_refused(table, complaint):
    with pytest.raises(ConfigError, match=complaint):
        from_toml(Recipe, f"{RECIPE}\n[[synthesis]]\n{table}\n")
