"""A few known pieces tell what all colors look like on their table, and how surely."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.pieces import PYRAMID_COLORS
from vision.calibration.taught import MOST, KnownTone
from vision.readers.pyramids.cells import WEIGHTS
from vision.readers.pyramids.tones import FILE, UNKNOWN, load_tones, table_tones

MODEL = load_tones(WEIGHTS / FILE)
RED, BLUE = PYRAMID_COLORS.index("red"), PYRAMID_COLORS.index("blue")
SHIFT = np.array([0.5, 0.1, -0.2])


def seen(color: int, pieces: int) -> tuple[KnownTone, ...]:
    """A table that shifts all tones alike, of which one color was shown."""
    known = list(UNKNOWN)
    known[color] = KnownTone(tuple((MODEL.usual[color] + SHIFT).tolist()), pieces)
    return tuple(known)


def test_of_an_unknown_table_what_is_usual_is_expected() -> None:
    known = table_tones(UNKNOWN, MODEL)
    assert known.tones == pytest.approx(MODEL.usual)
    assert known.doubts[RED] == pytest.approx(MODEL.shared + MODEL.own)


def test_one_color_tells_something_of_the_others() -> None:
    known = table_tones(seen(RED, 3), MODEL)
    near, far = known.tones[RED] - MODEL.usual[RED], known.tones[BLUE] - MODEL.usual[BLUE]
    assert near == pytest.approx(SHIFT, abs=0.05)
    assert 0.3 * SHIFT[0] < far[0] < 1.1 * SHIFT[0]
    assert np.trace(known.doubts[RED]) < np.trace(known.doubts[BLUE]) < np.trace(MODEL.shared + MODEL.own)


def test_more_pieces_tell_more() -> None:
    few, many = table_tones(seen(RED, 1), MODEL), table_tones(seen(RED, MOST), MODEL)
    away = [np.abs(one.tones[RED] - MODEL.usual[RED] - SHIFT).max() for one in (few, many)]
    assert away[1] < away[0]
    assert np.trace(many.doubts[RED]) < np.trace(few.doubts[RED])


def test_a_known_tone_is_a_mean_and_old_pieces_fade() -> None:
    one = KnownTone().with_piece(np.array([1.0, 2.0, 3.0]))
    two = one.with_piece(np.array([2.0, 2.0, 1.0]))
    assert (one.tone, one.pieces) == ((1.0, 2.0, 3.0), 1)
    assert (two.tone, two.pieces) == ((1.5, 2.0, 2.0), 2)
    for _ in range(5 * MOST):
        two = two.with_piece(np.array([4.0, 4.0, 4.0]))
    assert two.pieces == MOST
    assert two.tone == pytest.approx((4.0, 4.0, 4.0), abs=0.05)
