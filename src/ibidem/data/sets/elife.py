"""eLife: references, section headings, and authors with their affiliations."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from ibidem.data.readers.files import lines_of
from ibidem.data.readers.inline import attributes_of, examples_of, scan
from ibidem.data.readers.papers import label_headings
from ibidem.data.readers.records import read_table
from ibidem.data.registry import Dataset, SplitRule, count_annotations, files_of
from ibidem.labels.mapping.table import Context, LabelTable, identifier, remark, unchanged
from ibidem.labels.schema import UNKNOWN
from ibidem.text.fold import fold
from ibidem.types import Example, Malformed

_TRANSPARENT = frozenset(
    """mixed-citation italic bold sup sub sc monospace underline xref inline-formula inline-graphic styled-content
    alternatives tex-math label x fn named-content""".split()
)
_BY_TYPE = {"person-group": "person-group-type", "pub-id": "pub-id-type"}


def _name(tag: str, attributes: str) -> str | None:
    if tag in _TRANSPARENT:
        return ""
    if tag in _BY_TYPE:
        kind = attributes_of(attributes).get(_BY_TYPE[tag])
        return f"{tag}:{kind}" if kind else tag
    return tag


def read_references(path: Path) -> Iterator[Example | Malformed]:
    """Read eLife's references exactly as typed; the source is `elife:doc:ref:publication-type`.

    The type of a tag is part of its label (`person-group:editor`, `pub-id:doi`).
    """
    for number, row in enumerate(read_table(path, "elife"), 2):
        if isinstance(row, Malformed):
            yield row
            continue
        source = f"elife:{row['doc']}:{row['ref'] or number}:{row['type']}"
        found = scan(row["xml"], _name)
        if not found.text:
            yield Malformed(source, "no text")
        yield from examples_of(found, source)


def _source(context: Context) -> str:
    """Return what eLife's `source` is, by the kind of the cited work."""
    kind, titled = context.kind, context.has("article-title", "chapter-title", "data-title")
    if kind in ("journal", "preprint", "prepriont"):
        return "journal"
    if not titled:
        return "?" if kind in ("other", "data", "patent") else "title"
    return {
        "book": "book",
        "confproc": "book",
        "data": "archive",
        "software": "archive",
        "web": "journal|book|archive",
        "website": "journal|book|archive",
    }.get(kind, "?")


_LABELS = LabelTable(
    {
        **unchanged("series volume issue edition institution issn isbn".split()),
        **dict.fromkeys("person-group person-group:author person-group:collab".split(), "author"),
        "person-group:editor": "editor",
        "person-group:translator": "translator",
        "string-name": "~/person",
        "name": "~/person",
        "surname": "~/person/family",
        "given-names": "~/person/given",
        "suffix": "~/person/suffix",
        "collab": "~/collaboration",
        "collab-name": "~/collaboration",
        "etal": "~/etal",
        **dict.fromkeys("article-title chapter-title data-title".split(), "title"),
        "source": _source,
        "conf-name": "book",
        "conf-loc": "place",
        "supplement": "issue",
        "fpage": "pages/first",
        "lpage": "pages/last",
        "page-range": "pages",
        "elocation-id": "article-number",
        "version": "edition",
        "year": lambda c: "date/year" if re.search(r"\d", c.text) else "?",
        "month": "date/month",
        "day": "date/day",
        "date-in-citation": "accessed",
        "publisher-name": lambda c: "institution" if c.kind == "thesis" else "publisher",
        "publisher-loc": "place",
        **{f"pub-id:{kind}": kind for kind in ("doi", "pmid", "pmcid", "arxiv")},
        "pub-id": identifier,
        "patent": "report-number",
        "ext-link": "url",
        "uri": "url",
        "comment": remark,
        "otherinfo": "note",
        **dict.fromkeys("prefix role conf-date conf-sponsor pub-id:accession".split(), UNKNOWN),
    }
)

# eLife gives a type to most top-level sections. Where it gives none, a heading that states its role has that role; of
# all others nothing is known.
_ROLE_PATTERNS = {
    "introduction": r"introduction\b.*",
    "evaluation": r"results?(?: (?:and|&) discussions?)?|findings",
    "discussion": r"(?:general |concluding )?discussions?|(?:study )?limitations?\b.*|(?:future|next)\b.*|outlook",
    "conclusions": r"conclusions?\b.*|concluding remarks|summary and (?:future|outlook|perspectives|conclu)\b.*",
    "discussion|conclusions": r"discussions? (?:and|&) conclusions?",
    "method": r"(?:star.?)?(?:materials?|methods?|methodology)(?:(?: and | & |, )(?:materials?|methods?))*|"
    r"(?:experimental|computational|statistical) (?:procedures?|methods?|section|details)|method details",
    "background": r"backgrounds?|preliminaries",
    "related-work": r"(?:related|previous|prior) (?:work|works|research)",
    "acknowledgements": r"acknowledge?ments?",
    "declarations": r"(?:data|code|materials|resource)\b.*\bavailability\b.*|author contributions?|funding|"
    r"competing interests?\b.*|conflicts? of interests?\b.*|ethics\b.*|declarations?\b.*|consent\b.*",
    "references": r"references|bibliography",
    "supplement": r"(?:supplement|supporting|appendi)\w*(?: (?:information|materials?|figures|data))?",
}
_ROLES = [(role, re.compile(pattern)) for role, pattern in _ROLE_PATTERNS.items()]


