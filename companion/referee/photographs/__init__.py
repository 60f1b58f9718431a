"""Judges photographs by the rules: it makes a report for each kind of pieces, from readings that people may have
corrected.

A reading is the answer of a photograph reader, in the words of the labeled picture set. It comes back from the page
after corrections, so it is checked like any input from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.core.foundation.errors import BadRecord
from companion.referee.photographs.dice import dice_report
from companion.referee.photographs.pawns import pawn_report
from companion.referee.photographs.pyramids import stalk_report, tree_report
from companion.referee.photographs.report import Note, PhotoReport, Turn
from companion.referee.photographs.tiles import tile_report

__all__ = ["DOMAINS", "LONGEST_ROW", "Note", "PhotoReport", "Turn", "report_on"]

Reading = Mapping[str, Any]
_REPORTS: Mapping[str, Callable[[Sequence[Reading], int], PhotoReport]] = {
    "spectrangle": tile_report,
    "roll-and-color": dice_report,
    "spectrum": pawn_report,
    "ice-stalks": stalk_report,
    "spectra": tree_report,
}
DOMAINS: Mapping[str, str] = {
    "spectrangle": "spectrangle",
    "roll-and-color": "dice",
    "spectrum": "spectrum",
    "ice-stalks": "pyramids",
    "spectra": "pyramids",
}
"""The kind of pieces that a photograph of each game shows."""
LONGEST_ROW = 40
"""The largest number of photographs of one game; Spectrangle has 36 tiles."""


def report_on(game: str, readings: Sequence[Reading], seats: int) -> PhotoReport:
    """Returns the report on a series of photographs of one game, the oldest first.

    Raises:
        BadRecord: The game is not one of `DOMAINS`, or a reading has another form.
    """
    report = _REPORTS.get(game)
    if report is None:
        raise BadRecord(f"No photograph is scored for this game. Choose one of: {', '.join(DOMAINS)}.")
    if not 1 <= len(readings) <= LONGEST_ROW:
        raise BadRecord(f"Give 1 to {LONGEST_ROW} photographs of one game.")
    try:
        return report(readings, seats)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadRecord(f"A reading is incomplete or has another form ({error}). Take the photograph again.") from error
