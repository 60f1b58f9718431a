"""The domains that can be read in a single photograph: one entry each.

A domain reads a `RegisteredImage` and answers with the object that the labeled picture set uses for it. New kinds of
pieces are added only here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from companion.core.foundation.errors import WrongUsage
from companion.core.plan import Mat, Point
from companion.core.protocols.eyes import OverlayMark
from vision.calibration.calibration import Calibration
from vision.image.picture import Picture
from vision.readers.cards.recognition import read_card_table
from vision.readers.dice.recognition import read_tray
from vision.readers.pawns.recognition import read_pawns
from vision.readers.pyramids.recognition import read_pyramids
from vision.readers.tiles.recognition import read_tiles
from vision.registration.registered_image import RegisteredImage, find_table


class DomainReading(Protocol):
    """A photograph read for one kind of pieces."""

    @property
    def table(self) -> RegisteredImage:
        """The table it was read on."""

    def truth(self) -> dict[str, Any]:
        """The contents in the words of the labeled picture set, with a confidence on every item."""

    def marks(self) -> tuple[OverlayMark, ...]:
        """Outlines of the reading, in the photograph's pixels."""


@runtime_checkable
class Remarking(Protocol):
    """A reading that has something to say about how well the table can be read."""

    def remarks(self) -> tuple[str, ...]:
        """Sentences for people."""


DOMAINS: Mapping[str, Callable[[RegisteredImage], DomainReading]] = {
    "cards": read_card_table,
    "dice": read_tray,
    "pyramids": read_pyramids,
    "spectrangle": read_tiles,
    "spectrum": read_pawns,
}
"""Readers by the name of what they read."""


def recognize(
    image: Picture,
    domain: str,
    mat: Mat,
    corners_px: Sequence[Point] | None = None,
    calibration: Calibration | None = None,
) -> DomainReading:
    """Reads one photograph.

    Args:
        image: (H, W, 3) uint8, BGR.
        corners_px: Centers of markers 0 to 3; needed only where fewer than two markers are in sight.
        calibration: The calibration of this table.

    Raises:
        WrongUsage: No such domain.
        SeeError: The table or the board was not found, or the table is not that of the calibration.
    """
    return domain_reader(domain)(find_table(image, mat, corners_px, calibration=calibration))


def domain_reader(domain: str) -> Callable[[RegisteredImage], DomainReading]:
    """The reader of a domain.

    Raises:
        WrongUsage: It is unknown.
    """
    reader = DOMAINS.get(domain)
    if reader is not None:
        return reader
    known = ", ".join(sorted(DOMAINS))
    raise WrongUsage(f"There is no domain {domain!r}; these can be read: {known}.")
