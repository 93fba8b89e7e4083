"""A file that is no store, or a damaged one, is refused in one sentence before it is touched; or it is answered."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from linking_cases import STRINGS

import ibidem
from ibidem.errors import IbidemError, InputError

duckdb = pytest.importorskip("duckdb", reason="the database needs the extra `tables`")

RECORDS = [ibidem.record_of(parsed) for parsed in ibidem.parse_many([*STRINGS, "\0"])]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """The bytes of a small store of two batches."""
    path = tmp_path_factory.mktemp("store") / "a.duckdb"
    ibidem.link(RECORDS[:5], database=path)
    ibidem.link(RECORDS[5:], database=path)
    return path.read_bytes()


@pytest.fixture
def path(tmp_path, store):
    (tmp_path / "a.duckdb").write_bytes(store)
    return tmp_path / "a.duckdb"


def export(path):
    ibidem.write(RECORDS, path)


def make_sqlite(path):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE settings (name TEXT, value TEXT)")
    database.close()


def make_foreign(path):
    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE settings (name VARCHAR, value VARCHAR)")
        database.execute("INSERT INTO settings VALUES ('format', 'of somebody else')")


FOREIGN = {
    "text": lambda path: path.write_text("Reed A. Drift. 2019.\n" * 100),
    "short": lambda path: path.write_bytes(b"x"),
    "zeros": lambda path: path.write_bytes(bytes(10_000)),
    "SQLite": make_sqlite,
    "DuckDB": make_foreign,
    "export": export,
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_file_that_is_no_store_is_refused_and_stays_as_it_is(tmp_path, kind):
    path = tmp_path / "other.duckdb"
    FOREIGN[kind](path)
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"other\.duckdb.* give another file"):
        ibidem.link(RECORDS, database=path)
    assert path.read_bytes() == before and [one.name for one in tmp_path.iterdir()] == ["other.duckdb"]


@pytest.mark.parametrize("version", ["ibidem-link-0", "ibidem-link-2"])
def test_a_store_of_another_version_is_refused_and_stays_as_it_is(path, version):
    with duckdb.connect(str(path)) as database:
        database.execute("UPDATE settings SET value = ? WHERE name = 'format'", [version])
    before = path.read_bytes()
    with pytest.raises(InputError, match=rf"another version \({version}.* link into a new file"):
        ibidem.link(RECORDS, database=path)
    assert path.read_bytes() == before


def test_folders_and_places_that_cannot_be_written_are_refused(tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "no" / "a.duckdb", tmp_path / "file" / "a.duckdb", Path("/dev/null"), ""):
        with pytest.raises(InputError):
            ibidem.link(RECORDS, database=path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_read_only_files_and_folders_are_refused(path):
    path.chmod(0o400)
    with pytest.raises(InputError, match="read-only"):
        ibidem.link(RECORDS, database=path)
    path.chmod(0o600)
    path.parent.chmod(0o500)
    with pytest.raises(InputError, match="cannot be written to"):
        ibidem.link(RECORDS, database=path)
    path.parent.chmod(0o700)


def test_an_empty_file_becomes_a_store(tmp_path):
    (tmp_path / "a.duckdb").touch()
    assert len(ibidem.link(RECORDS, database=tmp_path / "a.duckdb")) == len(ibidem.link(RECORDS))


def test_a_log_without_its_database_is_refused(tmp_path):
    (tmp_path / "a.duckdb.wal").write_bytes(b"x")
    with pytest.raises(InputError, match="without its database"):
        ibidem.link(RECORDS, database=tmp_path / "a.duckdb")
    assert [one.name for one in tmp_path.iterdir()] == ["a.duckdb.wal"]


def test_a_name_that_means_something_to_duckdb_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert list(ibidem.link(RECORDS, database=":memory:"))
    assert (tmp_path / ":memory:").is_file()


HOLD = "import duckdb, sys; database = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


def test_a_store_that_another_program_has_open_is_refused(path):
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "open\n"
        with pytest.raises(InputError, match="another program has it open"):
            ibidem.link(RECORDS, database=path)
        other.communicate("")


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
import ibidem
from ibidem.errors import InputError
from ibidem.records.record import Entry, Record
words = "bells drums lanterns flags ferries pilots tides reeds signals clocks".split()
records = [Record("article", (Entry("title", f"{words[k % 10]} {k} " * 40),)) for k in range(1_000)]
try:
    ibidem.link(records, database=sys.argv[1])
except InputError as error:
    sys.exit(f"refused: {error}")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs limits on the size of files")
def test_a_full_disk_is_told_and_the_same_command_continues(tmp_path):
    path = tmp_path / "a.duckdb"
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 1 and done.stderr.startswith("refused: cannot use"), done.stderr
    assert "make space" in done.stderr
    without = LIMITED.replace("600_000", "1 << 40")
    subprocess.run([sys.executable, "-c", without, str(path)], check=True, timeout=300)


DAMAGE = [
    *(f"DROP TABLE {name}" for name in "settings sources citations works links comparisons".split()),
    *(f"DELETE FROM {name}" for name in "settings sources citations works links".split()),
    "DELETE FROM settings WHERE name = 'format'",
    "DELETE FROM settings WHERE name = 'model'",
    "UPDATE settings SET value = NULL",
    "DELETE FROM citations WHERE number = 3",
    "DELETE FROM links WHERE citation = 3",
    "DELETE FROM works WHERE number = 1",
    "ALTER TABLE citations DROP COLUMN record",
    "ALTER TABLE citations ADD COLUMN more VARCHAR",
    "ALTER TABLE citations ALTER number TYPE VARCHAR",
    "ALTER TABLE links ALTER citation TYPE DOUBLE",
    "ALTER TABLE works RENAME TO others",
    "INSERT INTO citations SELECT * FROM citations",
    "INSERT INTO links SELECT * FROM links",
    "INSERT INTO works SELECT * FROM works",
    *(
        f"UPDATE citations SET number = {value} WHERE number = 3"
        for value in ("NULL", "-3", "0", "9223372036854775807", "4")
    ),
    *(f"UPDATE links SET citation = {value} WHERE citation = 3" for value in ("NULL", "-3", "9223372036854775807")),
    *(f"UPDATE links SET work = {value} WHERE citation = 3" for value in ("NULL", "-3", "9223372036854775807", "4")),
    *(f"UPDATE links SET nearest = {value} WHERE citation = 3" for value in ("-3", "9223372036854775807")),
    *(f"UPDATE links SET probability = {value}" for value in ("-3", "'NaN'")),
    *(f"UPDATE comparisons SET one = {value}" for value in ("NULL", "-1", "9223372036854775807", "other")),
    *(f"UPDATE comparisons SET log_odds = {value}" for value in ("NULL", "'NaN'", "'inf'", "1e300")),
    *(f"UPDATE works SET confidence = {value}" for value in ("NULL", "'NaN'", "-1")),
    *(f"UPDATE works SET sources = {value}" for value in ("NULL", "[NULL]", "[-1]", "[9223372036854775807]", "[]")),
    *(f"UPDATE works SET number = {value} WHERE number = 1" for value in ("NULL", "-1", "2")),
    *(
        f"UPDATE works SET record = {value}"
        for value in ("NULL", "''", "'null'", "'[]'", "'{}'", "repeat('[', 100000)")
    ),
    *(
        f"UPDATE citations SET record = {value}"
        for value in ("NULL", "'no JSON'", "'5'", """'{"type": 5}'""", "'\ud7ff'")
    ),
    """UPDATE citations SET record = '{"type": "article", "entries": [{"field": "date", "value": {"year": 1e400}}]}'""",
    """UPDATE citations SET record = '{"type": "article", "confidence": 1e400, "entries": []}'""",
    "UPDATE citations SET text = NULL, source = NULL, title = NULL, place = -1",
    "UPDATE sources SET taken = -1",
    "UPDATE sources SET taken = NULL, digest = NULL",
    "UPDATE sources SET path = path || 'x'",
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_tables_are_answered_or_refused(path, damage):
    with duckdb.connect(str(path)) as database:
        database.execute(damage)
    before = path.read_bytes()
    try:
        works = list(ibidem.link(RECORDS[5:], database=path))
    except InputError as error:
        assert str(path) in str(error) and "\n" not in str(error)
        assert path.read_bytes() == before
    else:
        assert sorted(member.number for work in works for member in work.members) == list(range(len(RECORDS)))


def test_a_record_that_cannot_be_read_costs_itself(path):
    with duckdb.connect(str(path)) as database:
        database.execute("UPDATE citations SET record = 'no JSON' WHERE number = 3")
    works = list(ibidem.link([], database=path))
    alone = next(work for work in works if work.members[0].number == 2)
    assert len(alone.members) == 1 and alone.confidence == 0
    assert "cannot be read" in alone.members[0].record.warnings[0]
    assert alone.members[0].record.origin.text == RECORDS[2].origin.text
    with duckdb.connect(str(path), read_only=True) as database:
        assert "cannot be read" in database.execute("SELECT error FROM citations WHERE number = 3").fetchone()[0]


TRY = """
import pathlib, sys
import ibidem
from ibidem.errors import InputError
from ibidem.records.record import Entry, Record
folder = pathlib.Path(sys.argv[1])
for path in sorted(folder.glob("*.duckdb")):
    try:
        works = list(ibidem.link([Record("article", (Entry("title", "Bells of the harbour"),))], database=path))
    except InputError as error:
        print(path.name, "refused", str(error).replace(str(path), "FILE")[:100])
    else:
        print(path.name, "answered", len(works))
