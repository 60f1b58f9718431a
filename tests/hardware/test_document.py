"""docs/hardware.md stays true: its example runs, and the runs that it names are the runs that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_protocol.frame import LinkFrame
from firmware_protocol.messages import Identify
from tests.firmware_protocol.long_runs import RUNS

ROOT = Path(__file__).parent.parent.parent
TEXT = (ROOT / "docs" / "hardware.md").read_text()


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [example] = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    exec(compile(example, "docs/hardware.md", "exec"), {})
    assert "LED board" in capsys.readouterr().out


def test_every_longer_run_is_named_and_every_named_run_is_there() -> None:
    named = {name for words in re.findall(r"`long_runs ([a-z_ ]+)`", TEXT) for name in words.split()}
    assert named == set(RUNS)


def test_every_claim_has_its_line() -> None:
    assert re.findall(r"^\| (N\d) \|", TEXT, re.MULTILINE) == [f"N{number}" for number in range(1, 10)]


def test_the_specification_shows_the_probe_as_it_is_sent() -> None:
    spec = (ROOT / "firmware_protocol" / "SPEC.md").read_text()
    assert f"`{LinkFrame(Identify.TYPE, 0, 0, 0).wire().hex(' ')}`" in spec
