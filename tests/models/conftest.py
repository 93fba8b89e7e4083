"""A small nested model, trained once, and the oracles of tests/brute.py made importable."""

from __future__ import annotations

from pathlib import Path

import pytest
from model_cases import references, trained

from ibidem.models.chain import ChainModel
from ibidem.models.parser import Parser
from ibidem.models.storage import save
from ibidem.types import Example


@pytest.fixture(scope="session")
def examples() -> list[Example]:
    """Invented references with nested marks."""
    return references()


@pytest.fixture(scope="session")
def tiny(examples: list[Example]) -> ChainModel:
    """A model of those references."""
    return trained(examples)


@pytest.fixture(scope="session")
def tiny_path(tiny: ChainModel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of that model."""
    path = tmp_path_factory.mktemp("model") / "tiny.ibidem"
    save(tiny, path)
    return path


@pytest.fixture(scope="session")
def parser(tiny: ChainModel) -> Parser:
    """The parser of that model."""
    return Parser(tiny)
