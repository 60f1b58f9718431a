"""Determines the event that must come next, and the outcomes of chance (BRD-7, VAR-1 to VAR-6, VAR-17 to VAR-26)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from companion.core.contract import Chance, Drawn, Expect, Over, Rolled, Seat, ToDraw, ToMove, ToRoll
from companion.games.shared import color_dice
from companion.games.shared.cards.deck import COLOR, NUMBER_CARDS, PIECES, card
from companion.games.shared.color_dice import D6, D12
from companion.games.spectrum import opening, portals, secrets
from companion.games.spectrum.board import COLORS
from companion.games.spectrum.situation import Situation

_OVER = Over()
_SEATS = range(6)
_TO_MOVE = tuple(ToMove((seat,)) for seat in _SEATS)
_MORE = (0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2)
"""The number of dice or cards more than at the start, by number of taken stars (BRD-7)."""
_LEAST = {"d6": 2, "d12": 3}
KIND = {"d6": D6, "d12": D12}
_TO_ROLL = {
    dice: tuple(tuple(ToRoll(seat, (KIND[dice],) * (least + more)) for more in _MORE) for seat in _SEATS)
    for dice, least in _LEAST.items()
}
"""The rolls by kind of dice, seat and number of taken stars."""
CARDS_AT_FIRST = 2
"""The number of cards drawn instead of dice while fewer than four colors are captured (VAR-6)."""
SOURCES = {
    "shotgun cards": "piles of 1, 2 and 3",
    "weights": "weight cards",
    "primary missions": "primary pile",
    "secondary missions": "secondary pile",
    "portals": "primary pile",
}
"""Step of the set-up to the source of its cards."""
OPEN_STEPS = frozenset({"shotgun cards", "weights"})
"""The steps of the set-up whose cards are public."""


def dice_due(situation: Situation) -> int:
    """Returns the number of dice to roll (BRD-7)."""
    return _LEAST[situation.options.dice] + _MORE[situation.stars_taken]


def dice_kinds(situation: Situation) -> tuple[str, ...]:
    """Returns the kinds of the dice that are rolled in a turn (BRD-7)."""
    return _TO_ROLL[situation.options.dice][0][situation.stars_taken].dice


def cards_due(situation: Situation) -> int:
    """Returns the number of cards that replace the dice and are still to be drawn this turn (VAR-6)."""
    return CARDS_AT_FIRST + _MORE[situation.stars_taken] - len(situation.extras.drawn)


def expects(situation: Situation) -> Expect:
    """Returns the event that must come next."""
    phase, turn = situation.phase, situation.turn
    if phase == "move" or phase == "declare":
        return _TO_MOVE[turn]
    match phase:
        case "roll":
            return _TO_ROLL[situation.options.dice][turn][situation.stars_taken]
        case "over":
            return _OVER
        case "cards":
            return ToDraw(turn, cards_due(situation), "draw deck", True)
        case "set-up":
            return _set_up(situation)
        case "bonus":
            return ToDraw(turn, 1, "portal deck", False)
        case "drawing":
            activation = situation.extras.activation
            assert activation is not None
            left = portals.DRAWN_FOR_ONE - len(activation.offer)
            return ToDraw(activation.seat, left, "portal deck", False)
    return _TO_MOVE[mover(situation)]


def mover(situation: Situation) -> Seat:
    """Returns the seat that must act; while portals may be activated, the seat to move, whose decision ends that
    phase.
    """
    if situation.phase == "place" and situation.held is not None:
        return situation.held.seat
    if situation.phase == "send" and situation.extras.activation is not None:
        return situation.extras.activation.seat
    if situation.phase == "set-up" and (due := opening.due(situation)) is not None:
        return due.seat
    return situation.turn


def _set_up(situation: Situation) -> Expect:
    due = opening.due(situation)
    assert due is not None
    if due.step == "pick":
        return _TO_MOVE[due.seat]
    if due.step == "shotgun dice":
        return ToRoll(due.seat, (D12,) * due.number)
    return ToDraw(due.seat, due.number, SOURCES[due.step], due.step in OPEN_STEPS)


def outcomes(situation: Situation) -> Iterable[tuple[Chance, int]]:
    """Yields every chance event that may come now, with its weight; cards come one by one."""
    due = expects(situation)
    if isinstance(due, ToRoll):
        for faces, ways in color_dice.outcomes(due.dice[0], len(due.dice)):
            yield Rolled(faces), ways
    elif isinstance(due, ToDraw):
        for number in drawable(situation):
            yield Drawn(due.seat, (PIECES[number],)), 1


def sample(situation: Situation, rng: Random) -> Chance:
    """Returns a random roll, or a random next card.

    Raises:
        BadEvent: Neither is due.
    """
    due = expects(situation)
    if isinstance(due, ToDraw):
        return Drawn(due.seat, (PIECES[rng.choice(list(drawable(situation)))],))
    return color_dice.thrown(due, rng)


def drawable(situation: Situation) -> Iterator[int]:
    """Yields the cards that may come next."""
    extras = situation.extras
    match situation.phase:
        case "cards":
            yield from extras.pile or extras.discards
        case "bonus" | "drawing":
            yield from sorted(secrets.unknown(situation))
        case "set-up":
            yield from _opening_cards(situation)


def _opening_cards(situation: Situation) -> Iterator[int]:
    due = opening.due(situation)
    assert due is not None
    match due.step:
        case "shotgun cards":
            ring = opening.ring_due(situation, due.seat)
            yield from (card(color, ring + 1) for color in opening.free_colors(situation, due.seat))
        case "weights":
            yield from _weights(situation)
        case "secondary missions":
            yield from sorted(secrets.unknown(situation) & secrets.SECONDARY)
        case _:
            yield from sorted(secrets.unknown(situation) & secrets.PRIMARY)


def _weights(situation: Situation) -> Iterator[int]:
    """Yields the possible next cards for weights: piles are drawn color by color, a shuffled deck may give any new
    color (VAR-17).
    """
    missing = [color for color in range(COLORS) if not situation.extras.weights[color]]
    if situation.options.weights == "piles":
        yield from (card(missing[0], rank) for rank in secrets.RANKS)
    else:
        yield from (number for number in range(NUMBER_CARDS) if COLOR[number] in missing)
