"""The baseline of the benchmarks of speed: a python-crfsuite pipeline that computes nothing about a word twice.

Tokens come from our tokeniser; each has some sixty features of the kind that reference parsers use (word, case,
affixes, shape, patterns, keywords, position, neighbours). Those of a word and of a neighbour are kept between strings,
as our parser keeps what it computed for a word; `Tagger.tag` of one tagger gives labels.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ibidem.labels.bio import labels_of
from ibidem.text import tokenise
from ibidem.types import Example

_YEAR = re.compile(r"(?:1[4-9]|20)\d\d$")
_ROMAN = re.compile(r"[ivxlcIVXLC]+$")
_LINK = re.compile(r"https?:|www\.|10\.\d{4}")
_MONTHS = frozenset(
    "jan feb mar apr may jun jul aug sep oct nov dec january february march april june july august september october "
    "november december".split()
)
_PAGES = frozenset(["p", "pp", "page", "pages", "seite", "s"])
_VOLUMES = frozenset(["vol", "volume", "no", "nr", "number", "issue", "bd", "band", "tome"])
_EDITORS = frozenset(["ed", "eds", "editor", "editors", "edited", "hrsg", "hg"])
_PUBLISHERS = frozenset(["press", "verlag", "university", "springer", "wiley", "elsevier", "publishers", "publishing"])
_OFFSETS = (-2, -1, 1, 2)
_VENUES = frozenset("proceedings proc conference workshop symposium journal transactions letters".split())


def _shape(word: str) -> str:
    return "".join("X" if c.isupper() else "x" if c.islower() else "9" if c.isdigit() else c for c in word[:12])


def _short(shape: str) -> str:
    return re.sub(r"(.)\1+", r"\1", shape)


def _own(word: str) -> list[str]:
    """Return the features of a token that depend on its own word alone."""
    lower, shape = word.lower(), _shape(word)
    return [
        "bias",
        f"word={word}",
        f"lower={lower}",
        f"prefix1={word[:1]}",
        f"prefix2={word[:2]}",
        f"prefix3={word[:3]}",
        f"prefix4={word[:4]}",
        f"suffix1={word[-1:]}",
        f"suffix2={word[-2:]}",
        f"suffix3={word[-3:]}",
        f"suffix4={word[-4:]}",
        f"shape={shape}",
        f"short={_short(shape)}",
        f"length={min(len(word), 10)}",
        f"upper={word.isupper()}",
        f"title={word.istitle()}",
        f"digit={word.isdigit()}",
        f"initial={len(word) == 1 and word.isupper()}",
        f"punctuation={not word[0].isalnum()}",
        f"year={_YEAR.match(word) is not None}",
        f"roman={_ROMAN.match(word) is not None}",
        f"link={_LINK.match(lower) is not None}",
        f"month={lower in _MONTHS}",
        f"pages={lower in _PAGES}",
        f"volume={lower in _VOLUMES}",
        f"editor={lower in _EDITORS}",
        f"publisher={lower in _PUBLISHERS}",
        f"venue={lower in _VENUES}",
    ]


def _near(word: str, offset: int) -> list[str]:
    """Return the features that a word gives the token whose neighbour at this offset it is."""
    shape = _shape(word)
    return [
        f"{offset}:word={word.lower()}",
        f"{offset}:shape={shape}",
        f"{offset}:short={_short(shape)}",
        f"{offset}:title={word.istitle()}",
        f"{offset}:upper={word.isupper()}",
        f"{offset}:digit={word.isdigit()}",
        f"{offset}:alnum={word.isalnum()}",
        f"{offset}:year={_YEAR.match(word) is not None}",
    ]


class WordFeatures(dict[str, tuple[str, list[bytes], list[list[bytes]]]]):
    """For each word: lower-case form, its own features, and those of a neighbour at each offset.

    They are computed when a word is first seen and kept, encoded as python-crfsuite wants them.
    """

    def __missing__(self, word: str) -> tuple[str, list[bytes], list[list[bytes]]]:
        near = [_encode(_near(word, offset)) for offset in _OFFSETS]
        found = self[word] = (word.lower(), _encode(_own(word)), near)
        return found


def _encode(features: Iterable[str]) -> list[bytes]:
    return [feature.encode() for feature in features]


_OUTSIDE = [_encode([f"{offset}:outside"]) for offset in _OFFSETS]


def items_of(text: str, known: WordFeatures) -> list[list[bytes]]:
    """Return the features of every token of a string: those of its words, of their pairs and of its position."""
    words = [known[token.text] for token in tokenise(text)]
    count, items = len(words), []
    for place, (lower, own, _) in enumerate(words):
        item = [*own, *_encode(_position(place, count))]
        for number, offset in enumerate(_OFFSETS):
            other = place + offset
            item += words[other][2][number] if 0 <= other < count else _OUTSIDE[number]
        if place > 0:
            item.append(f"pair={words[place - 1][0]}|{lower}".encode())
        if place + 1 < count:
            item.append(f"next={lower}|{words[place + 1][0]}".encode())
        items.append(item)
    return items


def _position(place: int, count: int) -> tuple[str, ...]:
    return f"where={12 * place // count}", f"first={min(place, 5)}", f"last={min(count - 1 - place, 5)}"


def is_unambiguous(example: Example) -> bool:
    """Return whether every field of an example has exactly one label."""
    return not any("|" in annotation.label or "?" in annotation.label for annotation in example.annotations)


class CrfsuiteBaseline:
    """A python-crfsuite tagger trained for the comparison."""

    def __init__(self, examples: Sequence[Example], iterations: int) -> None:
        import pycrfsuite

        self._known = WordFeatures()
        trainer = pycrfsuite.Trainer(verbose=False)
        for example in filter(is_unambiguous, examples):
            labels = labels_of(tokenise(example.text), example.annotations)[0]
            trainer.append(items_of(example.text, self._known), labels)
        trainer.set_params({"c1": 0.0, "c2": 0.1, "max_iterations": iterations})
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "baseline.crfsuite"
            trainer.train(str(path))
            self._tagger: Any = pycrfsuite.Tagger()
            self._model = path.read_bytes()  # the tagger reads from it and does not copy it
            self._tagger.open_inmemory(self._model)
        self.labels = len(self._tagger.labels())

    def label(self, text: str) -> list[str]:
        """Return the label of every token of a string."""
        found: list[str] = self._tagger.tag(items_of(text, self._known))
        return found

    def label_many(self, texts: Iterable[str]) -> list[list[str]]:
        """Return the label of every token of each string."""
        return [self.label(text) for text in texts]
