"""The event that must come first: the reason why an event comes too early, too late, or from another player."""

from __future__ import annotations

from companion.core.contract import Breach, Seat
from companion.games.spectrum import chance
from companion.games.spectrum.opening import due
from companion.games.spectrum.situation import Situation

_SET_UP = {"shotgun cards": "VAR-1", "shotgun dice": "VAR-2", "pick": "VAR-4", "weights": "VAR-17", "portals": "VAR-22"}


def waiting(situation: Situation, what: str) -> Breach:
    """The reason why `what` does not come now: the player and the event that come first."""
    rule, first = _first(situation)
    who = f"player {chance.mover(situation) + 1}"
    return Breach(rule, f"{what} does not come now: {who} {first} first.")


def of_another(situation: Situation, seat: Seat) -> Breach:
    """Why a seat that is not on turn may not act."""
    turn = situation.turn
    if situation.phase == "set-up":
        return waiting(situation, "A turn")
    text = f"It is the turn of player {turn + 1}, not of player {seat + 1}. Put back what was moved."
    return Breach("BRD-8", text)


def _first(situation: Situation) -> tuple[str, str]:
    """The rule of the due event, and the action for which the table waits."""
    match situation.phase:
        case "start":
            return "BRD-8", "goes on to the roll"
        case "roll":
            return "BRD-7", f"rolls {chance.dice_due(situation)} dice"
        case "cards":
            return "VAR-6", f"draws {chance.cards_due(situation)} cards"
        case "declare":
            return "BRD-8", "says what the roll is used as"
        case "pass":
            return "BRD-28", "can do nothing with this roll, and passes"
        case "move":
            return "BRD-27", f"uses what is left of {situation.usage}"
        case "place":
            return "BRD-24", "puts the captured pawn on a free start"
        case "bonus":
            return "VAR-26", "draws a portal for the first color"
        case "off":
            return "BRD-32", "takes the surrendered pawn off the board"
        case "end":
            return "VAR-23", "ends the turn"
        case "drawing":
            return "VAR-24", "draws two cards for the activated portal"
        case "send":
            return "VAR-24", "says which drawn card is the destination"
    step = due(situation)
    assert step is not None
    return _SET_UP.get(step.step, "VAR-19"), "goes on with the set-up"
