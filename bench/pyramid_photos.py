"""Pyramids in photographs of real tables: `python -m bench.pyramid_photos PHOTOS [--draw FOLDER]`.

These photographs show no markers and are not part of the project. What is: for each, a camera that was fitted to
corners marked by hand, where each labeled thing stands (`pyramid_photos.json`; millimeters, the scale from labeled
sizes), and the stashes of the game, where it is known. At these places the reader says what stands or lies there. A
piece is right if its color, its size and the number of levels are. `--find` gives no places: the reader finds things by
itself, and what it finds near a labeled one counts. `--alone` reads without the game's set; `--draw` writes the
photographs with all outlines, wrong ones in red.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.pieces import PYRAMID_SIZES, Pyramid
from companion.core.plan import Mat
from vision.image.light import LINEAR, Light
from vision.image.picture import Picture, read_picture
from vision.image.pose import Pose
from vision.readers.pyramids.assignment import Limits
from vision.readers.pyramids.closeup import shown
from vision.readers.pyramids.contours import Contours
from vision.readers.pyramids.joint_assignment import named_jointly
from vision.readers.pyramids.looking import Looking
from vision.readers.pyramids.reader import read, trained
from vision.readers.pyramids.scene import FoundPieces
from vision.readers.pyramids.sheet import inputs, sheet_of
from vision.readers.pyramids.weighing import Weigher

HAND_SET = Path(__file__).with_suffix(".json")
SIDE_PX = 1280
"""Smaller photographs are enlarged to the size of a webcam's pictures."""
_MARKER_MM = 20.0
_FOUND_MM = 12.0
"""A reading so near to a labeled thing counts as its reading: cameras were set by hand."""
_WHITE = 98
"""Percentile of a photograph's light that is taken for white."""


class Read(NamedTuple):
    """One labeled thing."""

    labeled: tuple[tuple[str, str], ...]
    """Color and size from the lowest piece up."""
    found: FoundPieces | None

    @property
    def seen(self) -> tuple[tuple[str, str], ...]:
        """The same as it was read."""
        pieces = [level.piece for level in self.found.levels] if self.found else []
        return tuple((piece.color, piece.size) for piece in pieces if isinstance(piece, Pyramid))

    @property
    def lies(self) -> bool:
        """True if it was read as lying."""
        return self.found is not None and self.found.place.lies

    @property
    def right(self) -> int:
        """The number of its pieces that were read with their color and size."""
        same = not self.lies and len(self.labeled) == len(self.seen)
        return sum(a == b for a, b in zip(self.labeled, self.seen, strict=True)) if same else 0


def framed(picture: Picture, hand_set: Mapping[str, Any]) -> tuple[Picture, Pose]:
    """Returns a photograph with its optical axis in the middle, enlarged, and the camera that took it."""
    height, width = picture.shape[:2]
    x, y = hand_set["middle_px"]
    across, down = (max(at, size - 1 - at) for at, size in ((x, width), (y, height)))
    left, right = round(across - x), round(across - (width - 1 - x))
    top, bottom = round(down - y), round(down - (height - 1 - y))
    whole = cv2.copyMakeBorder(picture, top, bottom, left, right, cv2.BORDER_REPLICATE)
    factor = max(1.0, SIDE_PX / max(width, height))
    whole = cv2.resize(whole, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
    camera = hand_set["focal_px"] * factor, hand_set["k1"], tuple(hand_set["rvec"]), tuple(hand_set["tvec"])
    return np.asarray(whole, np.uint8), Pose((whole.shape[1], whole.shape[0]), *camera, 0.0)


def labels(truth: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], ...]]:
    """The labeled pieces at each place."""
    for stack in truth["stacks"] or [{"pieces": [one]} for one in truth["upright"]]:
        yield tuple((piece["color"], piece["size"]) for piece in stack["pieces"])


def _mat(hand_set: Mapping[str, Any]) -> Mat:
    width_mm, height_mm = hand_set["mat_mm"]
    return Mat(width_mm, height_mm, _MARKER_MM)


def _light(picture: Picture, mat: Mat) -> Light:
    """Returns the photograph's light: even, and white where it is brightest."""
    white = np.percentile(LINEAR[picture].reshape(-1, 3).mean(axis=1), _WHITE)
    level = float(np.log(max(float(white), 0.02)))
    return Light((mat.width_mm / 2, mat.height_mm / 2), (level, level, level), 0.0, 0.0, ())


