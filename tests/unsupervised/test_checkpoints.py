"""Checkpoints: a damaged one is refused with a sentence, and no index of a file reaches a kernel unchecked."""

from __future__ import annotations

import hashlib
import io
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest
from unsupervised_cases import shuffled

from ibidem.errors import InputError
from ibidem.kernels import compiled
from ibidem.unsupervised.blocked import BlockedConfig
from ibidem.unsupervised.segmenting import Segmentation, segment_citations

pytestmark = pytest.mark.skipif(compiled() is None, reason="the reference implementation would take minutes")
CITATIONS = shuffled(60, 0.3)[0]


def segment(checkpoint: Path, sweeps: int = 2, resume: bool = True) -> Segmentation:
    config = BlockedConfig(2, sample=50, restarts=1, sweeps=sweeps)
    return segment_citations(CITATIONS, config, checkpoint=checkpoint, resume=resume)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("run") / "run.npz"
    segment(path, sweeps=1, resume=False)
    return path


def write_arrays(good: Path, bad: Path, **changes: np.ndarray) -> Path:
    """Write a checkpoint with other arrays and the right checksum."""
    head, _, content = good.read_bytes().partition(b"\n")
    with np.load(io.BytesIO(content)) as file:
        arrays = {name: file[name] for name in file.files} | changes
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return write_content(bad, head, stream.getvalue())


def write_content(path: Path, head: bytes, content: bytes) -> Path:
    """Write a checkpoint with other content and the right checksum."""
    checksum = hashlib.sha256(content).hexdigest().encode()
    path.write_bytes(b" ".join((*head.split()[:3], checksum)) + b"\n" + content)
    return path


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(path.read_bytes().partition(b"\n")[2])) as file:
        return {name: file[name] for name in file.files}


def test_an_unchanged_one_is_continued(checkpoint: Path, tmp_path: Path) -> None:
    same = write_arrays(checkpoint, tmp_path / "same.npz")
    assert len(segment(same).log_likelihoods) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"elements": lambda old: np.full_like(old, 7)},
        {"elements": lambda old: np.where(np.arange(len(old)) == 3, 255, old).astype(np.uint8)},
        {"elements": lambda old: np.where(old == 0, 1, 0).astype(np.uint8)},
        {"elements": lambda old: old[:-1]},
        {"elements": lambda old: old.astype(np.int64)},
        {"word": lambda old: old + 1},
        {"word": lambda old: old[:-1]},
        {"length": lambda old: old[:, :1]},
        {"length": lambda old: -old},
        {"step": lambda old: -old},
        {"step": lambda old: old[:, :1]},
        {"gap": lambda old: old * 2},
        {"gap": lambda old: old.astype(np.float64)},
        {"rho": lambda old: old * np.nan},
        {"rho": lambda old: old - 1000},
        {"rho": lambda old: np.append(old, old)},
        {"rho": lambda old: np.full_like(old, 1e300)},
        {"seed_words": lambda old: old + 5},
        {"seed_words": lambda old: np.append(old, old)},
        {"history": lambda old: old[:0]},
        {"history": lambda old: old * np.inf},
    ],
)
def test_arrays_that_do_not_go_with_the_citations_are_refused(change: dict, checkpoint: Path, tmp_path: Path) -> None:
    old = read_arrays(checkpoint)
    bad = write_arrays(checkpoint, tmp_path / "bad.npz", **{name: make(old[name]) for name, make in change.items()})
    with pytest.raises(InputError, match=r"is not a readable checkpoint: .*; start again without --resume"):
        segment(bad)


@pytest.mark.parametrize(
    "damage", [b"", b"no array", b"\x93NUMPY\x01\x00v\x00{'descr': '<f8'\n(((", b"\x93NUMPY\x01\x00\xff\xff{\n"]
)
def test_a_member_that_is_no_array_is_refused(damage: bytes, checkpoint: Path, tmp_path: Path) -> None:
    head, _, content = checkpoint.read_bytes().partition(b"\n")
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(packed, "w") as new:
        for name in old.namelist():
            new.writestr(name, damage if name == "rho.npy" else old.read(name))
    bad = write_content(tmp_path / "bad.npz", head, packed.getvalue())
    with pytest.raises(InputError, match=r"is not a readable checkpoint: .*; start again without --resume"):
        segment(bad)


def test_a_damaged_one_is_refused_wherever_the_damage_is(checkpoint: Path, tmp_path: Path) -> None:
    content, bad = checkpoint.read_bytes(), tmp_path / "bad.npz"
    for place in range(0, len(content), 97):
        bad.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(InputError, match="checkpoint"):
            segment(bad)
    for size in (0, 10, 90, 91, len(content) // 2, len(content) - 1):
        bad.write_bytes(content[:size])
        with pytest.raises(InputError, match="is not a readable checkpoint"):
            segment(bad)


def test_those_of_other_versions_are_refused_by_name(checkpoint: Path, tmp_path: Path) -> None:
    head, _, content = checkpoint.read_bytes().partition(b"\n")
    newer, older = tmp_path / "newer.npz", tmp_path / "older.npz"
    newer.write_bytes(head.replace(b"checkpoint 2", b"checkpoint 3") + b"\n" + content)
    older.write_bytes(content)
    for path, complaint in ((newer, "of a newer version of Ibidem"), (older, "of an older version of Ibidem")):
        with pytest.raises(InputError, match=complaint):
            segment(path)


@pytest.mark.parametrize("name", ["-", "/dev/null", "."])
def test_what_is_no_file_is_refused_before_the_work(name: str) -> None:
    with pytest.raises(InputError):
        segment(Path(name), resume=False)


def test_a_run_killed_at_any_moment_leaves_a_checkpoint_to_resume_from(tmp_path: Path) -> None:
    lines, whole, path = tmp_path / "in.txt", tmp_path / "whole.jsonl", tmp_path / "run.npz"
    lines.write_text("\n".join(" ".join(words) for words in shuffled(300, 0.3)[0]), "utf-8")
    command = [sys.executable, "-m", "ibidem", "segment", str(lines), "--fields", "3", "--sweeps", "12"]
    subprocess.run([*command, "-o", str(whole)], check=True, capture_output=True, timeout=300)
    command += ["--checkpoint", str(path), "--resume", "-o", str(tmp_path / "out.jsonl")]
    for wait in (0.0, 0.05, 0.15):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        begun = path.stat().st_mtime_ns if path.exists() else None
        while process.poll() is None and (not path.exists() or path.stat().st_mtime_ns == begun):
            time.sleep(0.005)
        time.sleep(wait)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
        process.wait()
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    assert (tmp_path / "out.jsonl").read_bytes() == whole.read_bytes()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["in.txt", "out.jsonl", "run.npz", "whole.jsonl"]
