"""Strings with something left out: a field, or the end."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from ibidem.data.augmentation.editing import fields_of, mask_of, rebuild
from ibidem.types import Example

_STAY = frozenset(("author", "title", "?"))
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"))


def drop_field(example: Example, random: Random) -> Example:
    """Leave out a field with the words and marks on one side of it; authors, titles and what is unknown stay."""
    fields = fields_of(example)
    if len(fields) < 3 or sum(mask_of(len(example.text), fields)) != sum(one.end - one.start for one in fields):
        return example  # fields that overlap have no text between them
    number = random.randrange(1, len(fields))
    gone, begin = fields[number], fields[number - 1].end
    end = fields[number + 1].start if number + 1 < len(fields) else len(example.text)
    before, after = example.text[begin : gone.start], example.text[gone.end : end]
    if gone.label in _STAY or not _is_balanced(before + after):
        return example
    text = list(example.text)
    text[begin:end] = [after if _is_balanced(before) else " ", *[""] * (end - begin - 1)]
    kept = [one for one in example.annotations if one.end <= gone.start or one.start >= gone.end]
    return rebuild(replace(example, annotations=tuple(kept)), text)


def _is_balanced(text: str) -> bool:
    return all(text.count(opening) == text.count(closing) for opening, closing in _BRACKETS)


def cut_off(example: Example, random: Random) -> Example:
    """Cut the string off somewhere in its last third, as a form or a column of a table does."""
    fields = fields_of(example)
    first = max(fields[0].end if fields else 1, len(example.text) * 2 // 3)
    if first >= len(example.text):
        return example
    place = random.randrange(first, len(example.text))
    kept = tuple(one for one in example.annotations if one.start < place)
    text = [one if number < place else "" for number, one in enumerate(example.text)]
    return rebuild(replace(example, annotations=kept), text)
