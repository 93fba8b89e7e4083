"""Ibidem turns reference strings, section headings and author lines into fields with calibrated confidence.

>>> import ibidem
>>> parsed = ibidem.parse("Doe J. On things. J Thing Res. 2019;14(3):153-60.")
>>> {field.label: field.text for field in parsed.fields}["title"]
'On things'

The public verbs and types are here; what a verb needs is imported when it is first called.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ibidem.arguments import (
    MOST_ALTERNATIVES,
    MOST_JOBS,
    as_constraints,
    as_count,
    as_iterator,
    as_optional_path,
    as_path,
    check_callback,
    check_name,
    show,
)
from ibidem.deprecation import rename_arguments
from ibidem.errors import InputError, MissingExtra
from ibidem.types import Field, Labelling, Link, Malformed, Parsed, Reference, Span, Token

if TYPE_CHECKING:
    from ibidem.linking.inputs import Item
    from ibidem.linking.works import Progress, Works
    from ibidem.metrics.scoring import Report
    from ibidem.models.parser import Parser
    from ibidem.records.record import Entry, Record
    from ibidem.unsupervised.segmenting import Segmentation

__version__ = "0.1.0"
__all__ = [
    "Entry",
    "Field",
    "Labelling",
    "Link",
    "Malformed",
    "Parsed",
    "Record",
    "Reference",
    "Span",
    "Token",
    "authors",
    "convert",
    "evaluate",
    "link",
    "load",
    "parse",
    "parse_many",
    "read",
    "record_of",
    "sections",
    "segment",
    "train",
    "write",
]


def __getattr__(name: str) -> Any:
    if name in ("Entry", "Record"):  # imported when first used
        return getattr(import_module("ibidem.records.record"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def load(model: str | Path | None = None, *, task: str | None = None, constraints: bool | str | Path = True) -> Parser:
    """Load a parser: the default model of a task, or the model in a file.

    `task` is "references", "sections" or "authors"; a model for another task is refused. `constraints` is True for the
    model's own soft constraints, False for none, or a TOML file with constraints to add. Raises
    `ibidem.errors.ModelError` when the model is missing, truncated, not one of Ibidem's or from a newer version. Models
    are cached.

    >>> load(task="sections").task.item
    'paper'
    """
    from ibidem.models.shipped import parser

    if task is not None:
        check_name(task, "task", _TASKS)
    return parser(as_optional_path(model, "model"), task, as_constraints(constraints))


_TASKS = ("references", "sections", "authors")


def parse(
    text: str,
    *,
    model: str | Path | None = None,
    alternatives: int = 0,
    explain: bool = False,
    constraints: bool | str | Path = True,
) -> Parsed:
    """Parse one reference string into fields, each with its offsets and a calibrated confidence.

    `alternatives` is the number of further labellings to return, best first; with `explain`, `change` says what the
    constraints changed. A string that cannot be parsed gives a `Parsed` with an `error` and no fields.

    >>> parse("Doe J. On things. J Thing Res. 2019;14(3):153-60.").record.first("pages")
    Pages(first='153', last='160')
    """
    [parsed] = parse_many(
        [text], model=model, alternatives=alternatives, explain=explain, constraints=constraints, task="references"
    )
    return parsed


def sections(headings: str | Iterable[str], *, model: str | Path | None = None, alternatives: int = 0) -> Parsed:
    """Find the role of each heading of a paper: a field per heading, with its role as label.

    The headings are a list, or the lines of one string; empty lines are skipped. Offsets are into the headings joined
    by line breaks.

    >>> found = sections(["1 Introduction", "2 Data and model", "3 Experiments", "References"])
    >>> [field.label for field in found.fields]
    ['introduction', 'method', 'evaluation', 'references']
    """
    given = [headings] if isinstance(headings, str) else list(as_iterator(headings, "sections", "headings"))
    if wrong := [heading for heading in given if not isinstance(heading, str)]:
        return Parsed("", error=f"a heading is not a string: {show(wrong[0])}")
    text = headings if isinstance(headings, str) else "\n".join(" ".join(heading.split()) for heading in given)
    [parsed] = parse_many([text], model=model, alternatives=alternatives, task="sections")
    return parsed


def authors(text: str, *, model: str | Path | None = None, alternatives: int = 0) -> Parsed:
    """Find authors, affiliations, symbols and separators in the author lines of a header, and which belong together.

    The `links` of the result tie authors to affiliations, by symbol or by order, as indices into the fields.

    >>> found = authors("Ann Reed1 and Bo Marsh2\\n1 University of Fenland, UK\\n2 Bog Institute, Tartu, Estonia")
    >>> [(found.fields[link.author].text, found.fields[link.affiliation].text) for link in found.links]
    [('Ann Reed', 'University of Fenland, UK'), ('Bo Marsh', 'Bog Institute, Tartu, Estonia')]
    """
    [parsed] = parse_many([text], model=model, alternatives=alternatives, task="authors")
    return parsed


def parse_many(
    texts: Iterable[str],
    *,
    model: str | Path | None = None,
    alternatives: int = 0,
    explain: bool = False,
    constraints: bool | str | Path = True,
    jobs: int = 1,
    task: str = "references",
) -> Iterator[Parsed]:
    """Parse strings one after the other, in constant memory, with `jobs` processes; the order is kept.

    With another `task` a string holds the headings of a paper, one per line, or the author lines of a header. What
    cannot be parsed, or is not a string (None or NaN in a column of a table), gives a `Parsed` with an `error`.

    >>> [parsed.error for parsed in parse_many(["Doe J. On things. 2019.", None])]
    [None, 'not a string: None']
    """
    from ibidem.models.shipped import ParseOptions, parse_in_parallel

    source = as_iterator(texts, "parse_many", "strings", "; parse takes one string")
    check_name(task, "task", _TASKS)
    further = as_count(alternatives, "alternatives", 0, MOST_ALTERNATIVES)
    path = as_optional_path(model, "model")
    options = ParseOptions(path, further, bool(explain), as_constraints(constraints), task)
    waiting: deque[object] = deque()  # what has been taken from the source and not been answered yet

    def strings() -> Iterator[str]:
        for text in source:
            waiting.append(text)
            yield text if isinstance(text, str) else ""

    answers = parse_in_parallel(strings(), options, as_count(jobs, "jobs", 1, MOST_JOBS))
    return (
        parsed if isinstance(text := waiting.popleft(), str) else Parsed("", error=f"not a string: {show(text)}")
        for parsed in answers
    )


def record_of(parsed: Parsed, *, journals: str = "as-is") -> Record:
    """Return the record of a parsed reference: its type and normalised fields, each with its source characters.

    `journals` is "full" or "abbreviated" to rewrite journal names. `parsed.record` is the same with the default.

    >>> record = record_of(parse("Doe JA. On things. J Thing Res. 2019;14(3):153-60."))
    >>> record.type, record.first("pages")
    ('article', Pages(first='153', last='160'))
    """
    from ibidem.records.build import record_of as build

    if not isinstance(parsed, Parsed):
        raise InputError(f"record_of takes the result of parse, not {show(parsed)}")
    check_name(journals, "journals", ("as-is", "full", "abbreviated"))
    return build(parsed, journals=journals)


def read(path: str | Path, format: str | None = None) -> Iterator[Record | Malformed]:  # noqa: A002
    """Read the records of a file: BibTeX, CSL-JSON, RIS, TEI, JATS or Ibidem's own JSON Lines.

    The format is guessed from the file's name unless it is given. An entry that cannot be read comes as a `Malformed`
    that says where it is and why; reading continues with the next.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "refs.bib").write_text("@book{reed, title = {Reeds}}\\n@book{marsh, title = {Mar")
    ...     [type(one).__name__ for one in read(f"{folder}/refs.bib")]
    ['Record', 'Malformed']
    """
    from ibidem.records.files import read_file

    _check_format(format)
    return read_file(as_path(path, "path"), format)


def write(
    records: Iterable[Record],
    path: str | Path,
    format: str | None = None,  # noqa: A002
    *,
    style: str = "apa",
    warn: Callable[[str, str], None] | None = None,
) -> None:
    """Write records to a file, which appears whole or not at all.

    The format is guessed from the file's name (refs.bib, refs.json, refs.ris, refs.tei.xml, …, also with .gz) unless
    it is given. `style` is the CSL style of rendered text: a name or a .csl file. `warn` is called with a record's key
    and what the format cannot represent of it.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write([parse("Doe J. On things. J Thing Res. 2019;14(3):153-60.").record], f"{folder}/refs.ris")
    ...     [record.first("title") for record in read(f"{folder}/refs.ris")]
    ['On things']
    """
    from ibidem.records.files import write_file

    _check_format(format)
    check_name(style, "style")
    check_callback(warn, "warn")
    chosen = _records_of(as_iterator(records, "write", "records"), warn)
    write_file(chosen, as_path(path, "path"), format, style=style, warn=warn)


def _records_of(items: Iterable[object], warn: Callable[[str, str], None] | None) -> Iterator[Record]:
    """Yield the records among what `read` yields; what it could not read is reported."""
    from ibidem.records.record import Record

    for number, item in enumerate(items, 1):
        if isinstance(item, Record):
            yield item
        elif not isinstance(item, Malformed):
            raise InputError(f"write takes records, and item {number} is {show(item)}; parse(text).record is one")
        elif warn is not None:
            warn(item.source, f"not written: {item.reason}")


def _check_format(*names: str | None) -> None:
    for name in names:
        if name is not None:
            check_name(name, "format")


def convert(
    source: str | Path,
    target: str | Path,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    style: str = "apa",
    warn: Callable[[str, str], None] | None = None,
    warn_reading: Callable[[str, str], None] | None = None,
    skip: Callable[[Malformed], None] | None = None,
) -> int:
    """Convert a file of records to another format; return the number of records written.

    Formats are guessed from the names of the files unless they are given. `warn` is called with a record's key and what
    the target format cannot represent, `warn_reading` (by default `warn`) with its key and each warning of the reader,
    `skip` with each entry that cannot be read.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "refs.bib").write_text("@book{reed, title = {Reeds}}")
    ...     convert(f"{folder}/refs.bib", f"{folder}/refs.json.gz")
    1
    """
    from ibidem.records.files import convert_file

    _check_format(source_format, target_format)
    check_name(style, "style")
    for name, callback in (("warn", warn), ("warn_reading", warn_reading), ("skip", skip)):
        check_callback(callback, name)
    return convert_file(
        as_path(source, "source"),
        as_path(target, "target"),
        source_format=source_format,
        target_format=target_format,
        style=style,
        warn=warn,
        warn_reading=warn_reading,
        skip=skip,
    )


@rename_arguments(readings="nbest")
def link(
    references: Iterable[str | Parsed | Record | Item],
    *,
    threshold: float | None = None,
    model: str | Path | None = None,
    pair_model: str | Path | None = None,
    jobs: int = 1,
    existing: Works | None = None,
    nbest: int = 1,
    progress: Progress | None = None,
    database: str | Path | None = None,
) -> Works:
    """Link references to the same work, and return the works in the order of their first references.

    A reference is a string, which is parsed, or the result of `parse` or `record_of`, or a record read from a file.
    Each is in exactly one work. Works are merged while the mean log-odds of the pairs between them are above those of
    `threshold`, by default the pairwise matcher's. A reference that cannot be parsed or has too little text stands
    alone with a confidence of 0.

    With `existing`, the result of an earlier call, the new references are linked with those and numbered on from them;
    the works are the same as if all had been linked at once. With `nbest` above 1, so many labellings of each string
    are considered, and members have the one that fits their work best. With `database`, a DuckDB file, references and
    works are kept there, and the result is read from it: a later call continues from the file, and a batch of
    references that it already holds is not added twice. `progress` is called with the current step, how much of it is
    done and how much there is.

    >>> works = link(["Doe J. On things. J Thing Res. 2019;14(3):153-60.", "J. Doe, On things, J. Thing Res., 2019"])
    >>> [[member.number for member in work.members] for work in works]
    [[0, 1]]
    """
    from ibidem.linking.link import link_references

    check_callback(progress, "progress")
    return link_references(
        references,
        partial(parse_many, model=model, jobs=jobs),
        threshold=threshold,
        pair_model=as_optional_path(pair_model, "pair_model"),
        existing=existing,
        nbest=nbest,
        progress=progress,
        database=as_optional_path(database, "database"),
    )


@rename_arguments(elements="fields", hints="seed_words", threads="jobs")
def segment(
    citations: Iterable[str | Sequence[str]],
    *,
    fields: int,
    method: str = "blocked",
    seed: int = 1,
    jobs: int = 1,
    sweeps: int | None = None,
    seed_words: str | Path | None = None,
    names: Sequence[str] | None = None,
    settings: Mapping[str, object] | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Segmentation:
    """Segment citations into fields without labelled data; only the number of fields is given.

    A citation is a string, or a list of tokens. The method "blocked" samples whole citations at once; "gibbs" is the
    sampler of Masada et al. (2011). `settings` are further settings of the method, such as `{"draws": "rebuilt"}` for
    "gibbs". `seed_words` is a TOML file with words and patterns of some fields, `names` has one name for each field.
    With a `checkpoint` the run is saved after each sweep, and `resume` continues from there; "gibbs" takes neither seed
    words nor a checkpoint. The same seed gives the same result; with "gibbs" it also depends on the number of threads,
    `jobs`. A citation that cannot be segmented has an error in place of its fields; the others are answered.

    >>> names, things = ["Reed", "Marsh", "Fenn"], ["bells", "tides", "looms"]
    >>> lines = [f"{who}. On {what}, {year}" for who in names for what in things for year in range(1990, 2010)]
    >>> found = segment(lines, fields=2)
    >>> len(found), len(found[0].tokens)
    (180, 4)
    """
    from ibidem.unsupervised.methods import make_config
    from ibidem.unsupervised.seed_words import read_seed_words
    from ibidem.unsupervised.segmenting import segment_citations

    check_callback(progress, "progress")
    return segment_citations(
        citations,
        make_config(method, fields, seed, sweeps, settings or {}),
        seed_words=() if seed_words is None else read_seed_words(as_path(seed_words, "seed_words")),
        names=names or (),
        threads=jobs,
        progress=progress,
        checkpoint=as_optional_path(checkpoint, "checkpoint"),
        resume=resume,
    )


def train(
    recipe: str | Path,
    output: str | Path | None = None,
    *,
    progress: Callable[[str], None] | None = None,
    task: str | None = None,
    silver: bool = False,
) -> Path:
    """Train a model with a recipe, write it to a file, and return the path of the file.

    `output` is always a path, never the name of a model that comes with the package; by default it is the recipe's.
    `progress` is called with a line of text at each step. A recipe for another task than `task` is refused. With
    `silver`, the recipe is a file that `ibidem segment` wrote, and its segments are the training data. See
    `docs/training.md` for recipes: `ibidem.train("recipe.toml", "mine.ibidem", progress=print)`.
    """
    from ibidem.models import recipes
    from ibidem.synthesis.training import synthesise_source

    if find_spec("scipy") is None:
        raise MissingExtra("training needs scipy, which is not installed; pip install 'ibidem[train]'")
    source, target = as_path(recipe, "recipe"), as_optional_path(output, "output")
    if task is not None:
        check_name(task, "task", _TASKS)
    check_callback(progress, "progress")
    report = progress or (lambda _: None)
    if silver:
        return recipes.follow(recipes.silver_recipe(source), source.parent, target, report)
    return recipes.train(source, target, report, task, synthesise=synthesise_source)


def evaluate(model: str | Path | None, dataset: str, split: str | None = None, *, task: str | None = None) -> Report:
    """Score a model on a split of a dataset, or on a file of labelled strings: exact match, and F1 of each field.

    The split of a dataset is dev by default; a file is scored whole, or on its part that a split names. Fields are
    compared in the labels that dataset and model share, without punctuation at their ends.

    >>> import json
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     labelled = Path(folder, "labelled.jsonl")
    ...     _ = labelled.write_text(json.dumps(parse("Doe J. On things. J Thing Res. 2019;14(3):153-60.").to_dict()))
    ...     evaluate(None, str(labelled)).accuracy
    1.0
    """
    from ibidem.models.evaluation import evaluate as score

    check_name(dataset, "dataset")
    if split is not None:
        check_name(split, "split")
    return score(load(model, task=task), dataset, split)
