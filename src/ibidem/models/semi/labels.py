"""Labels of tokens and labels of segments: what a segment is, how long it may be, and which may follow which.

Tokens have nested BIO labels. A segment is a longest run of tokens of which the first has a label and all others its
continuation: `B-title I-title I-title`, or `I-author` twice where a comma and an "and" stand between two persons. It is
called by the label of its first token. So every labelling of tokens is one sequence of segments, fields without parts
are segments, and fields with parts are made of several.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.inference.automata import nested_bio
from ibidem.types import BoolArray, IntArray

LONGEST = 4096
"""Largest number of tokens in a segment."""

Places = NDArray[np.int64]


def continuation(label: str) -> str:
    """Return the label of the tokens that continue what a token of this label is in.

    >>> continuation("B-author/B-person"), continuation("O")
    ('I-author/I-person', 'O')
    """
    return "/".join("I-" + part[2:] for part in label.split("/")) if label != "O" else label


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The labels of segments: of Y' of them, in terms of the Y labels of tokens."""

    labels: tuple[str, ...]  # [Y'] the label of a segment's first token
    first: IntArray  # [Y'] its number among the labels of tokens
    inside: IntArray  # [Y'] the number of its continuation, -1 where there is none: such segments have one token
    limits: IntArray  # [Y'] how many tokens a segment has at most
    follows: BoolArray  # [Y' + 1, Y'] which may follow which; the last row is for the start


@dataclass(frozen=True, slots=True)
class Found:
    """The segments of some labelled strings, string by string."""

    string: Places  # [M]
    start: Places  # [M] the first token, counted from that of the batch
    length: Places  # [M]
    label: Places  # [M] the number of the label of its first token; of the run that it continues if that was cut


def runs(labels: Sequence[str], token: IntArray, lengths: IntArray, limits: IntArray | None = None) -> Found:
    """Return the segments of strings whose every token has one label, with runs above the limit of their label cut.

    `token` are numbers of labels, `limits` [Y] those of the labels of tokens.
    """
    number = {label: place for place, label in enumerate(labels)}
    following = np.array([number.get(continuation(label), -1) for label in labels], dtype=np.int64)
    begins = np.cumsum(lengths) - lengths
    new = np.ones(len(token), dtype=np.bool_)
    new[1:] = token[1:] != following[token[:-1]]
    new[begins[lengths > 0]] = True
    start = np.flatnonzero(new)
    run = np.cumsum(new) - 1
    if limits is not None:  # a run begins anew wherever its length so far is a multiple of the limit
        place = np.arange(len(token)) - start[run]
        new |= place % limits[token[start]][run] == 0
    cut = np.flatnonzero(new)
    string = np.repeat(np.arange(len(lengths)), lengths)[cut]
    return Found(string, cut, np.diff(np.append(cut, len(token))), token[start[run[cut]]].astype(np.int64))


def vocabulary_of(labels: Sequence[str], found: Found, stretch: float, longest: int) -> Vocabulary:
    """Return the labels of segments, with limits `stretch` times the longest seen, and no more than `longest`.

    Where `longest` is less than what was seen, segments continue in further ones with the label of the continuation;
    with a `longest` of 1 every token is a segment, and its label the token's own.
    """
    parents = {"/".join(label.split("/")[:depth]) for label in labels for depth in range(1, label.count("/") + 1)}
    parents = {continuation(label) for label in parents}
    cut = _limits(labels, found, stretch, longest) == longest if longest else np.zeros(len(labels), dtype=np.bool_)
    going_on = {continuation(label) for label, is_cut in zip(labels, cut, strict=True) if is_cut and label != "O"}
    kept = [
        number
        for number, label in enumerate(labels)
        if continuation(label) != label or label == "O" or label in parents or label in going_on
    ]
    names = tuple(labels[number] for number in kept)
    place = {label: number for number, label in enumerate(labels)}
    inside = np.array([place.get(continuation(name), -1) for name in names], dtype=np.int32)
    limits = np.where(inside < 0, 1, _limits(labels, found, stretch, longest)[kept]).astype(np.int32)
    return Vocabulary(names, np.array(kept, dtype=np.int32), inside, limits, _follows(names, going_on))


def _limits(labels: Sequence[str], found: Found, stretch: float, longest: int) -> IntArray:
    """Return the limit of each label of tokens; labels never seen get the largest of the others.  # [Y]"""
    seen = np.zeros(len(labels), dtype=np.int64)
    np.maximum.at(seen, found.label, found.length)
    seen[seen == 0] = seen.max(initial=1)
    wide = np.where(seen == 1, 2, np.ceil(seen * stretch)).astype(np.int32)
    return np.minimum(wide, longest or LONGEST)


def _follows(names: Sequence[str], going_on: set[str]) -> BoolArray:
    """Return which segment may follow which: valid nested BIO, and no segment that only continues the one before.

    A segment may follow one of its own label, so that no field is too long to be labelled.
    """
    automaton, _ = nested_bio(names)
    follows = np.zeros((len(names) + 1, len(names)), dtype=np.bool_)
    follows[automaton.src, automaton.dst] = True
    for r, name in enumerate(names):
        after = continuation(name)
        if after != name and after in names and after not in going_on:
            follows[r, names.index(after)] = False
    return follows
