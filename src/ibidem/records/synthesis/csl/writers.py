"""From the elements of a CSL layout to functions that render them: each takes a context and gives text with labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from xml.etree.ElementTree import Element

from ibidem.errors import InputError
from ibidem.records.synthesis.csl.cases import CASES
from ibidem.records.synthesis.csl.context import Context
from ibidem.records.synthesis.csl.dates import date_writer
from ibidem.records.synthesis.csl.locales import CSL
from ibidem.records.synthesis.csl.names import list_writer, name_form
from ibidem.records.synthesis.csl.numbers import is_numeric, is_plural, last_page, roman
from ibidem.records.synthesis.markers import glue, joined, wrapped

Writer = Callable[[Context], str]
Dress = Callable[[Context, str], str]


@dataclass(slots=True)
class Compiler:
    """Makes the writers of one style; macros are compiled once."""

    macros: Mapping[str, Element]
    inherited: Mapping[str, str]
    done: dict[str, Writer] = field(default_factory=dict)
    doing: list[str] = field(default_factory=list)

    def writer(self, element: Element, delimiter: str = "") -> Writer:
        """The writer of an element; `delimiter` is that of the group around it, which a choice passes on."""
        kind = element.tag.removeprefix(CSL) if isinstance(element.tag, str) else ""
        if kind == "choose":
            return self.choose(element, delimiter)
        make: Callable[[Element], Writer] | None = {
            "text": self.text,
            "number": _number_writer,
            "names": self.names,
            "date": date_writer,
            "label": _label_writer,
            "group": self.group,
        }.get(kind)
        return _nothing if make is None else dressed(make(element), element)

    def children(self, element: Element, delimiter: str) -> Writer:
        """The writer of everything inside an element."""
        writers = [self.writer(child, delimiter) for child in element]
        if len(writers) == 1:
            return writers[0]
        return lambda context: joined([write(context) for write in writers], delimiter)

    def macro(self, name: str) -> Writer:
        """The writer of a macro."""
        if name not in self.done:
            if name in self.doing or name not in self.macros:
                wrong = "calls itself" if name in self.doing else "is not defined"
                raise InputError(f"the macro {name!r} {wrong}; mend the style")
            self.doing.append(name)
            self.done[name] = self.children(self.macros[name], "")
            self.doing.pop()
        return self.done[name]

    def text(self, element: Element) -> Writer:
        """The writer of a `text`: a variable, a macro, a term or words."""
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
        """The writer of a `group`, which is silent when it asked for variables and none of them had anything."""
        inside = self.children(element, element.get("delimiter", ""))

        def write(context: Context) -> str:
            called, filled = context.called, context.filled
            text = inside(context)
            return text if context.filled > filled or context.called == called else ""

        return write

    def choose(self, element: Element, delimiter: str) -> Writer:
        """The writer of a `choose`: that of its first branch whose conditions hold."""
        branches = [(condition(branch), self.children(branch, delimiter)) for branch in element]

        def write(context: Context) -> str:
            for holds, inside in branches:
                if holds(context):
                    return inside(context)
            return ""

        return write

    def names(self, element: Element, above: Element | None = None) -> Writer:
        """The writer of a `names`; one without children inside a `substitute` is written like the one `above` it."""
        form_of = element if above is None or len(element) else above
        write_list = list_writer(name_form(form_of, self.inherited))
        label = form_of.find(f"{CSL}label")
        name = form_of.find(f"{CSL}name")
        order = [child.tag for child in form_of]
        before = label is not None and name is not None and order.index(label.tag) < order.index(name.tag)
        dress = None if label is None else _dress(label)
        around = None if name is None else _dress_affixes(name)
        between = element.get("delimiter", self.inherited.get("names-delimiter", ""))
        variables = element.get("variable", "").split()
        substitute = element.find(f"{CSL}substitute")
        others = [] if substitute is None else [self._instead(child, element) for child in substitute]

        def one(context: Context, variable: str) -> str:
            text = write_list(context, variable)
            text = around(context, text) if around and text else text
            if label is None or not text:
                return text
            several = len(context.item.names[variable]) > 1
            plural = {"always": True, "never": False}.get(label.get("plural", ""), several)
            words = context.locale.term(variable, label.get("form", "long"), plural)
            words = dress(context, words) if dress and words else words
            return glue(words, text) if before else glue(text, words)

        def write(context: Context) -> str:
            found = [variable for variable in variables if context.ask(variable)]
            text = joined([one(context, variable) for variable in found], between)
            return text or _first(others, context)

        return write

    def _instead(self, element: Element, above: Element) -> Writer:
        if element.tag == f"{CSL}names":
            return dressed(self.names(element, above), element)
        return self.writer(element)


def _first(others: list[Writer], context: Context) -> str:
    """What the first substitute gives that gives something; the variables in it are not shown a second time."""
    outer = context.shown
    for write in others:
        context.shown = []
        text = write(context)
        if text:
            context.gone.update(context.shown)
            context.shown = outer
            return text
    context.shown = outer
    return ""


def _nothing(_context: Context) -> str:
    return ""


def _variable(variable: str, form: str, context: Context) -> str:
    if variable in ("page", "page-first") and context.item.pages:
        return _pages(variable, context) if context.ask(variable) else ""
    if not context.ask(variable):
        return ""
    item = context.item
    short = item.values.get(f"{variable}-short", "") if form == "short" else ""
    return wrapped(item.labels.get(variable, ""), short or item.values.get(variable, ""))


def _pages(variable: str, context: Context) -> str:
    pages = context.item.pages
    assert pages is not None
    first = wrapped("pages/first", pages.first)
    if variable == "page-first" or not pages.last:
        return wrapped("pages", first)
    last = last_page(pages.first, pages.last, context.page_format)
    dash = context.locale.term("page-range-delimiter") or "–"
    return wrapped("pages", f"{first}{dash}{wrapped('pages/last', last)}")


def _number_writer(element: Element) -> Writer:
    return partial(_number, element.get("variable", ""), element.get("form", "numeric"))


def _label_writer(element: Element) -> Writer:
    return partial(_label, dict(element.attrib))


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
    return wrapped(context.item.labels.get(variable, ""), value)


def _label(attributes: Mapping[str, str], context: Context) -> str:
    variable = attributes.get("variable", "")
    if not context.item.has(variable) or variable in context.gone:
        return ""
    value = context.item.plain(variable)
    several = value != "1" if variable.startswith("number-of") else variable != "number" and is_plural(value)
    plural = {"always": True, "never": False}.get(attributes.get("plural", ""), several)
    return context.locale.term(variable, attributes.get("form", "long"), plural)


def condition(branch: Element) -> Callable[[Context], bool]:
    """Whether a branch of a `choose` is to be taken."""
    tests: list[Callable[[Context], bool]] = []
    for key, value in branch.attrib.items():
        for one in value.split():
            if key == "type":
                tests.append(lambda context, one=one: context.item.type == one)  # type: ignore[misc]
            elif key == "variable":
                tests.append(lambda context, one=one: context.item.has(one))  # type: ignore[misc]
            elif key == "is-numeric":
                tests.append(lambda context, one=one: is_numeric(context.item.plain(one)))  # type: ignore[misc]
            elif key == "is-uncertain-date":
                tests.append(lambda context, one=one: _uncertain(context, one))  # type: ignore[misc]
            elif key != "match":  # positions, locators and disambiguation are no business of bibliographies
                tests.append(lambda _context: False)
    match = branch.get("match", "all")
    if not tests:
        return lambda _context: True
    if match == "any":
        return lambda context: any(test(context) for test in tests)
    if match == "none":
        return lambda context: not any(test(context) for test in tests)
    return lambda context: all(test(context) for test in tests)


def _uncertain(context: Context, variable: str) -> bool:
    date = context.item.dates.get(variable)
    return date is not None and date.approximate


def dressed(write: Writer, element: Element) -> Writer:
    """A writer with the case, the quotes and the affixes that an element asks for."""
    dress = _dress(element)
    if dress is None:
        return write

    def both(context: Context) -> str:
        text = write(context)
        return dress(context, text) if text else ""

    return both


def _english(context: Context) -> bool:
    known = context.item.english
    return context.locale.tag.startswith("en") if known is None else known


def _dress(element: Element) -> Dress | None:
    """What an element does to a text that is not empty; None where it does nothing."""
    steps: list[Dress] = []
    case = element.get("text-case", "")
    if case == "title":
        steps.append(lambda context, text: CASES["title"](text) if _english(context) else text)
    elif case in CASES:
        change = CASES[case]
        steps.append(lambda _context, text: change(text))
    if element.get("strip-periods") == "true":
        steps.append(lambda _context, text: text.replace(".", ""))
    if element.get("quotes") == "true":
        steps.append(
            lambda context, text: context.locale.term("open-quote") + text + context.locale.term("close-quote")
        )
    affixes = _dress_affixes(element)
    if affixes:
        steps.append(affixes)
    if not steps:
        return None
    if len(steps) == 1:
        return steps[0]

    def dress(context: Context, text: str) -> str:
        for step in steps:
            text = step(context, text)
        return text

    return dress


def _dress_affixes(element: Element) -> Dress | None:
    prefix, suffix = element.get("prefix", ""), element.get("suffix", "")
    if element.get("display"):
        prefix, suffix = f" {prefix}", f"{suffix} "  # a line or a column of its own
    if not prefix and not suffix:
        return None
    return lambda _context, text: glue(glue(prefix, text), suffix)
