"""Authors and affiliations as in Table 4 of Cuong et al. 2015, on other documents than the paper's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.support.calibration import calibration_rows
from benchmarks.support.experiments import folds, predict, train_parser
from benchmarks.support.timing import say
from ibidem.data import registry
from ibidem.features import Lexicons
from ibidem.features.lexicons import select_lexicons
from ibidem.labels.tasks import AUTHORS
from ibidem.metrics.scoring import Report, Score, score_tokens, token_labels
from ibidem.metrics.significance import bootstrap_f1, compare_f1, wilcoxon
from ibidem.models.parser import Parser
from ibidem.models.shipped import default_lexicons
from ibidem.models.shipped import parser as shipped
from ibidem.models.training import CRFConfig, tokens_of
from ibidem.types import Example, Parsed
from tools.weights.author_headers import Header
from tools.weights.rendered_sets import read_headers

# The paper's F1 of its chain CRF and of its semi-CRFs of order 1, 2 and 3, on author lines and on affiliation lines;
# its documents are not public.
PAPER = {"author": (93.64, 93.53, 94.06, 93.21), "affiliation": (98.33, 98.50, 98.50, 98.50)}
NAMES = ("given", "family-common", "country")
FOLDS = 5
LINKED = 500  # rendered headers on which links are counted
# Tried on two folds of each set, where nothing changed the micro F1 by more than 0.15: less dropout, a window of seven,
# twice the epochs, states that remember whether an affiliation has begun. The settings are those tried first.
CONFIG = CRFConfig(
    window=5,
    min_count=2,
    context_min_count=2,
    optimiser="adagrad",
    epochs=15,
    batch=16,
    learning_rate=0.08,
    feature_dropout=0.5,
)
SETS = ("headers-authors", "grobid-authors", "grobid-author-lists", "grobid-affiliation-lines")
_NONE = "none"


@dataclass(frozen=True, slots=True)
class System:
    """A system under test and its settings."""

    name: str
    config: CRFConfig

    @property
    def order(self) -> int:
        """The order of a semi-CRF, 0 for a chain."""
        return self.config.order if self.config.model == "semi" else 0


# The settings of the semi-CRFs are the chain's, with fewer epochs, since each costs more.
SEMI = replace(CONFIG, model="semi", epochs=8)
CHAIN = System("chain CRF", CONFIG)
SEMIS = tuple(System(f"semi-CRF of order {order}", replace(SEMI, order=order)) for order in (1, 2, 3))


@lru_cache(1)
def known() -> Lexicons:
    """Return the default lexicons of names and countries."""
    return select_lexicons(default_lexicons(), NAMES)


def headers_of(name: str, split: str | None = None) -> list[Example]:
    """Read the headers of a set in our labels."""
    return [item for item in registry.load_unified(name, split) if isinstance(item, Example)]


def token_pairs(parser: Parser, test: Sequence[Example]) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Return the gold and the predicted label of every token of every header."""
    found = predict(parser, test)
    sizes = [len(tokens_of(example, AUTHORS)) for example in test]
    gold = [token_labels(spans, size, _NONE) for spans, size in zip(found.gold, sizes, strict=True)]
    return gold, [token_labels(spans, size, _NONE) for spans, size in zip(found.predicted, sizes, strict=True)]


def cross_validate(one: System, headers: Sequence[Example], name: str) -> Report:
    """Return the token scores of a system over the folds of a cross-validation taken together."""
    gold: list[tuple[str, ...]] = []
    found: list[tuple[str, ...]] = []
    for number, (train, held) in enumerate(folds(len(headers), FOLDS, seed=1), 1):
        parser = train_parser([headers[place] for place in train], one.config, lambda _: None, AUTHORS, known())
        pair = token_pairs(parser, [headers[place] for place in held])
        gold += pair[0]
        found += pair[1]
        say(f"{one.name} on {name}: fold {number} of {FOLDS}")
    return score_tokens(gold, found, ignore=_NONE)


