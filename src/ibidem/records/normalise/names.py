"""One name and its parts: family, given, particle, suffix; or a group as a literal.

The letters and their case stay as they are. Initials are written with full stops and spaces (`JA` is `J. A.`).
"""

from __future__ import annotations

import re
from functools import lru_cache

from ibidem.records.normalise.given_names import given_of, is_initials, is_pronounceable, tidy_name
from ibidem.records.normalise.name_lexicon import (
    ASIAN_FAMILY,
    CAPITAL_PARTICLES,
    COMPOUND_HAN,
    DOUBLE,
    GROUP,
    GROUP_SPLIT,
    INNER,
    NAMES_TOO,
    PARTICLES,
    SUFFIXES,
    VIETNAMESE_FAMILY,
    is_family_name,
    is_given_name,
)
from ibidem.records.record import Name

_WORDS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]{2,5}\Z")
_HANGUL = re.compile(r"[\uac00-\ud7a3]{2,4}\Z")
_PINYIN = re.compile(
    r"(?:[bpmfdtnlgkhjqxrzcsyw]?h?[aeiouü]{1,3}(?:ng|n|r)?['-]?){1,3}\Z|[a-z]+-[a-z]+\Z", re.IGNORECASE
)
_GROUP_ENDING = re.compile(
    r"[\u3400-\u9fff]{2}(?:市|省|県|庁|局|政府|公司|大学|大學|研究所|委员会|委員会|委員會|協会|协会|協會|学会|學會|研究会|中心|集团|"
    r"出版社|新聞社|博物館|博物馆|図書館|图书馆)\Z|[\uac00-\ud7a3]{2}(?:구청|시청|군청|도청|부|처|청|대학교|연구소|연구원|위원회|협회|학회|재단|공사)\Z"
)
_MARKER = re.compile(r"\W*\d+\s*[.)\]:]?\s*(?=[^\W\d_])")
_ROMAN_SUFFIX = frozenset("II III IV".split())
_JOINING = frozenset("of for the für pour para on".split())  # in the names of groups
_PATRONYMIC = re.compile(r"(?:[ое]вич|[ое]вна|[oe]vi[ct]h|[oe]vna)\Z", re.IGNORECASE)
LONGEST = 300
"""Characters beyond which a name is not divided."""


@lru_cache(1 << 13)
def family_of(text: str) -> tuple[str, str]:
    """Return the particle and the rest of a family name; only particles in lower case stand apart.

    >>> family_of("van der Berg"), family_of("Van der Berg"), family_of("de la Cruz"), family_of("al-Farabi")
    (('van der', 'Berg'), ('', 'Van der Berg'), ('de la', 'Cruz'), ('', 'al-Farabi'))
    """
    if not text[:1].islower() and text[:1] not in "'’":
        return "", text
    words = text.split(" ")
    count = 0
    while count < len(words) - 1 and (words[count] in PARTICLES or words[count].replace("’", "'") in PARTICLES):
        count += 1
    return " ".join(words[:count]), " ".join(words[count:])


@lru_cache(1 << 14)
def name_of_parts(family: str, given: str = "", suffix: str = "") -> Name:
    """Return the name whose parts were found already.

    >>> name_of_parts("van der Berg", "JS", "Jr.")
    Name(family='Berg', given='J. S.', particle='van der', suffix='Jr.', literal='')
    """
    whole = tidy_name(family)
    if len(whole) > 1 and whole[-1] == "." and not is_initials(whole):
        whole = whole[:-1]
    particle, rest = family_of(whole)
    known = given_of(given, whole.isupper()) if given else ""
    words = known.split(" ")
    behind = len(words)
    if behind > 1 and words[-1].endswith(".") and words[-1][:-1] in PARTICLES and len(words[-1]) > 2:
        words[-1] = words[-1][:-1]
    while not particle and behind > 1 and words[behind - 1] in PARTICLES:  # Rohe, Ludwig van der
        behind -= 1
    if behind < len(words):
        particle, known = " ".join(words[behind:]), " ".join(words[:behind])
    if not rest:
        return Name(literal=known) if known else Name()
    return Name(rest, known, particle, tidy_name(suffix) if suffix else "")


