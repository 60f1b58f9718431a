"""The round board of Spectrum: twelve paths of nine spaces, the rim outside, the stars around the hub (BRD-1, BRD-2).

Every space is one element with an id and a name. A path has its color, its letters at the rim, and the pattern of its
primary; an intermediate has its two neighbors' patterns side by side. Patterns follow the direction of their path, so
they look the same however the board is turned. Upright parts (letters, pawns) are marked, and the page turns them back.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from math import cos, pi, radians, sin

from msgspec import Struct

from companion.core.layout import Spot
from companion.core.pieces import PRIMARIES, WHEEL, Pawn
from web.scene.marks import Marks
from web.scene.pieces.dice import LETTERS, halves
from web.scene.pieces.hatching import lines
from web.scene.pieces.pawns import board_pawn
from web.scene.pieces.pyramids import PAINTS
from web.scene.shape import Attributes, BoardFrame, Point, Shape, group, label, measure, shape

RIM = 118.0
"""The radius of the wheel; lengths in this module are relative to it, not millimeters of a real board."""
RINGS = 9
HUB = RIM / 8
_STEP = (RIM - HUB) / RINGS
_HALF_DEG = 15.0
_PAWN, _PAWN_ON_STAR = 9.8, 8.3
_GAP = 5.6
_POINTED = ("last", "refused", "about", "changed")
_SAID = {"last": "last move", "refused": "not allowed", "about": "in question", "changed": "would change"}
_NAMED_RINGS = range(2, 7)
"""The spaces that are wide enough for their own name beside a pawn."""

INKS = {
    color: "#" + "".join(f"{(int(one[i : i + 2], 16) + int(other[i : i + 2], 16)) // 2:02x}" for i in (1, 3, 5))
    for color in WHEEL
    for one, other in [(PAINTS[halves(color)[0]].fill, PAINTS[halves(color)[1]].fill)]
}
"""The paint of each color of the wheel; that of an intermediate is halfway between its neighbors."""


class WheelPawn(Struct, frozen=True):
    """A pawn on a space."""

    pawn: Pawn
    sign: str
    """The player's sign."""
    owner: str
    """The player's name."""


class WheelSpace(Struct, frozen=True):
    """One space of the board."""

    spot: Spot
    path: int
    """The number of the path around the wheel, in the order of `WHEEL`."""
    number: int
    """The number of the space, from 1 on the rim to 9, the star."""
    standing: WheelPawn | None = None


def at(path: float, away: float) -> Point:
    """Returns the point on a path's middle line at a distance from the hub's center; red is at the top, and paths go
    clockwise.
    """
    angle = radians(30 * path)
    return away * sin(angle), -away * cos(angle)


def middle(path: int, number: int) -> Point:
    """Returns the middle of a space."""
    return at(path, RIM - (number - 0.5) * _STEP)


def board(
    spaces: Sequence[WheelSpace],
    opened: Collection[str] | None,
    marks: Marks,
    frame: BoardFrame,
    signs: Mapping[str, str] | None = None,
) -> Shape:
    """Returns the wheel with its pawns.

    Args:
        spaces: The spaces path by path, rim first.
        opened: The colors of the paths that the roll opens; None: no roll is in use.
        signs: The sign of the player of each color, for pawns that are shown on trial.
    """
    paths = [_path(path, None if opened is None else color in opened) for path, color in enumerate(WHEEL)]
    rows = []
    for path, color in enumerate(WHEEL):
        cells = [_space(one, marks, frame.name, frame.live, signs or {}) for one in spaces if one.path == path]
        words = f"{color}, {LETTERS[color]}" if frame.live else None
        rows.append(shape("g", {"class": "row", "role": "row" if frame.live else None, "aria-label": words}, *cells))
    disc: Attributes = {"class": "disc", "cx": 0, "cy": 0, "r": RIM + 1.6}
    hub: Attributes = {"class": "hub", "cx": 0, "cy": 0, "r": HUB}
    edge = RIM + 2.4
    ground = group("paths", *paths, aria_hidden="true")
    whole = group("wheel", shape("circle", disc), ground, shape("circle", hub), *rows)
    return frame.around("wheel-board" + ("" if opened is None else " lit"), (-edge, -edge, 2 * edge, 2 * edge), whole)


@cache
def _path(path: int, opened: bool | None) -> Shape:
    """Returns a path's color, pattern and letters, drawn at the top and turned to its place.

    Args:
        opened: True if the roll in use opens the path; None: no roll is in use.
    """
    color = WHEEL[path]
    parts: list[Shape] = [shape("path", {"class": "paint", "d": _sector(0, HUB, RIM), "fill": INKS[color]})]
    first, second = halves(color)
    for primary, left, right in ((first, -1.0, 1.0),) if first == second else ((first, -1.0, 0.0), (second, 0.0, 1.0)):
        around = _wedge(left * _HALF_DEG, right * _HALF_DEG)
        strokes = "".join(lines(around, turn, _GAP) for turn in PAINTS[primary].turns_deg)
        parts.append(shape("path", {"class": "strokes", "d": strokes, "stroke": PAINTS[primary].over}))
    turned = group("turned", *parts, transform=f"rotate({30 * path})")
    # The letters are beside the middle, where a pawn on the rim does not hide them.
    place = at(path + 0.28, RIM - 0.58 * _STEP)
    letters = group("upright", label(LETTERS[color], place, "path-letters", 7))
    kinds = ["path", f"path-{LETTERS[color]}"]
    if opened is not None:
        kinds.append("open" if opened else "closed")
    return group(" ".join(kinds), turned, letters)


