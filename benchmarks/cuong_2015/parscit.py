"""ParsCit's pool of references as Cuong 2015 uses it: words between whitespace, one label each, scored word by word.

Ibidem has its own tokens, of which a word may have several; the label of a word is that of most of its letters and
digits. Open data are converted to ParsCit's conventions: punctuation outside of all fields goes with the field before
it, other words with the field after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ibidem.data import registry
from ibidem.data.decontamination import Blocklist
from ibidem.labels.bio import labels_of
from ibidem.metrics.scoring import Report, score_tokens
from ibidem.models.parser import Parser
from ibidem.models.training import tokens_of
from ibidem.types import Annotation, Example, Reference

Labels = tuple[str, ...]

# Our labels in ParsCit's; others become notes, as in ParsCit.
_LABELS = {
    "author": "author",
    "editor": "editor",
    "translator": "editor",
    "title": "title",
    "journal": "journal",
    "book": "booktitle",
    "series": "booktitle",
    "volume": "volume",
    "issue": "volume",
    "pages": "pages",
    "article-number": "pages",
    "date": "date",
    "publisher": "publisher",
    "place": "location",
    "institution": "institution",
    "type": "tech",
    "report-number": "tech",
}
_AFTER = ("ed", "eds", "editor", "editors", "hrsg", "edited")  # words that go with the field before them


def read_strings(split: str) -> list[Example]:
    """Read the strings of the pool, `train` or `test`, with ParsCit's words as tokens."""
    return [item for item in registry.load("parscit", split) if isinstance(item, Example)]


def retokenise(examples: Sequence[Example]) -> list[Example]:
    """Return the examples without ParsCit's words, so that our tokeniser splits them."""
    return [replace(example, tokens=()) for example in examples]


def words_of(example: Example) -> Labels:
    """Return the label of each of ParsCit's words."""
    return tuple(label.partition("-")[2] or label for label in labels_of(example.tokens, example.annotations)[0])


def predict(parser: Parser, examples: Sequence[Example]) -> list[Labels]:
    """Return the label that a parser gives each of ParsCit's words."""
    references = [Reference(each.text, tokens_of(each), each.source) for each in retokenise(examples)]
    found = []
    for example, reference, labelling in zip(examples, references, parser.label(references), strict=True):
        letters = ["O"] * len(example.text)
        for span in labelling.spans:
            start, end = reference.tokens[span.start].start, reference.tokens[span.end - 1].end
            letters[start:end] = [span.label] * (end - start)
        found.append(tuple(_majority(example.text[t.start : t.end], letters[t.start : t.end]) for t in example.tokens))
    return found


def _majority(word: str, labels: Sequence[str]) -> str:
    alphanumeric = [label for letter, label in zip(word, labels, strict=True) if letter.isalnum()] or list(labels)
    return max(sorted(set(alphanumeric)), key=alphanumeric.count)


def score(parser: Parser, examples: Sequence[Example]) -> Report:
    """Return the token scores of a parser."""
    return score_tokens([words_of(example) for example in examples], predict(parser, examples))


def read_open_data(names: Sequence[str], blocked: Blocklist) -> list[Example]:
    """Read strings of open sets in ParsCit's labels and conventions, without those that are blocked."""
    found = []
    for name in names:
        for item in registry.load_unified(name, "train"):
            if isinstance(item, Example) and not blocked.contains(item.text):
                converted = _convert(item)
                if converted is not None:
                    found.append(converted)
    return found


def _convert(example: Example) -> Example | None:
    """Return the example in ParsCit's conventions, or None where its labels are ambiguous."""
    top = [annotation for annotation in example.annotations if "/" not in annotation.label]
    if not top or any("|" in annotation.label or annotation.label == "?" for annotation in top):
        return None
    tokens = tokens_of(example)
    annotations = [
        Annotation(_LABELS.get(annotation.label, "note"), annotation.start, annotation.end)
        for annotation in top
        if annotation.label != "marker"
    ]
    labels = [label.partition("-")[2] for label in labels_of(tokens, annotations)[0]]
    if not any(labels):
        return None
    for place in range(len(tokens)):  # forwards: what goes with the field before
        word = tokens[place].text.casefold()
        if not labels[place] and place and labels[place - 1] and (not word.isalnum() or word in _AFTER):
            labels[place] = labels[place - 1]
    for place in range(len(tokens) - 2, -1, -1):  # backwards: what introduces the field after
        labels[place] = labels[place] or labels[place + 1]
    for place in range(1, len(tokens)):
        labels[place] = labels[place] or labels[place - 1]
    runs: list[Annotation] = []
    for token, label in zip(tokens, labels, strict=True):
        if runs and runs[-1].label == label:
            runs[-1] = Annotation(label, runs[-1].start, token.end)
        else:
            runs.append(Annotation(label, token.start, token.end))
    return Example(example.text, tuple(runs), example.source, example.tokens)