@lru_cache(1 << 13)
def name_of(text: str) -> Name:
    """Return the parts of one name, in whatever order it is written; a group, or what cannot be divided, as a literal.

    >>> name_of("Ludwig van der Rohe"), name_of("Doe, J. A., Jr.").suffix, name_of("García Márquez, G.").family
    (Name(family='Rohe', given='Ludwig', particle='van der', suffix='', literal=''), 'Jr.', 'García Márquez')
    """
    if len(text) > LONGEST:
        return Name(literal=text.strip())
    whole = _MARKER.sub("", tidy_name(text), count=1) if text[:1].isdigit() else tidy_name(text)
    if not whole:
        return Name(literal=text.strip())
    if is_group(whole):
        return Name(literal=whole)
    if "," in whole or "،" in whole:
        return _read_inverted([piece.strip() for piece in re.split("[,،]", whole) if piece.strip()], whole)
    words, suffix = _suffix(_split_words(whole))
    if len(words[-1]) > 2 and words[-1][-1] == "." and not is_initials(words[-1]):
        words[-1] = words[-1][:-1]
    asian = _asian(words)
    if asian:
        return asian
    if len(words) == 1:
        return Name(literal=words[0]) if words[0].isdigit() else name_of_parts(words[0], "", suffix)
    family, given = _split_name(words)
    return name_of_parts(" ".join(family), " ".join(given), suffix)


def is_east_asian(text: str) -> bool:
    """Whether a name is in Han or Hangul characters, family and given name as one."""
    return bool(_HAN.match(text) or _HANGUL.match(text)) and len(text) > 2 - (text >= "\uac00")


def in_japanese_order(name: Name) -> Name:
    """Return a name of three Han characters as Japanese ones mostly are: two of the family, one given.

    >>> in_japanese_order(name_of("勝又誠")).family
    '勝又'
    """
    whole = name.family + name.given
    return Name(whole[:2], whole[2:]) if len(whole) == 3 and _HAN.match(whole) and not name.particle else name


def in_hungarian_order(name: Name) -> Name:
    """Return a name of two words, whose last is a known given name and whose first is none, with the family name first.

    >>> in_hungarian_order(Name("Márta", "Kelecsényi")).family
    'Kelecsényi'
    """
    swapped = is_given_name(name.family) and not is_given_name(name.given) and not name.particle
    return Name(name.given, name.family) if swapped and name.given.isalpha() and len(name.given) > 1 else name


def is_group(text: str) -> bool:
    """Whether a name is that of a group or organisation rather than of a person.

    >>> [is_group(name) for name in ("ATLAS Collaboration", "J. Smith", "the Pan-UK study", "Bureau of Mines", "WHO")]
    [True, False, True, True, True]
    """
    if not text.isascii() and (_GROUP_ENDING.search(text) or any(word in GROUP_SPLIT for word in text.split())):
        return True
    words = _WORDS.findall(text)
    lower = [word.lower() for word in words]
    if any(word in GROUP for word in lower):
        if len(words) == 3 and is_initials(words[1]) and is_given_name(words[0]):  # Travis C. Service
            return False
        if len(words) == 2 and lower[1] in GROUP and words[0].isupper() and len(words[0]) > 2:  # IBM Corp
            return True
        return not (len(words) - sum(map(is_initials, words)) < 2 and len(words) > 1)
    joining = [place for place, word in enumerate(lower) if word in _JOINING and place + 1 < len(words)]
    if joining and (text.isupper() or any(words[place][1:].islower() for place in joining)):  # ON Jensen has initials
        return True
    return len(words) == 1 and text == words[0] and text.isupper() and 3 <= len(text) <= 6 and text not in ("LI", "WU")


def _split_words(text: str) -> list[str]:
    """Split a name into words, initials set apart from the family name they are written with (`J.Smith`)."""
    return re.sub(r"(?<=[^\W\d_]\.)(?=[^\W\d_]{2})", " ", text).split(" ")


def is_suffix(word: str) -> bool:
    """Whether a word is a suffix of a name; JR and SR in capitals are initials.

    >>> [is_suffix(word) for word in ("Jr.", "III", "JR", "Doe")]
    [True, True, False, False]
    """
    return word in _ROMAN_SUFFIX or (word.lower() in SUFFIXES and not word.strip(".").isupper())


def _suffix(words: list[str]) -> tuple[list[str], str]:
    """Split off a suffix: the last word, or the one between family name and initials."""
    for place in {len(words) - 1, 1}:
        word = words[place] if 0 < place < len(words) else ""
        if word.lower() in NAMES_TOO and all(map(is_initials, words[:place])):  # A. W. Senior
            continue
        if is_suffix(word) and (len(words) > 2 or word not in _ROMAN_SUFFIX):  # Semenova IV has initials
            return words[:place] + words[place + 1 :], word
    return words, ""


