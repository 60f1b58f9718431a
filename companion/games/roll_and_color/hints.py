"""Hints about a half-made turn, and about a tray that no event explains, in sentences with their rules."""

from __future__ import annotations

from companion.core.layout import Layout
from companion.games.roll_and_color.moves import DICE, SIZES
from companion.games.roll_and_color.sighted import ALL_BUT_ONE, TRAY, moved_dice
from companion.games.roll_and_color.situation import Situation


def still_to_do(situation: Situation) -> str | None:
    """The next action of the player on turn with the present roll; None if there is no roll."""
    if situation.picked:
        return f"Dice {', '.join(map(str, situation.picked))} are rolled now (ROL-3)."
    if not situation.rolled:
        return None
    if situation.rerolls == len(SIZES):
        return "All four re-rolls are made: the roll is entered in a row (ROL-4)."
    size = SIZES[situation.rerolls]
    count = f"exactly {size}" if situation.rerolls < len(SIZES) - 1 else f"{size} or more"
    return f"The roll is entered in a row, or {count} dice are re-rolled (ROL-3, ROL-4)."


def pending_prompt(situation: Situation, seen: Layout) -> str | None:
    """What must be entered or done first if no event explains a tray; None if that is not clear."""
    heap, moved = seen.heaps.get(TRAY, ()), moved_dice(seen)
    if len(heap) > DICE:
        return f"{len(heap)} dice lie, and the game has nine (ROL-1). Take the others away."
    if len(heap) < DICE or situation.ending is not None:
        return None
    if situation.may_move and (moved is None or moved.total() >= ALL_BUT_ONE):
        seat = situation.turn + 1
        return f"New dice lie, and player {seat} has not entered the roll before in a row (ROL-4). Enter it first."
    if not situation.rolled and moved is not None and 0 < moved.total() < ALL_BUT_ONE:
        stayed = DICE - moved.total()
        return f"{stayed} dice lie as they lay before; a round begins with all nine (ROL-3). Roll those, too."
    return None
