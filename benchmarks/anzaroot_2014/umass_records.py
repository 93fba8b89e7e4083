"""Records as papers in physics, astronomy and mathematics cite them, from which most strings of UMass are.

The open sets have few of them. So authors and titles of records from computing, and from medicine where it touches
these fields, get a journal, a book or a series of these fields, with random numbers and a random publisher.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random

from ibidem.data import registry
from ibidem.records.normalise import normalise_field
from ibidem.records.normalise.journals import TABLE, pairs_in
from ibidem.records.record import Entry, Record
from ibidem.synthesis.sources import records_of
from ibidem.synthesis.synthesiser import sample_records

STYLES = tuple(
    "american-physics-society american-physics-society-without-titles american-institute-of-physics "
    "institute-of-physics-numeric institute-of-physics-harvard elsevier-without-titles elsevier-harvard-without-titles "
    "elsevier-with-titles springer-physics-brackets springer-mathphys-brackets springer-mathphys-author-date "
    "reviews-of-modern-physics-with-titles the-astrophysical-journal annual-review-of-astronomy-and-astrophysics "
    "american-mathematical-society-label american-mathematical-society-numeric journal-of-combinatorics "
    "institute-of-mathematical-statistics institute-of-mathematics-and-its-applications "
    "mathematics-and-computers-in-simulation american-statistical-association journal-of-the-royal-statistical-society "
    "econometrica annual-review-of-nuclear-and-particle-science canadian-journal-of-physics optics-letters ieee "
    "springer-lecture-notes-in-computer-science science-without-titles nature-no-et-al "
    "japanese-journal-of-applied-physics american-chemical-society royal-society-of-chemistry "
    "geophysical-journal-international acm-sig-proceedings-long-author-list angewandte-chemie".split()
)
_OURS = re.compile(
    r"math|physic(s|al\b)|phys\. |astro(n|ph)|statist|probab|algebra|geometr|mechanics|optic|fluid|nuclear|quantum|"
    r"chaos|topolog|combinat|theoret|gravit|cosmolog|siam\b|ieee|comput|econom|algorithm|numer",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"bio|medic|genet|neuro|physiol|clinic|cell|health|chemis|psych|anthropol|entomol|nurs|dent|educ|rehab",
    re.IGNORECASE,
)
_SERIES = re.compile(
    r"\b(lecture notes|texts|monographs?|studies in|series|ser\.|tracts|contemporary|progress in)\b", re.IGNORECASE
)
_SUBJECT = re.compile(
    r"(?:journal|annals|transactions|advances|reviews?|letters|archive|bulletin)\b.*?\b(?:of|on|in|for)\s([^.]+)\Z",
    re.IGNORECASE,
)
_PUBLISHERS = (  # each with the places it may give
    ("Springer-Verlag", ("Berlin", "New York", "Heidelberg", "Berlin, Heidelberg")),
    ("Springer", ("Berlin", "New York", "Dordrecht")),
    ("Academic Press", ("New York", "London", "San Diego", "Boston")),
    ("Academic", ("New York", "San Diego")),
    ("Wiley", ("New York", "Chichester")),
    ("John Wiley & Sons", ("New York", "Hoboken, NJ")),
    ("Cambridge University Press", ("Cambridge", "New York", "Cambridge, UK")),
    ("Cambridge Univ. Press", ("Cambridge",)),
    ("Oxford University Press", ("Oxford", "New York")),
    ("Clarendon Press", ("Oxford",)),
    ("World Scientific", ("Singapore", "River Edge, NJ")),
    ("North-Holland", ("Amsterdam", "Amsterdam, New York")),
    ("Elsevier", ("Amsterdam", "New York")),
    ("Birkhäuser", ("Boston", "Basel", "Boston, MA")),
    ("Plenum Press", ("New York",)),
    ("Plenum", ("New York", "London")),
    ("Addison-Wesley", ("Reading, MA", "Redwood City", "Reading, Mass.")),
    ("McGraw-Hill", ("New York",)),
    ("Dover", ("New York",)),
    ("Princeton University Press", ("Princeton", "Princeton, NJ")),
    ("American Mathematical Society", ("Providence, RI", "Providence")),
    ("Amer. Math. Soc.", ("Providence, R.I.", "Providence, RI")),
    ("SIAM", ("Philadelphia", "Philadelphia, PA")),
    ("CRC Press", ("Boca Raton", "Boca Raton, FL")),
    ("Kluwer Academic Publishers", ("Dordrecht", "Boston")),
    ("Kluwer", ("Dordrecht",)),
    ("Reidel", ("Dordrecht",)),
    ("Marcel Dekker", ("New York",)),
    ("Pergamon Press", ("Oxford", "London")),
    ("MIT Press", ("Cambridge, MA", "Cambridge, Massachusetts")),
    ("ACM", ("New York, NY, USA", "New York")),
    ("IEEE", ("Piscataway, NJ",)),
    ("Morgan Kaufmann", ("San Francisco", "San Mateo, CA")),
    ("Nauka", ("Moscow",)),
    ("Mir", ("Moscow",)),
    ("Gauthier-Villars", ("Paris",)),
    ("Hermann", ("Paris",)),
    ("Teubner", ("Leipzig", "Stuttgart")),
    ("de Gruyter", ("Berlin",)),
    ("AIP", ("New York", "Melville, NY")),
    ("ASP", ("San Francisco",)),
    ("Institute of Physics", ("Bristol",)),
    ("Chapman & Hall", ("London", "New York")),
    ("Freeman", ("San Francisco", "New York")),
    ("Prentice-Hall", ("Englewood Cliffs, NJ",)),
    ("Benjamin", ("New York",)),
    ("University of Chicago Press", ("Chicago",)),
    ("International Press", ("Cambridge, MA",)),
)
_COLLECTIONS = ("", "", "", "Handbook of ", "Advances in ", "Lectures on ", "Progress in ", "Topics in ")
_BEGUN = ("", "", "Proceedings of the ", "Proc. of the ", "Proc. ", "Proceedings of ")
_COUNTED = ("", "", "First ", "2nd ", "Third ", "Fourth ", "7th ", "12th ", "XXth ")
_MEETINGS = tuple(f"{kind} on " for kind in ("Conference", "International Conference", "Workshop", "Symposium"))
_KINDS, _SHARES = ("article", "book", "chapter", "paper"), (3, 1, 1, 1)
_YEARS = range(1930, 2014)
_FAR = 40  # every fortieth record of the rest of medicine is taken


@dataclass(frozen=True, slots=True)
class _Names:
    """Names of journals, series and subjects of these fields."""

    journals: Sequence[tuple[str, str]]  # long and short
    series: Sequence[str]
    subjects: Sequence[str]


def recast(count: int, seed: int = 1) -> list[Record]:
    """Return `count` records, or as many as there are, with authors and titles of the open sets."""
    generator = Random(f"recast:{seed}")
    found = list(_near())
    found += sample_records(records_of("dblp"), count - len(found), seed)
    generator.shuffle(found)
    names = _names()
    return [
        _recast_one(record, generator.choices(_KINDS, _SHARES)[0], names, generator.choice(found), generator)
        for record in islice(found, count)
    ]


def _near() -> Iterator[Record]:
    """Yield the records of medicine that touch these fields, and a few of the others."""
    for number, record in enumerate(records_of("medline")):
        if number % _FAR == 0 or _of_these_fields(str(record.first("container"))):
            yield record


def _of_these_fields(name: str) -> bool:
    return _OURS.search(name) is not None and _OTHERS.search(name) is None


def _names() -> _Names:
    pairs = pairs_in(registry.data_folder() / TABLE)
    ours = [(name, short) for name, short in pairs if "#" not in short and _of_these_fields(name)]
    subjects = [found[1] for name, _ in ours if (found := _SUBJECT.match(name))]
    series = [name for pair in ours if _SERIES.search(pair[0]) for name in pair]
    return _Names([pair for pair in ours if not _SERIES.search(pair[0])], series, subjects)


def _recast_one(record: Record, kind: str, names: _Names, other: Record, generator: Random) -> Record:
    """Return the record as one of another kind from these fields; editors are the authors of another record."""
    entries = [entry for entry in record.entries if entry.field == "author"]
    if generator.random() < {"chapter": 0.6, "paper": 0.2}.get(kind, 0):
        others = [entry for entry in other.entries if entry.field == "author"]
        entries += [replace(entry, field="editor") for entry in others[: generator.randint(1, 4)]]
    if kind == "book" and generator.random() < 0.5:
        entries.append(Entry("title", generator.choice(names.subjects)))
    elif kind == "book" or generator.random() < 0.7:
        entries += [entry for entry in record.entries if entry.field == "title"]
    made = _article(names, generator) if kind == "article" else _contained(record, kind, names, generator)
    recent = int(len(_YEARS) * generator.random() ** 0.5)
    made["date"] = str(_YEARS[recent])
    entries += [Entry(field, normalise_field(field, text)[0]) for field, text in made.items() if text]
    return replace(record, type=kind, entries=tuple(entries))


def _article(names: _Names, generator: Random) -> dict[str, str]:
    return {
        "container": generator.choice(names.journals)[generator.random() < 0.7],
        "volume": _number(generator, 2.8),
        "issue": _number(generator, 1) if generator.random() < 0.12 else "",
        "pages": _pages(generator, 3.6, 0.45),
    }


def _contained(record: Record, kind: str, names: _Names, generator: Random) -> dict[str, str]:
    """Return the fields of a book, or of a part of one."""
    publisher, places = generator.choice(_PUBLISHERS)
    series = generator.choice(names.series) if generator.random() < 0.35 else ""
    made = {
        "publisher": publisher if generator.random() < 0.8 else "",
        "place": generator.choice(places) if generator.random() < 0.65 else "",
        "series": series,
        "volume": _number(generator, 3) if generator.random() < (0.9 if series else 0.1) else "",
    }
    if kind == "book":
        return made | {"edition": str(generator.randint(2, 4)) if generator.random() < 0.1 else ""}
    own = str(record.first("container") or "") if record.type == kind else ""
    made["container"] = own or _collection(names, kind, generator)
    return made | {"pages": _pages(generator, 2.7, 0.15) if generator.random() < 0.9 else ""}


def _collection(names: _Names, kind: str, generator: Random) -> str:
    """Return the name of a book that contains chapters or papers."""
    subject = generator.choice(names.subjects)
    if kind == "chapter":
        return generator.choice(_COLLECTIONS) + subject
    return "".join(map(generator.choice, (_BEGUN, _COUNTED, _MEETINGS))) + subject


def _number(generator: Random, digits: float) -> str:
    return str(int(10 ** generator.uniform(0, digits)))


def _pages(generator: Random, digits: float, single: float) -> str:
    first = _number(generator, digits)
    return first if generator.random() < single else f"{first}-{int(first) + 1 + int(_number(generator, 1.7))}"
