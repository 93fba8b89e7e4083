"""A model on disk: it comes back as it was, and any other file is answered with one sentence."""

from __future__ import annotations

import errno
import io
import json
import shutil
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ibidem.errors import InputError, ModelError
from ibidem.models import storage
from ibidem.models.parser import Parser
from ibidem.models.storage import load, save

Parts = dict[str, bytes]
QUICK = settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])


def refused(path: Path) -> str:
    """The sentence with which a file is refused, and that it is one and cheap."""
    tracemalloc.start()
    try:
        with pytest.raises(ModelError) as error:
            load(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 64e6
    message = str(error.value)
    assert str(path) in message and "\n" not in message.replace(str(path), "")
    assert error.value.__suppress_context__ or error.value.__context__ is None  # no second traceback
    return message


def parts_of(path: Path) -> Parts:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def written(path: Path, parts: Parts, method: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def array(values: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, values)
    return buffer.getvalue()


def test_a_model_comes_back_as_it_was(tiny, tiny_path, examples):
    again = load(tiny_path)
    assert (again.labels, again.calibration, again.card) == (tiny.labels, tiny.calibration, tiny.card)
    for part in ("label", "src", "dst", "final"):
        np.testing.assert_array_equal(getattr(again.automaton, part), getattr(tiny.automaton, part))
    np.testing.assert_array_equal(again.context.dense(), tiny.context.dense())
    np.testing.assert_array_equal(again.attribute.dense(), tiny.attribute.dense())
    texts = [example.text for example in examples]
    assert list(Parser(again).parse_many(texts, 2)) == list(Parser(tiny).parse_many(texts, 2))


def test_the_same_model_gives_the_same_bytes(tiny, tiny_path, tmp_path):
    save(tiny, tmp_path / "again.ibidem")
    save(load(tiny_path), tmp_path / "loaded.ibidem")
    assert (tmp_path / "again.ibidem").read_bytes() == tiny_path.read_bytes()
    assert (tmp_path / "loaded.ibidem").read_bytes() == tiny_path.read_bytes()


def test_saving_makes_the_folder_and_leaves_nothing_beside_the_model(tiny, tmp_path):
    path = tmp_path / "new" / "folder" / "tiny.ibidem"
    save(tiny, path)
    assert [each.name for each in path.parent.iterdir()] == ["tiny.ibidem"]


def test_nothing_in_a_model_can_be_run(tiny_path):
    assert all(name.endswith((".json", ".npy")) for name in parts_of(tiny_path))
    assert all(b"pickle" not in content for content in parts_of(tiny_path).values())


def test_a_model_that_was_cut_short_is_refused_at_every_length(tiny_path, tmp_path):
    whole = tiny_path.read_bytes()
    path = tmp_path / "cut.ibidem"
    for length in {0, 1, 4, 21, 22, 100, len(whole) - 1, *np.linspace(0, len(whole) - 1, 40).astype(int).tolist()}:
        path.write_bytes(whole[:length])
        refused(path)


@QUICK
@given(content=st.binary(max_size=400))
def test_random_bytes_are_refused(tmp_path, content):
    (tmp_path / "random").write_bytes(content)
    refused(tmp_path / "random")


@QUICK
@given(st.data())
def test_a_damaged_byte_is_noticed_or_does_no_harm(tiny_path, tmp_path, data):
    whole = bytearray(tiny_path.read_bytes())
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))
    path = tmp_path / "damaged"
    path.write_bytes(whole)
    try:
        parser = Parser(load(path))
    except ModelError:
        return
    assert parser.parse("Reed, A. (1980). The drift of bells.").error is None  # a time stamp, an attribute of a part


@QUICK
@given(st.data())
def test_a_damaged_description_is_refused_or_does_no_harm(tiny_path, tmp_path, data):
    parts = parts_of(tiny_path)
    text = bytearray(parts["model.json"])
    text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.sampled_from(b'0123456789"-[]{}:,eNaIO \x00\xff'))
    path = written(tmp_path / "damaged", parts | {"model.json": bytes(text)})
    try:
        parser = Parser(load(path))
    except ModelError:
        return
    assert parser.parse("Reed, A. (1980). The drift of bells.").error is None


def test_other_files_are_refused_in_words(tmp_path):
    assert "no model at" in refused(tmp_path / "missing")
    assert "folder" in refused(tmp_path)
    assert "not an Ibidem model" in refused(written(tmp_path / "foreign.zip", {"readme.txt": b"bells"}))
    assert "no format number" in refused(written(tmp_path / "other.zip", {"model.json": b"[]"}))
    assert "not an Ibidem model" in refused(written(tmp_path / "json.zip", {"model.json": b"{" * 100_000}))
    assert "not an Ibidem model" in refused(written(tmp_path / "deep.zip", {"model.json": b"[" * 100_000}))


