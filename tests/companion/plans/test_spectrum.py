"""The Spectrum board's mat: one wheel for any number of seats, inside of its markers."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from companion.commands.mat import mat_command
from companion.errors import WrongUsage
from companion.plan import PawnBoard
from companion.plans.spectrum import MAT, plan


@pytest.mark.parametrize("seats", range(2, 7))
def test_brd_5_two_to_six_players_share_one_board(seats: int) -> None:
    (zone,) = plan(seats).zones
    assert isinstance(zone, PawnBoard)
    assert zone.center_mm == (MAT.width_mm / 2, MAT.height_mm / 2)


def test_the_mat_is_printed_by_name(tmp_path) -> None:
    done = CliRunner().invoke(mat_command, ["spectrum", "-o", str(tmp_path / "mat.pdf")])
    assert done.exit_code == 0 and "sheets of A4" in done.output
    assert (tmp_path / "mat.pdf").read_bytes().startswith(b"%PDF")


def test_an_unknown_mat_is_refused_with_those_that_there_are(tmp_path) -> None:
    done = CliRunner().invoke(mat_command, ["chess", "-o", str(tmp_path / "mat.pdf")])
    assert isinstance(done.exception, WrongUsage) and "spectrum" in str(done.exception)
