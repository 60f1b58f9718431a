"""Everything that a reader in another package needs: the table in a picture, and the form of the answer."""

from __future__ import annotations

from companion.core.foundation.errors import NoBoard, SeeError
from companion.core.plan import Mat, Point
from companion.core.protocols.eyes import OverlayMark
from vision.domains import DomainReading, Reader
from vision.registration.registered_image import RegisteredImage, find_table

__all__ = [
    "DomainReading",
    "Mat",
    "NoBoard",
    "OverlayMark",
    "Point",
    "Reader",
    "RegisteredImage",
    "SeeError",
    "find_table",
]
