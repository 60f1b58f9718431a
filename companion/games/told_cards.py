"""Why cards cannot be what people tell of them, in games whose number cards are dealt into hands."""

from __future__ import annotations

from collections.abc import Sequence

from companion.contract import Breach, Drawn, Seat, Shown, ToDraw
from companion.games.hands import Hands, hand_spot
from companion.layout import Spot


def breaches_of_draw(
    hands: Hands, drawn: Drawn, due: ToDraw, rule: str, where: tuple[Spot, ...], seats: Sequence[Seat] | None = None
) -> tuple[Breach, ...]:
    """Why told cards cannot be those that are due.

    :param seats: the seats whose draw may be told now; None: the one that is due.
    """
    if drawn.seat not in ((due.seat,) if seats is None else seats):
        text = f"It is not player {drawn.seat + 1} whose cards are due, but player {due.seat + 1} ({due.source})."
        return (Breach(rule, text, where),)
    fault = hands.fault_of_draw(drawn, due.count, open_to_all=due.shown)
    return () if fault is None else (Breach(rule, fault, where),)


def breaches_of_shown(hands: Hands, shown: Shown, deck_rule: str, rule: str) -> tuple[Breach, ...]:
    """Why cards cannot be hidden ones of a hand.

    :param deck_rule: the rule that says who plays.
    :param rule: the one that says what hands hold.
    """
    if not 0 <= shown.seat < hands.seats:
        return (Breach(deck_rule, f"There is no player {shown.seat + 1}; the game has {hands.seats}."),)
    fault = hands.fault_of_shown(shown)
    return () if fault is None else (Breach(rule, fault, (hand_spot(shown.seat),)),)
