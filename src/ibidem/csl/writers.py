"""From the elements of a CSL layout to functions that render them: each takes a context and gives text with labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from xml.etree.ElementTree import Element

from ibidem.csl.dates import date_writer
from ibidem.csl.items import Context
from ibidem.csl.locales import CSL
from ibidem.csl.markers import join, wrap
from ibidem.csl.names import NamesWriter
from ibidem.csl.numbers import is_numeric, is_plural, last_page, roman
from ibidem.csl.text_formatting import Writer, format_output
from ibidem.errors import InputError

_MOST = 5_000_000  # elements; the largest public style has a tenth of it


@dataclass(slots=True)
class Compiler:
    """Compiler of the elements of one style into writers; macros are compiled once."""

    macros: Mapping[str, Element]
    inherited: Mapping[str, str]
    done: dict[tuple[str, int], Writer] = field(default_factory=dict)
    doing: list[str] = field(default_factory=list)
    above: Element | None = None  # the `names` in whose `substitute` we are
    size: int = 0  # elements so far, those of a macro counted each time it is called
    sizes: dict[tuple[str, int], int] = field(default_factory=dict)

    def writer(self, element: Element, delimiter: str = "") -> Writer:
        """Return the writer of an element; `delimiter` is that of the group around it, which a choice passes on."""
        self.grow(1)
        kind = element.tag.removeprefix(CSL) if isinstance(element.tag, str) else ""
        if kind == "choose":
            return self.choose(element, delimiter)
        makers: dict[str, Callable[[Element], Writer]] = {
            "text": self.text,
            "number": lambda one: partial(_number, one.get("variable", ""), one.get("form", "numeric")),
            "names": self.names,
            "date": date_writer,
            "label": lambda one: partial(_label, one.attrib),
            "group": self.group,
        }
        return format_output(makers[kind](element), element) if kind in makers else lambda _context: ""

    def children(self, element: Element, delimiter: str) -> Writer:
        """Return the writer of everything inside an element."""
        writers = [self.writer(child, delimiter) for child in element]
        if len(writers) == 1:
            return writers[0]
        return lambda context: join([write(context) for write in writers], delimiter)

    def macro(self, name: str) -> Writer:
        """Return the writer of a macro; inside a `substitute` its names may be written like those they stand in for."""
        place = (name, id(self.above))
        if place not in self.done:
            if name in self.doing or name not in self.macros:
                wrong = "calls itself" if name in self.doing else "is not defined"
                raise InputError(f"the macro {name!r} {wrong}; correct the style")
            self.doing.append(name)
            before = self.size
            self.done[place] = self.children(self.macros[name], "")
            self.sizes[place] = self.size - before
            self.doing.pop()
        else:
            self.grow(self.sizes[place])
        return self.done[place]

    def grow(self, count: int) -> None:
        """Count elements; macros that call macros over and over would never come to an end."""
        self.size += count
        if self.size > _MOST:
            raise InputError(f"the style has more than {_MOST:,} elements with its macros put in; correct the style")

    def text(self, element: Element) -> Writer:
        """Return the writer of a `text`: a variable, a macro, a term or words."""
        if "variable" in element.attrib:
            return partial(_variable, element.attrib["variable"], element.get("form", "long"))
        if "macro" in element.attrib:
            return self.macro(element.attrib["macro"])
        if "term" in element.attrib:
            name, form, plural = element.attrib["term"], element.get("form", "long"), element.get("plural") == "true"
            return lambda context: context.locale.term(name, form, plural)
        words = element.get("value", "")
        return lambda _context: words

    def group(self, element: Element) -> Writer:
        """Return the writer of a `group`, which is silent when it asked for variables and none of them had anything."""
        inside = self.children(element, element.get("delimiter", ""))

        def write(context: Context) -> str:
            called, filled = context.called, context.filled
            text = inside(context)
            if not text or (context.filled == filled and context.called > called):
                return ""
            context.called += 1  # to a group around it, this one is a variable that has something
            context.filled += 1
            return text

        return write

    def choose(self, element: Element, delimiter: str) -> Writer:
        """Return the writer of a `choose`: that of its first branch whose conditions hold."""
        branches = [(_condition(branch), self.children(branch, delimiter)) for branch in element]

        def write(context: Context) -> str:
            for holds, inside in branches:
                if holds(context):
                    return inside(context)
            return ""

        return write

    def names(self, element: Element) -> Writer:
        """Return the writer of a `names`; in a `substitute`, one without children is written like the one around."""
        outer = self.above
        form_of = element if outer is None or len(element) else outer
        substitute = element.find(f"{CSL}substitute")
        self.above = element
        others = [] if substitute is None else [self.writer(child) for child in substitute]
        self.above = outer
        return NamesWriter(element, form_of, self.inherited, others)


def _variable(variable: str, form: str, context: Context) -> str:
    if variable in ("page", "page-first") and context.item.pages:
        return _pages(variable, context) if context.ask(variable) else ""
    if not context.ask(variable):
        return ""
    item = context.item
    if variable == "year-suffix":
        return item.letter
    short = item.values.get(f"{variable}-short", "") if form == "short" else ""
    return wrap(item.labels.get(variable, ""), short or item.values.get(variable, ""))


def _pages(variable: str, context: Context) -> str:
    pages = context.item.pages
    assert pages is not None
    first = wrap("pages/first", pages.first)
    if variable == "page-first" or not pages.last:
        return wrap("pages", first)
    last = last_page(pages.first, pages.last, context.page_format)
    dash = context.locale.term("page-range-delimiter") or "–"
    return wrap("pages", f"{first}{dash}{wrap('pages/last', last)}")


def _number(variable: str, form: str, context: Context) -> str:
    if variable in ("page", "page-first"):
        return _variable(variable, "", context)
    if not context.ask(variable):
        return ""
    value = context.item.plain(variable)
    if value.isdecimal() and len(value) < 6 and form != "numeric":
        number = int(value)
        if form == "roman" and 0 < number < 4000:
            value = roman(number)
        elif form in ("ordinal", "long-ordinal"):
            words = context.locale.term(f"long-ordinal-{number:02d}") if form == "long-ordinal" else ""
            value = words or context.locale.ordinal(number)
    return wrap(context.item.labels.get(variable, ""), value)


def _label(attributes: Mapping[str, str], context: Context) -> str:
    variable = attributes.get("variable", "")
    if not context.item.has(variable) or variable in context.gone:
        return ""
    value = context.item.plain(variable)
    several = value != "1" if variable.startswith("number-of") else variable != "number" and is_plural(value)
    plural = {"always": True, "never": False}.get(attributes.get("plural", ""), several)
    return context.locale.term(variable, attributes.get("form", "long"), plural)


Test = Callable[[Context], bool]


def _condition(branch: Element) -> Test:
    """Return the test of a branch: all, any or none of what its attributes ask for; no attributes always hold."""
    match = branch.get("match", "all")
    tests: list[Test] = []
    for key, value in branch.attrib.items():
        if key == "type" and match != "all":
            tests.append(partial(_has_type, frozenset(value.split())))
        elif key == "type":
            tests += [partial(_has_type, frozenset({one})) for one in value.split()]
        elif key != "match":
            # Positions, locators and disambiguation, of which none holds, are no business of bibliographies.
            tests += [partial(_TESTS.get(key, lambda *_: False), one) for one in value.split()]
    if not tests:
        return lambda _context: True
    if match == "none":
        return lambda context: not any(test(context) for test in tests)
    if len(tests) == 1:
        return tests[0]
    if match == "any":
        return lambda context: any(test(context) for test in tests)
    return lambda context: all(test(context) for test in tests)


def _has_type(names: frozenset[str], context: Context) -> bool:
    return context.item.type in names


def _is_uncertain(name: str, context: Context) -> bool:
    date = context.item.dates.get(name)
    return date is not None and date.approximate


_TESTS: dict[str, Callable[[str, Context], bool]] = {
    "variable": lambda name, context: context.item.has(name),
    "is-numeric": lambda name, context: is_numeric(context.item.plain(name)),
    "is-uncertain-date": _is_uncertain,
}
