"""The robustness benchmarks: failures are found and put down to their cases, and the same seed gives the same cases."""

from __future__ import annotations

import signal

import pytest
from torture_cases import BREAKS, CRASHES, RUNS_ON, Drill

import ibidem
from benchmarks.robustness import strings
from benchmarks.robustness.families import FAMILIES
from benchmarks.robustness.files import TARGETS, FileCheck, undamaged_files
from benchmarks.robustness.growth import slope_of, steps_of
from benchmarks.robustness.kills import COMMANDS, kill_command, make_inputs
from benchmarks.robustness.laws import COUNTERS, check_format, check_parsed, check_record
from benchmarks.robustness.settings import Settings, read_settings
from benchmarks.robustness.watched import run_watched
from benchmarks.robustness.words import WORDS
from ibidem.errors import ConfigError
from ibidem.records.formats import FORMATS
from ibidem.records.record import Entry, Record
from ibidem.types import Field, Parsed

REFERENCE = "Doe J. On things. J Thing Res. 2019;14(3):153-60."


@pytest.fixture
def settings(tmp_path):
    return Settings(seed=1, minutes=5, jobs=2, failures=tmp_path / "failures")


def test_crashes_and_hangs_are_put_down_to_their_cases_and_the_rest_is_run(settings):
    outcome = run_watched(Drill(), range(40), settings, 5)
    assert {what: (kept[0].case, kept[0].input) for what, kept in outcome.faults.items()} == {
        f"the process ended with status {-signal.SIGKILL}": (CRASHES, f"input {CRASHES}".encode()),
        "takes too long at outside Ibidem": (RUNS_ON, b"for ever"),
        "law: broken": (BREAKS, b"broken"),
    }
    assert outcome.cases == 40 and outcome.counts["done"] == 39
    outcome.save(settings.failures, "drill", 1)
    assert any("case 7" in path.read_text() for path in settings.failures.glob("*.txt"))


def test_a_run_stops_when_its_time_is_up(settings):
    assert run_watched(Drill(), range(10**9), settings, 0).cases == 0


def test_a_seed_gives_the_same_strings_and_another_seed_others():
    assert strings.strings_of(1, 3) == strings.strings_of(1, 3)
    assert strings.strings_of(1, 3) != strings.strings_of(2, 3) != strings.strings_of(2, 4)


def test_every_format_is_written_by_some_batch_and_can_be_counted():
    assert {name for case in range(4) for name in strings.formats_of(case)} == set(FORMATS) == set(COUNTERS)


@pytest.mark.parametrize(
    ("fields", "broken"),
    [
        ([Field("title", "things", 0, 6, 0.5)], "offsets"),
        ([Field("title", "On", 0, 2, 1.5)], "between 0 and 1"),
        ([Field("title", "On", 0, 2, float("nan"))], "between 0 and 1"),
        ([Field("title", "On th", 0, 5, 0.5), Field("title/a", "things", 3, 9, 0.5)], "overlap"),
        ([Field("title", "On things", 0, 9, 0.5), Field("date", "On", 0, 2, 0.5)], "overlap"),
    ],
)
def test_an_answer_that_breaks_a_law_is_found(fields, broken):
    found = list(check_parsed("On things", Parsed("On things", tuple(fields), 0.5)))
    assert any(broken in law for law in found)


def test_a_fault_that_a_guard_has_caught_is_still_a_fault():
    message = (
        "a fault in Ibidem while reading a name: KeyError; please report it as fault eaae94d3, with this reference"
    )
    assert list(check_parsed("x", Parsed("x", error=message)))
    parsed = Parsed("x")
    assert list(check_record(parsed, Record(entries=(Entry("title", "x", "x", 0, 1, 1.0, (message,)),), origin=parsed)))


@pytest.mark.parametrize("name", FORMATS)
def test_good_references_break_no_law(name):
    parsed = ibidem.parse(REFERENCE)
    assert not list(check_parsed(REFERENCE, parsed)) and not list(check_record(parsed, parsed.record))
    assert not list(check_format(name, [parsed.record, ibidem.parse("no reference").record]))


