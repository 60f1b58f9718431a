"""`companion calibrate`: an empty table in, a file and some words out; the file is taken by the other commands."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.app.commands.calibrate import calibrate_command, known_table
from companion.app.commands.recognize import recognize_command
from companion.core.foundation.errors import BadCalibration, BadFile, SeeError, WrongUsage
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, WHEEL
from companion.core.plan import Mat
from simulation.dice_pictures import Drawn, tray
from vision.calibration.calibration import load_calibration
from vision.readers.dice.palette import learned

DATA = Path(__file__).parents[3] / "data" / "calibration"
TABLE = ("--domain", "pyramids", "--mat", "600x400", "--marker", "40")
ROWS = [[{"color": color, "size": size} for color in PYRAMID_COLORS] for size in PYRAMID_SIZES]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(calibrate_command, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def marble(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The calibration of a marble table, and what was said of it."""
    folder = tmp_path_factory.mktemp("marble")
    rows = folder / "rows.json"
    rows.write_text(json.dumps(ROWS))
    sampler = ("--sampler", DATA / "marble-sampler.jpg", "--rows", rows)
    result = run(*TABLE, "--empty", DATA / "marble-empty.jpg", *sampler, "-o", folder / "marble")
    assert result.exit_code == 0, result.output
    return folder / "marble", result.stdout


def test_it_says_how_well_the_table_will_be_read(marble: tuple[Path, str]) -> None:
    _, words = marble
    assert "The empty table is remembered" in words
    assert all(color in words for color in PYRAMID_COLORS)


def test_recognize_takes_it(marble: tuple[Path, str]) -> None:
    path, _ = marble
    call = [str(DATA / "marble-scatter.jpg"), *TABLE, "--calibration", str(path), "--json"]
    result = CliRunner().invoke(recognize_command, call)
    assert result.exit_code == 0, result.output
    assert {"stacks", "lying"} <= set(json.loads(result.stdout))


def test_another_table_is_said_to_be_another(marble: tuple[Path, str]) -> None:
    path, _ = marble
    call = [str(DATA / "stripes-empty.jpg"), *TABLE, "--calibration", str(path), "--json"]
    result = CliRunner().invoke(recognize_command, call)
    assert result.exit_code == 1
    assert "does not look like the one that was shown empty" in json.loads(result.stdout)["error"]


def test_another_mat_or_domain_is_refused_at_once(marble: tuple[Path, str]) -> None:
    path, _ = marble
    with pytest.raises(BadCalibration, match="600 x 400 mm mat"):
        known_table(path, Mat(440, 400, 40))
    with pytest.raises(BadCalibration, match="made for pyramids, not for dice"):
        known_table(path, Mat(600, 400, 40), "dice")
    assert known_table(None, Mat(600, 400, 40)) is None


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("[", "does not hold rows"),
        ('[[{"color": "red"}]]', "does not hold rows"),
        ('[[{"color": "red", "size": "large", "x": 1}]]', "does not hold rows"),
        ('[[{"color": "pink", "size": "large"}]]', "names a pink large"),
    ],
)
def test_rows_that_are_none_are_refused(tmp_path: Path, rows: str, words: str) -> None:
    (tmp_path / "rows.json").write_text(rows)
    sampler = ("--sampler", DATA / "marble-sampler.jpg", "--rows", tmp_path / "rows.json")
    result = run(*TABLE, "--empty", DATA / "marble-empty.jpg", *sampler, "-o", tmp_path / "out")
    assert isinstance(result.exception, BadFile) and result.exception.exit_code == 1
    assert words in str(result.exception)
    assert not (tmp_path / "out").exists()


def test_a_sampler_needs_its_rows(tmp_path: Path) -> None:
    sampler = ("--sampler", DATA / "marble-sampler.jpg")
    result = run(*TABLE, "--empty", DATA / "marble-empty.jpg", *sampler, "-o", tmp_path / "out")
    assert isinstance(result.exception, WrongUsage)
    assert "belong together" in str(result.exception)


TRAY = ("--domain", "dice", "--mat", "240x180", "--marker", "25")
UP = [["red", "blue", "yellow", "green"], ["red-orange", "green-blue"]]


def laid_out(folder: Path, faces: list[list[str]]) -> tuple[str | Path, ...]:
    """The arguments that show an empty tray, and dice in rows on it."""
    dice = [
        Drawn("spectrum-d6" if "-" not in face else "spectrum-d12", face, 50 + 45 * k, 55 + 60 * r, 10.0 * k)
        for r, row in enumerate(faces)
        for k, face in enumerate(row)
    ]
    cv2.imwrite(str(folder / "empty.png"), tray(()))
    cv2.imwrite(str(folder / "dice.png"), tray(dice))
    (folder / "rows.json").write_text(json.dumps(UP))
    known = "--sampler", folder / "dice.png", "--rows", folder / "rows.json"
    return *TRAY, "--empty", folder / "empty.png", *known, "-o", folder / "tray"


def test_dice_that_are_laid_out_teach_their_colors(tmp_path: Path) -> None:
    result = run(*laid_out(tmp_path, UP))
    assert result.exit_code == 0, result.output
    assert "6 dice were learned" in result.stdout
    known = load_calibration(tmp_path / "tray").dice.colors
    assert set(known) == {face for row in UP for face in row}
    for color, share in known.items():
        expected = np.array(learned().palette.shares[WHEEL.index(color)])
        assert np.abs(np.array(share) - expected).max() < 0.25, color


def test_dice_that_are_not_found_as_said_are_refused_in_a_sentence(tmp_path: Path) -> None:
    result = run(*laid_out(tmp_path, [["red", "blue"], ["green"]]))
    assert isinstance(result.exception, SeeError)
    assert "rows of 4, 2 should lie there, but rows of 2, 1 were found" in str(result.exception)


def test_faces_that_no_die_has_are_refused(tmp_path: Path) -> None:
    arguments = laid_out(tmp_path, UP)
    (tmp_path / "rows.json").write_text('[["pink"]]')
    result = run(*arguments)
    assert isinstance(result.exception, BadFile) and "pink" in str(result.exception)
