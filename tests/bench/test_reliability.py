"""How far confidences come true: bins, the error, and what of a place is told."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from bench.reliability import diagram, reliability, rows, told
from companion.core.pieces import PYRAMID_COLORS, Pyramid
from simulation.drawn.places import GuessRead, PictureRead, PlaceRead, StandRead
from vision.readers.pyramids.sureness import Circumstances, Sureness


def guess(sizes: tuple[str, ...], confidence: float) -> GuessRead:
    logs = tuple(0.0 if color == "red" else -50.0 for color in PYRAMID_COLORS)
    return GuessRead(sizes, False, confidence, (logs,) * len(sizes))


def picture(stand: StandRead | None, *guesses: GuessRead, zone: str = "trees") -> PictureRead:
    place = PlaceRead(Circumstances(zone, "from above", "plain"), guesses, stand)
    return PictureRead("spectra", 1, 2, False, (), (place,), ())


RED = tuple(Pyramid("red", size) for size in ("large", "medium", "small"))


def test_confidences_that_come_true_have_no_error() -> None:
    found = reliability([(0.75, at % 4 > 0) for at in range(400)])
    assert (found.cases, found.right, found.error) == (400, 0.75, pytest.approx(0.0))
    assert found.chance == pytest.approx(0.017, abs=0.002)


def test_the_error_is_the_mean_distance_over_the_bins() -> None:
    cases = [(0.95, True)] * 50 + [(0.95, False)] * 50 + [(0.15, False)] * 100
    assert reliability(cases).error == pytest.approx((0.45 + 0.15) / 2)
    assert reliability([(1.0, True)]).error == 0.0, "the last bin holds what is certain"
    assert reliability([]).cases == 0


def test_a_level_too_few_is_wrong_as_a_whole_and_right_piece_by_piece() -> None:
    (whole, piece) = told(picture(StandRead(RED[:2], False), guess(("large",), 0.8)), None)
    assert (whole.what, whole.kind, whole.right) == ("wholes", "large alone", False)
    assert (piece.what, piece.right) == ("pieces", True)
    assert whole.confidence == piece.confidence == pytest.approx(0.8, abs=0.001)


def test_a_piece_is_as_sure_as_all_guesses_that_hold_it() -> None:
    seen = picture(StandRead(RED[:2], False), guess(("large",), 0.7), guess(("large", "medium"), 0.25))
    whole, piece = told(seen, Sureness())
    assert whole.confidence == pytest.approx(0.7, abs=0.001)
    assert piece.confidence == pytest.approx(0.95, abs=0.001)


def test_one_piece_too_many_is_no_piece() -> None:
    cases = [one.right for one in told(picture(StandRead(RED[:1], False), guess(("large", "large"), 0.9)), None)]
    assert cases == [False, True, False]
    assert not any(one.right for one in told(picture(None, guess(("small",), 0.9)), None))


def test_rows_and_diagram_say_the_same() -> None:
    before = list(told(picture(StandRead(RED[:1], False), guess(("large",), 0.9)), None))
    after = list(told(picture(StandRead(RED[:1], False), guess(("large",), 0.9)), Sureness()))
    found = rows(before, after, "wholes")
    assert {"all", "trees", "large alone", "large alone, from above"} <= set(found)
    old, new = found["large alone"]
    assert old.error == pytest.approx(0.1, abs=0.001) and new.cases == 1
    drawn = diagram(before, after)
    assert "before: error 0.100 of 1" in drawn
    assert len(list(ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}circle"))) == 2
