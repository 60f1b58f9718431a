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

import click
import pytest

from companion.__main__ import cli
from companion.app.commands.hub import parse_machine
from companion.core.foundation.errors import WrongUsage
from companion.referee.journal import Journal
from simulation.play import played

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(
    "text", ["hall:", "hall=club-pi", "hall=ftp://x", "Hall=http://x", "h=http://a:b@x", "h=http://x?a=b", "=http://x"]
)
def test_what_names_no_machine_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(click.BadParameter, match="names no machine") as refused:
        parse_machine(text)
    assert text not in str(refused.value)


def test_machines_have_names_of_their_own() -> None:
    assert str(parse_machine("hall=http://a:1/")) == "hall=http://a:1"
    with pytest.raises(WrongUsage, match="same name"):
        cli.main(["hub", "--machine", "hall=http://a:1", "--machine", "hall=http://b:1"], standalone_mode=False)


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
