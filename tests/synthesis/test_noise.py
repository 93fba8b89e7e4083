"""Noise changes characters as it says; marks go with their characters."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.errors import ConfigError
from ibidem.records.record import Entry, Name, Record
from ibidem.synthesis.noise import PRESETS, Noise, add_noise, drop_fields, noise_of
from ibidem.types import Annotation, Example

WORDS = st.lists(
    st.text(st.characters(categories=("Ll", "Lu", "Nd")), min_size=1, max_size=12), min_size=3, max_size=30
)


def example_of(words: list[str]) -> Example:
    """The words with a full stop after each third; the second third of them is a title, the first word a year."""
    text = " ".join(word + "." * (number % 3 == 2) for number, word in enumerate(words))
    first = text.index(" ") + 1
    return Example(text, (Annotation("date", 0, len(words[0])), Annotation("title", first, len(text.rstrip(".")))), "x")


@given(WORDS, st.integers(0, 1000))
def test_noise_keeps_every_mark_and_its_order(words, seed):
    example = example_of(words)
    noisy = add_noise(example, PRESETS["heavy"], Random(seed))
    assert [annotation.label for annotation in noisy.annotations] == [
        annotation.label for annotation in example.annotations
    ]
    assert all(0 <= annotation.start < annotation.end <= len(noisy.text) for annotation in noisy.annotations)
    assert noisy.annotations[0].end <= noisy.annotations[1].start
    for annotation in noisy.annotations:
        assert not noisy.text[annotation.start].isspace() and not noisy.text[annotation.end - 1].isspace()


@given(WORDS, st.integers(0, 1000))
def test_line_breaks_and_hyphens_can_be_undone(words, seed):
    example = example_of(words)
    noisy = add_noise(example, Noise(breaks=1, hyphens=0.5), Random(seed))

    def undone(text: str) -> str:
        return text.replace("-\n", "").replace("\n", " ")

    assert undone(noisy.text) == example.text
    for annotation, before in zip(noisy.annotations, example.annotations, strict=True):
        assert undone(noisy.text[annotation.start : annotation.end]) == example.text[before.start : before.end]


@pytest.mark.parametrize(
    ("noise", "text", "changed"),
    [
        (Noise(), "Müller – “x”", "Müller – “x”"),
        (Noise(diacritics=1), "Müller Ødegård", "Muller Ødegard"),
        (Noise(typewriter=1), "12–34 “x” …", '12-34 "x" ...'),
        (Noise(ocr=1), "", ""),
    ],
)
def test_noise_of_the_whole_string(noise, text, changed):
    assert add_noise(Example(text, (), "x"), noise, Random(1)).text == changed


@pytest.mark.parametrize("kind", ["ocr", "typing", "spacing"])
def test_a_share_of_the_characters_is_struck(kind):
    text = "the drift of bells along the coast " * 300
    noisy = add_noise(Example(text, (), "x"), noise_of(f"{kind}=0.05"), Random(1))
    assert noisy.text != text
    assert abs(len(noisy.text) - len(text)) < 0.05 * len(text)
    same = sum(one == other for one, other in zip(text, noisy.text, strict=False))
    assert same < len(text)


def test_missing_fields_never_cost_the_title_or_the_authors():
    record = Record("book", (Entry("author", Name("R", "A")), Entry("title", "T"), Entry("place", "London")))
    left = drop_fields(record, Noise(missing=1), Random(1))
    assert [entry.field for entry in left.entries] == ["author", "title"]
    assert drop_fields(record, Noise(), Random(1)) == record


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("loud", "is no noise"),
        ("light,heavy", "is no noise"),
        ("ocr=x", "is no noise"),
        ("ocr=2", "from 0 to 1"),
        ("ocrr=0.1", "did you mean 'ocr'"),
    ],
)
def test_a_wrong_noise_is_refused_in_words(text, reason):
    with pytest.raises(ConfigError, match=reason):
        noise_of(text)


def test_noise_by_name_and_share():
    assert noise_of("none") == Noise()
    assert noise_of("ocr=0.5") == Noise(ocr=0.5)
    assert noise_of("heavy, typing=0") != PRESETS["heavy"]
