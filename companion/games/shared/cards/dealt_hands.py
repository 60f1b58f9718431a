"""Hidden information of games whose number cards are dealt into hands (`companion.games.shared.cards.hands`)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from msgspec.structs import replace

from companion.core.contract import Event, Expect, Seat
from companion.core.pieces import Piece
from companion.games.shared.cards.hands import Hands, redacted


class WithHands(Protocol):
    """A position with hands, whose draws come from the cards that are face down."""

    @property
    def hands(self) -> Hands: ...

    def expects(self) -> Expect: ...


S = TypeVar("S", bound=WithHands)


class DealtHands(Generic[S]):
    """`companion.games.shared.cards.card_game.HiddenCards` where other hands are all that is hidden; a game says
    what more is.
    """

    face_down: type[Any] | None = None
    """The move that lays `cards` of the player's hand away face down."""

    def unseen(self, state: S) -> Mapping[Piece, int]:
        """Every card that is face down, hidden ones of hands among them."""
        return state.hands.unseen()

    def view(self, state: S, seat: Seat | None) -> S:
        """The position as a seat may know it: other hands are hidden."""
        hands = state.hands.seen_by(seat)
        seen: S = state if hands == state.hands else _with_hands(state, hands)
        return seen

    def redact(self, state: S, event: Event, seat: Seat | None) -> Event | None:
        """The next event as a seat may know it, None for the public; None if it learns nothing."""
        hides = self.face_down
        if hides is not None and isinstance(event, hides) and event.seat != seat:
            return replace(event, cards=(None,) * len(event.cards))
        return redacted(event, seat, state.expects())

    def determinize(self, state: S, rng: Random) -> S:
        """Hidden cards of the hands filled in from those that are face down."""
        filled: S = _with_hands(state, state.hands.determinized(rng)) if any(state.hands.hidden) else state
        return filled


def _with_hands(state: Any, hands: Hands) -> Any:
    return replace(state, hands=hands)