def _read_inverted(pieces: list[str], whole: str) -> Name:
    """Read a name with commas: `Family, Given`, `Family, Given, Jr.`, `Family, Jr., Given`, `Given Family, Jr.`"""
    suffixes = [piece for piece in pieces[1:] if is_suffix(piece)]
    if not suffixes and pieces[-1].strip(".") in ("JR", "SR") and (len(pieces) > 2 or " " in pieces[0]):
        suffixes = pieces[-1:]  # L. PERSON, JR.
    rest = [piece for piece in pieces if piece not in suffixes]
    suffix = " ".join(suffixes)
    if not rest:
        return Name(literal=whole)
    if len(rest) == 1:
        words = _split_words(rest[0])
        family, given = _split_name(words) if len(words) > 1 else (words, [])
        return name_of_parts(" ".join(family), " ".join(given), suffix)
    if len(rest) > 2:
        return Name(literal=whole)
    family_words, inner = _suffix(rest[0].split(" "))
    if len(family_words) == 2 and family_words[1] in _ROMAN_SUFFIX and not inner:  # Doe II, R.
        family_words, inner = family_words[:1], family_words[1]
    given_words, outer = _suffix(rest[1].split(" "))
    return name_of_parts(" ".join(family_words), " ".join(given_words), suffix or inner or outer)


def _asian(words: list[str]) -> Name | None:
    """Read a name in the order of East Asia: in Han or Hangul characters, or romanised with a known family name."""
    if len(words) == 1 and _HAN.match(words[0]):
        whole = words[0]
        cut = 2 if whole[:2] in COMPOUND_HAN or len(whole) >= 4 else 1
        return Name(whole[:cut], whole[cut:])
    if len(words) == 1 and _HANGUL.match(words[0]):
        return Name(words[0][:1], words[0][1:])
    if len(words) == 2 and all(_HAN.match(word) or len(word) == 1 for word in words) and not words[0].isascii():
        return Name(words[0], words[1])
    if len(words) != 2 or words[0].lower() not in ASIAN_FAMILY or words[1].lower() in ASIAN_FAMILY:
        return None
    if is_initials(words[1]) or is_initials(words[0]) or not _PINYIN.match(words[1]) or len(words[1]) < 5:
        return None
    return Name(words[0], words[1])


def _split_name(words: list[str]) -> tuple[list[str], list[str]]:
    """Return the family and given words of a name without commas."""
    shouted = all(word.isupper() for word in words)
    loud = _loud_family(words)
    if loud:
        return words[:loud], words[loud:]
    if _five_initials(words):
        words = [*words[:-1], "".join(f"{letter}." for letter in words[-1])]
    marks = [is_initials(word) and not (shouted and "." not in word and _is_word(word)) for word in words]
    _mark_inside(words, marks)
    behind = len(words)
    while behind > 2 and words[behind - 1] in PARTICLES:  # Rohe L van der
        behind -= 1
    if behind < len(words) and not marks[0] and marks[behind - 1]:
        family, given = _split_name(words[:behind])
        return words[behind:] + family, given
    if not any(marks):
        return _split_without_initials(words)
    if all(marks):
        return _all_short(words)
    if not marks[0] and marks[-1]:
        count = len(words)
        while count > 1 and (marks[count - 1] or words[count - 1] in ("-", ".")):
            count -= 1
        if count == 2 and (_family_first(words) or _one_initial(words)):  # Roe James R.
            count = 1
        return words[:count], words[count:]
    last = max(place for place, mark in enumerate(marks) if mark)
    start = next((p for p in range(1, len(words)) if p <= last and _begins(words, p) and not marks[p]), last + 1)
    if last == len(words) - 1:
        start = last
    return _family_from(words, max(min(start, last + 1), 1), last + 1)


def _loud_family(words: list[str]) -> int:
    """Return the number of capitalised words that begin a name such as `LE GOFF Jean-Luc`, 0 where it is no such name.

    The first is a particle and the given names are written out.
    """
    count = next((place for place, word in enumerate(words) if not word.isupper() or "." in word), len(words))
    if count < 2 or count == len(words) or words[0].capitalize() not in CAPITAL_PARTICLES:
        return 0
    return 0 if any(len(word.strip(".")) < 2 for word in words[count:]) else count


def _five_initials(words: list[str]) -> bool:
    """Whether the last word is five initials without full stops: `Duchat GSMJE`, not `Heinz SMITH`"""
    last = words[-1]
    if len(last) != 5 or not last.isalpha() or not last.isupper() or words[0].isupper() or is_pronounceable(last):
        return False
    return not is_given_name(words[0]) and not is_family_name(last)


