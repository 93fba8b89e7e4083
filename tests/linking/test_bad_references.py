"""Promises of linking about bad references and bad arguments: each costs itself, or is refused in one sentence."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linking_cases import STRINGS

import ibidem
from ibidem.errors import ConfigError, IbidemError, InputError, ModelError
from ibidem.linking.checks import check_reference
from ibidem.linking.joint.entities import WEIGHTS as ENTITIES
from ibidem.linking.joint.entities import load_entity_model
from ibidem.linking.matcher import WEIGHTS, PairwiseMatcher, load_matcher
from ibidem.records.record import Date, Entry, Name, Number, Pages, Record
from ibidem.types import Field, Parsed

GOOD = STRINGS[:6]
NO_REFERENCES = [None, float("nan"), b"Reed A. Drift. 2019.", 5, ["Reed"], {"text": "Reed"}, object]
WRONG_KINDS = [
    Record("article", (Entry("title", 5),)),
    Record("article", (Entry("title", None),)),
    Record("article", (Entry(7, "Drift"),)),
    Record("article", (Entry("title", "Drift of bells in harbours", confidence=float("nan")),)),
    Record("article", (Entry("title", "Drift of bells in harbours", confidence=10**400),)),
    Record("article", (Entry("title", "Drift of bells in harbours", confidence="high"),)),
    Record("article", (Entry("author", Name(5)), Entry("title", "Drift of bells"))),
    Record("article", (Entry("author", Name(b"Reed")), Entry("title", "Drift of bells"))),
    Record("article", (Entry("author", Name("Reed", ["A."])),)),
    Record("article", (Entry("date", Date("2019")), Entry("title", "Drift of bells in harbours"))),
    Record("article", (Entry("date", Date(2019, season="Spring")),)),
    Record("article", (Entry("date", Date(2019, end="2020")),)),
    Record("article", (Entry("pages", Pages(5)),)),
    Record("article", (Entry("volume", Number("5", "5")),)),
    Record("article", ("title", "Drift")),
    Record("article", None),
    Record(None, (Entry("title", "Drift of bells in harbours"),)),
    Record("no such type", (Entry("title", "Drift of bells in harbours"),)),
    Record("article", (Entry("no such field", "Drift of bells in harbours"),)),
    Record("article", origin="Drift of bells in harbours"),
    Record("article", (Entry("date", Date(10**30)), Entry("title", "Drift of bells in harbours"))),
    Record("article", (Entry("date", Date(2019, end=Date(-(10**5000)))), Entry("title", "Drift of bells"))),
    Record("article", (Entry("date", Date(2019, 13)),)),
    Record("article", (Entry("volume", Number("9" * 100, int("9" * 100))), Entry("title", "On bells of tides"))),
    Parsed(5),
    Parsed("Drift of bells", None),
    Parsed("Drift of bells", ("title",)),
    Parsed("Drift of bells", (Field("title", 5, 0, 5, 1.0),)),
    Parsed("Drift of bells", (Field("title", "Drift", "0", 5, 1.0),)),
    Parsed("Drift of bells", alternatives=(None,)),
]
HOSTILE = [
    Record(
        "article", (Entry("pages", Pages("99999999999999999999", "9" * 5_000)), Entry("title", "On bells of tides"))
    ),
    Record("article", tuple(Entry("author", Name(f"Reed{k}", "A.")) for k in range(10_000))),
    Record("article", (Entry("title", "drift of bells " * 60_000),)),
    Record("article", (Entry("title", "d" * 1_000_000), Entry("container", "a " * 500_000))),
    Record("article", tuple(Entry("doi", "10.1/\ud800") for _ in range(1_000))),
    Record("article", (Entry("title", "bells \ud800 of har\0bours in winter"),)),
    "bells \ud800 of harbours in winter",
    "bells \0 of \0 harbours in winter 99999999999999999999 pp. 99999999999999999999-99999999999999999999",
    "x" * 1_000_000,
    "\0",
]


def groups(works):
    return [[member.number for member in work.members] for work in works]


@pytest.mark.parametrize("options", [{}, {"nbest": 3}, {"database": "a.duckdb"}])
def test_what_is_no_reference_stands_alone_with_its_error_and_the_rest_is_linked(tmp_path, options):
    if "database" in options:
        pytest.importorskip("duckdb")
        options = {"database": tmp_path / options["database"]}
    bad = [*NO_REFERENCES, *WRONG_KINDS]
    works = list(ibidem.link([*GOOD, *bad], **options))
    wanted = groups(ibidem.link(GOOD))
    assert groups(works) == wanted + [[len(GOOD) + k] for k in range(len(bad))]
    for work in works[len(wanted) :]:
        assert work.confidence == 0 and len(work.members[0].record.warnings) == 1
        assert "a fault in Ibidem" not in work.members[0].record.warnings[0]


@pytest.mark.parametrize("options", [{}, {"nbest": 3}, {"database": "a.duckdb"}])
def test_hostile_references_are_linked_like_any_other(tmp_path, options):
    if "database" in options:
        pytest.importorskip("duckdb")
        options = {"database": tmp_path / options["database"]}
    works = list(ibidem.link([*GOOD, *HOSTILE], **options))
    assert sorted(chain.from_iterable(groups(works))) == list(range(len(GOOD) + len(HOSTILE)))
    kept = [[number for number in group if number < len(GOOD)] for group in groups(works)]
    assert [group for group in kept if group] == groups(ibidem.link(GOOD))
    records = [member.record for work in works for member in work.members]
    assert not [record for record in records if any("a fault in" in warning for warning in record.warnings)]


def test_a_database_keeps_what_is_not_valid_unicode_and_pages_of_any_length(tmp_path):
    pytest.importorskip("duckdb")
    works = ibidem.link(HOSTILE[:6], database=tmp_path / "a.duckdb")
    assert [record.entries for record in works.linked.records] == [record.entries for record in HOSTILE[:6]]


def test_good_references_pass_the_checks_unchanged():
    parsed = list(ibidem.parse_many(STRINGS, alternatives=2))
    for one in [*STRINGS, *parsed, *map(ibidem.record_of, parsed)]:
        assert check_reference(one) is one


@settings(max_examples=8, deadline=None)
@given(st.permutations(range(12)), st.integers(0, 12))
def test_neither_order_nor_batches_change_works_with_bad_references_among_them(order, cut):
    mixed = [*GOOD[:5], None, WRONG_KINDS[0], HOSTILE[0], HOSTILE[1], HOSTILE[5], "\0", "x" * 30_000]
    wanted = {frozenset(group) for group in groups(ibidem.link(mixed))}
    shuffled = [mixed[k] for k in order]
    batches = ibidem.link(shuffled[cut:], existing=ibidem.link(shuffled[:cut]))
    for works in (ibidem.link(shuffled), batches):
        assert {frozenset(order[number] for number in group) for group in groups(works)} == wanted


@pytest.mark.parametrize("references", ["Reed A. Drift. 2019.", b"Reed", None, 5])
def test_what_is_no_list_of_references_is_refused(references):
    with pytest.raises(InputError, match="another iterable of references"):
        ibidem.link(references)


@pytest.mark.parametrize(
    "options",
    [
        {"threshold": float("nan")}, {"threshold": float("inf")}, {"threshold": "x"}, {"threshold": 0},
        {"nbest": 0}, {"nbest": -1}, {"nbest": 1.5}, {"nbest": "3"}, {"nbest": None}, {"nbest": 21},
        {"existing": []}, {"existing": "works"}, {"existing": 5}, {"database": 5}, {"pair_model": 5},
        {"pair_model": "no such file"}, {"pair_model": "."}, {"pair_model": "\0"},
    ],
)  # fmt: skip
def test_options_out_of_range_are_refused(options):
    with pytest.raises(IbidemError) as refused:
        ibidem.link(GOOD, **options)
    assert isinstance(refused.value, ConfigError | InputError | ModelError) and ":" in str(refused.value)


LONG = """
from ibidem.linking.comparison import plain, strip_identifiers
from ibidem.linking.table import first_word
spaces = " " * 300_000
for text in ("doi" + spaces, "pmid" + spaces + "x", "pmc:" + spaces, "a " * 600_000, "a-" + spaces, "10.1/" * 50_000):
    first_word(plain(strip_identifiers(text)))
