"""The words of a heading: the whole of it, first, second and last word (Luong et al. 2010), stems, pairs and case."""

from __future__ import annotations

import re
from itertools import pairwise

from ibidem.text.fold import fold

LONGEST = 200  # characters; what comes after says little about a heading
_MOST = 24  # words
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# Endings that are cut off, longest first, as long as four letters stay: experiments, experimental, experimentation.
_ENDINGS = (
    "isations izations isation ization ational ations ation ments mental ment ings ing ions ion ives ive ical ics ic "
    "als al ers er ies es ed s e y"
).split()


def words_of(text: str) -> list[str]:
    """The folded words of a heading.

    >>> words_of("Background & Related Work")
    ['background', 'related', 'work']
    """
    return _WORD.findall(fold(text[:LONGEST]))[:_MOST]


def stem(word: str) -> str:
    """The word without its ending.

    >>> stem("experiments"), stem("experimental"), stem("evaluation"), stem("evaluating")
    ('experi', 'experi', 'evalu', 'evaluat')
    """
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def attributes(text: str) -> list[str]:
    """What the words of a heading say, number left out."""
    words = words_of(text)
    found = [f"whole={' '.join(words)}", f"case={_case(text)}", f"words={min(len(words), 7)}"]
    if words:
        found += [f"first={words[0]}", f"second={words[1] if len(words) > 1 else ''}", f"last={words[-1]}"]
    stems = [stem(word) for word in words]
    found += [f"w={word}" for word in dict.fromkeys(words)]
    found += [f"s={one}" for one in dict.fromkeys(stems)]
    found += [f"start={word[:4]}" for word in dict.fromkeys(words) if len(word) > 4]
    found += [f"pair={one} {other}" for one, other in pairwise(stems)]
    if stems:
        found += [f"first-stem={stems[0]}", f"last-stem={stems[-1]}"]
    if text.rstrip().endswith("?"):
        found.append("question")
    if any(character.isdigit() for character in text):
        found.append("digit")
    return found


def _case(text: str) -> str:
    if text.isupper():
        return "upper"
    large = [word[0].isupper() for word in text.split() if word[:1].isalpha()]
    if len(large) > 1 and all(large):
        return "title"
    return "mixed" if sum(large) > 1 else "sentence" if large and large[0] else "lower"
