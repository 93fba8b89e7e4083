"""Document types: cross-validation on eLife, and the default weights on its dev split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.timing import say
from ibidem.data.decontamination import hash_text
from ibidem.metrics.significance import bootstrap_accuracy
from ibidem.records.document_type import Model, model
from tools.weights.document_type_data import Sample, invent, parse, read_bibliographies, read_elife
from tools.weights.document_types import ENTRIES, INVENTED, fit, predict

_FOLDS = 5
_BAR = 97.0
_ARTICLES = 20_000


def fold_of(sample: Sample) -> int:
    """Return the fold of a sample: all references of a paper are in one."""
    return hash_text(sample.group) % _FOLDS


def cross_validate(gold: Sequence[Sample], found: Sequence[Sample], others: Sequence[Sample]) -> list[list[str]]:
    """Return the predictions for gold, parsed and other references, each by a model that was not trained on it."""
    guessed: list[list[str]] = [[""] * len(samples) for samples in (gold, found, others)]
    for fold in range(_FOLDS):
        train = [sample for samples in (gold, found, others) for sample in samples if fold_of(sample) != fold]
        fitted = Model(fit(train))
        for place, samples in enumerate((gold, found, others)):
            held = [number for number, sample in enumerate(samples) if fold_of(sample) == fold]
            for number, guess in zip(held, predict(fitted, [samples[number] for number in held]), strict=True):
                guessed[place][number] = guess
        say(f"fold {fold + 1} of {_FOLDS}")
    return guessed


def rows_of(name: str, samples: Sequence[Sample], guessed: Sequence[str], article_weight: float = 1.0) -> list[Result]:
    """Return the accuracy, also by type, and the most frequent confusions; an article counts `article_weight` times."""
    right = [guess == sample.type for guess, sample in zip(guessed, samples, strict=True)]
    found = bootstrap_accuracy(right)
    ends = (100 * found.value, 100 * found.low, 100 * found.high)
    rows = [Result(f"{name}, {len(samples):,} references", "type accuracy", None, *ends, bar=_BAR)]
    if article_weight != 1.0:
        weights = [article_weight if sample.type == "article" else 1.0 for sample in samples]
        value = sum(w for w, good in zip(weights, right, strict=True) if good) / sum(weights)
        rows.append(
            Result(f"{name}, articles weighted to their true share", "type accuracy", None, 100 * value, bar=_BAR)
        )
    count = Counter(sample.type for sample in samples)
    pairs = Counter((sample.type, guess) for guess, sample in zip(guessed, samples, strict=True))
    rows += [
        Result(f"{name}: {k}, {n:,}", "type accuracy", None, 100 * pairs[k, k] / n) for k, n in count.most_common()
    ]
    wrong = [(pair, number) for pair, number in pairs.most_common() if pair[0] != pair[1]][:8]
    return rows + [Result(f"{name}: {one} taken for {other}", "references", None, n) for (one, other), n in wrong]


@benchmark("record-types", "Document type from the fields: eLife and BibTeX types, cross-validated and held out")
def record_types() -> Outcome:
    """Score document types predicted from gold fields and from those that the default model finds."""
    held = list(read_elife("dev"))
    rows = rows_of("default weights, eLife dev, gold labels", held, predict(model(), held))
    seen = parse(held)
    rows += rows_of("default weights, eLife dev, parsed", seen, predict(model(), seen))
    gold = list(read_elife("train", articles=_ARTICLES))
    found = parse(gold)
    others = [*read_bibliographies(ENTRIES), *invent(INVENTED)]
    entries = [sample for sample in others if not sample.group.startswith("invented")]
    guessed = cross_validate(gold, found, others)
    # the training sample has fewer articles than the set: weight them to their share in the dev split
    dev = Counter(sample.type == "article" for sample in held)
    here = Counter(sample.type == "article" for sample in gold)
    article_weight = (dev[True] / dev[False]) / (here[True] / here[False])
    rows += rows_of("eLife, cross-validated, gold labels", gold, guessed[0], article_weight)
    rows += rows_of("eLife, cross-validated, parsed", found, guessed[1], article_weight)
    rows += rows_of("BibTeX entries, cross-validated", entries, guessed[2][: len(entries)])
    return (
        f"eLife's publication types, {_FOLDS} folds by paper; the sample of GIANT that is public has no types",
        rows,
    )
