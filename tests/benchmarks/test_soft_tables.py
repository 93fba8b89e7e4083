"""The tables of soft constraints tell what happened to strings whose second author is an editor."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.anzaroot_2014.soft_tables import OURS, PAPERS, constrain, tables
from ibidem.inference import best, nested_bio
from ibidem.models.decoding import TokenDecoder
from ibidem.models.penalties import FAMILIES, GoldStrings
from ibidem.types import Potentials

LABELS = ("O", "B-author", "I-author", "B-editor", "I-editor", "B-title", "I-title")
GOLD = ("B-author", "I-author", "B-title", "I-title", "B-editor", "I-editor")


def confused(count: int, seed: int) -> GoldStrings:
    """Strings `author title editor`; in every other one the scores prefer a second author to the editor."""
    span = np.random.default_rng(seed).normal(scale=0.2, size=(count, len(GOLD), 1, len(LABELS)))
    for place, label in enumerate(GOLD):
        span[:, place, 0, LABELS.index(label)] += 3.0
    for place in (4, 5):
        author, editor = (LABELS.index(GOLD[place].replace("editor", name)) for name in ("author", "editor"))
        span[1::2, place, 0, author] = span[1::2, place, 0, editor] + 0.5
    automaton, _ = nested_bio(LABELS)
    lengths = np.full(count, len(GOLD), dtype=np.int32)
    potentials = Potentials(span.reshape(-1, 1, len(LABELS)), np.zeros(len(automaton.src)), lengths)
    return GoldStrings(LABELS, automaton, potentials, (GOLD,) * count, TokenDecoder(automaton, LABELS).spans)


@pytest.mark.parametrize("setting", [OURS, PAPERS], ids=["ours", "paper's"])
def test_the_tables_show_that_constraints_mend_what_the_chain_breaks(setting):
    found = {(row.row, row.metric): row.ours for row in tables("", setting, confused(40, 1), confused(20, 2))}
    assert found["Table 1: baseline", "exact match"] == 50.0
    assert found["Table 1: all", "exact match"] == 100.0
    used = 1 - found["Table 1: all", "% of penalties that are 0"] / 100
    assert found["Table 1: all", "constraints in use"] == round(used * found["Table 1: all", "constraints"]) > 0
    assert found["section 7: strings", "% violating a constraint without constraints, none with them"] == 50.0
    assert found["section 7: strings", "% violating a constraint with them"] == 0.0
    assert found["section 7: Soft-DD, algorithm 2 as printed", "% converged"] == 100.0
    assert found["section 7: Soft-DD, algorithm 2 as printed", "iterations to convergence, mean"] > 1.0
    assert found["Table 3: editor, 20 in test", "gain in F1"] > 30.0


def test_constraints_on_what_a_model_cannot_count_are_left_out():
    truth = confused(20, 1)
    fitted = OURS.fit(truth, FAMILIES)
    fewer = GoldStrings(
        ("O", "B-author", "I-author", "B-book", "I-book", "B-title", "I-title"),
        truth.automaton,
        truth.potentials,
        truth.gold,
        truth.spans,
    )
    kept = [one for one in fitted.constraints if not any("editor" in name for name, _ in one.terms)]
    assert 0 < len(kept) < len(fitted.constraints)
    under = constrain(fitted, fewer)
    assert len(under.penalty) == len(kept)
    assert under.violating(best(truth.automaton, truth.potentials))[1::2].all()
