"""Segmenting without labels by the method blocked: what it finds, and that runs can be repeated and resumed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from unsupervised_cases import f_score, journal_style, shuffled

from ibidem.errors import ConfigError, InputError
from ibidem.kernels import compiled
from ibidem.unsupervised.blocked import BlockedConfig
from ibidem.unsupervised.seed_words import SeedWords, read_seed_words
from ibidem.unsupervised.segmenting import Segmentation, segment_citations

QUICK = {"sample": 300, "restarts": 1, "sweeps": 4}
pytestmark = pytest.mark.skipif(compiled() is None, reason="the reference implementation would take minutes")


def segment(citations, fields: int, **options) -> Segmentation:
    known = {name: options.pop(name) for name in list(options) if name in BlockedConfig.__dataclass_fields__}
    return segment_citations(citations, BlockedConfig(fields, **{**QUICK, **known}), **options)


@pytest.fixture(scope="module")
def half_shuffled() -> tuple[Segmentation, list[list[int]]]:
    citations, truth = shuffled(600, 0.5)
    return segment(citations, 4), truth


def test_fields_are_found_though_half_of_the_citations_are_out_of_order(half_shuffled) -> None:
    found, truth = half_shuffled
    assert f_score(truth, [list(one.elements) for one in found]) > 0.97


def test_each_field_is_contiguous_and_every_token_has_one(half_shuffled) -> None:
    found, truth = half_shuffled
    for one, true in zip(found, truth, strict=True):
        assert len(one.elements) == len(one.confidence) == len(true)
        labels = [field.label for field in one.fields]
        assert len(labels) == len(set(labels))
        assert " ".join(field.text for field in one.fields) == one.text
        assert all(0 <= probability <= 1 for probability in one.confidence)


def test_elements_are_numbered_by_their_position(half_shuffled) -> None:
    found, _ = half_shuffled
    assert found.orders(1)[0][0] == ("element-1", "element-2", "element-3", "element-4")
    assert sum(share for _, share in found.orders(100)) == pytest.approx(1)
    words = [{word for word, _ in typical} for typical in found.typical_words()]
    assert "FENCONF" in words[2]
    assert any(word.startswith("19") for word in words[3])


def test_the_likelihood_of_each_sweep_is_recorded(half_shuffled) -> None:
    found, _ = half_shuffled
    assert len(found.log_likelihoods) == QUICK["sweeps"]
    assert all(np.isfinite(found.log_likelihoods))


def test_threads_do_not_change_the_result_and_the_seed_gives_it_again() -> None:
    citations, _ = shuffled(200, 0.3)
    one, two = (segment(citations, 3, threads=threads, sample=100, sweeps=2) for threads in (1, 2))
    assert (one.fit.elements == two.fit.elements).all()
    assert (one.fit.confidence == two.fit.confidence).all()
    assert one.log_likelihoods == two.log_likelihoods


def test_punctuation_missing_fields_and_two_styles_in_one_corpus() -> None:
    strings, truth = journal_style(700, missing=0.2)
    found = segment(strings, 5)
    pairs: tuple[list[list[int]], list[list[int]]] = ([], [])
    for one, values in zip(found, truth, strict=True):
        owner = [next((k for k, value in enumerate(values) if token.text in value.split()), -1) for token in one.tokens]
        kept = [place for place, k in enumerate(owner) if k >= 0]
        pairs[0].append([owner[place] for place in kept])
        pairs[1].append([one.elements[place] for place in kept])
    assert f_score(*pairs) > 0.85


def test_resumed_runs_end_as_uninterrupted_ones_do(tmp_path: Path) -> None:
    citations, _ = shuffled(200, 0.3)
    whole = segment(citations, 3, sample=100, sweeps=4)
    file = tmp_path / "run.npz"
    segment(citations, 3, sample=100, sweeps=2, checkpoint=file)
    rest = segment(citations, 3, sample=100, sweeps=4, checkpoint=file, resume=True)
    assert (whole.fit.elements == rest.fit.elements).all()
    assert whole.log_likelihoods == rest.log_likelihoods


def test_a_run_ends_when_it_has_converged_and_a_resumed_one_ends_there_too(tmp_path: Path) -> None:
    citations, _ = shuffled(200, 0.3)
    file = tmp_path / "run.npz"
    whole = segment(citations, 3, sample=100, sweeps=50)
    assert 3 < len(whole.log_likelihoods) < 50
    for sweeps in (2, 50, 50):  # interrupted, finished, and resumed when it was already finished
        rest = segment(citations, 3, sample=100, sweeps=sweeps, checkpoint=file, resume=True)
    assert (whole.fit.elements == rest.fit.elements).all()
    assert whole.log_likelihoods == rest.log_likelihoods


def test_the_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    citations, _ = shuffled(60, 0.3)
    file = tmp_path / "run.npz"
    segment(citations, 2, sample=50, sweeps=1, checkpoint=file)
    with pytest.raises(InputError, match="other citations, seed words or settings"):
        segment(citations[1:], 2, sample=50, sweeps=1, checkpoint=file, resume=True)
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(InputError, match="is not a readable checkpoint"):
        segment(citations, 2, sample=50, sweeps=1, checkpoint=file, resume=True)


def test_seed_words_name_their_field_and_attract_its_words(tmp_path: Path) -> None:
    (tmp_path / "venues.txt").write_text("FENCONF\nMARSHSYM\n", encoding="utf-8")
    (tmp_path / "seed.toml").write_text(
        "[[seed_words]]\nname = 'year'\npatterns = ['(19|20)[0-9]{2}']\n"
        "[[seed_words]]\nname = 'venue'\nwords = ['BOGWORK']\nfiles = ['venues.txt']\n",
        encoding="utf-8",
    )
    seed_words = read_seed_words(tmp_path / "seed.toml")
    citations, _ = shuffled(300, 0.5)
    found = segment(citations, 4, seed_words=seed_words, sweeps=2)
    assert {"year", "venue"} < set(found.names)
    years = [field.text for one in found for field in one.fields if field.label == "year"]
    assert sum(text.isdigit() for text in years) > 0.95 * len(years) > 200
    venues = [field.text for one in found for field in one.fields if field.label == "venue"]
    assert sum(text.isupper() for text in venues) > 0.9 * len(venues) > 200


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"words": ()}, "no seed words for"),
        ({"words": ("a",), "weight": 0.0}, "weight of the seed words"),
        ({"patterns": ("(",)}, "no regular expression"),
    ],
)
def test_unusable_seed_words_are_refused(options: dict, complaint: str) -> None:
    with pytest.raises(ConfigError, match=complaint):
        SeedWords("year", **options)


@pytest.mark.parametrize(
    ("citations", "fields", "complaint"),
    [
        (["Reed A. On bells. 1999."], 3, "1 citation with words"),
        (["", "  "], 3, "0 citations with words"),
        ([], 3, "0 citations"),
        (["one", "two", "three"], 4, "no citation has more than 1 token"),
        (["a b", "c d"], 0, "from 1 to 8"),
        (["a b", "c d"], 9, "from 1 to 8"),
    ],
)
def test_what_cannot_be_segmented_is_refused_with_a_reason(citations: list[str], fields: int, complaint: str) -> None:
    with pytest.raises((InputError, ConfigError), match=complaint):
        segment(citations, fields)


def test_an_unusable_citation_gets_an_error_and_the_others_are_answered() -> None:
    citations, _ = shuffled(40, 0.0)
    strings = [" ".join(words) for words in citations]
    found = segment([*strings, "", "1999", "word " * 10_000, strings[0]], 3, sample=30, sweeps=1)
    assert len(found) == 44
    assert found[40].error == "empty: there is no citation here"
    assert [field.text for field in found[41].fields] == ["1999"]
    assert "10,000 tokens" in str(found[42].error)
    assert found[43].error is None


def test_there_must_be_a_name_for_each_field() -> None:
    citations, _ = shuffled(40, 0.0)
    with pytest.raises(ConfigError, match=r"2 names .* for 3 fields"):
        segment(citations, 3, names=("a", "b"))
    found = segment(citations, 3, names=("author", "rest", "rest"), sample=30, sweeps=1)
    assert {field.label for one in found for field in one.fields} <= {"author", "rest"}


def test_the_longest_allowed_citation_is_accepted() -> None:
    citations, _ = shuffled(40, 0.0)
    found = segment([*citations, [*citations[0], *(["bells", "of"] * 490)]], 2, sample=30, sweeps=1)
    assert found[40].error is None
    assert len(found[40].elements) > 980