def find_in_photo(
    picture: Picture, pose: Pose, hand_set: Mapping[str, Any], truth: Mapping[str, Any], alone: bool = False
) -> Iterator[Read]:
    """The reader's own findings near each place; each finding counts once."""
    mat = _mat(hand_set)
    limits = None if alone else known_set(hand_set)
    found = list(read(picture, pose, _light(picture, mat), mat, limits=limits).scene.found)
    places = np.array(hand_set["places_mm"], np.float64)
    here = np.array([(one.place.x_mm, one.place.y_mm) for one in found]).reshape(-1, 2)
    away = np.linalg.norm(places[:, None] - here[None], axis=2)
    mine: dict[int, FoundPieces] = {}
    for near, place, number in sorted((away[i, j], i, j) for i in range(len(places)) for j in range(len(here))):
        if near <= _FOUND_MM and place not in mine and all(found[number] is not one for one in mine.values()):
            mine[place] = found[number]
    for number, labeled in enumerate(labels(truth)):
        yield Read(labeled, mine.get(number))


def read_photo(
    picture: Picture, pose: Pose, hand_set: Mapping[str, Any], truth: Mapping[str, Any], alone: bool = False
) -> Iterator[Read]:
    """The reading of each place."""
    nets, mat = trained(), _mat(hand_set)
    light = _light(picture, mat)
    sheet = sheet_of(pose, mat, pose.size_px)
    seen = inputs(picture, sheet, pose, light)
    answers, weigher = nets.cells(seen), Weigher(Contours(picture, nets.contours), nets.fits)
    looking = Looking(answers, shown(seen), sheet, pose, weigher, nets.namer)
    looks = looking.just_at(np.array(hand_set["places_mm"], np.float64))
    told = [looking.found([look], occupied=True) for look in looks]
    limits = None if alone else known_set(hand_set)
    found = iter(named_jointly([one[1] for one in told if one is not None], pose, limits))
    for labeled, one in zip(labels(truth), told, strict=True):
        yield Read(labeled, None if one is None else next(found))


def known_set(hand_set: Mapping[str, Any]) -> Limits | None:
    """Returns the pieces of the game that is played, if it is known which."""
    stashes = hand_set.get("stashes")
    return stashes and {Pyramid(color, size): count for color, count in stashes.items() for size in PYRAMID_SIZES}


def drawn(picture: Picture, found: Sequence[Read]) -> NDArray[np.uint8]:
    """Returns the outlines of what was read; red and with words where it is wrong."""
    out = picture.copy()
    for one in found:
        if one.found is None:
            continue
        good, flat = one.right == len(one.labeled), one.found.outline_px
        for piece in flat:
            hull = cv2.convexHull(np.rint(piece).astype(np.int32))
            cv2.polylines(out, [hull], True, (0, 200, 0) if good else (0, 0, 255), 2)
        if not good:
            left, top = flat.reshape(-1, 2).min(axis=0).astype(int)
            words = f"{'lies ' if one.lies else ''}{' '.join(size for _, size in one.seen)}"
            cv2.putText(out, words, (int(left), int(top) - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 255), 2)
    return out


def report(folder: Path, pictures: Path | None = None, alone: bool = False, find: bool = False) -> None:
    """Print how many pieces are right, and what was read instead of the others."""
    good = count = 0
    for name, hand_set in json.loads(HAND_SET.read_text()).items():
        label = json.loads((folder / f"{name}.json").read_text())
        picture, pose = framed(read_picture(folder / label["image"]), hand_set)
        found = list((find_in_photo if find else read_photo)(picture, pose, hand_set, label["truth"], alone))
        here, pieces = sum(one.right for one in found), sum(len(one.labeled) for one in found)
        good, count = good + here, count + pieces
        print(f"{name}: color and size of {here} of {pieces} pieces right: {here / pieces:.4f}")
        for one in found:
            if one.right < len(one.labeled):
                words = [", ".join(" ".join(piece) for piece in pieces) for pieces in (one.labeled, one.seen)]
                print(f"  {words[0]} read as {'lying ' if one.lies else ''}{words[1] or 'nothing'}")
        if pictures is not None:
            pictures.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(pictures / f"{name}.jpg"), drawn(picture, found))
    print(f"all: {good} of {count}: {good / count:.4f}")


def main() -> None:
    """Read the arguments and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path, metavar="PHOTOS")
    parser.add_argument("--draw", type=Path, metavar="FOLDER")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--find", action="store_true")
    args = parser.parse_args()
    report(args.photos, args.draw, args.alone, args.find)


if __name__ == "__main__":
    main()
