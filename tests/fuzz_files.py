"""Reads damaged models and checkpoints: `python tests/fuzz_files.py --files N --seed S`.

Each must be answered or refused with an `IbidemError`. Some checkpoints have the right checksum for wrong arrays. The
program is most telling under AddressSanitizer (`make sanitize`), where a wrong access of memory ends it.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
from conftest import train_tiny_model
from fuzz_kernels import spoil_array

import ibidem
from ibidem.errors import IbidemError

CITATIONS = [
    f"{who} {year} On {what}" for who in ("Reed", "Fenn") for year in range(1990, 2000) for what in ("tides", "looms")
]


def segment(checkpoint: Path, resume: bool = True) -> None:
    ibidem.segment(CITATIONS, fields=3, sweeps=3 if resume else 1, checkpoint=checkpoint, resume=resume)


def parse(model: Path) -> None:
    ibidem.load(model).parse_many(["Reed, A. (1999). The drift of bells. Bog Review, 3.", ""])


def damage(content: bytes, rng: np.random.Generator) -> bytes:
    """Return a file with some bytes changed, or with its end missing."""
    if rng.random() < 0.2:
        return content[: int(rng.integers(len(content)))]
    changed = bytearray(content)
    for place in rng.integers(len(changed), size=int(rng.integers(1, 9))).tolist():
        changed[place] = int(rng.integers(256))
    return bytes(changed)


def spoil_checkpoint(content: bytes, rng: np.random.Generator) -> bytes:
    """Return a checkpoint with the right checksum and an array that is wrong."""
    head, _, arrays = content.partition(b"\n")
    with np.load(io.BytesIO(arrays)) as file:
        own = {name: file[name] for name in file.files}
    name = list(own)[int(rng.integers(len(own)))]
    if own[name].ndim:
        own[name] = spoil_array(own[name], rng)
    stream = io.BytesIO()
    np.savez(
        stream, **{name: array.astype(np.float64) if array.dtype == object else array for name, array in own.items()}
    )
    checksum = hashlib.sha256(stream.getvalue()).hexdigest()
    return b" ".join((*head.split()[:3], checksum.encode())) + b"\n" + stream.getvalue()


def fuzz(files: int, seed: int, folder: Path) -> Counter[str]:
    """Read as many files as that; return how many were answered and refused."""
    model, checkpoint = folder / "tiny.ibidem", folder / "run.npz"
    train_tiny_model(model)
    segment(checkpoint, resume=False)
    kinds: list[tuple[Path, Callable[[bytes, np.random.Generator], bytes], Callable[[Path], None]]]
    kinds = [(model, damage, parse), (checkpoint, damage, segment), (checkpoint, spoil_checkpoint, segment)]
    good = {path: path.read_bytes() for path in (model, checkpoint)}
    outcomes: Counter[str] = Counter()
    for number in range(files):
        path, change, use = kinds[number % len(kinds)]
        bad = folder / f"bad-{number}{path.suffix}"
        bad.write_bytes(change(good[path], np.random.default_rng([seed, number])))
        try:
            use(bad)
            outcomes["answered"] += 1
        except IbidemError:
            outcomes["refused"] += 1
        except Exception as error:
            raise AssertionError(
                f"file {number} of seed {seed}, {change.__name__} of {path.name}: {error!r}"
            ) from error
        bad.unlink()
    return outcomes


def main() -> None:
    """Read the options, run, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        outcomes = fuzz(options.files, options.seed, Path(folder))
    print(f"{options.files:,} files: " + ", ".join(f"{times:,} {how}" for how, times in sorted(outcomes.items())))


if __name__ == "__main__":
    sys.exit(main())
