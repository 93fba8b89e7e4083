"""The methods of `ibidem.segment` behind one interface: results, refusals, and a method added from outside."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import pairwise
from types import ModuleType
from typing import ClassVar

import numpy as np
import pytest
from unsupervised_cases import f_score, journal_style, shuffled

import ibidem
from ibidem.errors import ConfigError, IbidemError
from ibidem.kernels import compiled
from ibidem.unsupervised import forward_filtering_backward_sampling as ffbs
from ibidem.unsupervised.methods import METHODS, Fit, Job, Method, find_method

slow_without_kernels = pytest.mark.skipif(compiled() is None, reason="the reference implementation would take minutes")
CITATIONS = shuffled(400, 0.3)
SEED_WORDS = "[[seed_words]]\nname = 'year'\npatterns = ['(19|20)[0-9]{2}']\n"


@pytest.fixture(scope="module", params=list(METHODS))
def found(request):
    return ibidem.segment(CITATIONS[0], fields=4, method=request.param)


@slow_without_kernels
def test_every_method_finds_the_fields_of_shuffled_records(found, request):
    least = {"blocked": 0.97, "gibbs": 0.75}[request.node.callspec.params["found"]]
    assert f_score(CITATIONS[1], [list(one.elements) for one in found]) > least


@slow_without_kernels
def test_every_method_gives_each_token_a_field_and_a_confidence(found):
    for one, tokens in zip(found, CITATIONS[0], strict=True):
        assert one.error is None
        assert len(one.elements) == len(one.confidence) == len(one.tokens) == len(tokens)
        assert all(1 <= element <= 4 for element in one.elements)
        assert all(0 < probability <= 1 for probability in one.confidence)
        assert " ".join(field.text for field in one.fields) == one.text


@slow_without_kernels
def test_every_method_reports_words_lengths_orders_and_likelihoods(found):
    fit = found.fit
    assert fit.word_counts.shape == (len(found.corpus.vocabulary), 4)
    assert fit.word_counts.sum() == len(found.corpus.words)
    assert (fit.length_counts.sum(axis=1) == len(found)).all()
    assert fit.length_counts @ np.arange(fit.length_counts.shape[1]) == pytest.approx(fit.word_counts.sum(axis=0))
    assert found.log_likelihoods[-1] > found.log_likelihoods[0] - 1 and np.isfinite(found.log_likelihoods).all()
    assert fit.rho.shape == (3,) and (fit.rho >= 0).all()
    assert found.orders(1)[0][0] == ("element-1", "element-2", "element-3", "element-4")
    typical = [{word for word, _ in words} for words in found.typical_words()]
    assert {"Oakes", "Cyd", "Dee"} & typical[0]
    assert any(word.startswith(("19", "20")) for word in typical[3])
    assert repr(found) == "<Segmentation: 400 citations, 0 errors; fields element-1, element-2, element-3, element-4>"
    named = found.rename(["author", "title", "venue", "date"])
    assert {field.label for one in named for field in one.fields} <= {"author", "title", "venue", "date"}


@slow_without_kernels
@pytest.mark.parametrize("method", METHODS)
def test_strings_missing_fields_and_unusable_citations_are_answered_by_every_method(method: str):
    strings, _ = journal_style(150, missing=0.2)
    found = ibidem.segment([*strings, "", "word " * 2000], fields=4, method=method, sweeps=3)
    assert [number for number, one in enumerate(found) if one.error] == [150, 151]
    for one in list(found)[:150]:
        assert all(one.text[field.start : field.end] == field.text for field in one.fields)


@slow_without_kernels
@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_and_number_of_jobs_give_the_same_result(method: str):
    one, two = (ibidem.segment(CITATIONS[0][:80], fields=3, method=method, sweeps=3, jobs=2) for _ in range(2))
    assert (one.fit.elements == two.fit.elements).all()
    assert (one.fit.confidence == two.fit.confidence).all()


@slow_without_kernels
@pytest.mark.parametrize(
    "settings",
    [
        {"order": "constrained"},
        {"order": "uniform"},
        {"draws": "rebuilt"},
        {"order": "none", "alpha": 1.0, "learn_alpha": True},
        {"kernel": "literal"},
        {"min_count": 2},
    ],
)
def test_the_variants_of_the_paper_are_settings_of_gibbs(settings: dict):
    found = ibidem.segment(CITATIONS[0][:60], fields=4, method="gibbs", sweeps=5, settings=settings)
    assert len(found) == 60 and np.isfinite(found.fit.rho).all()
    if settings.get("order") == "constrained":
        assert len({order for order, _ in found.orders() if len(order) == 4}) <= 1


@slow_without_kernels
def test_rebuilt_draws_find_the_fields_better():
    found = ibidem.segment(CITATIONS[0], fields=4, method="gibbs", settings={"draws": "rebuilt"})
    assert f_score(CITATIONS[1], [list(one.elements) for one in found]) > 0.85


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"method": "magic"}, "no method is called 'magic'; choose from blocked, gibbs"),
        ({"fields": 9}, "9 fields; the method blocked takes from 1 to 8"),
        ({"fields": 0}, "0 fields; the method blocked takes from 1 to 8"),
        ({"fields": 1, "method": "gibbs"}, "1 fields; the method gibbs takes from 2 to 16"),
        ({"fields": 17, "method": "gibbs"}, "17 fields; the method gibbs takes from 2 to 16"),
        ({"method": "gibbs", "seed_words": "seed.toml"}, "the method gibbs takes no seed words"),
        ({"method": "gibbs", "checkpoint": "run.npz"}, "the method gibbs writes no checkpoints"),
        ({"method": "gibbs", "settings": {"draw": "kept"}}, "in the settings of gibbs; did you mean 'draws'"),
        ({"method": "gibbs", "settings": {"draws": "lost"}}, "expected one of 'kept', 'rebuilt'"),
        ({"method": "gibbs", "settings": {"order": "none"}}, "alpha is infinite"),
        ({"method": "gibbs", "settings": {"burn_in": 1.0}}, "burn_in is 1.0"),
        ({"method": "gibbs", "sweeps": 0}, "sweeps is 0; it must be at least 1"),
        ({"method": "gibbs", "jobs": 0}, "jobs is 0; it must be at least 1"),
        ({"sweeps": 0}, "sweeps is 0; it must be at least 1"),
        ({"jobs": 0}, "jobs is 0; it must be at least 1"),
        ({"settings": {"draws": "kept"}}, "unknown key 'draws' in the settings of blocked"),
        ({"settings": {"seed": 2}}, "seed is an argument of its own"),
        ({"fields": 1, "seed_words": "two.toml"}, "seed words for 2 fields, and there are 1 fields"),
    ],
)
def test_what_a_method_cannot_do_is_refused_with_a_sentence(arguments: dict, complaint: str, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "seed.toml").write_text(SEED_WORDS, "utf-8")
    (tmp_path / "two.toml").write_text(SEED_WORDS + SEED_WORDS, "utf-8")
    with pytest.raises(IbidemError, match=complaint.replace("(", r"\(")):
        ibidem.segment(CITATIONS[0][:20], **{"fields": 3, **arguments})


@slow_without_kernels
def test_old_names_of_arguments_still_work_with_a_warning(tmp_path):
    file = tmp_path / "seed.toml"
    file.write_text(SEED_WORDS.replace("seed_words", "hint"), "utf-8")
    with pytest.warns(DeprecationWarning) as caught:
        found = ibidem.segment(CITATIONS[0][:60], elements=3, hints=file, threads=2, sweeps=1)
    assert "year" in found.names
    assert {str(one.message).partition(": ")[2] for one in caught} == {
        "the argument 'elements' is now called 'fields'",
        "the argument 'hints' is now called 'seed_words'",
        "the argument 'threads' is now called 'jobs'",
    }


@dataclass(frozen=True, slots=True)
class EqualParts:
    """Settings of a toy method."""

    method: ClassVar[str] = "equal-parts"

    fields: int
    seed: int = 1
    sweeps: int = 1
    min_count: int = 1
    longest: int = 50


def cut_equally(config: EqualParts, job: Job) -> Fit:
    """Cut every citation into fields of the same length."""
    corpus, K = job.corpus, config.fields
    parts = [np.arange(end - begin) * K // max(end - begin, 1) for begin, end in pairwise(corpus.starts.tolist())]
    elements = np.concatenate(parts).astype(np.uint8)
    words, lengths = ffbs.count_words(corpus, elements, K), ffbs.count_lengths(corpus, elements, K, config.longest)
    sure = np.ones(len(elements), dtype=np.float32)
    return Fit(elements, sure, words, lengths, np.zeros(K - 1), (-1,) * K, (0.0,))


def test_a_new_method_is_one_module_and_one_line(monkeypatch):
    module = ModuleType("toy_method")
    module.METHOD = Method(EqualParts, cut_equally, 1, 4, takes_seed_words=False, takes_checkpoint=False)
    monkeypatch.setitem(sys.modules, "toy_method", module)
    monkeypatch.setitem(METHODS, "equal-parts", "toy_method")
    assert find_method("equal-parts") is module.METHOD
    found = ibidem.segment(["a b c d", "e f", "g h i j k l"], fields=2, method="equal-parts", names=["x", "y"])
    assert [[field.text for field in one.fields] for one in found] == [["a b", "c d"], ["e", "f"], ["g h i", "j k l"]]
    with pytest.raises(ConfigError, match="5 fields; the method equal-parts takes from 1 to 4"):
        ibidem.segment(["a b c d e", "e f"], fields=5, method="equal-parts")
