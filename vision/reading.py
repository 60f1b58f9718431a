"""The reading of one steady picture of a table."""

from __future__ import annotations

from msgspec import Struct

from companion.core.layout import Layout
from companion.core.plan import Point
from companion.core.protocols.eyes import OverlayMark


class Reading(Struct, frozen=True):
    """A layout with what it rests on."""

    layout: Layout
    """Spots of the plan's zones only."""
    marks: tuple[OverlayMark, ...]
    """Outlines for the overlay, in the picture's pixels."""
    markers: tuple[int, ...]
    """Ids of the markers that were found and agree."""
    corners_px: tuple[Point, Point, Point, Point]
    """Centers of markers 0 to 3 in the picture, found or computed."""
    zones_px: tuple[tuple[Point, ...], ...] = ()
    """Outlines of the zones in the picture, as high as pieces stand in them; empty: they may be anywhere."""
    remarks: tuple[str, ...] = ()
    """Sentences for people on how well the table can be read."""
