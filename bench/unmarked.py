"""`python -m bench.unmarked FOLDER`: labeled photographs read with their markers and with the markers painted over.

Each marker is covered by the cloth beside it: the patch of table next to it that has the fewest edges.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

from bench.figure import Figure
from companion.core.foundation.errors import SeeError
from companion.core.plan import Mat
from vision.domains import recognize
from vision.image.picture import Picture, read_picture
from vision.photograph import read_photograph
from vision.readers.tiles.lattice import CELLS, turned_cell

DATA = Path(__file__).parents[1] / "tests" / "data"
DOMAINS = ("spectrangle", "spectrum", "dice")
MOST_LOST = 0.02
"""F1 that may be lost with the markers."""
_COVER = 2.0
"""A marker with its white is so many times as wide as its black square."""
_AWAY = 1.9
"""The cloth beside it begins so many widths away."""


def painted_over(picture: Picture, label: Mapping[str, Any]) -> Picture:
    """Returns the picture without its markers."""
    out = picture.copy()
    mat, corners = label["mat"], np.array(label["mat"]["corners_px"], dtype=np.float64)
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    lengths = (mat["width_mm"], mat["height_mm"])
    for number, middle in enumerate(corners):
        scale = max(sides[number] / lengths[number % 2], sides[number - 1] / lengths[(number - 1) % 2])
        half = math.ceil(mat["marker_mm"] * scale * _COVER / 2)
        x, y = round(middle[0]), round(middle[1])
        best = None
        for turn in range(16):
            angle = math.pi * turn / 8
            for away in (_AWAY, 1.4 * _AWAY):
                u, v = round(x + away * half * math.cos(angle)), round(y + away * half * math.sin(angle))
                if half <= u < out.shape[1] - half and half <= v < out.shape[0] - half:
                    patch = picture[v - half : v + half, u - half : u + half]
                    rough = float(cv2.Laplacian(patch, cv2.CV_32F).std())
                    if best is None or rough < best[0]:
                        best = rough, patch
        if best is not None:
            _lay(out, best[1], x - half, y - half)
    return out


def _lay(out: Picture, patch: Picture, left: int, top: int) -> None:
    """Lay a patch on a picture, soft at its edges."""
    side = patch.shape[0]
    hard = np.zeros((side, side), np.float32)
    soft = max(2, side // 12)
    hard[soft:-soft, soft:-soft] = 1
    alpha = np.asarray(cv2.GaussianBlur(hard, (0, 0), soft / 2))[..., None]
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + side, out.shape[1]), min(top + side, out.shape[0])
    part = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    if x0 >= x1 or y0 >= y1:
        return
    view = out[y0:y1, x0:x1]
    view[:] = np.round(view + (patch[part].astype(np.float32) - view) * alpha[part])


def pieces(domain: str, truth: Mapping[str, Any]) -> set[tuple[Any, ...]]:
    """Returns the pieces of a reading: dice by place, all others by spot."""
    if domain == "spectrangle":
        return {(k, one["left"], one["right"], one["flat"]) for k, one in enumerate(truth["cells"]) if one is not None}
    if domain == "spectrum":
        return {(one["color"], one["path"], one["space"]) for one in truth["pawns"]}
    counted: dict[tuple[str, str], int] = {}
    found = set()
    for one in truth["dice"]:
        key = one["kind"], str(one["face"])
        counted[key] = counted.get(key, 0) + 1
        found.add((*key, counted[key]))
    return found


def like(domain: str, truth: Mapping[str, Any], wanted: set[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
    """The pieces of a reading; a Spectrangle board, which looks the same from three sides, as it fits best."""
    if domain != "spectrangle":
        return pieces(domain, truth)
    cells, ways = list(truth["cells"]), []
    for _ in range(3):
        ways.append(pieces(domain, {"cells": cells}))
        cells = turned(cells)
    return max(ways, key=lambda found: len(found & wanted))


def turned(cells: Sequence[Any]) -> list[Any]:
    """The cells of a board as they read after a third of a turn."""
    found: list[Any] = [None] * len(cells)
    for cell, one in zip(CELLS, cells, strict=True):
        if one is not None:
            left, right, flat = one["left"], one["right"], one["flat"]
            edges = (flat, left, right) if cell.upward else (right, flat, left)
            found[turned_cell(cell.number, 1)] = {**one, **dict(zip(("left", "right", "flat"), edges, strict=True))}
    return found


class Tally:
    """Pieces of pictures that were read in one way."""

    def __init__(self) -> None:
        self.right = self.found = self.wanted = self.whole = self.pictures = 0

    def take(self, found: set[tuple[Any, ...]], wanted: set[tuple[Any, ...]]) -> None:
        """Counts one picture."""
        self.right += len(found & wanted)
        self.found += len(found)
        self.wanted += len(wanted)
        self.whole += found == wanted
        self.pictures += 1

    @property
    def f1(self) -> float:
        """Twice the right pieces, as a share of all that were read and all that lie there."""
        return 2 * self.right / max(self.found + self.wanted, 1)


def compared(folder: Path, domain: str, every: int = 1, say: Callable[[str], None] = click.echo) -> dict[str, Tally]:
    """Reads the pictures of a domain with their markers and without; what differs from a label is said."""
    sums = {way: Tally() for way in ("with", "without")}
    for path in sorted((folder / domain).glob("*.json"))[::every]:
        label = json.loads(path.read_text())
        picture = read_picture(path.with_suffix(".jpg"))
        mat = label["mat"]
        table = Mat(mat["width_mm"], mat["height_mm"], mat["marker_mm"])
        wanted = pieces(domain, label["truth"])
        for way, tally in sums.items():
            found: set[tuple[Any, ...]] = set()
            try:
                if way == "with":
                    corners = None if len(mat["visible_ids"]) > 1 else mat["corners_px"]
                    truth = recognize(picture, domain, table, corners).truth()
                else:
                    truth = dict(read_photograph(painted_over(picture, label), domain, ()).reading)
                found = like(domain, truth, wanted)
            except SeeError as error:
                say(f"  {path.stem} {way}: {error}")
            tally.take(found, wanted)
            if found != wanted:
                say(f"  {path.stem} {way}: {len(found & wanted)} of {len(wanted)} right, {len(found)} read")
    return sums


def figures() -> Iterator[Figure]:
    """Yields F1 of the bundled pictures with their markers painted over."""
    for domain in DOMAINS:
        sums = compared(DATA, domain, say=lambda text: None)
        least = sums["with"].f1 - MOST_LOST
        yield Figure(f"{domain} without markers, F1", sums["without"].f1, "", at_least=least)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.option("--every", type=click.IntRange(1), default=1, show_default=True, help="Only each so many'th picture.")
@click.option("--domain", "domains", multiple=True, type=click.Choice(DOMAINS), help="Only these.")
def main(folder: Path, every: int, domains: tuple[str, ...]) -> None:
    """Print F1 and whole pictures of each domain in FOLDER, with markers and without."""
    for domain in domains or DOMAINS:
        for way, tally in compared(folder, domain, every).items():
            click.echo(f"{domain} {way} markers: F1 {tally.f1:.4f}, whole {tally.whole} of {tally.pictures}")


if __name__ == "__main__":
    main()
