"""One name as a style writes it, with the labels of its parts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from xml.etree.ElementTree import Element

from ibidem.csl.cases import CASES
from ibidem.csl.locales import CSL
from ibidem.csl.markers import glue, joined, wrapped
from ibidem.csl.markup import look_of
from ibidem.records.record import Name

DIVIDED = frozenset({"author", "editor"})  # the lists that our schema divides into persons
_INHERITED = {"form": "name-form", "delimiter": "name-delimiter"}
_INITIAL = re.compile(r"[^\W\d_]")
_NO_SPACE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af]")  # names of these scripts are written family first, unspaced


@dataclass(frozen=True, slots=True)
class NameForm:
    """How the names of a list are written: the attributes of `name`, inherited ones included, and its parts."""

    options: Mapping[str, str]
    family: Mapping[str, str]
    given: Mapping[str, str]
    et_al: Mapping[str, str]

    def number(self, key: str) -> int:
        """The value of an option that is a number, 0 where it has none."""
        text = self.options.get(key, "")
        return int(text) if text.isdecimal() and len(text) < 6 else 0


def name_form(names: Element, inherited: Mapping[str, str]) -> NameForm:
    """The form that a `names` element and what it inherits ask for."""
    name, et_al = names.find(f"{CSL}name"), names.find(f"{CSL}et-al")
    own = dict(name.attrib) if name is not None else {}
    options = {**{key: inherited[old] for key, old in _INHERITED.items() if old in inherited}}
    options.update({key: value for key, value in inherited.items() if key not in ("delimiter", "form")})
    options.update(own)
    parts = {} if name is None else {part.get("name"): part.attrib for part in name.findall(f"{CSL}name-part")}
    return NameForm(options, parts.get("family", {}), parts.get("given", {}), {} if et_al is None else et_al.attrib)


def person(name: Name, place: int, form: NameForm, variable: str) -> str:
    """One name of a list, in order of speech or of sorting."""
    options = form.options
    order = options.get("name-as-sort-order", "")
    inverted = order == "all" or (order == "first" and place == 0)
    # The particle of an inverted name stands after the given name in many styles, and is then labelled with it.
    demoted = inverted and options.get("demote-non-dropping-particle", "display-and-sort") == "display-and-sort"
    if name.literal or not (name.family or name.given):
        return _labelled(variable, "collaboration", _dressed(name.literal, form.family))
    before = () if demoted and options.get("form") != "short" else (name.particle,)
    family = _dressed(" ".join(part for part in (*before, name.family) if part), form.family)
    family = _labelled(variable, "person/family", family)
    if options.get("form") == "short":
        return _labelled(variable, "person", family)
    given = name.given
    if "initialize-with" in options and options.get("initialize") != "false":
        given = initials(given, options["initialize-with"], options.get("initialize-with-hyphen") != "false")
    given = _dressed(given, form.given)
    given = f"{given} {name.particle}".strip() if demoted else given
    given = _labelled(variable, "person/given", given)
    suffix = _labelled(variable, "person/suffix", name.suffix)
    if _NO_SPACE.match(name.family):
        return _labelled(variable, "person", family + given)
    if inverted:
        return _labelled(variable, "person", joined([family, given, suffix], options.get("sort-separator", ", ")))
    return _labelled(variable, "person", joined([given, family, suffix], " "))


def _labelled(variable: str, part: str, text: str) -> str:
    return wrapped(f"{variable}/{part}", text) if variable in DIVIDED else text


def _dressed(text: str, attributes: Mapping[str, str]) -> str:
    if not text or not attributes:
        return text
    case = attributes.get("text-case", "")
    text = CASES[case](text) if case in CASES else text
    before, after = look_of(attributes)
    return glue(glue(attributes.get("prefix", ""), before + text + after), attributes.get("suffix", ""))


def initials(given: str, mark: str, hyphens: bool = True) -> str:
    """Given names as initials, each followed by `mark`; what is written small stays as it is.

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
    found = _INITIAL.match(part)
    return part[0] + mark if found else part
