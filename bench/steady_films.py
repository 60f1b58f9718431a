"""Compares single frames of a film with three looks together: `python -m bench.steady_films FOLDER FILM...`.

FOLDER is a labeled recording with a `sequence.json`; a film shows its steady pictures one after the other, from the
first one on, with a sensor's noise. `FILM.json` beside it lists the seconds from which each picture but the first one
rests. Of each picture's rest, five single frames are read, each by a reader that knows nothing yet, and three looks
(means of stretches, as `vision.gate.moments` takes them) by another one, and folded as the referee folds them.
Prints how often every piece of every zone was read right, how many pieces a reading gets wrong, and how sure it was
of readings that were right and that were wrong. A piece that fewer than half of the looks found does not count.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any

import cv2
import numpy as np

from bench import gate
from bench.figure import Figure
from companion.core.layout import Layout, Spot
from companion.core.pieces import Pyramid
from companion.core.plan import Plan, PyramidZone
from companion.core.recording import load_recording_file
from companion.games import RECORDED
from companion.referee.matching import LOOKS, merge
from vision.gate.moments import QuietStretch
from vision.gate.steadiness import Gate, Report
from vision.image.picture import Picture
from vision.readers.pyramids.blind_zones import depths_mm
from vision.sources.opening import open_source
from vision.sources.source import Shot
from vision.table_reader import TableReader

SINGLES = 5
"""So many single frames of each rest are read."""
STRETCH = 6
"""So many frames are one look: 0.4 s of 15 pictures a second."""
SETTLED_S = 0.2
"""The first frames of a rest are left out."""

Held = Counter[tuple[Spot, str]]
"""Pieces by zone."""


def figures() -> Iterator[Figure]:
    """Pictures a second through gate and mean on a quiet table; 5 ms a picture are 200."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    gated, stretch, spent_s = Gate(), QuietStretch(), []
    picture = gate.arm(None)
    for n in range(60):
        shot = Shot(n + 1, "", n / gate.RATE_HZ, 0.0, 1 / gate.RATE_HZ, picture)
        began = time.process_time()
        stretch.add(picture, gated.step(shot))
        spent_s.append(time.process_time() - began)
    cv2.setNumThreads(threads)
    middle_s = median(spent_s[12:])
    yield Figure(f"gate and mean, a quiet table: {1000 * middle_s:.2f} ms", 1 / middle_s, "pictures/s", at_least=200)


class Row:
    """The counts of readings of one kind."""

    def __init__(self) -> None:
        self.readings = self.whole = self.wrong = 0
        self.sure: dict[bool, list[float]] = {True: [], False: []}
        """Of each reading, how sure it was of the piece that it was least sure of; by whether it was right."""

    def add(self, truth: Held, layout: Layout) -> None:
        """Count one reading."""
        seen, least = held(layout)
        wrong = ((truth - seen) + (seen - truth)).total()
        self.readings += 1
        self.whole += not wrong
        self.wrong += wrong
        self.sure[not wrong].append(least)

    def __str__(self) -> str:
        sure = [f"{mean(found):.2f}" if found else "-" for found in (self.sure[True], self.sure[False])]
        return (
            f"whole {self.whole:4d} of {self.readings:4d} ({self.whole / max(1, self.readings):.3f})   "
            f"wrong a reading {self.wrong / max(1, self.readings):.3f}   least sure: right {sure[0]}, wrong {sure[1]}"
        )


def held(layout: Layout) -> tuple[Held, float]:
    """Returns the pieces that a reading has in each zone, and the confidence of the least sure one."""
    of = max(layout.looks.values(), default=1)
    found: Held = Counter()
    least = 1.0
    for spot, heap in layout.heaps.items():
        for sighting in heap:
            if 2 * layout.looks_at(spot, sighting) >= of and isinstance(sighting.piece, Pyramid):
                found[spot, _name(sighting.piece.color, sighting.piece.size)] += 1
                least = min(least, sighting.confidence)
    return found, least


def true(plan: Plan, truth: dict[str, Any]) -> Held:
    """Returns the pieces that a picture's label has in each zone."""
    found: Held = Counter()
    zones = [zone for zone in plan.zones if isinstance(zone, PyramidZone)]
    for thing in [*truth.get("stacks", []), *truth.get("lying", [])]:
        depths = depths_mm((thing["x"], thing["y"]), zones)
        for piece in thing.get("pieces", [thing]):
            found[zones[int(np.argmax(depths))].spot, _name(piece["color"], piece["size"])] += 1
    return found


def rests(film: Path) -> Iterator[list[Picture]]:
    """Yields the frames of each rest that are read."""
    starts = [0.0, *(one["t"] for one in json.loads(film.with_name(film.name + ".json").read_text()))]
    source = open_source(str(film), realtime=False)
    at, frames = 0, list[Picture]()
    while not source.ended:
        shot = source.next(1.0)
        if shot is None:
            continue
        if starts[at + 1 :] and shot.t_s >= starts[at + 1]:
            yield frames
            at, frames = at + 1, []
        if shot.t_s >= starts[at] + SETTLED_S and len(frames) < LOOKS * STRETCH:
            frames.append(shot.picture)
    source.close()
    yield frames


def read_singly(plan: Plan, frames: Sequence[Picture]) -> Iterator[Layout]:
    """Yields the readings of single frames, each as the first one of its table."""
    for frame in frames[:: max(1, len(frames) // SINGLES)][:SINGLES]:
        yield TableReader(plan).read(frame).layout


def read_together(plan: Plan, frames: Sequence[Picture]) -> Layout:
    """Returns three looks at a table as one reading."""
    reader, looks = TableReader(plan), []
    for begin in range(0, len(frames), STRETCH):
        stretch = QuietStretch()
        for frame in frames[begin : begin + STRETCH]:
            stretch.add(frame, Report("idle"))
        read = reader.read_again if begin else reader.read
        looks.append(read(stretch.take()).layout)
    return merge(*looks)


def main(folder: str, *films: str) -> int:
    """Print two rows a film: single frames, and looks together."""
    file = load_recording_file(Path(folder) / "sequence.json")
    labels = json.loads((Path(folder) / "sequence.json").read_text())
    truths = [frame["truth"] for frame in labels["frames"] if frame["stable"]]
    plan = RECORDED[labels["game"]](file.mat, file.setup).plan
    for film in map(Path, films):
        single, together = Row(), Row()
        for truth, frames in zip(truths, rests(film), strict=False):
            for layout in read_singly(plan, frames):
                single.add(true(plan, truth), layout)
            together.add(true(plan, truth), read_together(plan, frames))
        print(f"{film.name:20s} single frames   {single}")
        print(f"{'':20s} looks together  {together}", flush=True)
    return 0


def _name(color: str, size: str) -> str:
    return f"{color} {size}"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
