"""Lists of names split into names: where each stands, and its parts.

Lists are written in many ways: `Family, G., Family, G.`, `G. Family, G. Family`, `Family G, Family G`, with
semicolons, with "and", the first inverted and the others not. Pieces between commas are read one after the other.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import lru_cache

from ibidem.records.normalise.given_names import is_initials, tidy_name
from ibidem.records.normalise.name_lexicon import ASIAN_FAMILY, DOUBLE, NAMES_TOO, PARTICLES, SUFFIXES, is_given_name
from ibidem.records.normalise.names import LONGEST, is_east_asian, is_group, is_suffix, name_of, name_of_parts
from ibidem.records.record import Name

Found = tuple[int, int, Name]

# Runs of whitespace are bounded, so that a page of it costs no more than a page of words.
_SOME, _SPACE = r"\s{0,9}", r"\s{1,9}"
# "And others" in many languages: words that follow an "and", words that stand alone, words at the end of a name.
_OTHERS = (
    rf"\bet{_SOME}\.?{_SPACE}al(?:ii|iae|ia)?\b\.?|\bet{_SPACE}autres\b|\bothers\b|\bcolleagues\b|(?-i:\be\.\s?a\.)|"
    rf"\bund{_SPACE}andere\b|(?-i:\bu\.\s?(?:v\.\s?)?a\.)|\be{_SPACE}altri\b|\be{_SPACE}outros\b|\by{_SPACE}otros\b|\by{_SPACE}cols?\b\.?|"
    rf"(?-i:\bm\.\s?fl\.)|\bog{_SPACE}andre\b|\boch{_SPACE}andra\b|\bja{_SPACE}muut\b|(?-i:\bym\.)|(?-i:\bi{_SPACE}in(?:ni|\.))|"
    rf"\bi{_SPACE}wsp(?:ółaut)?\b\.?|\ba{_SPACE}kol\b\.?|\bés{_SPACE}mtsai\b\.?|(?-i:\bvd\.)|\bve{_SPACE}(?:diğerleri|ark)\b\.?|"
    rf"\bи{_SPACE}(?:др|соавт)\b\.?|\bи{_SPACE}другие\b|\bс{_SPACE}соавт\b\.?|\bта{_SPACE}ін\b\.?|\bκ\.\s?ά\.|"
    rf"وآخرون|و{_SPACE}آخرون|و{_SPACE}همکاران|و{_SPACE}دیگران|ואחרים|ואח['’׳]|ほか|외{_SOME}\d{{1,3}}{_SOME}[인명]|等人?|(?<=[\u3400-\u9fff])[ら他]\Z"
)
_ET_AL = re.compile(rf"(?:\band{_SPACE}|&{_SOME}|\bet{_SPACE})?(?:{_OTHERS})|\bet{_SOME}al\b\.?", re.IGNORECASE)
# Single letters join names only in lower case: E. and Y. are initials.
_AND = (
    rf"(?:\b(?:and|AND|And|und|UND|with|con|en|og|och|y|e|i|и|й|та|ve|ja|és|și|și|oraz|και)\b|\ba\b(?={_SPACE}[^\W\d_a-z])"
    rf"|&|एवं|और|तथा|\b(?:et|ET)\b(?!{_SOME}(?:al|AL)))"
)
_SEPARATOR = re.compile(
    rf"{_SOME}(?:[,;]?{_SOME}(?:…|\. ?\. ?\.){_SOME}(?:{_AND}{_SPACE})?"
    rf"|[,;]{_SOME}{_AND}{_SPACE}|[;,、，；،؛・/]{_SOME}|\s{_AND}{_SPACE}|\sو{_SPACE}?(?=[\u0600-\u06ff])|(?<=\.){_AND}{_SPACE}"
    rf"|(?<=[\u3400-\u9fff\uac00-\ud7a3])·(?=[\u3400-\u9fff\uac00-\ud7a3])|{_SPACE}[–—-]{_SPACE}|{_SOME}&{_SOME}|\n)"
)
# What says that a list is of editors or translators, and is in no name.
_ROLE_AFTER = re.compile(
    rf"{_SOME}(?:[(\[]{_SOME}(?:eds?|edd|editors?|hrsgg?|hgg?|dir|dirs|coords?|comps?|orgs?|ed\. lit|red|"
    rf"a cura di|trans|transl|szerk|ur|toim|"
    rf"utg|udg|önerl?i?|haz|der|çev|przeł|oprac|под ред|сост|ред|пер){_SOME}\.?{_SOME}[)\]]?"
    rf"|(?:主编|主編|编著|編著|编译|編訳|監修|編集|共著|编|編|著|译|訳|譯)"
    rf"|\((?:편|역|옮김|지음)\)|{_SPACE}(?:편저|지음|옮김|엮음)){_SOME}\Z",
    re.IGNORECASE,
)
_ROLE_BEFORE = re.compile(
    rf"{_SOME}(?:(?:hrsg|hg|hgg|hrsgg)\.?{_SPACE}(?:v\.|von|vom)|herausgegeben{_SPACE}von|a{_SPACE}cura{_SPACE}di|"
    rf"(?:edited|translated|compiled){_SPACE}by|(?:trans|transl|ed|eds|trad|red|tłum|oprac)\.{_SPACE}(?:by|de|por|di|av|af)|übers(?:\.|etzt){_SPACE}(?:v\.|von)|"
    rf"sous{_SPACE}la{_SPACE}dir(?:\.|ection){_SPACE}de|traduit{_SPACE}par|traducción{_SPACE}de|под{_SPACE}ред(?:\.|акцией)|пер\.{_SPACE}с{_SPACE}[а-я]{{2,9}}\.?){_SPACE}",
    re.IGNORECASE,
)
_STRONG = re.compile(rf"{_SOME}[;；]{_SOME}")
_LEADING = re.compile(rf"\s*(?:{_AND}\s+|[^\W\d_]+\s?:\s|\d+\s?[.)\]]\s)")
_NUMBERED = re.compile(r"\W*[^\W\d_]?\d+[.)\]]?\s+(?=[^\W\d_])")
_CONNECTORS = re.compile(_AND)
_COMMAS = frozenset(",،")
_LONGEST_ROLE = 20  # characters of a word such as (Hrsg.) at the end of a list
_MANY = 40  # pieces of a list that show how it is written


class Piece:
    """The text between two separators: its place, its words, and its form.

    In a list that is all in capitals, `shouted`, a word is only taken for initials where it has full stops, or is
    short and nothing in the list has them.
    """

    __slots__ = ("after", "end", "longest", "start", "text", "words")

    def __init__(self, text: str, start: int, end: int, after: str, longest: int) -> None:
        self.text, self.start, self.end, self.after, self.longest = text, start, end, after, longest
        self.words = re.sub(r"\.(?=[^\W\d_]{2})", ". ", tidy_name(text)).split()

    def initials(self, word: str) -> bool:
        """Whether a word of it is made of initials."""
        return is_initials(word) and ("." in word or len(word.replace("-", "")) <= self.longest)

    @property
    def suffix(self) -> bool:
        """Whether it is a suffix: `Jr.`"""
        return is_suffix(self.text)

    @property
    def short(self) -> bool:
        """Whether it has nothing but initials, with a particle perhaps: `J. A.`, `J. van`"""
        plain = [word for word in self.words if word not in PARTICLES and word.lower() not in SUFFIXES]
        return bool(plain) and all(self.initials(word) for word in plain)

    @property
    def plain(self) -> list[str]:
        """Its words without particles; one all in capitals may begin with them: `DEN HARTOGH`"""
        words = self.words
        while len(words) > 1 and words[0].isupper() and words[1].isupper() and words[0].lower() in PARTICLES:
            words = words[1:]
        return [word for word in words if word not in PARTICLES]

    @property
    def written_out(self) -> bool:
        """Whether it has two words or more, the first and the last no initials."""
        words = self.words
        return 2 <= len(words) <= 4 and not self.initials(words[0]) and not self.initials(words[-1])

    @property
    def complete(self) -> bool:
        """Whether it has a family name and initials: `J. Smith`, `Smith JA`"""
        plain = self.plain
        marks = [self.initials(word) for word in plain]
        return any(marks) and not all(marks)


@lru_cache(1 << 10)
def split_names(text: str) -> tuple[tuple[Found, ...], tuple[int, int] | None]:
    """Return the names of a list with their places, and the place of its "et al.", None where it has none.

    >>> names, more = split_names("Doe, J., A. B. Roe, and Poe KL et al.")
    >>> [name.family for _, _, name in names], more
    (['Doe', 'Roe', 'Poe'], (31, 37))
    >>> [name.given for _, _, name in split_names("Hg. v. Karl Moor und Anna Ried")[0]]
    ['Karl', 'Anna']
    """
    names: list[Found] = []
    before, after = _ROLE_BEFORE.match(text), _ROLE_AFTER.search(text, max(0, len(text) - _LONGEST_ROLE))
    place, end, more = before.end() if before else 0, after.start() if after else len(text), None
    for found in _ET_AL.finditer(text, place, end):
        names += _names(text, place, found.start())
        place, more = found.end(), more or found.span()
    names += _names(text, place, end)
    return tuple(names), more


def _names(text: str, start: int, end: int) -> Iterator[Found]:
    """Yield the names between two places."""
    body = text[start:end]
    if is_group(body) and "," not in body and len(body) <= LONGEST and not _joins_names(body):
        yield from _whole(text, start, end)
        return
    if re.search(r"[;；]", body) and not _only_initials_after_semicolons(body):
        for left, right in _between_semicolons(text, start, end):
            connector = _LEADING.match(text, left, right)
            left = connector.end() if connector else left
            inverted = text.count(",", left, right) == 1 and not re.search(rf"\s{_AND}\s", text[left:right])
            yield from _whole(text, left, right) if inverted else _in_row(text, left, right)
        return
    yield from _in_row(text, start, end)


def _joins_names(group: str) -> bool:
    """Whether an "and" in the name of a group stands between names: not in that of the Food and Agriculture Office."""
    parts = re.split(rf"\s{_AND}\s", group, maxsplit=1)
    return len(parts) > 1 and (len(parts[0].split()) > 1 or not is_group(parts[1]))


def _in_row(text: str, start: int, end: int) -> Iterator[Found]:
    """Yield the names between two places where no semicolon is."""
    pieces = list(_pieces(text, start, end))
    row = Row(pieces)
    place = 0
    while place < len(pieces):
        count = row.length(place)
        left, right = pieces[place].start, pieces[place + count - 1].end
        if count == 1 and row.family_first and pieces[place].written_out:
            yield left, right, name_of_parts(pieces[place].words[0], " ".join(pieces[place].words[1:]))
        else:
            for first, last in _split_without_commas(text, left, right) if count == 1 else [(left, right)]:
                yield from _whole(text, first, last)
        place += count


def _split_without_commas(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split a piece in which commas are missing: `Roe L. H. A. Poe M. F.`, `Jane Roe John Poe`"""
    words = list(re.finditer(r"\S+", text[start:end]))
    if len(words) < 4:
        return [(start, end)]
    plain = [found.group() for found in words]
    marks = [is_initials(word) and word not in ("II", "III", "IV") for word in plain]
    if marks[-1] and not marks[0]:
        cuts = [p for p in range(2, len(words) - 1) if marks[p - 1] and not marks[p] and plain[p - 1].endswith(".")]
    elif marks[-1] or any(word in PARTICLES for word in plain):
        cuts = []
    else:
        cuts = _before_given(plain, marks)
    edges = [0, *cuts, len(words)]
    return [(start + words[left].start(), start + words[right - 1].end()) for left, right in itertools.pairwise(edges)]


