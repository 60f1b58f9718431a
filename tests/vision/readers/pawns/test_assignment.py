"""Ten pawns of a color and no more: what is too many gives way where it costs least."""

from __future__ import annotations

import numpy as np

from companion.core.pieces import PRIMARIES, Pawn
from vision.readers.pawns.reader import limited, sightings


def odds(rows: list[list[float]]) -> np.ndarray:
    return np.log(np.array(rows))


def sure(color: int, share: float) -> list[float]:
    rest = (1 - share) / 6
    return [share if k == color else rest for k in range(7)]


def test_brd_5_ten_pawns_of_a_color_may_stand() -> None:
    read = odds([sure(1, 0.99)] * 10 + [sure(0, 0.99)] * 98)
    assert (limited(read) == read).all()


def test_brd_5_an_eleventh_gives_way_where_it_is_least_sure() -> None:
    rows = [sure(1, 0.99)] * 10 + [[0.3, 0.5, 0.2, 1e-6, 1e-6, 1e-6, 1e-6]] + [sure(0, 0.99)] * 97
    after = limited(odds(rows))
    assert (after.argmax(1) == 1).sum() == 10
    assert after[10].argmax() == 0
    assert np.allclose(np.exp(after).sum(1), 1)


def test_candidates_are_ranked_with_the_bare_space_among_them() -> None:
    (read,) = sightings(odds([[0.25, 0.7, 0.05, 1e-9, 1e-9, 1e-9, 1e-9]]))
    assert read.piece == Pawn("red") == Pawn(PRIMARIES[0])
    assert [candidate.piece for candidate in read.candidates] == [Pawn("red"), None, Pawn("orange")]
    assert abs(read.probability(None) - 0.25) < 1e-6
