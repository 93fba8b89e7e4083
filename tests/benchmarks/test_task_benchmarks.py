"""The benchmarks of sections and headers: splits, segments, links."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.cuong_2015.extensibility import prepare
from benchmarks.cuong_2015.headers import PAPER as HEADERS_PAPER
from benchmarks.cuong_2015.headers import SEMIS, score_links
from benchmarks.cuong_2015.headers import rows_of as header_rows
from benchmarks.cuong_2015.sections import (
    PAPER,
    System,
    against,
    evaluate,
    merge_runs,
    micro,
    rows_of,
    splits,
    systems,
)
from benchmarks.support.calibration import calibration_rows
from benchmarks.support.experiments import train_parser
from ibidem.data.readers.papers import label_headings
from ibidem.features.lexicons import empty
from ibidem.labels.schema import SECTION_SCHEMA
from ibidem.labels.tasks import AUTHORS, SECTIONS
from ibidem.metrics.scoring import score_tokens
from ibidem.models.training import CRFConfig
from ibidem.types import Annotation, Example
from tools.weights.author_headers import Header

CONFIG = CRFConfig(window=3, min_count=1, context_min_count=1, iterations=30)


def test_every_split_divides_all_papers():
    found = splits(211)
    assert [tuple(map(len, split)) for split in found] == [(102, 44, 65)] * 10
    assert all(sorted(np.concatenate(split).tolist()) == list(range(211)) for split in found)
    assert len({tuple(split[2].tolist()) for split in found}) == 10


def test_headings_in_a_row_may_be_one_segment():
    papers = [label_headings(["Introduction", "On bells", "On reeds"], ["introduction", "method", "method"], "p")] * 4
    given = [merge_runs(one) for one in papers]
    assert [annotation.label for annotation in given[0].annotations] == ["introduction", "method"]
    parser = train_parser(given, CONFIG, lambda _: None, SECTIONS, empty())
    assert evaluate(parser, given).micro.f1 == 1.0


def test_the_micro_average_leaves_out_what_the_paper_does_not_have():
    report = score_tokens([["keywords", "method"]], [["keywords", "evaluation"]])
    assert micro(report, PAPER.__contains__) == 0.0 and micro(report, lambda _: True) == 50.0
    assert set(PAPER) < set(SECTION_SCHEMA) and "keywords" not in PAPER
    assert rows_of(System("x", CONFIG), [report, report], each=True)[0].ours == 0.0


def test_links_count_when_both_ends_are_right():
    text = "Ann Reed\nFen College"
    example = Example(text, (Annotation("author", 0, 8), Annotation("affiliation", 9, 20)), "made")
    parser = train_parser([example] * 4, CONFIG, lambda _: None, AUTHORS, empty())
    right = Header(example, frozenset({((0, 8), (9, 20))}))
    wrong = Header(example, frozenset({((0, 3), (9, 20))}))
    score, whole = score_links(parser, [right, wrong])
    assert (score.true_positives, score.predicted, score.gold, whole) == (1, 2, 2, 0.5)


def test_confidence_is_compared_with_the_share_of_correct_fields():
    papers = [label_headings(["Introduction", "On bells"], ["introduction", "method"], "p")] * 4
    parser = train_parser(papers, CONFIG, lambda _: None, SECTIONS, empty())
    wrong = [label_headings(["Introduction", "On bells"], ["method", "introduction"], "p")]
    assert calibration_rows("x", parser, papers)[1].ours == 100.0
    confidence, right, error = calibration_rows("x", parser, wrong)
    assert right.ours == 0.0 and abs(error.ours - confidence.ours) < 1e-6


def test_the_difference_from_the_chain_is_that_of_the_means_with_an_interval_around_it():
    gold, better, worse = [["method"] * 4] * 3, [["method"] * 4] * 3, [["method"] * 3 + ["evaluation"]] * 3
    right, wrong = score_tokens(gold, better), score_tokens(gold, worse)
    apart, p_value = against("x", [right, right, wrong], [wrong, right, wrong])
    assert apart.low < apart.ours < apart.high and apart.ours == 25.0 / 3
    assert 0 <= p_value.ours <= 1
    same = against("x", [right, wrong], [right, wrong])
    assert (same[0].ours, same[0].low, same[0].high, same[1].ours) == (0.0, 0.0, 0.0, 1.0)


def test_semi_crfs_of_every_order_are_measured_beside_the_paper():
    named = {one.name: one for one in systems([])}
    assert [one.order for one in named.values() if not one.name.endswith("too")] == [0, 1, 2, 3]
    assert named["semi-CRF of order 2"].config.model == "semi"
    assert [one.order for one in SEMIS] == [1, 2, 3]
    report = score_tokens([["author", "separator"]], [["author", "author"]])
    rows = {row.row: row.reference for row in header_rows("x", report, order=2)}
    assert rows["x, author"] == HEADERS_PAPER["author"][2] and rows["x, separator"] is None


def test_a_semi_crf_gives_every_heading_a_role():
    papers = [label_headings(["Introduction", "On bells", "On reeds"], ["introduction", "method", "method"], "p")] * 4
    config = CRFConfig(model="semi", order=2, window=1, min_count=1, context_min_count=1, iterations=5)
    parser = train_parser([merge_runs(one) for one in papers], config, lambda _: None, SECTIONS, empty())
    labelling = next(parser.label_many(["???\nOn ropes\n§\nReferences\nIntroduction"]))
    assert sorted(place for span in labelling.spans for place in range(span.start, span.end)) == list(range(5))


@pytest.mark.parametrize("order", [1, 2, 3])
def test_segmentations_are_the_same_with_and_without_extensible_features(order):
    lines = ["Introduction", "On bells", "On reeds", "Results"]
    roles = ["introduction", "method", "method", "evaluation"]
    papers = [merge_runs(label_headings(lines[n % 2 :], roles[n % 2 :], "p")) for n in range(6)]
    work = prepare(papers[:4], papers[4:], order, SECTIONS, empty())
    assert work.lengths.tolist() == [4, 3]
    np.testing.assert_allclose(work.decode(True), work.decode(False), rtol=1e-4)
    assert (work.decode(True) > 0).all()
