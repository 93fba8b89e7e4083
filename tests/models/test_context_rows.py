"""The compiled features of context are those of `ibidem.features`, code by code."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ibidem.features import FEATURES, TRAITS, batch_of, traits_of
from ibidem.features.lexicons import Lexicons, WordStatistics, hash_phrases, hash_words
from ibidem.kernels import compiled
from ibidem.models.context import ContextRows
from ibidem.models.encoder import Encoder
from ibidem.models.rows import LazyRows, sparse_rows
from ibidem.text.fold import hash32
from ibidem.text.tokens import tokenise_batch

WORDS = ["Review", "of", "Bog", "Plants", "Reed", "New", "York", "A.", "B", "12", "1999", "2001a", "vol.", "pp", "In:"]
MARKS = [
    ",",
    ".",
    ";",
    ":",
    "(",
    ")",
    "“",
    "”",
    '"',
    "-",
    "/",
    "&",
    "et al.",
    "eds.",
    "thesis",
    "www.bog.org",
    "苔",
    "é",
]
strings = st.lists(st.sampled_from(WORDS + MARKS + ["", " "]), max_size=30).map(" ".join) | st.lists(
    st.sampled_from(WORDS + MARKS), max_size=12
).map("".join)


def knowing() -> Lexicons:
    prints = np.array(sorted(hash32(word) for word in ("bog", "reed", "york", "plants")), dtype=np.uint32)
    statistics = WordStatistics(prints, np.array([1, 6, 8, 3], dtype=np.uint8))
    journals = hash_phrases(["Review of Bog Plants", "Review", "Bog Plants Review of Reed New York A B C"])
    return Lexicons(
        {"family": hash_words(["Reed"])},
        {"journal": journals, "place": hash_phrases(["New York", "York"])},
        statistics,
    )


def encoder_that_keeps_everything() -> tuple[Encoder, LazyRows]:
    lexicons = knowing()
    context, used = {}, 0
    for name, size in FEATURES.sizes(lexicons).items():
        context[name] = np.arange(used, used + size, dtype=np.int32)
        used += size
    empty = sparse_rows(np.zeros((used, 1), dtype=np.float32), 0.0)
    return Encoder(lexicons, np.zeros(0, dtype=np.uint32), context), LazyRows(empty)


ENCODER, TABLE = encoder_that_keeps_everything()
ROWS = ContextRows(ENCODER, TABLE, few=0)


@pytest.mark.skipif(compiled() is None, reason="there are no compiled kernels here")
@given(st.lists(strings, min_size=1, max_size=4))
@example(["", "Reed", ""])
@example(['"Bog" "Plants" in Review of Bog Plants, New York (1999; 2001a).'])
def test_every_code_is_that_of_its_feature(texts: list[str]) -> None:
    tokens = tokenise_batch(texts)
    types = {text: number for number, text in enumerate(dict.fromkeys(tokens.texts))}
    traits = np.array([traits_of(text, ENCODER.lexicons) for text in types], dtype=np.int64).reshape(-1, len(TRAITS))
    number = np.array([types[text] for text in tokens.texts], dtype=np.int32)
    wanted = ENCODER.rows_of_context(batch_of(tokens.lengths, tokens.space_before, traits[number]))
    for _ in range(2):  # before and after the rows are in the table
        found = ROWS.rows(tokens, traits, number)
        for place, name in enumerate(ENCODER.context):
            np.testing.assert_array_equal(found[:, place], wanted[:, place], err_msg=name)


@pytest.mark.skipif(compiled() is None, reason="there are no compiled kernels here")
def test_the_kernel_has_every_feature_of_the_list_with_its_number_of_codes() -> None:
    found = compiled().context_features(list(ENCODER.lexicons.phrases))
    assert found == list(FEATURES.sizes(ENCODER.lexicons).items())


CHOICES = [
    ["location"],
    ["phrase/place", "coarse/inside", "next-punctuation", "blanks"],
    ["style/opening", "fine/seen-after", "phrase/journal", "word-pair"],
    list(reversed(ENCODER.context)),
]


@pytest.mark.parametrize("names", CHOICES)
@pytest.mark.parametrize("foreign", [[], ["location"], ["fine/seen-after", "phrase/place"]])
def test_a_model_may_have_some_features_in_any_order(
    names: list[str], foreign: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those in `foreign` have too many rows to be the kernel's, as a feature has that only Python knows."""
    context = {name: np.arange(len(ENCODER.context[name]) + (name in foreign), dtype=np.int32) for name in names}
    table = LazyRows(sparse_rows(np.ones((max(map(len, context.values())), 1), dtype=np.float32), 0.0))
    chosen = Encoder(ENCODER.lexicons, ENCODER.attributes, context)
    tokens = tokenise_batch(["Reed A. 1999, New York.", "“Bog Plants”, vol. 2"])
    traits = np.array([traits_of(text, ENCODER.lexicons) for text in tokens.texts], dtype=np.int64)
    types = np.arange(len(traits), dtype=np.int32)
    found = ContextRows(chosen, table, few=0).rows(tokens, traits, types)
    monkeypatch.setenv("IBIDEM_KERNELS", "numpy")
    np.testing.assert_array_equal(found, ContextRows(chosen, table).rows(tokens, traits, types))
    assert (table.table[found.ravel(), 0] == 127).all()
