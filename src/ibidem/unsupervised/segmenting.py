"""Citations in, segments out: what stands behind `ibidem.segment`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import ConfigError, InputError
from ibidem.types import Field, Token
from ibidem.unsupervised import forward_filtering_backward_sampling as drawing
from ibidem.unsupervised.corpus import Corpus, corpus_of
from ibidem.unsupervised.forward_filtering_backward_sampling import NO_ELEMENT, Elements, Floats
from ibidem.unsupervised.learning import Settings, State, priors_of, tables_of
from ibidem.unsupervised.reading import Citation, Decoded, taken_apart
from ibidem.unsupervised.running import run
from ibidem.unsupervised.seed_words import Hint, Matcher
from ibidem.unsupervised.shapes import shape_class

Progress = Callable[[str], None]
LARGEST = drawing.MOST_ELEMENTS - 1


@dataclass(frozen=True, slots=True)
class Segmented:
    """One citation and its segments, in order; or the reason why there are none.

    A segment is a `Field` whose confidence is that of its least sure token. `elements` and `confidence` have an entry
    for each token: the number of its element, from 1, and the chance of it. Of a string the words and numbers are the
    tokens; punctuation is what stands between them, and a field has that within it, not that at its edges.
    """

    text: str
    fields: tuple[Field, ...] = ()
    tokens: tuple[Token, ...] = ()
    elements: tuple[int, ...] = ()
    confidence: tuple[float, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Segmentation:
    """The segments of every citation, and what was learnt of the elements.

    Elements are numbered from 1 by where they stand on average. Citations are taken apart again when they are asked
    for, so that a million of them need little room.
    """

    citations: Sequence[Citation]
    errors: dict[int, str]  # by the citation's number, from 0
    names: tuple[str, ...]
    corpus: Corpus
    elements: Elements  # [N]
    confidence: NDArray[np.float32]  # [N]
    state: State
    log_likelihoods: tuple[float, ...]  # of a token, after each sweep

    def __len__(self) -> int:
        return len(self.citations)

    def __iter__(self) -> Iterator[Segmented]:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, number: int) -> Segmented:
        """The segments of one citation."""
        text, tokens = taken_apart(self.citations[number])
        if number in self.errors:
            return Segmented(text, error=self.errors[number])
        begin, end = self.corpus.starts[number], self.corpus.starts[number + 1]
        elements, chances = self.elements[begin:end].tolist(), self.confidence[begin:end].tolist()
        fields = []
        for s, t in _runs(elements):
            start, stop = tokens[s].start, tokens[t - 1].end
            fields.append(Field(self.names[elements[s]], text[start:stop], start, stop, min(chances[s:t])))
        return Segmented(text, tuple(fields), tokens, tuple(k + 1 for k in elements), tuple(chances))

    def renamed(self, names: Sequence[str]) -> Segmentation:
        """The same with other names; two elements may have the same one."""
        return Segmentation(
            self.citations, self.errors, checked_names(names, self.state.size), self.corpus, self.elements,
            self.confidence, self.state, self.log_likelihoods,
        )  # fmt: skip

    def orders(self, count: int = 10) -> list[tuple[tuple[str, ...], float]]:
        """The most frequent orders of elements in the citations, each with its share."""
        seen: Counter[tuple[int, ...]] = Counter()
        starts = self.corpus.starts
        changes = np.ones(len(self.elements), dtype=np.bool_)
        changes[1:] = self.elements[1:] != self.elements[:-1]
        changes[starts[:-1][np.diff(starts) > 0]] = True
        places = np.flatnonzero(changes)
        owner = np.searchsorted(starts, places, side="right") - 1
        firsts = np.searchsorted(owner, np.arange(self.corpus.size + 1))
        for number, (begin, end) in enumerate(pairwise(firsts)):
            if number not in self.errors:
                seen[tuple(self.elements[places[begin:end]].tolist())] += 1
        total = sum(seen.values()) or 1
        return [(tuple(self.names[k] for k in order), times / total) for order, times in seen.most_common(count)]

    def typical_words(self, count: int = 12) -> list[list[tuple[str, int]]]:
        """For each element the words that tell it from the others most, each with how often it stands there.

        Words too rare to count stand for their class by its look: ‹Xx+› is a capital and small letters.
        """
        counts = self.state.counts.word.astype(np.float64)
        inside = counts / np.maximum(counts.sum(axis=0), 1)
        overall = counts.sum(axis=1, keepdims=True) / max(counts.sum(), 1)
        worth: Floats = counts * np.log(np.maximum(inside, 1e-12) / np.maximum(overall, 1e-12))
        found = []
        for k in range(self.state.size):
            best = np.argsort(-worth[:, k], kind="stable")[:count]
            found.append([(_shown(self.corpus.vocabulary[w]), int(counts[w, k])) for w in best if worth[w, k] > 0])
        return found


def segment_citations(
    citations: Iterable[Citation],
    settings: Settings,
    *,
    hints: Sequence[Hint] = (),
    names: Sequence[str] = (),
    threads: int = 1,
    progress: Progress | None = None,
    checkpoint: Path | None = None,
    resume: bool = False,
) -> Segmentation:
    """The segments of citations of which nothing is known but the number of elements."""
    tell = progress or (lambda _: None)
    _check(settings, hints, names)
    given = list(citations)
    matcher, reading = Matcher(hints), Decoded(settings.longest)
    corpus = corpus_of(
        reading.words(given),
        settings.least,
        lambda word: word if matcher.of(word) else shape_class(word),
        lower_first=True,
    )
    corpus, errors = replace(corpus, gaps=reading.gap_classes()), reading.errors
    _check_corpus(corpus, settings, len(given) - len(errors))
    priors = priors_of(corpus, matcher.tokens(corpus))
    tell(f"{corpus.size - len(errors):,} citations, {len(corpus.words):,} tokens, {len(corpus.vocabulary):,} words")
    state, history = run(corpus, priors, settings, threads, tell, checkpoint, resume)
    elements, confidence, _ = drawing.read(corpus, state.elements, tables_of(state, priors), threads)
    named = tuple(names) or tuple(hints[h].name if h >= 0 else f"element-{k + 1}" for k, h in enumerate(state.hint))
    return Segmentation(given, errors, named, corpus, elements, confidence, state, tuple(history))


def checked_names(names: Sequence[str], elements: int) -> tuple[str, ...]:
    """The names, if there is one for each element."""
    if len(names) != elements or not all(name.strip() for name in names):
        raise ConfigError(f"{len(names)} names ({', '.join(names)}) for {elements} elements: give one for each")
    return tuple(name.strip() for name in names)


def _check(settings: Settings, hints: Sequence[Hint], names: Sequence[str]) -> None:
    if not 1 <= settings.elements <= LARGEST:
        raise ConfigError(
            f"{settings.elements} elements; from 1 to {LARGEST} can be told apart: every set of them is gone through"
        )
    if len(hints) > settings.elements:
        raise ConfigError(f"{len(hints)} hints for {settings.elements} elements: give one for an element at most")
    for name in ("sweeps", "least", "sample", "restarts", "longest"):
        if getattr(settings, name) < 1:
            raise ConfigError(f"{name} is {getattr(settings, name)}: give 1 or more")
    if names:
        checked_names(names, settings.elements)


def _check_corpus(corpus: Corpus, settings: Settings, readable: int) -> None:
    if readable < 2:
        raise InputError(
            f"{readable} citation{'' if readable == 1 else 's'} with words in it: what repeats can be learnt from many "
            "alone; give a file with hundreds of them"
        )
    if corpus.lengths.max() < settings.elements:
        raise InputError(
            f"{settings.elements} elements, and no citation has more than {corpus.lengths.max()} tokens: "
            "ask for fewer elements"
        )


def _runs(elements: Sequence[int]) -> Iterator[tuple[int, int]]:
    begin = 0
    for place in range(1, len(elements) + 1):
        if place == len(elements) or elements[place] != elements[begin]:
            if elements[begin] != NO_ELEMENT:
                yield begin, place
            begin = place


def _shown(word: str) -> str:
    return f"‹{word[1:]}›" if word.startswith(" ") else word
