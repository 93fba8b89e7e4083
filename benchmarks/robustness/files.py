"""Damaged files for every reader: each gives an answer or one sentence, never a traceback, a hang or a crash."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from random import Random

import ibidem
from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.robustness import seeds
from benchmarks.robustness.laws import FORESEEN
from benchmarks.robustness.mutate import mutate
from benchmarks.robustness.settings import is_partial, read_settings
from benchmarks.robustness.watched import Hang, Report, describe, limit_seconds, run_watched
from benchmarks.robustness.words import WORDS
from benchmarks.support.timing import say
from ibidem.errors import IbidemError
from ibidem.records.formats import FORMATS, write
from ibidem.records.record import Record
from ibidem.types import Malformed

_FILES = 100_000
_AT_A_TIME = 50  # files that a process is given
_SHORT = 1000  # characters that an error may have and still be one sentence
_MEMORY = Path("/dev/shm")


@dataclass(frozen=True, slots=True)
class Target:
    """A reader: the ending of its files, how to make valid ones, and how to read one."""

    ending: str
    make: Callable[[Path], list[bytes]]
    read: Callable[[Path, Random], None]
    seconds: float = 1.0  # of processor time that a file may take


def _read_records(name: str, path: Path, random: Random) -> None:
    """Read a file of records, and write what was read in any format."""
    records: list[Record] = []
    for one in ibidem.read(path, name):
        if isinstance(one, Malformed):
            _no_fault(one.reason)
        else:
            records.append(one)
    form = random.choice(_WRITTEN)
    write(records, BytesIO(), form, warn=lambda _key, message: _no_fault(message))


_WRITTEN = [name for name, one in FORMATS.items() if not one.extra]


def _no_fault(message: str) -> None:
    """Raise what a guard has caught: it is a fault all the same."""
    if FORESEEN.search(message):
        raise GuardedFault(message)


class GuardedFault(Exception):
    """An exception nobody foresaw, which cost one item thanks to its guard."""


def _read_labelled(path: Path, _random: Random) -> None:
    from ibidem.data.readers.labelled import read_labelled

    for one in read_labelled(path):
        if isinstance(one, Malformed):
            _no_fault(one.reason)


def _read_model(path: Path, _random: Random) -> None:
    from ibidem.models.parser import Parser
    from ibidem.models.storage import load

    for parsed in Parser(load(path)).parse_many(seeds.REFERENCES[:2]):
        _no_fault(parsed.error or "")


def _read_store(path: Path, _random: Random) -> None:
    for work in ibidem.link(["Reed, A. (1999). On things."], database=path):
        _ = work.record.to_dict()


def _read_checkpoint(path: Path, _random: Random) -> None:
    ibidem.segment(seeds.CITATIONS, fields=3, sweeps=4, checkpoint=path, resume=True)


def _read_recipe(path: Path, _random: Random) -> None:
    from ibidem.config import from_toml
    from ibidem.models.recipes import Recipe

    from_toml(Recipe, path)


def _read_constraints(path: Path, _random: Random) -> None:
    from ibidem.models.constraints import read_constraints

    read_constraints(path, ibidem.load().labels)


def _read_seed_words(path: Path, _random: Random) -> None:
    from ibidem.unsupervised.seed_words import Matcher, read_seed_words

    matcher = Matcher(read_seed_words(path))
    for word in ("1999", "a" * 40, "1" * 40, "bells"):
        matcher.match(word)


def _read_style(path: Path, random: Random) -> None:
    records = [parsed.record for parsed in ibidem.parse_many(seeds.REFERENCES)]
    form = random.choice(("text", "html", "markdown"))
    write(records, BytesIO(), form, style=str(path), warn=lambda _key, message: _no_fault(message))


def _records(name: str, ending: str) -> Target:
    return Target(ending, lambda _folder: seeds.record_file(name), partial(_read_records, name))


def _labelled(form: str, ending: str) -> Target:
    return Target(ending, lambda _folder: seeds.labelled_file(form), _read_labelled)


TARGETS: dict[str, Target] = {
    "bibtex": _records("bibtex", ".bib"),
    "ris": _records("ris", ".ris"),
    "csl-json": _records("csl-json", ".json"),
    "tei": _records("tei", ".tei.xml"),
    "jats": _records("jats", ".jats.xml"),
    "json-lines": _records("jsonl", ".jsonl"),
    "labelled jsonl": _labelled("jsonl", ".jsonl"),
    "labelled conll": _labelled("conll", ".conll"),
    "labelled xml": _labelled("anystyle", ".xml"),
    "model": Target(".ibidem", seeds.model_file, _read_model, 5.0),
    "store": Target(".duckdb", seeds.store_file, _read_store, 10.0),
    "checkpoint": Target(".npz", seeds.checkpoint_file, _read_checkpoint, 5.0),
    "recipe": Target(".toml", seeds.recipe_file, _read_recipe),
    "constraints": Target(".toml", seeds.constraints_file, _read_constraints),
    "seed words": Target(".toml", seeds.seed_words_file, _read_seed_words),
    "style": Target(".csl", seeds.style_file, _read_style, 2.0),
}
"""Every reader of files; `benchmarks.robustness.words` has the words of each."""


@benchmark(
    "torture-files",
    "Crashes, hangs and tracebacks among 100,000 damaged files of each kind (bar: none)",
    is_partial,
    reference="the number of files asked for, and no fault",
)
def torture_files() -> Outcome:
    """Run the part of damaged files."""
    settings = read_settings()
    chosen = {name: one for name, one in TARGETS.items() if settings.wants(name)}
    rows: list[Result] = []
    until = time.monotonic() + 60 * settings.minutes
    for place, (name, target) in enumerate(chosen.items()):
        files = undamaged_files(target)
        began = time.monotonic()
        cases = settings.cases_of(_FILES)
        minutes = (until - began) / 60 / (len(chosen) - place)  # what quick ones leave over is for the slow ones
        check = FileCheck(name, settings.seed, tuple(files))
        outcome = run_watched(check, cases, settings, minutes, _AT_A_TIME)
        say(f"  {name}: {outcome.cases:,} files in {time.monotonic() - began:.0f} s, {dict(outcome.counts)}")
        outcome.save(settings.failures, name.replace(" ", "-"), settings.seed)
        rows += [
            Result(f"{name}: files", "number", len(cases), outcome.cases),
            Result(f"{name}: crashes, hangs and tracebacks", "number", 0, sum(outcome.times.values())),
        ]
    return f"damaged files, {settings.describe()}", rows


def undamaged_files(target: Target) -> list[bytes]:
    """Return valid files of a kind, each of which is read without an error."""
    with tempfile.TemporaryDirectory() as folder:
        files = target.make(Path(folder))
        for number, data in enumerate(files):
            path = Path(folder, f"whole{number}{target.ending}")
            path.write_bytes(data)
            target.read(path, Random(0))
    return files


@dataclass(frozen=True, slots=True)
class FileCheck:
    """Reads the damaged files of one kind; it can be sent to another process."""

    name: str
    seed: int
    files: tuple[bytes, ...]

    def __call__(self, case: int, report: Report) -> Counter[str]:
        """Read a file; report anything but an answer or a sentence."""
        target, data = TARGETS[self.name], self.input_of(case)
        folder = Path(tempfile.mkdtemp(dir=_MEMORY if _MEMORY.is_dir() else None))
        path = folder / f"{case}-{os.getpid()}{target.ending}"
        path.write_bytes(data)
        try:
            with warnings.catch_warnings(), limit_seconds(target.seconds):
                warnings.simplefilter("ignore")
                target.read(path, Random(case))
            return Counter(answers=1)
        except IbidemError as error:
            message = str(error)
            if "\n" in message or len(message) > _SHORT + 2 * len(str(path)):
                report(f"law: more than a sentence: {describe(error)}", data, message)
            return Counter(sentences=1)
        except GuardedFault as error:
            report(f"guarded: {error}"[:150], data, str(error))
        except (Exception, Hang) as error:
            report(describe(error), data, traceback.format_exc())
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return Counter(faults=1)

    def input_of(self, case: int) -> bytes:
        """Return a damaged file."""
        random = Random(f"{self.name} {self.seed} {case}")
        return mutate(random.choice(self.files), self.files, WORDS[self.name], random)
