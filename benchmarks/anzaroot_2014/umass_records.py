"""Records such as papers in physics, astronomy and mathematics cite, which most strings of UMass are from.

The open sets have few of them. So authors and titles of records of computing, and of medicine where it touches these
fields, are given a journal, a book or a series of these fields, with numbers and a publisher that are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random

from ibidem.data import registry
from ibidem.records.normalise import normalised
from ibidem.records.normalise.journals import TABLE, pairs_in
from ibidem.records.record import Entry, Record
from ibidem.synthesis import drawn
from ibidem.synthesis.sources import records_of

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
_FAR = 40  # one record of the rest of medicine in so many


@dataclass(frozen=True, slots=True)
class _Names:
    """What things of these fields are called."""

    journals: Sequence[tuple[str, str]]  # long and short
    series: Sequence[str]
    subjects: Sequence[str]


def recast(count: int, seed: int = 1) -> list[Record]:
    """So many records, fewer where the sets have fewer, with authors and titles of the open sets."""
    chance = Random(f"recast:{seed}")
    found = list(_near())
    found += drawn(records_of("dblp"), count - len(found), seed)
    chance.shuffle(found)
    names = _names()
    return [
        _anew(record, chance.choices(_KINDS, _SHARES)[0], names, chance.choice(found), chance)
        for record in islice(found, count)
    ]


def _near() -> Iterator[Record]:
    """The records of medicine that touch these fields, and a few of the others."""
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


def _anew(record: Record, kind: str, names: _Names, other: Record, chance: Random) -> Record:
    """The record as one of some kind, as if of these fields; editors are the authors of another."""
    entries = [entry for entry in record.entries if entry.field == "author"]
    if chance.random() < {"chapter": 0.6, "paper": 0.2}.get(kind, 0):
        others = [entry for entry in other.entries if entry.field == "author"]
        entries += [replace(entry, field="editor") for entry in others[: chance.randint(1, 4)]]
    if kind == "book" and chance.random() < 0.5:
        entries.append(Entry("title", chance.choice(names.subjects)))
    elif kind == "book" or chance.random() < 0.7:
        entries += [entry for entry in record.entries if entry.field == "title"]
    made = _article(names, chance) if kind == "article" else _contained(record, kind, names, chance)
    recent = int(len(_YEARS) * chance.random() ** 0.5)
    made["date"] = str(_YEARS[recent])
    entries += [Entry(field, normalised(field, text)[0]) for field, text in made.items() if text]
    return replace(record, type=kind, entries=tuple(entries))


def _article(names: _Names, chance: Random) -> dict[str, str]:
    return {
        "container": chance.choice(names.journals)[chance.random() < 0.7],
        "volume": _number(chance, 2.8),
        "issue": _number(chance, 1) if chance.random() < 0.12 else "",
        "pages": _pages(chance, 3.6, 0.45),
    }


def _contained(record: Record, kind: str, names: _Names, chance: Random) -> dict[str, str]:
    """The fields of a book, or of a part of one."""
    publisher, places = chance.choice(_PUBLISHERS)
    series = chance.choice(names.series) if chance.random() < 0.35 else ""
    made = {
        "publisher": publisher if chance.random() < 0.8 else "",
        "place": chance.choice(places) if chance.random() < 0.65 else "",
        "series": series,
        "volume": _number(chance, 3) if chance.random() < (0.9 if series else 0.1) else "",
    }
    if kind == "book":
        return made | {"edition": str(chance.randint(2, 4)) if chance.random() < 0.1 else ""}
    own = str(record.first("container") or "") if record.type == kind else ""
    made["container"] = own or _collection(names, kind, chance)
    return made | {"pages": _pages(chance, 2.7, 0.15) if chance.random() < 0.9 else ""}


def _collection(names: _Names, kind: str, chance: Random) -> str:
    """The name of a book that chapters or papers stand in."""
    subject = chance.choice(names.subjects)
    if kind == "chapter":
        return chance.choice(_COLLECTIONS) + subject
    return "".join(map(chance.choice, (_BEGUN, _COUNTED, _MEETINGS))) + subject


def _number(chance: Random, digits: float) -> str:
    return str(int(10 ** chance.uniform(0, digits)))


def _pages(chance: Random, digits: float, single: float) -> str:
    first = _number(chance, digits)
    return first if chance.random() < single else f"{first}-{int(first) + 1 + int(_number(chance, 1.7))}"
