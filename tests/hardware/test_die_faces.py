"""Which face is up when the sensor sees the one below."""

from __future__ import annotations

import pytest

from companion.core.pieces import Die
from hardware.die_faces import SPECTRUM_D6, SPECTRUM_D12, WHEEL


def test_brd_6_opposite_faces_have_opposite_colors() -> None:
    assert SPECTRUM_D6.up == ("green", "blue", "purple", "red", "orange", "yellow")
    names = [name for name, _ in WHEEL]
    for face, up in enumerate(SPECTRUM_D12.up):
        assert names.index(up) == (face + 6) % 12


def test_face_0_is_no_face() -> None:
    assert SPECTRUM_D6.die(0) is None
    assert SPECTRUM_D6.die(7) is None
    assert SPECTRUM_D6.die(1) == Die("spectrum-d6", "green")


def test_faces_and_colors_there_and_back() -> None:
    for die in (SPECTRUM_D6, SPECTRUM_D12):
        for face, up in enumerate(die.up, 1):
            assert die.face(up) == face
            assert die.die(face) == Die(die.kind, up)


def test_an_unknown_color_is_on_no_face() -> None:
    with pytest.raises(ValueError):
        SPECTRUM_D6.face("red-orange")
