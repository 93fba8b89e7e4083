"""Labelled strings in columns of one's own: a token and its BIO label on every line, blank lines between strings.

Comments say more where the file has them: `# text` is the exact string, `# source` where it comes from, `# opaque`
and `# tokens` as in `Example`. Without `# text`, the tokens are joined by one blank.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ibidem.data.readers.columns import join
from ibidem.data.readers.files import lines_of
from ibidem.labels.bio import spans_of
from ibidem.types import Annotation, Example, Malformed, Token

_COMMENT = re.compile(r"# (text|source|opaque|tokens) =(?: (.*))?\Z", re.DOTALL)  # no token has a blank in it
_ESCAPE = re.compile(r"\\([\\nr])")
_PLAIN = {"\\": "\\", "n": "\n", "r": "\r"}


def marks_of_labels(tokens: Sequence[Token], labels: Sequence[str]) -> tuple[Annotation, ...]:
    """The marks, parents first, that nested BIO labels on tokens stand for."""
    return tuple(
        Annotation(span.label, tokens[span.start].start, tokens[span.end - 1].end) for span in spans_of(labels)
    )


def read_conll(path: Path) -> Iterator[Example | Malformed]:
    """The strings of a file in columns; a string with something wrong in it is reported and not given."""
    comments: dict[str, str] = {}
    rows: list[list[str]] = []
    first = 0
    for number, line in enumerate(lines_of(path, "replace"), 1):
        found = None if rows else _COMMENT.match(line)
        if found:
            comments[found[1]] = _ESCAPE.sub(lambda escape: _PLAIN[escape[1]], found[2] or "")
        elif line.strip():
            if not rows:
                first = number
            rows.append(line.split("\t") if "\t" in line else line.split())
        elif rows or comments:
            yield _example(rows, comments, f"{path.name}:{first or number}")
            comments, rows, first = {}, [], 0
    if rows or comments:
        yield _example(rows, comments, f"{path.name}:{first}")


def _example(rows: list[list[str]], comments: dict[str, str], where: str) -> Example | Malformed:
    source = comments.get("source", where)
    if any(len(row) < 2 for row in rows):
        return Malformed(where, "a line has no label; expected a token, a tab and a label")
    if any("\ufffd" in row[0] for row in rows) and "\ufffd" not in comments.get("text", ""):
        return Malformed(where, "not UTF-8")
    words, labels = [row[0] for row in rows], [row[-1] for row in rows]
    if "text" in comments:
        text = comments["text"]
        tokens = _placed(words, text)
        if tokens is None:
            return Malformed(where, "the tokens are not those of the line `# text`")
    else:
        text, tokens = join(words, tight=False)
    partially_annotated = frozenset(comments.get("opaque", "").split())
    kept = _own(comments["tokens"], text) if "tokens" in comments else () if "text" in comments else tokens
    if kept is None:
        return Malformed(where, "the line `# tokens` does not fit the text")
    return Example(text, marks_of_labels(tokens, labels), source, kept, partially_annotated)


def _placed(words: Sequence[str], text: str) -> tuple[Token, ...] | None:
    """The words where they stand in the text, with nothing but blanks between them; None where they do not."""
    tokens: list[Token] = []
    place = 0
    for word in words:
        start = text.find(word, place) if word else -1
        if start < 0 or text[place:start].strip():
            return None
        place = start + len(word)
        tokens.append(Token(word, start, place))
    return None if text[place:].strip() else tuple(tokens)


def _own(places: str, text: str) -> tuple[Token, ...] | None:
    tokens: list[Token] = []
    for one in places.split():
        start, dash, end = one.partition("-")
        if not dash or not (start.isdecimal() and end.isdecimal()) or not int(start) < int(end) <= len(text):
            return None
        tokens.append(Token(text[int(start) : int(end)], int(start), int(end)))
    return tuple(tokens)
