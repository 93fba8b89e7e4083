"""The three tasks: what an item of each is, how it becomes tokens, and which labels its tokens may have.

A model knows its task by name; everything that differs between tasks and is not a feature is a line of `TASKS`.
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
    """What is labelled: an `item` of text, split into tokens, with the labels of a schema."""

    name: str
    item: str  # what one string is called
    content: str  # what is missing from one that is empty
    schema: Mapping[str, str]
    tokenise: Callable[[str], tuple[Token, ...]]
    longest: int  # characters beyond which a string is refused
    advice: str  # what to do with one that is longer
    closed: bool = True  # labels outside the schema are refused
    one_token: bool = False  # every token is a field of its own, and none is outside of all
    finish: Callable[[Parsed], Parsed] | None = None  # what is made of the fields in the end

    def unfit(self, text: str) -> str | None:
        """Why a string cannot be parsed, or None when it can."""
        if not text.strip():
            return f"empty: there is no {self.content} here"
        if len(text) > self.longest:
            return f"{len(text):,} characters, more than the {self.longest:,} of the longest {self.item}: {self.advice}"
        return None

    def strangers(self, example: Example) -> tuple[str, ...]:
        """The labels of an example that the schema does not have, as far as it is closed."""
        used = {name for annotation in example.annotations for name in annotation.label.split("|")}
        return tuple(sorted(used - self.schema.keys() - {UNKNOWN})) if self.closed else ()


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
    """The task of that name."""
    if name not in TASKS:
        raise ConfigError(f"there is no task {name!r}; there are {', '.join(TASKS)}")
    return TASKS[name]


def known_only(examples: Iterable[Example], task: Task) -> tuple[list[Example], list[str]]:
    """The examples whose labels the task has, and a complaint about each of the others."""
    kept, complaints = [], []
    for example in examples:
        if strange := task.strangers(example):
            names = ", ".join(map(repr, strange[:5]))
            known = ", ".join(task.schema)
            complaints.append(f"{example.source}: the labels of {task.name} do not have {names}; they are {known}")
        else:
            kept.append(example)
    return kept, complaints
