"""`companion recognize`: one answer a photograph, in order; what is wrong is said and the others are still read."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.app.commands.options import parse_corners, parse_mat
from companion.app.commands.recognize import recognize_command
from companion.core.foundation.errors import WrongUsage

DATA = Path(__file__).parents[3] / "data" / "spectrangle"
GOOD = DATA / "spectrangle-0030.jpg"
CALL = ("--domain", "spectrangle", "--mat", "440x400", "--marker", "40")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(recognize_command, [str(argument) for argument in arguments])


def test_an_answer_has_the_words_of_the_label_and_a_confidence_on_every_item() -> None:
    result = run(GOOD, *CALL, "--json")
    assert result.exit_code == 0
    (answer,) = (json.loads(line) for line in result.stdout.splitlines())
    label = json.loads(GOOD.with_suffix(".json").read_text())
    assert answer["image"] == GOOD.name
    assert answer["ms"] > 0
    assert set(answer["board"]) == {"apex", "left", "right", "confidence"}
    assert len(answer["cells"]) == 36
    for cell, wanted in zip(answer["cells"], label["truth"]["cells"], strict=True):
        if wanted is None:
            assert cell is None
        else:
            assert 0 < cell.pop("confidence") <= 1
            assert cell == wanted


def test_a_picture_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(GOOD.read_bytes()[:5000])
    result = run(broken, GOOD, tmp_path / "nowhere.jpg", *CALL, "--json")
    assert result.exit_code == 1
    first, second, third = (json.loads(line) for line in result.stdout.splitlines())
    assert first["image"] == "broken.jpg" and "incomplete" in first["error"]
    assert "cells" in second and "error" not in second
    assert third["image"] == "nowhere.jpg" and "not a file" in third["error"]


def test_for_people_it_is_one_line_a_photograph() -> None:
    result = run(GOOD, *CALL)
    assert result.exit_code == 0
    assert result.stdout.startswith("spectrangle-0030.jpg: 14 of 36 cells")


def test_clicked_corners_are_taken_instead_of_markers() -> None:
    label = json.loads(GOOD.with_suffix(".json").read_text())
    corners = " ".join(f"{x},{y}" for x, y in label["mat"]["corners_px"])
    assert run(GOOD, *CALL, "--corners", corners, "--json").exit_code == 0


def test_an_unmarked_photograph_is_answered_with_how_to_go_on(tmp_path: Path) -> None:
    bare = tmp_path / "bare.jpg"
    cv2.imwrite(str(bare), np.full((480, 640, 3), 120, np.uint8))
    result = run(bare, *CALL)
    assert result.exit_code == 1
    assert "--sheet 297x210" in result.stdout and "--corners" in result.stdout


def test_a_sheet_of_known_size_stands_in_for_the_mat() -> None:
    label = json.loads(GOOD.with_suffix(".json").read_text())
    corners = " ".join(f"{x},{y}" for x, y in label["mat"]["corners_px"])
    result = run(GOOD, "--domain", "spectrangle", "--sheet", "440x400", "--corners", corners)
    assert result.exit_code == 0
    assert "14 of 36 cells" in result.stdout
    assert "first corner" in result.stderr


@pytest.mark.parametrize("more", [(), ("--corners", "1,1 9,1 9,9 1,9", "--mat", "440x400")])
def test_a_sheet_needs_its_corners_and_no_mat(more: tuple[str, ...]) -> None:
    result = run(GOOD, "--domain", "spectrangle", "--sheet", "297x210", *more)
    assert isinstance(result.exception, WrongUsage) and "--sheet needs" in str(result.exception)


def test_a_mat_that_is_measured_wrong_by_three_percent_is_read_and_named() -> None:
    result = run(GOOD, "--domain", "spectrangle", "--mat", "454x400", "--marker", "40")
    assert result.exit_code == 0
    assert "times as wide as high, not 1.135 times" in result.stderr
    assert "14 of 36 cells" in result.stdout


def test_what_was_read_is_drawn_into_a_folder(tmp_path: Path) -> None:
    assert run(GOOD, *CALL, "--draw", tmp_path / "drawn").exit_code == 0
    assert [path.name for path in (tmp_path / "drawn").iterdir()] == ["spectrangle-0030-read.jpg"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--domain", "chess", "--mat", "440x400", "--marker", "40"), "chess"),
        (("--domain", "spectrangle", "--mat", "440", "--marker", "40"), "440x400"),
        (("--domain", "spectrangle", "--mat", "4x4", "--marker", "40"), "bounds"),
        (("--domain", "spectrangle", "--mat", "440x400", "--marker", "0"), "bounds"),
        ((*CALL, "--corners", "1,2 3,4 5,6"), "four points"),
        ((*CALL, "--draw", GOOD), ""),
    ],
    ids=["domain", "mat", "tiny mat", "marker", "corners", "folder"],
)
def test_wrong_usage_is_said_before_anything_is_read(arguments: tuple[str, ...], says: str) -> None:
    result = run(GOOD, *arguments)
    assert result.exit_code == 2 or isinstance(result.exception, WrongUsage)
    assert result.stdout.count("cells") == 0
    assert says in str(result.exception) + result.output


@pytest.mark.parametrize("missing", ["--domain", "--mat", "--marker"])
def test_every_measure_must_be_given(missing: str) -> None:
    at = CALL.index(missing)
    result = run(GOOD, *CALL[:at], *CALL[at + 2 :])
    assert result.exit_code == 2
    assert missing in result.output


def test_an_unknown_option_is_refused() -> None:
    assert run(GOOD, *CALL, "--speed", "fast").exit_code == 2


@pytest.mark.parametrize(
    ("text", "size"), [("440x400", (440, 400)), ("600 X 400", (600, 400)), ("297.5×210", (297.5, 210))]
)
def test_a_mat_is_two_lengths(text: str, size: tuple[float, float]) -> None:
    mat = parse_mat(text, 40)
    assert (mat.width_mm, mat.height_mm) == size


def test_corners_are_four_points_with_blanks_or_semicolons_between() -> None:
    wanted = ((10, 10), (630, 12.5), (640, 470), (4, 466))
    assert parse_corners("10,10 630,12.5 640,470 4,466") == wanted
    assert parse_corners("10,10;630,12.5; 640,470;4,466") == wanted


@pytest.mark.parametrize(
    "text", ["", "1,2", "1 2 3 4 5 6 7 8", "a,b c,d e,f g,h", "nan,1 2,3 4,5 6,7", "1,2 3,4 5,6 7,1e9"]
)
def test_anything_else_is_not(text: str) -> None:
    with pytest.raises(WrongUsage, match="four points"):
        parse_corners(text)


def test_people_are_told_which_pieces_were_read_and_where() -> None:
    label = json.loads(GOOD.with_suffix(".json").read_text())["truth"]["cells"]
    first = next(i for i, cell in enumerate(label) if cell is not None)
    tile = label[first]
    line = run(GOOD, *CALL).stdout
    assert f"c{first} {tile['left']}{tile['right']}{tile['flat']}{tile['value']};" in line
    assert line.startswith(f"{GOOD.name}: {sum(cell is not None for cell in label)} of 36 cells (")
