"""The method blocked: an initial state found on a sample, then sweeps over all citations until they converge.

After each sweep the run may write a checkpoint, plain arrays without pickles, from which it can be resumed.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import InputError
from ibidem.unsupervised import forward_filtering_backward_sampling as ffbs
from ibidem.unsupervised.blocked import BlockedConfig, Priors, State, priors_of, sweep_once, tables_of
from ibidem.unsupervised.corpus import Corpus
from ibidem.unsupervised.forward_filtering_backward_sampling import Counts
from ibidem.unsupervised.methods import Fit, Job, Method, Progress
from ibidem.unsupervised.split_merge import search

_GAIN = 1e-3  # of the log-likelihood per token over _OVER sweeps; less means convergence
_OVER = 2
_BURN_IN = 1  # sweeps whose likelihood says little: no token has an element, so none is taken out of the counts


def fit(config: BlockedConfig, job: Job) -> Fit:
    """Fit the model to a corpus and decode every citation."""
    priors = priors_of(job.corpus, job.seed_words)
    state, history = run(job.corpus, priors, config, job.threads, job.progress, job.checkpoint, job.resume)
    elements, confidence, _ = ffbs.decode(job.corpus, state.elements, tables_of(state, priors), job.threads)
    return Fit(
        elements, confidence, state.counts.word, state.counts.length, state.rho, state.seed_words, tuple(history)
    )


METHOD = Method(BlockedConfig, fit, 1, ffbs.MAX_ELEMENTS - 1, takes_seed_words=True, takes_checkpoint=True)


def run(
    corpus: Corpus,
    priors: Priors,
    config: BlockedConfig,
    threads: int = 1,
    progress: Progress = lambda _line: None,
    checkpoint: Path | None = None,
    resume: bool = False,
) -> tuple[State, list[float]]:
    """Return the last state of a run, and the log-likelihood per token after each of its sweeps.

    With `resume` it continues from the checkpoint, if there is one, to the same end as an uninterrupted run.
    """
    run_hash = hash_run(corpus, priors, config) if checkpoint else ""
    history: list[float] = []
    if resume and checkpoint is not None and checkpoint.exists():
        state, history = load_checkpoint(checkpoint, run_hash)
        progress(f"resuming after sweep {state.sweep} of at most {config.sweeps}")
    else:
        state = search(corpus, priors, config, threads, progress)
    while state.sweep < config.sweeps and not has_converged(history):
        state = sweep_once(corpus, state, priors, config.seed, threads)
        history.append(state.log_likelihood)
        progress(f"sweep {state.sweep} of at most {config.sweeps}: log-likelihood {history[-1]:.4f} per token")
        if checkpoint is not None:
            save_checkpoint(checkpoint, state, history, run_hash)
    return state, history


def has_converged(history: Sequence[float]) -> bool:
    """Return whether the log-likelihoods of the sweeps so far no longer grow.

    >>> has_converged([-6.2, -6.5, -6.4]), has_converged([-6.2, -6.5, -6.4, -6.3995])
    (False, False)
    >>> has_converged([-6.2, -6.4, -6.3995, -6.3994])
    True
    """
    return len(history) > _BURN_IN + _OVER and history[-1] - history[-1 - _OVER] < _GAIN


def hash_run(corpus: Corpus, priors: Priors, config: BlockedConfig) -> str:
    """Return a hash of the citations, the seed words and the settings, but for the number of sweeps."""
    settings = {  # under the names they had when checkpoints were first written
        "elements": config.fields,
        "seed": config.seed,
        "least": config.min_count,
        "sample": config.sample,
        "restarts": config.restarts,
        "longest": config.longest,
    }
    digest = hashlib.sha256(repr(sorted(settings.items())).encode())
    for array in (corpus.words, corpus.starts, corpus.gaps_of_tokens(), priors.seed_words):
        digest.update(np.ascontiguousarray(array).tobytes())
    digest.update("\n".join(corpus.vocabulary).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def save_checkpoint(path: Path, state: State, history: list[float], run_hash: str) -> None:
    """Write the state; a process killed meanwhile leaves the previous checkpoint intact."""
    new = path.with_name(path.name + ".new")
    arrays: dict[str, NDArray[Any]] = {
        "elements": state.elements,
        "word": state.counts.word,
        "length": state.counts.length,
        "step": state.counts.step,
        "gap": state.counts.gap,
        "rho": state.rho,
        "hint": np.array(state.seed_words),
        "sweep": np.array(state.sweep),
        "history": np.array(history),
        "fingerprint": np.array(run_hash),
    }
    try:
        with new.open("wb") as stream:
            np.savez(stream, **arrays)  # type: ignore[arg-type]
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(path)
    except OSError as error:
        raise InputError(f"cannot write the checkpoint {path}: {error.strerror or error}") from error


def load_checkpoint(path: Path, run_hash: str) -> tuple[State, list[float]]:
    """Read the state of a checkpoint and the log-likelihoods so far; that of another run is refused."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        if str(arrays["fingerprint"]) != run_hash:
            raise InputError(
                f"{path} is the checkpoint of other citations, seed words or settings; use those, or another file"
            )
        counts = Counts(arrays["word"], arrays["length"], arrays["step"], arrays["gap"])
        seed_words = tuple(int(number) for number in arrays["hint"])
        history = [float(value) for value in arrays["history"]]
        state = State(arrays["elements"], counts, arrays["rho"], seed_words, int(arrays["sweep"]), history[-1])
    except (OSError, ValueError, KeyError, EOFError, IndexError, zipfile.BadZipFile) as error:
        raise InputError(f"{path} is not a readable checkpoint: {error}; start again without --resume") from error
    return state, history
