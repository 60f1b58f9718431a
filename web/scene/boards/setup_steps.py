"""Pictures of the three steps in which a table is set up, and of a good place for the camera."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence

from companion.core.pieces import SHAPES, Die, Pyramid
from companion.core.plan import Mat
from web.scene.pieces import dice, pyramids
from web.scene.pieces.number_cards import HIGH, WIDE, sign_parts
from web.scene.shape import Shape, group, label, shape

_MARGIN_MM = 16.0
_MARKER_MM = 96.0
"""The side of a drawn marker; it is drawn larger than it is, so that its number can be read."""
_NUMBER_MM, _SIGN_MM = 62.0, 78.0
_SIGN_AWAY_MM = 92.0
"""The distance of the tick or cross from its marker, toward the middle of the mat."""
_SIGHT_MM, _LENS_MM, _ANGLE_MM = 330.0, 22.0, 90.0
"""The drawn distance of a camera from the table, its size, and the distance of its angle from it."""
_ROW_LARGER = 2.2
"""The largest factor by which pieces are enlarged."""
_DICE_ACROSS, _CARDS_ACROSS = 6, 8
_DIE_LARGEST_MM = 48.0
"""The numbers of dice and of cards in a row, and the largest size of dice in a picture."""


def mat_alone(mat: Mat) -> Shape:
    """Returns the mat with its four markers, without any sign."""
    marks = [_marker(i, at) for i, at in enumerate(mat.corners_mm())]
    return _scene(mat, "the mat with markers 0, 1, 2, 3 clockwise from the top left", *marks)


def markers(mat: Mat, seen: Container[int]) -> Shape:
    """Returns the mat with its four markers: visible ones have a tick, missing ones a cross and a broken edge."""
    marks = [_checked(mat, i, i in seen) for i in range(4)]
    told = [f"marker {i} {'seen' if i in seen else 'not seen'}" for i in range(4)]
    return _scene(mat, ", ".join(told), *marks)


def empty(mat: Mat) -> Shape:
    """Returns the mat with only its markers."""
    marks = [_marker(i, at) for i, at in enumerate(mat.corners_mm())]
    middle = mat.width_mm / 2, mat.height_mm / 2
    return _scene(mat, "the mat with its markers and nothing else", *marks, label("nothing here", middle, "word", 58))


def row(mat: Mat, pieces: Sequence[Pyramid]) -> Shape:
    """Returns pieces in one row on the mat, from left to right."""
    marks = [_marker(i, at) for i, at in enumerate(mat.corners_mm())]
    low = mat.height_mm / 2 + _ROW_LARGER * SHAPES["large"].height_mm / 2
    step = mat.width_mm / max(len(pieces), 1)
    larger = min(_ROW_LARGER, step / (1.15 * SHAPES["large"].base_mm))
    standing = [
        group("piece", pyramids.pyramid(piece, (0, 0)), transform=_at(step * (i + 0.5), low, larger))
        for i, piece in enumerate(pieces)
    ]
    words = ", ".join(piece.color for piece in pieces)
    return _scene(mat, f"one row, from the left: {words}", *marks, *standing)


def dice_row(mat: Mat, faces: Sequence[Die]) -> Shape:
    """Returns dice in rows of at most six on the mat, from left to right and from the top."""
    marks = [_marker(i, at) for i, at in enumerate(mat.corners_mm())]
    across = min(len(faces), _DICE_ACROSS)
    rows = math.ceil(len(faces) / _DICE_ACROSS)
    step = min(mat.width_mm / max(across, 1), mat.height_mm / max(rows, 1))
    size = min(_DIE_LARGEST_MM, 0.6 * step)
    top = mat.height_mm / 2 - step * (rows - 1) / 2
    left = mat.width_mm / 2 - step * (across - 1) / 2
    lying = [
        dice.die(face, (left + step * (i % _DICE_ACROSS), top + step * (i // _DICE_ACROSS)), size)
        for i, face in enumerate(faces)
    ]
    words = ", ".join(str(face.face) for face in faces)
    return _scene(mat, f"dice from the left, row by row, with these colors up: {words}", *marks, *lying)


def card_rows(mat: Mat, codes: Sequence[str]) -> Shape:
    """Cards in rows of at most eight on the mat, from left to right and from the top, by color or by number."""
    marks = [_marker(i, at) for i, at in enumerate(mat.corners_mm())]
    across = min(len(codes), _CARDS_ACROSS)
    rows = math.ceil(len(codes) / _CARDS_ACROSS)
    step = min(mat.width_mm / max(across, 1) / 1.15 / WIDE, mat.height_mm / max(rows, 1) / 1.1 / HIGH)
    left = mat.width_mm / 2 - step * 1.15 * WIDE * across / 2
    top = mat.height_mm / 2 - step * 1.1 * HIGH * rows / 2
    lying = [
        group(
            "piece",
            *sign_parts(code),
            transform=_at(
                left + step * 1.15 * WIDE * (i % _CARDS_ACROSS), top + step * 1.1 * HIGH * (i // _CARDS_ACROSS), step
            ),
        )
        for i, code in enumerate(codes)
    ]
    return _scene(mat, f"cards from the left, row by row: {', '.join(codes)}", *marks, *lying)


def single_die(face: Die) -> Shape:
    """Returns one die by itself; the element around it must name it."""
    about = {"class": "single", "viewBox": "-15 -15 30 30", "aria-hidden": "true", "focusable": "false"}
    return shape("svg", about, dice.die(face, (0, 0)))


def camera(mat: Mat, above_deg: float, better_deg: float | None) -> Shape:
    """Returns the table from its side with the camera above it, and the place from which it would see more."""
    middle = mat.width_mm / 2, mat.height_mm * 0.9
    top = shape("line", {"class": "table-top", "x1": 0, "y1": middle[1], "x2": mat.width_mm, "y2": middle[1]})
    if better_deg is None:
        words, places = f"the camera {above_deg:.0f} degrees above the table", [_camera(middle, above_deg, "now")]
    else:
        words = f"the camera {above_deg:.0f} degrees above the table, better {better_deg:.0f} degrees"
        places = [_camera(middle, above_deg, "now"), _camera(middle, better_deg, "better")]
    return _scene(mat, words, top, *places)


def _camera(middle: tuple[float, float], above_deg: float, kind: str) -> Shape:
    """Returns a camera with its line of sight and its angle: left of the middle at its present angle, right of it at a
    better one.
    """
    side = 1 if kind == "better" else -1
    x = middle[0] + side * _SIGHT_MM * math.cos(math.radians(above_deg))
    y = middle[1] - _SIGHT_MM * math.sin(math.radians(above_deg))
    sight = shape("line", {"class": "sight", "x1": x, "y1": y, "x2": middle[0], "y2": middle[1]})
    box = shape("circle", {"class": "lens", "cx": x, "cy": y, "r": _LENS_MM})
    return group(
        f"camera {kind}", sight, box, label(f"{above_deg:.0f}°", (x + side * _ANGLE_MM, y), "word", _NUMBER_MM)
    )


def _at(x: float, y: float, larger: float) -> str:
    return f"translate({x:.1f} {y:.1f}) scale({larger:.2f})"


def _scene(mat: Mat, words: str, *parts: Shape) -> Shape:
    edge = _MARKER_MM / 2 + _MARGIN_MM
    width, height = mat.width_mm + 2 * edge, mat.height_mm + 2 * edge
    ground = shape("rect", {"class": "ground", "x": -edge, "y": -edge, "width": width, "height": height})
    frame = f"{-edge:.1f} {-edge:.1f} {width:.1f} {height:.1f}"
    about = {"class": "step-scene", "viewBox": frame, "role": "img", "aria-label": f"Picture: {words}."}
    return shape("svg", about, ground, *parts)


def _marker(number: int, at: tuple[float, float], kind: str = "plain") -> Shape:
    """Returns a marker with its number."""
    x, y = at
    side = _MARKER_MM
    box = shape("rect", {"class": "paper", "x": x - side / 2, "y": y - side / 2, "width": side, "height": side})
    return group(f"marker {kind}", box, label(str(number), at, "word", _NUMBER_MM))


def _checked(mat: Mat, number: int, seen: bool) -> Shape:
    """Returns a marker with the sign for visible or missing."""
    x, y = mat.corners_mm()[number]
    kind = "seen" if seen else "missing"
    beside = x + (_SIGN_AWAY_MM if x == 0 else -_SIGN_AWAY_MM), y
    return group(
        f"checked {kind}", _marker(number, (x, y), kind), label("✓" if seen else "✗", beside, "sign", _SIGN_MM)
    )
