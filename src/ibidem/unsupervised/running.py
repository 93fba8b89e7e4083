"""A whole run: a start searched on a sample, then sweeps over all citations until nothing more is learnt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ibidem.unsupervised import checkpoints
from ibidem.unsupervised.corpus import Corpus
from ibidem.unsupervised.learning import Priors, Settings, State, advance
from ibidem.unsupervised.searching import search

_GAIN = 1e-3  # of the log-likelihood of a token in _OVER sweeps; less is no reason for another one
_OVER = 2
_STRANGE = 1  # sweeps at the beginning that say little: no token is placed, so the sample's own part is not taken out


def run(
    corpus: Corpus,
    priors: Priors,
    settings: Settings,
    threads: int = 1,
    progress: Callable[[str], None] = lambda _line: None,
    checkpoint: Path | None = None,
    resume: bool = False,
) -> tuple[State, list[float]]:
    """The last state of a run, and the log-likelihood of a token after each of its sweeps.

    With `resume` it goes on from the checkpoint, if there is one, to the same end as a run that was not broken off.
    """
    this_run = checkpoints.hash32(corpus, priors, settings) if checkpoint else ""
    history: list[float] = []
    if resume and checkpoint is not None and checkpoint.exists():
        state, history = checkpoints.load(checkpoint, this_run)
        progress(f"going on after sweep {state.sweep} of at most {settings.sweeps}")
    else:
        state = search(corpus, priors, settings, threads, progress)
    while state.sweep < settings.sweeps and not settled(history):
        state = advance(corpus, state, priors, settings.seed, threads)
        history.append(state.log_likelihood)
        progress(f"sweep {state.sweep} of at most {settings.sweeps}: log-likelihood {history[-1]:.4f} a token")
        if checkpoint is not None:
            checkpoints.save(checkpoint, state, history, this_run)
    return state, history


def settled(history: Sequence[float]) -> bool:
    """Whether the log-likelihoods of the sweeps so far grow no more.

    >>> settled([-6.2, -6.5, -6.4]), settled([-6.2, -6.5, -6.4, -6.3995]), settled([-6.2, -6.4, -6.3995, -6.3994])
    (False, False, True)
    """
    return len(history) > _STRANGE + _OVER and history[-1] - history[-1 - _OVER] < _GAIN
