"""Killed runs, full disks and folders that cannot be written: the old output or the new one, whole.

Each long command is started, sent a signal at a random moment and run again. What it wrote must be what it was before
or what an undisturbed run writes; the second run must give the bytes of an undisturbed one, and leave neither a
temporary file nor a process behind.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random

from benchmarks.registry import Outcome, Result, benchmark
from benchmarks.robustness import seeds
from benchmarks.robustness.settings import Settings, is_partial, read_settings
from benchmarks.robustness.watched import Fault
from benchmarks.robustness.watched import Outcome as Faults
from benchmarks.support.timing import say

_KILLS = 100
_OLD = b"what stood here before\n"
_PATIENCE = 120.0  # seconds that a command may take before it counts as one that hangs
_STARTED = 0.15  # seconds after which Python itself has started
_ENDED = 10.0  # seconds after which a process that was sent a signal must have ended


@dataclass(frozen=True, slots=True)
class Command:
    """A long command: its arguments, the file that it writes, and what it continues from.

    `continues` names the files that hold what is done so far, from which the next run goes on.
    """

    arguments: Sequence[str]
    output: str
    resume: Sequence[str] = ()
    continues: frozenset[str] = frozenset()
    compare: Callable[[Path], bytes] | None = None
    program: Sequence[str] = ("-m", "ibidem.cli")

    @property
    def in_place(self) -> bool:
        """Whether the command goes on from its output, which is then neither old nor new while it runs."""
        return self.output in self.continues


def _works(path: Path) -> bytes:
    """Return the works of a database: its bytes also depend on when they were written."""
    import duckdb

    with duckdb.connect(str(path), read_only=True) as database:
        rows = database.execute("SELECT * FROM works ORDER BY number").fetchall()
        rows += database.execute("SELECT * FROM links ORDER BY citation").fetchall()
    return repr(rows).encode()


_SEGMENT = ("segment", "citations.txt", "--fields", "3", "-o", "out", "--checkpoint", "run.npz")
COMMANDS: dict[str, Command] = {
    "parse": Command(("parse", "-q", "references.txt", "-o", "out"), "out"),
    "parse -f": Command(("parse", "-q", "references.txt", "-f", "bibtex", "-o", "out"), "out"),
    "parse -j": Command(("parse", "-q", "references.txt", "-j", "2", "-o", "out"), "out"),
    "parse --resume": Command(("parse", "-q", "references.txt", "-o", "out"), "out", ("--resume",)),
    "link": Command(("link", "few.txt", "-o", "out"), "out"),
    "link --db": Command(("link", "few.txt", "--db", "out"), "out", (), frozenset({"out", "out.wal"}), _works),
    "segment": Command(_SEGMENT, "out", ("--resume",), frozenset({"run.npz"})),
    "train": Command(("train", "-q", "recipe.toml", "-o", "out"), "out"),
    "synthesise": Command(
        ("synthesise", "records.bib", "-s", "apa", "-n", "1000", "-f", "jsonl", "-j", "2", "-o", "out"), "out"
    ),
    "convert": Command(("convert", "records.bib", "out", "--to", "csl-json"), "out"),
}
_INPUTS = ("references.txt", "few.txt", "citations.txt", "records.bib", "recipe.toml", "mine.jsonl", "dev.jsonl")


@benchmark(
    "torture-kills",
    "Outputs that are neither old nor new after 100 kills of each command (bar: none)",
    is_partial,
    reference="the number of kills asked for, and no fault",
)
def torture_kills() -> Outcome:
    """Run the part of killed runs and full disks."""
    settings = read_settings()
    chosen = {name: one for name, one in COMMANDS.items() if settings.wants(name)}
    rows: list[Result] = []
    with tempfile.TemporaryDirectory(prefix="ibidem-kills-") as folder:
        make_inputs(Path(folder), settings.seed)
        until = time.monotonic() + 60 * settings.minutes
        for place, (name, command) in enumerate(chosen.items()):
            minutes = (until - time.monotonic()) / 60 / (len(chosen) - place)
            faults, kills = kill_command(name, command, Path(folder), settings, minutes)
            check_disk(command, Path(folder), faults)
            faults.save(settings.failures, name.replace(" ", ""), settings.seed)
            rows += [
                Result(f"{name}: kills", "number", len(settings.cases_of(_KILLS)), kills),
                Result(f"{name}: full and read-only disks", "number", len(_DISKS), sum(faults.counts.values())),
                Result(f"{name}: broken promises", "number", 0, sum(faults.times.values())),
            ]
    return f"killed runs, full and read-only disks, {settings.describe()}", rows


def make_inputs(folder: Path, seed: int) -> None:
    """Write the inputs of all commands: enough that each runs for some seconds."""
    random = Random(f"kills {seed}")
    lines = [_vary(random.choice(seeds.REFERENCES), random) for _ in range(5_000)]
    (folder / "references.txt").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "few.txt").write_text("\n".join(lines[:500]) + "\n", "utf-8")
    (folder / "citations.txt").write_text("\n".join(seeds.CITATIONS * 60) + "\n", "utf-8")
    (folder / "records.bib").write_bytes(b"\n".join(seeds.record_file("bibtex")[0] for _ in range(800)))
    (folder / "mine.jsonl").write_bytes(seeds.tiny_file(range(40)))
    (folder / "dev.jsonl").write_bytes(seeds.tiny_file(range(40, 50)))
    (folder / "recipe.toml").write_bytes(seeds.recipe_file(folder)[0])


def _vary(text: str, random: Random) -> str:
    """Return a reference with other digits."""
    return "".join(random.choice("123456789") if one.isdigit() else one for one in text)


def kill_command(name: str, command: Command, folder: Path, settings: Settings, minutes: float) -> tuple[Faults, int]:
    """Kill a command again and again; return the promises that were broken and the number of kills."""
    faults = Faults()
    new, seconds, said = _undisturbed(command, folder)
    if new is None:
        faults.add(Fault(0, f"a run that nobody disturbs fails [{name}]", said.encode()[-300:], said))
        return faults, 0
    until = time.monotonic() + 60 * minutes

    def kill_once(case: int) -> list[Fault] | None:
        if time.monotonic() > until:
            return None
        random = Random(f"{name} {settings.seed} {case}")
        number = random.choices((signal.SIGKILL, signal.SIGTERM, signal.SIGINT), (7, 2, 1))[0]
        delay = random.uniform(_STARTED, 1.05 * seconds)
        with _Place(command, folder, old=random.random() < 0.5 and not command.in_place) as place:
            broken = place.kill(number, delay, new)
            when = f"{number.name} after {delay:.2f} s".encode()
            return [Fault(case, f"{what} [{name}]", when, place.said) for what in broken]

    with ThreadPoolExecutor(settings.jobs) as threads:
        found = [one for one in threads.map(kill_once, settings.cases_of(_KILLS)) if one is not None]
    for fault in chain.from_iterable(found):
        faults.add(fault)
    say(f"  {name}: {len(found)} kills, a run takes {seconds:.1f} s")
    return faults, len(found)


def _undisturbed(command: Command, folder: Path) -> tuple[bytes | None, float, str]:
    """Return what a command writes, how long it takes and what it says."""
    with _Place(command, folder, old=False) as place:
        began = time.monotonic()
        code = place.run(command.arguments)
        return (None if code else place.result()), time.monotonic() - began, place.said


class _Place:
    """A folder of its own in which a command runs, with or without an old output."""

    def __init__(self, command: Command, inputs: Path, old: bool, within: Sequence[str] = ()) -> None:
        self.command, self.within, self.said = command, within, ""
        self.folder = Path(tempfile.mkdtemp(prefix="run-", dir=inputs))
        for name in _INPUTS:
            os.link(inputs / name, self.folder / name)
        self.output = self.folder / command.output
        self.old = _OLD if old else None
        if old:
            self.output.write_bytes(_OLD)

    def __enter__(self) -> _Place:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def result(self) -> bytes | None:
        """Return what the command has written, None where there is nothing."""
        if not self.output.exists():
            return None
        compare = self.command.compare
        return self.output.read_bytes() if compare is None else compare(self.output)

    def start(self, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a command in a session of its own."""
        call = [*self.within, sys.executable, *self.command.program, *arguments]
        with (self.folder / ".stderr").open("wb") as errors:
            return subprocess.Popen(
                call, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                start_new_session=True,
            )  # fmt: skip

    def run(self, arguments: Sequence[str]) -> int:
        """Run a command to its end; return its status, -99 where it does not end."""
        process = self.start(arguments)
        try:
            code = process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            _end_session(process.pid)
            process.wait()
            code = -99
        self.said = (self.folder / ".stderr").read_text("utf-8", "replace")
        return code

    def kill(self, number: signal.Signals, delay: float, new: bytes) -> list[str]:
        """Send a signal to a run, run the command again, and return the promises that are broken."""
        broken = self._interrupt(number, delay)
        said = self.said
        if not self.command.in_place and self.result() not in (self.old, new):
            broken.append(f"after {number.name} the output is neither the old nor the new one")
        again = (*self.command.arguments, *self.command.resume)
        if code := self.run(again):
            broken.append(f"after {number.name} the command ends with status {code} when run again")
        elif self.result() != new:
            broken.append(f"after {number.name} another run gives other output")
        expected = {*_INPUTS, self.command.output, *self.command.continues, ".stderr"}
        left = sorted({one.name for one in self.folder.iterdir()} - expected)
        if left and not broken:
            said += f"left: {left}\n"
            broken.append(f"after {number.name} and another run a temporary file is left")
        self.said = f"{said}\nrun again:\n{self.said}"
        return broken

    def _interrupt(self, number: signal.Signals, delay: float) -> list[str]:
        """Send a signal after a while; return what is wrong with how the command ends."""
        process = self.start(self.command.arguments)
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
        broken: list[str] = []
        try:
            code = process.wait(_ENDED)
        except subprocess.TimeoutExpired:
            broken.append(f"{number.name} does not end the command within {_ENDED:.0f} s")
            code = -99
        self.said = (self.folder / ".stderr").read_text("utf-8", "replace")
        if number != signal.SIGKILL and code not in (0, 128 + number, -number, -99):
            broken.append(f"{number.name} ends the command with status {code}")
        if "Traceback" in self.said:
            broken.append(f"{number.name} gives a traceback")
        if _outlives(process.pid):
            broken.append(f"after {number.name} a process is left")
        _end_session(process.pid)
        process.wait()
        return broken


