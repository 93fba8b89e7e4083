"""Strings of every kind, and the batches they make."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from ibidem.features import Batch, Lexicons, batch_of, traits_of
from ibidem.features.lexicons import WordStatistics, hash_phrases, hash_words
from ibidem.models.encoder import spaces_before
from ibidem.text import tokenise
from ibidem.text.fold import hash32

PIECES = (
    "Marsh A. B. (1999) 1999 12 345 , . ; : - – “ ” ( ) [ ] « » / & and In pp. vol. no. eds. PhD thesis March "
    "https://bells.example 10.1000/x 山 。 Наука № ﬁeld ２０１９ 153-60 et al. ' river bells Bog Review"
).split()

words = st.one_of(
    st.sampled_from(PIECES),
    st.text(min_size=1, max_size=6),
    st.text(st.characters(min_codepoint=0x300, max_codepoint=0x36F), min_size=1, max_size=2),
    st.text(st.characters(categories=["Cc", "Cs", "Cf"]), min_size=1, max_size=2),
)
"""Words of references, any text at all, lone accents, control characters, surrogates."""

strings = st.builds(
    lambda parts, glue: glue.join(parts), st.lists(words, min_size=1, max_size=12), st.sampled_from(["", " "])
).filter(lambda text: bool(tokenise(text)))
"""Strings with at least one token."""


def lexicons() -> Lexicons:
    """Small lexicons that know some of the pieces."""
    prints = np.array(sorted(hash32(word) for word in ("bells", "river", "marsh", "bog")), dtype=np.uint32)
    return Lexicons(
        {"family": hash_words(["Marsh"]), "place": hash_words([])},
        {"journal": hash_phrases(["Bog Review", "River Bells and Marsh"]), "place": hash_phrases([])},
        WordStatistics(prints, np.arange(1, 5, dtype=np.uint8)),
    )


def batch(texts: Sequence[str], known: Lexicons) -> Batch:
    """The batch of some strings."""
    tokens = [tokenise(text) for text in texts]
    spaces = np.array([flag for each in tokens for flag in spaces_before(each)], dtype=np.bool_)
    traits = np.array([traits_of(token.text, known) for each in tokens for token in each], dtype=np.int64)
    return batch_of([len(each) for each in tokens], spaces, traits)
