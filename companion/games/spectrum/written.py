"""A position in the words of a written record, which `position.read` understands (docs/records.md)."""

from __future__ import annotations

from typing import Any

from companion.errors import BadEvent
from companion.games.deck import CODES
from companion.games.spectrum.board import SPOTS
from companion.games.spectrum.situation import COLOR_OF_LETTER, EMPTY, FREE, HIDDEN, Situation
from companion.pieces import WHEEL

_IN_BETWEEN = ("set-up", "bonus", "off", "drawing", "send")
"""Phases that a record has no words for: something that was begun must be finished first."""


def written(situation: Situation) -> dict[str, Any]:
    """The position as a record.

    :raises BadEvent: something is half done for which records have no words.
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
