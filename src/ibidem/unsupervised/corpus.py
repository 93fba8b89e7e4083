"""Citations as arrays of integers: the word of every token and the gap after it, one citation after the other."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import InputError
from ibidem.faults import describe_fault, trip
from ibidem.text import tokenise
from ibidem.types import IntArray, Token

Citation = str | Sequence[str]
"""A string, or tokens."""
NO_GAP = 0
"""The class of the gap after the last token of a citation, and of every gap where gaps are not known."""
_SHAPE_LENGTH = 6  # characters of a shape that count
_GAP_LENGTH = 4  # characters of a gap that count
_MIN_GAP_COUNT = 20  # a gap seen less often is reduced to its first punctuation mark


@dataclass(frozen=True, slots=True)
class Corpus:
    """The citations of a corpus, one after the other; memory is linear in the number of tokens."""

    words: IntArray  # [N] index into the vocabulary
    starts: NDArray[np.int64]  # [D + 1] citation d has the tokens starts[d] .. starts[d + 1]
    vocabulary: tuple[str, ...]  # [W]
    gaps: IntArray | None = None  # [N] class of the text between a token and the next; None: all alike

    @property
    def size(self) -> int:
        """Number of citations."""
        return len(self.starts) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of tokens of each citation: [D]."""
        return np.diff(self.starts)

    def select(self, chosen: NDArray[np.integer]) -> Corpus:
        """Return the citations with the indices `chosen`, in that order, with the same vocabulary."""
        lengths = self.lengths[chosen]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        tokens = np.repeat(self.starts[chosen] - starts[:-1], lengths) + np.arange(starts[-1])
        gaps = None if self.gaps is None else self.gaps[tokens]
        return Corpus(self.words[tokens], starts, self.vocabulary, gaps)

    def gaps_of_tokens(self) -> IntArray:
        """Return the class of the gap after each token: [N]."""
        return np.full(len(self.words), NO_GAP, dtype=np.int32) if self.gaps is None else self.gaps


def corpus_of(
    citations: Iterable[Sequence[str]],
    min_count: int = 1,
    shape: Callable[[str], str] | None = None,
    lower_first: bool = False,
) -> Corpus:
    """Return the corpus of tokenised citations, rare words replaced as by `replace_rare_words`.

    A citation may be empty.

    >>> corpus = corpus_of([["On", "bells", "2001"], ["On", "things", "2002"]], min_count=2)
    >>> corpus.words.tolist(), corpus.starts.tolist(), corpus.vocabulary
    ([0, 1, 2, 0, 1, 2], [0, 3, 6], ('On', ' x+', ' 9999'))
    """
    index: dict[str, int] = {}
    tokens, starts = array("i"), array("q", [0])
    for citation in citations:
        tokens.extend([index.setdefault(word, len(index)) for word in citation])
        starts.append(len(tokens))
    if len(index) >= 2**31:
        raise InputError("more than 2,147,483,647 distinct words: segment fewer citations at a time")
    words = np.frombuffer(tokens, dtype=np.int32) if tokens else np.zeros(0, dtype=np.int32)
    corpus = Corpus(words, np.frombuffer(starts, dtype=np.int64).copy(), tuple(index))
    return replace_rare_words(corpus, min_count, shape, lower_first)


def replace_rare_words(
    corpus: Corpus, min_count: int, shape: Callable[[str], str] | None = None, lower_first: bool = False
) -> Corpus:
    """Replace each word that occurs fewer than `min_count` times by its class, `shape_class` unless given.

    With `lower_first` a capitalised word that is more often written in lower case is lower-cased: the first word of a
    title is then a word of titles like the others, not a class of its own.
    """
    shape = shape or shape_class
    counts = np.bincount(corpus.words, minlength=len(corpus.vocabulary))
    index = {word: place for place, word in enumerate(corpus.vocabulary)} if lower_first else {}
    known: dict[str, int] = {}
    merged = np.empty(len(corpus.vocabulary), dtype=np.int32)
    for place, word in enumerate(corpus.vocabulary):
        count = counts[place]
        lower = index.get(word.lower(), place) if lower_first and word[1:].islower() else place
        if counts[lower] > count:
            word, count = corpus.vocabulary[lower], count + counts[lower]
        merged[place] = known.setdefault(word if count >= min_count else shape(word), len(known))
    return Corpus(merged[corpus.words], corpus.starts, tuple(known), corpus.gaps)


