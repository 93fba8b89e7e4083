"""Training of the potentials between works and citations by pseudo-likelihood (Wellner et al. 2004, section 3).

Two kinds of choices are made probable, each given everything else: to which of several works a citation, with its best
labelling, belongs; and which labelling of a citation is best, given the attributes of its work. The prior is Gaussian;
that of the weight of a labelling's log-probability has the mean one, which is to trust the parser.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ibidem.errors import DataError
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
from tools.weights.logistic_regression import Choice, Doubles, fit_choices


@dataclass(frozen=True, slots=True)
class EntityConfig:
    """Settings of the training of the potentials."""

    penalty: float = 1.0  # on the squares of the weights
    negatives: int = 4  # other works that a citation might belong to
    placement: float = 0.2  # weight of a choice of the work, where a choice of the labelling has 1
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Known:
    """A citation, its work, and the index of its most accurate labelling."""

    citation: Citation
    work: int
    best: int


def train_entities(known: Sequence[Known], config: EntityConfig | None = None) -> EntityModel:
    """Train a model on citations of known works; works with one citation say nothing about labellings."""
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
        raise DataError("nothing to train on: works with several citations are needed, with several labellings each")
    mean = np.zeros(len(columns))
    mean[columns[LOG_PROBABILITY]] = 1.0
    weights = fit_choices(choices, mean, chosen.penalty)
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
) -> Iterator[Choice]:
    for work, members in works.items():
        if len(members) < 2:
            continue
        fixed = base_features([one.citation for one in members])
        for one, own in zip(members, fixed, strict=True):
            if len(own) > 1:
                rows = np.stack([_row(values[work], one.citation, way, columns) for way in range(len(own))])
                rows[:, columns[LOG_PROBABILITY] : columns[LOG_PROBABILITY] + own.shape[1]] = own
                yield Choice(rows, one.best, 1.0)


def _of_works(
    known: Sequence[Known], values: Mapping[int, Mapping[str, str]], columns: Mapping[str, int], config: EntityConfig
) -> Iterator[Choice]:
    generator = np.random.default_rng(config.seed)
    names = np.array(sorted(values))
    for one in known:
        others = names[names != one.work]
        if not len(others) or not config.placement:
            continue
        negatives = generator.choice(others, min(config.negatives, len(others)), replace=False).tolist()
        rows = np.stack([_row(values[work], one.citation, one.best, columns) for work in (one.work, *negatives)])
        yield Choice(rows, 0, config.placement)
