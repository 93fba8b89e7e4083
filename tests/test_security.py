"""The promises of SECURITY.md that the source can be held to."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from ibidem import arguments, config
from ibidem.csl import locales
from ibidem.data.readers import files, inline
from ibidem.inference import core_numpy
from ibidem.labels.tasks import AUTHORS, REFERENCES, SECTIONS
from ibidem.records.formats import bibtex_crossref, bibtex_reader, csl
from ibidem.records.formats.format import LONGEST_LINE

ROOT = Path(__file__).resolve().parent.parent
FORBIDDEN = {
    *("pickle", "marshal", "shelve", "dill", "joblib", "runpy", "code"),
    *("socket", "ssl", "urllib.request", "http.client", "ftplib", "smtplib", "requests", "httpx"),
    *("subprocess", "os.system", "pty", "webbrowser"),
}


@pytest.mark.parametrize("path", sorted((ROOT / "src" / "ibidem").rglob("*.py")), ids=lambda path: path.name)
def test_the_package_runs_no_code_from_files_and_opens_no_connection(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        imported = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            imported = [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
        assert not FORBIDDEN & set(imported), (path, imported)
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in {"eval", "exec", "compile", "os.system", "os.popen"}, (path, node.lineno)
        if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            assert ast.unparse(node.value) == "False", path


def test_the_limits_on_the_page_are_those_of_the_source():
    page = (ROOT / "SECURITY.md").read_text("utf-8")
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| ")][1:]
    stated = [int(re.sub(r"\D", "", row[2])) for row in rows]
    assert SECTIONS.longest == AUTHORS.longest
    limits = [REFERENCES.longest, SECTIONS.longest, arguments.MOST_ALTERNATIVES, arguments.MOST_JOBS]
    limits += [files.LONGEST_LINE, files.LARGEST_FILE, inline._DEEPEST]
    limits += [bibtex_reader._LARGEST, bibtex_crossref._LARGEST, csl._LARGEST, LONGEST_LINE, locales._LARGEST]
    limits += [config._MAX_SIZE, core_numpy.MOST_NODES]
    assert stated == limits
