"""Choice of words by the brackets and quotes that are open: what was opened in one way is closed in the same."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

_CLOSED_BY = {
    "(": ")", "（": "）", "[": "]", "［": "］", "<": ">", "«": "»", "»": "«", "“": "”", "„": "“”", "‘": "’", "”": "”",
    '"': '"', "'": "'", "「": "」", "『": "』", "《": "》", "〈": "〉", "〔": "〕", "｢": "｣", "״": "״",
}  # fmt: skip
_CLOSING = frozenset(")）]］>」』》〉〕｣")  # what never opens anything

_EITHER = frozenset("\"'“«»”״")  # what opens in one language and closes in another


def draw(alternatives: Sequence[str], opened: str, random: Random, after_value: bool = False) -> tuple[str, str]:
    """Return one of the alternatives and what is open after it; `after_value` says that they follow a field.

    Those that close what is not open are passed over where there are others, and those that leave open what another
    alternative would close.

    >>> draw(["”", "’", ", "], "“", Random(1)), draw([")", "."], "", Random(1))
    (('”', ''), ('.', ''))
    """
    if len(alternatives) == 1:
        after = follow(alternatives[0], opened)
        return alternatives[0], opened if after is None else after
    reached = [(words, after) for words in alternatives if (after := follow(words, opened, after_value)) is not None]
    least = min((len(after) for _, after in reached), default=0)
    closing = [pair for pair in reached if least < len(opened) and len(pair[1]) == least]
    return random.choice(closing or reached or [(words, opened) for words in alternatives])


def follow(words: str, opened: str, after_value: bool = False) -> str | None:
    """Return what is open after the words, innermost last; None if they close what is not open.

    A quote at the beginning of words that follow a value closes it, whatever else it can mean.

    >>> follow("in (", ""), follow(").", "("), follow(")", "["), follow("l'année", ""), follow('",', "", True)
    ('(', '', None, '', None)
    """
    for place, mark in enumerate(words):
        before, after = words[:place][-1:], words[place + 1 : place + 2]
        if mark not in _CLOSED_BY and mark not in "”’»“" and mark not in _CLOSING:
            continue
        if (mark == "'" and before.isalnum()) or (mark in "'\"״’" and before.isalpha() and after.isalpha()):
            continue  # an apostrophe, or a mark of Hebrew abbreviations
        if opened and mark in _CLOSED_BY[opened[-1]]:
            opened = opened[:-1]
        elif mark in _EITHER and after_value and (not words[:place].strip(",.") or words[: place + 1] == " »"):
            return None
        elif mark in _CLOSED_BY:
            opened += mark
        elif mark != "’":
            return None
    return opened