"""


def damage_bytes(data, seed):
    chosen = random.Random(seed)
    place = chosen.randrange(len(data))
    match seed % 4:
        case 0:
            return data[:place]
        case 1:
            return data[:place] + bytes([data[place] ^ 1 << chosen.randrange(8)]) + data[place + 1 :]
        case 2:
            end = place + chosen.randrange(1, 10_000)
            return data[:place] + bytes(len(data[place:end])) + data[end:]
    place %= 3 * 4_096  # the headers
    return data[:place] + chosen.randbytes(8) + data[place + 8 :]


def try_all(folder):
    """Link into each store of a folder, in a process of its own, which must not end before the last one."""
    done = subprocess.run(
        [sys.executable, "-c", TRY, str(folder)], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout[-200:] + done.stderr[-2_000:]
    assert len(done.stdout.splitlines()) == len(list(folder.glob("*.duckdb")))
    return done.stdout


def test_damaged_bytes_are_answered_or_refused(tmp_path, store):
    for seed in range(100):
        (tmp_path / f"{seed:03}.duckdb").write_bytes(damage_bytes(store, seed))
    found = try_all(tmp_path)
    assert "refused" in found and "answered" in found


KILL = """
import os, pathlib, signal, sys
import ibidem
from ibidem.linking.store import Store
from ibidem.records.record import Entry, Record
plain = Store._insert_citations
def kill(self, *given):
    plain(self, *given)
    os.kill(os.getpid(), signal.SIGKILL)
Store._insert_citations = kill
ibidem.link([Record("article", (Entry("title", "Drift of drums"),))], database=pathlib.Path(sys.argv[1]))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal here")
def test_a_damaged_log_is_answered_or_refused_and_a_whole_one_continued(tmp_path, path):
    subprocess.run([sys.executable, "-c", KILL, str(path)], capture_output=True, check=False, timeout=300)
    log = path.with_name("a.duckdb.wal").read_bytes()
    (tmp_path / "logs").mkdir()
    for seed in range(20):
        (tmp_path / "logs" / f"{seed:03}.duckdb").write_bytes(path.read_bytes())
        (tmp_path / "logs" / f"{seed:03}.duckdb.wal").write_bytes(damage_bytes(log, seed))
    try_all(tmp_path / "logs")
    works = ibidem.link([], database=path)
    assert len(works.linked.records) == len(RECORDS) + 1


def test_a_store_that_is_gone_is_missed_by_its_works(tmp_path):
    works = ibidem.link(RECORDS, database=tmp_path / "a.duckdb")
    (tmp_path / "a.duckdb").unlink()
    with pytest.raises(IbidemError, match="any more"):
        list(works)
    assert not list(tmp_path.iterdir())
