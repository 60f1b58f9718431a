"""`companion hub`: which machines it takes, and that it shows them and leads an evening as a program of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from urllib.request import urlopen

import pytest

from companion.commands.hub import machines_of, parse_machine
from companion.errors import WrongUsage
from companion.journal import Journal
from simulation.play import played

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    "text", ["hall", "hall=club-pi", "hall=ftp://x", "Hall=http://x", "h=http://a:b@x", "=http://x"]
)
def test_what_names_no_machine_is_refused(text: str) -> None:
    with pytest.raises(WrongUsage, match="names no machine"):
        parse_machine(text)


def test_machines_have_names_of_their_own() -> None:
    assert list(machines_of(["hall=http://a:1/", "bar=http://b:1"])) == ["hall", "bar"]
    with pytest.raises(WrongUsage, match="same name"):
        machines_of(["hall=http://a:1", "hall=http://b:1"])


def test_it_starts_from_the_configuration_and_answers(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "table.sqlite")
    played(journal, Random(1))
    journal.close()
    settings = (
        f'[hub]\nmachines = ["hall=http://127.0.0.1:9"]\njournals = ["{journal.path}"]\nevening = "{tmp_path}/e.json"\n'
    )
    (tmp_path / "club.toml").write_text(settings + "port = 0\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "--config", str(tmp_path / "club.toml"), "hub"],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        found = re.match(r"The hub is at (\S+)", process.stdout.readline())
        assert found is not None
        tables = json.load(urlopen(f"{found[1]}api/tables", timeout=30))["tables"]
        assert tables[0]["name"] == "hall" and not tables[0]["open"]
        assert json.load(urlopen(f"{found[1]}api/evening", timeout=30))["evening"] is None
    finally:
        process.terminate()
        process.communicate()
