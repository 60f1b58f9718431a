"""`companion calibrate --domain cards`: a sampler teaches a deck; bad input is one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import pytest
from click.testing import CliRunner, Result

from companion.app.commands.calibrate import calibrate_command
from companion.app.commands.recognize import recognize_command
from companion.core.foundation.errors import BadFile, WrongUsage
from simulation.printed.card_decks import CARD_MAT, printed_deck, sampler_picture
from simulation.printed.tables import Sight
from vision.calibration.calibration import load_calibration

SEED = 900
TABLE = ("--domain", "cards", "--mat", "600x400", "--marker", "40")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The empty table, and a sampler on it."""
    made = tmp_path_factory.mktemp("cards")
    cv2.imwrite(str(made / "empty.png"), Sight(SEED, CARD_MAT, loose_markers=True).picture())
    cv2.imwrite(str(made / "sampler.png"), sampler_picture(SEED, printed_deck)[0])
    return made


def run(folder: Path, *arguments: str | Path) -> Result:
    call = [*TABLE, "--empty", folder / "empty.png", *arguments, "-o", folder / "deck"]
    return CliRunner().invoke(calibrate_command, [str(one) for one in call])


def test_a_sampler_is_learned_and_recognize_takes_it(folder: Path) -> None:
    result = run(folder, "--sampler", folder / "sampler.png")
    assert result.exit_code == 0, result.output
    assert "24 cards were learned" in result.stdout
    assert len(load_calibration(folder / "deck").deck.corners) == 48
    call = [str(folder / "sampler.png"), *TABLE, "--calibration", str(folder / "deck"), "--json"]
    read = CliRunner().invoke(recognize_command, call)
    assert read.exit_code == 0, read.output
    assert len(json.loads(read.stdout)["cards"]) == 24


def test_a_table_of_cards_is_calibrated_without_a_sampler(folder: Path) -> None:
    assert run(folder).exit_code == 0
    assert not load_calibration(folder / "deck").deck


@pytest.mark.parametrize(
    ("rows", "error", "words"),
    [
        ([["R", "7"]], WrongUsage, "The sampler lacks RO, O, OY, Y and more"),
        ([["R", "R"]], WrongUsage, "R stands in the sampler twice"),
        ([["K7"]], WrongUsage, "is no card of the deck"),
        ({"R": 7}, BadFile, "does not hold rows of cards"),
    ],
)
def test_rows_that_teach_no_deck_are_refused(folder: Path, rows: Any, error: type[Exception], words: str) -> None:
    (folder / "rows.json").write_text(json.dumps(rows))
    result = run(folder, "--sampler", folder / "sampler.png", "--rows", folder / "rows.json")
    assert isinstance(result.exception, error) and words in str(result.exception)


def test_rows_without_a_sampler_are_refused(folder: Path) -> None:
    (folder / "rows.json").write_text("[]")
    result = run(folder, "--rows", folder / "rows.json")
    assert isinstance(result.exception, WrongUsage)
