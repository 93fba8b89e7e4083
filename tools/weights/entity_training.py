"""Learning the potentials between works and citations by pseudo-likelihood (Wellner et al. 2004, section 3).

Two kinds of choices are made likely, each given everything around it: to which of several works a citation, read as
well as can be, belongs; and in which of its ways a citation is to be read, given the attributes of its work. The prior
is Gaussian; that of the weight of a way's log-probability is around one, which is to trust the parser.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import DataError, MissingExtra
from ibidem.linking.joint.agreement import AGREEMENT
from ibidem.linking.joint.entities import (
    ANY,
    FIELD_FEATURES,
    LOG_PROBABILITY,
    Citation,
    EntityModel,
    base_features,
    best_supported_values,
    field_features,
)

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EntityConfig:
    """How the potentials are learnt."""

    penalty: float = 1.0  # of the squares of the weights
    rivals: int = 4  # other works that a citation might belong to
    placement: float = 0.2  # how much a choice of the work counts beside a choice of the way to read
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Known:
    """A citation, its work, and which of its ways to read it is the most accurate."""

    citation: Citation
    work: int
    best: int


@dataclass(frozen=True, slots=True)
class _Choice:
    """Features of what can be chosen, the place of what is right, and how much it counts."""

    rows: Doubles  # [choices, features]
    right: int
    weight: float


def train_entities(known: Sequence[Known], config: EntityConfig | None = None) -> EntityModel:
    """The model learnt from citations of known works; a work with one citation teaches nothing about ways to read."""
    chosen = config or EntityConfig()
    works: dict[int, list[Known]] = {}
    for one in known:
        works.setdefault(one.work, []).append(one)
    values = {work: best_supported_values([one.citation for one in each]) for work, each in works.items()}
    labels = sorted({label for one in known for way in one.citation.candidates for label in way.fields})
    columns = {f"{label}.{m}": k for k, (label, m) in enumerate((x, m) for x in (ANY, *labels) for m in FIELD_FEATURES)}
    for name in (LOG_PROBABILITY, *AGREEMENT):
        columns[name] = len(columns)
    choices = [*_of_ways(works, values, columns), *_of_works(known, values, columns, chosen)]
    if not choices:
        raise DataError("there is nothing to learn: needed are works with several citations, read in several ways")
    weights = _fitted(choices, columns[LOG_PROBABILITY], chosen.penalty)
    return EntityModel({name: round(float(weights[k]), 5) for name, k in columns.items() if abs(weights[k]) > 1e-5})


def _row(values: Mapping[str, str], citation: Citation, way: int, columns: Mapping[str, int]) -> Doubles:
    row = np.zeros(len(columns))
    read = citation.candidates[way].fields
    size = len(FIELD_FEATURES)
    for label in {*values, *read}:
        measured = field_features(values.get(label, ""), read.get(label, ""), citation.text)
        row[:size] += measured
        place = columns.get(f"{label}.{FIELD_FEATURES[0]}")
        if place is not None:
            row[place : place + size] = measured
    return row


def _of_ways(
    works: Mapping[int, Sequence[Known]], values: Mapping[int, Mapping[str, str]], columns: Mapping[str, int]
) -> Iterator[_Choice]:
    for work, members in works.items():
        if len(members) < 2:
            continue
        fixed = base_features([one.citation for one in members])
        for one, own in zip(members, fixed, strict=True):
            if len(own) > 1:
                rows = np.stack([_row(values[work], one.citation, way, columns) for way in range(len(own))])
                rows[:, columns[LOG_PROBABILITY] : columns[LOG_PROBABILITY] + own.shape[1]] = own
                yield _Choice(rows, one.best, 1.0)


def _of_works(
    known: Sequence[Known], values: Mapping[int, Mapping[str, str]], columns: Mapping[str, int], config: EntityConfig
) -> Iterator[_Choice]:
    generator = np.random.default_rng(config.seed)
    names = np.array(sorted(values))
    for one in known:
        others = names[names != one.work]
        if not len(others) or not config.placement:
            continue
        rivals = generator.choice(others, min(config.rivals, len(others)), replace=False).tolist()
        rows = np.stack([_row(values[work], one.citation, one.best, columns) for work in (one.work, *rivals)])
        yield _Choice(rows, 0, config.placement)


def _fitted(choices: Sequence[_Choice], sure: int, penalty: float) -> Doubles:
    """The weights that make the right choices most likely under the prior."""
    try:
        from scipy.optimize import minimize
    except ImportError:
        raise MissingExtra("training needs scipy: pip install 'ibidem[link]'") from None
    rows = np.concatenate([choice.rows for choice in choices])
    sizes = np.array([len(choice.rows) for choice in choices])
    starts = np.cumsum(sizes) - sizes
    right = starts + np.array([choice.right for choice in choices])
    weight = np.array([choice.weight for choice in choices])
    centre = np.zeros(rows.shape[1])
    centre[sure] = 1.0

    def objective(flat: Doubles) -> tuple[float, Doubles]:
        scores = rows @ flat
        top = np.maximum.reduceat(scores, starts)
        shares = np.exp(scores - np.repeat(top, sizes))
        total = np.add.reduceat(shares, starts)
        loss = float((weight * (top + np.log(total) - scores[right])).sum())
        pull = np.repeat(weight / total, sizes) * shares
        pull[right] -= weight
        away = flat - centre
        return loss + penalty * float(away @ away), rows.T @ pull + 2 * penalty * away

    found: Doubles = minimize(objective, centre, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return found