def stated_role(heading: str) -> str:
    """Return the role that a heading states, "?" if it states none.

    >>> stated_role("Materials and Methods"), stated_role("2. Results & Discussion"), stated_role("Trained immunity")
    ('method', 'evaluation', '?')
    """
    plain = re.sub(r"^[\d.\s]+", "", fold(heading.strip())).rstrip(" .:")
    return next((role for role, rule in _ROLES if rule.fullmatch(plain)), UNKNOWN)


_SECTION_LABELS = LabelTable(
    {
        **dict.fromkeys(("intro", "introduction"), "introduction"),
        **dict.fromkeys(("results", "results|discussion"), "evaluation"),  # as in the generic set
        **dict.fromkeys(("discussion", "discussions"), "discussion"),
        **dict.fromkeys(
            "materials|methods methods|materials material|methods materials methods method model".split(), "method"
        ),
        **dict.fromkeys(("conclusion", "conclusions"), "conclusions"),
        **dict.fromkeys(
            "discussion|conclusion discussion|conclusions conclusions|discussion".split(), "discussion|conclusions"
        ),
        "supplementary-material": "supplement",
        **dict.fromkeys(("data-availability", "coi-statement"), "declarations"),
        "untyped": lambda c: stated_role(c.text),
    },
    flat=True,
)


def papers_of(path: Path) -> Iterator[tuple[str, list[dict[str, str]]] | Malformed]:
    """Yield the rows of each paper that have a heading, in order."""
    rows = read_table(path, "elife-sections")
    for document, found in groupby(rows, key=lambda row: "" if isinstance(row, Malformed) else row["doc"]):
        plain: list[dict[str, str]] = []
        for row in found:
            if isinstance(row, Malformed):
                yield row
            elif row["title"].strip():
                plain.append({**row, "title": " ".join(row["title"].split())})
        yield document, plain


def read_headings(path: Path) -> Iterator[Example | Malformed]:
    """Read the top-level headings of each paper, labelled with their types, `untyped` where they have none."""
    for item in papers_of(path):
        if isinstance(item, Malformed):
            yield item
            continue
        document, rows = item
        first = [row for row in rows if row["depth"] == "1"]
        if first:
            labels = [row["sec_type"].casefold() or "untyped" for row in first]
            yield label_headings([row["title"] for row in first], labels, f"elife-sections:{document}")


def role_of(row: dict[str, str]) -> str:
    rule = _SECTION_LABELS.targets.get(row["sec_type"].casefold() or "untyped", UNKNOWN)
    return rule if isinstance(rule, str) else stated_role(row["title"])


def read_front(path: Path) -> Iterator[dict[str, Any] | Malformed]:
    """Read authors and affiliations of eLife's papers, one record per paper as it stands in the file."""
    for number, line in enumerate(lines_of(path), 1):
        try:
            yield json.loads(line)
        except json.JSONDecodeError as error:
            yield Malformed(f"elife-front:{number}", str(error))


def _split_by_paper(_index: int, example: Example) -> str:
    """Choose by the number of the paper: `a123` and `p123` are two versions of one paper."""
    digits = "".join(character for character in example.source.split(":")[1] if character.isdigit())
    return {0: "test", 1: "dev"}.get(int(digits or 0) % 20, "train")


BY_PAPER = SplitRule(_split_by_paper)
_elife = partial(
    Dataset,
    home="https://github.com/elifesciences (enhanced-preprints-data, elife-article-xml), gathered into tables",
    licence="CC-BY / CC0",
    use="open",
)
REFERENCES = _elife(
    name="elife",
    about="eLife: references of reviewed preprints as their authors typed them, tagged in production",
    files=files_of(
        "elife",
        read_references,
        ("references.tsv.xz", "", 316_516, "46d1f85b9f3e30c5d1fa03a110f7c90646e9fa4056d30bcf9d5d41be4e38562e"),
    ),
    labels=_LABELS,
    split_rule=BY_PAPER,
)
SECTIONS = _elife(
    name="elife-sections",
    about="eLife: section headings of papers, of the first level, some with their type",
    files=files_of(
        "elife",
        read_headings,
        ("sections.tsv.gz", "", 90_455, "0005d60a9f28b9eebef0cc5f26ba4b542f09034d39a8b8936d92e8a003f8f7c2"),
    ),
    labels=_SECTION_LABELS,
    split_rule=BY_PAPER,
    units=count_annotations,
    remark="the figure counts headings; eLife's types are mapped, untyped headings only where they state their role",
    task="sections",
)
FRONT = _elife(
    name="elife-front",
    about="eLife: authors and affiliations of papers, linked",
    files=files_of(
        "elife",
        read_front,
        ("front.jsonl.gz", "", 24_149, "394892fb9b67ad0e1b2a5135d3b135e3e35657fbe5d46438bfd269835bd5b581"),
    ),
    strings=False,
)
