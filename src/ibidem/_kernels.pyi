# mypy: disable-error-code="overload-overlap"
"""
The inner loops of Ibidem in C++; the NumPy reference implementations in the package specify them.
"""

from typing import Any, overload

import numpy
from numpy.typing import NDArray

def loops_in_use() -> str: ...
def tokenise(texts: list[Any], classes: NDArray[numpy.uint8]) -> object: ...
@overload
def log_partition(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float32],
    arc: NDArray[numpy.float32],
    lengths: NDArray[numpy.int32],
    threads: int,
) -> NDArray[numpy.float64]: ...
@overload
def log_partition(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float64],
    arc: NDArray[numpy.float64],
    lengths: NDArray[numpy.int32],
    threads: int,
) -> NDArray[numpy.float64]: ...
@overload
def marginals(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float32],
    arc: NDArray[numpy.float32],
    lengths: NDArray[numpy.int32],
    threads: int,
) -> tuple[NDArray[numpy.float64], NDArray[numpy.float32], NDArray[numpy.float32]]: ...
@overload
def marginals(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float64],
    arc: NDArray[numpy.float64],
    lengths: NDArray[numpy.int32],
    threads: int,
) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64]]: ...
@overload
def best(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float32],
    arc: NDArray[numpy.float32],
    lengths: NDArray[numpy.int32],
    threads: int,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.bool_], NDArray[numpy.float64]]: ...
@overload
def best(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float64],
    arc: NDArray[numpy.float64],
    lengths: NDArray[numpy.int32],
    threads: int,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.bool_], NDArray[numpy.float64]]: ...
@overload
def soft_best(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float32],
    arc: NDArray[numpy.float32],
    lengths: NDArray[numpy.int32],
    coefficient: NDArray[numpy.float64],
    bound: NDArray[numpy.float64],
    penalty: NDArray[numpy.float64],
    iterations: int,
    several: int,
    threads: int,
) -> tuple[
    NDArray[numpy.int32],
    NDArray[numpy.bool_],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
    NDArray[numpy.int32],
    NDArray[numpy.bool_],
    NDArray[numpy.int32],
    NDArray[numpy.float64],
]: ...
@overload
def soft_best(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float64],
    arc: NDArray[numpy.float64],
    lengths: NDArray[numpy.int32],
    coefficient: NDArray[numpy.float64],
    bound: NDArray[numpy.float64],
    penalty: NDArray[numpy.float64],
    iterations: int,
    several: int,
    threads: int,
) -> tuple[
    NDArray[numpy.int32],
    NDArray[numpy.bool_],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
    NDArray[numpy.float64],
    NDArray[numpy.int32],
    NDArray[numpy.bool_],
    NDArray[numpy.int32],
    NDArray[numpy.float64],
]: ...
@overload
def sample(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float32],
    arc: NDArray[numpy.float32],
    lengths: NDArray[numpy.int32],
    seed: int,
    draws: int,
    threads: int,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.bool_], NDArray[numpy.float64]]: ...
@overload
def sample(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float64],
    arc: NDArray[numpy.float64],
    lengths: NDArray[numpy.int32],
    seed: int,
    draws: int,
    threads: int,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.bool_], NDArray[numpy.float64]]: ...
@overload
def kbest(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float32],
    arc: NDArray[numpy.float32],
    lengths: NDArray[numpy.int32],
    k: int,
    threads: int,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.bool_], NDArray[numpy.float64], NDArray[numpy.int32]]: ...
@overload
def kbest(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float64],
    arc: NDArray[numpy.float64],
    lengths: NDArray[numpy.int32],
    k: int,
    threads: int,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.bool_], NDArray[numpy.float64], NDArray[numpy.int32]]: ...
