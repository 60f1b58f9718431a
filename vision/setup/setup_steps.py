"""The sentences for each step of a table's set-up: the state, the fault, the advice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.core.foundation.errors import NoTable
from companion.core.pieces import PYRAMID_COLORS
from companion.core.plan import Mat, Point
from companion.core.protocols.calibration import CameraView, SetupStep
from vision.calibration.calibration import Calibration
from vision.image.picture import Picture
from vision.readers.pyramids.forecast import camera_advice
from vision.readers.pyramids.sampler import Sample
from vision.registration.checkup import blur_fault, checked
from vision.registration.diagnosis import why_missing
from vision.registration.markers import find_markers
from vision.registration.registered_image import find_table

_WHY = {
    "pyramids": "With the empty table in mind, plastic is told from stripes, veins and prints.",
    "spectrangle": "With the empty table in mind, tiles beside the board are told from the pattern of a cloth.",
    "dice": "With the empty tray in mind, dice are told from the pattern of a cloth.",
    "spectrum": "With the empty board in mind, pawns are told from the board's own print.",
    "cards": "With one card of each color and of each number in mind, your deck is read more surely in this light.",
    None: "Nothing that a camera reads lies on this table. Begin a game first, or go on without.",
}
MANY = 4
"""The largest number of things that a sentence names."""
CONTRADICTED = 1 / 3
"""If a larger share of a row reads differently than stated, the row was set out differently."""


def markers_step(picture: Picture, mat: Mat, corners_px: Sequence[Point] | None) -> tuple[SetupStep, tuple[int, ...]]:
    """Returns the step that places the table, and the ids of the seen markers."""
    try:
        table = find_table(picture, mat, corners_px)
    except NoTable as error:
        return SetupStep(False, str(error)), tuple(find_markers(picture))
    if corners_px is not None:
        return SetupStep(True, "The corners were set by hand, so no marker is needed."), table.markers
    blur = blur_fault(checked(table.picture))
    if table.moved and blur is None:
        which = _listed([str(i) for i in table.moved])
        lies = (
            f"Marker {which} does not lie at its" if len(table.moved) == 1 else f"Markers {which} do not lie at their"
        )
        text = f"{lies} corner{'s' * (len(table.moved) > 1)}. Put 0, 1, 2, 3 clockwise from the top left."
        return SetupStep(True, text), table.markers
    missing = [i for i in range(4) if i not in table.markers and i not in table.moved]
    if missing:
        why = why_missing(table.picture, table.pose, mat, missing)
        return SetupStep(True, f"{why} The table can be placed without, but less exactly."), table.markers
    if table.moved and blur is not None:
        return SetupStep(True, f"{blur.seen} {blur.advice}"), table.markers
    return SetupStep(True, "All four markers are seen."), table.markers


def why(domain: str | None) -> str:
    """Returns the benefit of the set-up for a domain, or None."""
    return _WHY[domain]


def empty_step(known: Calibration | None, domain: str | None) -> SetupStep:
    """Returns the step that remembers the empty table."""
    if known is None:
        left = "the markers and the empty board" if domain == "spectrum" else "the markers"
        text = f"Take everything off the table but {left}, then press Remember the empty table."
        return SetupStep(False, text)
    if known.empty.free is not None:
        return SetupStep(True, "The table is remembered, but for what is under the pieces.")
    return SetupStep(True, "The empty table is remembered.")


def colors_step(known: Calibration | None, domain: str | None) -> SetupStep:
    """Returns the step that learns colors."""
    if domain == "dice" and known is not None:
        done = bool(known.dice.colors)
        text = "The colors of these dice are known." if done else "Lay out dice with the colors of the picture up."
        return SetupStep(done, f"{text} More can be laid out at any time." if done else text)
    if domain == "cards" and known is not None:
        if known.deck:
            return SetupStep(True, "The deck is known. More of its cards can be set out.")
        return SetupStep(False, "Set out one card of each color and one of each number, as in the picture.")
    if domain not in ("pyramids", "dice", "cards"):
        return SetupStep(True, "Nothing is set out for these pieces.")
    if known is None:
        return SetupStep(False, "This comes after step 2.")
    if not known.colors:
        return SetupStep(False, "Set out one piece of each color in the order of the picture; or leave this step out.")
    return SetupStep(True, "The colors of this table are known.")


def still_standing(names: Sequence[str]) -> str:
    """Returns the sentence about pieces on a table that is to be remembered empty."""
    some = f"{_listed(names[:MANY])}{', and more' if len(names) > MANY else ''}"
    count = "1 piece or stack still stands" if len(names) == 1 else f"{len(names)} pieces or stacks still stand"
    return f"{count} on the table: {some}. Take them off and press again, or say below what is true."


def row_faults(seen: Sequence[Sample]) -> str:
    """Returns the fault of a row of known pieces, with the advice; empty if there is none."""
    missing = [_listed([one.piece.color]) for one in seen if one.found is None]
    if missing:
        were = "was" if len(missing) == 1 else "were"
        return (
            f"{_capital(_listed(missing))} {were} not found in the row. See that nothing hides it and that nothing "
            "else stands on the table; or leave that color out."
        )
    read = [
        (one.piece, PYRAMID_COLORS[int(np.argmax(one.found.color_logs[0]))])
        for one in seen
        if one.found is not None and len(one.found.color_logs)
    ]
    wrong = [f"{piece.color} reads as {color}" for piece, color in read if color != piece.color]
    if len(wrong) > max(1.0, CONTRADICTED * len(seen)):
        return (
            f"The row is not in the order of the picture: {_listed(wrong[:MANY])}. Set it out from left to right as "
            "shown and press again."
        )
    return ""


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def camera_view(known: Calibration | None, domain: str | None) -> CameraView | None:
    """Returns the direction from which the camera sees a remembered table of pyramids; None for all others."""
    if known is None or domain != "pyramids":
        return None
    advice = camera_advice(known.empty)
    return CameraView(advice.now_deg, advice.better_deg)
