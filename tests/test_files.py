"""Files: read whatever they are packed in, written whole or not at all, and never over one that is read."""

from __future__ import annotations

import gzip
import lzma
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ibidem.errors import InputError
from ibidem.files import (
    check_outputs,
    create_temporary,
    describe_binary,
    leftovers,
    open_input,
    open_output,
    open_text,
    remove_leftovers,
)

TEXT = "Řeřicha 2019\n林 2020\n😀\n"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        gzip.compress(TEXT.encode()),
        gzip.compress(TEXT.encode()[:5]) + gzip.compress(TEXT.encode()[5:]),
        lzma.compress(TEXT.encode()),
        b"\xff\xfe" + TEXT.encode("utf-16-le"),
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
        b"\xff\xfe\x00\x00" + TEXT.encode("utf-32-le"),
        b"\x00\x00\xfe\xff" + TEXT.encode("utf-32-be"),
        lzma.compress(b"\xff\xfe" + TEXT.encode("utf-16-le")),
    ],
)
def test_a_file_is_read_whatever_it_is_packed_in_or_encoded_as(tmp_path, data):
    path = tmp_path / "in"
    path.write_bytes(data)
    with open_input(path) as stream:
        assert stream.read() == TEXT.encode()
    path.write_bytes(data)
    with open_text(path) as stream:
        assert list(stream) == TEXT.encode().splitlines(keepends=True)


@pytest.mark.parametrize("data", [b"", b"\xff", b"\x1f", b"<?xml?>", b"\xff\xfe<\0?\0"])
def test_a_short_file_and_xml_are_read_as_they_are(tmp_path, data):
    (tmp_path / "in").write_bytes(data)
    with open_input(tmp_path / "in") as stream:
        assert stream.read() == data


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(TEXT.encode())[:-4],
        gzip.compress(os.urandom(1000))[:500],
        gzip.compress(TEXT.encode())[:12] + b"\xff" * 30,
        lzma.compress(TEXT.encode())[:-4],
        b"\xff\xfe" + TEXT.encode("utf-16-le")[:-1],
    ],
)
def test_a_damaged_file_is_refused_with_a_sentence(tmp_path, data):
    (tmp_path / "in").write_bytes(data)
    with pytest.raises(InputError, match=r"cannot (unpack|read) "), open_input(tmp_path / "in") as stream:
        stream.read()


def test_a_lone_surrogate_in_utf_16_costs_its_own_line(tmp_path):
    (tmp_path / "in").write_bytes(b"\xff\xfe" + "a\nb\ud800c\nd\n".encode("utf-16-le", "surrogatepass"))
    with open_text(tmp_path / "in") as stream:
        assert list(stream) == [b"a\n", b"b\xed\xa0\x80c\n", b"d\n"]


def test_lines_of_old_macs_are_lines(tmp_path):
    long = "x" * 100_000
    (tmp_path / "in").write_bytes(f"one\rtwo\u2028still\ftwo\r\r{long}\rlast".encode())
    with open_text(tmp_path / "in") as stream:
        assert stream.read().decode().split("\n") == ["one", "two\u2028still\ftwo", "", long, "last"]
    (tmp_path / "in").write_bytes(b"one\r\ntwo\rstill two\n")
    with open_text(tmp_path / "in") as stream:
        assert list(stream) == [b"one\r\n", b"two\rstill two\n"]


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"%PDF-1.4\n%\xe2\xe3", "a PDF file"),
        (b"PK\x03\x04\x14\x00", "a zip archive"),
        (b"SQLite format 3\x00", "an SQLite database"),
        (b"\x00" * 8 + b"DUCK@\x00", "a DuckDB database"),
        (b"\xff\xd8\xff\xe0", "an image"),
        (b"BZh91AY&SY", "packed with bzip2"),
        ("Reed 1990 ".encode("utf-16-le") * 10, "not text"),
    ],
)
def test_a_binary_file_is_refused_by_its_kind(tmp_path, head, kind):
    (tmp_path / "in").write_bytes(head)
    with pytest.raises(InputError, match=f"in is {kind}"), open_text(tmp_path / "in"):
        pass


@pytest.mark.parametrize(
    "head",
    [b"", b"\0", b"\x1b[31mred", b"a\0b 1999\n" * 3, "كتاب 1987".encode(), b"Caf\xe9", b"Donald, DUCK", b"BZhang, X."],
)
def test_text_with_odd_bytes_in_it_is_text(head):
    assert describe_binary(head) is None


