"""Cards that lie face down in 500: what each seat may know, and what may come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from msgspec.structs import replace

from companion.contract import Chance, Seat
from companion.games.five_hundred.moves import FiveHundredEvent
from companion.games.five_hundred.state import FiveHundredState
from companion.games.hands import redacted, sampled, single_cards
from companion.pieces import Piece


def unseen(state: FiveHundredState) -> Mapping[Piece, int]:
    """Stock and hidden cards of hands."""
    return state.hands.unseen()


def view(state: FiveHundredState, seat: Seat | None) -> FiveHundredState:
    """What a seat may know: of other hands only what was taken from the discards; all once the hand is over."""
    if state.is_ended:
        return state
    hands = state.hands.seen_by(seat, state.opened)
    return state if hands == state.hands else replace(state, hands=hands)


def redact(state: FiveHundredState, event: FiveHundredEvent, seat: Seat | None) -> FiveHundredEvent | None:
    """An event that comes now as a seat may know it, None for the public; None if it learns nothing."""
    known: FiveHundredEvent | None = redacted(event, seat, state.expected)
    return known


def outcomes(state: FiveHundredState) -> Iterable[tuple[Chance, int]]:
    """The next single card: each that is face down is as likely."""
    return single_cards(state.expected, state.hands.pool)


def determinize(state: FiveHundredState, rng: Random) -> FiveHundredState:
    """Hidden cards of the hands filled in from those that are face down."""
    return replace(state, hands=state.hands.determinized(rng)) if any(state.hands.hidden) else state


def sample(state: FiveHundredState, rng: Random) -> Chance:
    """The draw that is due, whole: each card that is face down is as likely.

    :raises BadEvent: no draw is due.
    """
    return sampled(state.expected, state.hands.pool, rng)
