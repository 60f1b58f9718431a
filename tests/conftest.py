"""What all tests share: made-up examples are the same in every run, and a busy machine is no failure.

Longer searches for new examples: `HYPOTHESIS_PROFILE=search python -m pytest`.
"""

from __future__ import annotations

import gc
import os

# Tests run beside each other already, and threads that share a small picture cost more than they save. Said before
# anything imports the libraries that look for it; programs that tests start hear it, too.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


def pytest_collection_finish() -> None:
    """All tests and modules stay to the end: nobody looks through them again and again for what may go."""
    gc.collect()
    gc.freeze()


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
