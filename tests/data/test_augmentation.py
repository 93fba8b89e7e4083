"""Perturbations change what they say and nothing else; annotations go with their characters."""

from __future__ import annotations

import re
import unicodedata
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ibidem
from ibidem.config import from_mapping
from ibidem.data.augmentation import (
    PERTURBATIONS,
    AugmentationConfig,
    Perturbation,
    augment,
    augmentation_of,
    perturb,
    phrases,
)
from ibidem.data.augmentation.editing import surround
from ibidem.errors import ConfigError
from ibidem.models.recipes import Recipe
from ibidem.models.sources import SyntheticSource, repeat
from ibidem.types import Annotation, Example

AROUND = "lead-in unknown-words opening sentence marker bullet trailer second-reference".split()
LEFT_OUT = ["cut-off", "dropped-field"]
MARKS = "lost-marks doubled-marks other-marks split-marks glued-fields other-quotes other-dashes other-spaces".split()
LETTERS = "lower-case upper-case name-capitals title-case sentence-case ligatures full-width decomposed accents".split()
SPELLING = ["misread", "mistyped"]
OTHERS = ["entities", "typewriter", "line-breaks"]
LISTS = (
    phrases.LEAD_INS, phrases.OPENINGS, phrases.SUBJECTS, phrases.CLOSINGS, phrases.SENTENCES, phrases.TRAILERS,
    phrases.MARKERS, phrases.BULLETS,
)  # fmt: skip

every = pytest.mark.parametrize("name", PERTURBATIONS)
SUBSCRIPTS = "".join(map(chr, range(0x1F80, 0x2000)))  # Greek letters that are one letter or two, by their case
WORD = st.text(st.characters(categories=("Ll", "Lu", "Nd"), exclude_characters=SUBSCRIPTS), min_size=1, max_size=9)
VALUE = st.one_of(
    st.lists(WORD, min_size=1, max_size=4).map(" ".join),
    st.sampled_from(
        ["Müller, A.", "The first “official” drift of bells", "12–34", "10.1000/a-b.c", "李明", "d’Áo, ffl"]
    ),
)
LABEL = st.sampled_from("author title date journal volume pages doi url publisher|institution ?".split())
GAP = st.sampled_from([", ", ". ", " (", "). ", "; ", ": ", " ", ".", ", vol. ", " – ", "\n"])


@st.composite
def examples(draw: st.DrawFn) -> Example:
    """A reference of some fields, the first word of each an own part of it where it is an author."""
    text, annotations = draw(st.sampled_from(["", "", "“", "1835 "])), []
    for label, value, gap in draw(st.lists(st.tuples(LABEL, VALUE, GAP), min_size=1, max_size=7)):
        annotations.append(Annotation(label, len(text), len(text) + len(value)))
        if label == "author":
            annotations.append(Annotation("author/person/family", len(text), len(text) + len(value.split()[0])))
        text += value + gap
    return Example(text, tuple(annotations), "x", (), frozenset({"date"}))


def contents(example: Example) -> list[tuple[str, str]]:
    return [(one.label, example.text[one.start : one.end]) for one in example.annotations]


