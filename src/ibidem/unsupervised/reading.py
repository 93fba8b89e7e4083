"""Citations as they are given, made words and gaps: what stands between words tells where elements end."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from ibidem.text import tokenise
from ibidem.types import IntArray, Token
from ibidem.unsupervised.corpus import NO_GAP

Citation = str | Sequence[str]
_LONGEST = 4  # characters of a gap that are told apart
_LEAST = 20  # a gap that stands fewer times is told by its first mark alone


class Decoded:
    """The words of citations as they go by; gaps and errors are kept."""

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self.errors: dict[int, str] = {}
        self._names: dict[str, int] = {"": NO_GAP}  # an empty name, as no gap is called that
        self._gaps = array("i")

    def words(self, citations: Iterable[Citation]) -> Iterator[list[str]]:
        """The words of each citation; none where there is an error, which is noted."""
        for number, citation in enumerate(citations):
            text, tokens = taken_apart(citation)
            if not tokens or not all(token.text for token in tokens):
                self.errors[number] = "empty: there is no citation here" if not text.strip() else "no words here"
            elif len(tokens) > self.longest:
                self.errors[number] = f"{len(tokens):,} tokens, and {self.longest:,} are the most; split it"
            if number in self.errors:
                yield []
                continue
            for one, other in pairwise(tokens):
                self._gaps.append(self._names.setdefault(_gap(text[one.end : other.start]), len(self._names)))
            self._gaps.append(NO_GAP)
            yield [token.text for token in tokens]

    def gap_classes(self) -> IntArray | None:
        """The class of the gap after each token [N]; None where all are alike."""
        gaps = np.frombuffer(self._gaps, dtype=np.int32) if self._gaps else np.zeros(0, dtype=np.int32)
        counts = np.bincount(gaps, minlength=len(self._names))
        classes: dict[str, int] = {"": NO_GAP}
        merged = np.zeros(len(self._names), dtype=np.int32)
        for place, name in list(enumerate(self._names))[1:]:
            marks = name.strip()
            shown = name if counts[place] >= _LEAST else f"{marks[:1]}…"
            merged[place] = classes.setdefault(shown, len(classes))
        return merged[gaps] if len(classes) > 2 else None


def taken_apart(citation: Citation) -> tuple[str, tuple[Token, ...]]:
    """The text of a citation and its tokens: the words and numbers of a string, or the tokens given, with blanks.

    >>> [token.text for token in taken_apart("Reed A. (1999) On bells.")[1]]
    ['Reed', 'A', '1999', 'On', 'bells']
    """
    if isinstance(citation, str):
        return citation, tuple(token for token in tokenise(citation) if any(map(str.isalnum, token.text)))
    ends = np.cumsum([len(word) + 1 for word in citation]).tolist()
    return " ".join(citation), tuple(
        Token(word, end - 1 - len(word), end - 1) for word, end in zip(citation, ends, strict=True)
    )


def _gap(text: str) -> str:
    """A gap with its blanks made one, as far as it is told apart.

    >>> _gap(".  ("), _gap("")
    ('. (', 'none')
    """
    return " ".join(f"|{text[:32]}|".split())[1:-1][:_LONGEST] or "none"
