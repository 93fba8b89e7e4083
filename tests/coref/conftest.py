"""What the tests of linking share: they need the extra, and the oracles of tests/brute.py are made importable."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

pytest.importorskip("scipy", reason="linking needs the extra `link`")
pytest.importorskip("rapidfuzz", reason="linking needs the extra `link`")
