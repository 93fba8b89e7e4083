"""`ibidem convert` and `ibidem parse --format` as people meet them."""

from __future__ import annotations

import gzip
import json
import sys

import pytest

from ibidem.cli.convert import kind_of
from ibidem.cli.main import main

BIBTEX = (
    "@book{reed, author = {Reed, A. and others}, title = {The drift of {DNA}}, year = 2019}\n@book{bad, title = {x\n"
)
REFERENCE = "Marchbanks, T. (1999). The grammar of bell signals. Harrowgate University Press."


def repr_of(content: bytes) -> str:
    """A name for a file in the list of tests."""
    return repr(content[:12]) if len(content) < 1000 else f"{len(content)} bytes"


@pytest.fixture
def bib(tmp_path):
    path = tmp_path / "refs.bib"
    path.write_text(BIBTEX)
    return path


def test_a_file_is_converted_by_the_names_alone(bib, tmp_path, capfd):
    out = tmp_path / "refs.json"
    assert main(["convert", str(bib), str(out)]) == 0
    (item,) = json.loads(out.read_text())
    assert (item["id"], item["title"], item["issued"]) == ("reed", "The drift of DNA", {"date-parts": [[2019]]})
    said = capfd.readouterr().err
    assert "line 2: no BibTeX entry" in said and "1 of 2 entries could not be read" in said


def test_what_a_format_cannot_carry_is_told_of(bib, tmp_path, capfd):
    assert main(["convert", str(bib), str(tmp_path / "refs.ris")]) == 0
    assert "warning, writing ris, reed: author-etal: has no tag and is left out" in capfd.readouterr().err


@pytest.mark.parametrize(
    "name",
    ["a.jsonl", "a.biblatex", "a.tei.xml", "a.jats", "a.csv", "a.parquet", "a.arrow", "a.duckdb", "a.md", "a.html"],
)
def test_every_kind_of_file_can_be_made(bib, tmp_path, name):
    assert main(["convert", str(bib), str(tmp_path / name)]) == 0
    assert (tmp_path / name).stat().st_size > 0


@pytest.mark.parametrize("ending", ["bib", "ris", "json", "jsonl", "tei.xml", "jats.xml"])
@pytest.mark.parametrize(
    "content", [b"", bytes(range(256)) * 9, b"bell " * 2_000_000, b"<a><b>", b"{", b"@book{a, title = {x"], ids=repr_of
)
def test_what_is_no_file_of_its_format_is_refused_in_words_or_empty(tmp_path, capfd, ending, content):
    source, target = tmp_path / f"bad.{ending}", tmp_path / "out.jsonl"
    source.write_bytes(content)
    target.write_text("precious")
    code, said = main(["convert", str(source), str(target)]), capfd.readouterr().err
    assert (code, target.read_text()) in ((0, ""), (2, "precious"))
    assert "there are no entries" in said if code == 0 else "could be read as" in said
    assert "Traceback" not in said


def test_packed_files_are_read_and_written(bib, tmp_path):
    packed, again = tmp_path / "refs.ris.gz", tmp_path / "again.json"
    assert main(["convert", str(bib), str(packed)]) == 0
    assert b"TI  - The drift of DNA" in gzip.decompress(packed.read_bytes())
    assert main(["convert", str(packed), str(again)]) == 0
    assert json.loads(again.read_text())[0]["title"] == "The drift of DNA"


