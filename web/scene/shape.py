"""The element of which scenes are built: an SVG element as a value.

Only the elements and attributes that pictures of boards need are allowed, so a scene cannot contain a script, a style
or a link. Lengths are millimeters of the real object, rounded to hundredths.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

TAGS = frozenset({"svg", "g", "polygon", "path", "circle", "rect", "line", "text", "defs", "pattern"})
ATTRIBUTES = frozenset(
    {"id", "class", "role", "tabindex", "focusable", "viewBox", "width", "height", "transform"}
    | {"x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "points", "d", "text-anchor", "font-size"}
    | {"fill", "stroke", "stroke-width", "stroke-linecap", "patternUnits", "patternTransform"}
)
_FREE = re.compile(r"(?:data|aria)-[a-z][a-z-]*\Z")

Attributes = Mapping[str, str | float | None]
"""Attributes by name; numbers are lengths, and None leaves an attribute out."""

Point = tuple[float, float]
"""x right, y down, in the scene's own millimeters."""


class Shape(Struct, frozen=True):
    """One element: its tag, its attributes in order, and its children."""

    tag: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[Shape | str, ...] = ()

    def __post_init__(self) -> None:
        if self.tag not in TAGS:
            raise ValueError(f"{self.tag!r} is not an element of a scene")
        for name, _ in self.attributes:
            if name not in ATTRIBUTES and not _FREE.match(name):
                raise ValueError(f"{name!r} is not an attribute of a scene")

    def get(self, name: str) -> str | None:
        """Returns the value of an attribute; None if it is missing."""
        return next((value for known, value in self.attributes if known == name), None)

    def walk(self) -> Iterable[Shape]:
        """Yields this element and all its descendants, in order."""
        yield self
        for child in self.children:
            if isinstance(child, Shape):
                yield from child.walk()


def measure(value: float) -> str:
    """Returns a length as short text: at most two decimals, no trailing zero, no minus zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def shape(tag: str, attributes: Attributes | None = None, *children: Shape | str | None) -> Shape:
    """Returns an element. Attributes and children that are None are left out; numbers are rounded."""
    written = tuple(
        (name, value if isinstance(value, str) else measure(value))
        for name, value in (attributes or {}).items()
        if value is not None
    )
    return Shape(tag, written, tuple(child for child in children if child is not None))


def group(kind: str, *children: Shape | str | None, **attributes: str | float | None) -> Shape:
    """Returns a `g` of class `kind`. An underscore in a name of `attributes` stands for a hyphen."""
    return shape("g", {"class": kind, **_hyphens(attributes)}, *children)


def polygon(points: Iterable[Point], kind: str, **attributes: str | float | None) -> Shape:
    """Returns a closed polygon of class `kind`."""
    text = " ".join(f"{measure(x)},{measure(y)}" for x, y in points)
    return shape("polygon", {"class": kind, "points": text, **_hyphens(attributes)})


def label(text: str, at: Point, kind: str, size: float, **attributes: str | float | None) -> Shape:
    """Returns text centered on a point; `size` is the height of its line."""
    # A baseline a third of the size below the middle centers capitals and digits vertically in every common typeface,
    # which `dominant-baseline` does not.
    place: Attributes = {
        "class": kind,
        "x": at[0],
        "y": at[1] + 0.355 * size,
        "text-anchor": "middle",
        "font-size": size,
    }
    return shape("text", {**place, **_hyphens(attributes)}, text)


def _hyphens(attributes: Mapping[str, str | float | None]) -> dict[str, str | float | None]:
    return {name.replace("_", "-"): value for name, value in attributes.items()}


class BoardFrame(Struct, frozen=True):
    """The frame of a drawn board: its name, its players, and whether it is for moves or only for viewing."""

    name: str = "board"
    """The id of the board on the page; the ids of its places start with it."""
    title: str = "Board"
    live: bool = True
    """True if its places can be reached and chosen; otherwise the board is one image."""
    names: Sequence[str] = ()
    """The players by seat, for games whose board shows them."""

    def around(self, kind: str, box: tuple[float, float, float, float], *parts: Shape | None) -> Shape:
        """Returns the board with these parts.

        Args:
            kind: The class of the board besides "board".
            box: The left, top, width and height of the visible part, in millimeters of the drawing.
        """
        known: Attributes = {
            "id": self.name,
            "class": f"board {kind}",
            "viewBox": " ".join(map(measure, box)),
            "role": "grid" if self.live else "img",
            "aria-label": self.title,
        }
        return shape("svg", known, *parts)


BOARD = BoardFrame()
"""A frame without names of players."""
