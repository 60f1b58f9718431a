"""The dice tray's mat: four markers of 25 mm and a plain floor."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from companion.app.commands.mat import MATS, mat_command
from companion.app.printing.mat_pdf import mat_pdf
from companion.core.plan import DiceTray
from tests.companion.app.printing.test_mat_pdf import CHECKERED, pages


def test_the_whole_mat_is_the_tray() -> None:
    title, plan = MATS["dice-tray"]
    assert title == "Dice tray"
    assert plan.mat.marker_mm == 25.0
    assert plan.zones == (DiceTray("dice", None),)


def test_it_fits_one_a3_sheet_and_has_nothing_printed_among_the_dice() -> None:
    title, plan = MATS["dice-tray"]
    (sheet,) = pages(mat_pdf(plan, title, "a3", lambda _: CHECKERED))
    assert sheet.count("Dice tray") == 2  # beside the markers and in the margin


def test_companion_mat_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "tray.pdf"
    told = CliRunner().invoke(mat_command, ["dice-tray", "--paper", "a3", "-o", str(path)])
    assert told.exit_code == 0, told.output
    assert path.read_bytes().startswith(b"%PDF")
    assert "1 sheets of A3" in told.output
