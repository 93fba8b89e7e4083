"""Fill the generated blocks of the documentation: `python -m tools.docs.figures`, or `make docs`.

A page marks a block with a comment before it and `<!-- end -->` after it; the comment says what belongs there:

    <!-- figures: NAME -->               the table of benchmarks/results/NAME.json
    <!-- figures: NAME | WORDS -->       only the rows with these words in their names
    <!-- table: NAME -->                 one of the tables of `tools.docs.pages`
    <!-- picture: PATH -->               a picture drawn with the default model
    <!-- output -->                      the output of the example right before it

Results that are missing are marked as such. A page is up to date when filling it changes nothing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import import_all
from benchmarks.registry import BENCHMARKS, Result, table_of
from ibidem.models.shipped import DEFAULT
from tools.docs.examples import BLOCK, outputs
from tools.docs.pages import TABLES

NOT_YET = "Not measured yet"
_ALT = {
    "parsed": "A reference with its fields in colour, each with its label and confidence",
    "extensible": "Seconds against the words of a string, with and without extensible features, on logarithmic scales",
    "reliability": "Reliability diagram: the share of right fields against their confidence",
}


@dataclass(frozen=True, slots=True)
class Block:
    """A generated block of a page: what it asks for, its content, and the position of that."""

    kind: str
    argument: str
    content: str
    start: int
    end: int


def pages(root: Path) -> list[Path]:
    """Return the pages with blocks: README and documentation, without the manual, which is generated as a whole."""
    return [root / "README.md", *sorted(path for path in (root / "docs").rglob("*.md") if path.name != "cli.md")]


def blocks(text: str) -> Iterator[Block]:
    """Yield the generated blocks of a page, in order."""
    for found in BLOCK.finditer(text):
        yield Block(found["kind"], (found["argument"] or "").strip(), found["content"], *found.span("content"))


def fill(text: str, root: Path) -> str:
    """Return the page with every block up to date."""
    shown = outputs(text, root) if DEFAULT.exists() and "<!-- output -->" in text else {}
    for block in reversed(list(blocks(text))):
        text = text[: block.start] + _content(block, root, shown) + text[block.end :]
    return text


def _content(block: Block, root: Path, shown: dict[int, str]) -> str:
    if block.kind == "figures":
        names, _, words = block.argument.partition(" | ")
        return results_table(names.split(), root / "benchmarks" / "results", words)
    if block.kind == "table":
        return TABLES[block.argument]()
    if block.kind == "picture":
        return _picture(block.argument)
    if not shown:
        return f"{NOT_YET}: this checkout has no default model.\n"
    return shown[max(end for end in shown if end <= block.start)]


def _picture(path: str) -> str:
    if not DEFAULT.exists():
        return f"{NOT_YET}: this checkout has no default model.\n"
    return f"![{_ALT[Path(path).stem]}]({path})\n"


def results_table(names: Sequence[str], folder: Path, words: str = "") -> str:
    """Return the table of the results of one or several benchmarks, and how they were made.

    With `words`, only the rows that have them in their names.
    """
    files = {name: folder / f"{name}.json" for name in names}
    found = {name: json.loads(path.read_text("utf-8")) for name, path in files.items() if path.exists()}
    lines: list[str] = []
    if found:
        every = ((name, Result(**row)) for name, one in found.items() for row in one["rows"])
        rows = [(name, result) for name, result in every if words in result.row]
        lines += [*_table(rows, several=len(names) > 1), ""]
        lines += [f"{_capitalise(one['data'])}. {_made_by(name, one['rows'])}\n" for name, one in found.items()]
    missing = [name for name in names if name not in found]
    if missing:
        commands = ", ".join(f"`python -m benchmarks {name}`" for name in missing)
        lines += [f"{NOT_YET}; {commands} will.\n"]
    return "\n".join(lines)


def source_of(name: str) -> str | None:
    """Return where the reference values of a benchmark come from."""
    import_all()
    return BENCHMARKS[name].reference if name in BENCHMARKS else None


def _made_by(name: str, rows: Sequence[dict[str, object]]) -> str:
    """Return the source of the reference values, if there are any, and the command that made the results."""
    source = source_of(name) if any(row["reference"] is not None for row in rows) else None
    return (f"Reference: {source}. " if source else "") + f"Made by `python -m benchmarks {name}`."


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".")


def _table(rows: Sequence[tuple[str, Result]], several: bool) -> list[str]:
    """Return the lines of the table, with the name of the benchmark where there are several."""
    head, lines = table_of([result for _, result in rows])
    if several:
        head, lines = ["benchmark", *head], [[f"`{name}`", *line] for (name, _), line in zip(rows, lines, strict=True)]
    rule = ["---"] * (2 + several)
    return [_line(head), _line(rule + ["--:"] * (len(head) - len(rule))), *map(_line, lines)]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def main(root: Path) -> None:
    """Fill every block of every page and draw the pictures."""
    from tools.docs.drawing import draw_all

    if DEFAULT.exists():
        draw_all(root)
    for page in pages(root):
        before = page.read_text("utf-8")
        after = fill(before, root)
        if after != before:
            page.write_text(after, "utf-8", newline="\n")
            print(f"filled {page.relative_to(root)}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve())