@overload
def segment_mass(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float32],
    arc: NDArray[numpy.float32],
    lengths: NDArray[numpy.int32],
    segments: NDArray[numpy.int32],
    first: NDArray[numpy.bool_],
    inside: NDArray[numpy.bool_],
    threads: int,
) -> NDArray[numpy.float64]: ...
@overload
def segment_mass(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float64],
    arc: NDArray[numpy.float64],
    lengths: NDArray[numpy.int32],
    segments: NDArray[numpy.int32],
    first: NDArray[numpy.bool_],
    inside: NDArray[numpy.bool_],
    threads: int,
) -> NDArray[numpy.float64]: ...
@overload
def best_segments(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float32],
    arc: NDArray[numpy.float32],
    lengths: NDArray[numpy.int32],
    first: NDArray[numpy.bool_],
    inside: NDArray[numpy.bool_],
    weigh: bool,
    coefficient: NDArray[numpy.float64],
    bound: NDArray[numpy.float64],
    penalty: NDArray[numpy.float64],
    iterations: int,
    several: int,
    threads: int,
) -> tuple[
    NDArray[numpy.float64],
    NDArray[numpy.float64],
    NDArray[numpy.int32],
    NDArray[numpy.float64],
    NDArray[numpy.int32],
    NDArray[numpy.float64],
]: ...
@overload
def best_segments(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    span: NDArray[numpy.float64],
    arc: NDArray[numpy.float64],
    lengths: NDArray[numpy.int32],
    first: NDArray[numpy.bool_],
    inside: NDArray[numpy.bool_],
    weigh: bool,
    coefficient: NDArray[numpy.float64],
    bound: NDArray[numpy.float64],
    penalty: NDArray[numpy.float64],
    iterations: int,
    several: int,
    threads: int,
) -> tuple[
    NDArray[numpy.float64],
    NDArray[numpy.float64],
    NDArray[numpy.int32],
    NDArray[numpy.float64],
    NDArray[numpy.int32],
    NDArray[numpy.float64],
]: ...
@overload
def emissions(
    rows: NDArray[numpy.float32],
    types: NDArray[numpy.int32],
    lengths: NDArray[numpy.int32],
    table: NDArray[numpy.float32],
    ids: NDArray[numpy.int32],
    threads: int,
) -> NDArray[numpy.float32]: ...
@overload
def emissions(
    rows: NDArray[numpy.float64],
    types: NDArray[numpy.int32],
    lengths: NDArray[numpy.int32],
    table: NDArray[numpy.float64],
    ids: NDArray[numpy.int32],
    threads: int,
) -> NDArray[numpy.float64]: ...
@overload
def packed_emissions(
    rows: NDArray[numpy.float32],
    types: NDArray[numpy.int32],
    lengths: NDArray[numpy.int32],
    table: NDArray[numpy.int8],
    ids: NDArray[numpy.int32],
    steady: NDArray[numpy.int32],
    threads: int,
) -> NDArray[numpy.float32]: ...
@overload
def packed_emissions(
    rows: NDArray[numpy.float64],
    types: NDArray[numpy.int32],
    lengths: NDArray[numpy.int32],
    table: NDArray[numpy.int8],
    ids: NDArray[numpy.int32],
    steady: NDArray[numpy.int32],
    threads: int,
) -> NDArray[numpy.float64]: ...
@overload
def emissions_credit(
    delta: NDArray[numpy.float32],
    types: NDArray[numpy.int32],
    lengths: NDArray[numpy.int32],
    rows_count: int,
    window: int,
    ids: NDArray[numpy.int32],
    table_count: int,
    threads: int,
) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]: ...
@overload
def emissions_credit(
    delta: NDArray[numpy.float64],
    types: NDArray[numpy.int32],
    lengths: NDArray[numpy.int32],
    rows_count: int,
    window: int,
    ids: NDArray[numpy.int32],
    table_count: int,
    threads: int,
) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]: ...
@overload
def span_scores(
    token: NDArray[numpy.float32],
    lengths: NDArray[numpy.int32],
    limits: NDArray[numpy.int32],
    table: NDArray[numpy.float32],
    ids: NDArray[numpy.int32],
    longest: int,
    threads: int,
) -> NDArray[numpy.float32]: ...
@overload
def span_scores(
    token: NDArray[numpy.float64],
    lengths: NDArray[numpy.int32],
    limits: NDArray[numpy.int32],
    table: NDArray[numpy.float64],
    ids: NDArray[numpy.int32],
    longest: int,
    threads: int,
) -> NDArray[numpy.float64]: ...
@overload
def span_credit(
    credit: NDArray[numpy.float32],
    lengths: NDArray[numpy.int32],
    roles: int,
    limits: NDArray[numpy.int32],
    table_count: int,
    ids: NDArray[numpy.int32],
) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]: ...
@overload
def span_credit(
    credit: NDArray[numpy.float64],
    lengths: NDArray[numpy.int32],
    roles: int,
    limits: NDArray[numpy.int32],
    table_count: int,
    ids: NDArray[numpy.int32],
) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]: ...
@overload
def spans_anew(
    rows: NDArray[numpy.float32],
    types: NDArray[numpy.int32],
    lengths: NDArray[numpy.int32],
    table: NDArray[numpy.float32],
    ids: NDArray[numpy.int32],
    roles: int,
    limits: NDArray[numpy.int32],
    longest: int,
    threads: int,
) -> NDArray[numpy.float32]: ...
@overload
def spans_anew(
    rows: NDArray[numpy.float64],
    types: NDArray[numpy.int32],
    lengths: NDArray[numpy.int32],
    table: NDArray[numpy.float64],
    ids: NDArray[numpy.int32],
    roles: int,
    limits: NDArray[numpy.int32],
    longest: int,
    threads: int,
) -> NDArray[numpy.float64]: ...
def context_features(phrase_sets: list[Any]) -> list[Any]: ...
def context_rows(
    lengths: NDArray[numpy.int32],
    space_before: NDArray[numpy.bool_],
    traits: NDArray[numpy.int64],
    types: NDArray[numpy.int32],
    filter: NDArray[numpy.uint8],
    hashes: NDArray[numpy.uint32],
    hash_begin: NDArray[numpy.int64],
    known: NDArray[numpy.int32],
    known_begin: NDArray[numpy.int64],
    column: NDArray[numpy.int32],
    columns: int,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]: ...
