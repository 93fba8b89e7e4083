"""How a command ends: exit status, one line or none on standard error, whatever happened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import click
import pytest

from ibidem.cli import main as command_line
from ibidem.errors import InputError

BREAK = """
import sys
from ibidem.cli.main import app, main

@app.command()
def broken():
    {code}

sys.exit(main(["broken"]))
"""


def run(code: str, shell: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command made of some code in a process of its own, with its streams as the shell sets them."""
    command = ["sh", "-c", f'"$0" -c "$1" {shell}', sys.executable, BREAK.format(code=code)]
    variables = {**os.environ, **environment}
    return subprocess.run(command, check=False, capture_output=True, text=True, env=variables, timeout=120)


@pytest.mark.parametrize(
    ("code", "status", "said"),
    [
        ("return None", 0, ""),
        ("return 1", 1, ""),
        ("raise MemoryError", 2, "ibidem: there was not enough memory for running the command"),
        ("raise OSError(28, 'No space left on device')", 2, "ibidem: No space left on device; make room"),
        ("raise PermissionError(13, 'Permission denied', 'a\\x1bb')", 2, "ibidem: a\\x1bb: Permission denied"),
        ("raise KeyboardInterrupt", 130, ""),
        ("sys.exit('no\\nway')", 2, "ibidem: no way"),
        ("sys.exit(3)", 3, ""),
        ("raise BrokenPipeError(32, 'Broken pipe')", 141, ""),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", 143, "ibidem: terminated"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_an_end_has_its_status_and_at_most_one_line(code, status, said):
    done = run(code)
    assert done.returncode == status, done.stderr
    assert done.stderr.startswith(said) and done.stderr.count("\n") == bool(said)
    assert done.stdout == ""


@pytest.mark.parametrize("code", ["dict()['x']", "f = lambda: f(); f()"])
def test_a_fault_that_nobody_foresaw_has_a_number_and_a_traceback_only_where_it_is_asked_for(code):
    done = run(code)
    assert done.returncode == 2
    assert done.stderr.startswith("ibidem: a fault in Ibidem while running the command: ")
    assert "please report it as fault " in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" in run(code, IBIDEM_DEBUG="1").stderr


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
@pytest.mark.parametrize("command", [["--help"], ["parse", "--help"], ["doctor"], ["constraints"]])
def test_every_command_ends_alike_when_nobody_reads_its_output(command):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as stream:
        done = subprocess.run(
            [sys.executable, "-m", "ibidem", *command], check=False, stdout=stream, stderr=subprocess.PIPE, timeout=120
        )
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("code", ["print('x')", "sys.stdout.buffer.write(b'x' * 10**6)"])
def test_a_full_disk_is_one_line(code):
    done = run(code, ">/dev/full")
    assert done.returncode == 2
    assert done.stderr == "ibidem: No space left on device; make room and run it again\n"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_sigterm_runs_what_stands_in_finally():
    kill = "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"
    done = run(f"try:\n        {kill}\n    finally:\n        print('closed')")
    assert (done.returncode, done.stdout, done.stderr) == (143, "closed\n", "ibidem: terminated\n")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(("sent", "status", "said"), [("SIGTERM", 143, "ibidem: terminated\n"), ("SIGINT", 130, "")])
def test_a_signal_is_told_from_the_exception_that_a_library_makes_of_it(sent, status, said):
    kill = f"import os, signal; os.kill(os.getpid(), signal.{sent})"
    done = run(f"try:\n        {kill}\n    except BaseException as error:\n        raise RuntimeError from error")
    assert (done.returncode, done.stderr) == (status, said)


@pytest.mark.skipif(sys.platform == "win32", reason="closed descriptors of POSIX")
@pytest.mark.parametrize(
    ("shell", "code", "status", "output", "said"),
    [
        (">&-", "print('x')", 2, "", "ibidem: standard output is closed; open it, or give a file with --output\n"),
        (">&-", "return 0", 0, "", ""),
        ("2>&-", "print('x'); print('an error', file=sys.stderr)", 0, "x\n", ""),
        ("<&- >&- 2>&-", "print('x')", 2, "", ""),
    ],
)
def test_a_stream_that_is_closed_is_no_fault(shell, code, status, output, said):
    done = run(code, shell)
    assert (done.returncode, done.stdout, done.stderr) == (status, output, said)


def test_handlers_of_the_caller_stay(monkeypatch, capsys):
    before = signal.getsignal(signal.SIGTERM)
    assert command_line.main(["--version"]) == 0
    assert signal.getsignal(signal.SIGTERM) is before
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(command_line.main(["--version"])))
    thread.start()
    thread.join()
    assert found == [0]


def test_messages_are_escaped(monkeypatch, capsys):
    @click.command()
    def broken() -> None:
        raise InputError("cannot read \x1b[2J\u202egpj.exe\n")

    monkeypatch.setitem(command_line.app.commands, "broken", broken)
    assert command_line.main(["broken"]) == 2
    assert capsys.readouterr().err == "ibidem: cannot read \\x1b[2J\\u202egpj.exe\n"


def test_a_shell_can_ask_for_completions():
    variables = {**os.environ, "_IBIDEM_COMPLETE": "bash_source"}
    command = [sys.executable, "-m", "ibidem"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=variables, timeout=120)
    assert done.returncode == 0 and "complete" in done.stdout, done.stderr
