"""References one per line with inline tags: ParsCit's tagged files, EXCITE and GIANT; what a line gives is shared.

A line whose tags do not nest is reported and then given as far as it can be repaired, under the same source.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ibidem.data.readers.files import lines_of
from ibidem.data.readers.inline import Naming, Scan, collapse, naming, scan
from ibidem.types import Example, Malformed, Token

PARSCIT = frozenset(
    "author title journal booktitle date editor institution location note notes pages publisher tech volume".split()
)
EXCITE = frozenset(
    """author surname given-names editor year title source other publisher volume issue fpage lpage url identifier
    """.split()
)
_BREAK = frozenset({"br"})
_EXCITE_THROUGH = frozenset({"ref"})
_GIANT = frozenset(
    """author family given editor translator container-author issued year month day title container-title
    container-title-short page page-first volume issue publisher URL DOI ISSN ISBN event source citation-label
    """.split()
)
_UMASS = frozenset(
    """authors person person-first person-middle person-last person-affix editor title subtitle venue date year month
    journal booktitle series volume number pages edition chapter publisher address institution school department
    organization thesis tech reference_id web status note language length category ref-marker""".split()
)


def examples_of(found: Scan, source: str) -> Iterator[Example | Malformed]:
    """What a scanned piece gives: a `Malformed` for what was wrong with it, and its text and marks if there are any."""
    if found.problems:
        yield Malformed(source, "; ".join(found.problems))
    if found.text:
        yield Example(found.text, found.annotations, source)


def split_on_blanks(example: Example) -> Example:
    """The same example with the tokens that its blanks separate; for sets that come already split."""
    tokens, place = [], 0
    for piece in example.text.split(" "):
        if piece:
            tokens.append(Token(piece, place, place + len(piece)))
        place += len(piece) + 1
    return Example(example.text, example.annotations, example.source, tuple(tokens), example.partially_annotated)


def read_tagged(
    path: Path, name: Naming, source: str, lines: Iterable[str] | None = None
) -> Iterator[Example | Malformed]:
    """The references of a file with one tagged reference per line; empty lines are no references."""
    for number, line in enumerate(lines if lines is not None else lines_of(path, "replace"), 1):
        where = f"{source}:{number}"
        if "\ufffd" in line:
            yield Malformed(where, "not UTF-8: the bytes in question are shown as U+FFFD")
        if line.strip():
            yield from examples_of(collapse(scan(line, name, _BREAK)), where)


def read_parscit_tagged(path: Path) -> Iterator[Example | Malformed]:
    """The references of one `*.tagged.txt` file of ParsCit."""
    origin = path.name.removesuffix(".tagged.txt")
    yield from read_tagged(path, naming(PARSCIT, _BREAK), f"parscit-tagged:{origin}")


def read_excite(folder: Path) -> Iterator[Example | Malformed]:
    """The references of a folder of EXCITE files, the source naming language, paper and line."""
    for path in sorted(folder.glob("*.xml")):
        yield from read_tagged(path, naming(EXCITE, _EXCITE_THROUGH), f"excite:{folder.name}:{path.stem}")


def _giant_name(tag: str, attributes: str) -> str | None:
    if tag not in _GIANT:
        return None
    return f"{tag} {attributes.strip()}" if attributes.strip() else tag


def _unquoted(line: str) -> str:
    if len(line) > 1 and line[0] == line[-1] == '"':
        line = line[1:-1]
    return line.replace('""', '"')


def read_giant(path: Path) -> Iterator[Example | Malformed]:
    """The references of GIANT's sample: a tagged string per line, in doubled quotes where it needs them."""
    yield from read_tagged(path, _giant_name, "giant", map(_unquoted, lines_of(path, "replace")))


def read_umass_nested(path: Path) -> Iterator[Example | Malformed]:
    """The strings of one UMass `.docs` file: nested labels around tokens that are already split."""
    for number, line in enumerate(lines_of(path), 1):
        source = f"umass-nested:{path.stem}:{number}"
        if "</<" in line:
            yield Malformed(source, "a tag begins with </<")
        if line.strip():
            for item in examples_of(collapse(scan(line.replace("</<", "</"), naming(_UMASS))), source):
                yield split_on_blanks(item) if isinstance(item, Example) else item
