"""The baseline of the benchmarks of speed: an ordinary python-crfsuite pipeline.

Tokens come from our tokeniser; a function lists some sixty features of each token, of the kind that reference parsers
use (word, case, affixes, shape, patterns, keywords, position, neighbours); `Tagger.tag` gives labels.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
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
_VENUES = frozenset("proceedings proc conference workshop symposium journal transactions letters".split())


def _shape(word: str) -> str:
    return "".join("X" if c.isupper() else "x" if c.islower() else "9" if c.isdigit() else c for c in word[:12])


def _short(shape: str) -> str:
    return re.sub(r"(.)\1+", r"\1", shape)


def _near(words: Sequence[str], place: int, offset: int) -> list[str]:
    """Return the features of a neighbour."""
    if not 0 <= place + offset < len(words):
        return [f"{offset}:outside"]
    word = words[place + offset]
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


def features_of(words: Sequence[str], place: int) -> list[str]:
    """Return the features of the token at a position."""
    word = words[place]
    lower, shape = word.lower(), _shape(word)
    found = [
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
        f"where={12 * place // len(words)}",
        f"first={min(place, 5)}",
        f"last={min(len(words) - 1 - place, 5)}",
    ]
    for offset in (-2, -1, 1, 2):
        found += _near(words, place, offset)
    if place > 0:
        found.append(f"pair={words[place - 1].lower()}|{lower}")
    if place + 1 < len(words):
        found.append(f"next={lower}|{words[place + 1].lower()}")
    return found


def items_of(text: str) -> list[list[str]]:
    """Return the features of every token of a string."""
    words = [token.text for token in tokenise(text)]
    return [features_of(words, place) for place in range(len(words))]


def is_unambiguous(example: Example) -> bool:
    """Return whether every field of an example has exactly one label."""
    return not any("|" in annotation.label or "?" in annotation.label for annotation in example.annotations)


class CrfsuiteBaseline:
    """A python-crfsuite tagger trained for the comparison."""

    def __init__(self, examples: Sequence[Example], iterations: int) -> None:
        import pycrfsuite

        trainer = pycrfsuite.Trainer(verbose=False)
        for example in filter(is_unambiguous, examples):
            trainer.append(items_of(example.text), labels_of(tokenise(example.text), example.annotations)[0])
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
        found: list[str] = self._tagger.tag(items_of(text))
        return found
