"""Several processes: no lock is inherited, none is left behind, and whatever ends one ends the run with a sentence."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and forks of POSIX")

TEXTS = "[f'Doe J{i}. On thing number{i} and {i}other. J Thing Res. 2019;{i}(3):153-60.' for i in range(%d)]"
_LIMIT = 120  # seconds; beyond that something hangs


@pytest.fixture
def script(tmp_path: Path):
    """Starts a script, in a file of its own, in a process group of its own; what is left of the group is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(code: str, **options: object) -> subprocess.Popen[str]:
        path = tmp_path / "script.py"
        path.write_text(textwrap.dedent(code))
        process = subprocess.Popen(
            [sys.executable, str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            **options,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.communicate()


def is_gone(pid: int) -> bool:
    """Return whether a process has ended, after waiting some time for it."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{pid}/stat").exists() and Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][1] == "Z":
            return True
        time.sleep(0.1)
    return False


def numbers(line: str) -> Iterator[int]:
    return map(int, line.split())


def test_several_processes_work_while_another_thread_parses(script):
    process = script(f"""
        import threading, ibidem
        stop = threading.Event()
        texts = {TEXTS % 1200}

        def parse():
            while not stop.is_set():
                list(ibidem.parse_many(texts[:300]))

        if __name__ == "__main__":
            thread = threading.Thread(target=parse)
            thread.start()
            print(len(list(ibidem.parse_many(texts, jobs=2))))
            stop.set()
            thread.join()
        """)
    assert process.communicate(timeout=_LIMIT) == ("1200\n", "")


def test_a_fork_parses_while_threads_of_its_parent_do(script):
    process = script(f"""
        import os, threading, warnings
        import ibidem
        warnings.simplefilter("ignore")
        texts = {TEXTS % 300}
        parser = ibidem.load()
        expected = list(parser.parse_many(texts[:20]))
        stop = threading.Event()

        def parse():
            turn = 0
            while not stop.is_set():
                turn += 1
                list(parser.parse_many(f"{{text}} word{{turn}}" for text in texts))

        threads = [threading.Thread(target=parse) for _ in range(2)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            child = os.fork()
            if not child:
                os._exit(0 if list(parser.parse_many(texts[:20])) == expected else 1)
            print(os.waitpid(child, 0)[1], end="")
        stop.set()
        for thread in threads:
            thread.join()
        """)
    assert process.communicate(timeout=_LIMIT) == ("0" * 20, "")


WORKERS = f"""
    import itertools, multiprocessing, os, signal, sys, time
    import ibidem

    def start():
        texts = {TEXTS % 600}
        answers = ibidem.parse_many(itertools.cycle(texts), jobs=2)
        next(answers)
        pids = [child.pid for child in multiprocessing.active_children()]
        print(*pids, flush=True)
        return answers, pids
    """


def test_no_worker_outlives_a_parent_that_is_killed(script):
    process = script(WORKERS + '\n    if __name__ == "__main__":\n        kept = start()\n        time.sleep(600)\n')
    workers = list(numbers(process.stdout.readline()))
    process.kill()
    assert len(workers) == 2
    assert all(map(is_gone, workers))


def test_a_worker_that_is_killed_ends_the_run_with_a_sentence(script):
    process = script(
        WORKERS
        + """
    if __name__ == "__main__":
        answers, pids = start()
        os.kill(pids[0], signal.SIGKILL)
        try:
            for _ in answers:
                pass
        except ibidem.errors.IbidemError as error:
            print(error)
    """
    )
    output, errors = process.communicate(timeout=_LIMIT)
    workers, sentence = output.splitlines()
    assert sentence.startswith("one of 2 processes was killed by signal 9, perhaps for lack of memory; ")
    assert errors == ""
    assert all(map(is_gone, numbers(workers)))


@pytest.mark.parametrize("end", ["answers.close()", "del answers"])
def test_an_iterator_that_is_given_up_ends_its_workers(script, end):
    process = script(
        WORKERS
        + f"""
    if __name__ == "__main__":
        answers, pids = start()
        {end}
        print(multiprocessing.active_children())
    """
    )
    output, errors = process.communicate(timeout=_LIMIT)
    assert (output.splitlines()[1], errors) == ("[]", "")


def test_a_fork_that_gives_up_an_iterator_leaves_the_workers_to_its_parent(script):
    process = script(
        WORKERS
        + """
    if __name__ == "__main__":
        answers, pids = start()
        child = os.fork()
        if not child:
            answers.close()
            os._exit(0)
        print(os.waitpid(child, 0)[1])
        print(len(list(itertools.islice(answers, 5000))))
    """
    )
    output, errors = process.communicate(timeout=_LIMIT)
    assert (output.splitlines()[1:], errors) == (["0", "5000"], "")


def test_a_script_without_a_guard_gets_one_sentence(script):
    process = script(f"""
        import ibidem
        try:
            print(len(list(ibidem.parse_many({TEXTS % 1200}, jobs=2))))
        except ibidem.errors.IbidemError as error:
            print(error)
        """)
    output, errors = process.communicate(timeout=_LIMIT)
    assert output == (
        "a script that uses several processes must do so under `if __name__ == '__main__':`, because every process "
        "imports it; add that line, or give jobs=1\n"
    )
    assert errors == ""


def test_few_strings_need_no_process(script):
    process = script("""
        import multiprocessing, ibidem
        answers = ibidem.parse_many(["Doe J. On things. 2019."] * 50, jobs=2)
        print(next(answers).error, multiprocessing.active_children(), 1 + len(list(answers)))
        """)
    assert process.communicate(timeout=_LIMIT) == ("None [] 50\n", "")


def test_a_daemonic_process_is_told_to_use_one(script):
    process = script(f"""
        import multiprocessing
        import ibidem

        def parse():
            try:
                list(ibidem.parse_many({TEXTS % 1200}, jobs=2))
            except ibidem.errors.InputError as error:
                print(error, flush=True)

        if __name__ == "__main__":
            child = multiprocessing.Process(target=parse, daemon=True)
            child.start()
            child.join()
        """)
    assert process.communicate(timeout=_LIMIT) == (
        "jobs is 2 in a daemonic process, which may not start others; give jobs=1 there\n",
        "",
    )


def test_relative_paths_are_those_of_the_current_folder(script, tmp_path):
    process = script(f"""
        import os, shutil, ibidem
        from ibidem.models.shipped import DEFAULT

        if __name__ == "__main__":
            import multiprocessing
            os.mkdir({str(tmp_path / "elsewhere")!r})
            os.chdir({str(tmp_path / "elsewhere")!r})
            shutil.copy(DEFAULT, "mine.ibidem")
            answers = list(ibidem.parse_many({TEXTS % 600}, model="mine.ibidem", jobs=2))
            print(len(answers), sum(parsed.error is not None for parsed in answers))
        """)
    assert process.communicate(timeout=_LIMIT) == ("600 0\n", "")


@pytest.fixture
def parsing(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """`ibidem parse -j 2` in the middle of its work, in a process group of its own."""
    text = "\n".join(eval(TEXTS % 3000)) + "\n"
    command = [sys.executable, "-m", "ibidem", "parse", "-j", "2", "-o", str(tmp_path / "out.jsonl"), "-"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    assert process.stdin
    process.stdin.write(text)
    process.stdin.flush()
    for _ in range(600):
        if len(children_of(process.pid)) >= 3:  # two workers and multiprocessing's resource tracker
            break
        time.sleep(0.1)
    yield process
    process.stdin.close()
    process.kill()
    process.wait()
    process.stdout.close()
    process.stderr.close()


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    return [child for task in Path(f"/proc/{pid}/task").glob("*/children") for child in numbers(task.read_text())]


@pytest.mark.skipif(not Path(f"/proc/self/task/{os.getpid()}/children").exists(), reason="needs Linux's /proc")
@pytest.mark.parametrize(
    ("sent", "whole_group", "status", "said"),
    [
        (signal.SIGINT, True, 130, "|ibidem: interrupted; .* --resume continues from there\n"),
        (signal.SIGTERM, True, 143, "ibidem: terminated(; .* --resume continues from there)?\n"),
        (signal.SIGTERM, False, 143, "ibidem: terminated(; .* --resume continues from there)?\n"),
    ],
)
def test_a_signal_ends_a_command_and_its_workers(parsing, sent, whole_group, status, said):
    children = children_of(parsing.pid)
    assert len(children) >= 3
    os.killpg(parsing.pid, sent) if whole_group else os.kill(parsing.pid, sent)
    assert parsing.wait(timeout=_LIMIT) == status
    assert re.fullmatch(said, parsing.stderr.read())  # with a hint where some answers were on the disk
    assert all(map(is_gone, children))


@pytest.mark.skipif(not Path(f"/proc/self/task/{os.getpid()}/children").exists(), reason="needs Linux's /proc")
def test_a_command_whose_worker_is_killed_says_so(parsing):
    children = children_of(parsing.pid)
    worker = next(pid for pid in children if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text())
    os.kill(worker, signal.SIGKILL)
    parsing.stdin.close()
    assert parsing.wait(timeout=_LIMIT) == 2
    assert parsing.stderr.read().startswith("ibidem: one of 2 processes was killed by signal 9")
    assert all(map(is_gone, children))
