"""Photos that a bad line, a bad disk or ill will damaged end in one sentence each."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from companion.app.photographs import Photographs
from companion.referee.session_manager import SessionManager
from tests.web.api.test_photos import RAW
from tests.web.conftest import Browser
from web.admission.access import Access
from web.app import create_app

GAMES = {"spectrangle": 6, "spectrum": 6, "roll-and-color": 1, "spectra": 6, "ice-stalks": 6}
"""How often the photos of each game are read: the reader of dice takes seconds for noise."""
PHOTO = Path(__file__).parents[2] / "data/dice/dice-0003.jpg"
KINDS = (".jpg", ".png", ".webp")
MARKS = (b"Traceback", b"cv2", b"numpy", b"File ", b"Error(")


@cache
def whole(kind: str) -> bytes:
    """A small photo of dice."""
    small = cv2.resize(cv2.imread(str(PHOTO)), (160, 96), interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(kind, small)[1])


def damaged(rng: Random) -> bytes:
    """A photo with bytes changed, lost, doubled or cut off, or with a size that it does not have."""
    data = bytearray(whole(rng.choice(KINDS)))
    for _ in range(rng.randrange(1, 6)):
        at, length = rng.randrange(len(data)), rng.randrange(1, 40)
        match rng.randrange(6):
            case 0:
                data[at] = rng.randrange(256)
            case 1:
                del data[at : at + length]
            case 2:
                data[at:at] = data[at : at + length]
            case 3:
                data[at : at + length] = rng.randbytes(length)
            case 4:
                head = rng.randrange(min(60, len(data)))
                data[head : head + 2] = rng.choice((b"\xff\xff", b"\0\0", b"\x7f\xff"))
            case 5 if len(data) > 100:
                del data[rng.randrange(50, len(data)) :]
    return bytes(data)


@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=[pytest.mark.sweep, pytest.mark.timeout(1200)])])
def test_damaged_photos_end_in_a_sentence_each(sessions: SessionManager, access: Access, count: int) -> None:
    table = Browser(create_app(sessions, access=access, photographs=Photographs()), access.token("table"))
    rng = Random(count)
    for _ in range(count):
        data, game = damaged(rng), rng.choices(list(GAMES), list(GAMES.values()))[0]
        answer = table.post(f"/api/photos/read?game={game}", data=data, headers=RAW)
        if answer.status_code == 200:
            assert answer.json["size_px"]
            continue
        said = answer.json["error"]
        assert 400 <= answer.status_code < 500 and said.strip().endswith((".", ")"))
        assert len(said) < 600 and not any(mark in answer.data for mark in MARKS)


def test_a_photo_of_nothing_in_any_size_is_answered(sessions: SessionManager, access: Access) -> None:
    table = Browser(create_app(sessions, access=access, photographs=Photographs()), access.token("table"))
    for width, height in ((1, 1), (2, 900), (900, 2), (31, 31)):
        data = bytes(cv2.imencode(".png", np.full((height, width, 3), 90, np.uint8))[1])
        for game in GAMES:
            answer = table.post(f"/api/photos/read?game={game}", data=data, headers=RAW)
            assert answer.status_code in (200, 400, 409, 415, 422), (width, height, game, answer.data[:200])
