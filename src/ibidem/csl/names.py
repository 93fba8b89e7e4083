"""Lists of names as a style writes them, with the labels of the list, the persons and their parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from ibidem.csl.context import Context
from ibidem.csl.locales import CSL
from ibidem.csl.markers import glue, joined, wrapped
from ibidem.csl.markup import look_of
from ibidem.csl.persons import DIVIDED, NameForm, name_form, person
from ibidem.csl.text_formatting import Dress, Writer, dress_of, outside_of
from ibidem.records.record import Name


@dataclass(frozen=True, slots=True)
class NamesWriter:
    """Writes a `names` element: the lists of its variables, each with its label, or the first substitute."""

    variables: tuple[str, ...]
    write_list: Callable[[Context, str], str]
    around: Dress | None  # the looks and affixes of `name`
    label: Element | None
    label_dress: Dress | None
    label_first: bool
    between: str
    others: list[Writer]

    def __call__(self, context: Context) -> str:
        """The names of those variables that have any."""
        found = [variable for variable in self.variables if context.ask(variable)]
        lists = context.item.names
        if len(found) == 2 and {*found} == {"editor", "translator"} and lists["editor"] == lists["translator"]:
            text = self.one(context, "editor", "editortranslator")  # the same persons in both offices
        else:
            text = joined([self.one(context, variable, variable) for variable in found], self.between)
        return text or first_of(self.others, context)

    def one(self, context: Context, variable: str, office: str) -> str:
        """The names of one variable with the words for what they did."""
        text = self.write_list(context, variable)
        if not text:
            return ""
        text = self.around(context, text) if self.around else text
        if self.label is None:
            return text
        several = len(context.item.names[variable]) > 1
        plural = {"always": True, "never": False}.get(self.label.get("plural", ""), several)
        words = context.locale.term(office, self.label.get("form", "long"), plural)
        words = self.label_dress(context, words) if self.label_dress and words else words
        return glue(words, text) if self.label_first else glue(text, words)


def names_writer(element: Element, form_of: Element, inherited: Mapping[str, str], others: list[Writer]) -> NamesWriter:
    """The writer of a `names` element that is written as `form_of` says: itself, or the one it stands in for."""
    label, name = form_of.find(f"{CSL}label"), form_of.find(f"{CSL}name")
    order = [child.tag for child in form_of]
    return NamesWriter(
        tuple(element.get("variable", "").split()),
        list_writer(name_form(form_of, inherited)),
        None if name is None else outside_of(name),
        label,
        None if label is None else dress_of(label),
        label is not None and name is not None and order.index(label.tag) < order.index(name.tag),
        element.get("delimiter", inherited.get("names-delimiter", "")),
        others,
    )


def first_of(others: list[Writer], context: Context) -> str:
    """What the first substitute gives that gives something; the variables in it are not shown a second time."""
    outer = context.shown
    for write in others:
        context.shown = []
        text = write(context)
        if text:
            context.gone.update(context.shown)
            context.shown = outer
            context.filled += 1  # a word such as `anonymous` fills the place of the names
            return text
    context.shown = outer
    return ""


def list_writer(form: NameForm) -> Callable[[Context, str], str]:
    """The function that renders the names of one variable."""
    options = form.options
    delimiter = options.get("delimiter", ", ")
    least, first = form.number("et-al-min"), form.number("et-al-use-first") or 1
    count = options.get("form") == "count"

    def write(context: Context, variable: str) -> str:
        names = context.item.names[variable]
        cut = bool(least) and len(names) >= least and first < len(names)
        shown = names[:first] if cut else names
        if count:
            return ""  # the number of names is for sorting
        written = [person(name, place, form, variable) for place, name in enumerate(shown)]
        goes_on = cut or variable in context.item.open_lists
        text = _with_last(written, names, form, variable) if cut and options.get("et-al-use-last") == "true" else ""
        if not text and goes_on:
            text = _going_on(written, delimiter, form, context, variable)
        if not text:
            text = _with_and(written, delimiter, options, context)
        return wrapped(variable if variable in (*DIVIDED, "translator") else "?", text)

    return write


def _with_and(written: list[str], delimiter: str, options: Mapping[str, str], context: Context) -> str:
    word = {"text": context.locale.term("and"), "symbol": "&"}.get(options.get("and", ""), "")
    if not word or len(written) < 2:
        return joined(written, delimiter)
    comma = _comma(options, "delimiter-precedes-last", len(written) - 1, len(written) > 2)
    head = joined(written[:-1], delimiter)
    return glue(glue(head, delimiter if comma else " "), f"{word} ") + written[-1]


def _comma(options: Mapping[str, str], option: str, before: int, usual: bool) -> bool:
    """Whether the delimiter stands after the first `before` names, where another word follows."""
    said = options.get(option, "contextual")
    order = options.get("name-as-sort-order", "")
    inverted = order == "all" or (order == "first" and before == 1)
    return said == "always" or (said == "contextual" and usual) or (said == "after-inverted-name" and inverted)


def _with_last(written: list[str], names: tuple[Name, ...], form: NameForm, variable: str) -> str:
    if len(names) < len(written) + 2:
        return ""
    delimiter = form.options.get("delimiter", ", ")
    return glue(joined(written, delimiter), delimiter) + "… " + person(names[-1], len(names) - 1, form, variable)


def _going_on(written: list[str], delimiter: str, form: NameForm, context: Context, variable: str) -> str:
    words = context.locale.term(form.et_al.get("term", "et-al"))
    if not words:
        return ""
    before, after = look_of(form.et_al)
    words = before + (wrapped(f"{variable}/etal", words) if variable in DIVIDED else words) + after
    comma = _comma(form.options, "delimiter-precedes-et-al", len(written), len(written) > 1)
    return glue(glue(joined(written, delimiter), delimiter if comma else " "), words)
