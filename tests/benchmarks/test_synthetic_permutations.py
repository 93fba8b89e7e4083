from __future__ import annotations

import os

import numpy as np
import pytest

from benchmarks.masada_2011 import synthetic_permutations as synthetic
from ibidem.errors import DataError
from ibidem.unsupervised.corpus import corpus_of


def invented(size: int) -> synthetic.Elements:
    generator = np.random.default_rng(0)
    citations, elements = [], []
    for number in range(size):
        sizes = generator.integers(0, 4, size=3)
        citations.append([f"{e}-{number}-{i}" for e in range(3) for i in range(sizes[e])])
        elements += np.repeat(np.arange(3), sizes).tolist()
    return synthetic.Elements(corpus_of(citations), np.array(elements, dtype=np.uint8), ("a", "b", "c"))


def words_of(given: synthetic.Elements, j: int) -> list[str]:
    place = slice(int(given.corpus.starts[j]), int(given.corpus.starts[j + 1]))
    return [given.corpus.vocabulary[word] for word in given.corpus.words[place]]


def test_shuffling_moves_whole_elements_and_keeps_the_words_inside_them_in_order():
    given = invented(200)
    moved = synthetic.shuffle(given, 0.5, seed=1)
    assert np.array_equal(given.corpus.starts, moved.corpus.starts)
    changed = 0
    for j in range(200):
        before, after = words_of(given, j), words_of(moved, j)
        assert sorted(before) == sorted(after) == before or set(before) == set(after)
        by_element = [[word for word in after if word.startswith(f"{e}-")] for e in range(3)]
        assert [word for words in by_element for word in words] == before
        runs = [word[0] for place, word in enumerate(after) if place == 0 or word[0] != after[place - 1][0]]
        assert len(runs) == len(set(runs))
        changed += before != after
    assert 40 < changed <= 100
    assert [int(moved.corpus.vocabulary[word][0]) for word in moved.corpus.words] == moved.element.tolist()


def test_shuffling_is_the_same_for_a_seed_and_nothing_for_a_share_of_nothing():
    given = invented(50)
    one, two, other = (synthetic.shuffle(given, 0.5, seed) for seed in (3, 3, 4))
    assert np.array_equal(one.corpus.words, two.corpus.words)
    assert not np.array_equal(one.corpus.words, other.corpus.words)
    assert np.array_equal(synthetic.shuffle(given, 0.0).corpus.words, given.corpus.words)


def test_a_sample_has_the_same_citations_with_a_vocabulary_of_its_own():
    given = invented(50)
    part = given.sample(20)
    assert part.corpus.size == 20 and given.sample(50) is given
    assert len(part.corpus.vocabulary) == len(set(part.corpus.words.tolist()))
    all_of_them = [words_of(given, j) for j in range(50)]
    assert all(words_of(part, j) in all_of_them for j in range(20))


def test_another_source_is_refused():
    with pytest.raises(DataError, match="D, M"):
        synthetic.canonical("X")


@pytest.mark.skipif(not os.environ.get("IBIDEM_DATA"), reason="the datasets are not here")
@pytest.mark.parametrize("letter", ["D", "M"])
def test_records_become_citations_in_the_canonical_order(letter: str):
    found = synthetic.canonical(letter, limit=500)
    assert found.corpus.size == 500 and len(found.element) == len(found.corpus.words)
    for j in range(500):
        own = found.element[found.corpus.starts[j] : found.corpus.starts[j + 1]]
        assert (np.diff(own.astype(int)) >= 0).all()
    assert len(set(found.element.tolist())) == len(found.names)
