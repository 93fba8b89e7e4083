"""From files of references to works: what stands behind `ibidem link`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ibidem.app.converting import Account
from ibidem.app.inputs import check_files, from_bytes, lines_of
from ibidem.app.outputs import opened
from ibidem.coref.explaining import explain, in_words
from ibidem.coref.linking import Linked, Progress, Work, link_records, log_odds, works_of
from ibidem.coref.model import PairModel
from ibidem.coref.reading import Given, given_of_object, records_of, weights
from ibidem.errors import InputError
from ibidem.records.formats.jsonl import as_object
from ibidem.types import Parsed


@dataclass(frozen=True, slots=True)
class LinkWishes:
    """What is wanted of linking."""

    files: tuple[Path, ...]
    output: Path | None = None
    threshold: float = 0.5
    explain: tuple[int, int] | None = None
    model: str | None = None
    pair_model: Path | None = None
    text_key: str = "text"
    jsonl: bool = False
    jobs: int = 1


def run(wishes: LinkWishes) -> None:
    """Nothing: writes the works of all references, or says why two of them are one work or two."""
    import ibidem

    log_odds(wishes.threshold)
    files = wishes.files or (Path("-"),)
    if not wishes.files and (sys.stdin is None or sys.stdin.isatty()):
        raise InputError('nothing to link: give a file, or "-" for standard input')
    check_files(files)
    if wishes.output is not None and wishes.output.exists() and any(_same(path, wishes.output) for path in files):
        raise InputError(f"{wishes.output} is read and cannot be written to at the same time; give another --output")
    account = Account()
    given = list(_references(files, wishes, account))
    pair_model = weights(wishes.pair_model)
    parse = partial(ibidem.parse_many, model=wishes.model, jobs=wishes.jobs)
    with _progress() as progress:
        records = records_of(given, parse)
        linked = link_records(records, model=pair_model, threshold=wishes.threshold, progress=progress)
    if wishes.explain is not None:
        one, other = wishes.explain
        print("\n".join(in_words(explain(linked, one - 1, other - 1))))
        return
    works = works_of(linked)
    with opened(wishes.output) as stream:
        for number, work in enumerate(works, 1):
            stream.write(line_of(number, work))
    account.written = len(given) - account.malformed
    account.close("references could not be read")
    _tell(linked, works, pair_model)


def line_of(number: int, work: Work) -> bytes:
    """The line of JSON Lines of a work."""
    import orjson

    try:
        return orjson.dumps(work_object(number, work), option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:
        found = {"work": number, "error": "not valid Unicode: a lone surrogate"}
        found["members"] = [{"number": member.number + 1} for member in work.members]
        return orjson.dumps(found, option=orjson.OPT_APPEND_NEWLINE)


def work_object(number: int, work: Work) -> dict[str, Any]:
    """The JSON object of a work; references are numbered from 1, in the order of the input."""
    members = []
    for member in work.members:
        found: dict[str, Any] = {"number": member.number + 1}
        if member.nearest is not None and member.probability is not None:
            found |= {"nearest": member.nearest + 1, "probability": round(member.probability, 4)}
        members.append(found | {"record": as_object(member.record)})
    return {
        "work": number,
        "confidence": round(work.confidence, 4),
        "record": as_object(work.record),
        "sources": [source + 1 for source in work.sources],
        "members": members,
    }


def _references(files: Sequence[Path], wishes: LinkWishes, account: Account) -> Iterator[Given]:
    """What is in the files; a line that cannot be read is told of and stands as a reference with an error."""
    import orjson

    for path in files:
        as_json = wishes.jsonl or path.suffix.lower() in {".jsonl", ".ndjson"}
        for number, line in enumerate(lines_of(path), 1):
            item = from_bytes(line)
            if item.error == "empty":
                continue
            error = item.error
            if error is None and not as_json:
                yield item.text
                continue
            if error is None:
                try:
                    yield given_of_object(orjson.loads(line), wishes.text_key)
                    continue
                except ValueError as problem:  # orjson's own error is one
                    error = str(problem)
            account.miss(f"{path}, line {number}", error)
            yield Parsed(item.text, error=error)


def _same(one: Path, other: Path) -> bool:
    return one.exists() and one.samefile(other)


def _tell(linked: Linked, works: Sequence[Work], model: PairModel) -> None:
    """Nothing: says on standard error how many works there are, and how the threshold did on the dev set."""
    cited = sum(len(work.members) > 1 for work in works)
    print(
        f"ibidem: {len(linked.records):,} references, {len(works):,} works, {cited:,} of them cited more than once;"
        f" {len(linked.pairs):,} pairs compared",
        file=sys.stderr,
    )
    rows = model.card.get("dev", {}).get("thresholds", [])
    if rows:
        near = min(rows, key=lambda row: abs(log_odds(row["threshold"]) - log_odds(linked.threshold)))
        print(
            f"ibidem: at a threshold of {near['threshold']:g} the model's dev set has a pair precision of"
            f" {100 * near['precision']:.2f} and a recall of {100 * near['recall']:.2f}",
            file=sys.stderr,
        )


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """A function to tell of pairs compared, drawing a bar on standard error where someone watches it."""
    if not sys.stderr.isatty():
        yield None
        return
    import click

    with click.progressbar(length=1_000, file=sys.stderr, label="linking") as bar:

        def progress(_: str, done: int, whole: int) -> None:
            bar.update(1_000 * done // max(1, whole) - bar.pos)

        yield progress
