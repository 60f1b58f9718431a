"""`companion games`."""

from __future__ import annotations

import json

import pytest

from companion.__main__ import main
from companion.games import GAMES


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as left:
        main(["games", *arguments])
    assert left.value.code == 0
    return capsys.readouterr().out


def test_every_game_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    found = {game["name"]: game for game in map(json.loads, run(capsys, "--json").splitlines())}
    assert set(found) == set(GAMES)
    assert found["spectrangle"]["seats"] == [2, 3, 4]
    edges = next(option for option in found["spectrangle"]["options"] if option["name"] == "edges")
    assert (edges["default"], edges["choices"]) == ("one", ["one", "all"])
    assert "TRI-11" in edges["sentence"]


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys)
    assert "spectrangle  (Spectrangle, 2 to 4 players, rules " in out
    assert "  edges=one  [one, all]" in out
    assert "  teams=false  [true, false]" in out
