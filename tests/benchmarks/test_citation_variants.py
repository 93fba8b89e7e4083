"""Variants of records as they are cited: still of the same work, and without identifiers."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

from benchmarks.linking.citation_variants import cite, vary
from ibidem.records.record import Date, Entry, Name, Record
from ibidem.synthesis import PRESETS

WORK = Record(
    "article",
    (
        *(Entry("author", Name(family, "Anna Maria")) for family in ("Reed", "Marsh", "Sedge", "Fen")),
        Entry("title", "The drift of bells in harbours"),
        Entry("container", "Annals of Coastal Medicine"),
        Entry("date", Date(2019)),
        Entry("doi", "10.1234/a"),
    ),
)


def test_without_noise_a_title_stays_and_identifiers_go():
    for seed in range(50):
        found = vary(WORK, PRESETS["none"], Random(seed))
        assert found.first("title") == WORK.first("title") and found.first("doi") is None
        names = found.all("author")
        assert len(names) == 4 or found.first("author-etal") is not None
        assert {name.given for name in names} <= {"A. M.", "Anna Maria"}
        assert abs(found.first("date").year - 2019) <= 1


def test_works_are_cited_by_a_power_law_and_a_seed_gives_the_same():
    def draw():
        return list(islice(cite((WORK for _ in range(10_000)), PRESETS["light"], 3), 4_000))

    counts = Counter(record.key for record in draw())
    assert 0.4 < sum(count == 1 for count in counts.values()) / len(counts) < 0.8 and max(counts.values()) > 10
    assert draw() == draw()
