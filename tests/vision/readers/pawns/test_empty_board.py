"""A Spectrum board that was shown empty first."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion.core.foundation.errors import NoBoard
from companion.core.pieces import Pawn
from companion.games.spectrum.plan import MAT
from simulation.drawn.boards import DrawnBoard, drawn_board
from tests.vision.staged_table import MAT as SMALL
from tests.vision.staged_table import empty as bare_table
from vision.calibration.calibration import Calibration, load_calibration
from vision.image.picture import Picture
from vision.readers.pawns.backdrop import find_backdrop
from vision.readers.pawns.crops import cut
from vision.readers.pawns.reader import find_empty_board, place_wheel, read_board
from vision.readers.pawns.wheel import SPACES, Wheel
from vision.registration.registered_image import RegisteredImage, find_table
from vision.setup.calibrating import calibrate

SEED = 9101


@cache
def board() -> DrawnBoard:
    return drawn_board(SEED)


@cache
def shown() -> Calibration:
    return calibrate("spectrum", MAT, [board().scene.picture(())], None, corners()).calibration


def corners() -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in board().label["mat"]["corners_px"]]


@cache
def with_pawns() -> Picture:
    """Under a warmer lamp than when it was empty."""
    picture = board().scene.picture((), board().pawns)
    return np.asarray(np.clip(picture * (0.75, 0.92, 1.0), 0, 255), np.uint8)


def table(calibration: Calibration | None) -> RegisteredImage:
    return find_table(with_pawns(), MAT, corners(), calibration=calibration)


def test_where_the_board_lay_is_kept_in_the_file(tmp_path: Path) -> None:
    kept = shown()
    assert kept.board is not None
    kept.save(tmp_path / "board")
    assert load_calibration(tmp_path / "board").board == kept.board
    assert "All colors stand out" not in " ".join(kept.words), "pawns do not stand on the table itself"


def test_bare_spaces_differ_less_from_the_board_that_was_shown_than_from_the_one_that_is_guessed() -> None:
    known = shown()
    assert known.board is not None
    seen = table(known)
    wheel = place_wheel(seen).wheel
    places = wheel.to_table(wheel.middles())
    there = {(pawn["path"], pawn["space"]) for pawn in board().label["truth"]["pawns"]}
    bare = [k for k, space in enumerate(SPACES) if (space.color, space.ring) not in there]
    exact = cut(seen, find_empty_board(seen, wheel, known.empty, Wheel(*known.board)), places).change[bare]
    guessed = cut(seen, find_backdrop(seen, wheel), places).change[bare]
    assert np.abs(exact).mean() < 0.8 * np.abs(guessed).mean()


def test_all_pawns_are_read_beside_the_empty_board() -> None:
    seen = table(shown())
    read = read_board(seen, place_wheel(seen)).joint
    there = {(pawn["path"], pawn["space"]): pawn["color"] for pawn in board().label["truth"]["pawns"]}
    names = [one.piece.color if isinstance(one.piece, Pawn) else None for one in read]
    assert names == [there.get((space.color, space.ring)) for space in SPACES]


def test_a_table_without_a_board_is_no_empty_board() -> None:
    with pytest.raises(NoBoard):
        calibrate("spectrum", SMALL, [bare_table()])
