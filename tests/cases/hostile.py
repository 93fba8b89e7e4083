"""Hostile strings by family: each is a function from a length to a string of about that many characters.

They are what makes a quadratic program slow and a careless one fall over: one character or word again and again,
brackets that never close, separators with nothing between them, lists without an end, characters whose case changes
their number. Timing them at two lengths shows the order of growth.
"""

from __future__ import annotations

from collections.abc import Callable


def _repeat(unit: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """Return the function that repeats a unit to fill a length, between two other texts."""
    return lambda size: before + unit * max(1, (size - len(before) - len(after)) // len(unit)) + after


def _nest(opening: str, closing: str, core: str = "a") -> Callable[[int], str]:
    """Return the function that puts a text inside as many pairs of brackets as fit."""

    def make(size: int) -> str:
        depth = max(1, (size - len(core)) // (len(opening) + len(closing)))
        return opening * depth + core + closing * depth

    return make


FAMILIES: dict[str, Callable[[int], str]] = {
    "one letter": _repeat("a"),
    "one capital": _repeat("A"),
    "letters apart": _repeat("a "),
    "words": _repeat("word "),
    "digits": _repeat("1"),
    "digits apart": _repeat("1 "),
    "years": _repeat("2019 "),
    "whitespace": _repeat(" ", "a", "a"),
    "lines": _repeat("\n", "a", "a"),
    "tabs and spaces": _repeat("\t ", "a", "a"),
    "commas": _repeat(","),
    "commas apart": _repeat(", "),
    "semicolons": _repeat("; "),
    "full stops": _repeat("."),
    "full stops apart": _repeat(". "),
    "hyphens": _repeat("-"),
    "hyphens apart": _repeat("- "),
    "hyphenated": _repeat("a- "),
    "soft hyphens": _repeat("a\u00ad"),
    "dotted domains": _repeat("a."),
    "addresses": _repeat("http://"),
    "address with dots": _repeat("a.", "http://"),
    "address with brackets": _repeat(")", "http://a.b/("),
    "slashes": _repeat("/"),
    "DOIs": _repeat("10.1234/"),
    "DOI with brackets": _repeat(")", "10.1234/a("),
    "arXiv archives": _repeat("hep-"),
    "roman numerals": _repeat("I"),
    "roman numerals mixed": _repeat("MCMXCIV"),
    "page ranges": _repeat("1-"),
    "pages with commas": _repeat("1,"),
    "months": _repeat("May "),
    "and": _repeat("and "),
    "et al.": _repeat("et al. "),
    "names": _repeat("Doe, J., "),
    "names with semicolons": _repeat("Doe, J.; "),
    "names without commas": _repeat("Jane Doe "),
    "initials": _repeat("J."),
    "initials apart": _repeat("J. A. ", "Doe, "),
    "particles": _repeat("van der ", "", "Berg"),
    "suffixes": _repeat("Jr., "),
    "double names": _repeat("García-"),
    "quotes": _repeat('"'),
    "nested quotes": _nest("“", "”"),
    "apostrophes": _repeat("'"),
    "open brackets": _repeat("("),
    "closed brackets": _repeat(")"),
    "nested brackets": _nest("(", ")"),
    "open braces": _repeat("{"),
    "nested braces": _nest("{", "}"),
    "backslashes": _repeat("\\"),
    "TeX accents": _repeat("\\'"),
    "TeX commands": _repeat("\\textbf{"),
    "dollars": _repeat("$"),
    "angle brackets": _repeat("<"),
    "tags": _repeat("<i>"),
    "entities": _repeat("&amp;"),
    "at signs": _repeat("@"),
    "equals signs": _repeat("="),
    "combining marks": _repeat("\u0301", "a"),
    "accented": _repeat("e\u0301"),
    "spacing accents": _repeat("´ "),
    "dotted capital I": _repeat("İ"),
    "sharp s": _repeat("ß"),
    "ligatures": _repeat("ﬁ"),
    "Han": _repeat("王"),
    "Hangul": _repeat("김"),
    "Arabic": _repeat("ع"),
    "right to left": _repeat("\u202ea\u202c"),
    "zero width": _repeat("\u200b"),
    "emoji": _repeat("👩‍👩‍👧"),
    "private use": _repeat("\ue000"),
    "control characters": _repeat("\x01"),
    "NUL": _repeat("\x00a"),
    "lone surrogates": _repeat("\ud800"),
}
"""The families by name."""
