"""What nobody sees, and what may come, in games whose number cards are dealt into hands (`companion.games.hands`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from msgspec.structs import replace

from companion.contract import Breach, Chance, Drawn, Event, Expect, Seat, Shown, ToDraw
from companion.games.hands import Hands, hand_spot, redacted, sampled, single_cards
from companion.layout import Spot
from companion.pieces import Piece


class WithHands(Protocol):
    """A position with hands, whose draws come from the cards that are face down."""

    @property
    def hands(self) -> Hands: ...

    def expects(self) -> Expect: ...


S = TypeVar("S", bound=WithHands)


class DealtHands(Generic[S]):
    """`companion.games.card_game.HiddenCards` where other hands are all that is hidden; a game says what more is."""

    def outcomes(self, state: S) -> Iterable[tuple[Chance, int]]:
        """The next single card: each that is face down is as likely."""
        return single_cards(state.expects(), state.hands.pool)

    def sample(self, state: S, rng: Random) -> Chance:
        """The draw that is due, whole: each card that is face down is as likely.

        :raises BadEvent: no draw is due.
        """
        return sampled(state.expects(), state.hands.pool, rng)

    def unseen(self, state: S) -> Mapping[Piece, int]:
        """Every card that is face down, hidden ones of hands among them."""
        return state.hands.unseen()

    def view(self, state: S, seat: Seat | None) -> S:
        """What a seat may know: the other hands are hidden."""
        hands = state.hands.seen_by(seat)
        seen: S = state if hands == state.hands else _with_hands(state, hands)
        return seen

    def redact(self, state: S, event: Event, seat: Seat | None) -> Event | None:
        """An event that comes now as a seat may know it, None for the public; None if it learns nothing."""
        return redacted(event, seat, state.expects())

    def determinize(self, state: S, rng: Random) -> S:
        """Hidden cards of the hands filled in from those that are face down."""
        filled: S = _with_hands(state, state.hands.determinized(rng)) if any(state.hands.hidden) else state
        return filled


def _with_hands(state: Any, hands: Hands) -> Any:
    return replace(state, hands=hands)


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
