"""A position in the words of a written record, which `position.read` understands (docs/records.md).

What people change of a position by hand is changed in these words: pawns that stand elsewhere, and whose turn it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.foundation.errors import BadEvent, BadRecord
from companion.core.layout import Spot
from companion.core.pieces import WHEEL, Pawn, Piece
from companion.games.shared.cards.deck import CODES
from companion.games.spectrum.board import SPACE, SPOTS
from companion.games.spectrum.position import read
from companion.games.spectrum.situation import COLOR_OF_LETTER, EMPTY, FREE, HIDDEN, Situation
from companion.games.spectrum.state import SpectrumState

_OF_A_TURN = ("roll", "cards", "usage", "left", "walked", "captured", "extra", "after_moves")
"""The keys of a record for a turn in progress."""
_IN_BETWEEN = ("set-up", "bonus", "off", "drawing", "send")
"""Phases that a record has no words for: something that was begun must be finished first."""


def written(situation: Situation) -> dict[str, Any]:
    """The position as a record.

    Raises:
        BadEvent: Something is half done for which records have no words.
    """
    held, extras = situation.held, situation.extras
    if situation.phase in _IN_BETWEEN or (held is not None and extras.activation is not None):
        raise BadEvent("Something is half done that a written position has no words for. Finish it, or undo it, first.")
    found: dict[str, Any] = {
        "pawns": {SPOTS[at]: COLOR_OF_LETTER[one] for at, one in enumerate(situation.board) if one != EMPTY},
        "turn": situation.turn,
        **_variants(situation),
    }
    if situation.again:
        found["extra"] = True
    if situation.phase == "end":
        found["after_moves"] = True
    if situation.phase in ("declare", "pass", "move", "place") and not situation.options.cards_as_dice:
        found["roll"] = list(situation.roll)
    if situation.phase in ("move", "place"):
        found |= _in_use(situation)
    if held is not None:
        found["captured"] = {"pawn": held.color, "by": held.seat}
    return found


def _in_use(situation: Situation) -> dict[str, Any]:
    left = situation.left
    parts = [at + 1 for at in range(left.bit_length()) if left >> at & 1]
    return {
        "usage": situation.usage,
        "left": left if situation.used.plain else parts,
        "walked": {SPOTS[at]: "several" if color == FREE else WHEEL[color] for at, color in situation.walked},
    }


def _variants(situation: Situation) -> dict[str, Any]:
    extras, options = situation.extras, situation.options
    found: dict[str, Any] = {}
    if options.weighted:
        found["weights"] = dict(zip(WHEEL, extras.weights, strict=True))
    if options.missions:
        found["missions"] = [_codes(cards) for cards in extras.missions]
        found["revealed"] = list(extras.revealed)
    if options.portals:
        found["portals"] = [_codes((*hand.first, *hand.later)) for hand in extras.portals]
        found["portal_discards"] = _codes(extras.spent)
    if options.cards_as_dice:
        found["cards"] = _codes(extras.drawn)
        found["discards"] = _codes(extras.discards)
    return found


def _codes(numbers: tuple[int, ...]) -> list[str]:
    return ["??" if number == HIDDEN else CODES[number] for number in numbers]


def set_out(state: SpectrumState, seen: Mapping[Spot, Sequence[Piece]]) -> SpectrumState:
    """The position with these pawns on these spaces; all other pawns are in stock.

    If the roll does not agree with them, the turn is before its roll.

    Raises:
        BadEvent: Records have no form for a half-made action, or another piece than a pawn is named.
        BadRecord: There are more pawns of a color than the game has.
    """
    found = written(state)
    for spot, pieces in seen.items():
        if spot not in SPACE and pieces:
            raise BadEvent("Only pawns on the board can be set up as they are seen. Correct all else by hand.")
        found["pawns"].pop(spot, None)
        for pawn in pieces:
            if not isinstance(pawn, Pawn):
                raise BadEvent(f"On {spot} stands a pawn or nothing (BRD-5). Choose a pawn, or none.")
            found["pawns"][spot] = pawn.color
    if "walked" in found:
        found["walked"] = {at: color for at, color in found["walked"].items() if at in found["pawns"]}
    try:
        return read(state.teams, state.options, found)
    except BadRecord:
        rolled_anew = {key: value for key, value in found.items() if key not in _OF_A_TURN}
        return read(state.teams, state.options, rolled_anew)


def turns(state: SpectrumState) -> dict[str, SpectrumState]:
    """The position by whose turn it may be, before the roll (BRD-7); none but its own while something is half done."""
    if state.phase in _IN_BETWEEN or state.held is not None:
        return {f"player {state.turn + 1} is on turn": state}
    kept = {key: value for key, value in written(state).items() if key not in _OF_A_TURN}
    return {
        f"player {seat + 1} is on turn": state
        if seat == state.turn
        else read(state.teams, state.options, {**kept, "turn": seat})
        for seat in range(state.seats)
    }