def test_standard_input_and_output_need_a_named_format(run_ibidem):
    finished = run_ibidem(
        "convert", "-", "-", "--from", "bibtex", "--to", "text", "--style", "ieee", stdin=BIBTEX.encode()
    )
    assert finished.returncode == 0
    assert finished.stdout.decode().startswith("[1] A. Reed et al., The drift of DNA. 2019.")
    finished = run_ibidem("convert", "-", "x.json")
    assert (finished.returncode, finished.stderr.decode().count("\n")) == (2, 1)
    assert "the format of - must be named; give --from" in finished.stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["convert", "no-such.bib", "x.json"], "cannot read no-such.bib"),
        (["convert", "refs.docx", "x.json"], "'refs.docx' has no ending of a known format"),
        (["convert", "no-such.bib", "x.json", "--to", "word"], "no format 'word'"),
        (["convert", "a.csv", "x.json"], "csv can be written only"),
        (["parse", "-t", "x", "-f", "word"], "no format 'word'"),
    ],
)
def test_a_mistake_is_answered_with_one_line(capfd, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("x")
    assert main(arguments) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


def test_a_mistake_leaves_the_target_as_it_was(bib, tmp_path):
    target = tmp_path / "out.txt"
    target.write_text("precious")
    assert main(["convert", str(bib), str(target), "--style", "no-such-style"]) == 2
    assert main(["convert", str(tmp_path / "none.bib"), str(target)]) == 2
    assert target.read_text() == "precious"
    assert main(["convert", str(bib), str(bib)]) == 2
    assert bib.read_text() == BIBTEX


def test_parsed_references_are_written_as_records(model, tmp_path, capfd):
    out = tmp_path / "refs.json"
    assert main(["parse", *model, "-t", REFERENCE, "-t", "", "-f", "csl-json", "-o", str(out)]) == 0
    (item,) = json.loads(out.read_text())
    assert "grammar of bell signals" in item["title"]
    assert "1 of 2 references could not be parsed" in capfd.readouterr().err


def test_without_a_format_the_fields_are_written_as_ever(model, tmp_path):
    out = tmp_path / "fields.jsonl"
    assert main(["parse", *model, "-t", REFERENCE, "-o", str(out)]) == 0
    assert json.loads(out.read_text())["fields"]


def test_an_extra_that_is_not_installed_is_named(bib, tmp_path, monkeypatch, capfd):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    target = tmp_path / "x.parquet"
    assert main(["convert", str(bib), str(target)]) == 2
    assert "pip install 'ibidem[tables]'" in capfd.readouterr().err
    assert not target.exists()


def test_every_field_of_every_record_that_is_lost_is_named(tmp_path, capfd):
    entry = "@book{{b{0}, title = {{Bells {0}}}, abstract = {{It{0} is about bells}}, x-odd = {{{0}}}}}"
    (tmp_path / "a.bib").write_text("\n".join(map(entry.format, range(3))))
    assert main(["convert", str(tmp_path / "a.bib"), str(tmp_path / "a.json")]) == 0
    said = capfd.readouterr().err.splitlines()
    assert said == [f"ibidem: warning, reading bibtex, b{n}: no field for 'x-odd': {n}" for n in range(3)]


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("no field for AB: On bells", "no field for AB"),
        ("no field for 'x' under custom: ['y']", "no field for 'x' under custom"),
        ("the type 'interview' is read as 'other'", "the type 'interview' is read as 'other'"),
        ("date: 'last Tuesday' is no date that is understood; kept as text",
         "date: … is no date that is understood; kept as text"),
        ("note: labelled 'medium', which is no field of a record",
         "note: labelled 'medium', which is no field of a record"),
        ("issue: a second value is left out: '14'", "issue: a second value is left out"),
        ("a second name of the container is left out: Ann. Coast Med.", "a second name of the container is left out"),
        ("author: has no tag and is left out", "author: has no tag and is left out"),
    ],
)  # fmt: skip
def test_warnings_are_counted_by_what_they_say_without_their_examples(message, kind):
    assert kind_of(message) == kind


def test_the_old_letters_of_from_and_to_still_work(bib, tmp_path, capfd):
    target = tmp_path / "x.txt"
    assert main(["convert", "-f", "bibtex", "-t", "ris", str(bib), str(target)]) == 0
    assert target.read_text().startswith("TY  - BOOK")
    assert "-t is now called --to" in capfd.readouterr().err


def test_records_that_cannot_be_written_are_counted_and_are_entries(tmp_path, capfd):
    from ibidem.cli.convert import Diagnostics

    diagnostics = Diagnostics("bibtex", "ris")
    diagnostics.warn("a", "not written: a fault")
    diagnostics.add(0, tmp_path / "x.bib")
    diagnostics.close("entries could not be read")
    assert diagnostics.status(strict=False) == 1
    errors = capfd.readouterr().err
    assert "1 could not be written" in errors and "there are no entries" not in errors