def _before_given(words: list[str], marks: list[bool]) -> list[int]:
    """Return the places where a known given name follows a word that is none, at least two words apart."""
    cuts: list[int] = []
    for place in range(2, len(words) - 1):
        if place - (cuts[-1] if cuts else 0) < 2 or marks[place - 1] or marks[place]:
            continue
        if is_given_name(words[place]) and not is_given_name(words[place - 1]):
            cuts.append(place)
    if not cuts and len(words) % 2 == 0 and not any(marks):  # names of two words each
        firsts = words[2::2]
        if all(is_given_name(word) and word.lower() not in DOUBLE for word in firsts):
            return list(range(2, len(words), 2))
    return cuts


def _only_initials_after_semicolons(body: str) -> bool:
    after = [piece.strip() for piece in re.split(r"[;；]", body)[1:] if piece.strip()]
    return bool(after) and all(all(is_initials(word) for word in piece.split()) for piece in after)


def _whole(text: str, start: int, end: int) -> Iterator[Found]:
    """Yield the name between two places, whitespace and commas at its edges left out; none where there is no letter."""
    numbered = _NUMBERED.match(text, start, end)
    start = numbered.end() if numbered else start
    while start < end and not text[start].isalnum() and text[start] not in "'’":
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",;:&"):
        end -= 1
    if any(character.isalpha() for character in text[start:end]):
        yield start, end, name_of(text[start:end])


