"""Papers as lists of headings: eLife's, augmented and not, and what the task refuses."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.data.sets import elife
from ibidem.errors import ConfigError
from ibidem.labels.schema import SECTION_SCHEMA, UNKNOWN
from ibidem.labels.tasks import AUTHORS, REFERENCES, SECTIONS, TASKS, known_only, task_of
from ibidem.types import Annotation, Example, Malformed
from tools.weights import rendered_sets
from tools.weights.heading_augmentation import Section, augment

ROWS = [
    ("a1", "1", "intro", "Introduction"),
    ("a1", "1", "", "The grammar of bells"),
    ("a1", "2", "", "Bells of the coast"),
    ("a1", "1", "materials|methods", "Materials and  methods"),
    ("a1", "2", "", "Recordings"),
    ("a1", "1", "", " "),
    ("a2", "1", "", "Results"),
]


@pytest.fixture
def table(tmp_path):
    lines = ["doc\tkind\tpos\tdepth\tsec_type\ttitle"]
    lines += [f"{doc}\tbody\t0\t{depth}\t{kind}\t{title}" for doc, depth, kind, title in ROWS]
    path = tmp_path / "s.tsv.gz"
    path.write_bytes(gzip.compress(("\n".join(lines) + "\nbroken\n").encode()))
    return path


def test_the_headings_of_the_first_level_have_the_roles_of_their_types(table):
    items = list(elife.read_headings(table))
    papers = [elife.SECTIONS.map_labels(item) for item in items if isinstance(item, Example)]
    assert [paper.text for paper in papers] == ["Introduction\nThe grammar of bells\nMaterials and methods", "Results"]
    assert [annotation.label for annotation in papers[0].annotations] == ["introduction", UNKNOWN, "method"]
    assert [annotation.label for annotation in papers[1].annotations] == ["evaluation"]
    assert [token.text for token in papers[0].tokens] == papers[0].text.split("\n")
    assert sum(isinstance(item, Malformed) for item in items) == 1


def test_outlines_have_a_role_for_every_heading(table):
    for item in rendered_sets.read_outlines(table):
        if isinstance(item, Example):
            assert len(item.annotations) == len(item.tokens)
            assert {annotation.label for annotation in item.annotations} <= {*SECTION_SCHEMA, UNKNOWN}


@given(
    st.lists(
        st.builds(
            Section,
            st.sampled_from(["Results", "Bells"]),
            st.sampled_from([*SECTION_SCHEMA, UNKNOWN]),
            st.lists(st.just("On mud"), max_size=9),
        ),
        min_size=1,
        max_size=25,
    ),
    st.text(max_size=6),
)
def test_a_paper_always_gets_the_same_layout(sections, name):
    lines, labels = augment(sections, name)
    assert len(lines) == len(labels) and all("\n" not in line and line.strip() for line in lines)
    assert set(labels) <= {*SECTION_SCHEMA, UNKNOWN}
    assert augment(sections, name) == (lines, labels)


@pytest.mark.parametrize(
    ("heading", "role"),
    [
        ("1. Introduction", "introduction"),
        ("Results and Discussion", "evaluation"),
        ("STAR★Methods", "method"),
        ("Data and code availability", "declarations"),
        ("Acknowledgments", "acknowledgements"),
        ("Discussion and conclusion", "discussion|conclusions"),
        ("Trained immunity", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_a_heading_that_states_its_role(heading, role):
    assert elife.stated_role(heading) == role


def test_examples_with_labels_outside_the_schema_are_reported_and_left_out():
    good = Example("Bells", (Annotation("method", 0, 5),), "one")
    bad = Example("Bells", (Annotation("chimes", 0, 5),), "two")
    open_ = Example("Bells", (Annotation("method|evaluation", 0, 5),), "three")
    kept, complaints = known_only([good, bad, open_, Example("x", (Annotation(UNKNOWN, 0, 1),), "four")], SECTIONS)
    assert [example.source for example in kept] == ["one", "three", "four"]
    assert len(complaints) == 1 and "'chimes'" in complaints[0] and "two" in complaints[0] and "method" in complaints[0]
    assert known_only([bad], REFERENCES)[0] == [bad]  # models of references may have labels of their own


def test_a_task_that_does_not_exist_is_refused():
    with pytest.raises(ConfigError, match="there is no task 'titles'; there are references, sections, authors"):
        task_of("titles")


@pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
def test_what_is_empty_or_too_long_is_unfit(task):
    assert task.unfit("x") is None
    assert "empty" in (task.unfit(" \n") or "")
    assert task.advice in (task.unfit("x" * (task.longest + 1)) or "")


def test_the_tokens_of_the_tasks():
    text = " 1 Bells \n\nAnn Reed\n"
    assert [token.text for token in SECTIONS.tokenise(text)] == ["1 Bells", "Ann Reed"]
    assert [token.text for token in AUTHORS.tokenise(text)] == ["1", "Bells", "\n", "Ann", "Reed"]