def segment_features(phrase_sets: list[Any]) -> list[Any]: ...
def segment_rows(
    lengths: NDArray[numpy.int32],
    space_before: NDArray[numpy.bool_],
    traits: NDArray[numpy.int64],
    filter: NDArray[numpy.uint8],
    hashes: NDArray[numpy.uint32],
    hash_begin: NDArray[numpy.int64],
    column: NDArray[numpy.int32],
    first: NDArray[numpy.int32],
    columns: int,
    longest: int,
) -> NDArray[numpy.int32]: ...
@overload
def decode_spans(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    arc: NDArray[numpy.float32],
    lengths: NDArray[numpy.int32],
    token: NDArray[numpy.float32],
    limits: NDArray[numpy.int32],
    order: NDArray[numpy.int32],
    table: NDArray[numpy.float32],
    ids: NDArray[numpy.int32],
    longest: int,
    begins: NDArray[numpy.bool_],
    continues: NDArray[numpy.bool_],
    inside: NDArray[numpy.bool_],
    joins: NDArray[numpy.bool_],
    weigh: bool,
    threads: int,
) -> tuple[
    NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.int32], NDArray[numpy.float64], NDArray[numpy.bool_]
]: ...
@overload
def decode_spans(
    label: NDArray[numpy.int32],
    src: NDArray[numpy.int32],
    dst: NDArray[numpy.int32],
    final: NDArray[numpy.bool_],
    arc: NDArray[numpy.float64],
    lengths: NDArray[numpy.int32],
    token: NDArray[numpy.float64],
    limits: NDArray[numpy.int32],
    order: NDArray[numpy.int32],
    table: NDArray[numpy.float64],
    ids: NDArray[numpy.int32],
    longest: int,
    begins: NDArray[numpy.bool_],
    continues: NDArray[numpy.bool_],
    inside: NDArray[numpy.bool_],
    joins: NDArray[numpy.bool_],
    weigh: bool,
    threads: int,
) -> tuple[
    NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.int32], NDArray[numpy.float64], NDArray[numpy.bool_]
]: ...
def sample_segmentations(
    words: NDArray[numpy.int32],
    gaps: NDArray[numpy.int32],
    starts: NDArray[numpy.int64],
    element: NDArray[numpy.uint8],
    word: NDArray[numpy.float64],
    word_total: NDArray[numpy.float64],
    length: NDArray[numpy.float64],
    length_total: NDArray[numpy.float64],
    step: NDArray[numpy.float64],
    gap: NDArray[numpy.float64],
    seed: int,
    sweep: int,
    threads: int,
) -> tuple[
    NDArray[numpy.uint8], NDArray[numpy.float64], NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64]
]: ...
def decode_segmentations(
    words: NDArray[numpy.int32],
    gaps: NDArray[numpy.int32],
    starts: NDArray[numpy.int64],
    element: NDArray[numpy.uint8],
    word: NDArray[numpy.float64],
    word_total: NDArray[numpy.float64],
    length: NDArray[numpy.float64],
    length_total: NDArray[numpy.float64],
    step: NDArray[numpy.float64],
    gap: NDArray[numpy.float64],
    threads: int,
) -> tuple[NDArray[numpy.uint8], NDArray[numpy.float32], NDArray[numpy.float64]]: ...
def gibbs_sweep(
    words: NDArray[numpy.int32],
    starts: NDArray[numpy.int64],
    draws: NDArray[numpy.uint8],
    counts: NDArray[numpy.int32],
    totals: NDArray[numpy.int64],
    repeat: NDArray[numpy.int32],
    inversions: NDArray[numpy.uint8],
    rho: NDArray[numpy.float64],
    alpha: float,
    beta: float,
    move_inversions: bool,
    rebuilt: int,
    literal: bool,
    seed: int,
    iteration: int,
    threads: int,
) -> None: ...
def lda_sweep(
    words: NDArray[numpy.int32],
    starts: NDArray[numpy.int64],
    draws: NDArray[numpy.uint8],
    counts: NDArray[numpy.int32],
    totals: NDArray[numpy.int64],
    topics: int,
    alpha: float,
    beta: float,
    seed: int,
    iteration: int,
    threads: int,
) -> None: ...
def assign_all_topics(
    starts: NDArray[numpy.int64], draws: NDArray[numpy.uint8], inversions: NDArray[numpy.uint8]
) -> NDArray[numpy.uint8]: ...
def repeated_words(words: NDArray[numpy.int32], starts: NDArray[numpy.int64]) -> NDArray[numpy.int32]: ...
def edit_ratios(
    texts: list[Any],
    left: NDArray[numpy.int64],
    right: NDArray[numpy.int64],
    scorers: NDArray[numpy.int32],
    longest: int,
) -> NDArray[numpy.float32]: ...
def ngram_cosines(
    texts: list[Any], left: NDArray[numpy.int64], right: NDArray[numpy.int64], longest: int
) -> NDArray[numpy.float32]: ...
def abbreviations(
    names: list[Any], left: NDArray[numpy.int64], right: NDArray[numpy.int64]
) -> NDArray[numpy.float32]: ...
def number_words(texts: list[Any]) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], list[Any]]: ...
def row_products(
    begin: NDArray[numpy.int32],
    columns: NDArray[numpy.int32],
    values: NDArray[numpy.float32],
    left: NDArray[numpy.int64],
    right: NDArray[numpy.int64],
) -> NDArray[numpy.float32]: ...
def unshared(
    begin: NDArray[numpy.int32],
    columns: NDArray[numpy.int32],
    values: NDArray[numpy.float32],
    classes: NDArray[numpy.int32],
    left: NDArray[numpy.int64],
    right: NDArray[numpy.int64],
    most: int,
) -> tuple[
    NDArray[numpy.float64],
    NDArray[numpy.int32],
    NDArray[numpy.int32],
    NDArray[numpy.int32],
    NDArray[numpy.int32],
    NDArray[numpy.float32],
]: ...
