"""Pictures of cards and calibrations with a taught deck, damaged in any way: read, or refused in one sentence."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from random import Random

import cv2
import msgspec
import numpy as np

from companion.core.plan import Mat
from tests.fuzz.kept import calibration, in_a_sentence
from tests.fuzz.spoiling import spoiled, spoiled_bytes
from vision.calibration.calibration import Calibration, load_calibration
from vision.calibration.taught import CORNER_PX, TaughtCorner, TaughtDeck
from vision.domains import recognize
from vision.image.picture import Picture, decode_picture
from vision.readers.cards.taught_looks import taught_looks

MAT = Mat(600, 400, 40)
FOLDER = Path(__file__).parents[1] / "data" / "cards"
NAMES = ("cards-0012", "cards-0030", "spectrumo-1")


def one(rng: Random) -> None:
    """One damaged picture, or one damaged calibration."""
    if rng.random() < 0.5:
        in_a_sentence(lambda: _read(rng))
    else:
        in_a_sentence(lambda: _known(rng))


@cache
def _bytes_of(name: str) -> bytes:
    return (FOLDER / f"{name}.jpg").read_bytes()


def _read(rng: Random) -> None:
    data = _bytes_of(rng.choice(NAMES))
    if rng.random() < 0.5:
        picture = decode_picture(spoiled_bytes(rng, data))
    else:
        picture = _damaged(rng, decode_picture(data))
    truth = recognize(picture, "cards", MAT).truth()
    for card in truth["cards"]:
        assert 0 <= card["confidence"] <= 1 and 0 <= card["visible"] <= 1, card


def _damaged(rng: Random, picture: Picture) -> Picture:
    """Returns a picture that a wrong camera might send: cut, painted over, turned, dark, or without any color."""
    height, width = picture.shape[:2]
    noise = np.random.default_rng(rng.getrandbits(32))
    match rng.randrange(6):
        case 0:
            x, y = rng.randrange(width // 2), rng.randrange(height // 2)
            return np.ascontiguousarray(picture[y : y + rng.randrange(40, height), x : x + rng.randrange(40, width)])
        case 1:
            painted = picture.copy()
            for _ in range(rng.randrange(1, 12)):
                x, y = rng.randrange(width), rng.randrange(height)
                painted[y : y + rng.randrange(1, 200), x : x + rng.randrange(1, 300)] = rng.randrange(256)
            return painted
        case 2:
            return np.ascontiguousarray(np.rot90(picture, rng.randrange(4)))
        case 3:
            return np.asarray(picture * rng.choice((0.0, 0.02, 0.3)), np.uint8)
        case 4:
            return np.repeat(picture[..., :1], 3, axis=2)
    strong = rng.choice((20, 80, 255))
    return np.clip(picture + noise.normal(0, strong, picture.shape), 0, 255).astype(np.uint8)


@cache
def _taught() -> bytes:
    """Returns a calibration with some corners of cards, as a file has it."""
    picture = cv2.resize(decode_picture(_bytes_of("cards-0012"))[200:344, 300:428], CORNER_PX)
    corner = cv2.imencode(".jpg", picture)[1].tobytes()
    corners = (
        *(TaughtCorner(corner, rank=rank) for rank in range(1, 13)),
        *(TaughtCorner(corner, color=color) for color in range(12)),
        TaughtCorner(corner, special=3),
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made"
        path.write_bytes(calibration())
        known = load_calibration(path)
        Calibration("cards", known.empty, deck=TaughtDeck(corners)).save(path)
        return path.read_bytes()


def _known(rng: Random) -> None:
    data = _taught()
    if rng.random() < 0.3:
        data = spoiled_bytes(rng, data)
    else:
        plain = {**msgspec.msgpack.decode(data), "sha256": None}
        corner = rng.choice(plain["deck"]["corners"])
        if rng.random() < 0.5:
            corner["picture"] = spoiled_bytes(rng, corner["picture"])
        else:
            plain["deck"] = spoiled(rng, plain["deck"])
        try:
            data = msgspec.msgpack.encode(plain)
        except (TypeError, ValueError, OverflowError):
            data = data[:-1]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kept"
        path.write_bytes(data)
        known = load_calibration(path)
    if known.deck:
        taught_looks(known.deck)
