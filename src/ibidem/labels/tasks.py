"""The three tasks: what an item of each is, how it is tokenised, and which labels its tokens may have.

A model names its task; whatever differs between tasks and is not a feature is an attribute of `Task`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ibidem.errors import ConfigError
from ibidem.labels.author_links import with_links
from ibidem.labels.schema import AUTHOR_SCHEMA, SCHEMA, SECTION_SCHEMA, UNKNOWN
from ibidem.text.tokens import tokenise, tokenise_lines, tokenise_with_breaks
from ibidem.types import Example, Parsed, Token


@dataclass(frozen=True, slots=True)
class Task:
    """A labelling task: its items, their tokens and the schema of their labels."""

    name: str
    item: str  # what one string is called
    content: str  # what an empty string lacks
    schema: Mapping[str, str]
    tokenise: Callable[[str], tuple[Token, ...]]
    longest: int  # characters beyond which a string is refused
    advice: str  # what to do with one that is longer
    closed: bool = True  # labels outside the schema are refused
    one_token: bool = False  # every token is a field, and none is outside all fields
    finish: Callable[[Parsed], Parsed] | None = None  # applied to every parsed string

    def unfit(self, text: str) -> str | None:
        """Return why a string cannot be parsed, or None if it can."""
        if not text.strip():
            return f"empty: there is no {self.content} here"
        if len(text) > self.longest:
            return f"{len(text):,} characters, more than the {self.longest:,} of the longest {self.item}: {self.advice}"
        return None


REFERENCES = Task(
    "references", "reference", "reference", SCHEMA, tokenise, longest=20_000, advice="split the list", closed=False
)  # a reference is seldom over 2,000 characters, a whole list may be
SECTIONS = Task(
    "sections",
    "paper",
    "heading",
    SECTION_SCHEMA,
    tokenise_lines,
    longest=1_000_000,
    advice="put a blank line between two papers",
    one_token=True,
)
AUTHORS = Task(
    "authors",
    "header",
    "author or affiliation",
    AUTHOR_SCHEMA,
    tokenise_with_breaks,
    longest=1_000_000,
    advice="put a blank line between two headers",
    finish=with_links,
)
TASKS: dict[str, Task] = {task.name: task for task in (REFERENCES, SECTIONS, AUTHORS)}


def task_of(name: str) -> Task:
    """Return the task of that name."""
    if name not in TASKS:
        raise ConfigError(f"there is no task {name!r}; there are {', '.join(TASKS)}")
    return TASKS[name]


def known_only(examples: Iterable[Example], task: Task) -> tuple[list[Example], list[str]]:
    """Return the examples with only known labels, and a message about each of the others."""
    kept, messages = [], []
    for example in examples:
        used = {name for annotation in example.annotations for name in annotation.label.split("|")}
        if task.closed and (unknown := used - task.schema.keys() - {UNKNOWN}):
            names = ", ".join(map(repr, sorted(unknown)[:5]))
            known = ", ".join(task.schema)
            messages.append(f"{example.source}: the labels of {task.name} do not have {names}; they are {known}")
        else:
            kept.append(example)
    return kept, messages
