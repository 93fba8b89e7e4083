"""Bad arguments of every public verb: each is refused in a sentence that names it, or is one error entry."""

from __future__ import annotations

import re
from functools import partial
from inspect import isfunction
from itertools import count, islice, repeat

import pytest

import ibidem
from ibidem.errors import ConfigError, DataError, IbidemError, InputError, ModelError
from ibidem.models import shipped

pytestmark = pytest.mark.skipif(not shipped.DEFAULT.exists(), reason="no model ships with this checkout")

REFERENCE = "Marchbanks, T. (1999). The grammar of bell signals. Harrowgate University Press."
RECORD = ibidem.Record("book", (ibidem.Entry("title", "Reeds"),), key="reed")
PARSED = ibidem.Parsed(REFERENCE)


class Nameless:
    """A value whose `repr` fails."""

    def __repr__(self) -> str:
        raise RuntimeError("no name")


NO_PATHS = [3, b"refs.bib", "", True, ["refs.bib"], "\0", "\ud800", "x" * 5_000, 1.5, Nameless()]
NO_NAMES = [3, b"apa", ["apa"], True, Nameless()]
NO_CALLBACKS = [3, "print", [print]]
NO_LISTS = [
    None,
    3,
    "",
    REFERENCE,
    REFERENCE.encode(),
    bytearray(b"x"),
    {REFERENCE: 1},
    PARSED,
    RECORD,
    list,
    Nameless(),
]

PATHS = {
    "load model": ibidem.load,
    "load constraints": lambda path: ibidem.load(constraints=3 if path is True else path),
    "parse model": lambda path: ibidem.parse(REFERENCE, model=path),
    "parse constraints": lambda path: ibidem.parse(REFERENCE, constraints=3 if path is True else path),
    "parse_many model": lambda path: ibidem.parse_many([REFERENCE], model=path),
    "sections model": lambda path: ibidem.sections(["1 Introduction"], model=path),
    "authors model": lambda path: ibidem.authors("Ann Reed", model=path),
    "read path": lambda path: ibidem.read(path, "bibtex"),
    "write path": lambda path: ibidem.write([RECORD], path, "bibtex"),
    "convert source": lambda path: ibidem.convert(path, "refs.ris", source_format="bibtex"),
    "convert target": lambda path: ibidem.convert("refs.bib", path, target_format="ris"),
    "link model": lambda path: ibidem.link([REFERENCE], model=path),
    "link pair_model": lambda path: ibidem.link([REFERENCE], pair_model=path),
    "link database": lambda path: ibidem.link([REFERENCE], database=path),
    "segment seed_words": lambda path: ibidem.segment([REFERENCE], fields=2, seed_words=path),
    "segment checkpoint": lambda path: ibidem.segment([REFERENCE], fields=2, checkpoint=path),
    "train recipe": ibidem.train,
    "train output": lambda path: ibidem.train("recipe.toml", path),
    "evaluate model": lambda path: ibidem.evaluate(path, "labelled.jsonl"),
}
NAMES = {
    "load task": lambda name: ibidem.load(task=name),
    "parse_many task": lambda name: ibidem.parse_many([REFERENCE], task=name),
    "record_of journals": lambda name: ibidem.record_of(PARSED, journals=name),
    "read format": lambda name: ibidem.read("refs.bib", name),
    "write format": lambda name: ibidem.write([RECORD], "refs.bib", name),
    "write style": lambda name: ibidem.write([RECORD], "refs.txt", style=name),
    "convert format": lambda name: ibidem.convert("refs.bib", "refs.ris", source_format=name),
    "convert style": lambda name: ibidem.convert("refs.bib", "refs.txt", style=name),
    "train task": lambda name: ibidem.train("recipe.toml", task=name),
    "evaluate dataset": lambda name: ibidem.evaluate(None, name),
    "evaluate split": lambda name: ibidem.evaluate(None, "labelled.jsonl", name),
    "evaluate task": lambda name: ibidem.evaluate(None, "labelled.jsonl", task=name),
}
CALLBACKS = {
    "write warn": lambda call: ibidem.write([RECORD], "refs.bib", warn=call),
    "convert warn": lambda call: ibidem.convert("refs.bib", "refs.ris", warn=call),
    "convert warn_reading": lambda call: ibidem.convert("refs.bib", "refs.ris", warn_reading=call),
    "convert skip": lambda call: ibidem.convert("refs.bib", "refs.ris", skip=call),
    "link progress": lambda call: ibidem.link([REFERENCE], progress=call),
    "segment progress": lambda call: ibidem.segment([REFERENCE], fields=2, progress=call),
    "train progress": lambda call: ibidem.train("recipe.toml", progress=call),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "refs.bib").write_text("@book{reed, title = {Reeds}}")
    yield tmp_path
    assert [path.name for path in tmp_path.iterdir()] == ["refs.bib"]


def refuse(kind, pattern, call, *arguments):
    with pytest.raises(kind, match=pattern) as caught:
        call(*arguments)
    assert re.search(r"give|takes", str(caught.value)) and len(str(caught.value)) < 300


@pytest.mark.parametrize("argument", PATHS)
@pytest.mark.parametrize("path", NO_PATHS, ids=lambda value: type(value).__name__)
def test_what_is_no_path_is_refused(argument, path):
    refuse(InputError, f"^{argument.split()[1]} is .*: ", PATHS[argument], path)


def test_what_can_never_be_left_out_is_not_none():
    for argument in ("read path", "write path", "convert source", "convert target", "train recipe", "load constraints"):
        refuse(InputError, "is None: ", PATHS[argument], None)


@pytest.mark.parametrize("argument", PATHS)
def test_a_folder_is_not_taken_for_a_file(argument, folder):
    with pytest.raises(IbidemError):
        PATHS[argument](folder)


