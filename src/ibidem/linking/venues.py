"""Whether one name of a journal or meeting can be short for another."""

from __future__ import annotations

from collections.abc import Sequence

_SMALL = frozenset("of the and in on for a an to de la der und et le des di do".split())


def abbreviates(one: str, other: str) -> float:
    """How much of the shorter name is words of the longer one, in order, cut short or not; both folded.

    >>> abbreviates("j appl phys", "journal of applied physics"), abbreviates("jacm", "journal of the acm")
    (1.0, 1.0)
    >>> abbreviates("nature", "reed letters")
    0.0
    """
    return abbreviated(*(counting(name).split() for name in sorted((one, other))))


def counting(name: str) -> str:
    """The words of a name that count, with one blank between them.

    >>> counting("the journal of applied physics 12")
    'journal applied physics'
    """
    return " ".join([word for word in name.split()[:30] if word not in _SMALL and not word.isdigit()])


def abbreviated(one: Sequence[str], other: Sequence[str]) -> float:
    """The same of the words that count; of two names with as many letters the first is taken for the shorter."""
    letters = [sum(map(len, words)) for words in (one, other)]
    short, long = (one, other) if letters[0] <= letters[1] else (other, one)
    if not short or not long:
        return 0.0
    if len(short) == 1 and len(long) > 1 and _is_acronym(short[0], long):
        return 1.0
    place = matched = 0
    for word in short:
        found = next((k for k in range(place, len(long)) if _cut(word, long[k])), None)
        if found is not None:
            matched += len(word)
            place = found + 1
    return matched / min(letters)


def _cut(one: str, other: str) -> bool:
    """Whether one word is the beginning of the other, or its first and last letters."""
    if one[0] != other[0]:
        return False
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    return long.startswith(short) or (len(short) > 2 and _in_order(short, long))


def _in_order(short: str, long: str) -> bool:
    letters = iter(long)
    return all(letter in letters for letter in short)


def _is_acronym(short: str, long: Sequence[str]) -> bool:
    """Whether a word is made of the first letters of words, the last of which may stand whole."""
    firsts = "".join(word[0] for word in long)
    return len(short) > 1 and (short == firsts or short == firsts[:-1] + long[-1])
