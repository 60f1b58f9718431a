"""Measures how well Spectrangle photographs are read: by light, table and view, with the tile set as prior and without.

`python -m bench.accuracy FOLDER [--stress]` reads every labeled picture of a folder (`NAME.jpg` beside `NAME.json`);
`--stress` reads them again darker, warmer, noisier, blurred, squeezed and smaller. Without arguments the pictures
that come with the tests are read.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import cv2
import numpy as np

from bench.figure import Figure
from companion.core.foundation.errors import SeeError
from companion.core.layout import Detection
from companion.core.pieces import Tile
from companion.core.plan import Mat, Plan, TileBoard
from vision.image.picture import Picture, read_picture
from vision.readers.tiles.scene import TileScene, place_board, read_scene
from vision.registration.registered_image import find_table
from vision.table_reader import TableReader

BUNDLED = Path(__file__).parent.parent / "tests" / "data" / "spectrangle"

Names = tuple[str | None, ...]
"""Of each of the 36 cells: letters left, right, flat and value, or None where it is empty."""


class TilePicture(NamedTuple):
    """One picture, read."""

    label: dict[str, Any]
    joint: Names
    alone: Names
    unturned: Names
    """As `joint`, with the apex where the reading has it and not where the label has it."""
    sightings: tuple[Detection, ...]
    turn: int
    """Thirds by which the reading's apex is turned against the label's."""
    corner_mm: float
    """Largest distance of a board corner from the label's."""
    seconds: float
    burnt: tuple[bool, ...] = (False,) * 36
    """Cells that are said to be unknown."""