@pytest.mark.parametrize(("name", "unpack"), [("x", bytes), ("x.gz", gzip.decompress), ("x.xz", lzma.decompress)])
def test_a_file_appears_whole(tmp_path, name, unpack):
    path = tmp_path / name
    path.write_bytes(b"old")
    with open_output(path) as stream:
        stream.write(TEXT.encode())
        assert path.read_bytes() == b"old"
    assert unpack(path.read_bytes()) == TEXT.encode()
    assert [one.name for one in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError(28, "No space left on device")])
def test_a_run_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "x"
    path.write_bytes(b"old")
    expected = (error, InputError) if isinstance(error, type) else InputError
    with pytest.raises(expected), open_output(path) as stream:
        stream.write(b"new")
        raise error
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["x"]


def test_permissions_and_links_are_kept_and_files_of_others_left_alone(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to(real)
    others = [
        "real.part",
        "real.partial",
        "real.new",
        ".real.tmp",
        ".real.ibidem.tmp",
        ".real.ibidem.ibidem-01234567.tmp",
    ]
    for other in others:
        (tmp_path / other).write_bytes(b"mine")
    with open_output(link) as stream:
        (part,) = leftovers(real)
        assert stat.S_IMODE(part.stat().st_mode) == 0o640
        stream.write(b"new")
    assert link.is_symlink() and real.read_bytes() == b"new" and stat.S_IMODE(real.stat().st_mode) == 0o640
    assert all((tmp_path / other).read_bytes() == b"mine" for other in others)


def test_leftovers_of_killed_runs_are_removed_and_those_of_living_ones_kept(tmp_path):
    target = tmp_path / "out.jsonl"
    code = (
        "import os, sys; from pathlib import Path; from ibidem.files import create_temporary\n"
        "create_temporary(Path(sys.argv[1]), 'abc')[0].write(b'x'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(target)], check=False)
    stream, living = create_temporary(target)
    other, elsewhere = create_temporary(tmp_path / "out")
    other.close()
    assert len(leftovers(target)) == 2 and len(leftovers(target, "abc")) == 1
    remove_leftovers(target)
    assert leftovers(target) == [living] and elsewhere.exists()
    stream.close()
    remove_leftovers(target)
    assert leftovers(target) == []


def test_names_as_long_as_the_system_allows_can_be_written(tmp_path):
    for name in ("x" * 250, "林" * 83, "x" * 249 + "y"):
        with open_output(tmp_path / name) as stream:
            stream.write(name.encode())
            assert len(leftovers(tmp_path / name)) == 1
        assert (tmp_path / name).read_bytes() == name.encode()
    assert leftovers(tmp_path / ("x" * 250)) == []


def test_an_output_that_is_read_or_written_twice_is_refused_under_any_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = Path("a.txt")
    given.write_text("x")
    Path("hard").hardlink_to(given)
    Path("soft").symlink_to(given)
    Path("folder").mkdir()
    Path("there").symlink_to("folder")
    for name in ("a.txt", "./a.txt", "folder/../a.txt", "hard", "soft", str(given.resolve())):
        with pytest.raises(InputError, match="is also read"):
            check_outputs([Path(name)], [given])
        with pytest.raises(InputError, match="written twice"):
            check_outputs([Path(name), given], [])
    with pytest.raises(InputError, match="written twice"):
        check_outputs([Path("folder/new"), Path("there/new")], [])
    check_outputs([Path("new"), Path("newer"), Path(os.devnull), Path(os.devnull), None], [given, Path("none"), None])


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can become another user")
def test_a_folder_or_a_file_that_cannot_be_written_is_refused_in_a_sentence(tmp_path):
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom ibidem.errors import InputError\n"
        "from ibidem.files import open_output\nos.setuid(65534)\n"
        "try:\n    with open_output(Path(sys.argv[1])): print('opened')\nexcept InputError as error: print(error)"
    )
    for folder in (tmp_path, *tmp_path.parents[:-2]):
        folder.chmod(0o755)
    (tmp_path / "x").write_bytes(b"old")
    found = subprocess.run([sys.executable, "-c", code, tmp_path / "x"], capture_output=True, text=True, check=False)
    assert found.stdout == f"cannot write {tmp_path / 'x'}: its folder cannot be written to\n", found.stderr
    tmp_path.chmod(0o777)
    (tmp_path / "x").chmod(0o644)
    found = subprocess.run([sys.executable, "-c", code, tmp_path / "x"], capture_output=True, text=True, check=False)
    assert found.stdout == f"cannot write {tmp_path / 'x'}: it is read-only\n", found.stderr
    assert (tmp_path / "x").read_bytes() == b"old"
