"""The wheel: built from this checkout, installed in an environment of its own, and used as the pages say."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tools.docs.examples import snippets

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
ENDINGS = ("json", "jsonl", "ris", "bib", "tei.xml", "jats.xml", "csv")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def run(*command: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    # The environment of the tests must not show through: what is found there may be missing from the wheel.
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "IBIDEM_DATA")}
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, env=clean, check=False, **options
    )  # type: ignore[call-overload]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = f"--config-settings=build-dir={folder / 'build'}"
    done = run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", build, "--wheel-dir", folder, ROOT)
    assert done.returncode == 0, done.stderr
    [found] = folder.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment with the wheel and what it requires, and no extra."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    done = run(programs / "python", "-m", "pip", "install", "--quiet", wheel)
    assert done.returncode == 0, done.stderr
    return programs


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    folders = {name.split("/")[0] for name in names}
    assert {folder for folder in folders if not folder.endswith(".dist-info")} == {"ibidem"}
    assert not [name for name in names if "test" in name.split("/")[-1] or "benchmark" in name]
    assert any(name.startswith("ibidem/_kernels.") and not name.endswith(".pyi") for name in names) or not compilers()
    for needed in ("py.typed", "_kernels.pyi", "models/weights/references.ibidem", "linking/weights/pairs.json"):
        assert f"ibidem/{needed}" in names


def compilers() -> list[str]:
    return [name for name in ("c++", "g++", "clang++", "cl") if shutil.which(name)]


DRIVER = """
import json, shlex, subprocess, sys
program, steps = sys.argv[1], json.load(sys.stdin)
names, lacking = {"__name__": "__main__"}, False
for language, code, status in steps:
    if language == "python":
        try:
            exec(code, names)
        except Exception as error:
            lacking = lacking or "pip install 'ibidem[" in str(error)
            if not lacking:  # what follows on something that needed an extra may fail too
                raise
        continue
    for line in code.splitlines():
        words = shlex.split(line[2:], comments=True) if line.startswith("$ ") else []
        if words[:1] != ["ibidem"]:
            continue
        done = subprocess.run([program, *words[1:]], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        lacking = lacking or "pip install 'ibidem[" in done.stderr
        one_line = len(done.stderr.strip().splitlines()) == 1
        if done.returncode != status and not (lacking and one_line):
            sys.exit(f"{line}: {done.returncode}: {done.stderr}")
"""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_documented_example_works_or_names_the_extra_to_install(page, installed, tmp_path):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    steps = [(one.language, one.code, one.exit) for one in snippets(page.read_text("utf-8")) if not one.needs]
    if not any("ibidem" in code for _, code, _ in steps):
        pytest.skip("no example on this page")
    options = {"cwd": tmp_path, "input": json.dumps(steps)}
    done = run(installed / "python", "-c", DRIVER, installed / "ibidem", **options)
    assert done.returncode == 0, done.stderr


def test_a_plain_installation_parses_links_converts_and_writes_every_text_format(installed, tmp_path):
    references, records = ROOT / "examples" / "references.txt", ROOT / "examples" / "records.bib"
    for options in (
        ["parse", "--json", references],
        ["link", references],
        ["sections", "--json", ROOT / "examples" / "headings.txt"],
        ["authors", "--json", ROOT / "examples" / "headers.txt"],
        *(["convert", records, tmp_path / f"records.{end}"] for end in ENDINGS),
    ):
        done = run(installed / "ibidem", *options, cwd=tmp_path)
        assert done.returncode == 0, (options, done.stderr)


def test_the_version_comes_from_one_place(installed):
    source = (ROOT / "src" / "ibidem" / "__init__.py").read_text("utf-8")
    [line] = [line for line in source.splitlines() if line.startswith("__version__")]
    done = run(installed / "ibidem", "--version")
    assert done.stdout.split()[-1] == line.split('"')[1]