def _session(leader: int) -> list[int]:
    """Return the living processes of a session."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                after = (entry / "stat").read_text("ascii", "replace").rpartition(")")[2].split()
            except OSError:
                continue
            if int(after[3]) == leader and after[0] != "Z":
                found.append(int(entry.name))
    return found


def _outlives(leader: int) -> bool:
    """Return whether processes of a session are left some seconds after its leader has ended."""
    until = time.monotonic() + 5
    while _session(leader) and time.monotonic() < until:
        time.sleep(0.05)
    return bool(_session(leader))


def _end_session(leader: int) -> None:
    for one in _session(leader):
        try:
            os.kill(one, signal.SIGKILL)
        except ProcessLookupError:
            continue


_NAMESPACE = ("unshare", "--map-root-user", "--mount", "--pid", "--fork", "--kill-child")
_DISKS: Mapping[str, str] = {
    "a full disk": 'mkdir "$0.copy" && cp -a . "$0.copy/" && mount -t tmpfs -o size=16k none "$0" && cd "$0" && '
    'for one in "$0.copy"/*.*; do ln -s "$one" .; done; [ ! -e "$0.copy/out" ] || cp "$0.copy/out" .',
    "a read-only folder": 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0"',
}
_CHECKED = """{mount} || exit 98
"$@" > /dev/null
code=$?
[ ! -e "$0.old" ] || cmp -s out "$0.old" || exit 97
! ls -A | grep -q '[.]tmp$' || exit 96
exit $code"""
_STATUS = {98: "", 97: "the old output is not whole", 96: "a temporary file is left", 2: ""}


def check_disk(command: Command, folder: Path, faults: Faults) -> None:
    """Run a command on a full disk and in a folder that cannot be written, in a mount namespace of its own."""
    for kind, mount in _DISKS.items():
        with _Place(command, folder, old=not command.in_place) as place:
            aside = place.folder.with_name(place.folder.name + ".old")
            if not command.in_place:
                aside.write_bytes(_OLD)
            script = _CHECKED.format(mount=mount)
            place.within = (*_NAMESPACE, "sh", "-c", script, str(place.folder))
            code = place.run(command.arguments)
            aside.unlink(missing_ok=True)
            shutil.rmtree(f"{place.folder}.copy", ignore_errors=True)
            if code == 98 or "unshare:" in place.said:
                say(f"  {kind}: not checked, nobody may mount here: {place.said.strip()[:100]}")
                continue
            faults.counts[kind] += 1
            what = _STATUS.get(code, f"status {code} in place of 2") or ("Traceback" in place.said and "a traceback")
            if what:
                faults.add(Fault(0, f"{kind}: {what} [{command.arguments[0]}]", place.said.encode()[-300:], place.said))
