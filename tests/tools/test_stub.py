"""The stub of the compiled kernels says what the kernels are."""

from __future__ import annotations

import ast

import pytest

from ibidem.kernels import _compiled
from tools.stub import STUB, make_stub


def functions(text: str) -> dict[str, list[list[str]]]:
    """The argument names of every function of a stub, a list for each overload."""
    found: dict[str, list[list[str]]] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append([argument.arg for argument in node.args.args])
    return found


@pytest.mark.skipif(_compiled is None, reason="the C++ kernels are not built")
def test_the_stub_is_that_of_the_kernels():
    pytest.importorskip("nanobind", reason="nanobind writes the stub")
    assert functions(STUB.read_text("utf-8")) == functions(make_stub()), "write it anew with `python -m tools.stub`"
