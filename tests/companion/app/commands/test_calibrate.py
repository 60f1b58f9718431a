"""`companion calibrate`: an empty table in, a file and some words out; the file is taken by the other commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.app.commands.calibrate import calibrate_command, known_table
from companion.app.commands.recognize import recognize_command
from companion.core.foundation.errors import BadCalibration, BadFile, WrongUsage
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES
from companion.core.plan import Mat

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
