"""Reference of the Python interface, made from signatures and docstrings."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import ibidem


def api() -> str:
    """Return the reference as Markdown: verbs, types, what verbs return, and errors."""
    from ibidem import errors
    from ibidem.linking.works import Member, Work
    from ibidem.metrics.scoring import Report, Score
    from ibidem.models.parser import Parser
    from ibidem.unsupervised.segmenting import Segmentation, Segmented

    public = [getattr(ibidem, name) for name in ibidem.__all__]
    verbs = sorted(filter(inspect.isfunction, public), key=lambda verb: inspect.unwrap(verb).__code__.co_firstlineno)
    types = [one for one in public if inspect.isclass(one)]
    raised = [one for one in vars(errors).values() if inspect.isclass(one)]
    lines = ["## Verbs\n", *(_function(verb, f"ibidem.{verb.__name__}") for verb in verbs)]
    lines += ["## Types\n", *(_class(one, f"ibidem.{one.__name__}") for one in types)]
    others: tuple[tuple[type, str], ...] = (
        (Parser, "ibidem.models.parser"),
        (Work, "ibidem.linking"),
        (Member, "ibidem.linking"),
        (Segmentation, "ibidem.unsupervised.segmenting"),
        (Segmented, "ibidem.unsupervised.segmenting"),
        (Report, "ibidem.metrics.scoring"),
        (Score, "ibidem.metrics.scoring"),
    )
    lines += ["## What the verbs return\n", *(_class(one, f"{module}.{one.__name__}") for one, module in others)]
    lines += ["## Errors\n", "All are in `ibidem.errors`.\n", "| error | raised when |\n|---|---|"]
    lines += [f"| `{one.__name__}` | {_summary(one)} |" for one in raised]
    return "\n".join(lines) + "\n"


def _summary(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").partition("\n\n")[0].replace("\n", " ")


def _function(function: Callable[..., Any], name: str) -> str:
    return "\n".join([f"### `{name}`\n", *_describe(function, name)])


def _describe(function: Callable[..., Any], name: str) -> Iterator[str]:
    yield f"```py\n{name}{signature(function)}\n```\n"
    yield _markdown(inspect.getdoc(function) or "")


def signature(function: Callable[..., Any]) -> str:
    """Return the arguments and the result of a function, with annotations as in its source."""
    given = inspect.signature(function)
    parts: list[str] = []
    for parameter in given.parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        parts.append(f"{parameter.name}: {parameter.annotation}{default}")
    return f"({', '.join(parts)}) -> {given.return_annotation}"


def _class(cls: type, name: str) -> str:
    lines = [f"### `{name}`\n", _markdown(inspect.getdoc(cls) or "")]
    if fields := _fields(cls):
        lines += ["| field | type | default |\n|---|---|---|", *fields, ""]
    for member_name, member in vars(cls).items():
        if member_name.startswith("_"):
            continue
        if isinstance(member, property):
            lines.append(f"`.{member_name}`: {_summary(member)}\n")
        elif inspect.isfunction(member):
            lines += _describe(member, f".{member_name}")
    return "\n".join(lines)


def _fields(cls: type) -> list[str]:
    """Return the rows of the table of fields, none for other classes than dataclasses and tuples."""
    if dataclasses.is_dataclass(cls):
        return [_field(field.name, field.type, field.default) for field in dataclasses.fields(cls)]
    if issubclass(cls, tuple):
        kinds = {name: getattr(kind, "__forward_arg__", kind) for name, kind in cls.__annotations__.items()}
        return [_field(name, kind, dataclasses.MISSING) for name, kind in kinds.items()]
    return []


def _field(name: str, kind: object, default: object) -> str:
    shown = "" if default is dataclasses.MISSING else f"`{default!r}`"
    return f"| `{name}` | `{str(kind).replace('|', chr(92) + '|')}` | {shown} |"


def _markdown(docstring: str) -> str:
    """Return a docstring with its examples as code blocks."""
    lines: list[str] = []
    inside = False
    for line in docstring.splitlines():
        starts = line.startswith(">>>")
        if starts and not inside:
            lines.append("```pycon")
        if inside and not line.strip():
            lines.append("```")
        inside = starts or (inside and bool(line.strip()))
        lines.append(line)
    return "\n".join([*lines, "```"] if inside else lines) + "\n"