def _between_semicolons(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for found in _STRONG.finditer(text, start, end):
        yield start, found.start()
        start = found.end()
    yield start, end


def _pieces(text: str, start: int, end: int) -> Iterator[Piece]:
    leading = _LEADING.match(text, start, end)
    place = leading.end() if leading else start
    body = _CONNECTORS.sub("", text[start:end])
    longest = 6 if not body.isupper() else 1 if "." in body else 2
    separators = [*_SEPARATOR.finditer(text, place, end), None]
    for found in separators:
        stop = found.start() if found else end
        piece = text[place:stop].strip()
        if any(character.isalpha() for character in piece):
            yield Piece(piece, place, stop, found.group().strip() if found else "", longest)
        place = found.end() if found else end


class Row:
    """The pieces between commas of one list, and what they say together about how it is written."""

    __slots__ = ("alone", "family_first", "paired", "pieces", "short_words")

    def __init__(self, pieces: list[Piece]) -> None:
        self.pieces = pieces
        seen = pieces[:_MANY]
        families, given = seen[0::2], seen[1::2]
        self.short_words = all(len(piece.words) <= 2 for piece in seen)
        singles = all(len(piece.words) == 1 and not piece.short for piece in seen)
        # An odd number of words are family names alone; an even number may be Korr, Jane, Moe, John.
        self.alone = singles and len(pieces) % 2 == 1 and not any(is_given_name(piece.words[0]) for piece in given)
        self.paired = len(seen) % 2 == 0 and all(len(piece.plain) == 1 and not piece.short for piece in families)
        self.family_first = _family_first(seen)

    def length(self, place: int) -> int:
        """Return the number of pieces of the name that begins at `place`."""
        here, *following = self.pieces[place : place + 4]
        count = 1
        if is_east_asian(here.text):  # written as one, family name first
            return 1
        if following and here.after in _COMMAS and not (here.short and ("." in here.text or len(here.text) < 2)):
            after = following[0]
            if here.complete:
                count = 2 if here.words[-1] in ("II", "III") and after.short and "." in after.text else 1
            elif after.suffix and len(following) > 1 and following[1].short:  # Family, Jr., J.
                return 3
            elif after.short or self._given(here, after, place):
                count = 2
        rest = following[count - 1 : count]
        if rest and self.pieces[place + count - 1].after in _COMMAS:
            last = rest[0].text.strip(". ")
            behind = following[count : count + 1]
            if (
                last.lower() in NAMES_TOO and behind and behind[0].short and rest[0].after == ","
            ):  # Roe, J., Senior, A. W.
                return count
            count += rest[0].suffix or (last in ("JR", "SR") and (here.complete or count == 2))
        return count

    def _given(self, here: Piece, after: Piece, place: int) -> bool:
        """Whether `after` is the given name of `here`, both written out: `Doe, Jane, Roe, John`."""
        plain = here.plain
        if self.alone:
            return False
        if len(self.pieces) == 2 and len(plain) == 1 and not after.complete:
            return True
        if after.complete:  # Doe, Jane A.: the given name comes first in it and nothing follows the initials
            marks = [after.initials(word) for word in after.words]
            if place == 0 and len(plain) == 1 and marks == [True, False] and is_given_name(after.words[1]):
                return True  # Doe, J. Robert
            last = after.words[-1]
            return marks[-1] and not marks[0] and len(plain) == 1 and ("." in last or len(last) == 1)
        if len(plain) == 1 and len(after.words) <= 2:
            return True
        if self.paired and place % 2 == 0 and len(after.words) <= 4 and is_given_name(after.words[0]):
            return True
        return len(plain) == 2 and len(after.words) == 1 and self.short_words


def _family_first(pieces: list[Piece]) -> bool:
    """Whether names of two words, family name first, make the list: `Erden Mustafa, Kara Hatice`"""
    votes = [_vote(piece.words) for piece in pieces if piece.written_out]
    return votes.count(1) >= 2 and votes.count(-1) == 0


def _vote(words: list[str]) -> int:
    """Return 1 where the last word is known as a given name and the first is not, -1 the other way round, else 0."""
    first, last = words[0], words[-1].strip(".")
    asian = first.lower() in ASIAN_FAMILY, last.lower() in ASIAN_FAMILY
    return asian[0] - asian[1] if any(asian) else is_given_name(last) - is_given_name(first)
