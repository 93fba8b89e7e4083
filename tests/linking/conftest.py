"""What the tests of linking share: they need the extra, and the oracles of tests/brute.py are made importable."""

from __future__ import annotations

import pytest

pytest.importorskip("scipy", reason="linking needs the extra `link`")
pytest.importorskip("rapidfuzz", reason="linking needs the extra `link`")