class PieceCount:
    """Right, wanted and given tiles, and pictures that are right as a whole."""

    def __init__(self) -> None:
        self.right = self.wanted = self.given = self.pictures = self.whole = 0

    def add(self, want: Names, have: Names) -> None:
        """One more picture."""
        right = sum(a is not None and a == b for a, b in zip(want, have, strict=True))
        wanted, given = (sum(name is not None for name in names) for names in (want, have))
        self.right, self.wanted, self.given = self.right + right, self.wanted + wanted, self.given + given
        self.pictures += 1
        self.whole += want == have

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 1 where there is nothing to find and nothing was found."""
        return 2 * self.right / (self.wanted + self.given) if self.wanted + self.given else 1.0

    def __str__(self) -> str:
        share = self.whole / max(self.pictures, 1)
        return f"pictures {self.pictures:3d}   tiles {self.wanted:4d}   F1 {self.f1:.4f}   whole pictures {share:.4f}"


def figures() -> Iterator[Figure]:
    """Yields the pictures that come with the tests."""
    shots = list(read_all(BUNDLED))
    both = PieceCount()
    for shot in shots:
        both.add(truth(shot.label), shot.joint)
    yield Figure("bundled Spectrangle pictures, tiles F1", both.f1, "", at_least=0.998)
    yield Figure("whole pictures right", both.whole / both.pictures, "", at_least=0.96)
    again = 1000 * median(reread_s(shot.label, BUNDLED) for shot in shots)
    yield Figure("a steady picture of a known table, median", again, "ms", at_most=250)


def truth(label: dict[str, Any]) -> Names:
    """Returns the cells of a label."""
    return tuple(
        None if cell is None else f"{cell['left']}{cell['right']}{cell['flat']}{cell['value']}"
        for cell in label["truth"]["cells"]
    )


def names(sightings: Iterable[Detection]) -> Names:
    """Returns the cells of a reading."""
    return tuple(sighting.piece.name if isinstance(sighting.piece, Tile) else None for sighting in sightings)


def mat_of(label: dict[str, Any]) -> tuple[Mat, Any]:
    """Returns the mat, and clicked corners where a marker is hidden."""
    mat = label["mat"]
    clicked = mat["corners_px"] if len(mat["visible_ids"]) < 4 else None
    return Mat(mat["width_mm"], mat["height_mm"], mat["marker_mm"]), clicked


def corners(label: dict[str, Any]) -> np.ndarray[Any, Any]:
    """(3, 2) apex, left, right in table millimeters."""
    return np.array([label["truth"]["board"][name] for name in ("apex", "left", "right")])


def read_all(folder: Path, change: Callable[[Picture], Picture] = lambda picture: picture) -> Iterator[TilePicture]:
    """Yields every labeled picture; one that cannot be read counts as read empty."""
    for path in sorted(folder.glob("*.json")):
        label = json.loads(path.read_text())
        picture = change(read_picture(folder / label["image"]))
        mat, clicked = mat_of(label)
        factor = picture.shape[1] / 1280
        began = time.perf_counter()
        try:
            corners_px = None if clicked is None else [(x * factor, y * factor) for x, y in clicked]
            table = find_table(picture, mat, corners_px)
            scene = read_scene(table, place_board(table), apex_known=False)
        except SeeError as error:
            print(f"  {label['image']}: {error}", file=sys.stderr)
            empty = (None,) * 36
            yield TilePicture(label, empty, empty, empty, (), 0, float("inf"), time.perf_counter() - began)
            continue
        seconds = time.perf_counter() - began
        yield best_turn(label, scene, seconds)


def best_turn(label: dict[str, Any], scene: TileScene, seconds: float) -> TilePicture:
    """Returns the reading turned so that its apex is the label's: a board without readable numbers looks the same
    thrice.
    """
    ways = [scene.turned(thirds) for thirds in range(3)]
    gaps = [float(np.hypot(*(np.array(way.board.placement.corners_mm()) - corners(label)).T).max()) for way in ways]
    turn = int(np.argmin(gaps))
    cells = ways[turn].board.cells
    joint = tuple(cell.joint for cell in cells)
    alone, unturned = names(cell.alone for cell in cells), names(cell.joint for cell in ways[0].board.cells)
    burnt = tuple(cell.burnt for cell in cells)
    return TilePicture(label, names(joint), alone, unturned, joint, turn, gaps[turn], seconds, burnt)


def reread_s(label: dict[str, Any], folder: Path) -> float:
    """Seconds to read a picture of a table that the reader knows."""
    mat, clicked = mat_of(label)
    reader = TableReader(Plan(mat, (TileBoard(),), None if clicked is None else tuple(map(tuple, clicked))))
    picture = read_picture(folder / label["image"])
    reader.read(picture)
    began = time.perf_counter()
    reader.read(picture)
    return time.perf_counter() - began


def stresses() -> dict[str, Callable[[Picture], Picture]]:
    """Returns ways in which another camera would have seen the same table."""
    grain = np.random.default_rng(1).normal(0, 8, (2160, 3840, 3))

    def levels(change: Callable[[Any], Any]) -> Callable[[Picture], Picture]:
        return lambda picture: np.clip(change(picture.astype(np.float64)), 0, 255).astype(np.uint8)

    def compressed(picture: Picture) -> Picture:
        return np.asarray(cv2.imdecode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 45])[1], 1), np.uint8)

    return {
        "darker, x 0.6": levels(lambda p: p * 0.6),
        "brighter, x 1.25": levels(lambda p: p * 1.25),
        "gamma 0.7": levels(lambda p: 255 * (p / 255) ** 0.7),
        "gamma 1.4": levels(lambda p: 255 * (p / 255) ** 1.4),
        "warmer": levels(lambda p: p * (0.8, 1.0, 1.12)),
        "cooler": levels(lambda p: p * (1.12, 1.0, 0.8)),
        "noise, sigma 8": levels(lambda p: p + grain[: p.shape[0], : p.shape[1]]),
        "blur, sigma 1.2": lambda p: np.asarray(cv2.GaussianBlur(p, (0, 0), 1.2), np.uint8),
        "JPEG quality 45": compressed,
        "960 x 540": lambda p: np.asarray(
            cv2.resize(p, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA), np.uint8
        ),
    }


def report(folder: Path, stress: bool) -> int:
    """Print everything; 1 if the bars of the design are missed."""
    shots = list(read_all(folder))
    joint, alone = PieceCount(), PieceCount()
    groups: dict[str, PieceCount] = defaultdict(PieceCount)
    for shot in shots:
        want = truth(shot.label)
        joint.add(want, shot.joint)
        alone.add(want, shot.alone)
        view = shot.label.get("view") or shot.label.get("look", {}).get("view", "")
        for group in (f"light: {shot.label['light']}", f"table: {shot.label['table']}", f"view: {view}"):
            groups[group].add(want, shot.joint)
        if want != shot.joint:
            wrong = [k for k in range(36) if want[k] != shot.joint[k]]
            print(f"  {shot.label['image']}: cells {wrong}, {[(want[k], shot.joint[k]) for k in wrong]}")
    print(f"with the tile set as prior   {joint}")
    print(f"each cell by itself          {alone}")
    unturned = PieceCount()
    for shot in shots:
        unturned.add(truth(shot.label), shot.unturned)
    print(f"not turned to the label      {unturned}")
    for name in sorted(groups):
        print(f"  {name:28s} {groups[name]}")
    gaps = [shot.corner_mm for shot in shots]
    upright = sum(shot.turn == 0 for shot in shots)
    print(f"board corners: median {median(gaps):.2f} mm, worst {max(gaps):.2f} mm; apex as labeled {upright} times")
    reliability(shots)
    again = [reread_s(shot.label, folder) for shot in shots]
    first = median(shot.seconds for shot in shots)
    print(f"seconds: first picture median {first:.3f}, known table median {median(again):.3f}, worst {max(again):.3f}")
    if stress:
        for name, change in stresses().items():
            count = PieceCount()
            for shot in read_all(folder, change):
                count.add(truth(shot.label), shot.joint)
            print(f"  {name:28s} {count}", flush=True)
    return 0 if joint.f1 >= 0.998 and joint.whole >= 0.96 * joint.pictures else 1


def reliability(shots: Iterable[TilePicture]) -> None:
    """Returns the share of right cells among those of a confidence."""
    said: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for shot in shots:
        for want, have, sighting in zip(truth(shot.label), shot.joint, shot.sightings, strict=False):
            bin_ = next(f"{low:.2f}" for low in (0.99, 0.95, 0.9, 0.8, 0.6, 0.0) if sighting.confidence >= low)
            said[bin_] += 1
            right[bin_] += want == have
    print("confidence at least: cells, share right")
    for bin_ in sorted(said, reverse=True):
        print(f"  {bin_}: {said[bin_]:5d}  {right[bin_] / said[bin_]:.4f}")


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    sys.exit(report(Path(given[0]) if given else BUNDLED, "--stress" in sys.argv))
