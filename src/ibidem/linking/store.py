"""References, works and links kept in a DuckDB database that a person can query, and that linking goes on from.

    citations    every reference: number, where it is from, text, title, year, record (JSON), error
    works        every work: its number is that of its first citation; confidence, title, year, record (JSON)
    links        which citation means which work, the citation it is most surely one with, and how surely
    comparisons  the log-odds of the pairs that were compared, so that none is compared twice
    sources      the files, how many references were taken of each, and a digest of those
    settings     the form of the tables, the model of pairs and the threshold

References are taken some at a time, each time whole or not at all, and so are comparisons; works and links change
together. Whoever ends the program at any moment finds the database as it was after the last step, and the same command
goes on from there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby, islice
from pathlib import Path
from typing import Any, overload

import numpy as np
import orjson

from ibidem.errors import InputError, MissingExtra
from ibidem.linking.comparison import View, view_of, written_of
from ibidem.linking.inputs import Item, Parse, records_of
from ibidem.linking.linking import ClusterBuilder, Known, Linked, Member, Progress, Work, link_views
from ibidem.linking.matcher import PairModel
from ibidem.linking.vectors import Ints
from ibidem.records.formats.jsonl import as_object, record_of_object
from ibidem.records.record import Date, Record

FORMAT = "ibidem-link-1"
_BATCH = 1_000  # references taken at a time
_ROWS = 10_000  # rows read at a time
_TABLES = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS sources (path TEXT PRIMARY KEY, taken BIGINT, digest TEXT);
CREATE TABLE IF NOT EXISTS citations (number BIGINT, source TEXT, place BIGINT, text TEXT, title TEXT, year INTEGER,
    error TEXT, record TEXT);
CREATE TABLE IF NOT EXISTS works (number BIGINT, citations BIGINT, confidence DOUBLE, type TEXT, title TEXT,
    year INTEGER, record TEXT, sources BIGINT[]);
CREATE TABLE IF NOT EXISTS links (citation BIGINT, work BIGINT, nearest BIGINT, probability DOUBLE);
CREATE TABLE IF NOT EXISTS comparisons (one BIGINT, other BIGINT, log_odds DOUBLE);
"""


