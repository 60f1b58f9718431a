"""The outlines of an exact shape are found on the edges of a picture, wherever its light comes from."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.pyramids.ideal import camera
from vision.pyramids.edges import FEATURES, MEAN, StackEdges, load, sides_of
from vision.pyramids.hypothesis import StackHypothesis, outlines

EYE = camera(35.0)
TREE = StackHypothesis(250.0, 180.0, 20.0, ("large", "medium"))
PIECE = StackHypothesis(250.0, 180.0, 20.0, ("medium",))


def painted(place: StackHypothesis, table: int = 150, plastic: tuple[int, int, int] = (40, 110, 60)) -> np.ndarray:
    """(720, 1280, 3) a thing of one flat color for each level."""
    picture = np.full((720, 1280, 3), table, np.uint8)
    for level, piece in enumerate(outlines([place], EYE)[0]):
        color = tuple(int(value * (1 - 0.2 * level)) for value in plastic)
        cv2.fillConvexPoly(picture, cv2.convexHull(np.rint(piece).astype(np.int32)), color)
    return picture


@pytest.mark.parametrize("lies", [False, True])
def test_a_shape_is_moved_to_where_its_edges_are(lies: bool) -> None:
    place = StackHypothesis(250.0, 180.0, 20.0, ("medium",), lies)
    ((found, _),) = StackEdges(painted(place)).fitted([place.moved(3.0, -2.5, 8.0)], EYE)
    assert np.hypot(found.x_mm - 250, found.y_mm - 180) < 1.5
    assert abs(found.turn_deg - 20) < 4


@pytest.mark.parametrize("place", [PIECE, TREE])
def test_only_the_true_sizes_have_edges_under_all_their_outlines(place: StackHypothesis) -> None:
    edges = StackEdges(painted(place))
    guesses = [("small",), ("medium",), ("large",), ("large", "medium"), ("large", "small"), ("large", "large")]
    weak = {}
    for sizes in guesses:
        ((_, features),) = edges.fitted([StackHypothesis(251.0, 179.0, 20.0, sizes)], EYE)
        weak[sizes] = features[0] / features[:12].sum()
    assert min(weak, key=weak.__getitem__) == place.sizes
    assert weak[place.sizes] < 0.05


def test_shade_makes_edges_no_weaker() -> None:
    light = StackEdges(painted(TREE)).fitted([TREE], EYE)[0][1]
    shade = StackEdges((painted(TREE) * 0.6).astype(np.uint8)).fitted([TREE], EYE)[0][1]
    assert np.abs(light[:12].sum() - shade[:12].sum()) < 0.05
    assert light[12] - shade[12] < 0.1


def test_a_part_of_the_picture_is_enough() -> None:
    picture = painted(TREE)
    flat = outlines([TREE], EYE)[0].reshape(-1, 2)
    left, top = (int(v) - 20 for v in flat.min(axis=0))
    right, bottom = (int(v) + 20 for v in flat.max(axis=0))
    start = TREE.moved(2.0, 1.0, 5.0)
    (whole,) = StackEdges(picture).fitted([start], EYE)
    (part,) = StackEdges(picture, (left, top, right, bottom)).fitted([start], EYE)
    assert part[0] == whole[0]
    assert part[1] == pytest.approx(whole[1])


def test_sides_behind_a_higher_piece_are_left_out() -> None:
    lower = sides_of(outlines([StackHypothesis(250, 180, 20, ("large",))], EYE)[0])
    both = sides_of(outlines([TREE], EYE)[0])
    assert both.length_px[both.start < 5].sum() < lower.length_px.sum() - 20, "the tip is behind the medium one"
    assert not lower.inner.any()
    assert both.inner[both.start >= 5].any() and not both.inner[both.start < 5].any()


def test_levels_are_counted_beside_the_edges() -> None:
    edges = StackEdges(painted(TREE))
    for count in range(1, 8):
        ((_, features),) = edges.fitted([StackHypothesis(250, 180, 20, ("large",) * count)], EYE)
        assert features.shape == (FEATURES,)
        assert features[-6:].tolist() == [*(float(min(count, 5) == k) for k in range(1, 6)), 0.0]
    ((_, lying),) = edges.fitted([StackHypothesis(250, 180, 20, ("large",), True)], EYE)
    assert lying[-6:].tolist() == [0, 0, 0, 0, 0, 1.0]


BARE = np.full((720, 1280, 3), 150, np.uint8)


def unexplained(picture: np.ndarray, *sizes: str, bare: np.ndarray | None = BARE) -> tuple[float, float]:
    """The area of strong edges inside and beside a stack that no line of it explains, in square centimeters."""
    place = StackHypothesis(250.0, 180.0, 20.0, sizes)
    ((_, features),) = StackEdges(picture, bare=bare).fitted([place], EYE)
    return float(features[MEAN + 3 : MEAN + 7].sum()), float(features[MEAN + 9 : MEAN + 13].sum())


def test_edges_that_a_guess_does_not_explain_are_counted() -> None:
    picture = painted(TREE)
    inside, beside = unexplained(picture, "large", "medium")
    assert unexplained(picture, "large")[0] > inside + 0.2, "the upper piece has edges inside of the lower one"
    assert unexplained(picture, "small")[1] > beside + 0.2, "a larger piece has edges beside a smaller one"


def test_edges_of_the_cloth_are_no_fault_of_a_guess() -> None:
    bare = BARE.copy()
    bare[:, ::24] = 60
    picture = painted(PIECE)
    picture[(picture == 150).all(axis=2)] = bare[(picture == 150).all(axis=2)]
    assert unexplained(picture, "medium", bare=bare)[1] < 0.1
    assert unexplained(picture, "medium")[1] > 0.3, "if they were not known, they were"
    assert unexplained(picture, "medium", bare=None) == (0.0, 0.0), "where nothing is known of it, nothing is counted"


@pytest.mark.parametrize("turn", [3.0, 31.0, 58.0, 77.0])
def test_a_turn_is_found_from_any_other(turn: float) -> None:
    picture = painted(StackHypothesis(250.0, 180.0, turn, ("large", "medium")))
    found = StackEdges(picture).turned(StackHypothesis(251.0, 180.5, 0.0, ("large", "medium")), EYE)
    assert abs((found - turn + 45) % 90 - 45) < 4


def test_a_place_at_the_rim_of_the_picture_is_no_fault() -> None:
    edges = StackEdges(painted(TREE)[:, :300], (0, 0, 300, 720))
    assert np.isfinite(edges.fitted([TREE], EYE)[0][1]).all()


def test_weights_are_read_as_they_were_kept(tmp_path: Path) -> None:
    np.savez(tmp_path / "edges.npz", alone=np.arange(FEATURES), beside=np.ones(FEATURES))
    found = load(tmp_path / "edges.npz")
    assert found.alone.tolist() == list(range(FEATURES))
    assert found.beside.tolist() == [1.0] * FEATURES
