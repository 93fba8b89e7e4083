"""The public interface: what `ibidem` exports, what its verbs accept, and what they refuse."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

import ibidem
from ibidem import Field, Link, Malformed, Parsed
from ibidem.errors import ConfigError, InputError
from ibidem.models import recipes, shipped
from ibidem.types import Change

REFERENCE = "Marchbanks, T. (1999). The grammar of bell signals. Harrowgate University Press."
BOOK = "@book{reed,\n  title = {Reeds}\n}\n"

ships = pytest.mark.skipif(not shipped.DEFAULT.exists(), reason="no model ships with this checkout")


class NA:
    """A missing value such as that of pandas."""

    def __repr__(self) -> str:
        return "<NA>"

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")


def test_only_public_names_are_shown():
    assert set(dir(ibidem)) == {*ibidem.__all__, "__version__"}
    assert all(getattr(ibidem, name).__module__.startswith("ibidem") for name in ibidem.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Rekord'"):
        _ = ibidem.Rekord


def test_records_are_imported_on_first_use():
    code = "import sys, ibidem\nassert 'ibidem.records' not in sys.modules\nassert ibidem.Record.__name__ == 'Record'"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("parsed", "shown"),
    [
        (
            Parsed("Reed 2019", (Field("date", "2019", 5, 9, 0.9),), 0.956),
            "Parsed('Reed 2019', 1 field, confidence 0.96)",
        ),
        (Parsed("x" * 41), f"Parsed('{'x' * 39}…', 0 fields, confidence 0.00)"),
        (Parsed("", error="empty"), "Parsed('', error='empty')"),
    ],
)
def test_a_parsed_string_has_a_short_repr(parsed, shown):
    assert repr(parsed) == shown


def test_a_parsed_string_as_a_dict_holds_everything_that_json_shows():
    fields = (Field("author", "Reed", 0, 4, 0.99996), Field("affiliation", "Fen", 5, 8, 0.5))
    other = Parsed("Reed Fen", fields[:1], 0.25)
    change = Change(fields[1:], (("count(author) <= 1", 1.23456),))
    found = Parsed("Reed Fen", fields, 0.75, (other,), None, change, (Link(0, 1, "order"),)).to_dict()
    assert found["fields"][0] == {"label": "author", "text": "Reed", "start": 0, "end": 4, "confidence": 1.0}
    assert found["links"] == [{"author": 0, "affiliation": 1, "by": "order"}]
    assert found["alternatives"] == [{"fields": found["fields"][:1], "confidence": 0.25}]
    because = [{"constraint": "count(author) <= 1", "saves": 1.2346}]
    assert found["change"] == {"before": found["fields"][1:], "because": because}
    assert json.loads(json.dumps(found)) == found


@ships
def test_a_parsed_reference_has_its_record():
    parsed = ibidem.parse(REFERENCE)
    assert parsed.record == ibidem.record_of(parsed)
    assert parsed.record.first("title") == "The grammar of bell signals"


@ships
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_not_a_string_gives_one_error_each(jobs):
    texts = [REFERENCE, None, float("nan"), NA(), 7, b"Reed", "", REFERENCE]
    found = list(ibidem.parse_many(texts, jobs=jobs))
    errors = ["None", "nan", "<NA>", "7", "b'Reed'"]
    assert [parsed.error for parsed in found[1:6]] == [f"not a string: {shown}" for shown in errors]
    assert found[6].error == "empty: there is no reference here"
    assert found[0] == found[7] == ibidem.parse(REFERENCE)
    assert ibidem.parse(None).error == "not a string: None"


@pytest.mark.parametrize("text", [REFERENCE, REFERENCE.encode(), ""])
def test_a_bare_string_is_refused_where_many_are_wanted(text):
    with pytest.raises(InputError, match=r"takes a list .* of strings, not .*; parse takes one string"):
        ibidem.parse_many(text)


@pytest.mark.parametrize("output", ["mine", Path("mine"), "default"])
def test_an_output_is_a_path_and_never_a_model_of_the_package(monkeypatch, output):
    written = []
    monkeypatch.setattr(recipes, "train", lambda recipe, target, *_, **__: written.append(target) or target)
    assert ibidem.train("recipe.toml", output) == Path(output)
    assert written == [Path(output)]


def test_records_are_read_with_what_is_malformed_in_its_place(tmp_path):
    path = tmp_path / "refs.bib"
    path.write_text(BOOK + "@book{marsh, title = {Mar")
    record, malformed = ibidem.read(path)
    assert isinstance(record, ibidem.Record) and record.first("title") == "Reeds"
    assert isinstance(malformed, Malformed) and malformed.reason
    assert len(list(ibidem.read(str(path), "bibtex"))) == 2


@pytest.mark.parametrize(
    ("name", "chosen", "error", "message"),
    [
        ("none.bib", None, InputError, "cannot read"),
        (".", "bibtex", InputError, "is a folder"),
        ("refs.xyz", None, ConfigError, "xyz"),
        ("refs.bib", "bibtecks", ConfigError, "bibtecks"),
        ("refs.csv", None, ConfigError, "csv"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_at_once(tmp_path, name, chosen, error, message):
    (tmp_path / "refs.csv").write_text("title\nReeds\n")
    with pytest.raises(error, match=message):
        ibidem.read(tmp_path / name, chosen)


def test_records_are_written_whole_or_not_at_all(tmp_path):
    record = ibidem.Record("book", (ibidem.Entry("title", "Reeds"),), key="reed")
    path = tmp_path / "refs.bib"
    ibidem.write([record], path)
    assert path.read_text() == BOOK

    def break_off():
        yield record
        raise KeyError("reed")

    with pytest.raises(KeyError):
        ibidem.write(break_off(), path, "ris")
    assert path.read_text() == BOOK
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(InputError, match="there is no folder"):
        ibidem.write([record], tmp_path / "no" / "refs.bib")


def test_what_a_format_cannot_represent_is_reported(tmp_path):
    record = ibidem.Record("book", (ibidem.Entry("title", "Reeds"), ibidem.Entry("author-etal", "et al.")), key="reed")
    warnings = []
    ibidem.write([record], tmp_path / "refs.ris", warn=lambda key, message: warnings.append((key, message)))
    assert warnings and all(key == "reed" for key, _ in warnings)


def test_a_file_is_converted_and_its_records_counted(tmp_path):
    source, target = tmp_path / "refs.bib", tmp_path / "refs.json.gz"
    source.write_text(BOOK + "@book{marsh, title = {Mar")
    skipped = []
    assert ibidem.convert(source, target, skip=skipped.append) == 1
    assert [one["title"] for one in json.loads(gzip.decompress(target.read_bytes()))] == ["Reeds"]
    assert len(skipped) == 1 and isinstance(skipped[0], Malformed)
    assert ibidem.convert(source, target) == 1
    with pytest.raises(InputError, match="also read"):
        ibidem.convert(source, source, target_format="ris")


def test_a_file_of_another_format_is_refused_and_nothing_written(tmp_path):
    source, target = tmp_path / "refs.json", tmp_path / "refs.bib"
    source.write_text("[7]")
    with pytest.raises(InputError, match="is it in another format"):
        ibidem.convert(source, target)
    assert not target.exists()


def test_the_verb_converts_as_the_command_does(tmp_path, root, run_ibidem):
    source = root / "examples" / "records.bib"
    ibidem.convert(source, tmp_path / "ours.ris")
    assert run_ibidem("convert", str(source), str(tmp_path / "theirs.ris")).returncode == 0
    assert (tmp_path / "ours.ris").read_bytes() == (tmp_path / "theirs.ris").read_bytes()
