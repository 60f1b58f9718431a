"""The mat of card games: zones for piles, tricks and boards, and a place before each seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from companion.core.foundation.errors import BadPlan
from companion.core.plan import CardZone, Mat, Point

MAT = Mat(600.0, 400.0, 40.0)
"""The mat that `companion mat` prints for card games."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in table millimeters."""
Side = Literal["bottom", "left", "top", "right"]
"""The side of the table where a player sits, as seen in the camera's picture: marker 0 is at the upper left."""

_CARD_MM = (63.0, 88.0)
_AROUND: tuple[Side, ...] = ("bottom", "left", "top", "right")
_BY_SEATS: dict[int, tuple[Side, ...]] = {1: ("bottom",), 2: ("bottom", "top"), 3: ("bottom", "left", "right")}


def sides_of(seats: int) -> tuple[Side, ...]:
    """Returns the side at which each of the players sits: clockwise from the bottom; from five on, two share a side."""
    return _BY_SEATS.get(seats) or tuple(_AROUND[seat * 4 // seats] for seat in range(seats))


def checked_dealer(dealer: int | None, players: int) -> int:
    """Returns the dealer of a recorded game; the last player if none is named.

    Raises:
        BadPlan: There is no such player.
    """
    if dealer is None:
        return players - 1
    if dealer >= players:
        raise BadPlan(f"The setup names dealer {dealer}; {players} players are 0 to {players - 1}.")
    return dealer


def box_zone(spot: str, box: Box, kind: Literal["cards", "pile", "place", "stock"]) -> CardZone:
    """Returns a zone with straight sides."""
    x0, y0, x1, y1 = box
    return CardZone(spot, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), kind)


def moved(zones: Sequence[CardZone], boxes: Mapping[str, Box] | None) -> tuple[CardZone, ...]:
    """Returns the zones, with those named in `boxes` moved from their places on the printed mat.

    Raises:
        BadPlan: A box is named for a place that there is not.
    """
    boxes = boxes or {}
    strange = sorted(set(boxes) - {zone.spot for zone in zones})
    if strange:
        names = ", ".join(zone.spot for zone in zones)
        raise BadPlan(f'"{strange[0]}" is no place of this game. Places are: {names}.')
    return tuple(box_zone(zone.spot, boxes[zone.spot], zone.kind) if zone.spot in boxes else zone for zone in zones)


def card_box(middle: Point, around_mm: float = 10.0) -> Box:
    """Returns a box in table millimeters for one upright card with a margin."""
    x, y = middle
    wide, high = _CARD_MM[0] / 2 + around_mm, _CARD_MM[1] / 2 + around_mm
    return x - wide, y - high, x + wide, y + high


def places_around(mat: Mat, seats: int, deep_mm: float = 160.0) -> tuple[Box, ...]:
    """Returns a box before each seat, along the edges of a mat; players of one side share it, clockwise."""
    sides, gap = sides_of(seats), 10.0
    inner, across, down = gap + deep_mm, mat.width_mm, mat.height_mm
    rows: dict[Side, Box] = {
        "bottom": (inner + gap, down - inner, across - inner - gap, down - gap),
        "left": (gap, gap, inner, down - gap),
        "top": (inner + gap, gap, across - inner - gap, inner),
        "right": (across - inner, gap, across - gap, down - gap),
    }
    found: list[Box] = []
    for seat, side in enumerate(sides):
        x0, y0, x1, y1 = rows[side]
        mates = [other for other, where in enumerate(sides) if where == side]
        place = (mates[::-1] if side in ("bottom", "left") else mates).index(seat)
        if side in ("bottom", "top"):
            wide = (x1 - x0) / len(mates)
            found.append((x0 + place * wide, y0, x0 + (place + 1) * wide, y1))
        else:
            high = (y1 - y0) / len(mates)
            found.append((x0, y0 + place * high, x1, y0 + (place + 1) * high))
    return tuple(found)


def trick_places(box: Box, sides: Sequence[Side]) -> tuple[CardZone, ...]:
    """Returns the zone before each seat for its card to a trick; the zones are parts of `box`, cut from its middle."""
    x0, y0, x1, y1 = box
    middle = (x0 + x1) / 2, (y0 + y1) / 2
    ends: dict[Side, tuple[Point, Point]] = {
        "bottom": ((x1, y1), (x0, y1)),
        "left": ((x0, y1), (x0, y0)),
        "top": ((x0, y0), (x1, y0)),
        "right": ((x1, y0), (x1, y1)),
    }
    zones = []
    for seat, side in enumerate(sides):
        mates = [other for other, where in enumerate(sides) if where == side]
        place, first, last = mates.index(seat), *ends[side]
        start, end = (_between(first, last, share / len(mates)) for share in (place, place + 1))
        zones.append(CardZone(f"seat{seat}.trick", (middle, start, end), "place"))
    return tuple(zones)


def _between(one: Point, other: Point, share: float) -> Point:
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share
