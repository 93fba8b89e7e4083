"""Formatting that an element of a style applies to its text: case, periods, quotes, font, affixes, in this order."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import Element

from ibidem.csl.cases import CASES, seems_english
from ibidem.csl.items import Context
from ibidem.csl.markers import glue
from ibidem.csl.markup import font_of

Writer = Callable[[Context], str]
Formatter = Callable[[Context, str], str]


def format_output(write: Writer, element: Element) -> Writer:
    """Return a writer with the case, the quotes, the font and the affixes that an element asks for."""
    formatter = formatter_of(element)
    if formatter is None:
        return write

    def both(context: Context) -> str:
        text = write(context)
        return formatter(context, text) if text else ""

    return both


def formatter_of(element: Element) -> Formatter | None:
    """Return what an element does to a text that is not empty; None where it does nothing."""
    steps: list[Formatter] = []
    case = element.get("text-case", "")
    if case == "title":
        steps.append(lambda context, text: CASES["title"](text) if _english(context, text) else text)
    elif case in CASES:
        change = CASES[case]
        steps.append(lambda _context, text: change(text))
    if element.get("strip-periods") == "true":
        steps.append(lambda _context, text: text.replace(".", ""))
    if element.get("quotes") == "true":
        steps.append(_quote)
    before, after = font_of(element.attrib)
    if before:
        steps.append(lambda _context, text: before + text + after)
    prefix, suffix = element.get("prefix", ""), element.get("suffix", "")
    if element.get("display"):
        prefix, suffix = f" {prefix}", f"{suffix} "  # a line or a column of its own
    if prefix or suffix:
        steps.append(lambda _context, text: glue(glue(prefix, text), suffix))
    if len(steps) < 2:
        return steps[0] if steps else None

    def apply(context: Context, text: str) -> str:
        for step in steps:
            text = step(context, text)
        return text

    return apply


def _quote(context: Context, text: str) -> str:
    """Put a text in quotes; quotes of the same kind inside it become those of the second kind."""
    term = context.locale.term
    opening, closing = term("open-quote"), term("close-quote")
    if opening and opening in text:
        text = text.replace(opening, term("open-inner-quote") or opening)
        text = text.replace(closing, term("close-inner-quote") or closing)
    return opening + text + closing


def _english(context: Context, text: str) -> bool:
    """Whether a title may get the capitals of English: as its language says, else as its words do."""
    known = context.item.english
    return context.locale.tag.startswith("en") and seems_english(text) if known is None else known
