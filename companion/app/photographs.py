"""Reads photographs for the page and the command line, one at a time, because each occupies the processor for a
second.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from companion.core.foundation.errors import WrongUsage
from companion.core.plan import Mat, Point
from companion.games import GAMES, PLANS
from companion.referee.photographs import DOMAINS


class Photographs:
    """The implementation of `companion.core.protocols.photographs.PhotographReader` with the real readers."""

    def __init__(self) -> None:
        self._turn = threading.Lock()

    def read(self, data: bytes, game: str, corners_px: Sequence[Point] | None = None) -> dict[str, Any]:
        """Returns the pieces that a photograph shows, see `PhotographReader.read`; the photograph is not kept.

        Raises:
            UnreadablePicture: The data is not a picture, or exceeds the limits.
            SeeError: The table or its pieces are not found.
            WrongUsage: Photographs of this game cannot be read.
        """
        from vision.image.picture import decode_picture
        from vision.photograph import read_photograph

        domain = DOMAINS.get(game)
        if domain is None:
            raise WrongUsage(f"No photograph of this game is scored. Choose one of: {', '.join(DOMAINS)}.")
        with self._turn:
            picture = decode_picture(data)
            seen = read_photograph(picture, domain, mats_of(game), corners_px)
        height, width = picture.shape[:2]
        marks = [
            {
                "outline": [[round(x / width, 4), round(y / height, 4)] for x, y in mark.outline_px],
                "label": mark.label,
                "kind": mark.kind,
                "spot": mark.spot,
            }
            for mark in seen.marks
        ]
        return {
            "reading": dict(seen.reading),
            "marks": marks,
            "doubtful": list(seen.doubtful),
            "candidates": {spot: list(names) for spot, names in seen.candidates.items()},
            "size_px": [width, height],
        }


def mats_of(game: str) -> tuple[Mat, ...]:
    """Returns the printed mats of a game, for any number of players."""
    plans = (PLANS[game](seats) for seats in GAMES[game].seats)
    return tuple(dict.fromkeys(plan.mat for plan in plans))
