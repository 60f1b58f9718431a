"""Photographs without markers are read where a person has set their pieces."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from bench.pyramid_photos import HAND_SET, Read, framed, known_set, labels
from companion.core.layout import Detection
from companion.core.pieces import Pyramid
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.scene import FoundPieces

PHOTOS = json.loads(HAND_SET.read_text())


@pytest.mark.parametrize("name", PHOTOS)
def test_a_framed_photograph_is_seen_by_its_camera(name: str) -> None:
    hand_set = PHOTOS[name]
    size = {"pyramids-iriri": (420, 421), "pyramids-icedice-row": (640, 195)}[name]
    camera = np.array(
        [
            [hand_set["focal_px"], 0, hand_set["middle_px"][0]],
            [0, hand_set["focal_px"], hand_set["middle_px"][1]],
            [0, 0, 1],
        ]
    )
    places = np.column_stack([np.array(hand_set["places_mm"]), np.zeros(len(hand_set["places_mm"]))])
    at, _ = cv2.projectPoints(
        places, np.array(hand_set["rvec"]), np.array(hand_set["tvec"]), camera, np.array([hand_set["k1"], 0, 0, 0, 0])
    )
    at = at.reshape(-1, 2)
    assert (at > 0).all() and (at < size).all(), "pieces stand inside of the photograph"
    picture = np.zeros((size[1], size[0], 3), np.uint8)
    for x, y in at:
        cv2.circle(picture, (round(x), round(y)), 2, (255, 255, 255), -1)
    whole, pose = framed(picture, hand_set)
    assert max(whole.shape) >= 1280
    for x, y in pose.project(places):
        assert whole[round(y), round(x)].max() > 100, "and are found there again"


def read(labeled: list[str], *seen: str, lies: bool = False) -> Read:
    pieces = [tuple(words.split()) for words in seen]
    levels = tuple(Detection.sure(Pyramid(color, size)) for color, size in pieces)
    place = StackHypothesis(0, 0, 0, tuple(size for _, size in pieces), lies)
    nothing = np.zeros((len(pieces), 10))
    found = FoundPieces(place, 1.0, (), levels, nothing, np.zeros((len(pieces), 5, 2)), (0, 0, 1, 1)) if seen else None
    return Read(tuple(tuple(words.split()) for words in labeled), found)  # type: ignore[misc]


def test_a_piece_is_right_by_color_size_and_the_number_of_levels() -> None:
    assert read(["blue large", "blue small"], "blue large", "blue small").right == 2
    assert read(["blue large", "blue small"], "blue large", "blue medium").right == 1
    assert read(["blue large"], "blue large", "blue large").right == 0
    assert read(["blue small"], "blue small", lies=True).right == 0
    assert read(["blue small"]).right == 0


def test_labels_are_told_place_by_place() -> None:
    one = {"color": "red", "size": "small"}
    assert list(labels({"stacks": [], "upright": [one, one]})) == [(("red", "small"),)] * 2
    assert list(labels({"stacks": [{"pieces": [one, one]}]})) == [(("red", "small"), ("red", "small"))]


def test_the_set_is_known_where_the_game_is() -> None:
    known = known_set(PHOTOS["pyramids-iriri"])
    assert known is not None and sum(known.values()) == 30 and known[Pyramid("green", "small")] == 5
    assert known_set(PHOTOS["pyramids-icedice-row"]) is None
