"""The method blocked: an initial state found on a sample, then sweeps over all citations until they converge.

After each sweep the run may write a checkpoint, from which it can be resumed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ibidem.errors import InputError
from ibidem.files import check_outputs
from ibidem.unsupervised import forward_filtering_backward_sampling as ffbs
from ibidem.unsupervised.blocked import BlockedConfig, Priors, State, priors_of, sweep_once, tables_of
from ibidem.unsupervised.checkpoints import load_checkpoint, save_checkpoint
from ibidem.unsupervised.corpus import Corpus
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
    if checkpoint is not None:
        check_outputs([checkpoint], [])
        if str(checkpoint) == "-" or (checkpoint.exists() and not checkpoint.is_file()):
            raise InputError(f"the checkpoint {checkpoint} is no file that a run can be resumed from; name one")
    run_hash = hash_run(corpus, priors, config) if checkpoint else ""
    history: list[float] = []
    if resume and checkpoint is not None and checkpoint.exists():
        state, history = load_checkpoint(checkpoint, run_hash, corpus, config.fields, priors.seed_words.shape[1])
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
