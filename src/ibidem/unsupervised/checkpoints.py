"""Checkpoints of the method blocked: the state after a sweep, as plain arrays without pickles.

A line with the format and a SHA-256 comes first, so that a damaged file is noticed. The indices of a file with the
right checksum are checked as well before any kernel sees them.
"""

from __future__ import annotations

import hashlib
import io
import re
import tokenize
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import InputError
from ibidem.faults import first_line
from ibidem.files import open_input, open_output
from ibidem.unsupervised import forward_filtering_backward_sampling as ffbs
from ibidem.unsupervised.blocked import State
from ibidem.unsupervised.corpus import Corpus
from ibidem.unsupervised.forward_filtering_backward_sampling import Counts
from ibidem.unsupervised.mallows import LARGEST_RHO

_FORMAT = 2
_HEAD = re.compile(rb"ibidem checkpoint ([0-9]{1,9}) ([0-9a-f]{64})")
_AGAIN = "start again without --resume"
_UNREADABLE: tuple[type[Exception], ...] = (OSError, ValueError, KeyError, EOFError, MemoryError, zipfile.BadZipFile)
_UNREADABLE += (NotImplementedError, tokenize.TokenError, SyntaxError)  # by the header of an array


def save_checkpoint(path: Path, state: State, history: list[float], run_hash: str) -> None:
    """Write the state; a process killed meanwhile leaves the previous checkpoint intact."""
    arrays: dict[str, NDArray[Any]] = {
        "elements": state.elements,
        "word": state.counts.word,
        "length": state.counts.length,
        "step": state.counts.step,
        "gap": state.counts.gap,
        "rho": state.rho,
        "seed_words": np.array(state.seed_words, dtype=np.int64),
        "history": np.array(history, dtype=np.float64),
        "run": np.array(run_hash),
    }
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]
    checksum = hashlib.sha256(content.getbuffer()).hexdigest()
    try:
        with open_output(path) as stream:
            stream.write(f"ibidem checkpoint {_FORMAT} {checksum}\n".encode())
            stream.write(content.getbuffer())
    except OSError as error:
        raise InputError(f"cannot write the checkpoint {path}: {error.strerror or error}") from error


def load_checkpoint(path: Path, run_hash: str, corpus: Corpus, fields: int, groups: int) -> tuple[State, list[float]]:
    """Read the state of a checkpoint and the log-likelihoods so far; that of another run is refused.

    `groups` is the number of groups of seed words.
    """
    try:
        with open_input(path) as stream:
            head, content = stream.readline(100), stream.read()
        _check_head(path, head, content)
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {name: array for name in file.files if isinstance(array := file[name], np.ndarray)}
        if str(arrays["run"]) != run_hash:
            raise InputError(
                f"{path} is the checkpoint of other citations, seed words or settings; use those, or another file"
            )
        return _make_state(arrays, corpus, fields, groups)
    except _UNREADABLE as error:
        raise InputError(f"{path} is not a readable checkpoint: {first_line(error)}; {_AGAIN}") from error


def _check_head(path: Path, head: bytes, content: bytes) -> None:
    found = _HEAD.fullmatch(head.rstrip(b"\n"))
    if head.startswith(b"PK"):
        raise InputError(f"{path} is the checkpoint of an older version of Ibidem; {_AGAIN}")
    if not found:
        raise ValueError("it does not begin as one")
    if int(found[1]) > _FORMAT:
        raise InputError(f"{path} is the checkpoint of a newer version of Ibidem; use that one, or {_AGAIN}")
    if hashlib.sha256(content).hexdigest().encode() != found[2]:
        raise ValueError("it is damaged, as its checksum shows")


def _make_state(arrays: dict[str, NDArray[Any]], corpus: Corpus, fields: int, groups: int) -> tuple[State, list[float]]:
    """Return the state and the log-likelihoods; a ValueError where they do not go with the corpus."""
    elements, rho, own = arrays["elements"], arrays["rho"], arrays["seed_words"]
    counts = Counts(arrays["word"], arrays["length"], arrays["step"], arrays["gap"])
    history = _floats(arrays["history"]).tolist()
    seed_words = tuple(int(group) for group in own.reshape(-1))
    used = [group for group in seed_words if group >= 0]
    if not history or own.dtype != np.int64 or min(seed_words, default=-2) < -1 or len(set(used)) < len(used):
        raise ValueError("its sweeps or groups of seed words are wrong")
    shape = len(seed_words), len(_floats(rho))
    if max(used, default=-1) >= groups or shape != (fields, fields - 1) or ((rho < 0) | (rho > LARGEST_RHO)).any():
        raise ValueError("its groups of seed words or its order are wrong")
    _check_counts(corpus, elements, counts, len(seed_words))
    return State(elements, counts, rho, seed_words, len(history), history[-1]), history


def _floats(array: NDArray[Any]) -> NDArray[np.float64]:
    if array.dtype != np.float64 or array.ndim != 1 or not np.isfinite(array).all():
        raise ValueError("numbers are missing, or not finite")
    return array


def _check_counts(corpus: Corpus, elements: NDArray[Any], counts: Counts, K: int) -> None:
    """Refuse elements out of range, and counts that are not those of the elements."""
    if elements.dtype != np.uint8 or elements.shape != corpus.words.shape:
        raise ValueError("it has not as many tokens as the citations")
    placed, citation = elements < K, np.repeat(np.arange(corpus.size), corpus.lengths)
    own = np.bincount(citation[placed], minlength=corpus.size)  # tokens of each citation that have an element
    known = np.flatnonzero(own)
    if not (placed | (elements == ffbs.NO_ELEMENT)).all() or (own[known] != corpus.lengths[known]).any():
        raise ValueError("an element is out of range")
    if any(array.dtype != np.int64 for array in (counts.word, counts.length, counts.step, counts.gap)):
        raise ValueError("a count is not a whole number")
    if counts.length.ndim != 2 or counts.length.shape[1] < 2 or counts.step.shape != (K, 1 << K):
        raise ValueError("its counts are not of the right shape")
    sets = np.arange(1 << K)
    used_twice = counts.step[sets >> np.arange(K)[:, None] & 1 > 0]
    right = (
        np.array_equal(counts.word, ffbs.count_words(corpus, elements, K)),
        np.array_equal(
            counts.length,
            ffbs.count_lengths(corpus.select(known), elements[placed], K, counts.length.shape[1] - 1),
        ),
        np.array_equal(counts.gap, _count_gaps(corpus, elements, K)),
        (counts.step >= 0).all() and not used_twice.any() and (counts.step.sum(axis=1) == len(known)).all(),
    )
    if not all(right):
        raise ValueError("its counts are not those of its elements")


def _count_gaps(corpus: Corpus, elements: NDArray[np.uint8], K: int) -> NDArray[np.int64]:
    """Return how often each gap comes inside each element and after it: [C, K, 2]."""
    gaps, ends = corpus.gaps_of_tokens(), np.ones(len(elements), dtype=np.bool_)
    ends[:-1] = elements[1:] != elements[:-1]
    ends[corpus.starts[1:][corpus.lengths > 0] - 1] = True
    C = int(gaps.max(initial=0)) + 1
    placed = elements < K
    keys = (gaps[placed].astype(np.int64) * K + elements[placed]) * 2 + ends[placed]
    return np.bincount(keys, minlength=C * K * 2).reshape(C, K, 2)