"""


def test_the_time_to_fold_a_long_string_grows_with_its_length_only():
    subprocess.run([sys.executable, "-c", LONG], check=True, timeout=120)


def mutations(text, count):
    """JSON with a character changed, lost or doubled, or a value replaced by one of another kind."""
    chosen = random.Random(1)
    values = ["null", "-1", "1e400", "NaN", '"x"', "[]", "{}", "1" * 400, "true"]
    for k in range(count):
        place = chosen.randrange(len(text))
        if k % 2:
            yield (
                text[:place] + chosen.choice(["", text[place] * 2, chosen.choice('0"{}[],:x\x00')]) + text[place + 1 :]
            )
        else:
            end = text.find(",", place)
            begin = text.rfind(":", 0, end)
            yield text[: begin + 1] + chosen.choice(values) + text[end:]


@pytest.mark.parametrize(("path", "load"), [(WEIGHTS, load_matcher), (ENTITIES, load_entity_model)])
def test_a_damaged_model_is_read_or_refused(tmp_path, path, load):
    text = path.read_text("utf-8")
    parsed = list(ibidem.parse_many(GOOD[:3]))
    short = text[:3_000] + text[-3_000:]
    for given_text in [*mutations(text, 30), *mutations(short, 30), "[" * 100_000, '{"format": ' * 100_000]:
        (tmp_path / "model.json").write_text(given_text, "utf-8")
        try:
            if isinstance(load(tmp_path / "model.json"), PairwiseMatcher):
                assert ibidem.link(parsed, pair_model=tmp_path / "model.json")
        except ModelError as error:
            assert "model.json" in str(error)


@pytest.mark.parametrize("change", ['"bias": 1e300', '"documents": -5', '"threshold": 2', '"card": {"dev": 5}',
    '"card": {"dev": {"thresholds": [{}]}}', '"card": {"dev": {"thresholds": ["x"]}}',
    '"weights": {"title.edit": 1e300}', '"background": {"the": -1}', '"background": {"the": 1e30}'])  # fmt: skip
def test_a_model_with_a_value_out_of_range_is_refused(tmp_path, change):
    given_text = '{"format": "ibidem-pairs-1", "weights": {}, "background": {}, "documents": 1, "bias": 0, "card": {}, '
    (tmp_path / "model.json").write_text(given_text + change + "}", "utf-8")
    with pytest.raises(ModelError, match="cannot read a pairwise matcher"):
        ibidem.link(GOOD, pair_model=tmp_path / "model.json")


def test_a_model_is_saved_whole_or_not_at_all(tmp_path):
    (tmp_path / "model.json").write_text("before", "utf-8")
    matcher = replace(load_matcher(), card={"not JSON": object()})
    with pytest.raises(TypeError):
        matcher.save(tmp_path / "model.json")
    assert [one.name for one in tmp_path.iterdir()] == ["model.json"]
    assert (tmp_path / "model.json").read_text("utf-8") == "before"
