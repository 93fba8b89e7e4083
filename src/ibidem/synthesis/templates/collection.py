"""The templates by kind, read from `forms/`: a heading `[kind language: types]`, and a template on every line below."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from ibidem.config import from_mapping, parse_toml
from ibidem.errors import ConfigError
from ibidem.records.types import TYPES
from ibidem.synthesis.templates.language import Known, Template, check, parse_template
from ibidem.synthesis.templates.lexicon import lexicons
from ibidem.synthesis.templates.names import NameStyle

_FOLDER = Path(__file__).parent
_HEADING = re.compile(r"\[(?P<kind>[a-z][a-z-]*) (?P<language>[a-z]{2,3})(?:: (?P<types>[a-z -]+))?\]")


@cache
def name_styles() -> dict[str, NameStyle]:
    """Return the styles of names of `names.toml`."""
    path = _FOLDER / "names.toml"
    tables = parse_toml(path.read_text("utf-8"), path.name)
    return {name: from_mapping(NameStyle, table, f"{path.name}, {name}") for name, table in tables.items()}  # type: ignore[arg-type]


@cache
def templates() -> dict[str, tuple[Template, ...]]:
    """Return all templates by kind."""
    found: dict[str, list[Template]] = {}
    for path in sorted((_FOLDER / "forms").glob("*.txt")):
        for template in read_templates(path.read_text("utf-8"), path.name):
            found.setdefault(template.kind, []).append(template)
    return {kind: tuple(those) for kind, those in sorted(found.items())}


def read_templates(text: str, name: str) -> Iterator[Template]:
    """Yield the templates of a file; lines that begin with # are comments."""
    known = Known(name_styles().keys(), {tag: lexicon.lists.keys() for tag, lexicon in lexicons().items()})
    heading: re.Match[str] | None = None
    types: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{name}:{number}"
        if not line.strip() or line.startswith("# "):
            continue
        if line.startswith("["):
            heading = _HEADING.fullmatch(line.strip())
            if heading is None:
                raise ConfigError(f"{where}: no heading; expected `[kind language: types]`, such as [gost ru: book]")
            types = tuple((heading["types"] or heading["kind"]).split())
            if unknown := [one for one in types if one not in TYPES]:
                raise ConfigError(f"{where}: {unknown[0]!r} is no type of works; see `ibidem.records.types`")
            continue
        if heading is None:
            raise ConfigError(f"{where}: a template before the first heading; write one such as [patent en]")
        template = Template(heading["kind"], heading["language"], types, parse_template(line.strip(), where), where)
        check(template, known)
        yield template


def weights_of(table: Mapping[str, object]) -> tuple[tuple[str, float], ...]:
    """Return kinds and their weights; a kind that the table does not name is left out, an empty one has all alike."""
    known = templates()
    if unknown := [kind for kind in table if kind not in known]:
        raise ConfigError(f"{unknown[0]!r} is no kind of reference that has templates; there are {', '.join(known)}")
    found = []
    for kind, weight in (table or dict.fromkeys(known, 1.0)).items():
        if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 <= weight < float("inf"):
            raise ConfigError(f"the weight of the kind {kind!r} is {weight!r}: give a number from 0 on")
        found.append((kind, float(weight)))
    if not any(weight for _, weight in found):
        raise ConfigError("the weights of all kinds are 0: give one a weight")
    return tuple(found)


def read_weights(source: str) -> tuple[tuple[str, float], ...]:
    """Return kinds and weights from `all`, or from a TOML file with a line `kind = weight` for each."""
    if source == "all":
        return weights_of({})
    path = Path(source)
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot read {source}: {reason}; give `all` or a TOML file of kinds and weights") from error
    return weights_of(parse_toml(text, source))