Change = Callable[[dict[str, object]], object]


def changed(tiny_path: Path, path: Path, change: Change) -> Path:
    """The model with another description."""
    parts = parts_of(tiny_path)
    description = json.loads(parts["model.json"])
    change(description)
    return written(path, parts | {"model.json": json.dumps(description).encode()})


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda d: d.update(format=5), "format 5, this version of Ibidem reads formats up to 4: upgrade"),
        (lambda d: d.update(constraints={"count(nothing) <= 1": 1.0}), "which no label has"),
        (lambda d: d.update(constraints={"count(title) =< 1": 1.0}), "breaks off at character 14"),
        (lambda d: d.update(constraints={"count(title) <= 1": -1.0}), "not numbers of 0 or more"),
        (lambda d: d.update(format="new"), "upgrade"),
        (lambda d: d.update(kind="tree"), "kind 'tree'"),
        (lambda d: d.update(kind="semi"), "do not fit"),
        (lambda d: d.pop("kind"), "kind None"),
        (lambda d: d.pop("labels"), "do not fit"),
        (lambda d: d.update(labels=[]), "do not fit"),
        (lambda d: d.update(labels=7), "do not fit"),
        (lambda d: d.update(labels=["title" if label == "B-title" else label for label in d["labels"]]), "nested BIO"),
        (lambda d: d.update(labels=[label for label in d["labels"] if label != "O"]), "nested BIO"),
        (lambda d: d["labels"].pop(), "do not fit"),
        (lambda d: d.update(labels=[*d["labels"][:-1], "O"]), "nested BIO"),
        (lambda d: d.update(window=4), "window"),
        (lambda d: d.update(window=0), "window"),
        (lambda d: d.update(window=-5), "window"),
        (lambda d: d.update(window=10**12 + 1), "window"),
        (lambda d: d.update(window="wide"), "do not fit"),
        (lambda d: d.update(window=3), "do not fit"),
        (lambda d: d.update(context=None), "do not fit"),
        (lambda d: d["context"].update(location=10**15), "codes"),
        (lambda d: d["context"].update(location=-1), "codes"),
        (lambda d: d["context"].update(location=True), "codes"),
        (lambda d: d["context"].update(unheard=3), "uses the feature 'unheard'"),
        (lambda d: d["context"].update({"new" * 10_000: 3}), "uses the feature 'newnew"),
        (lambda d: d.update(kind="tree" * 10_000), "kind 'treetree"),
        (lambda d: d.update(format="new" * 10_000), "upgrade"),
        (lambda d: d["context"].pop("location"), "differ"),
        (lambda d: d.update(calibration={"*": [1]}), "do not fit"),
        (lambda d: d.update(calibration={"*": [1, 0, 0, 0]}), "do not fit"),
        (lambda d: d.update(calibration={"*": [1, float("nan")]}), "finite"),
        (lambda d: d.update(calibration=[1, 2]), "do not fit"),
        (lambda d: d.update(card=3), "do not fit"),
    ],
)  # fmt: skip
def test_a_description_that_fits_nothing_is_refused(tiny_path, tmp_path, change, sentence):
    said = refused(changed(tiny_path, tmp_path / "changed", change))
    assert sentence in said and len(said) < 500 + len(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("arc", lambda a: a[:-1]),
        ("arc", lambda a: a * np.nan),
        ("arc", lambda a: a.astype(np.float64)),
        ("arc", lambda a: a[:, None]),
        ("arc", lambda a: a.astype("U8")),
        ("arc", lambda a: a.astype(np.complex64)),
        ("attributes", lambda a: a[1:]),
        ("attributes", lambda a: a.astype(np.float32)),
        ("attribute/start", lambda a: a[:-1]),
        ("attribute/start", lambda a: a[::-1]),
        ("attribute/start", lambda a: a + np.uint32(1)),
        ("attribute/start", lambda a: np.where(np.arange(len(a)) == 0, np.uint32(1), a)),
        ("attribute/start", lambda a: a[:0]),
        ("attribute/column", lambda a: a[1:]),
        ("attribute/column", lambda a: a + np.uint16(60_000)),
        ("attribute/value", lambda a: a[1:]),
        ("attribute/value", lambda a: a.astype(np.int64)),
        ("attribute/scale", lambda a: a * np.float32(np.inf)),
        ("context/scale", lambda a: a[1:]),
        ("context/column", lambda a: a + np.uint16(100)),
        ("known/location", lambda a: a + np.uint32(1000)),
        ("known/location", lambda a: a[1:]),
        ("known/location", lambda a: a.astype(np.int64) - 1),
        ("lexicons/statistics/codes", lambda a: a[1:]),
        ("automaton/label", lambda a: a[1:]),
        ("automaton/label", lambda a: a + np.int32(1000)),
        ("automaton/label", lambda a: a - np.int32(1)),
        ("automaton/label", lambda a: a[:0]),
        ("automaton/src", lambda a: a[1:]),
        ("automaton/src", lambda a: a + np.int32(1000)),
        ("automaton/src", lambda a: a - np.int32(5)),
        ("automaton/src", lambda a: a.astype(np.int64)),
        ("automaton/dst", lambda a: a + np.int32(1000)),
        ("automaton/dst", lambda a: a - np.int32(1)),
        ("automaton/final", lambda a: a[1:]),
        ("automaton/final", lambda a: a.astype(np.int8)),
    ],
)  # fmt: skip
def test_arrays_that_fit_nothing_are_refused(tiny_path, tmp_path, name, make):
    parts = parts_of(tiny_path)
    old = np.load(io.BytesIO(parts[f"{name}.npy"]))
    refused(written(tmp_path / "changed", parts | {f"{name}.npy": array(make(old))}))


