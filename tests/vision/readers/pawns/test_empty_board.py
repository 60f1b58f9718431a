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
from vision.readers.pawns.reader import find_empty_board, place_wheel, read_board, with_feet
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


def bare_odds() -> np.ndarray:
    """A space that looks bare, and like red rather than any other pawn."""
    odds = np.array([[0.99, 0.009, *[0.0002] * 5]])
    return np.log(odds / odds.sum())


def changed(rows: slice, columns: slice, by: float) -> np.ndarray:
    """A crop of the bare board that differs in a part."""
    change = np.full((1, 24, 24, 3), 0.05, np.float32)
    change[:, rows, columns] = by
    return change


def test_a_pawn_on_a_path_of_its_color_shows_by_its_foot() -> None:
    odds = with_feet(bare_odds(), changed(slice(8, 20), slice(8, 16), 0.7))
    assert odds[0].argmax() == 1 and 0.8 < np.exp(odds[0, 1]) < 0.98
    assert np.exp(odds).sum() == pytest.approx(1, abs=1e-6)


def test_the_head_of_a_pawn_behind_is_no_foot() -> None:
    odds = bare_odds()
    assert (with_feet(odds, changed(slice(0, 11), slice(8, 16), 1.4)) == odds).all()


def test_a_shadow_over_the_whole_place_is_no_pawn() -> None:
    odds = bare_odds()
    assert (with_feet(odds, changed(slice(0, 24), slice(0, 24), 0.8)) == odds).all()


def test_what_the_nets_see_surely_stays() -> None:
    odds = bare_odds()[:, [1, 0, 2, 3, 4, 5, 6]]
    assert (with_feet(odds, changed(slice(8, 20), slice(8, 16), 0.7)) == odds).all()
