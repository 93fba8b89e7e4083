"""A run written down after each sweep, so that it can go on where it was ended: arrays alone, no pickles."""

from __future__ import annotations

import hashlib
import os
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import InputError
from ibidem.unsupervised.corpus import Corpus
from ibidem.unsupervised.forward_filtering_backward_sampling import Counts
from ibidem.unsupervised.learning import Priors, Settings, State


def hash32(corpus: Corpus, priors: Priors, settings: Settings) -> str:
    """What tells one run from another: the citations, the hints and the settings, but for the number of sweeps."""
    chosen = {name: value for name, value in asdict(settings).items() if name != "sweeps"}
    digest = hashlib.sha256(repr(sorted(chosen.items())).encode())
    for array in (corpus.words, corpus.starts, corpus.gaps_of_tokens(), priors.hints):
        digest.update(np.ascontiguousarray(array).tobytes())
    digest.update("\n".join(corpus.vocabulary).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def save(path: Path, state: State, history: list[float], print_of_run: str) -> None:
    """Nothing: writes the state; whoever ends the process meanwhile leaves the checkpoint before it whole."""
    beside = path.with_name(path.name + ".new")
    arrays: dict[str, NDArray[Any]] = {
        "elements": state.elements,
        "word": state.counts.word,
        "length": state.counts.length,
        "step": state.counts.step,
        "gap": state.counts.gap,
        "rho": state.rho,
        "hint": np.array(state.hint),
        "sweep": np.array(state.sweep),
        "history": np.array(history),
        "fingerprint": np.array(print_of_run),
    }
    try:
        with beside.open("wb") as stream:
            np.savez(stream, **arrays)  # type: ignore[arg-type]
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except OSError as error:
        raise InputError(f"cannot write the checkpoint {path}: {error.strerror or error}") from error


def load(path: Path, print_of_run: str) -> tuple[State, list[float]]:
    """The state of a checkpoint and the log-likelihoods so far; one of another run is refused."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files}
        if str(arrays["fingerprint"]) != print_of_run:
            raise InputError(
                f"{path} is the checkpoint of other citations, hints or settings; give those again, or another file"
            )
        counts = Counts(arrays["word"], arrays["length"], arrays["step"], arrays["gap"])
        hint = tuple(int(number) for number in arrays["hint"])
        history = [float(value) for value in arrays["history"]]
        state = State(arrays["elements"], counts, arrays["rho"], hint, int(arrays["sweep"]), history[-1])
    except (OSError, ValueError, KeyError, EOFError, IndexError, zipfile.BadZipFile) as error:
        raise InputError(f"{path} is no checkpoint that can be read: {error}; begin anew without --resume") from error
    return state, history
