"""What the commands of all tasks do with their options: `ibidem parse`, `ibidem sections`, `ibidem authors`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ibidem.cli.documents import KEYS
from ibidem.cli.outputs import Verb
from ibidem.cli.parsing import Source, run
from ibidem.labels.tasks import task_of


def label(task: str, options: Mapping[str, Any]) -> None:
    """Nothing: writes what the model of a task makes of every document."""
    given = dict(options)
    source = source_of(task, given["text"], given["files"], given["key"], given["jsonl"])
    verb = verb_of(task, given["model"], given["alternatives"], given["jobs"])
    run(source, verb, given["output"], given["pretty"])


def source_of(task: str, texts: Sequence[str], files: Sequence[Path], key: str | None, jsonl: bool) -> Source:
    """Where the items of a task come from; without a `key` that of the task."""
    return Source(texts, files, key or KEYS.get(task, "text"), jsonl, task_of(task))


def verb_of(task: str, model: str | None, alternatives: int, jobs: int, **further: Any) -> Verb:
    """What makes answers of texts."""
    import ibidem

    return partial(ibidem.parse_many, model=model, alternatives=alternatives, jobs=jobs, task=task, **further)
