"""What all tests share: made-up examples are the same in every run, and a busy machine is no failure.

Longer searches for new examples: `HYPOTHESIS_PROFILE=search python -m pytest`.
"""

from __future__ import annotations

import gc
import os
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

MEMORY = "/dev/shm"
ENOUGH_BYTES = 2e9


def pytest_configure() -> None:
    """Set the machine to many small tests beside each other, before any library looks, and for programs that tests start.

    Threads that share a small picture cost more than they save where other tests run meanwhile. Journals are written in
    memory, if the system has enough of it in which programs may run: a disk takes its time for every row. Nothing is
    collected as garbage while thousands of tests are made.
    """
    for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
        os.environ.setdefault(threads, "1")
    gc.disable()
    if os.access(MEMORY, os.W_OK):
        memory = os.statvfs(MEMORY)
        if memory.f_bavail * memory.f_frsize > ENOUGH_BYTES and not memory.f_flag & os.ST_NOEXEC:
            os.environ.setdefault("TMPDIR", MEMORY)
            tempfile.tempdir = None


def pytest_collection_finish() -> None:
    """Keep all tests and modules out of garbage collection, which would look through them again and again.

    What little garbage lies among them stays: to look for it takes half a second in each worker.
    """
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The ten files that took longest, of a run of many: where the time of `make test` goes."""
    taken: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                taken[report.nodeid.partition("::")[0]] += report.duration
    if len(taken) > 20:
        terminalreporter.section("ten slowest files")
        for file, seconds in taken.most_common(10):
            terminalreporter.write_line(f"{seconds:7.1f} s  {file}")


@pytest.fixture(autouse=True, scope="session")
def _nothing_configured(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No configuration of the person who runs the tests reaches them, nor the programs that they start."""
    for name in [name for name in os.environ if name.startswith("COMPANION_")]:
        del os.environ[name]
    os.environ["COMPANION_CONFIG"] = str(_empty(tmp_path_factory.mktemp("configuration")))


def _empty(folder: Path) -> Path:
    file = folder / "companion.toml"
    file.touch()
    return file
