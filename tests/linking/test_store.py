"""Promises of the database of links: nothing lost, nothing double, whatever moment the program ends at."""

from __future__ import annotations

import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from linking_cases import STRINGS

import ibidem
from ibidem.errors import ConfigError, InputError, MissingExtra
from ibidem.linking.inputs import Item
from ibidem.linking.matcher import PairwiseMatcher, default_matcher
from ibidem.linking.works import link_records, works_of
from ibidem.records.record import Entry, Name, Record
from ibidem.types import Parsed

duckdb = pytest.importorskip("duckdb", reason="the database needs the extra `tables`")
from ibidem.linking.store import Store, StoredWorks  # noqa: E402

PLACES = "harbour delta island river estuary lagoon canal marsh meadow valley".split()
THINGS = "bells drums lanterns flags ferries pilots tides reeds signals clocks".split()


def invented(count):
    """Records of works, every other one cited twice with a slip in the title."""
    made = []
    for k in range(count):
        work = k // 2 if k % 4 < 2 else k + 100_000
        title = f"The {THINGS[work % 10]} of the {PLACES[work // 10 % 10]} number{work}"
        title = title.replace("The", "On the") if k % 4 == 1 else title
        where = (Entry("container", f"Annals of {PLACES[work % 10]}s"), Entry("note", f"{1900 + work % 97}"))
        made.append(Record("article", (Entry("author", Name(f"Reed{work}", "A.")), Entry("title", title), *where)))
    return made


def items(records):
    return [Item(repr(record).encode(), record, "a") for record in records]


def parse(texts):
    return ibidem.parse_many(texts)


def state(path):
    """All that the tables say, in order."""
    with duckdb.connect(str(path), read_only=True) as database:
        names = [row[0] for row in database.execute("SELECT table_name FROM information_schema.tables").fetchall()]
        return {name: sorted(map(repr, database.execute(f"SELECT * FROM {name}").fetchall())) for name in names}


def linked_into(path, *sources):
    with Store(path, default_matcher()) as store:
        for name, records in sources:
            store.add(name, items(records), parse)
        return list(StoredWorks(path, store.link(), store.counts()))


def test_a_database_has_the_works_that_linking_gives(tmp_path):
    records = [ibidem.record_of(parsed) for parsed in ibidem.parse_many(STRINGS)]
    wanted = works_of(link_records(records))
    found = linked_into(tmp_path / "a.duckdb", ("a", records))
    assert [[m.number for m in work.members] for work in found] == [[m.number for m in work.members] for work in wanted]
    for one, other in zip(found, wanted, strict=True):
        assert one.record == other.record and one.sources == other.sources
        assert one.confidence == pytest.approx(other.confidence)
        assert [m.nearest for m in one.members] == [m.nearest for m in other.members]


@pytest.mark.parametrize("cut", [1, 150, 299])
def test_two_batches_give_the_same_tables_as_one(tmp_path, cut):
    records = invented(300)
    linked_into(tmp_path / "one.duckdb", ("a", records[:cut]), ("b", records[cut:]))
    linked_into(tmp_path / "two.duckdb", ("a", records[:cut]))
    linked_into(tmp_path / "two.duckdb", ("b", records[cut:]))
    one, two = state(tmp_path / "one.duckdb"), state(tmp_path / "two.duckdb")
    assert {name: one[name] for name in ("citations", "works", "links")} == {
        name: two[name] for name in ("citations", "works", "links")
    }


def test_what_was_compared_is_not_compared_again(tmp_path, monkeypatch):
    records = invented(200)
    compared = []
    score = PairwiseMatcher.score
    monkeypatch.setattr(PairwiseMatcher, "score", lambda *given: compared.append(len(given[2])) or score(*given))
    linked_into(tmp_path / "a.duckdb", ("a", records[:190]))
    first = sum(compared)
    linked_into(tmp_path / "a.duckdb", ("b", records[190:]))
    assert first > 0 and sum(compared) - first < first
    before = sum(compared)
    linked_into(tmp_path / "a.duckdb")
    assert sum(compared) == before


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "whole.duckdb"
    linked_into(path, ("a", invented(1_200)))
    return state(path)


