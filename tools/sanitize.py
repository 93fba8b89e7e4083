"""The kernels under AddressSanitizer and UndefinedBehaviorSanitizer: `make sanitize`, with GCC on Linux.

Builds them into a folder of its own, then runs the tests of the kernels and the fuzzers with them. The first wrong
access of memory, or undefined operation, ends the run with a report.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "sanitize"
TESTS = (
    "tests/inference",
    "tests/unsupervised/test_gibbs.py",
    "tests/unsupervised/test_forward_filtering_backward_sampling.py",
    "tests/unsupervised/test_checkpoints.py",
    "tests/linking/test_pairs.py",
    "tests/models/test_context_rows.py",
    "tests/text/test_tokens.py",
)
_SECONDS = 1800  # after which a step is taken to hang


def _find(program: str) -> str:
    return shutil.which(program) or sys.exit(f"{program} is not installed, and the sanitizers need it")


def build() -> Path:
    """Build the kernels; return a folder with the package, its sources linked, and these kernels."""
    options = [
        f"-DPython_EXECUTABLE={sys.executable}",
        "-DIBIDEM_SANITIZE=ON",
    ]
    subprocess.run([_find("cmake"), "-S", ROOT, "-B", BUILD, *options], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([_find("cmake"), "--build", BUILD, "--parallel", str(os.cpu_count() or 1)], check=True)
    folder = BUILD / "package"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(
        ROOT / "src" / "ibidem", folder / "ibidem", ignore=shutil.ignore_patterns("_kernels*.so", "__pycache__")
    )
    for kernels in BUILD.glob("_kernels*.so"):
        shutil.copy(kernels, folder / "ibidem")
    return folder


def make_environment(package: Path) -> dict[str, str]:
    """Return the environment of a run; without `site`, so that no installed Ibidem comes before the package."""
    names = ("libasan.so", "libubsan.so", "libstdc++.so.6")
    found = [
        subprocess.run([_find("gcc"), f"-print-file-name={name}"], check=True, capture_output=True, text=True)
        for name in names
    ]
    paths = (str(package), str(ROOT), sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths)),
        "LD_PRELOAD": " ".join(one.stdout.strip() for one in found),
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    }


def main() -> None:
    """Build, then run each step; the calls and the seed of the fuzzers may be given as arguments."""
    calls, seed = (*sys.argv[1:], *("20000", "1")[len(sys.argv) - 1 :])[:2]
    failures = BUILD / "failures"
    shutil.rmtree(failures, ignore_errors=True)
    torture = {"SEED": seed, "ONLY": "model,checkpoint", "CASES": calls, "MINUTES": "20", "FAILURES": str(failures)}
    environment = make_environment(build()) | {f"IBIDEM_TORTURE_{name}": value for name, value in torture.items()}
    steps = (
        ["tests/fuzz_kernels.py", "--calls", calls, "--seed", seed],
        ["-m", "benchmarks", "--results", str(BUILD), "torture-files"],
        ["-m", "pytest", "-q", "-x", *TESTS],
    )
    for step in steps:
        print("running", *step, flush=True)
        subprocess.run([sys.executable, "-S", *step], check=True, cwd=ROOT, env=environment, timeout=_SECONDS)
    if failures.exists():
        sys.exit(f"damaged files ended a process or were not refused; they lie in {failures}")


if __name__ == "__main__":
    main()
