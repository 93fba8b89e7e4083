"""What a style renders: an item with its variables, and the state of rendering one."""

from __future__ import annotations

from dataclasses import dataclass, field

from ibidem.csl.locales import Locale
from ibidem.records.record import Date, Name, Pages


@dataclass(slots=True)
class Item:
    """A work in the variables of CSL, the label of each beside it.

    `open_lists` are the lists of names that go on after the last name we know; `letter` tells two works of a year
    apart.
    """

    type: str
    values: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    names: dict[str, tuple[Name, ...]] = field(default_factory=dict)
    dates: dict[str, Date] = field(default_factory=dict)
    pages: Pages | None = None
    open_lists: frozenset[str] = frozenset()
    english: bool | None = None  # None: as the language of the style
    letter: str = ""

    def has(self, variable: str) -> bool:
        """Whether there is something to render for a variable."""
        if variable in ("page", "page-first") and self.pages:
            return True
        if variable == "year-suffix":
            return bool(self.letter)
        return bool(self.values.get(variable) or self.names.get(variable)) or variable in self.dates

    def plain(self, variable: str) -> str:
        """The value of a variable without labels."""
        if variable == "page" and self.pages:
            return f"{self.pages.first}-{self.pages.last}" if self.pages.last else self.pages.first
        return self.values.get(variable, "")


@dataclass(slots=True)
class Context:
    """The state of rendering one item.

    `called` and `filled` count the variables asked for and those that gave something: a group of which all variables
    are empty is not shown. `gone` are the variables that were shown in place of names and are not shown again.
    """

    item: Item
    locale: Locale
    page_format: str = ""
    letters_in_years: bool = False  # the letter that tells two works of a year apart is written after the year
    called: int = 0
    filled: int = 0
    gone: set[str] = field(default_factory=set)
    shown: list[str] | None = None  # filled while something is tried as a substitute

    def ask(self, variable: str) -> bool:
        """Whether a variable can be shown now; counts it either way."""
        self.called += 1
        if variable in self.gone or not self.item.has(variable):
            return False
        self.filled += 1
        if self.shown is not None:
            self.shown.append(variable)
        return True
