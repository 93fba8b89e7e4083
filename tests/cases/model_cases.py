"""Invented references with nested marks, models of them, and corpora small enough for enumeration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ibidem.features.lexicons import Lexicons, WordStatistics, hash_phrases, hash_words
from ibidem.models.chain import ChainModel
from ibidem.models.likelihood import Weights
from ibidem.models.training import CRFConfig, Trainer, labels_seen, training_set
from ibidem.text.fold import hash32
from ibidem.types import Annotation, Example

FAMILIES, TITLES, JOURNALS = (
    "Reed Marsh Sedge Quill".split(),
    "reeds bells ferries mires".split(),
    "River Bog Ferry".split(),
)


def lexicons() -> Lexicons:
    """Lexicons with a few words in each."""
    prints = np.array(sorted(hash32(word) for word in ("drift", "review")), dtype=np.uint32)
    return Lexicons(
        {"family": hash_words(FAMILIES)},
        {"journal": hash_phrases(["River Review", "Bog Review"])},
        WordStatistics(prints, np.array([1, 2], dtype=np.uint8)),
    )


def references(count: int = 24) -> list[Example]:
    """References of one style: one or two authors, year, title, journal, volume, pages."""
    return [_reference(number) for number in range(count)]


def _reference(number: int) -> Example:
    people = [(FAMILIES[(number + k) % 4], "ABCDE"[(number * 3 + k) % 5] + ".") for k in range(1 + number % 2)]
    parts: list[tuple[tuple[str, ...], str]] = []
    for place, (family, given) in enumerate(people):
        parts += [(("author",), ", ")] if place else []
        person = ("author", f"person#{place}")
        parts += [((*person, "family"), family), (person, ", "), ((*person, "given"), given)]
    parts += [((), " ("), (("date", "year"), str(1980 + number)), ((), "). ")]
    parts += [
        (("title",), f"The drift of {TITLES[number % 4]}"),
        ((), ". "),
        (("journal",), f"{JOURNALS[number % 3]} Review"),
    ]
    parts += [((), ", "), (("volume",), str(number + 2)), ((), ", ")]
    parts += [
        (("pages", "first"), str(10 + number)),
        (("pages",), "-"),
        (("pages", "last"), str(20 + number)),
        ((), "."),
    ]
    return _marked(parts, f"invented:{number}")


def _marked(parts: Sequence[tuple[tuple[str, ...], str]], source: str) -> Example:
    """The example whose text the parts make; a number after # tells two marks of one label apart."""
    text, edges = "", {}
    for path, words in parts:
        for depth in range(1, len(path) + 1):
            start = edges.get(path[:depth], (len(text), 0))[0]
            edges[path[:depth]] = (start, len(text) + len(words))
        text += words
    annotations = [Annotation("/".join(part.partition("#")[0] for part in path), *edge) for path, edge in edges.items()]
    return Example(
        text,
        tuple(sorted(annotations, key=lambda annotation: (annotation.start, -annotation.end, annotation.label))),
        source,
    )


def trainer_of(examples: Sequence[Example], config: CRFConfig, loose: bool = False) -> Trainer:
    """The trainer of some examples in their own labels."""
    data = training_set([(example, loose) for example in examples], labels_seen(examples))
    return Trainer.prepare(data, lexicons(), config)


def trained(examples: Sequence[Example], config: CRFConfig | None = None) -> ChainModel:
    """A model of some examples, with a calibration and a card."""
    trainer = trainer_of(examples, config or CRFConfig(iterations=30))
    model = trainer.model(trainer.run(lambda *_: False), {"name": "tiny"})
    return replace(model, calibration={"*": (0.9, 0.1, 0.0), "title": (1.1, -0.2, -0.3)})


def small_corpus(partially_annotated: bool) -> list[Example]:
    """Three strings of a few tokens; with `opaque`, marks that leave the labels of some tokens open."""
    texts = ("Reed 12 bells", "bells Marsh 7", "Reed")
    if not partially_annotated:
        annotations = [
            (Annotation("author", 0, 4), Annotation("volume", 5, 7), Annotation("title", 8, 13)),
            (Annotation("title", 0, 11),),
            (Annotation("author", 0, 4),),
        ]
    else:
        annotations = [
            (Annotation("author", 0, 4), Annotation("?", 5, 13)),
            (Annotation("title|author", 0, 11),),
            (Annotation("author", 0, 4),),
        ]
    return [Example(text, own, "small") for text, own in zip(texts, annotations, strict=True)]


def small_trainer(partially_annotated: bool, remember: bool, **settings: object) -> Trainer:
    """The trainer of the small corpus, every feature kept; the labels are those of the complete marks."""
    config = CRFConfig(window=3, min_count=1, context_min_count=2, remember=remember, **settings)  # type: ignore[arg-type]
    data = training_set(
        [(example, False) for example in small_corpus(partially_annotated)], labels_seen(small_corpus(False))
    )
    return Trainer.prepare(data, lexicons(), config)


def random_weights(trainer: Trainer, seed: int, scale: float = 0.3) -> Weights:
    """Weights drawn at random."""
    zero = trainer.zero_weights()
    return zero.filled(np.random.default_rng(seed).normal(scale=scale, size=len(zero.flat())))
