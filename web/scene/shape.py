"""The one building stone of a scene: an SVG element as a value.

Only elements and attributes that pictures of boards need are allowed, so a scene cannot carry script, style or a link.
Lengths are millimeters of the real thing, rounded to hundredths.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

TAGS = frozenset({"svg", "g", "polygon", "path", "circle", "rect", "line", "text", "defs", "pattern"})
ATTRIBUTES = frozenset(
    {"id", "class", "role", "tabindex", "focusable", "viewBox", "width", "height", "transform"}
    | {"x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "points", "d", "text-anchor", "font-size"}
    | {"fill", "stroke", "stroke-width", "stroke-linecap", "patternUnits", "patternTransform"}
)
_FREE = re.compile(r"(?:data|aria)-[a-z][a-z-]*\Z")

Attributes = Mapping[str, str | float | None]
"""Attributes by name; numbers are lengths, None leaves one out."""

Point = tuple[float, float]
"""x right, y down, in the scene's own millimeters."""


class Shape(Struct, frozen=True):
    """One element: its tag, its attributes in the order of writing, and what it holds."""

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
        """The value of an attribute."""
        return next((value for known, value in self.attributes if known == name), None)

    def walk(self) -> Iterable[Shape]:
        """This element and all that it holds, in the order of writing."""
        yield self
        for child in self.children:
            if isinstance(child, Shape):
                yield from child.walk()


def measure(value: float) -> str:
    """A length as short text: two decimals at most, no trailing zero, no minus zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def shape(tag: str, attributes: Attributes | None = None, *children: Shape | str | None) -> Shape:
    """An element. Attributes and children that are None are left out; numbers are rounded."""
    written = tuple(
        (name, value if isinstance(value, str) else measure(value))
        for name, value in (attributes or {}).items()
        if value is not None
    )
    return Shape(tag, written, tuple(child for child in children if child is not None))


def group(kind: str, *children: Shape | str | None, **attributes: str | float | None) -> Shape:
    """A `g` of class `kind`. An underscore in a name of `attributes` stands for a hyphen."""
    return shape("g", {"class": kind, **_hyphens(attributes)}, *children)


def polygon(points: Iterable[Point], kind: str, **attributes: str | float | None) -> Shape:
    """A closed polygon of class `kind`."""
    text = " ".join(f"{measure(x)},{measure(y)}" for x, y in points)
    return shape("polygon", {"class": kind, "points": text, **_hyphens(attributes)})


def label(text: str, at: Point, kind: str, size: float, **attributes: str | float | None) -> Shape:
    """Text centered on a point; `size` is the height of its line."""
    # A third of the size below the middle sets capitals and digits upright in the middle in every common typeface,
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