def test_a_model_without_one_of_its_arrays_is_refused(tiny_path, tmp_path):
    parts = parts_of(tiny_path)
    for name in parts:
        if not name.startswith(("lexicons/words", "model.json")):
            refused(written(tmp_path / "less", {other: content for other, content in parts.items() if other != name}))


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (), }",
        "{'descr': '<f4', 'fortran_order': True, 'shape': (1000000, 1000000), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '|V0', 'fortran_order': False, 'shape': (1000000000000,), }",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }",
        "{'descr': 'nothing', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f4', 'shape': (1,), }",
        "__import__('os').getcwd()",
        "{'descr': (((",
        "  indented\n wrongly",
        "(" * 3000,
        "'open",
    ],
)
def test_an_array_that_claims_what_it_has_not_is_refused_without_a_try(tiny_path, tmp_path, header):
    text = header.encode() + b" " * (118 - len(header) % 64) + b"\n"
    claim = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + b"\0\0\0\0"
    assert "\x1b" not in refused(written(tmp_path / "claim", parts_of(tiny_path) | {"arc.npy": claim}))


@pytest.mark.parametrize(
    "content", [b"", b"\x93NUMPY", b"\x93NUMPY\x09\x09aa", b"\x93NUMPY\x02\x00\xff\xff\xff\xff", b"bells"]
)
def test_an_array_that_is_none_is_refused(tiny_path, tmp_path, content):
    refused(written(tmp_path / "none", parts_of(tiny_path) | {"arc.npy": content}))


def test_a_small_file_that_would_grow_large_is_refused(tiny_path, tmp_path):
    bomb = parts_of(tiny_path) | {"arc.npy": array(np.zeros(20_000_000, dtype=np.float32))}
    assert "compressed" in refused(written(tmp_path / "bomb", bomb, zipfile.ZIP_DEFLATED))


def test_a_part_that_claims_to_be_larger_than_the_file_is_refused(tiny_path, tmp_path):
    content = bytearray(shutil.copy(tiny_path, tmp_path / "large").read_bytes())
    entry = content.rindex(b"PK\x01\x02")  # the last part in the directory at the end
    content[entry + 20 : entry + 28] = (0x7FFFFFFF).to_bytes(4, "little") * 2
    (tmp_path / "large").write_bytes(content)
    assert "larger than the file" in refused(tmp_path / "large")


def test_a_part_behind_a_password_is_refused(tiny_path, tmp_path):
    content = bytearray(tiny_path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + place] |= 1
    (tmp_path / "locked").write_bytes(content)
    refused(tmp_path / "locked")


def test_a_model_that_cannot_be_written_leaves_the_old_one(tiny, tiny_path, tmp_path, monkeypatch):
    path = tmp_path / "mine.ibidem"
    path.write_bytes(b"the old one")

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(storage.npy, "write_array", fail)
    with pytest.raises(InputError, match="No space left on device; it is as it was before"):
        save(tiny, path)
    assert path.read_bytes() == b"the old one"
    assert [each.name for each in tmp_path.iterdir()] == ["mine.ibidem"]


@pytest.mark.parametrize(("name", "sentence"), [("a.gz", "not packed"), ("folder", "it is a folder")])
def test_a_target_that_cannot_be_written_is_refused(tiny, tmp_path, name, sentence):
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match=sentence):
        save(tiny, tmp_path / name)


@pytest.mark.parametrize("depth", [400, 900, 100_000])
def test_a_description_that_is_nested_deeply_is_refused(tiny_path, tmp_path, depth):
    for key in ("labels", "card", "calibration"):
        parts = parts_of(tiny_path)
        text = json.dumps(json.loads(parts["model.json"]) | {key: "DEEP"})
        parts["model.json"] = text.replace('"DEEP"', "[" * depth + "]" * depth).encode()
        refused(written(tmp_path / "deep.ibidem", parts))
