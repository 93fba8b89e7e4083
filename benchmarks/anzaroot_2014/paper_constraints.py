"""The constraints of Anzaroot 2014 as the paper writes them: over full labels of the CRF.

The paper counts labels "that contain a B prefix at any level": `I-authors/B-person/B-first`, the first name of a
further author, is another count than `B-authors/B-person/B-first`, that of the first one. Ibidem counts segments by
their path. Here every such label becomes a segment of its own by renaming the labels: the library then counts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ibidem.inference.constraints import ANYWHERE, Constraint, countable, equalities, pairs, singletons
from ibidem.models.penalties import GoldStrings

_WITHIN = ":"  # between the levels of a full label, instead of the slash that would make segments of them


def rename_label(label: str) -> str:
    """Return the label as one that begins a segment named like itself, with the segments it begins as its parts.

    >>> rename_label("I-authors/B-person/B-first")
    'B-I-authors:B-person:B-first/B-person/B-first'
    >>> rename_label("I-authors/I-person/I-first")
    'I-I-authors:I-person:I-first'
    """
    begun = [level for level in label.split("/") if level.startswith("B-")]
    return "/".join([f"{'B' if begun else 'I'}-{label.replace('/', _WITHIN)}", *begun]) if label != "O" else label


def count_labels(truth: GoldStrings) -> GoldStrings:
    """Return the same strings with labels under which each full label is counted by itself."""
    gold = tuple(tuple(map(rename_label, labels)) for labels in truth.gold)
    return replace(truth, labels=tuple(map(rename_label, truth.labels)), gold=gold)


def paper_candidates(labels: Sequence[str]) -> dict[str, list[Constraint]]:
    """Return the constraints of each family of sections 5.2 to 5.4, over labels that `rename_label` has made.

    The names at single levels, which hierarchical equality is about, are those of `*/person`, as in the library.
    """
    full = sorted({label.split("/")[0][2:] for label in labels if label.startswith("B-")})
    levels = [name for name in countable(labels) if name.startswith(ANYWHERE)]
    parts = sorted(name for name in levels if name.removeprefix(ANYWHERE) not in full)
    return {"only-one": singletons(full), "pairwise": pairs(full), "hierarchical": equalities(parts)}