class Store:
    """A database of references and works; to be closed, or used with `with`."""

    def __init__(self, path: Path, model: PairModel) -> None:
        self._path, self._model = path, model
        self._database = _connected(path)
        try:
            self._database.execute(_TABLES)
            self._check("format", FORMAT, "it is of another version; link into a new file")
            self._check("model", _digest(model), "its references were compared by another model of pairs; "
                        "give that one with --pair-model, or link into a new file")  # fmt: skip
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def __len__(self) -> int:
        return int(self._one("SELECT count(*) FROM citations"))

    def counts(self) -> tuple[int, int]:
        """How many works there are, and how many of them have several citations."""
        works, several = self._rows("SELECT count(*), count(*) FILTER (citations > 1) FROM works")[0]
        return int(works), int(several)

    def take(self, source: str, items: Iterable[Item], parse: Parse) -> int:
        """How many references of a source were new; those that were taken before are passed over.

        The source must begin with what was taken of it before; it may have grown.
        """
        found = self._rows("SELECT taken, digest FROM sources WHERE path = ?", [source])
        before, known = (int(found[0][0]), str(found[0][1])) if found else (0, "")
        digest, place = hashlib.sha256(), 0
        waiting = iter(items)
        while some := list(islice(waiting, _BATCH if place >= before else min(_BATCH, before - place))):
            for item in some:
                digest.update(len(item.raw).to_bytes(8, "little") + item.raw)
            if place >= before:
                self._add(source, place, some, parse, digest.hexdigest())
            place += len(some)
            if place == before and digest.hexdigest() != known:
                break
        if place < before or (place == before and before and digest.hexdigest() != known):
            raise InputError(
                f"{source} is not what it was when {before:,} references of it were taken into {self._path}: "
                "give the new ones in a file of their own, or link into a new database"
            )
        return place - before

    def link(self, threshold: float | None = None, progress: Progress | None = None) -> Linked:
        """What linking finds among all references; works and links are brought up to date."""
        chance = self._model.threshold if threshold is None else threshold
        node, table, pairs, scores, label = link_views(
            self._views(), self._model, chance, progress, self._known(), self._keep
        )
        records = _Stored(self._database, len(node))
        linked = Linked(records, node, table, pairs, scores, label, self._model, chance)
        self._write(linked)
        return linked

    def works(self) -> Iterator[Work]:
        """The works in the order of their first references, with their members."""
        cursor = self._database.cursor()
        cursor.execute(
            "SELECT w.number, w.confidence, w.record, w.sources, l.citation, l.nearest, l.probability, c.record"
            " FROM works w JOIN links l ON l.work = w.number JOIN citations c ON c.number = l.citation"
            " ORDER BY w.number, l.citation"
        )
        for _, rows in groupby(_fetched(cursor), key=lambda row: row[0]):
            held = list(rows)
            _, confidence, record, sources = held[0][:4]
            members = tuple(
                Member(one - 1, _record(own), None if near is None else near - 1, chance)
                for *_, one, near, chance, own in held
            )
            yield Work(_record(record), members, confidence, tuple(source - 1 for source in sources))

    def _check(self, name: str, value: str, otherwise: str) -> None:
        """Nothing: a setting that is not there yet is made; another value is refused."""
        found = self._rows("SELECT value FROM settings WHERE name = ?", [name])
        if not found:
            self._database.execute("INSERT INTO settings VALUES (?, ?)", [name, value])
        elif found[0][0] != value:
            raise InputError(f"cannot go on with {self._path}: {otherwise}")

    def _add(self, source: str, place: int, some: Sequence[Item], parse: Parse, digest: str) -> None:
        """Nothing: takes references, all of them or none."""
        begin = len(self) + 1
        columns: list[list[Any]] = [[] for _ in range(8)]
        for number, (item, record) in enumerate(zip(some, records_of([one.given for one in some], parse), strict=True)):
            text = record.origin.text if record.origin else ""
            error = item.error or next(iter(record.warnings), None) if not record.entries else item.error
            values = (begin + number, source, place + number + 1, text, *_shown(record), error, _json(record))
            for column, value in zip(columns, values, strict=True):
                column.append(_clean(value))
        with self._whole() as database:
            database.execute(f"INSERT INTO citations SELECT {_unnest(columns)}", columns)
            database.execute("INSERT OR REPLACE INTO sources VALUES (?, ?, ?)", [source, place + len(some), digest])

    def _views(self) -> list[View]:
        """The views of all references, in order; what they have in common is held once."""
        pool: dict[Any, Any] = {}
        cursor = self._database.cursor()
        cursor.execute("SELECT record FROM citations ORDER BY number")
        return [_pooled(view_of(_record(row[0])), pool) for row in _fetched(cursor)]

    def _known(self) -> Known:
        found = self._database.execute("SELECT one, other, log_odds FROM comparisons").fetchnumpy()
        left, right = (np.asarray(found[name], dtype=np.int64) - 1 for name in ("one", "other"))
        return Known(left, right, np.asarray(found["log_odds"], dtype=np.float64))

    def _keep(self, compared: Known) -> None:
        columns = [(compared.left + 1).tolist(), (compared.right + 1).tolist(), compared.scores.tolist()]
        with self._whole() as database:
            database.execute(f"INSERT INTO comparisons SELECT {_unnest(columns)}", columns)

    def _write(self, linked: Linked) -> None:
        """Nothing: brings works and links up to date, both or neither."""
        new = _works(linked)
        found = self._database.execute("SELECT citation, work FROM links").fetchnumpy()
        old = np.zeros(len(new), dtype=np.int64)
        old[np.asarray(found["citation"], dtype=np.int64) - 1] = np.asarray(found["work"], dtype=np.int64)
        changed = _changed(old, new)
        gathering = ClusterBuilder(linked)
        gone = np.unique(old[(old > 0) & np.isin(old, np.union1d(old[changed], new[changed]))])
        numbers = [(np.flatnonzero(changed) + 1).tolist(), new[changed].tolist()]
        self._database.execute("CREATE OR REPLACE TABLE changes (citation BIGINT, work BIGINT)")
        for begin in range(0, len(numbers[0]), _ROWS):
            some = [column[begin : begin + _ROWS] for column in numbers]
            self._database.execute(f"INSERT INTO changes SELECT {_unnest(some)}", some)
        with self._whole() as database:
            database.execute("DELETE FROM works WHERE number IN (SELECT unnest(?))", [gone.tolist()])
            database.execute("DELETE FROM links WHERE work IN (SELECT unnest(?))", [gone.tolist()])
            for some_works in _portions(self._gathered(gathering)):
                self._insert(some_works)
            self._confide(gathering)
            database.execute("INSERT OR REPLACE INTO settings VALUES ('threshold', ?)", [repr(linked.threshold)])
            database.execute("DROP TABLE changes")

    def _gathered(self, gathering: ClusterBuilder) -> Iterator[Work]:
        """The works that have changed."""
        cursor = self._database.cursor()
        cursor.execute(
            "SELECT h.work, h.citation, c.record FROM changes h JOIN citations c ON c.number = h.citation"
            " ORDER BY h.work, h.citation"
        )
        for _, rows in groupby(_fetched(cursor), key=lambda row: row[0]):
            held = list(rows)
            yield gathering.work([row[1] - 1 for row in held], [_record(row[2]) for row in held])

    def _insert(self, works: Sequence[Work]) -> None:
        rows, links = [], []
        for work in works:
            number = work.members[0].number + 1
            sources = [source + 1 for source in work.sources]
            shown = (number, len(work.members), work.confidence, work.record.type, *_shown(work.record))
            rows.append((*shown, _json(work.record), sources))
            links += [
                (one.number + 1, number, None if one.nearest is None else one.nearest + 1, one.probability)
                for one in work.members
            ]
        for table, given in (("works", rows), ("links", links)):
            columns = [[_clean(value) for value in column] for column in zip(*given, strict=True)]
            self._database.execute(f"INSERT INTO {table} SELECT {_unnest(columns)}", columns)

    def _confide(self, gathering: ClusterBuilder) -> None:
        """Nothing: how sure the works are that have not changed may have, by what is near them."""
        found = self._database.execute("SELECT number, confidence FROM works").fetchnumpy()
        numbers = np.asarray(found["number"], dtype=np.int64)
        now = np.array([gathering.confidence(number - 1) for number in numbers.tolist()])
        other = np.abs(now - np.asarray(found["confidence"], dtype=np.float64)) > 1e-12
        columns = [numbers[other].tolist(), now[other].tolist()]
        if columns[0]:
            self._database.execute(
                "UPDATE works SET confidence = other.confidence FROM "
                "(SELECT unnest(?) AS number, unnest(?) AS confidence) AS other WHERE works.number = other.number",
                columns,
            )

    @contextmanager
    def _whole(self) -> Iterator[Any]:
        """The database in a transaction."""
        self._database.execute("BEGIN")
        try:
            yield self._database
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return list(self._database.execute(query, list(values)).fetchall())

    def _one(self, query: str) -> Any:
        return self._rows(query)[0][0]


