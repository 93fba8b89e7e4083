"""Invented citations for tests: fields of known words, in a known order or shuffled."""

from __future__ import annotations

import random

_FIRST = "Ada Bo Cyd Dee Eli Fay Gus Hal Ida Jem Kit Lou Mae Ned Ola Pip Roz Sid Tess Una".split()
_LAST = (
    "Alder Birch Cedar Dogwood Elder Firman Gorse Hazel Ivory Juniper Kelp Larch Maple Nettle Oakes Poplar Quince "
    "Rowan Sedge Thorne Umber Vetch Willow Yarrow"
).split()
_TOPICS = (
    "bells tides looms kilns wells clocks barges mills fords moors hedges lanterns ropes ladders dykes ferries gates "
    "salts charts beacons"
).split()
_VERBS = "measuring mending counting drawing sorting tracing weighing lifting timing mapping".split()
_JOINS = "of for with under near against".split()
_PLACES = "harbours valleys towns islands rivers marshes castles gardens quarries forests".split()
_VENUES = "FENCONF MARSHSYM BOGWORK TARNMEET DALEDAYS".split()
_JOURNALS = ["Annals of Fen Studies", "Journal of Marsh Craft", "Tarn Letters", "Bog Review"]


def record(rng: random.Random) -> list[list[str]]:
    """Return the words of authors, title, venue and year."""
    authors = [word for _ in range(rng.randint(1, 3)) for word in (rng.choice(_FIRST), rng.choice(_LAST))]
    title = [rng.choice(rng.choice((_VERBS, _TOPICS, _JOINS, _PLACES))) for _ in range(rng.randint(3, 7))]
    return [authors, title, [rng.choice(_VENUES)], [str(rng.randint(1990, 2009))]]


def shuffled(number: int, share: float, seed: int = 1) -> tuple[list[list[str]], list[list[int]]]:
    """Return tokens and true fields of citations; a share of them has its fields shuffled."""
    rng = random.Random(seed)
    citations, truth = [], []
    for _ in range(number):
        made, order = record(rng), [0, 1, 2, 3]
        if rng.random() < share:
            rng.shuffle(order)
        citations.append([word for k in order for word in made[k]])
        truth.append([k for k in order for _ in made[k]])
    return citations, truth


def journal_style(number: int, seed: int = 1, missing: float = 0.0) -> tuple[list[str], list[list[str]]]:
    """Return strings with punctuation in two styles, and the authors, year, title, journal and pages of each."""
    rng = random.Random(seed)
    strings, truth = [], []
    for _ in range(number):
        authors = ", ".join(f"{rng.choice(_LAST)} {rng.choice('ABCDEFGHKLM')}" for _ in range(rng.randint(1, 3)))
        title = " ".join(record(rng)[1])
        journal, year = rng.choice(_JOURNALS), str(rng.randint(1990, 2009))
        first = rng.randint(1, 400)
        pages = "" if rng.random() < missing else f"{first}-{first + rng.randint(3, 20)}"
        tail = f": {pages}" if pages else ""
        if rng.random() < 0.5:
            strings.append(f"{authors} ({year}) {title}. {journal}{tail}.")
        else:
            strings.append(f"{authors}. {title}. {journal} {year}{tail}.")
        truth.append([authors, year, title, journal, pages])
    return strings, truth


def f_score(truth: list[list[int]], found: list[list[int]]) -> float:
    """Return F of clusters: each cluster's best match among the true fields, and vice versa."""
    pairs: dict[tuple[int, int], int] = {}
    for true, mine in zip(truth, found, strict=True):
        for pair in zip(true, mine, strict=True):
            pairs[pair] = pairs.get(pair, 0) + 1
    total = sum(pairs.values())

    def best(side: int) -> float:
        groups = {pair[side] for pair in pairs}
        return sum(max(times for pair, times in pairs.items() if pair[side] == group) for group in groups) / total

    precision, recall = best(1), best(0)
    return 2 * precision * recall / (precision + recall)
