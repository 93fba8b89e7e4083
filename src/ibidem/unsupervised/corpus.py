"""Citations as numbers: the word of every token, one citation after the other."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import InputError
from ibidem.types import IntArray
from ibidem.unsupervised.shapes import shape_class

NO_GAP = 0
"""The class of the gap after the last token of a citation, and after every token where gaps are not told."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The citations of a corpus, one after the other; memory is linear in the number of tokens."""

    words: IntArray  # [N] the number of each token's word in the vocabulary
    starts: NDArray[np.int64]  # [D + 1] citation d has the tokens starts[d] .. starts[d + 1]
    vocabulary: tuple[str, ...]  # [W]
    gaps: IntArray | None = (
        None  # [N] the class of what stands between each token and the next; None where nothing does
    )

    @property
    def size(self) -> int:
        """How many citations there are."""
        return len(self.starts) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many tokens each citation has: [D]."""
        return np.diff(self.starts)

    def part(self, chosen: NDArray[np.integer]) -> Corpus:
        """The citations with the numbers `chosen`, in that order, with the same vocabulary."""
        lengths = self.lengths[chosen]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        places = np.repeat(self.starts[chosen] - starts[:-1], lengths) + np.arange(starts[-1])
        gaps = None if self.gaps is None else self.gaps[places]
        return Corpus(self.words[places], starts, self.vocabulary, gaps)

    def gaps_of_tokens(self) -> IntArray:
        """The class of the gap after each token: [N]."""
        return np.full(len(self.words), NO_GAP, dtype=np.int32) if self.gaps is None else self.gaps


def corpus_of(
    citations: Iterable[Sequence[str]],
    least: int = 1,
    shape: Callable[[str], str] = shape_class,
    lower_first: bool = False,
) -> Corpus:
    """The corpus of citations that are split into tokens, with rare words replaced as `reduced` does it.

    A citation may be empty.

    >>> corpus = corpus_of([["On", "bells", "2001"], ["On", "things", "2002"]], least=2)
    >>> corpus.words.tolist(), corpus.starts.tolist(), corpus.vocabulary
    ([0, 1, 2, 0, 1, 2], [0, 3, 6], ('On', ' x+', ' 9999'))
    """
    number: dict[str, int] = {}
    tokens, starts = array("i"), array("q", [0])
    for citation in citations:
        tokens.extend([number.setdefault(word, len(number)) for word in citation])
        starts.append(len(tokens))
    if len(number) >= 2**31:
        raise InputError("more than two thousand million different words; give fewer citations at a time")
    words = np.frombuffer(tokens, dtype=np.int32) if tokens else np.zeros(0, dtype=np.int32)
    whole = Corpus(words, np.frombuffer(starts, dtype=np.int64).copy(), tuple(number))
    return reduced(whole, least, shape, lower_first)


def reduced(corpus: Corpus, least: int, shape: Callable[[str], str] = shape_class, lower_first: bool = False) -> Corpus:
    """The corpus with each word that stands fewer than `least` times in all replaced by its class, `shape` of it.

    With `lower_first` a word whose capital is that of a beginning (it is written small more often) is taken as written
    small: the first word of a title is a word of titles, and not one of an element of its own.
    """
    counts = np.bincount(corpus.words, minlength=len(corpus.vocabulary))
    number = {word: place for place, word in enumerate(corpus.vocabulary)} if lower_first else {}
    known: dict[str, int] = {}
    merged = np.empty(len(corpus.vocabulary), dtype=np.int32)
    for place, word in enumerate(corpus.vocabulary):
        often = counts[place]
        lower = number.get(word.lower(), place) if lower_first and word[1:].islower() else place
        if counts[lower] > often:
            word, often = corpus.vocabulary[lower], often + counts[lower]
        merged[place] = known.setdefault(word if often >= least else shape(word), len(known))
    return Corpus(merged[corpus.words], corpus.starts, tuple(known), corpus.gaps)