@pytest.mark.parametrize("name", TARGETS)
def test_damaged_files_are_made_of_whole_ones_that_can_be_read(name):
    files = undamaged_files(TARGETS[name])
    check = FileCheck(name, 1, tuple(files))
    damaged = {check.input_of(case) for case in range(20)}
    assert len(damaged) > 10 and damaged == {check.input_of(case) for case in range(20)}
    assert set(WORDS) == set(TARGETS)


def test_an_exception_in_a_reader_is_reported_with_the_file(monkeypatch):
    def fail(path, random):
        raise KeyError(path.name)

    monkeypatch.setitem(TARGETS, "ris", TARGETS["ris"].__class__(".ris", TARGETS["ris"].make, fail))
    found = []
    check = FileCheck("ris", 1, (b"TY  - JOUR\nER  - \n",))
    assert check(0, lambda *fault: found.append(fault)) == {"faults": 1}
    [(what, data, detail)] = found
    assert "KeyError" in what and data == check.input_of(0) and "Traceback" in detail


def test_a_killed_conversion_keeps_its_promises(settings, tmp_path):
    make_inputs(tmp_path, 1)
    faults, kills = kill_command("convert", COMMANDS["convert"], tmp_path, _few(settings, 2), 2)
    assert kills == 2
    assert not any("output" in what for what in faults.times), faults.times


def test_a_command_that_writes_in_place_is_found(settings, tmp_path):
    """A command that leaves half an output when it is killed breaks its promise."""
    from benchmarks.robustness import kills

    make_inputs(tmp_path, 1)
    careless = "import sys, time\nwith open('out', 'w', buffering=1) as out:\n"
    careless += "    for number in range(40):\n        out.write(f'{number}\\n'); time.sleep(0.03)\n"
    command = kills.Command((), "out", program=("-c", careless))
    faults, _ = kill_command("careless", command, tmp_path, _few(settings, 4), 2)
    assert any("neither the old nor the new" in what for what in faults.times)


def _few(settings: Settings, count: int) -> Settings:
    return Settings(settings.seed, settings.minutes, settings.jobs, settings.failures, range(count))


def test_the_exponent_of_growth_is_the_slope_on_logarithmic_scales():
    assert slope_of((5, 10, 20), (1, 2, 4)) == pytest.approx(1)
    assert slope_of((5, 10, 20), (1, 4, 16)) == pytest.approx(2)


def test_every_family_has_the_length_asked_for_and_every_step_can_be_called():
    assert len(FAMILIES) >= 40
    assert all(len(make(300)) == 300 for make in FAMILIES.values())
    for name, step in steps_of(REFERENCE).items():
        assert name and step is not None
        step()


def test_settings_come_from_the_environment(monkeypatch, tmp_path):
    for name, value in {"SEED": "7", "MINUTES": "0.5", "JOBS": "3", "CASES": "4-6", "ONLY": "ris,tei"}.items():
        monkeypatch.setenv(f"IBIDEM_TORTURE_{name}", value)
    monkeypatch.setenv("IBIDEM_TORTURE_FAILURES", str(tmp_path))
    found = read_settings()
    assert found == Settings(7, 0.5, 3, tmp_path, range(4, 7), frozenset({"ris", "tei"}))
    assert found.cases_of(100) == range(4, 7) and found.wants("ris") and not found.wants("jats")
    monkeypatch.setenv("IBIDEM_TORTURE_CASES", "many")
    with pytest.raises(ConfigError, match="many"):
        read_settings()


def test_a_string_is_narrowed_down_to_the_one_that_fails(monkeypatch):
    def count(data):
        if b"Reed" in data:
            raise ValueError("not well-formed")
        return sum(line.startswith(b"@") for line in data.split(b"\n"))

    monkeypatch.setitem(COUNTERS, "bibtex", count)
    texts = [f"Marsh, A. ({1990 + number}). On things. River Letters, 3, 1-2." for number in range(20)]
    texts[13] = "Reed, A. (1999). On reeds. River Letters, 3, 1-2."
    found = []
    strings._Batch(lambda *fault: found.append(fault)).check(texts, ["bibtex"])
    assert [(what.split()[0], data.decode()) for what, data, _ in found] == [("ValueError", texts[13])]
