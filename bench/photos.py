"""Score a photo: seconds from the upload of a photo to the answer, for each game, with markers and without."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import cv2

from bench.figure import Figure
from bench.unmarked import painted_over
from companion.app.photographs import Photographs
from companion.referee.photographs import report_on
from vision.image.picture import read_picture

DATA = Path(__file__).parents[1] / "tests" / "data"
PHOTOS = {
    "spectrangle": "spectrangle/spectrangle-0011",
    "spectrum": "spectrum/spectrum-0018",
    "roll-and-color": "dice/dice-0020",
    "spectra": "pyramids/stalks-oak",
    "ice-stalks": "pyramids/stalks-oak",
}
ALONE = ("spectrangle", "spectrum", "roll-and-color")
"""Games whose photos need no markers."""
ROUNDS = 5
MOST_S = 2.0


def figures(rounds: int = ROUNDS) -> Iterator[Figure]:
    """Yields the seconds of each game."""
    reader = Photographs()
    for game, name in PHOTOS.items():
        data = (DATA / f"{name}.jpg").read_bytes()
        yield Figure(
            f"{game}, a photo with markers to its report", _median_s(reader, game, data, rounds), "s", at_most=MOST_S
        )
        if game in ALONE:
            label = json.loads((DATA / f"{name}.json").read_text())
            bare = painted_over(read_picture(DATA / f"{name}.jpg"), label)
            data = cv2.imencode(".jpg", bare, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
            yield Figure(f"{game}, one without markers", _median_s(reader, game, data, rounds), "s", at_most=MOST_S)


def _median_s(reader: Photographs, game: str, data: bytes, rounds: int) -> float:
    passed = []
    for _ in range(rounds + 1):
        began = time.perf_counter()
        report_on(game, [reader.read(data, game)["reading"]], 2)
        passed.append(time.perf_counter() - began)
    return statistics.median(passed[1:])
