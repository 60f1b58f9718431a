"""Cards that lie face down in Casino: what each seat may know, and what may come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from msgspec.structs import replace

from companion.contract import Chance, Seat
from companion.games.casino.moves import CasinoEvent
from companion.games.casino.state import CasinoState
from companion.games.hands import redacted, sampled, single_cards
from companion.pieces import Piece


def unseen(state: CasinoState) -> Mapping[Piece, int]:
    """Deck, board pile and hidden hands."""
    return state.hands.unseen()


def view(state: CasinoState, seat: Seat | None) -> CasinoState:
    """What a seat may know: the other hands are hidden. Won cards were taken for all to see."""
    hands = state.hands.seen_by(seat)
    return state if hands == state.hands else replace(state, hands=hands)


def redact(state: CasinoState, event: CasinoEvent, seat: Seat | None) -> CasinoEvent | None:
    """An event that comes now as a seat may know it, None for the public; None if it learns nothing."""
    known: CasinoEvent | None = redacted(event, seat, state.expects())
    return known


def outcomes(state: CasinoState) -> Iterable[tuple[Chance, int]]:
    """The next single card: each that is face down is as likely."""
    return single_cards(state.expects(), state.hands.pool)


def determinize(state: CasinoState, rng: Random) -> CasinoState:
    """Hidden cards of the hands filled in from those that are face down."""
    return replace(state, hands=state.hands.determinized(rng)) if any(state.hands.hidden) else state


def sample(state: CasinoState, rng: Random) -> Chance:
    """The draw that is due, whole: each card that is face down is as likely.

    :raises BadEvent: no draw is due.
    """
    return sampled(state.expects(), state.hands.pool, rng)