def _mark_inside(words: list[str], marks: list[bool]) -> None:
    """Mark as initials what stands among them: `Franco F de A`, `Buneo C a`."""
    for place in range(2, len(words)):
        if not marks[place - 1] or marks[place]:
            continue
        before_initials = place + 1 < len(words) and marks[place + 1]
        small = len(words[place]) == 1 and words[place].islower() and not marks[0]
        marks[place] = (words[place] in PARTICLES and before_initials) or small


def _is_word(word: str) -> bool:
    """Whether capitals are a word rather than initials."""
    bare = word.replace("-", "")
    return len(bare) > 3 or (len(bare) == 3 and any(letter in "AEIOUYÄÖÜ" for letter in bare))


def _family_from(words: list[str], start: int, after_initials: int) -> tuple[list[str], list[str]]:
    """Split after the last initial: the rest is the family name, but given names may follow (`J. Robert Smith`)."""
    if start < after_initials:
        return words[start:], words[:start]
    rest = words[after_initials:]
    if len(rest) == 1 or not is_given_name(rest[0]):  # J. A. Valiente Kroon
        return rest, words[:after_initials]
    family, given = _split_without_initials(rest, begun=True)
    return family, words[:after_initials] + given


def _begins(words: list[str], place: int) -> bool:
    word = words[place]
    if place >= len(words) - 1 or word in INNER:
        return False
    if word in CAPITAL_PARTICLES or (word.isupper() and words[-1].isupper() and word.capitalize() in CAPITAL_PARTICLES):
        return words[-1].lower() not in ASIAN_FAMILY
    return word in PARTICLES or word.replace("’", "'") in PARTICLES


def _split_without_initials(words: list[str], begun: bool = False) -> tuple[list[str], list[str]]:
    """Return the family and given words of a name without initials, in the order given, family."""
    first = 0 if begun or words[0] in PARTICLES else 1
    if not begun and _is_vietnamese(words):
        return words[:1], words[1:]
    loud = next((place for place, word in enumerate(words) if not word.isupper()), 0)
    rest = words[loud:]
    if loud and not begun and len(words[0]) > 2 and all(len(word) > 2 and not word.isupper() for word in rest):
        return words[:loud], rest  # RAPP Heinz
    if len(words) == 3 and _PATRONYMIC.search(words[2]) and not is_given_name(words[0]):  # Иванов Иван Петрович
        return words[:1], words[1:]
    for place in range(first, len(words) - 1):
        if _begins(words, place):
            return words[place:], words[:place]
    for place in range(first + 1, len(words) - 1):
        if words[place] in INNER:
            return words[place - 1 :], words[: place - 1]
    if len(words) >= max(3 - begun, first + 2) and words[-2].lower() in DOUBLE and words[-1][:1].isupper():
        return words[-2:], words[:-2]
    if len(words) == 2 and not begun and _family_first(words):
        return words[:1], words[1:]
    return words[-1:], words[:-1]


def _is_vietnamese(words: list[str]) -> bool:
    """Whether words are a Vietnamese name in its own order and letters: Nguyễn Văn An."""
    return 2 <= len(words) <= 4 and words[0] in VIETNAMESE_FAMILY and words[-1] not in VIETNAMESE_FAMILY


def _family_first(words: list[str]) -> bool:
    """Whether the second word is known as a given name only and the first as a family name only."""
    first, second = words[:2]
    return is_given_name(second) and not is_given_name(first) and is_family_name(first) and not is_family_name(second)


def _one_initial(words: list[str]) -> bool:
    """Whether two words stand before one initial with its full stop, the second known as a given name."""
    dotted = len(words) == 3 and len(words[2]) == 2 and words[2][1] == "."
    if not dotted or is_given_name(words[0]) or words[0].capitalize() in CAPITAL_PARTICLES:
        return False
    return is_given_name(words[1]) and words[1].lower() not in DOUBLE


def _all_short(words: list[str]) -> tuple[list[str], list[str]]:
    """Split a name of nothing but short words in capitals: `LI X`, `X. LI`; the longest is the family name."""
    sizes = [len(word.strip(".")) - 10 * ("." in word) for word in words]
    place = sizes.index(max(sizes)) if sizes[0] != sizes[-1] or len(words) > 2 else (0 if "." in words[-1] else -1)
    if place in (0, -len(words)):
        return words[:1], words[1:]
    return words[-1:], words[:-1]
