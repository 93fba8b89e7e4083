"""Run the examples of the documentation: Python blocks, and `$ ibidem ...` lines of console blocks.

The blocks of a page run in order, in a folder of their own with the `examples` of the checkout; Python blocks share a
namespace. A comment right before a block may say `needs: data` (run only where IBIDEM_DATA is set), `needs: time`
(never run, only the options are checked) or `exit: 2` (the expected exit status).
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ibidem.errors import IbidemError

BLOCK = re.compile(
    r"^<!-- (?P<kind>figures|table|picture|output)(?:: (?P<argument>[^>]*?))? -->\n(?P<content>.*?)^<!-- end -->$",
    re.M | re.S,
)
_SNIPPET = re.compile(
    r"(?:^<!-- (?P<key>needs|exit): (?P<value>\w+) -->\n+)?^```(?P<language>python|console)\n(?P<code>.*?)^```\n",
    re.M | re.S,
)
_NOT_OURS = frozenset("make pip git cd export python".split())  # commands that no test runs


@dataclass(frozen=True, slots=True)
class Snippet:
    """A block of code in a page, with the conditions in the comment before it, and where it ends."""

    language: str
    code: str
    needs: str
    exit: int
    end: int


def snippets(text: str) -> Iterator[Snippet]:
    """Yield the blocks of a page that run, without those inside generated blocks."""
    plain = BLOCK.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for found in _SNIPPET.finditer(plain):
        given = {found["key"]: found["value"]}
        yield Snippet(found["language"], found["code"], given.get("needs", ""), int(given.get("exit", 0)), found.end())


def outputs(text: str, root: Path) -> dict[int, str]:
    """Return the output of each block of a page, as Markdown, by the position where the block ends."""
    return {snippet.end: _as_markdown(printed) for snippet, printed in run(text, root)}


def run(text: str, root: Path) -> Iterator[tuple[Snippet, str]]:
    """Yield every block of a page with its output; raise `IbidemError` where one fails."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        shutil.copytree(root / "examples", Path(folder) / "examples")
        for snippet in snippets(text):
            with _capture() as stream:
                if snippet.language == "python":
                    _python(snippet, names)
                else:
                    _console(snippet)
            yield snippet, stream.getvalue().decode("utf-8")


def _python(snippet: Snippet, names: dict[str, Any]) -> None:
    compiled = compile(snippet.code, "<example>", "exec", dont_inherit=True)
    if _runs(snippet):
        exec(compiled, names)  # noqa: S102  (our own pages)


def _console(snippet: Snippet) -> None:
    from ibidem.cli.main import main

    for line in snippet.code.splitlines():
        if not line.startswith("$ "):
            continue
        program, *arguments = shlex.split(line[2:], comments=True)
        if program != "ibidem":
            if program not in _NOT_OURS:
                raise IbidemError(f"an example runs {program!r}, which no test checks: {line}")
            continue
        _check_options(list(arguments))
        if _runs(snippet) and (status := main(arguments)) != snippet.exit:
            raise IbidemError(f"an example ends with status {status} instead of {snippet.exit}: {line}")


def _runs(snippet: Snippet) -> bool:
    return not snippet.needs or (snippet.needs == "data" and bool(os.environ.get("IBIDEM_DATA")))


def _check_options(arguments: list[str]) -> None:
    """Raise `IbidemError` where there is no such command or it has no such options."""
    from ibidem.cli.main import app

    command: click.Command = app
    while isinstance(command, click.Group) and arguments:
        inner = command.get_command(click.Context(command), arguments[0])
        if inner is None:
            break
        command, arguments = inner, arguments[1:]
    try:
        command.make_context("ibidem", arguments)
    except click.exceptions.Exit:  # --help and --version
        return
    except click.ClickException as error:
        raise IbidemError(f"an example does not fit the command line: {error.format_message()}") from error


@contextmanager
def _capture() -> Iterator[io.BytesIO]:
    """Capture what is printed on either stream."""
    stream = io.BytesIO()
    text = io.TextIOWrapper(stream, "utf-8", write_through=True)
    with redirect_stdout(text), redirect_stderr(text):
        yield stream
        sys.stdout.flush()
    text.detach()


def _as_markdown(printed: str) -> str:
    """Format an output as a block of Markdown, JSON with a line for each field."""
    lines = printed.rstrip().splitlines()
    objects = [line.startswith("{") for line in lines]
    shown = [_indent(json.loads(line)) if json_ else line for line, json_ in zip(lines, objects, strict=True)]
    return "\n".join(["```json" if all(objects) else "```text", *shown, "```", ""])


def _indent(value: Any, margin: str = "") -> str:
    """Format an object with its lists of objects spread over lines."""
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    parts = []
    for key, item in value.items():
        if isinstance(item, list) and item:
            inner = f",\n{margin}  ".join(_indent(one, margin + "  ") for one in item)
            parts.append(f'"{key}": [\n{margin}  {inner}]')
        else:
            parts.append(f'"{key}": {json.dumps(item, ensure_ascii=False)}')
    flat = "{" + ", ".join(parts) + "}"
    return flat if "\n" not in flat else "{" + f",\n{margin} ".join(parts) + "}"
