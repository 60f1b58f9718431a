"""The odds of pips of any color are learned from drawn trays; the other numbers stay."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from simulation.drawn.pip_trays import drawn_tray
from vision.readers.dice.box import TINTED
from vision.readers.dice.palette import learned
from vision.readers.dice.tinted_training import hold_out, learn, load


def test_odds_rise_with_the_outline_and_the_pattern(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for family in ("white", "colored"):
        picture, label = drawn_tray(31, family)
        path = tmp_path / label["image"]
        cv2.imwrite(str(path), picture)
        path.with_suffix(".json").write_text(json.dumps(label))
    trays = load(tmp_path)
    numbers = learn(trays, learned())
    assert {kind: odds for kind, odds in numbers.odds.items() if kind != TINTED} == {
        kind: odds for kind, odds in learned().odds.items() if kind != TINTED
    }
    assert len(numbers.odds[TINTED]) == len(learned().odds[TINTED])
    assert numbers.odds[TINTED][1] > 0, "a better pattern speaks for a die"
    hold_out(trays, learned())
    said = capsys.readouterr().out
    assert "colored" in said and "white" in said and "surely wrong" in said
