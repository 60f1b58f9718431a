"""`companion score`: photographs of a game in, turns, totals and what is not allowed out."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.app.commands.score import score_command
from companion.app.demos import load_demo

FOLDER = load_demo("spectrangle")[1]


def score(*words: str | Path) -> Result:
    return CliRunner().invoke(score_command, [str(word) for word in words])


def test_a_row_of_photos_is_a_row_of_turns() -> None:
    told = score(FOLDER / "frame-0006.jpg", FOLDER / "frame-0009.jpg", "--game", "spectrangle")
    assert told.exit_code == 0
    assert "YPG2 on c17. 2 points" in told.stdout and "YYG5 on c16. 5 points" in told.stdout
    assert "Totals: player 1 2, player 2 5" in told.stdout


def test_the_same_as_json() -> None:
    told = score(FOLDER / "frame-0006.jpg", "--game", "spectrangle", "--json")
    answer = json.loads(told.stdout)
    assert answer["images"] == ["frame-0006.jpg"] and answer["totals"] == [2, 0] and answer["position"]["to_move"] == 1


def test_an_illegal_tile_is_named_with_its_rule() -> None:
    told = score(FOLDER / "frame-0014.jpg", "--game", "spectrangle")
    assert "not allowed: RRR6 on c18" in told.stdout and "TRI-11" in told.stdout


@pytest.mark.parametrize(
    ("game", "says"), [("spectra", "--corners"), ("spectrangle", "board"), ("roll-and-color", "dice")]
)
def test_a_photo_that_shows_nothing_gets_a_sentence(tmp_path: Path, game: str, says: str) -> None:
    path = tmp_path / "bare.png"
    cv2.imwrite(str(path), np.full((480, 640, 3), 120, np.uint8))
    told = score(path, "--game", game)
    assert told.exit_code == 1 and says in told.stderr
    if says == "--corners":
        assert "known size" in told.stderr
        there = score(path, "--game", game, "--corners", "64,100 576,100 620,432 20,432")
        assert there.exit_code == 0


def test_a_missing_photo_is_wrong_usage(tmp_path: Path) -> None:
    told = score(tmp_path / "nowhere.jpg", "--game", "spectrangle")
    assert told.exit_code != 0 and told.exception is not None
