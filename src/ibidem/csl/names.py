"""Names as a style writes them, with the labels of the list, the persons and their parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from xml.etree.ElementTree import Element

from ibidem.csl.cases import CASES
from ibidem.csl.items import Context
from ibidem.csl.locales import CSL
from ibidem.csl.markers import glue, join, wrap
from ibidem.csl.markup import font_of
from ibidem.csl.text_formatting import Writer, formatter_of
from ibidem.records.record import Name

DIVIDED = frozenset({"author", "editor"})  # the lists that our schema divides into persons
_INHERITED = {"form": "name-form", "delimiter": "name-delimiter"}
_NO_SPACE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af]")  # names of these scripts are written family first, unspaced


class NamesWriter:
    """Writer of a `names` element: the lists of its variables, each with its label, or the first of the `others`.

    It is written as `form_of` says: itself, or the element it stands in for.
    """

    def __init__(self, element: Element, form_of: Element, inherited: Mapping[str, str], others: list[Writer]) -> None:
        label, name = form_of.find(f"{CSL}label"), form_of.find(f"{CSL}name")
        order = [child.tag for child in form_of]
        self.variables = element.get("variable", "").split()
        self.write_list = list_writer(NameForm(form_of, inherited))
        self.around = None if name is None else formatter_of(name)
        self.label, self.label_formatter = label, None if label is None else formatter_of(label)
        self.label_first = label is not None and name is not None and order.index(label.tag) < order.index(name.tag)
        self.between = element.get("delimiter", inherited.get("names-delimiter", ""))
        self.others = others

    def __call__(self, context: Context) -> str:
        """Write the names of those variables that have any."""
        found = [variable for variable in self.variables if context.ask(variable)]
        lists = context.item.names
        if len(found) == 2 and {*found} == {"editor", "translator"} and lists["editor"] == lists["translator"]:
            text = self.one(context, "editor", "editortranslator")  # the same persons in both offices
        else:
            text = join([self.one(context, variable, variable) for variable in found], self.between)
        return text or first_of(self.others, context)

    def one(self, context: Context, variable: str, office: str) -> str:
        """Write the names of one variable with the words for what they did."""
        text = self.write_list(context, variable)
        if not text:
            return ""
        text = self.around(context, text) if self.around else text
        if self.label is None:
            return text
        several = len(context.item.names[variable]) > 1
        plural = {"always": True, "never": False}.get(self.label.get("plural", ""), several)
        words = context.locale.term(office, self.label.get("form", "long"), plural)
        words = self.label_formatter(context, words) if self.label_formatter and words else words
        return glue(words, text) if self.label_first else glue(text, words)


def first_of(others: list[Writer], context: Context) -> str:
    """Write the first substitute that is not empty; the variables in it are not shown a second time."""
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
    """Return the function that renders the names of one variable."""
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
        role = context.item.role(variable)
        written = [write_person(name, place, form, role) for place, name in enumerate(shown)]
        goes_on = cut or variable in context.item.open_lists
        text = _with_last(written, names, form, role) if cut and options.get("et-al-use-last") == "true" else ""
        if not text and goes_on:
            text = _going_on(written, delimiter, form, context, role)
        if not text:
            text = _with_and(written, delimiter, form, context)
        return wrap(role, text)

    return write


def _with_and(written: list[str], delimiter: str, form: NameForm, context: Context) -> str:
    word = {"text": context.locale.term("and"), "symbol": "&"}.get(form.options.get("and", ""), "")
    if not word or len(written) < 2:
        return join(written, delimiter)
    comma = _comma(form, "delimiter-precedes-last", len(written) - 1, len(written) > 2)
    head = join(written[:-1], delimiter)
    return glue(glue(head, delimiter if comma else " "), f"{word} ") + written[-1]


def _comma(form: NameForm, option: str, before: int, usual: bool) -> bool:
    """Whether the delimiter stands after the first `before` names, where another word follows."""
    said = form.options.get(option, "contextual")
    inverted = said == "after-inverted-name" and form.inverts(before - 1)
    return said == "always" or (said == "contextual" and usual) or inverted


def _with_last(written: list[str], names: tuple[Name, ...], form: NameForm, role: str) -> str:
    if len(names) < len(written) + 2:
        return ""
    delimiter = form.options.get("delimiter", ", ")
    return glue(join(written, delimiter), delimiter) + "… " + write_person(names[-1], len(names) - 1, form, role)


def _going_on(written: list[str], delimiter: str, form: NameForm, context: Context, role: str) -> str:
    words = context.locale.term(form.et_al.get("term", "et-al"))
    if not words:
        return ""
    before, after = font_of(form.et_al)
    words = before + (wrap(f"{role}/etal", words) if role in DIVIDED else words) + after
    comma = _comma(form, "delimiter-precedes-et-al", len(written), len(written) > 1)
    return glue(glue(join(written, delimiter), delimiter if comma else " "), words)


class NameForm:
    """The form of the names of a list: the attributes of `name`, inherited ones included, and its parts."""

    def __init__(self, names: Element, inherited: Mapping[str, str]) -> None:
        name, et_al = names.find(f"{CSL}name"), names.find(f"{CSL}et-al")
        self.options = {key: inherited[old] for key, old in _INHERITED.items() if old in inherited}
        self.options |= {key: value for key, value in inherited.items() if key not in _INHERITED}
        self.options |= {} if name is None else name.attrib
        parts = {} if name is None else {part.get("name"): part.attrib for part in name.findall(f"{CSL}name-part")}
        self.family, self.given = parts.get("family", {}), parts.get("given", {})
        self.et_al = {} if et_al is None else et_al.attrib

    def inverts(self, place: int) -> bool:
        """Whether the name at a place is written family first."""
        order = self.options.get("name-as-sort-order", "")
        return order == "all" or (order == "first" and place == 0)

    def number(self, key: str) -> int:
        """Return the value of an option that is a number, 0 where it has none."""
        text = self.options.get(key, "")
        return int(text) if text.isdecimal() and len(text) < 6 else 0


def write_person(name: Name, place: int, form: NameForm, role: str) -> str:
    """Write one name of a list, in order of speech or of sorting; `role` is the label of the list."""
    options = form.options
    inverted = form.inverts(place)
    # The particle of an inverted name stands after the given name in many styles, and is then labelled with it.
    demoted = inverted and options.get("demote-non-dropping-particle", "display-and-sort") == "display-and-sort"
    if name.literal or not (name.family or name.given):
        return _wrap_part(role, "collaboration", _format_part(name.literal, form.family))
    before = () if demoted and options.get("form") != "short" else (name.particle,)
    family = _format_part(" ".join(part for part in (*before, name.family) if part), form.family)
    family = _wrap_part(role, "person/family", family)
    if options.get("form") == "short":
        return _wrap_part(role, "person", family)
    given = name.given
    if "initialize-with" in options and options.get("initialize") != "false":
        given = initials(given, options["initialize-with"], options.get("initialize-with-hyphen") != "false")
    given = _format_part(given, form.given)
    given = f"{given} {name.particle}".strip() if demoted else given
    given = _wrap_part(role, "person/given", given)
    suffix = _wrap_part(role, "person/suffix", name.suffix)
    if _NO_SPACE.match(name.family):
        return _wrap_part(role, "person", family + given)
    if inverted:
        return _wrap_part(role, "person", join([family, given, suffix], options.get("sort-separator", ", ")))
    return _wrap_part(role, "person", join([given, family, suffix], " "))


def _wrap_part(role: str, part: str, text: str) -> str:
    return wrap(f"{role}/{part}", text) if role in DIVIDED else text


def _format_part(text: str, attributes: Mapping[str, str]) -> str:
    if not text or not attributes:
        return text
    case = attributes.get("text-case", "")
    text = CASES[case](text) if case in CASES else text
    before, after = font_of(attributes)
    return glue(glue(attributes.get("prefix", ""), before + text + after), attributes.get("suffix", ""))


def initials(given: str, mark: str, hyphens: bool = True) -> str:
    """Shorten given names to initials, each followed by `mark`; what is written small stays as it is.

    >>> initials("Jean-Luc Paul", ". "), initials("JS", "."), initials("Maria de Jesus", ""), initials("Min-jun", ".")
    ('J.-L. P.', 'J.S.', 'M de J', 'M.')
    >>> initials("K.-H.", ". "), initials("J. S.", "")
    ('K.-H.', 'JS')
    """
    words = []
    for word in given.replace(".-", "-").replace(".", ". ").split():
        halves = [part for part in word.split("-") if part.strip(".")]
        # The second half of Min-jun, written small, has no initial of its own.
        kept = [part for place, part in enumerate(halves) if not place or not part[0].islower()]
        parts = [_short(part, mark.strip(" ")) for part in kept]
        if parts:
            words.append(("-" if hyphens and mark.strip() else "").join(parts))
    text = words[0] if words else ""
    spaced = mark.endswith(" ")
    for before, word in pairwise(words):
        close = not spaced and _initial(word) and _initial(before)
        text += word if close else f" {word}"
    return text


def _initial(word: str) -> bool:
    return word[0].isupper() or not word[0].isalpha()


def _short(part: str, mark: str) -> str:
    part = part.strip(".")
    if not part[0].isupper():
        return part
    if part.isupper() and 1 < len(part) <= 3:  # JS is two initials already
        return "".join(letter + mark for letter in part)
    return part[0] + mark if part[0].isalnum() else part