class CitationReader:
    """Tokenises citations one by one and collects the gaps between tokens, and an error for each unusable citation."""

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self.errors: dict[int, str] = {}
        self._gap_index: dict[str, int] = {"": NO_GAP}  # no real gap has an empty name
        self._gaps = array("i")

    def read(self, citations: Iterable[Citation]) -> Iterator[list[str]]:
        """Yield the words of each citation; none where there is an error, which is recorded."""
        for number, citation in enumerate(citations):
            try:
                names, words = self._read_one(citation)
            except Exception as error:
                self.errors[number] = describe_fault(error, "splitting it into words")
                names, words = [], []
            self._gaps.extend([self._gap_index.setdefault(name, len(self._gap_index)) for name in names])
            yield words

    def _read_one(self, citation: Citation) -> tuple[list[str], list[str]]:
        """Return the name of the gap after each token, and the words."""
        text, tokens = tokenise_citation(citation)
        trip("segment", text)
        if not tokens or not all(token.text for token in tokens):
            raise InputError("empty: there is no citation here" if not text.strip() else "no words here")
        if len(tokens) > self.longest:
            raise InputError(f"{len(tokens):,} tokens, and {self.longest:,} are the most; split it")
        names = [_gap_name(text[one.end : other.start]) for one, other in pairwise(tokens)]
        return [*names, ""], [token.text for token in tokens]

    def gap_classes(self) -> IntArray | None:
        """Return the class of the gap after each token read so far [N]; None where all are alike."""
        gaps = np.frombuffer(self._gaps, dtype=np.int32) if self._gaps else np.zeros(0, dtype=np.int32)
        counts = np.bincount(gaps, minlength=len(self._gap_index))
        classes: dict[str, int] = {"": NO_GAP}
        merged = np.zeros(len(self._gap_index), dtype=np.int32)
        for place, name in list(enumerate(self._gap_index))[1:]:
            kept = name if counts[place] >= _MIN_GAP_COUNT else f"{name.strip()[:1]}…"
            merged[place] = classes.setdefault(kept, len(classes))
        return merged[gaps] if len(classes) > 2 else None


def tokenise_citation(citation: Citation) -> tuple[str, tuple[Token, ...]]:
    """Return the text of a citation and its tokens: the words and numbers of a string, or the tokens given.

    >>> [token.text for token in tokenise_citation("Reed A. (1999) On bells.")[1]]
    ['Reed', 'A', '1999', 'On', 'bells']
    """
    if isinstance(citation, str):
        return citation, tuple(token for token in tokenise(citation) if any(map(str.isalnum, token.text)))
    if isinstance(citation, bytes) or not isinstance(citation, Sequence):
        raise InputError(f"{type(citation).__name__} is no citation; give a string, or a list of words")
    if wrong := [word for word in citation if not isinstance(word, str)]:
        raise InputError(f"{type(wrong[0]).__name__} is no word; give strings")
    ends = np.cumsum([len(word) + 1 for word in citation]).tolist()
    return " ".join(citation), tuple(
        Token(word, end - 1 - len(word), end - 1) for word, end in zip(citation, ends, strict=True)
    )


def _gap_name(text: str) -> str:
    """Return a gap with runs of whitespace collapsed, cut to the characters that count.

    >>> _gap_name(".  ("), _gap_name("")
    ('. (', 'none')
    """
    return " ".join(f"|{text[:32]}|".split())[1:-1][:_GAP_LENGTH] or "none"


@lru_cache(maxsize=1 << 16)
def shape_class(word: str) -> str:
    """Return the class of a word by its shape: kinds of characters, runs collapsed, and + for four or more letters.

    Upper-case letters are X, lower-case x, digits 9, others themselves or, outside of ASCII, ·. A class begins with a
    space, which no word contains, so that it cannot be mistaken for one.

    >>> shape_class("Bartlett"), shape_class("B."), shape_class("2001"), shape_class("2002-2009"), shape_class("of")
    (' Xx+', ' X.', ' 9999', ' 9-9', ' x')
    """
    kinds = [_kind(character) for character in word[:64]]
    runs = [kind for place, kind in enumerate(kinds) if place == 0 or kind != kinds[place - 1]]
    if runs == ["9"]:  # the number of digits tells years from pages
        return " " + "9" * min(len(word), _SHAPE_LENGTH)
    shape = "".join(runs[:_SHAPE_LENGTH])
    return f" {shape}+" if kinds.count("x") >= 4 else f" {shape}"


def _kind(character: str) -> str:
    if character.isdigit():
        return "9"
    if character.isalpha():
        return "X" if character.isupper() else "x"
    return character if character.isascii() else "·"
