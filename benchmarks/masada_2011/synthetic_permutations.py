"""The corpora of Masada et al. 2011, section 4.1: records whose elements are in canonical order or shuffled.

D0, D20 and D50 are made of DBLP-like records, M0, M20 and M50 of journal articles; the number is the percentage of
citations with shuffled elements. Words are separated by whitespace and kept as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ibidem.data import registry
from ibidem.errors import DataError
from ibidem.unsupervised.corpus import Corpus, corpus_of

SOURCES = {"D": "dblp", "M": "medline"}
ELEMENTS = {
    "D": ("authors", "title", "venue_short", "year"),
    "M": ("authors", "year", "title", "journal", "pages"),
}
"""The columns that are the elements, in the canonical order."""


@dataclass(frozen=True, slots=True)
class Elements:
    """A corpus and the gold element of each token, which no sampler sees."""

    corpus: Corpus
    element: NDArray[np.uint8]  # [N]
    names: tuple[str, ...]

    def part(self, chosen: NDArray[np.integer]) -> Elements:
        """The citations with the numbers `chosen`, in that order, with a vocabulary of their own."""
        small = self.corpus.select(chosen)
        whole = Corpus(self.element.astype(np.int32), self.corpus.starts, ())
        used, words = np.unique(small.words, return_inverse=True)
        vocabulary = tuple(self.corpus.vocabulary[word] for word in used.tolist())
        kept = Corpus(words.astype(np.int32), small.starts, vocabulary)
        return Elements(kept, whole.select(chosen).words.astype(np.uint8), self.names)

    def sample(self, size: int, seed: int = 0) -> Elements:
        """Return a random sample of `size` citations, or all if there are no more."""
        if size >= self.corpus.size:
            return self
        generator = np.random.default_rng([seed, size])
        return self.part(np.sort(generator.choice(self.corpus.size, size, replace=False)))


def canonical(letter: str, limit: int | None = None) -> Elements:
    """Read all records of a source, D or M, every citation in the canonical order: D0 or M0."""
    if letter not in SOURCES:
        raise DataError(f"there is no source {letter!r}; there are {', '.join(SOURCES)}")
    elements = bytearray()

    def citations() -> Iterator[list[str]]:
        records = (item for item in registry.load_records(SOURCES[letter]) if isinstance(item, dict))
        for record in islice(records, limit):
            texts = _texts(record, ELEMENTS[letter])
            for number, words in enumerate(texts):
                elements.extend(bytes((number,)) * len(words))
            yield [word for words in texts for word in words]

    corpus = corpus_of(citations())
    return Elements(corpus, np.frombuffer(elements, dtype=np.uint8).copy(), ELEMENTS[letter])


def _texts(record: dict[str, str], columns: tuple[str, ...]) -> list[list[str]]:
    """Return the words of each element, without the brackets of translated titles, which no printed citation has."""
    texts = []
    for column in columns:
        text = record[column].replace("|", " ")
        if column == "title":
            text = text.strip().removeprefix("[").removesuffix("]")
        texts.append(text.split())
    return texts


def shuffle(given: Elements, share: float, seed: int = 0) -> Elements:
    """Shuffle the elements of a random share of the citations; the order of words inside an element stays."""
    corpus, E, J = given.corpus, len(given.names), given.corpus.size
    generator = np.random.default_rng([seed, round(1000 * share)])
    chosen = generator.choice(J, round(share * J), replace=False)
    rank = np.tile(np.arange(E, dtype=np.int64), (J, 1))  # [J, E] where each element stands
    rank[chosen] = generator.permuted(rank[chosen], axis=1)
    citation = np.repeat(np.arange(J), np.diff(corpus.starts))
    place = np.argsort(citation * E + rank[citation, given.element], kind="stable")
    moved = Corpus(corpus.words[place], corpus.starts, corpus.vocabulary)
    return Elements(moved, given.element[place], given.names)
