"""From files of references to works: what stands behind `ibidem link`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ibidem.cli.convert import Diagnostics
from ibidem.cli.inputs import check_files
from ibidem.cli.link_inputs import items_of
from ibidem.cli.outputs import open_output
from ibidem.errors import InputError
from ibidem.linking.explanation import explain, in_words
from ibidem.linking.inputs import Given, Parse, records_of, weights
from ibidem.linking.joint.linking import link_readings
from ibidem.linking.linking import Linked, Progress, Work, link_records, log_odds, works_of
from ibidem.linking.matcher import PairModel
from ibidem.records.formats.jsonl import as_object
from ibidem.types import Parsed


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """What is wanted of linking; a threshold of None is the one that the model of pairs learnt."""

    files: tuple[Path, ...]
    output: Path | None = None
    threshold: float | None = None
    explain: tuple[int, int] | None = None
    database: Path | None = None
    readings: int = 1
    model: str | None = None
    pair_model: Path | None = None
    text_key: str = "text"
    jsonl: bool = False
    jobs: int = 1


def run(wishes: LinkOptions) -> None:
    """Nothing: writes the works of all references, or says why two of them are one work or two."""
    import ibidem

    pair_model = weights(wishes.pair_model)
    if wishes.threshold is not None:
        log_odds(wishes.threshold)
    files = _files(wishes)
    parse = partial(ibidem.parse_many, model=wishes.model, jobs=wishes.jobs)
    if wishes.database is not None:
        _run_in_database(wishes.database, files, wishes, pair_model, parse)
        return
    account = Diagnostics()
    given = [item.given for path in files for item in items_of(path, account, wishes.text_key, wishes.jsonl)]
    linked = _linked(given, parse, wishes, pair_model)
    if wishes.explain is not None:
        _explain(linked, wishes.explain)
        return
    works = works_of(linked)
    _write(works, wishes.output)
    account.written = len(given) - account.malformed
    account.close("references could not be read")
    _tell(linked, len(works), sum(len(work.members) > 1 for work in works))


def _linked(
    given: Sequence[Given], parse: Callable[..., Iterator[Parsed]], wishes: LinkOptions, model: PairModel
) -> Linked:
    """What linking finds among the references, each read once or in several ways."""
    if wishes.readings > 1:
        several = partial(parse, alternatives=wishes.readings - 1)
        return link_readings(given, several, wishes.readings, model=model, threshold=wishes.threshold)
    with _progress() as progress:
        return link_records(records_of(given, parse), model=model, threshold=wishes.threshold, progress=progress)


def _run_in_database(path: Path, files: Sequence[Path], wishes: LinkOptions, model: PairModel, parse: Parse) -> None:
    """Nothing: takes what is new in files into a database, brings its works up to date, and writes them if asked."""
    from ibidem.linking.store import Store

    account = Diagnostics()
    with Store(path, model) as store:
        for file in files:
            new = store.take(str(file.resolve()), items_of(file, account, wishes.text_key, wishes.jsonl), parse)
            print(f"ibidem: {new:,} new references of {file} taken into {path}", file=sys.stderr)
        with _progress() as progress:
            linked = store.link(wishes.threshold, progress)
        if wishes.explain is not None:
            _explain(linked, wishes.explain)
            return
        if wishes.output is not None:
            _write(store.works(), wishes.output)
        account.written = len(store) - account.malformed
        account.close("references could not be read")
        _tell(linked, *store.counts())


def _files(wishes: LinkOptions) -> tuple[Path, ...]:
    """The files to read, all of which can be; none means standard input, or with a database that nothing is new."""
    if wishes.database is not None:
        if wishes.readings > 1:
            raise InputError("a database keeps one way to read each reference; leave --readings out, or --db")
        if any(str(path) == "-" for path in wishes.files):
            raise InputError("standard input cannot be taken up again after a break; with --db give files")
        if not wishes.files and not wishes.database.exists():
            raise InputError(f"there is no {wishes.database} yet; give files to link")
        files = wishes.files
    elif not wishes.files and (sys.stdin is None or sys.stdin.isatty()):
        raise InputError('nothing to link: give a file, or "-" for standard input')
    else:
        files = wishes.files or (Path("-"),)
    check_files(files)
    for target in (wishes.output, wishes.database):
        if target is not None and target.exists() and any(_same(path, target) for path in files):
            raise InputError(f"{target} is read and cannot be written to at the same time; give another name")
    return files


def _explain(linked: Linked, numbers: tuple[int, int]) -> None:
    one, other = numbers
    print("\n".join(in_words(explain(linked, one - 1, other - 1))))


def _write(works: Iterable[Work], output: Path | None) -> None:
    with open_output(output) as stream:
        for number, work in enumerate(works, 1):
            stream.write(line_of(number, work))


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


def _same(one: Path, other: Path) -> bool:
    return one.exists() and one.samefile(other)


def _tell(linked: Linked, works: int, cited: int) -> None:
    """Nothing: says on standard error how many works there are, and how the threshold did on the dev set."""
    print(
        f"ibidem: {len(linked.records):,} references, {works:,} works, {cited:,} of them cited more than once;"
        f" {len(linked.pairs):,} pairs compared",
        file=sys.stderr,
    )
    for line in told_of_threshold(linked.model, linked.threshold):
        print(f"ibidem: {line}", file=sys.stderr)


def told_of_threshold(model: PairModel, threshold: float) -> list[str]:
    """What a threshold does on the dev set of the model, beside the one that it learnt; nothing where it has none."""
    rows = model.card.get("dev", {}).get("thresholds", [])
    if not rows:
        return []
    wanted = [("threshold", threshold)]
    if threshold != model.threshold:
        wanted.append(("learnt threshold", model.threshold))
    lines = []
    for name, value in wanted:
        near = min(rows, key=lambda row: abs(log_odds(row["threshold"]) - log_odds(value)))
        lines.append(
            f"at a {name} of {near['threshold']:g} the dev set has a pair precision of {100 * near['precision']:.2f},"
            f" a recall of {100 * near['recall']:.2f}; {100 * near['clusters']:.2f} % of its works are exactly right"
        )
    return lines


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
