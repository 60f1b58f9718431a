"""The domains that can be read in a single photograph, with one reader each.

A domain reads a `RegisteredImage` and answers with the object that the labeled picture set uses for it. Readers of
other packages are found by the entry points `companion.readers`; if one cannot be used, a sentence says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol, runtime_checkable

from companion.core.foundation.errors import WrongUsage
from companion.core.plan import Mat, Point
from companion.core.protocols.eyes import OverlayMark
from vision.calibration.calibration import Calibration
from vision.image.picture import Picture
from vision.readers.cards.reader import read_card_table
from vision.readers.dice.recognition import read_tray
from vision.readers.pawns.recognition import read_pawns
from vision.readers.pyramids.reader import read_pyramids
from vision.readers.tiles.recognition import read_tiles
from vision.registration.registered_image import RegisteredImage, find_table


class DomainReading(Protocol):
    """A photograph read for one kind of pieces."""

    @property
    def table(self) -> RegisteredImage:
        """The table of the reading."""

    def truth(self) -> dict[str, Any]:
        """Returns the contents in the words of the labeled picture set, with a confidence on every item."""

    def marks(self) -> tuple[OverlayMark, ...]:
        """Returns the outlines of the reading, in the photograph's pixels."""


@runtime_checkable
class Remarking(Protocol):
    """A reading that comments on how well the table can be read."""

    def remarks(self) -> tuple[str, ...]:
        """Returns the comments as sentences for people."""


Reader = Callable[[RegisteredImage], DomainReading]
"""Reads one kind of pieces on a table that was found."""

GROUP = "companion.readers"
"""The group of the entry points of other packages: name of the domain = "module:FUNCTION"."""

_OWN: dict[str, Reader] = {
    "cards": read_card_table,
    "dice": read_tray,
    "pyramids": read_pyramids,
    "spectrangle": read_tiles,
    "spectrum": read_pawns,
}


def foreign_readers(
    known: Iterable[str], points: Iterable[EntryPoint] | None = None
) -> tuple[dict[str, Reader], list[str]]:
    """Returns the readers of other packages by domain, and a sentence for each one that cannot be used.

    Args:
        known: Domains that are taken.
        points: The entry points of other packages; None: those of all installed packages.
    """
    taken, found, left_out = set(known), dict[str, Reader](), []
    for point in entry_points(group=GROUP) if points is None else points:
        try:
            reader = point.load()
            reason = f"{point.value} cannot be called" if not callable(reader) else ""
        except Exception as error:  # a fault in another package's code must not stop the others
            reason = f"it cannot be loaded ({' '.join(str(error).split()) or type(error).__name__})"
        if not reason and point.name in taken:
            reason = "this domain has a reader already"
        if reason:
            package = point.dist.name if point.dist is not None else point.value
            left_out.append(
                f'The reader "{point.name}" of {package} is left out: {reason}. Fix or remove that package.'
            )
            continue
        taken.add(point.name)
        found[point.name] = reader
    return found, left_out


_FOREIGN, _LEFT_OUT = foreign_readers(_OWN)

DOMAINS: Mapping[str, Reader] = {**_OWN, **_FOREIGN}
"""Name of a domain to its reader."""

LEFT_OUT: tuple[str, ...] = tuple(_LEFT_OUT)
"""One sentence for each reader of another package that cannot be used."""


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


def domain_reader(domain: str) -> Reader:
    """Returns the reader of a domain.

    Raises:
        WrongUsage: It is unknown.
    """
    reader = DOMAINS.get(domain)
    if reader is not None:
        return reader
    known = ", ".join(sorted(DOMAINS))
    raise WrongUsage(" ".join((f"There is no domain {domain!r}; these can be read: {known}.", *LEFT_OUT)))
