"""References, works and links in a DuckDB database that can be queried, and that linking continues from.

    citations    every reference: number, source and position in it, text, title, year, record (JSON), error
    works        every work: its number is that of its first citation; confidence, title, year, record (JSON)
    links        the work of each citation, its best match in the work, and the probability of the match
    comparisons  the log-odds of the compared pairs, so that none is compared twice
    sources      the files, the number of references taken from each, and a digest of those
    settings     the version of the tables, the pairwise matcher and the threshold

References and comparisons are added in batches, each in a transaction; works and links change together. A process that
is killed at any moment leaves the database as it was after the last transaction, and the same command continues there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby, islice
from pathlib import Path
from typing import Any, TypeVar, overload

import numpy as np
import orjson

from ibidem.errors import InputError
from ibidem.linking.comparison import ComparisonFields, extract_fields, text_of, year_of
from ibidem.linking.database import explain_errors, open_store, open_to_read, roll_back
from ibidem.linking.inputs import Item, Parse, dump_record, load_record, record_json, records_of
from ibidem.linking.matcher import PairwiseMatcher
from ibidem.linking.vectors import Ints
from ibidem.linking.works import ClusterBuilder, Linked, Member, Progress, ScoredPairs, Work, Works, link_rows
from ibidem.records.record import Record

_Value = TypeVar("_Value")

_BATCH = 1_000  # references added in a transaction
_ROWS = 10_000  # rows read at a time


class Store:
    """A database of references and works, used as a context manager."""

    def __init__(self, path: Path, matcher: PairwiseMatcher) -> None:
        self._path, self._matcher = path, matcher
        self._database = open_store(path)
        try:
            with explain_errors(path):
                self._check_matcher()
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        with explain_errors(self._path):
            self._database.close()

    def __len__(self) -> int:
        return int(self._rows("SELECT count(*) FROM citations")[0][0])

    def counts(self) -> tuple[int, int]:
        """Return the number of works, and of those cited more than once."""
        with explain_errors(self._path):
            works, several = self._rows("SELECT count(*), count(*) FILTER (citations > 1) FROM works")[0]
        return int(works), int(several)

    def add(self, source: str, items: Iterable[Item], parse: Parse) -> int:
        """Add the references of a source that are new, and return their number.

        The source must begin with the references that were taken from it before; it may have grown.
        """
        with explain_errors(self._path):
            return self._add(source, items, parse)

    def _add(self, source: str, items: Iterable[Item], parse: Parse) -> int:
        found = self._rows("SELECT taken, digest FROM sources WHERE path = ?", [source])
        before, known = (int(found[0][0]), str(found[0][1])) if found else (0, "")
        digest, place = hashlib.sha256(), 0
        waiting = iter(items)
        while some := list(islice(waiting, _BATCH if place >= before else min(_BATCH, before - place))):
            for item in some:
                digest.update(len(item.raw).to_bytes(8, "little") + item.raw)
            if place >= before:
                self._insert_citations(source, place, some, parse, digest.hexdigest())
            place += len(some)
            if place == before and digest.hexdigest() != known:
                break
        if place < before or (place == before and before and digest.hexdigest() != known):
            raise InputError(
                f"{source} has changed since {before:,} of its references were added to {self._path}: "
                "put new references into another file, or link into a new database"
            )
        return place - before

    def link(self, threshold: float | None = None, progress: Progress | None = None) -> Linked:
        """Link all references, and bring works and links up to date."""
        limit = self._matcher.threshold if threshold is None else threshold
        with explain_errors(self._path):
            found = link_rows(self._rows_to_compare(), self._matcher, limit, progress, self._compared(), self._keep)
            linked = Linked(_Stored(self._path, len(found.node), _read_records), *found, self._matcher, limit)
            self._write(linked)
        return linked

    def _check_matcher(self) -> None:
        """Refuse another matcher than that of the stored comparisons."""
        found, digest = self._rows("SELECT value FROM settings WHERE name = 'model'"), _digest(self._matcher)
        if not found:
            self._database.execute("INSERT INTO settings VALUES ('model', ?)", [digest])
        elif found[0][0] != digest:
            raise InputError(
                f"cannot continue from {self._path}: its references were compared by another pairwise matcher; "
                "give that one with --pair-model, or link into a new file"
            )

    def _insert_citations(self, source: str, place: int, some: Sequence[Item], parse: Parse, digest: str) -> None:
        """Add references in one transaction."""
        begin = len(self) + 1
        columns: list[list[Any]] = [[] for _ in range(8)]
        records = records_of([one.reference for one in some], parse)
        for number, record in enumerate(records):
            written, error = dump_record(record)
            text, error = (record.origin.text, record.origin.error or error) if record.origin else ("", error)
            where = (begin + number, source, place + number + 1)
            for column, value in zip(
                columns, (*where, text, *_title_and_year(record), error, written.decode()), strict=True
            ):
                column.append(_clean(value))
        with self._transaction() as database:
            self._append("citations", columns)
            database.execute("INSERT OR REPLACE INTO sources VALUES (?, ?, ?)", [source, place + len(some), digest])

    def _rows_to_compare(self) -> list[ComparisonFields]:
        """Return the comparison fields of all references, in order; values they share are held once.

        A reference that turns out to have none gets its error, and is not compared from then on.
        """
        pool: dict[Any, Any] = {}
        rows, errors = [], []
        cursor = self._database.cursor()
        cursor.execute("SELECT record, error, text, number FROM citations ORDER BY number")
        for *stored, number in _fetch(cursor):
            record, fields = extract_fields(load_record(*stored))
            rows.append(_intern(fields, pool))
            if stored[1] is None and record.origin and record.origin.error is not None:
                errors.append((number, _clean(record.origin.error)))
        if errors:
            self._database.execute(
                "UPDATE citations SET error = new.error FROM (SELECT unnest(?) AS number, unnest(?) AS error) AS new"
                " WHERE citations.number = new.number",
                [list(column) for column in zip(*errors, strict=True)],
            )
        return rows

    def _compared(self) -> ScoredPairs:
        found = self._database.execute("SELECT one, other, log_odds FROM comparisons").fetchnumpy()
        left, right = (np.asarray(found[name], dtype=np.int64) - 1 for name in ("one", "other"))
        return ScoredPairs(left, right, np.asarray(found["log_odds"], dtype=np.float64))

    def _keep(self, compared: ScoredPairs) -> None:
        columns = [(compared.left + 1).tolist(), (compared.right + 1).tolist(), compared.scores.tolist()]
        with self._transaction():
            self._append("comparisons", columns)

    def _write(self, linked: Linked) -> None:
        """Bring works and links up to date in one transaction."""
        new = _work_numbers(linked)
        found = self._database.execute("SELECT citation, work FROM links").fetchnumpy()
        old = np.zeros(len(new), dtype=np.int64)
        old[np.asarray(found["citation"], dtype=np.int64) - 1] = np.asarray(found["work"], dtype=np.int64)
        changed = _has_changed(old, new)
        builder = ClusterBuilder(linked)
        gone = np.unique(old[(old > 0) & np.isin(old, np.union1d(old[changed], new[changed]))])
        numbers = [(np.flatnonzero(changed) + 1).tolist(), new[changed].tolist()]
        self._database.execute("CREATE OR REPLACE TABLE changes (citation BIGINT, work BIGINT)")
        for begin in range(0, len(numbers[0]), _ROWS):
            self._append("changes", [column[begin : begin + _ROWS] for column in numbers])
        with self._transaction() as database:
            database.execute("DELETE FROM works WHERE number IN (SELECT unnest(?))", [gone.tolist()])
            database.execute("DELETE FROM links WHERE work IN (SELECT unnest(?))", [gone.tolist()])
            works = self._build_changed(builder)
            while batch := list(islice(works, _BATCH)):
                self._insert(batch)
            self._update_confidence(builder)
            database.execute("INSERT OR REPLACE INTO settings VALUES ('threshold', ?)", [repr(linked.threshold)])
            database.execute("DROP TABLE changes")

    def _build_changed(self, builder: ClusterBuilder) -> Iterator[Work]:
        """Build the works that have changed."""
        cursor = self._database.cursor()
        cursor.execute(
            "SELECT h.work, h.citation, c.record, c.error, c.text FROM changes h"
            " JOIN citations c ON c.number = h.citation ORDER BY h.work, h.citation"
        )
        for _, rows in groupby(_fetch(cursor), key=lambda row: row[0]):
            held = list(rows)
            yield builder.work([row[1] - 1 for row in held], [load_record(*row[2:]) for row in held])

    def _insert(self, works: Sequence[Work]) -> None:
        rows, links = [], []
        for work in works:
            number = work.members[0].number + 1
            sources = [source + 1 for source in work.sources]
            shown = (number, len(work.members), work.confidence, work.record.type, *_title_and_year(work.record))
            rows.append((*shown, record_json(work.record).decode(), sources))
            links += [
                (one.number + 1, number, None if one.nearest is None else one.nearest + 1, one.probability)
                for one in work.members
            ]
        for table, given in (("works", rows), ("links", links)):
            self._append(table, [[_clean(value) for value in column] for column in zip(*given, strict=True)])

    def _update_confidence(self, builder: ClusterBuilder) -> None:
        """Update the confidence of unchanged works, which depends on new references near them too."""
        found = self._database.execute("SELECT number, confidence FROM works").fetchnumpy()
        numbers = np.asarray(found["number"], dtype=np.int64)
        now = np.array([builder.confidence(number - 1) for number in numbers.tolist()])
        other = np.abs(now - np.asarray(found["confidence"], dtype=np.float64)) > 1e-12
        columns = [numbers[other].tolist(), now[other].tolist()]
        if columns[0]:
            self._database.execute(
                "UPDATE works SET confidence = other.confidence FROM "
                "(SELECT unnest(?) AS number, unnest(?) AS confidence) AS other WHERE works.number = other.number",
                columns,
            )

    def _append(self, table: str, columns: Sequence[list[Any]]) -> None:
        self._database.execute(f"INSERT INTO {table} SELECT {', '.join(['unnest(?)'] * len(columns))}", columns)

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        """Yield the database in a transaction."""
        self._database.execute("BEGIN")
        try:
            yield self._database
        except BaseException:
            roll_back(self._database)
            raise
        self._database.execute("COMMIT")

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return list(self._database.execute(query, list(values)).fetchall())


class _Stored(Sequence[_Value]):
    """A sequence in a database; `read` yields `count` items from the `first` on, when they are needed."""

    def __init__(self, path: Path, count: int, read: Callable[[Any, int, int], Iterator[_Value]]) -> None:
        self._path, self._count, self._read = path, count, read

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> _Value: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[_Value]: ...
    def __getitem__(self, index: int | slice) -> _Value | Sequence[_Value]:
        return list(self)[index] if isinstance(index, slice) else next(self._items(range(self._count)[index], 1))

    def __iter__(self) -> Iterator[_Value]:
        return self._items(0, self._count)

    def _items(self, first: int, count: int) -> Iterator[_Value]:
        with explain_errors(self._path), open_to_read(self._path) as cursor:
            yield from self._read(cursor, first, count)


class StoredWorks(Works):
    """The works of a database; they are read when needed, and not held in memory."""

    def __init__(self, path: Path, linked: Linked, counts: tuple[int, int]) -> None:
        super().__init__(_Stored(path, counts[0], _read_works), linked)
        self._repeated = counts[1]

    def count_repeated(self) -> int:
        """Return the number of works that are cited more than once."""
        return self._repeated


def _read_works(cursor: Any, first: int, count: int) -> Iterator[Work]:
    cursor.execute(
        "SELECT w.number, w.confidence, w.record, w.sources, l.citation, l.nearest, l.probability,"
        " c.record, c.error, c.text FROM (SELECT * FROM works ORDER BY number LIMIT ? OFFSET ?) w"
        " JOIN links l ON l.work = w.number JOIN citations c ON c.number = l.citation"
        " ORDER BY w.number, l.citation",
        [count, first],
    )
    for _, rows in groupby(_fetch(cursor), key=lambda row: row[0]):
        held = list(rows)
        _, confidence, record, sources = held[0][:4]
        members = tuple(
            Member(one - 1, load_record(*stored), None if near is None else near - 1, probability)
            for *_, one, near, probability, stored in ((*row[:7], row[7:]) for row in held)
        )
        yield Work(load_record(record), members, confidence, tuple(source - 1 for source in sources))


def _read_records(cursor: Any, first: int, count: int) -> Iterator[Record]:
    query = "SELECT record, error, text FROM citations WHERE number BETWEEN ? AND ? ORDER BY number"
    cursor.execute(query, [first + 1, first + count])
    return (load_record(*row) for row in _fetch(cursor))


def _digest(matcher: PairwiseMatcher) -> str:
    """Return a digest of the weights and words of a matcher, without its card."""
    held = [sorted(matcher.weights.items()), matcher.bias, sorted(matcher.background.items()), matcher.documents]
    return hashlib.sha256(orjson.dumps(held)).hexdigest()[:16]


def _work_numbers(linked: Linked) -> Ints:
    """Return the work of each reference: the number, from 1, of its first citation."""
    first: dict[int, int] = {}
    return np.array(
        [first.setdefault(cluster, place + 1) for place, cluster in enumerate(linked.clusters())], dtype=np.int64
    )


def _has_changed(old: Ints, new: Ints) -> Any:
    """Return whether each reference is in a work whose members have changed."""
    size = int(max(old.max(initial=0), new.max(initial=0))) + 1
    kept = old == new
    same = np.bincount(new[kept], minlength=size)
    whole = (same == np.bincount(new, minlength=size)) & (same == np.bincount(old, minlength=size))
    return ~(kept & whole[new])


def _fetch(cursor: Any) -> Iterator[Any]:
    while rows := cursor.fetchmany(_ROWS):
        yield from rows
    cursor.close()


def _title_and_year(record: Record) -> tuple[str | None, int | None]:
    try:
        return text_of(record.first("title")) or None, year_of(record.first("date"))
    except Exception:  # the record's own error says why
        return None, None


def _clean(value: Any) -> Any:
    """Return the value; lone surrogates in a text are escaped."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _intern(row: ComparisonFields, pool: dict[Any, Any]) -> ComparisonFields:
    """Return the fields with values that recur held once for all references."""

    def one(value: Any) -> Any:
        return pool.setdefault(value, value)

    return ComparisonFields(
        row.text, row.title, one(row.venue), tuple(one((one(family), letter)) for family, letter in row.people),
        row.more_people, row.year, one(row.volume), one(row.issue), one(row.first), one(row.last), one(row.number),
        one(row.kind), row.identifiers,
    )  # fmt: skip