def letters(text: str) -> str:
    """The letters and digits of a text, whatever their case, width and accents."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).upper().lower()).casefold()
    return "".join(one for one in plain if one.isalnum())


def test_the_laws_below_are_for_every_perturbation():
    assert sorted([*AROUND, *LEFT_OUT, *MARKS, *LETTERS, *SPELLING, *OTHERS]) == sorted(PERTURBATIONS)


@every
@given(example=examples(), seed=st.integers(0, 10_000))
def test_a_perturbation_gives_valid_annotations_and_the_same_for_a_seed(name, example, seed):
    changed = PERTURBATIONS[name].apply(example, Random(seed))
    assert changed == PERTURBATIONS[name].apply(example, Random(seed))
    assert changed.text.strip() and changed.annotations and changed.source == example.source
    assert changed.partially_annotated == example.partially_annotated
    for one in changed.annotations:
        assert 0 <= one.start < one.end <= len(changed.text)
        assert not changed.text[one.start].isspace() and not changed.text[one.end - 1].isspace()
    kept = [one.label for one in changed.annotations if one.label != "marker"]
    wanted = [one.label for one in example.annotations]
    if name in LEFT_OUT:
        rest = iter(wanted)
        assert all(label in rest for label in kept)
    else:
        assert kept == wanted


@pytest.mark.parametrize("name", AROUND)
@given(example=examples(), seed=st.integers(0, 10_000))
def test_what_is_added_around_a_reference_is_in_no_field_but_a_marker(name, example, seed):
    changed = PERTURBATIONS[name].apply(example, Random(seed))
    start = changed.text.index(example.text)
    others = [one for one in changed.annotations if one.label != "marker"]
    shifts = {one.start - before.start for one, before in zip(others, example.annotations, strict=True)}
    assert len(shifts) == 1 and changed.text[shifts.pop() :].startswith(example.text)
    assert contents(changed)[-len(others) :] == contents(example)
    markers = [one for one in changed.annotations if one.label == "marker"]
    assert (name == "marker" and changed != example) == bool(markers)
    assert all(one.end <= start for one in markers)


@pytest.mark.parametrize("name", [*MARKS, *LETTERS])
@given(example=examples(), seed=st.integers(0, 10_000))
def test_marks_and_letters_change_form_and_stay_where_they_are(name, example, seed):
    changed = PERTURBATIONS[name].apply(example, Random(seed))
    assert letters(changed.text) == letters(example.text)
    for (label, after), (_, before) in zip(contents(changed), contents(example), strict=True):
        assert letters(after) == letters(before)
        if label in ("doi", "url") and name in MARKS and name not in ("other-quotes", "other-spaces"):
            assert after == before
    if name in ("lost-marks", "doubled-marks", "other-marks", "glued-fields"):
        assert [text.rstrip(",.;:") for _, text in contents(changed)] == [
            text.rstrip(",.;:") for _, text in contents(example)
        ]


@given(example=examples(), seed=st.integers(0, 10_000))
def test_a_string_cut_off_is_the_beginning_of_the_string(example, seed):
    changed = PERTURBATIONS["cut-off"].apply(example, Random(seed))
    assert example.text.startswith(changed.text)
    for one in changed.annotations:
        assert any(one.label == other.label and one.start == other.start for other in example.annotations)


@given(example=examples(), seed=st.integers(0, 10_000))
def test_a_dropped_field_takes_its_parts_with_it_and_nothing_of_the_others(example, seed):
    changed = PERTURBATIONS["dropped-field"].apply(example, Random(seed))
    top, left = ([one for one in contents(each) if "/" not in one[0]] for each in (example, changed))
    assert changed == example or any(left == top[:place] + top[place + 1 :] for place in range(len(top)))


TEXT = "Moe, A. (1999). The first “drift” of bells. J Fluffs, 12(3), 45–67. https://doi.org/10.1000/a-b"


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        (
            "split-marks",
            r"Moe , A \. \( 1999 \) \. The first “ drift ” of bells \. .* 45 – 67 \. https://doi.org/10\.1",
        ),
        ("upper-case", r"MOE, A\. .* HTTPS://DOI.ORG/10.1000/A-B"),
        ("name-capitals", r"MOE, A\. \(1999\)\. The"),
        ("title-case", r".*The First “Drift” of Bells\. J Fl"),
        ("ligatures", r".*ﬁrst .* J Fluﬀs"),
        ("full-width", r"Moe， A． （１９９９）．.*https://doi\.org/10\.1000/a-b"),
        ("typewriter", r'.*"drift".*45-67'),
        ("entities", r".*&(#8220|ldquo|quot);drift"),
        ("doubled-marks", r".*(\)\.\.|,,)"),
        ("glued-fields", r".*(\)\.The|bells\.J |Fluffs,12|,45|67\.https)"),
    ],
)
def test_perturbations_of_one_reference(name, pattern):
    parts = {"author": "Moe, A.", "author/person/family": "Moe", "date": "1999", "title": "The first “drift” of bells"}
    parts |= {"journal": "J Fluffs", "volume": "12", "issue": "3", "pages": "45–67", "doi": "10.1000/a-b"}
    marks = tuple(Annotation(k, TEXT.index(v), TEXT.index(v) + len(v)) for k, v in parts.items())
    assert re.match(pattern, PERTURBATIONS[name].apply(Example(TEXT, marks, "x"), Random(1)).text)


@every
def test_strings_without_annotations_and_hostile_ones_are_no_trouble(name):
    nested = tuple(Annotation("?", 0, end) for end in range(1, 3000))
    for text, marks in [("x", ()), ("…", ()), ("(", ()), ("a, " * 3000, nested), ("\u0301" * 3000, nested)]:
        changed = PERTURBATIONS[name].apply(Example(text, marks, "x"), Random(1))
        assert changed.text.strip()
        assert all(0 <= one.start < one.end <= len(changed.text) for one in changed.annotations)


def test_no_entry_of_a_list_is_both_trained_on_and_held_out():
    for entries in LISTS:
        assert len(set(entries)) == len(entries) and all(entries)
        assert set(phrases.select_for_training(entries)).isdisjoint(phrases.held_out(entries))
    assert "See also" in phrases.select_for_training(phrases.LEAD_INS)


def test_a_reference_with_a_number_gets_no_second_one():
    example = Example("[1] Moe", (Annotation("marker", 0, 3), Annotation("author", 4, 7)), "x")
    assert PERTURBATIONS["marker"].apply(example, Random(1)) == example


def test_augmentation_perturbs_a_share_or_adds_copies(tiny_examples):
    def count(config: AugmentationConfig) -> tuple[int, int]:
        found = list(augment(tiny_examples, config, Random(1)))
        texts = {one.text for one in tiny_examples}
        return len(found), sum(one.text not in texts for one in found)

    assert count(AugmentationConfig(0.0)) == (200, 0)
    assert count(AugmentationConfig(1.0, ("lead-in",))) == (200, 200)
    assert count(AugmentationConfig(1.0, ("lead-in",), copies=2)) == (600, 400)
    total, changed = count(AugmentationConfig(0.5, ("marker",)))
    assert total == 200 and 70 < changed < 130


@pytest.fixture
def tiny_examples() -> list[Example]:
    texts = [f"Moe, A. ({1800 + number}). On bells, part {number}." for number in range(200)]
    return [Example(text, (Annotation("author", 0, 7), Annotation("title", 16, len(text) - 1)), "x") for text in texts]


def test_a_perturbation_from_outside_is_one_function_and_one_line(monkeypatch, tiny_examples):
    def add_stars(example: Example, random: Random) -> Example:
        return surround(example, "*" * random.randint(1, 3) + " ")

    monkeypatch.setitem(PERTURBATIONS, "stars", Perturbation("stars", 1, add_stars, "it has stars"))
    found = list(augment(tiny_examples, AugmentationConfig(1.0, ("stars",), again=0), Random(1)))
    assert all(re.match(r"\*{1,3} Moe", one.text) for one in found)
    assert contents(found[0]) == contents(tiny_examples[0])


def test_a_perturbation_that_changes_nothing_leaves_the_string_alone():
    same = Perturbation("same", 1, lambda example, _: example, "nothing")
    example = Example("Moe", (), "x")
    assert perturb(example, [same], 1.0, Random(1)) is example


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ({"perturbations": ["lead-inn"]}, "did you mean 'lead-in'"),
        ({"perturbations": ["zzzzzz"]}, "there are lead-in, "),
        ({"share": 1.5}, "from 0 to 1"),
        ({"again": -0.5}, "from 0 to 1"),
        ({"copies": -1}, "from 0 to 100"),
        ({"shares": 0.5}, "did you mean 'share'"),
    ],
)
def test_a_wrong_table_is_refused_in_words(table, reason):
    with pytest.raises(ConfigError, match=reason):
        from_mapping(AugmentationConfig, table)


def test_an_augmentation_by_share_and_names():
    assert augmentation_of("0.3") == AugmentationConfig(0.3)
    assert augmentation_of(" 1, lead-in") == AugmentationConfig(1.0, ("lead-in",))
    for wrong in ("", "lead-in", "2", "0.3,", "nan"):
        with pytest.raises(ConfigError):
            augmentation_of(wrong)


def test_strings_are_perturbed_in_another_way_each_time_they_are_repeated(tiny_examples):
    found = list(repeat(tiny_examples, AugmentationConfig(0.9), "mine", 2))
    count = len(tiny_examples)
    assert found[:count] != tiny_examples and found[:count] != found[count:]
    assert found == list(repeat(tiny_examples, AugmentationConfig(0.9), "mine", 2))
    assert found != list(repeat(tiny_examples, AugmentationConfig(0.9), "yours", 2))
    assert list(repeat(tiny_examples, None, "mine", 2)) == [*tiny_examples, *tiny_examples]


def test_recipes_for_headings_have_no_augmentation_and_no_synthesis():
    with pytest.raises(ConfigError, match="a recipe for sections"):
        Recipe("x", "x", "x", (), (), task="sections", augmentation=AugmentationConfig())
    with pytest.raises(ConfigError, match="a recipe for sections"):
        Recipe("x", "x", "x", (), (), task="sections", synthesis=(SyntheticSource(("dblp",), 10),))


@pytest.mark.parametrize(
    "text",
    [
        "See also",
        "Vgl. auch: siehe, 参见",
        "[12]",
        "¹²",
        "•",
        "Moe, A. (1999). On bells. J Bells, 12(3), 45-67. Fisk, B. (2001). On reeds. J Reeds, 13(4), 5-6.",
        "ᚠᚢᚦ ᚨᚱᚲ (1999). ᚷᚹᚺᚾ ᛁᛃᛇᛈ. ᛉᛋᛏᛒ, 12, 3-4.",
        "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ᠂ 1998᠃",
        "ይህ መጽሐፍ፣ አዲስ አበባ፣ 1990።",
    ],
)
def test_strings_that_are_no_single_reference_get_a_faithful_answer(text):
    parsed = ibidem.parse(text)
    assert parsed.error is None and parsed.text == text and 0 <= parsed.confidence <= 1
    assert all(text[one.start : one.end] == one.text for one in parsed.fields)
