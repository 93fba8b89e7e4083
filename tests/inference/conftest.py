"""Every law of inference is tried with both kernels; the oracles of tests/brute.py are made importable."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ibidem.kernels import SWITCH, _compiled, _why_not

BUILT = _compiled is not None


@pytest.fixture(scope="module", params=["numpy", "c++"])
def kernels(request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of the kernels in use: the reference, then the compiled ones."""
    if request.param == "c++" and not BUILT:
        pytest.skip(f"the C++ kernels are not built: {_why_not}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SWITCH, request.param)
        yield request.param


@pytest.fixture(scope="module")
def compiled() -> None:
    """Skips a test that compares the compiled kernels with the reference where there are none."""
    if not BUILT:
        pytest.skip(f"the C++ kernels are not built: {_why_not}")
