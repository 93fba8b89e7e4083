"""Records for the tests of formats: made by hypothesis with every type and field, and twenty written by hand."""

from __future__ import annotations

from collections import Counter
from io import BytesIO

from hypothesis import strategies as st

from ibidem.records.fields import DATES, FIELDS, NAMES, NUMBERS
from ibidem.records.formats import FORMATS, read, write
from ibidem.records.formats.format import adapt
from ibidem.records.normalise.numbers import number_of
from ibidem.records.record import Date, Entry, Name, Number, Pages, Record
from ibidem.records.types import TYPES
from ibidem.types import Malformed

# Any character that is neither a control nor unassigned, with those that mean something to a format more often.
_LETTERS = st.characters(exclude_categories=("Cc", "Cs", "Cn", "Zl", "Zp"), exclude_characters="\U000f0000")
_SPECIAL = st.sampled_from([*"\\{}$&%#_^~<>|\"'`-,;:=@+*[]()!?/.", "--", "``", "''", " and ", "@book{", "]]>"])
LINE = st.lists(st.one_of(st.sampled_from("abcdeABCÉü 漢Ж 0123 "), _LETTERS, _SPECIAL), min_size=1, max_size=30).map(
    lambda parts: " ".join("".join(parts).split()) or "x"
)
WORD = st.text("abcdefgXYZéüßж漢12", min_size=1, max_size=9)
FAMILY = st.one_of(
    WORD, st.sampled_from(["O'Brien", "García y Vega", "Smith-Jones", "bin Omar", "Lin & Sons", "D’Arc"])
)
GIVEN = st.one_of(WORD, st.sampled_from(["J.", "J. R. R.", "Mary-Jane", "X and Y", ""]))
PERSON = st.builds(
    Name,
    FAMILY,
    GIVEN,
    st.sampled_from(["", "", "van", "van der", "de la"]),
    st.sampled_from(["", "", "Jr.", "III"]),
)
NAME = st.one_of(PERSON, LINE.map(lambda text: Name(literal=text)))
YEAR = st.integers(1000, 2100)
_DAY = st.builds(Date, YEAR, st.none() | st.integers(1, 12)) | st.builds(
    Date, YEAR, st.integers(1, 12), st.integers(1, 28)
)
_SEASON = st.builds(Date, YEAR, season=st.sampled_from(["spring", "summer", "autumn", "winter"]))
_MARKED = st.builds(
    Date,
    YEAR,
    letter=st.sampled_from(["", "a", "c"]),
    approximate=st.booleans(),
    status=st.sampled_from(["", "in press"]),
)
_RANGE = st.builds(Date, YEAR, st.none() | st.integers(1, 12), end=_DAY)
DATE = st.one_of(_DAY, _SEASON, _MARKED, _RANGE, st.sampled_from(["in press", "n.d."]).map(lambda s: Date(status=s)))
_PAGE = st.from_regex(r"(?:[A-Z]-?)?[0-9]{1,5}[a-z]?", fullmatch=True)
PAGES = st.builds(Pages, _PAGE, st.just("") | _PAGE)
NUMBER = st.one_of(st.integers(1, 999).map(str), st.sampled_from(["3rd", "XII", "12 Suppl 1", "5-6", "Suppl."])).map(
    number_of
)
_EXACT = {
    "doi": st.from_regex(r"10\.[0-9]{4}/[a-z0-9._();/&%#-]{1,12}", fullmatch=True),
    "arxiv": st.sampled_from(["1501.00001", "2101.12345v2", "hep-th/9901001"]),
    "pmid": st.integers(1, 10**8).map(str),
    "pmcid": st.integers(1, 10**7).map(lambda number: f"PMC{number}"),
    "isbn": st.sampled_from(["9780306406157", "0306406152"]),
    "issn": st.sampled_from(["1234-567X", "0378-5955"]),
    "url": st.from_regex(r"https?://[a-z]{1,8}\.org/[A-Za-z0-9_~%&#=?.-]{0,12}", fullmatch=True),
    "language": st.sampled_from(["en", "de", "pt-BR", "zh-Hans"]),
    "author-etal": st.just("et al."),
    "editor-etal": st.just("et al."),
    "pages": PAGES,
}


ODD_NUMBER = st.sampled_from([Number("third", 3), Number("2nd ed", 2), Number("XII", 12)])


def value_of(field: str) -> st.SearchStrategy:
    """Values of a field as a normaliser gives them."""
    if field in NAMES:
        return NAME
    if field in DATES:
        return DATE
    if field in NUMBERS:
        return NUMBER
    return _EXACT.get(field, LINE)


@st.composite
def records(draw: st.DrawFn, several: bool = False) -> Record:
    """A record of any type with any fields, one value each (names apart), or several of some."""
    entries = []
    for field in draw(st.lists(st.sampled_from(sorted(FIELDS)), unique=True, max_size=len(FIELDS))):
        most = 3 if field in NAMES or (several and not field.endswith("-etal")) else 1
        values = draw(st.lists(value_of(field), min_size=1, max_size=most))
        entries += [Entry(field, value) for value in values]
    return Record(draw(st.sampled_from(sorted(TYPES))), tuple(entries))


def written(given: list[Record], form: str, style: str = "apa") -> tuple[bytes, list[tuple[str, str]]]:
    """The file of some records, and what its writer warned of."""
    warned: list[tuple[str, str]] = []
    out = BytesIO()
    write(given, out, form, warn=lambda key, message: warned.append((key, message)), style=style)
    return out.getvalue(), warned


def read_back(data: bytes, form: str) -> list[Record]:
    """The records of a file, none of which may be malformed."""
    found = list(read(BytesIO(data), form))
    assert not [one for one in found if isinstance(one, Malformed)], found
    return found


def content(record: Record) -> tuple[str, dict[str, list[object]]]:
    """What a round trip must keep: the type, and the values of each field in their order."""
    return record.type, {field: record.all(field) for field in FIELDS if record.all(field)}


def carried(record: Record, form: str) -> Record:
    """The record less what the format says it cannot carry."""
    return adapt(record, FORMATS[form].capabilities)[0]


def lost_fields(before: Record, after: Record) -> Counter[str]:
    """How many values of each field went missing."""
    count = Counter(entry.field for entry in before.entries)
    count.subtract(Counter(entry.field for entry in after.entries))
    return +count