END = """
import os, pathlib, signal, sys
sys.path[:0] = {folders!r}
import test_store as t
from ibidem.linking.store import Store
calls = []
plain = Store.{step}
def ending(self, *given):
    calls.append(1)
    if len(calls) == {at} and {inside}:
        plain(self, *given)
    if len(calls) == {at}:
        os.kill(os.getpid(), signal.SIGKILL)
    return plain(self, *given)
Store.{step} = ending
t.linked_into(pathlib.Path({path!r}), ("a", t.invented(1_200)))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
@pytest.mark.parametrize(
    ("step", "at", "inside"),
    [("_insert_citations", 2, False), ("_keep", 1, False), ("_keep", 1, True), ("_insert", 1, True)],
)
def test_a_program_that_is_killed_goes_on_where_it_was(tmp_path, whole, step, at, inside):
    path = tmp_path / "broken.duckdb"
    here = Path(__file__).parent
    folders = [str(here), str(here.parent / "cases")]
    script = END.format(folders=folders, path=str(path), step=step, at=at, inside=inside)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    before = state(path)
    assert before.get("works", []) == [] and before.get("links", []) == []
    assert len(before["citations"]) == (1_000 if step == "_insert_citations" else 1_200)
    assert bool(before["comparisons"]) == (step == "_insert" or inside)
    linked_into(path, ("a", invented(1_200)))
    assert state(path) == whole


def test_a_source_may_grow_but_not_change(tmp_path):
    records = invented(20)
    with Store(tmp_path / "a.duckdb", default_matcher()) as store:
        assert store.add("a", items(records[:10]), parse) == 10
        assert store.add("a", items(records[:10]), parse) == 0
        assert store.add("a", items(records), parse) == 10
        for other in (records[:5], records[::-1]):
            with pytest.raises(InputError, match="has changed"):
                store.add("a", items(other), parse)
        assert len(store) == 20


def test_another_threshold_changes_works_and_compares_nothing(tmp_path):
    with Store(tmp_path / "a.duckdb", default_matcher()) as store:
        store.add("a", [Item(text.encode(), text, "a") for text in STRINGS], partial(ibidem.parse_many))
        counts = []
        for threshold in (0.999, 0.001, None):
            store.link(threshold)
            counts.append(store.counts()[0])
    assert counts[0] > counts[2] >= counts[1]


def test_another_model_is_refused(tmp_path):
    Store(tmp_path / "a.duckdb", default_matcher()).__exit__()
    with pytest.raises(InputError, match="another pairwise matcher"):
        Store(tmp_path / "a.duckdb", PairwiseMatcher({"title.edit": 1.0}, 0.0))


def test_what_is_no_database_is_refused(tmp_path):
    (tmp_path / "a.duckdb").write_text("not a database at all\n" * 100)
    with pytest.raises(InputError, match="no database of links"):
        Store(tmp_path / "a.duckdb", default_matcher())


def groups(works):
    return [[member.number for member in work.members] for work in works]


def test_the_verb_links_in_a_database_and_continues_from_it(tmp_path):
    path, wanted = tmp_path / "a.duckdb", ibidem.link(STRINGS)
    first = ibidem.link(STRINGS[:5], database=path)
    assert groups(first) == groups(ibidem.link(STRINGS[:5]))
    again = ibidem.link(STRINGS[5:], database=path)
    assert groups(again) == groups(wanted) and len(again) == len(wanted)
    assert again.count_repeated() == wanted.count_repeated()
    assert again[1].record.first("title") == wanted[1].record.first("title") and again[-1] == list(again)[-1]
    assert len(again.linked.records) == len(STRINGS) and again.linked.records[0].origin.text == STRINGS[0]


def test_the_same_batch_is_not_added_twice(tmp_path):
    path = tmp_path / "a.duckdb"
    batch = [STRINGS[0], ibidem.parse(STRINGS[1]), ibidem.record_of(ibidem.parse(STRINGS[2]))]
    assert groups(ibidem.link(batch, database=path)) == groups(ibidem.link(batch, database=path)) == [[0, 1, 2]]
    assert groups(ibidem.link([], database=path)) == [[0, 1, 2]]
    assert groups(ibidem.link(STRINGS[:1], database=path)) == [[0, 1, 2, 3]]


@pytest.mark.parametrize(("options", "words"), [({"nbest": 2}, "one labelling"), ({"existing": True}, "leave out")])
def test_what_a_database_cannot_keep_is_refused(tmp_path, options, words):
    if "existing" in options:
        options = {"existing": ibidem.link(STRINGS[:2])}
    with pytest.raises(ConfigError, match=words):
        ibidem.link(STRINGS, database=tmp_path / "a.duckdb", **options)
    assert not (tmp_path / "a.duckdb").exists()


def test_progress_reports_each_step(tmp_path):
    steps = []
    ibidem.link(STRINGS, database=tmp_path / "a.duckdb", progress=lambda *given: steps.append(given))
    assert steps[0][0].startswith("adding ") and steps[0][1] == len(STRINGS)
    assert steps[-1][0] == "comparing" and steps[-1][1] == steps[-1][2]


def test_a_missing_library_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingExtra, match=r"ibidem\[tables\]"):
        Store(tmp_path / "a.duckdb", default_matcher())


def test_errors_and_lone_surrogates_are_kept_as_far_as_they_can_be(tmp_path):
    with Store(tmp_path / "a.duckdb", default_matcher()) as store:
        broken = Record("article", (Entry("title", "bells \ud800 of harbours in winter"),))
        store.add("a", [Item(b"1", broken, "a"), Item(b"2", Parsed("", error="nothing here"), "a")], parse)
        linked = store.link()
        assert len(list(StoredWorks(tmp_path / "a.duckdb", linked, store.counts()))) == 2