class _Stored(Sequence[Record]):
    """The records of a database, each read when it is asked for."""

    def __init__(self, database: Any, count: int) -> None:
        self._database, self._count = database, count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Record]: ...
    def __getitem__(self, place: int | slice) -> Record | Sequence[Record]:
        if isinstance(place, slice):
            return [self[k] for k in range(*place.indices(self._count))]
        found = self._database.execute("SELECT record FROM citations WHERE number = ?", [place + 1]).fetchall()
        if not found:
            raise IndexError(place)
        return _record(found[0][0])


def _connected(path: Path) -> Any:
    try:
        import duckdb
    except ImportError:
        raise MissingExtra("a database of links needs duckdb: pip install 'ibidem[store]'") from None
    try:
        return duckdb.connect(str(path), config={"memory_limit": "512MB", "threads": 1})
    except duckdb.Error as error:
        first = str(error).partition("\n")[0]
        raise InputError(f"cannot open {path} as a database of links: {first}") from error


def _digest(model: PairModel) -> str:
    """What tells one model of pairs from another: weights and words, not the card."""
    held = [sorted(model.weights.items()), model.bias, sorted(model.background.items()), model.documents]
    return hashlib.sha256(orjson.dumps(held)).hexdigest()[:16]


def _works(linked: Linked) -> Ints:
    """The work of each reference: the number, from 1, of its first one."""
    first: dict[int, int] = {}
    return np.array(
        [first.setdefault(cluster, place + 1) for place, cluster in enumerate(linked.clusters())], dtype=np.int64
    )


def _changed(old: Ints, new: Ints) -> Any:
    """Which references are in works that have other members than before."""
    size = int(max(old.max(initial=0), new.max(initial=0))) + 1
    kept = old == new
    same = np.bincount(new[kept], minlength=size)
    whole = (same == np.bincount(new, minlength=size)) & (same == np.bincount(old, minlength=size))
    return ~(kept & whole[new])


def _portions(works: Iterator[Work]) -> Iterator[list[Work]]:
    while some := list(islice(works, _BATCH)):
        yield some


def _fetched(cursor: Any) -> Iterator[Any]:
    while rows := cursor.fetchmany(_ROWS):
        yield from rows
    cursor.close()


def _unnest(columns: Sequence[Any]) -> str:
    return ", ".join(["unnest(?)"] * len(columns))


def _shown(record: Record) -> tuple[str | None, int | None]:
    """The title and the year of a record."""
    date = record.first("date")
    return written_of(record.first("title")) or None, date.year if isinstance(date, Date) else None


def _json(record: Record) -> str:
    try:
        return orjson.dumps(as_object(record)).decode()
    except orjson.JSONEncodeError:  # a lone surrogate
        lost = Record(record.type, warnings=("not valid Unicode: a lone surrogate",))
        return orjson.dumps(as_object(lost)).decode()


def _record(text: str) -> Record:
    return record_of_object(orjson.loads(text))


def _clean(value: Any) -> Any:
    """The value; a text that is no valid Unicode with what is wrong in it written out."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _pooled(view: View, pool: dict[Any, Any]) -> View:
    """The view with those of its values that others have too held once for all."""

    def one(value: Any) -> Any:
        return pool.setdefault(value, value)

    return View(
        view.text, view.title, one(view.venue), tuple(one((one(family), letter)) for family, letter in view.people),
        view.more_people, view.year, one(view.volume), one(view.issue), one(view.first), one(view.last),
        one(view.number), one(view.kind), view.identifiers,
    )  # fmt: skip
