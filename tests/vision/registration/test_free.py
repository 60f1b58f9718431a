"""Tiles and dice on patterned cloths that were shown empty first."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench import strange_tables
from bench.strange_tables import TableCase, TableChange, best, made, shown_empty
from companion.core.foundation.errors import WrongUsage
from companion.core.pieces import Tile
from vision.domains import DOMAINS
from vision.registration.registered_image import find_table, free_table
from vision.setup.calibrating import calibrate

DATA = Path(__file__).parents[2] / "data"


@cache
def case(domain: str, name: str) -> TableCase:
    return strange_tables.case(domain, DATA / domain / f"{name}.json")


def read(domain: str, one: TableCase, cloth: str, *, calibrated: bool) -> Any:
    change = TableChange(cloth)
    empty = shown_empty(domain, one, change) if calibrated else None
    return DOMAINS[domain](find_table(made(one, change), one.table.mat, one.corners_px, calibration=empty))


def test_a_table_that_was_never_shown_empty_is_free_nowhere() -> None:
    assert free_table(case("dice", "dice-0016").table) is None


@pytest.mark.parametrize("name", ["dice-0026", pytest.param("dice-0016", marks=pytest.mark.sweep)])
def test_checks_under_dice_are_no_dice_once_they_were_seen_empty(name: str) -> None:
    one = case("dice", name)
    right, wanted, given = best("dice", one.label["truth"], read("dice", one, "red gingham", calibrated=True))[0]
    assert right == wanted == given


def test_some_checks_are_dice_until_then() -> None:
    one = case("dice", "dice-0026")
    plain = best("dice", one.label["truth"], read("dice", one, "red gingham", calibrated=False))[0]
    assert plain.given > plain.wanted


def test_tiles_of_hands_are_found_on_squares_that_were_seen_empty() -> None:
    one = case("spectrangle", "spectrangle-0037")

    def hands(reading: Any) -> set[str]:
        return {tile.joint.piece.name for tile in reading.scene.loose if isinstance(tile.joint.piece, Tile)}

    known = hands(DOMAINS["spectrangle"](one.table))
    assert len(known) == 12
    seen = hands(read("spectrangle", one, "black and white squares", calibrated=True))
    assert seen <= known
    assert len(seen) >= 10  # Where a lamp is mirrored, versions of OpenCV differ by two of the twelve.
    assert len(hands(read("spectrangle", one, "black and white squares", calibrated=False))) < 6


def test_an_empty_table_is_free_all_over_under_a_dimmer_lamp() -> None:
    one = case("dice", "dice-0016")
    known = shown_empty("dice", one, TableChange("green gingham"))
    assert known is not None
    dim = np.clip(known.empty.picture * 0.8, 0, 255).astype(np.uint8)
    free = free_table(find_table(dim, one.table.mat, one.corners_px, calibration=known))
    assert free is not None
    assert free.mean() > 0.97


def test_a_calibration_says_which_colors_are_lost_on_a_cloth() -> None:
    one = case("dice", "dice-0016")
    for cloth, color in (("green cloth", "green"), ("purple cloth", "purple")):
        empty = shown_empty("dice", one, TableChange(cloth))
        assert empty is not None
        words = calibrate("dice", one.table.mat, [empty.empty.picture], None, one.corners_px).words
        assert any(color in line and "may be overlooked" in line for line in words), words


def test_tiles_have_no_sampler() -> None:
    table = case("dice", "dice-0016").table
    with pytest.raises(WrongUsage, match="Only pyramids, dice and cards are learned from a sampler"):
        calibrate("spectrangle", table.mat, [table.picture], (table.picture, ()))
