"""Promises of the pages: generated blocks are up to date, every example runs, every link has a target."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

import ibidem
from ibidem.config import from_toml
from ibidem.errors import IbidemError
from ibidem.models import shipped
from ibidem.models.constraints import ConstraintFile
from ibidem.models.penalties import PenaltyConfig
from ibidem.models.recipes import Recipe
from ibidem.synthesis.templates import templates, weights_of
from ibidem.unsupervised.seed_words import SeedWordsFile
from tools.docs import examples, figures
from tools.docs.figures import NOT_YET, blocks, fill, pages
from tools.docs.manual import commands
from tools.docs.pages import TABLES, known_benchmarks

ROOT = Path(__file__).resolve().parent.parent
PAGES = pages(ROOT)
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]
LINK = re.compile(r"\]\(([^)\s]+)\)")
FILE = re.compile(r"`([\w./]+/[\w.]+\.py)`")
DECIMAL = re.compile(r"\d\.\d+")
SOURCE = re.compile(r"\b(19|20)\d\d\b|\.md\b|same run|asked for")
RESULTS = sorted((ROOT / "benchmarks" / "results").glob("*.json"))

page_by_page = pytest.mark.parametrize("page", PAGES, ids=NAMES)


@pytest.fixture
def some_model(model, monkeypatch):
    """The default model, or a tiny one in its place where there is none."""
    if model:
        monkeypatch.setattr(shipped, "DEFAULT", Path(model[1]))


@page_by_page
def test_generated_blocks_are_up_to_date(page):
    text = page.read_text("utf-8")
    for block, fresh in zip(blocks(text), blocks(fill(text, ROOT)), strict=True):
        if block.kind == "output":  # the last digits of a confidence depend on the machine
            assert DECIMAL.sub("#", block.content) == DECIMAL.sub("#", fresh.content), "run `make docs`"
        else:
            assert block.content == fresh.content, f"{block.kind} {block.argument}: run `make docs`"


@page_by_page
def test_missing_results_are_marked(page):
    present = {path.stem for path in RESULTS}
    for block in blocks(page.read_text("utf-8")):
        names = set(block.argument.partition(" | ")[0].split())
        if block.kind == "figures" and names - present:
            assert NOT_YET in block.content, block.argument


@page_by_page
def test_every_example_runs(page, some_model):
    for _ in examples.run(page.read_text("utf-8"), ROOT):
        pass


@page_by_page
def test_every_link_has_a_target(page):
    for target in LINK.findall(re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S)):
        if target.startswith("http"):
            continue
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.is_file(), target
        if anchor:
            assert anchor in anchors(other.read_text("utf-8")), target


@page_by_page
def test_pages_are_finished_and_no_line_is_too_long(page):
    text = page.read_text("utf-8")
    assert not re.search(r"\b(todo|fixme|tbd)\b", text, re.IGNORECASE)
    plain = examples.BLOCK.sub("", text)
    long = [line for line in plain.splitlines() if len(line) > 120 and not line.startswith(("|", "$ ", "$$"))]
    assert not long


@pytest.mark.parametrize("name", ["linking.md", "papers/wellner-2004.md"])
def test_every_file_of_code_that_a_page_names_exists(name):
    found = FILE.findall((ROOT / "docs" / name).read_text("utf-8"))
    assert found
    assert [path for path in found if not any((ROOT / base / path).exists() for base in ("", "src/ibidem"))] == []


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as they are made of Markdown on the web."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.S), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_page_is_in_the_index():
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").as_posix()
        assert name == "index.md" or f"]({name})" in index, name


def test_every_public_name_is_in_the_reference():
    reference = (ROOT / "docs" / "api.md").read_text("utf-8")
    for name in ibidem.__all__:
        assert f"### `ibidem.{name}`" in reference, name


def test_every_command_is_in_the_written_manual():
    written = (ROOT / "docs" / "cli.md").read_text("utf-8")
    for path, _ in commands():
        assert f"## `{path}`" in written, path


def test_every_benchmark_has_a_section():
    page = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    asked = {block.argument for block in blocks(page) if block.kind == "figures"}
    for name in known_benchmarks():
        assert f"\n## {name}\n" in page, name
    assert set(known_benchmarks()) <= asked
    assert {path.stem for path in RESULTS} <= asked, "a result that no page shows"


@pytest.mark.parametrize("path", RESULTS, ids=[path.stem for path in RESULTS])
def test_every_reference_value_has_a_source(path):
    rows = json.loads(path.read_text("utf-8"))["rows"]
    if any(row["reference"] is not None for row in rows):
        source = figures.source_of(path.stem)
        assert source, f"say in @benchmark of {path.stem} whose the reference values are"
        assert SOURCE.search(source), f"{source!r}: name a publication with its year, a document, or the same run"


def test_every_table_is_on_some_page():
    asked = {block.argument for page in PAGES for block in blocks(page.read_text("utf-8")) if block.kind == "table"}
    assert asked == set(TABLES)


@dataclass(frozen=True)
class Part:
    """A part of a recipe."""

    constraints: PenaltyConfig


def test_every_recipe_can_be_read():
    written = [
        toml for page in PAGES for toml in re.findall(r"^```toml\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)
    ]
    assert written
    whole = [toml for toml in written if "[[data]]" in toml]
    for recipe in [*whole, *sorted((ROOT / "recipes").glob("*.toml"))]:
        assert from_toml(Recipe, recipe).data
    seeds = [toml for toml in written if "[[seed_words]]" in toml]
    for toml in seeds:
        assert from_toml(SeedWordsFile, toml).seed_words
    kinds = [toml for toml in written if set(tomllib.loads(toml)) <= set(templates())]
    for toml in kinds:
        assert weights_of(tomllib.loads(toml))
    for part in set(written) - set(whole) - set(seeds) - set(kinds):
        keys = set(tomllib.loads(part))
        assert keys <= {field.name for field in fields(Recipe)}
        assert from_toml(ConstraintFile if "count(" in part else Part, part).constraints


@pytest.mark.skipif(not shipped.DEFAULT.exists(), reason="this checkout has no default model")
def test_the_picture_shows_what_the_model_finds():
    from tools.docs.drawing import EXAMPLE

    picture = (ROOT / "docs" / "pictures" / "parsed.svg").read_text("utf-8")
    text = (ROOT / "examples" / "references.txt").read_text("utf-8").splitlines()[EXAMPLE]
    for field in ibidem.parse(text).fields:
        assert "/" in field.label or re.search(rf">{field.label} \d\.\d\d</text>", picture), "run `make docs`"


def test_a_picture_is_well_formed_and_holds_the_whole_text():
    from xml.etree import ElementTree

    from ibidem.types import Field, Parsed
    from tools.docs.drawing import draw, draw_growth, draw_reliability

    text = "A & B <1990>. " + "The drift of bells " * 12 + "in 7."
    fields = (Field("author", "A & B", 0, 5, 0.98), Field("title", text[14:241].strip(), 14, 241, 0.7))
    drawn = ElementTree.fromstring(draw(Parsed(text, (*fields, Field("author/person", "A", 0, 1, 0.9)), 0.5)))
    words = " ".join(element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text"))
    assert words.split().count("bells") == 12 and "author 0.98" in words and "person" not in words
    assert "&" in words and "<1990>." in words
    dots = ElementTree.fromstring(draw_reliability([[0.3, 0.25, 10], [0.99, 0.98, 1000]]))
    assert len(list(dots.iter("{http://www.w3.org/2000/svg}circle"))) == 2
    lines = ElementTree.fromstring(draw_growth([(16, 0.1, 0.01), (32, 0.8, 0.04)]))
    assert len(list(lines.iter("{http://www.w3.org/2000/svg}polyline"))) == 2


# How the blocks are filled, on invented pages and results.


def results(folder, name, rows):
    """Write a file of results."""
    folder.mkdir(parents=True, exist_ok=True)
    keys = ("row", "metric", "reference", "ours", "low", "high", "ratio")
    data = {"name": name, "data": "ten strings", "rows": [dict(zip(keys, row, strict=False)) for row in rows]}
    (folder / f"{name}.json").write_text(json.dumps(data), "utf-8")


def test_a_table_sets_the_reference_beside_ours(tmp_path):
    results(tmp_path, "reeds", [("all", "field F1", 94.44, 95.0, 94.0, 96.0), ("a|b", "exact match", None, 61.5)])
    assert figures.results_table(["reeds"], tmp_path).splitlines() == [
        "|  | metric | reference | ours | difference | 95 % interval |",
        "| --- | --- | --: | --: | --: | --: |",
        "| all | field F1 | 94.44 | 95.00 | +0.56 | 94.00 to 96.00 |",
        "| a\\|b | exact match | – | 61.50 | – | – |",
        "",
        "Ten strings. Made by `python -m benchmarks reeds`.",
    ]


def test_a_table_of_several_benchmarks_names_each_and_what_is_missing(tmp_path):
    results(tmp_path, "speed", [("new", "strings/s", 1234.5, 20_000.0, None, None, 16.2)])
    made = figures.results_table(["speed", "bells"], tmp_path)
    assert "| `speed` | new | strings/s | 1,234 | 20,000 | 16.2 |" in made
    assert "Reference: the python-crfsuite pipeline" in made
    assert f"{NOT_YET}; `python -m benchmarks bells` will." in made


def test_a_table_of_some_rows_has_those_with_the_words_in_their_names(tmp_path):
    results(tmp_path / "benchmarks" / "results", "reeds", [("a, wet", "F1", None, 94.44), ("a, dry", "F1", None, 95.0)])
    made = fill("<!-- figures: reeds | wet -->\n<!-- end -->\n", tmp_path)
    assert "| a, wet | F1 | – | 94.44 |" in made and "dry" not in made and "Ten strings" in made


def test_filling_twice_changes_nothing(tmp_path):
    results(tmp_path / "benchmarks" / "results", "reeds", [("all", "field F1", 94.44, 95.0, 94.0, 96.0)])
    page = "Before\n\n<!-- figures: reeds -->\nold\n<!-- end -->\n\n<!-- table: edges -->\n<!-- end -->\nAfter\n"
    once = fill(page, tmp_path)
    assert "old" not in once and "95.00" in once and "linkedbooks" in once and once.endswith("After\n")
    assert fill(once, tmp_path) == once


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("```console\n$ ibidem parse no-such-file\n```\n", "status 2"),
        ("```console\n$ ibidem parse --colour\n```\n", "No such option"),
        ("<!-- needs: time -->\n```console\n$ ibidem evaluate\n```\n", "Missing argument"),
        ("```console\n$ rm fields.jsonl\n```\n", "'rm'"),
    ],
)
def test_an_example_that_fails_is_found(page, words):
    with pytest.raises(IbidemError, match=words):
        list(examples.run(page, ROOT))


def test_examples_share_names_and_generated_blocks_do_not_run():
    generated = "<!-- table: api -->\n```python\n1 / 0\n```\n<!-- end -->"
    page = f"```python\nx = 1\n```\n\n{generated}\n\n```python\nprint(x + 1)\n```\n"
    assert [printed for _, printed in examples.run(page, ROOT)] == ["", "2\n"]
