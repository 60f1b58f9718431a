"""The signs of people: a shape and a color that belong to a person, in any seat and game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.referee.session.chosen_signs import ChosenSign
from web.scene.shape import Attributes, Shape, measure, shape

SIGN_PATHS = {
    "circle": "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0z",
    "square": "M-.9-.9h1.8v1.8h-1.8z",
    "triangle": "M0-1.1L1.05.8H-1.05z",
    "diamond": "M0-1.2L1 0L0 1.2L-1 0z",
    "pentagon": "M0-1.05L1-.3L.62.88H-.62L-1-.3z",
    "cross": "M-.4-1h.8v.6h.6v.8h-.6v.6h-.8v-.6h-.6v-.8h.6z",
    "star": "M0-1.15L.3-.35L1.1-.35L.45.15L.7.95L0 .45L-.7.95L-.45.15L-1.1-.35L-.3-.35z",
    "ring": "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0zM-.4 0a.4.4 0 1 1 .8 0a.4.4 0 1 1-.8 0z",
    "bar": "M-.5-1.1h1v2.2h-1z",
    "hexagon": "M-.55-.95H.55L1.1 0L.55.95H-.55L-1.1 0z",
}
"""The path of each shape, drawn around 0 0 in a square of 2 by 2."""
_SHAPES = tuple(SIGN_PATHS)
COLORS = len(_SHAPES)
"""The number of colors for signs in the page's style, from `--seat-0` on."""


class Sign(NamedTuple):
    """The sign of a person. The shape identifies the person, because not all eyes can distinguish the colors."""

    shape: str
    """A name of `SIGN_PATHS`."""
    color: int
    """The index of the color, 0 to `COLORS` - 1."""

    @property
    def css(self) -> str:
        """The style class of the color."""
        return f"seat-{self.color}"


def own_sign(number: int, chosen: ChosenSign | None) -> Sign:
    """Returns the sign of a person apart from a game: the chosen one, otherwise the one that follows from the number.

    Args:
        number: The person's number in this house, from 0.
    """
    if chosen is None or chosen.shape not in SIGN_PATHS:
        return Sign(_SHAPES[number % COLORS], (number + number // COLORS) % COLORS)
    return Sign(chosen.shape, chosen.color % COLORS)


def signs(people: Sequence[int], chosen: Iterable[ChosenSign | None] = ()) -> tuple[Sign, ...]:
    """Returns the signs of people who play together, in the given order.

    The first ten people have different shapes and different colors; after them a shape occurs again in another color;
    and each person may choose another sign. If two people with the same shape or color play together, the one who chose
    it keeps it, otherwise the one with the lower number, and the other one gets the next free shape or color there.

    Args:
        people: The people's numbers, from 0, in the order of their first games here.
        chosen: The sign that each of them chose, in the same order.
    """
    own = [sign if sign is not None and sign.shape in SIGN_PATHS else None for sign in chosen]
    own += [None] * (len(people) - len(own))
    found: dict[int, Sign] = {}
    for place in sorted(range(len(people)), key=lambda place: (own[place] is None, people[place], place)):
        first = own_sign(people[place], own[place])
        shapes, colors = {sign.shape for sign in found.values()}, {sign.color for sign in found.values()}
        many = len(people) > COLORS
        start = _SHAPES.index(first.shape)
        wanted = (_SHAPES[(start + more) % COLORS] for more in range(COLORS))
        name = next(name for name in wanted if many or name not in shapes)
        tints = ((first.color + more) % COLORS for more in range(COLORS))
        found[place] = Sign(name, next(color for color in tints if many or color not in colors))
    return tuple(found[place] for place in range(len(people)))


def sign_shape(sign: Sign, x: float, y: float, r: float) -> Shape:
    """Returns a person's sign around a point; `r` is half its width."""
    move = f"translate({measure(x)} {measure(y)}) scale({measure(r)})"
    return shape("path", {"class": f"sign-shape {sign.css}", "d": SIGN_PATHS[sign.shape], "transform": move})


def single_sign(sign: Sign) -> Shape:
    """Returns a person's sign alone, for the place beside a name."""
    known: Attributes = {"class": "sign", "viewBox": "-1.3 -1.3 2.6 2.6", "aria-hidden": "true", "focusable": "false"}
    return shape("svg", known, sign_shape(sign, 0, 0, 1))
