"""Where the zones of a mat lie, for tests that hold them apart."""

from __future__ import annotations

from itertools import combinations

from companion.core.plan import Plan, PyramidZone

Box = tuple[float, float, float, float]


def boxes(found: Plan) -> list[Box]:
    """The sides of every zone, all of them zones of pyramids, in millimeters."""
    zones = [zone for zone in found.zones if isinstance(zone, PyramidZone)]
    assert len(zones) == len(found.zones)
    sides = [tuple(zip(*zone.outline_mm, strict=True)) for zone in zones]
    return [(min(xs), min(ys), max(xs), max(ys)) for xs, ys in sides]


def apart(one: Box, other: Box) -> bool:
    """Whether two boxes have no place in common."""
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def assert_clear(found: Plan) -> None:
    """Zones stay clear of markers and of each other."""
    patch = found.mat.marker_mm / 2 + 8
    markers = [(x - patch, y - patch, x + patch, y + patch) for x, y in found.mat.corners_mm()]
    assert all(apart(one, other) for one, other in combinations(boxes(found) + markers, 2))
