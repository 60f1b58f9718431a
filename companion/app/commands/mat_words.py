"""The table as a command line gives it: the mat's size, and where its corners are seen."""

from __future__ import annotations

import re

from companion.core.foundation.errors import WrongUsage
from companion.core.plan import Mat, Point


def parse_mat(size: str, marker_mm: float) -> Mat:
    """`440x400` and a marker's side as a mat.

    :raises WrongUsage: not two lengths with an x between, or lengths that no table has.
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*[xX×]\s*(\d+(?:\.\d+)?)\s*", size)
    if found is None:
        raise WrongUsage(f"--mat {size!r} is not WIDTHxHEIGHT in millimeters. Write it like 440x400.")
    width_mm, height_mm = float(found[1]), float(found[2])
    if not (50 <= width_mm <= 5000 and 50 <= height_mm <= 5000):
        raise WrongUsage(f"--mat {size!r} is out of bounds. A mat measures 50 to 5000 millimeters a side.")
    if not 5 <= marker_mm < min(width_mm, height_mm):
        raise WrongUsage(
            f"--marker {marker_mm:g} is out of bounds. A marker measures at least 5 millimeters and less than the mat."
        )
    return Mat(width_mm, height_mm, marker_mm)


def parse_corners(text: str) -> tuple[Point, Point, Point, Point]:
    """Four points `x,y`, with blanks or semicolons between.

    :raises WrongUsage: not four points.
    """
    parts = [part for part in re.split(r"[\s;]+", text.strip()) if part]
    try:
        points = [tuple(float(v) for v in part.split(",")) for part in parts]
    except ValueError:
        points = []
    if len(points) != 4 or any(len(point) != 2 or not all(abs(v) < 1e5 for v in point) for point in points):
        raise WrongUsage(f'--corners {text!r} is not four points. Write them like "10,10 630,12 640,470 4,466".')
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = points
    return (ax, ay), (bx, by), (cx, cy), (dx, dy)
