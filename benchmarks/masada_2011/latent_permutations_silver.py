"""A chain trained on silver labels from unsupervised segmentation of eLife's strings.

Strings are segmented by `ibidem.segment`, the elements are named with the help of ten tagged strings, and a chain is
trained on the strings whose segments are all confident; then with some tagged strings added. An element with several
names in the ten strings (usually volume, issue and pages) is left open: the chain sums over all labels there. Beside
each is the chain trained on the tagged strings alone. What to leave open was decided by scores on train strings and on
the first 800 strings of dev, which are not among the test strings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.masada_2011.latent_permutations_elife import ELEMENTS, name_of, style_of
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.experiments import train_parser
from benchmarks.support.timing import how_many, say
from ibidem.data.readers.labelled import trim_annotations
from ibidem.labels.schema import UNKNOWN
from ibidem.metrics.scoring import Report, score_texts
from ibidem.metrics.significance import bootstrap_f1
from ibidem.models.evaluation import examples_of
from ibidem.models.recipes import SILVER_CONFIDENCE
from ibidem.models.training import CRFConfig
from ibidem.types import Annotation, Example
from ibidem.unsupervised.blocked import BlockedConfig
from ibidem.unsupervised.segmenting import Segmentation, segment_citations

_STRINGS, _TEST = 10_000, 2000
_SEEN = 800  # strings of dev that the rule for open elements was tried on
_LABELLED = (10, 100, 1000)
_CONFIG = CRFConfig(
    optimiser="adagrad", epochs=8, batch=16, learning_rate=0.08, feature_dropout=0.5, min_count=1, context_min_count=2
)
_OTHER = ""  # what the tagged strings have no element for
_SILVER = "silver:"
_PURE = 0.8  # least share of the words of an element with one name, else the element is left open


@benchmark(
    "latent-permutations-silver",
    "A chain trained on silver labels of unsupervised segmentation, eLife, field F1",
    reference="the model trained on tagged strings alone, measured in the same run",
)
def latent_permutations_silver() -> Outcome:
    """Score silver alone, silver and tagged strings, and tagged strings alone."""
    count = how_many(_STRINGS)
    pool = [_flat(one) for one in examples_of("elife", "train", 2 * count + _LABELLED[-1]) if style_of(one)]
    tagged, hidden = pool[: _LABELLED[-1]], pool[_LABELLED[-1] :][:count]
    test = [_flat(one) for one in examples_of("elife", "dev", 2 * _TEST) if style_of(one)][_SEEN:][:_TEST]
    found = segment_citations((one.text for one in hidden), BlockedConfig(len(ELEMENTS)), threads=2, progress=say)
    silver = list(silver_of(found, names_of(found, hidden[: _LABELLED[0]])))
    rows = [
        _row(f"supervised, all {len(hidden):,} with tags", hidden, test),
        _row(f"silver, {len(silver):,} of {len(hidden):,} strings", silver, test),
    ]
    for number in _LABELLED:
        few = tagged[:number]
        alone = _score(few, test)
        both = silver + few * max(1, len(silver) // (2 * number))
        rows.append(_row(f"silver and {number:,} with tags; reference: these alone", both, test, 100 * alone.micro.f1))
    data = (
        f"eLife train, {len(hidden):,} strings without their tags; {len(test):,} strings of dev for testing; field F1 "
        f"over {', '.join(ELEMENTS)}; silver strings: every segment has a confidence of at least {SILVER_CONFIDENCE:g}"
    )
    return data, rows


def _flat(example: Example) -> Example:
    """Return the example with its elements alone, without parts and other fields."""
    annotations = (
        (name_of(annotation.label), annotation) for annotation in example.annotations if "/" not in annotation.label
    )
    kept = tuple(
        Annotation(name, annotation.start, annotation.end) for name, annotation in annotations if name in ELEMENTS
    )
    return Example(example.text, kept, example.source)


def names_of(found: Segmentation, tagged: Sequence[Example]) -> tuple[str, ...]:
    """Return the name of each element: the tag of most of its words in the tagged strings.

    An element with several names (volume, issue and pages in one) or without any is left open.
    """
    shared: Counter[tuple[int, str]] = Counter()
    for segmented, example in zip(found, tagged, strict=False):
        for token, element in zip(segmented.tokens, segmented.elements, strict=True):
            if token.text.isalnum():
                covering = (
                    annotation.label
                    for annotation in example.annotations
                    if annotation.start <= token.start < annotation.end
                )
                shared[element - 1, next(covering, _OTHER)] += 1
    names = []
    for element in range(len(found.names)):
        own = [(times, name) for (k, name), times in shared.items() if k == element]
        times, name = max(own, default=(0, UNKNOWN))
        names.append(name if times >= _PURE * sum(one for one, _ in own) else UNKNOWN)
    return tuple(names)


def silver_of(found: Segmentation, names: Sequence[str]) -> Iterator[Example]:
    """Yield the strings whose segments are all confident, annotated with at least one named element."""
    for number, segmented in enumerate(found):
        if segmented.error or min(segmented.confidence, default=0.0) < SILVER_CONFIDENCE:
            continue
        annotations = []
        for field in segmented.fields:
            element = next(
                e for t, e in zip(segmented.tokens, segmented.elements, strict=True) if t.start == field.start
            )
            if names[element - 1] != _OTHER:
                annotations.append(Annotation(names[element - 1], field.start, field.end))
        if any(annotation.label != UNKNOWN for annotation in annotations):
            yield trim_annotations(Example(segmented.text, tuple(annotations), f"{_SILVER}{number}"))


def _is_silver(example: Example) -> bool:
    """Whether the edges of its fields are uncertain: segments say nothing of the marks between words."""
    return example.source.startswith(_SILVER)


def _score(train: Sequence[Example], test: Sequence[Example]) -> Report:
    parser = train_parser(train, _CONFIG, say, loose=_is_silver)
    answers = parser.parse_many(example.text for example in test)
    return score_texts(
        [
            [(annotation.label, one.text[annotation.start : annotation.end]) for annotation in one.annotations]
            for one in test
        ],
        [[(field.label, field.text) for field in one.fields] for one in answers],
    )


def _row(name: str, train: Sequence[Example], test: Sequence[Example], reference: float | None = None) -> Result:
    interval = bootstrap_f1(_score(train, test).count_array())
    low, value, high = (100 * x for x in (interval.low, interval.value, interval.high))
    say(f"{name}: field F1 {value:.2f}")
    return Result(name, "field F1", reference, value, low, high)
