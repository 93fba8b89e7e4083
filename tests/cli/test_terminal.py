"""Messages stand on one line and hold nothing that a terminal would obey."""

import subprocess
import sys
from pathlib import Path

import pytest

from ibidem.cli.terminal import escape, say

_SAY = "import sys; from ibidem.cli.terminal import say; say('nothing to read'); sys.exit(3)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Müller & 中文 – 2019", "Müller & 中文 – 2019"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\x9b31m\x7f\x00", r"\x9b31m\x7f\x00"),
        ("one\ntwo\tthree\r", r"one\ntwo\tthree\r"),
        ("\u202eabc\u2066\u2069\u200f\u061c\u2028", r"\u202eabc\u2066\u2069\u200f\u061c\u2028"),
        ("\ud800 \udcff", r"\ud800 \udcff"),
        ("\u200b\u200c\u200d\u2065\u206a", "\u200b\u200c\u200d\u2065\u206a"),
    ],
)
def test_controls_are_shown_and_all_other_characters_stay(text: str, shown: str) -> None:
    assert escape(text) == shown


def test_a_message_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    say("no file\n  'a\x1b[2J\udcff'")
    assert capsys.readouterr().err == "ibidem: no file 'a\\x1b[2J\\udcff'\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs /dev/full and closed descriptors")
@pytest.mark.parametrize("stream", ["2>&-", "2>/dev/full"])
def test_a_message_that_cannot_be_printed_costs_nothing(stream: str) -> None:
    if stream.endswith("full") and not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    command = ["sh", "-c", f'"$0" -c "$1" {stream}', sys.executable, _SAY]
    done = subprocess.run(command, check=False, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (3, b"")