def _wedge(left_deg: float, right_deg: float) -> tuple[Point, ...]:
    """Returns a convex outline of a part of the wheel around the top, from hub to rim."""
    steps = 6
    outside = [at((left_deg + (right_deg - left_deg) * i / steps) / 30, RIM) for i in range(steps + 1)]
    return (*outside, at(right_deg / 30, HUB), at(left_deg / 30, HUB))


@cache
def _sector(path: float, inner: float, outer: float, inset: float = 0.0) -> str:
    """Returns the outline of a path's part of a ring; `inset` is the distance from its edges."""
    inner, outer = inner + inset, outer - inset
    edges = []
    for away in (outer, inner):
        aside = _HALF_DEG / 30 - (inset / away) / (pi / 6)
        edges.append((at(path - aside, away), at(path + aside, away)))
    (a, b), (d, c) = edges
    wide, narrow = measure(outer), measure(inner)
    return f"M{_pair(a)}A{wide} {wide} 0 0 1 {_pair(b)}L{_pair(c)}A{narrow} {narrow} 0 0 0 {_pair(d)}Z"


def _pair(point: Point) -> str:
    return f"{measure(point[0])} {measure(point[1])}"


def _space(one: WheelSpace, marks: Marks, name: str, live: bool, signs: Mapping[str, str]) -> Shape:
    outer = RIM - (one.number - 1) * _STEP
    inner = outer - _STEP
    here = middle(one.path, one.number)
    kinds = [kind for kind in _POINTED if one.spot in getattr(marks, kind)]
    standing = None if one.spot in marks.ghosts else one.standing
    parts: list[Shape | None] = [shape("path", {"class": "ground", "d": _sector(one.path, inner, outer)})]
    parts += _printed(one, here)
    size = _PAWN if one.number < RINGS else _PAWN_ON_STAR
    if standing is not None:
        parts.append(group("upright", board_pawn(standing.pawn, standing.sign, here, size)))
    ghost = marks.ghosts.get(one.spot)
    if isinstance(ghost, Pawn):
        sign = signs.get(ghost.color, "circle")
        parts.append(group("upright ghost", board_pawn(ghost, sign, here, size)))
    around = _sector(one.path, inner, outer, 0.8)
    for kind in kinds:
        parts.append(shape("path", {"class": f"pointed {kind}-sign", "d": around, "aria-hidden": "true"}))
    if "refused" in kinds:
        x, y = here
        cross = f"M{measure(x - 3)} {measure(y - 3)}l6 6m0-6l-6 6"
        parts.append(group("upright", shape("path", {"class": "cross", "d": cross}), aria_hidden="true"))
    parts.append(shape("path", {"class": "focus", "d": around, "aria-hidden": "true"}))
    classes = f"cell {'empty' if standing is None else 'filled'}"
    if not live:
        return group(classes, *parts)
    known: Attributes = {
        "id": f"{name}-{one.spot}",
        "class": classes,
        "role": "gridcell",
        "tabindex": "-1",
        "aria-label": _words(one, standing, kinds),
        "data-spot": one.spot,
        "data-x": here[0],
        "data-y": here[1],
    }
    return shape("g", known, *parts)


def _printed(one: WheelSpace, here: Point) -> list[Shape | None]:
    """Returns the print of a space: a ring on a start, a star on a star, a name if there is room."""
    color = WHEEL[one.path]
    if one.number == RINGS:
        return [group("upright", _star(here, 3.9), aria_hidden="true")]
    if one.number == 1 and color in PRIMARIES:
        return [shape("circle", {"class": "start", "cx": here[0], "cy": here[1], "r": 4.4, "aria-hidden": "true"})]
    if one.number in _NAMED_RINGS:
        away = RIM - (one.number - 0.5) * _STEP
        place = at(one.path + (_HALF_DEG - 285 / away) / 30, away)
        return [group("upright", label(f"{LETTERS[color]}{one.number}", place, "space-name", 3.1), aria_hidden="true")]
    return []


def _star(here: Point, reach: float) -> Shape:
    corners = []
    for i in range(10):
        away = reach if i % 2 == 0 else reach * 0.45
        corners.append((here[0] + away * sin(pi * i / 5), here[1] - away * cos(pi * i / 5)))
    d = "M" + "L".join(_pair(corner) for corner in corners) + "Z"
    return shape("path", {"class": "star-shape", "d": d})


def _words(one: WheelSpace, standing: WheelPawn | None, kinds: Sequence[str]) -> str:
    """Returns the description of a space for screen readers."""
    color = WHEEL[one.path]
    words = [f"{LETTERS[color]}{one.number}, {color} {'star' if one.number == RINGS else one.number}"]
    if standing is None:
        words.append("empty")
    else:
        words.append(f"{standing.pawn.color} pawn of {standing.owner}")
        if one.number == RINGS:
            words.append("captured")
    return ", ".join([*words, *(_SAID[kind] for kind in kinds)])
