"""The gate, which sees every picture: at most 2 ms of one core for 1280x720, the shrinking included.

The table is drawn noise with an arm that swings over it; noise is new in each picture, as a sensor's is.
`python -m bench.gate FOLDER...` instead holds the gate against recordings with a `sequence.json` that says of each
picture whether it is stable.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import cv2
import numpy as np

from bench.figure import Figure
from vision.gate.steadiness import Gate
from vision.image.picture import Picture
from vision.sources.folder import FolderSource
from vision.sources.source import Shot

SIZE = (1280, 720)
PICTURES = 90
RATE_HZ = 30


def figures() -> Iterator[Figure]:
    """Pictures a second through the gate, by what goes on in them."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    still = [arm(None)] * PICTURES
    swing = [arm(n) for n in range(PICTURES)]
    rest = [arm(0)] * PICTURES
    yield figure("gate, a hand moves (2 ms a picture are 500)", [*still[:12], *swing], 12)
    yield figure("gate, a quiet table", still, 12)
    yield figure("gate, a hand rests in view", [*still[:12], *rest], 24)
    cv2.setNumThreads(threads)


def figure(text: str, pictures: list[Picture], skip: int) -> Figure:
    """Run a fresh gate over pictures and time each but the first few."""
    gate, spent_s = Gate(), []
    fields = np.random.default_rng(1).integers(-6, 7, (8, SIZE[1], SIZE[0], 3), dtype=np.int16)
    for n, clean in enumerate(pictures):
        picture = np.clip(clean + fields[n % len(fields)], 0, 255).astype(np.uint8)
        shot = Shot(n + 1, "", n / RATE_HZ, 0.0, 1 / RATE_HZ, picture)
        began = time.process_time()
        gate.step(shot)
        spent_s.append(time.process_time() - began)
    middle_s = median(spent_s[skip:])
    return Figure(f"{text}: {1000 * middle_s:.2f} ms", 1 / middle_s, "pictures/s", at_least=500)


def arm(swing: int | None) -> Picture:
    """Returns a table of coarse texture, with an arm at a place that depends on `swing`; None: no arm."""
    coarse = np.random.default_rng(0).integers(70, 190, (45, 80, 3), dtype=np.uint8)
    picture = np.asarray(cv2.resize(coarse, SIZE, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    if swing is not None:
        x = 300 + 9 * swing % 600
        cv2.line(picture, (x + 80, SIZE[1] + 40), (x, 320), (90, 120, 170), 90)
        cv2.circle(picture, (x, 320), 70, (110, 150, 205), -1)
    return picture


def held(folder: Path) -> int:
    """Print what the gate says of each picture of a recording, S steady and x not; how many it gets wrong."""
    frames = json.loads((folder / "sequence.json").read_text())["frames"]
    source = FolderSource(folder)
    gate = Gate.for_source(source)
    said = [gate.step(shot).steady for shot in iter(lambda: source.next(0), None)]
    wrong = [frame["file"] for frame, steady in zip(frames, said, strict=True) if frame["stable"] != steady]
    row = "".join("S" if steady else "x" for steady in said)
    print(f"{folder.name:<16}{row:<40}{len(said) - len(wrong)} of {len(said)} right {' '.join(wrong)}")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(1 if sum(held(Path(folder)) for folder in sys.argv[1:]) else 0)
