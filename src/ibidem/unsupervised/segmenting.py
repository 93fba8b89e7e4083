"""Citations in, segments out: the implementation of `ibidem.segment`, whatever the method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np

from ibidem.errors import ConfigError, InputError
from ibidem.types import Field, Token
from ibidem.unsupervised.corpus import Citation, CitationReader, Corpus, corpus_of, shape_class, tokenise_citation
from ibidem.unsupervised.forward_filtering_backward_sampling import NO_ELEMENT, Floats
from ibidem.unsupervised.methods import Config, Fit, Job, Progress, check_job, find_method
from ibidem.unsupervised.seed_words import Matcher, SeedWords


@dataclass(frozen=True, slots=True)
class Segmented:
    """One citation and its fields, in order; or the reason why there are none.

    The confidence of a field is that of its least certain token. `elements` and `confidence` have an entry for each
    token: the number of its element, from 1, and its probability. The tokens of a string are its words and numbers;
    punctuation is what stands between them: a field includes that inside it, not that at its edges.
    """

    text: str
    fields: tuple[Field, ...] = ()
    tokens: tuple[Token, ...] = ()
    elements: tuple[int, ...] = ()
    confidence: tuple[float, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Segmentation:
    """The fields of every citation, and the model that was fitted.

    Latent fields are called elements; they are numbered from 1 by their average position. Citations are tokenised again
    when they are accessed, so that a million of them need little memory.
    """

    citations: Sequence[Citation]
    errors: dict[int, str]  # by the citation's index, from 0
    names: tuple[str, ...]
    corpus: Corpus
    fit: Fit

    def __repr__(self) -> str:
        return f"<Segmentation: {len(self):,} citations, {len(self.errors):,} errors; fields {', '.join(self.names)}>"

    def __len__(self) -> int:
        return len(self.citations)

    def __iter__(self) -> Iterator[Segmented]:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, number: int) -> Segmented:
        """Return the fields of one citation."""
        number = range(len(self))[number]
        if number in self.errors:
            return Segmented(_text_of(self.citations[number]), error=self.errors[number])
        text, tokens = tokenise_citation(self.citations[number])
        begin, end = self.corpus.starts[number], self.corpus.starts[number + 1]
        elements, confidence = self.fit.elements[begin:end].tolist(), self.fit.confidence[begin:end].tolist()
        fields = []
        for s, t in _runs(elements):
            start, stop = tokens[s].start, tokens[t - 1].end
            fields.append(Field(self.names[elements[s]], text[start:stop], start, stop, min(confidence[s:t])))
        return Segmented(text, tuple(fields), tokens, tuple(k + 1 for k in elements), tuple(confidence))

    @property
    def log_likelihoods(self) -> tuple[float, ...]:
        """The log-likelihood per token after each sweep."""
        return self.fit.log_likelihoods

    def rename(self, names: Sequence[str]) -> Segmentation:
        """Return the same with other names; two elements may have the same one."""
        return replace(self, names=check_names(names, len(self.names)))

    def orders(self, count: int = 10) -> list[tuple[tuple[str, ...], float]]:
        """Return the most frequent orders of fields in the citations, each with its share."""
        seen: Counter[tuple[int, ...]] = Counter()
        starts, elements = self.corpus.starts, self.fit.elements
        changes = np.ones(len(elements), dtype=np.bool_)
        changes[1:] = elements[1:] != elements[:-1]
        changes[starts[:-1][np.diff(starts) > 0]] = True
        places = np.flatnonzero(changes)
        owner = np.searchsorted(starts, places, side="right") - 1
        firsts = np.searchsorted(owner, np.arange(self.corpus.size + 1))
        for number, (begin, end) in enumerate(pairwise(firsts)):
            if number not in self.errors:
                seen[tuple(elements[places[begin:end]].tolist())] += 1
        total = sum(seen.values()) or 1
        return [(tuple(self.names[k] for k in order), times / total) for order, times in seen.most_common(count)]

    def typical_words(self, count: int = 12) -> list[list[tuple[str, int]]]:
        """Return for each element the words that distinguish it most from the others, each with its count there.

        Words too rare to be counted are represented by the class of their shape: ‹Xx+› is a capital and small letters.
        """
        counts = self.fit.word_counts.astype(np.float64)
        inside = counts / np.maximum(counts.sum(axis=0), 1)
        overall = counts.sum(axis=1, keepdims=True) / max(counts.sum(), 1)
        scores: Floats = counts * np.log(np.maximum(inside, 1e-12) / np.maximum(overall, 1e-12))
        words = []
        for k in range(counts.shape[1]):
            best = np.argsort(-scores[:, k], kind="stable")[:count]
            words.append([(_display(self.corpus.vocabulary[w]), int(counts[w, k])) for w in best if scores[w, k] > 0])
        return words


def segment_citations(
    citations: Iterable[Citation],
    config: Config,
    *,
    seed_words: Sequence[SeedWords] = (),
    names: Sequence[str] = (),
    threads: int = 1,
    progress: Progress | None = None,
    checkpoint: Path | None = None,
    resume: bool = False,
) -> Segmentation:
    """Segment citations of which nothing is known but the number of fields, by the method of the configuration."""
    report = progress or (lambda _: None)
    check_job(config, len(seed_words), threads, checkpoint is not None)
    if resume and checkpoint is None:
        raise ConfigError("resume continues from a checkpoint: give its file")
    if names:
        check_names(names, config.fields)
    if isinstance(citations, str | bytes) or not isinstance(citations, Iterable):
        raise ConfigError(
            f"the citations are {type(citations).__name__}; give a list of strings, one for each citation"
        )
    given = list(citations)
    matcher, reader = Matcher(seed_words), CitationReader(config.longest)
    corpus = corpus_of(
        reader.read(given),
        config.min_count,
        lambda word: word if matcher.match(word) else shape_class(word),
        lower_first=config.min_count > 1,
    )
    corpus, errors = replace(corpus, gaps=reader.gap_classes()), reader.errors
    _check_corpus(corpus, config.fields, len(given) - len(errors))
    report(f"{corpus.size - len(errors):,} citations, {len(corpus.words):,} tokens, {len(corpus.vocabulary):,} words")
    job = Job(corpus, matcher.pseudo_counts(corpus), threads, report, checkpoint, resume)
    fit = find_method(config.method).fit(config, job)
    groups = enumerate(fit.seed_words)
    own_names = tuple(names) or tuple(seed_words[g].name if g >= 0 else f"element-{k + 1}" for k, g in groups)
    return Segmentation(given, errors, own_names, corpus, fit)


def check_names(names: Sequence[str], fields: int) -> tuple[str, ...]:
    """Return the names, stripped, if there is one for each field; raise a `ConfigError` otherwise."""
    if isinstance(names, str) or not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise ConfigError("the names are no list of strings; give a list with one for each field")
    if len(names) != fields or not all(name.strip() for name in names):
        raise ConfigError(f"{len(names)} names ({', '.join(names)}) for {fields} fields: give one for each")
    return tuple(name.strip() for name in names)


def _text_of(citation: Citation) -> str:
    """Return the text of a citation, as far as it has one."""
    if isinstance(citation, str | bytes) or not isinstance(citation, Sequence):
        return citation if isinstance(citation, str) else ""
    return " ".join(word for word in citation if isinstance(word, str))


def _check_corpus(corpus: Corpus, fields: int, readable: int) -> None:
    if readable < 2:
        raise InputError(
            f"{readable} citation{'' if readable == 1 else 's'} with words in it: fields are found by what repeats; "
            "give a file with hundreds of citations"
        )
    if corpus.lengths.max() < fields:
        raise InputError(
            f"{fields} fields, and no citation has more than {corpus.lengths.max()} tokens: ask for fewer fields"
        )


def _runs(elements: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the begin and the end of each run of one element."""
    end = 0
    for element, run in groupby(elements):
        begin, end = end, end + len(list(run))
        if element != NO_ELEMENT:
            yield begin, end


def _display(word: str) -> str:
    return f"‹{word[1:]}›" if word.startswith(" ") else word