def rows_of(name: str, report: Report, order: int = 0) -> Iterator[Result]:
    """Yield the rows of a report: the micro average and each label, beside the paper's result of that order."""
    interval = bootstrap_f1(report.count_array())
    yield Result(f"{name}, micro", "token F1", None, *(100 * x for x in (interval.value, interval.low, interval.high)))
    for label, score in report.labels.items():
        published = PAPER[label][order] if label in PAPER else None
        yield Result(f"{name}, {label}", "token F1", published, 100 * score.f1)


def against(name: str, report: Report, chain: Report) -> Iterator[Result]:
    """Yield the rows of a semi-CRF against the chain on the same strings."""
    apart = compare_f1(report.count_array(), chain.count_array())
    ends = (100 * x for x in (apart.value, apart.low, apart.high))
    yield Result(f"{name} minus chain CRF, micro", "token F1, difference", None, *ends)
    each = [one.f1_array() for one in (report, chain)]
    yield Result(f"{name} against chain CRF, F1 of each string", "p, Wilcoxon", None, wilcoxon(*each).p_value)


def compare(name: str) -> Iterator[Result]:
    """Yield the rows of the chain and of every semi-CRF on one set."""
    given = headers_of(name)
    where = f"on {name}, {len(given):,} strings"
    chain = cross_validate(CHAIN, given, name)
    yield from rows_of(f"{CHAIN.name} {where}", chain)
    for one in SEMIS:
        report = cross_validate(one, given, name)
        yield from rows_of(f"{one.name} {where}", report, one.order)
        yield from against(f"{one.name} on {name}", report, chain)


def score_links(parser: Parser, headers: Sequence[Header]) -> tuple[Score, float]:
    """Return the score of the links between authors and affiliations, and the share of headers with all links right."""
    score, whole = Score(), 0
    parsed = parser.parse_many(header.example.text for header in headers)
    for header, answer in zip(headers, parsed, strict=True):
        found = {(_place(answer, link.author), _place(answer, link.affiliation)) for link in answer.links or ()}
        score += Score(len(found & header.links), len(found), len(header.links))
        whole += found == header.links
    return score, whole / max(len(headers), 1)


def _place(parsed: Parsed, number: int) -> tuple[int, int]:
    return parsed.fields[number].start, parsed.fields[number].end


def _read_rendered() -> list[Header]:
    """Read rendered headers of eLife's test papers; the rules of links were written on others."""
    wanted = {example.source for example in headers_of("elife-authors", "test")}
    data = registry.dataset("elife-authors")
    found = read_headers(registry.locate(data, data.files[0], registry.data_folder()))
    chosen = (one for one in found if isinstance(one, Header) and one.example.source in wanted)
    return list(islice(chosen, LINKED))


@benchmark(
    "headers",
    "Authors and affiliations by token (Table 4 of Cuong 2015, on other documents), and their links",
    reference="Cuong et al. 2015, Table 4, on the paper's own documents",
)
def headers() -> Outcome:
    """Score every set by cross-validation, the default model on a set it was not trained on, and its links."""
    rows: list[Result] = []
    for name in SETS:
        rows += compare(name)
    ours = shipped(None, "authors")
    unseen = headers_of("headers-authors")
    gold, found = token_pairs(ours, unseen)
    rows += rows_of("the default model, on headers-authors", score_tokens(gold, found, ignore=_NONE))
    rows += calibration_rows("the default model, on headers-authors", ours, unseen)
    score, whole = score_links(ours, _read_rendered())
    rows.append(Result(f"the default model, links in {LINKED} rendered headers", "link F1", None, 100 * score.f1))
    rows.append(Result("the same, headers with all links right", "accuracy", None, 100 * whole))
    data = (
        f"{FOLDS}-fold cross-validation, one seed; reference: the paper's model on its own documents, which are not"
        " public; names, symbols and separators of headers-authors and grobid-authors are derived by rule"
    )
    return data, rows
