"""Scores over time as a scene: one stepped line for each player, with its own sign and dashes, and the name at its
end.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from web.scene.shape import Attributes, Shape, group, measure, shape
from web.scene.signs import Sign, sign_shape

WIDTH = 320.0
HEIGHT = 150.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 28.0, 88.0, 8.0, 18.0
_NAME_LETTERS = 11


def chart(
    names: Sequence[str],
    signs: Sequence[Sign],
    totals: Sequence[tuple[int, Sequence[float]]],
    *,
    what: str = "Scores",
    each: str = "row",
) -> Shape:
    """
    Args:
        names: Players by seat.
        signs: The sign of each player.
        totals: The number of each row that counts, and the totals by seat after it, oldest first; never empty.
        what: The quantity that the lines show.
        each: The unit in which `totals` are numbered.
    """
    values = [value for _, scores in totals for value in scores]
    low, high = floor(min(0, *values)), ceil(max(1, *values))
    step = _step(high - low)
    low, high = step * (low // step), step * -(-high // step)

    def x(place: int) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * place / max(1, len(totals) - 1)

    def y(value: float) -> float:
        return HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * (value - low) / (high - low)

    lines = []
    for value in range(low, high + 1, step):
        lines.append(
            shape("line", {"class": "grid", "x1": _LEFT, "x2": WIDTH - _RIGHT, "y1": y(value), "y2": y(value)})
        )
        at: Attributes = {"class": "tick", "x": _LEFT - 5, "y": y(value) + 3, "text-anchor": "end", "font-size": 9}
        lines.append(shape("text", at, str(value)))
    foot: Attributes = {"class": "tick", "x": _LEFT, "y": HEIGHT - 5, "font-size": 9}
    lines.append(shape("text", foot, f"{each.capitalize()} {totals[0][0]}" if totals[0][0] else "Start"))
    if len(totals) > 1:
        end: Attributes = {"class": "tick", "x": WIDTH - _RIGHT, "y": HEIGHT - 5, "text-anchor": "end", "font-size": 9}
        lines.append(shape("text", end, f"{each.capitalize()} {totals[-1][0]}"))
    places = _apart([y(totals[-1][1][seat]) for seat in range(len(names))])
    series = [
        _series(
            seat, name, signs[seat], [(x(i), y(scores[seat])) for i, (_, scores) in enumerate(totals)], places[seat]
        )
        for seat, name in enumerate(names)
    ]
    words = ", ".join(f"{name} {totals[-1][1][seat]}" for seat, name in enumerate(names))
    known = {
        "class": "chart",
        "viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}",
        "role": "img",
        "aria-label": f"{what} after each {each}. Now: {words}.",
    }
    return shape("svg", known, group("grid-lines", *lines), *series)


def _series(seat: int, name: str, sign: Sign, points: Sequence[tuple[float, float]], name_y: float) -> Shape:
    path = f"M{measure(points[0][0])} {measure(points[0][1])}"
    for px, py in points[1:]:
        path += f"H{measure(px)}V{measure(py)}"
    shown = name if len(name) <= _NAME_LETTERS else name[: _NAME_LETTERS - 1] + "…"
    at: Attributes = {"class": "series-name", "x": WIDTH - _RIGHT + 14, "y": name_y + 3.4, "font-size": 10}
    return group(
        f"series {sign.css} dash-{seat % 4}",
        shape("path", {"class": "line", "d": path}),
        sign_shape(sign, WIDTH - _RIGHT + 7, name_y, 4),
        shape("text", at, shown),
    )


def _step(span: int) -> int:
    """Returns a round distance between the lines of the grid, so that there are about four of them."""
    scale = 1
    while span > 5 * 50 * scale:
        scale *= 10
    return next(round_ * scale for round_ in (1, 2, 5, 10, 20, 25, 50) if span <= 5 * round_ * scale)


def _apart(wanted: Sequence[float], least: float = 12.0) -> list[float]:
    """Returns the heights of the names at the right end, moved so that no name covers another."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = [0.0] * len(wanted)
    below = -1e9
    for i in order:
        placed[i] = max(wanted[i], below + least)
        below = placed[i]
    over = max(0.0, below - (HEIGHT - _BOTTOM + 4))
    return [value - over for value in placed]
