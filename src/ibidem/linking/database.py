"""The DuckDB file of a store: opened only if it is one, and checked before any of its numbers is used as an index.

A file is first opened to be read: one that is no store, or a damaged one, is refused and stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ibidem.errors import InputError, MissingExtra
from ibidem.faults import first_line
from ibidem.files import check_outputs

FORMAT = "ibidem-link-1"
_CONFIG = {"memory_limit": "512MB", "threads": 1}
_MAGIC, _MAGIC_AT = b"DUCK", 8  # a checksum comes before it

_TABLES = {
    "settings": "name VARCHAR PRIMARY KEY, value VARCHAR",
    "sources": "path VARCHAR PRIMARY KEY, taken BIGINT, digest VARCHAR",
    "citations": "number BIGINT, source VARCHAR, place BIGINT, text VARCHAR, title VARCHAR, year INTEGER,"
    " error VARCHAR, record VARCHAR",
    "works": "number BIGINT, citations BIGINT, confidence DOUBLE, type VARCHAR, title VARCHAR, year INTEGER,"
    " record VARCHAR, sources BIGINT[]",
    "links": "citation BIGINT, work BIGINT, nearest BIGINT, probability DOUBLE",
    "comparisons": "one BIGINT, other BIGINT, log_odds DOUBLE",
}
_DAMAGE = {  # what is wrong where a query finds a row; `total` has the number of references as n
    "its references are not numbered from 1 on": "SELECT 1 FROM citations HAVING count(*) > 0 AND (min(number) <> 1"
    " OR max(number) <> count(*) OR count(DISTINCT number) <> count(*) OR count(number) <> count(*))",
    "its sources do not have as many references as were taken from them": "SELECT 1 FROM sources s FULL JOIN"
    " (SELECT source, count(*) AS held FROM citations GROUP BY source) c ON c.source = s.path"
    " WHERE s.taken IS DISTINCT FROM c.held OR s.digest IS NULL",
    "a reference is in two works": "SELECT 1 FROM links HAVING count(DISTINCT citation) <> count(*)",
    "a link leads nowhere": "SELECT 1 FROM links, total WHERE NOT coalesce(citation, 0) BETWEEN 1 AND n"
    " OR NOT coalesce(nearest, 1) BETWEEN 1 AND n OR NOT coalesce(probability, 0) BETWEEN 0 AND 1",
    "a work does not have the references that it is said to have": "SELECT 1 FROM works w FULL JOIN (SELECT work,"
    " count(*) AS held, min(citation) AS first FROM links GROUP BY work) l ON l.work = w.number"
    " WHERE w.citations IS DISTINCT FROM l.held OR w.number IS DISTINCT FROM l.first",
    "two works have the same number": "SELECT 1 FROM works HAVING count(DISTINCT number) <> count(*)",
    "a work has a confidence or sources that cannot be": "SELECT 1 FROM works, total WHERE NOT coalesce(confidence, -1)"
    " BETWEEN 0 AND 1 OR sources IS NULL OR list_count(sources) <> len(sources)"
    " OR NOT coalesce(list_min(sources), 1) BETWEEN 1 AND n OR NOT coalesce(list_max(sources), 1) BETWEEN 1 AND n",
    "a comparison is not of two references": "SELECT 1 FROM comparisons, total WHERE NOT coalesce(one, 0) BETWEEN 1 AND"
    " n OR NOT coalesce(other, 0) BETWEEN 1 AND n OR one = other OR NOT coalesce(abs(log_odds), 99) <= 8",
}
_TOTAL = "WITH total AS (SELECT count(*) AS n FROM citations)"


def open_store(path: Path) -> Any:
    """Return a connection to a store, which is made where there is none; any other file is refused."""
    duckdb = _duckdb()
    check_outputs((path,), ())
    with explain_errors(path):
        if _is_new(path):
            database = duckdb.connect(str(path.resolve()), config=_CONFIG)
            filled = False
        else:
            filled = _probe(duckdb, path)
            database = duckdb.connect(str(path.resolve()), config=_CONFIG)
        if not filled:
            _create_tables(database)
    return database


def open_to_read(path: Path) -> Any:
    """Return a connection to a store that has been opened before."""
    if not path.exists():
        raise InputError(f"there is no {path} any more: link its files again")
    with explain_errors(path):
        return _duckdb().connect(str(path.resolve()), config=_CONFIG)


@contextmanager
def explain_errors(path: Path) -> Iterator[None]:
    """Turn an error of DuckDB into an `InputError` that says what to do."""
    duckdb = _duckdb()
    try:
        yield
    except duckdb.Error as error:
        first = first_line(error)
        raise InputError(f"cannot use {path} as a database of links: {first}; {_advise(first)}") from error


def roll_back(database: Any) -> None:
    """Undo the open transaction; there is none any more where DuckDB itself has ended it."""
    with suppress(_duckdb().Error):
        database.execute("ROLLBACK")


def _advise(message: str) -> str:
    low = message.lower()
    if "lock" in low and "block" not in low:
        return "another program has it open: wait until that ends, then run the same command again"
    if any(words in low for words in ("no space", "too large", "could not write", "quota", "memory")):
        return "make space, then run the same command again: it continues after the last complete step"
    return "if it is damaged, restore it from a copy, or link its files into a new one"


def _duckdb() -> Any:
    try:
        import duckdb
    except ImportError:
        raise MissingExtra("a database of links needs duckdb: pip install 'ibidem[tables]'") from None
    return duckdb


def _is_new(path: Path) -> bool:
    """Return whether there is no database yet; an empty file is none, and is removed."""
    log = path.with_name(path.name + ".wal")
    if not path.exists():
        if log.exists():
            raise InputError(f"there is {log} without its database: put {path} back beside it, or remove it")
        return True
    if not path.is_file():
        raise InputError(f"{path} is not a file: give the name of a database of links, or of a new file")
    with path.open("rb") as stream:
        head = stream.read(_MAGIC_AT + len(_MAGIC))
    if not head and not log.exists():
        path.resolve().unlink()
        return True
    if head[_MAGIC_AT:] != _MAGIC:
        raise InputError(f"{path} is no database of links: give another file, which may be a new one")
    return False


def _probe(duckdb: Any, path: Path) -> bool:
    """Return whether a database has the tables of a store and not none at all; refuse any other one."""
    try:
        database = duckdb.connect(str(path.resolve()), read_only=True, config=_CONFIG)
    except duckdb.ConnectionException:  # this process has it open already, and not only to read
        database = duckdb.connect(str(path.resolve()), config=_CONFIG)
    with database:
        columns = _columns(database)
        if not columns:
            return False
        _check_format(database, path, columns)
        for name, wanted in _TABLES.items():
            if columns.get(name) != wanted.replace(" PRIMARY KEY", ""):
                _refuse(path, f"its table {name} is missing or has other columns")
        for what, query in _DAMAGE.items():
            if database.execute(f"{_TOTAL} {query} LIMIT 1").fetchall():
                _refuse(path, what)
    return True


def _columns(database: Any) -> dict[str, str]:
    """Return the columns of each table with their types, as in the statement that creates it."""
    found: dict[str, list[str]] = {}
    query = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal AND database_name ="
    for table, column, kind in database.execute(
        f"{query} current_database() ORDER BY table_name, column_index"
    ).fetchall():
        found.setdefault(table, []).append(f"{column} {kind}")
    return {table: ", ".join(columns) for table, columns in found.items()}


def _check_format(database: Any, path: Path, columns: dict[str, str]) -> None:
    known = columns.get("settings") == _TABLES["settings"].replace(" PRIMARY KEY", "")
    query = "SELECT value FROM settings WHERE name = 'format'"
    found = database.execute(query).fetchall() if known else []
    held = str(found[0][0]) if found else ""
    if not held.startswith(FORMAT.rstrip("0123456789")):
        raise InputError(f"{path} is a database of something else: give another file, which may be a new one")
    if held != FORMAT:
        raise InputError(f"{path} is of another version ({held[:40]}, this is {FORMAT}): link into a new file")


def _refuse(path: Path, what: str) -> None:
    raise InputError(f"{path} is damaged: {what}; restore it from a copy, or link its files into a new one")


def _create_tables(database: Any) -> None:
    """Create all tables in one transaction."""
    database.execute("BEGIN")
    for name, columns in _TABLES.items():
        database.execute(f"CREATE TABLE {name} ({columns})")
    database.execute("INSERT INTO settings VALUES ('format', ?)", [FORMAT])
    database.execute("COMMIT")
