"""Ibidem turns reference strings, section headings and author lines into fields, and says how sure it is.

>>> import ibidem
>>> parsed = ibidem.parse("Doe J. On things. J Thing Res. 2019;14(3):153-60.")
>>> {field.label: field.text for field in parsed.fields}["title"]
'On things'

The verbs are below; everything they need is imported when they are first called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ibidem.types import Field, Labelling, Link, Parsed, Reference, Span, Token

if TYPE_CHECKING:
    from ibidem.linking.linking import Works
    from ibidem.metrics.scoring import Report
    from ibidem.models.parser import Parser
    from ibidem.records.record import Record
    from ibidem.unsupervised.segmenting import Segmentation

__version__ = "0.1.0"
__all__ = [
    "Field",
    "Labelling",
    "Link",
    "Parsed",
    "Reference",
    "Span",
    "Token",
    "authors",
    "evaluate",
    "link",
    "load",
    "parse",
    "parse_many",
    "record_of",
    "sections",
    "segment",
    "train",
]


def load(model: str | Path | None = None, *, task: str | None = None, constraints: bool | str | Path = True) -> Parser:
    """A parser with the model in a file, or with the one that ships for a task when no file is given.

    `model` may also be "semi", the semi-CRF that ships beside the default model for references.
    `task` is "references", "sections" or "authors"; a file with a model for another task is refused. `constraints` are
    the model's own soft constraints, none when it is False, or a TOML file with more of them. Raises
    `ibidem.errors.ModelError` when the model is missing, foreign, cut short or from a newer version. The models that
    ship are loaded once and kept.
    """
    from ibidem.models.shipped import parser

    return parser(_path(model), task, Path(constraints) if isinstance(constraints, str) else constraints)


def parse(
    text: str,
    *,
    model: str | Path | None = None,
    alternatives: int = 0,
    explain: bool = False,
    constraints: bool | str | Path = True,
) -> Parsed:
    """The fields of one reference string, each with its place in the string and a calibrated confidence.

    `alternatives` asks for so many further labellings, best first; `explain` for what the constraints changed. A string
    that cannot be parsed gives a `Parsed` with an `error` and no fields.

    >>> parse("").error
    'empty: there is no reference here'
    """
    return load(model, task="references", constraints=constraints).parse(text, alternatives, explain)


def sections(headings: str | Iterable[str], *, model: str | Path | None = None, alternatives: int = 0) -> Parsed:
    """The role of each heading of a paper, in order: a field per heading, labelled with its role.

    The headings come as a list or as lines of one string; a line without text is no heading. The fields have their
    places in the lines joined, and a calibrated confidence.

    >>> found = sections(["1 Introduction", "2 Data and model", "3 Experiments", "References"])
    >>> [field.label for field in found.fields]
    ['introduction', 'method', 'evaluation', 'references']
    """
    lines = [headings] if isinstance(headings, str) else [" ".join(heading.split()) for heading in headings]
    return load(model, task="sections").parse("\n".join(lines), alternatives)


def authors(text: str, *, model: str | Path | None = None, alternatives: int = 0) -> Parsed:
    """The authors, affiliations, symbols and separators of a header's author lines, and who belongs where.

    `links` of what comes back tie authors to affiliations, each by its place among the fields, by symbol or by order.

    >>> found = authors("Ann Reed1 and Bo Marsh2\\n1 University of Fenland, UK\\n2 Bog Institute, Tartu, Estonia")
    >>> [(found.fields[link.author].text, found.fields[link.affiliation].text) for link in found.links]
    [('Ann Reed', 'University of Fenland, UK'), ('Bo Marsh', 'Bog Institute, Tartu, Estonia')]
    """
    return load(model, task="authors").parse(text, alternatives)


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
    """What comes of each string, in order, in constant memory; `jobs` processes share the work.

    With another `task` a string is the headings of a paper, one to a line, or the author lines of a header.

    >>> [parsed.error is None for parsed in parse_many(["Doe J. On things. 2019.", ""])]
    [True, False]
    """
    from ibidem.models.shipped import ParseOptions, parse_in_parallel

    limits = Path(constraints) if isinstance(constraints, str) else constraints
    return parse_in_parallel(texts, ParseOptions(_path(model), alternatives, explain, limits, task), jobs)


def _path(model: str | Path | None) -> Path | None:
    from ibidem.models.shipped import path_of

    return path_of(model)


def record_of(parsed: Parsed, *, journals: str = "as-is") -> Record:
    """The record of a parsed reference: its type and normalised fields, each with the characters it came from.

    `journals` may be "full" or "abbreviated" to have their names rewritten. `ibidem.records.formats` writes records.

    >>> record = record_of(parse("Doe JA. On things. J Thing Res. 2019;14(3):153-60."))
    >>> record.type, record.first("pages")
    ('article', Pages(first='153', last='160'))
    """
    from ibidem.records.build import record_of as build

    return build(parsed, journals=journals)


def link(
    references: Iterable[str | Parsed | Record],
    *,
    threshold: float | None = None,
    model: str | Path | None = None,
    pair_model: str | Path | None = None,
    jobs: int = 1,
    existing: Works | None = None,
    readings: int = 1,
) -> Works:
    """The works that references mean, in the order of their first references; each reference is in exactly one.

    A reference is a string, which is parsed, or what `parse` or `record_of` gave, or a record read from a file. Two are
    joined when their works are on average more likely than `threshold` to be one; without one it is the threshold that
    the model learnt. What could not be parsed, or says too little, stands alone with a confidence of 0. With
    `existing`, what an earlier call gave, the references are linked with those of it and numbered on from them; the
    works are those of all of them, as if linked at once. Needs the extra `link`.

    With `readings` above 1 so many ways to read each string are looked at, and members carry the way that goes best
    with their work.

    >>> works = link(["Doe J. On things. J Thing Res. 2019;14(3):153-60.", "J. Doe, On things, J. Thing Res., 2019"])
    >>> [[member.number for member in work.members] for work in works]
    [[0, 1]]
    >>> more = link(["Doe, Jane (2019) On things. Journal of Thing Research 14, 153"], existing=works)
    >>> [[member.number for member in work.members] for work in more]
    [[0, 1, 2]]
    """
    from ibidem.linking.inputs import records_of, weights
    from ibidem.linking.linking import link_records, works_of

    judge, before = weights(pair_model), existing.linked if existing is not None else None
    if readings != 1:
        from ibidem.errors import ConfigError
        from ibidem.linking.joint.linking import link_readings

        if before is not None:
            raise ConfigError(f"readings is {readings} and there are works to link on from: give one or the other")
        several = partial(parse_many, model=model, jobs=jobs, alternatives=max(readings - 1, 0))
        return works_of(link_readings(references, several, readings, model=judge, threshold=threshold))
    records = records_of(references, partial(parse_many, model=model, jobs=jobs))
    return works_of(link_records(records, model=judge, threshold=threshold, existing=before))


def segment(
    citations: Iterable[str | Sequence[str]],
    *,
    elements: int,
    seed: int = 1,
    threads: int = 1,
    sweeps: int = 15,
    hints: str | Path | None = None,
    names: Sequence[str] | None = None,
    checkpoint: str | Path | None = None,
    resume: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Segmentation:
    """The elements of citations, learnt from the citations alone: nothing is known but how many elements there are.

    A citation is a string, or a list of tokens. `hints` is a TOML file with words and patterns of some elements,
    `names` has one for each element. With a `checkpoint` the run is written down after each sweep, and `resume` goes on
    from there. The same seed gives the same result, whatever the number of threads. A citation that cannot be
    segmented has an error in place of its fields; the others are answered.

    >>> names, things = ["Reed", "Marsh", "Fenn"], ["bells", "tides", "looms"]
    >>> lines = [f"{who}. On {what}, {year}" for who in names for what in things for year in range(1990, 2010)]
    >>> found = segment(lines, elements=2)
    >>> len(found), len(found[0].tokens)
    (180, 4)
    """
    from ibidem.unsupervised.learning import Settings
    from ibidem.unsupervised.seed_words import read_hints
    from ibidem.unsupervised.segmenting import segment_citations

    return segment_citations(
        citations,
        Settings(elements, seed=seed, sweeps=sweeps),
        hints=() if hints is None else read_hints(Path(hints)),
        names=names or (),
        threads=threads,
        progress=progress,
        checkpoint=_path(checkpoint),
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
    """The path of the model that a recipe's training wrote; `progress` is told each step in words.

    The recipe says which task the model is for; with a `task` a recipe for another one is refused. With `silver` the
    file is no recipe but what `ibidem segment` wrote, and a model is bootstrapped from it.
    """
    from ibidem.models.recipes import follow
    from ibidem.models.recipes import train as read_and_follow

    tell = progress or (lambda _: None)
    if silver:
        from ibidem.models.recipes import silver_recipe

        return follow(silver_recipe(Path(recipe)), Path(recipe).parent, _path(output), tell)
    return read_and_follow(Path(recipe), _path(output), tell, task)


def evaluate(model: str | Path | None, dataset: str, split: str | None = None, *, task: str | None = None) -> Report:
    """How well a model does on a split of a dataset, or on a file of labelled strings, by whole reference and by field.

    The split of a dataset is dev when none is named; a file is taken whole, or its part that a split names.
    Fields are compared in the labels that the dataset and the model share, punctuation at their edges set aside.
    """
    from ibidem.models.evaluation import evaluate as measure

    return measure(load(model, task=task), dataset, split)