@pytest.mark.parametrize("argument", NAMES)
@pytest.mark.parametrize("name", NO_NAMES, ids=lambda value: type(value).__name__)
def test_what_is_no_name_is_refused(argument, name):
    refuse(ConfigError, f"^{argument.split()[1]} is .*: give ", NAMES[argument], name)


@pytest.mark.parametrize(
    ("argument", "name", "kind", "pattern"),
    [
        ("load task", "titles", ConfigError, "task is 'titles': give one of references, sections, authors"),
        ("parse_many task", "", ConfigError, "task is '': give one of references"),
        ("record_of journals", "short", ConfigError, "journals is 'short': give one of as-is, full, abbreviated"),
        ("read format", "bibtecks", ConfigError, "bibtecks"),
        ("write format", "", ConfigError, "format"),
        ("train task", "titles", ConfigError, "give one of references"),
        ("evaluate dataset", "corra", DataError, "there is no dataset 'corra'"),
        ("evaluate dataset", "none.jsonl", InputError, "there is no file none.jsonl"),
        ("evaluate task", "titles", ConfigError, "give one of references"),
    ],
)
def test_an_unknown_name_is_refused_with_those_that_exist(argument, name, kind, pattern):
    with pytest.raises(kind, match=pattern):
        NAMES[argument](name)


@pytest.mark.parametrize("argument", CALLBACKS)
@pytest.mark.parametrize("value", NO_CALLBACKS, ids=repr)
def test_what_cannot_be_called_is_refused(argument, value):
    refuse(InputError, f"^{argument.split()[1]} is .*: give a function", CALLBACKS[argument], value)


@pytest.mark.parametrize("number", [-1, 1.5, "3", None, True, 10**12, float("nan"), float("inf"), Nameless()], ids=type)
def test_a_number_is_whole_and_in_its_range(number):
    for verb, one in ((ibidem.parse, REFERENCE), (ibidem.sections, ["1 Data"]), (ibidem.authors, "Ann Reed")):
        call = partial(verb, one, alternatives=number)
        refuse(InputError, "^alternatives is .*: give a whole number from 0 to 10,000", call)
    refuse(InputError, "^jobs is .*: give a whole number from 1", lambda: ibidem.parse_many([REFERENCE], jobs=number))
    refuse(InputError, "^jobs is 0: give", lambda: ibidem.parse_many([REFERENCE], jobs=0))


@pytest.mark.parametrize("value", NO_LISTS, ids=lambda value: type(value).__name__)
def test_where_many_are_wanted_one_is_refused(value):
    refuse(InputError, "^parse_many takes a list .* of strings, not .*; parse takes one", ibidem.parse_many, value)
    refuse(InputError, "^write takes a list .* of records, not ", lambda: ibidem.write(value, "out.bib"))
    if not isinstance(value, str):
        refuse(InputError, "^sections takes a list .* of headings, not ", ibidem.sections, value)


@pytest.mark.parametrize(
    "value", [None, 3, b"x", 1.5, ["x"], PARSED, Nameless()], ids=lambda value: type(value).__name__
)
def test_what_is_no_string_is_one_error_entry(value):
    assert ibidem.parse(value).error.startswith("not a string: ")
    assert ibidem.authors(value).error.startswith("not a string: ")
    assert ibidem.sections(["1 Introduction", value]).error.startswith("a heading is not a string: ")
    found = list(ibidem.parse_many([value, REFERENCE]))
    assert found[0].error.startswith("not a string: ") and found[1] == ibidem.parse(REFERENCE)


@pytest.mark.parametrize(
    "value", [None, 3, REFERENCE, b"x", RECORD, Nameless()], ids=lambda value: type(value).__name__
)
def test_a_record_is_made_of_the_result_of_parse(value):
    refuse(InputError, "^record_of takes the result of parse, not ", ibidem.record_of, value)


def test_what_could_not_be_read_is_reported_when_written(folder):
    warnings = []
    malformed = ibidem.Malformed("refs.bib:7", "it has no end")
    ibidem.write([malformed, RECORD], "refs.ris", warn=lambda *warning: warnings.append(warning))
    assert warnings == [("refs.bib:7", "not written: it has no end")]
    (folder / "refs.ris").unlink()
    for wrong in (None, PARSED, "Reeds"):
        refuse(InputError, "^write takes records, and item 2 is ", ibidem.write, [RECORD, wrong], "refs.ris")


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_exception_of_the_source_passes_through(jobs):
    def break_off():
        yield REFERENCE
        raise KeyError("their own")

    with pytest.raises(KeyError, match="their own"):
        list(ibidem.parse_many(break_off(), jobs=jobs))
    for verb in (ibidem.link, ibidem.sections, lambda source: ibidem.segment(source, fields=2)):
        with pytest.raises(KeyError, match="their own"):
            verb(break_off())


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_endless_source_is_read_as_far_as_needed(jobs):
    answers = ibidem.parse_many(repeat(REFERENCE), jobs=jobs)
    assert [parsed.error for parsed in islice(answers, 3)] == [None] * 3
    assert [parsed.error for parsed in islice(ibidem.parse_many(count()), 2)] == ["not a string: 0", "not a string: 1"]


def test_a_damaged_model_is_refused(folder):
    damaged = folder / "refs.bib"
    for argument in ("load model", "parse model", "parse_many model", "link model", "evaluate model"):
        with pytest.raises(ModelError):
            PATHS[argument](damaged)


def test_every_verb_has_its_bad_arguments_here():
    verbs = {name for name in ibidem.__all__ if isfunction(getattr(ibidem, name))}
    tables = {argument.split()[0] for table in (PATHS, NAMES, CALLBACKS) for argument in table}
    assert verbs == tables
