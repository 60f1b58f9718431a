"""Shuffles and deals by software in a way that players can check.

Before the deal the referee shows the commitment, SHA-256 of a secret seed; after the hand it reveals the seed. The
order of the cards follows from the seed alone, by Fisher and Yates with a stream of hashes, so whoever kept the
commitment can check that seed and order were not chosen later. A state never holds seed or order: dealt cards are
entered like cards from real hands.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core.capabilities import Unseen
from companion.core.contract import Drawn, Event, Expect, Seat, ToDraw
from companion.core.foundation.errors import BadEvent, BadRecord
from companion.core.pieces import Piece
from companion.games.shared.cards.deck import NUMBER, PIECES
from companion.games.shared.cards.hands import Hands, redacted


class WithHands(Protocol):
    """A position with hands whose draws come from the face-down cards."""

    @property
    def hands(self) -> Hands: ...

    def expects(self) -> Expect: ...


S = TypeVar("S", bound=WithHands)


class DealtHands(Generic[S]):
    """The hidden cards (`companion.games.shared.cards.card_game.HiddenCards`) of a game that hides only other hands; a
    game with more hidden cards extends it.
    """

    face_down: type[Any] | None = None
    """The type of move that lays `cards` of the player's hand away face down; None without one."""

    def unseen(self, state: S) -> Mapping[Piece, int]:
        """Returns every face-down card, including the hidden cards of hands."""
        return state.hands.unseen()

    def view(self, state: S, seat: Seat | None) -> S:
        """Returns the position as a seat may know it: other hands are hidden."""
        hands = state.hands.seen_by(seat)
        seen: S = state if hands == state.hands else _with_hands(state, hands)
        return seen

    def redact(self, state: S, event: Event, seat: Seat | None) -> Event | None:
        """Returns the next event as a seat, or with None the public, may know it; None if that viewer learns
        nothing.
        """
        hides = self.face_down
        if hides is not None and isinstance(event, hides) and event.seat != seat:
            return replace(event, cards=(None,) * len(event.cards))
        return redacted(event, seat, state.expects())

    def determinize(self, state: S, rng: Random) -> S:
        """Returns the position with the hidden cards of the hands filled in from the face-down ones."""
        filled: S = _with_hands(state, state.hands.determinized(rng)) if any(state.hands.hidden) else state
        return filled


def _with_hands(state: Any, hands: Hands) -> Any:
    return replace(state, hands=hands)


SEED_BYTES = 32
"""The length of a seed in bytes."""

_COMMITMENT = b"companion deal, commitment\n"
_STREAM = b"companion deal, stream\n"
"""A prefix that differs from the one of the commitment, so that no number of the stream equals the commitment."""
_WORD_BYTES = 8


def new_seed(random_bytes: Callable[[int], bytes]) -> bytes:
    """Returns a secret seed; `random_bytes` is `secrets.token_bytes` at a real table."""
    return checked_seed(random_bytes(SEED_BYTES))


def checked_seed(seed: bytes) -> bytes:
    """Returns the seed itself.

    Raises:
        BadRecord: It is not 32 bytes long.
    """
    if len(seed) != SEED_BYTES:
        raise BadRecord(f"A seed has {SEED_BYTES} bytes, not {len(seed)}. Give the seed as it was revealed.")
    return seed


def commitment(seed: bytes) -> str:
    """Returns the commitment shown before the deal: SHA-256 over a fixed word and the seed, as 64 hexadecimal digits.

    Raises:
        BadRecord: The seed is not 32 bytes long.
    """
    return hashlib.sha256(_COMMITMENT + checked_seed(seed)).hexdigest()


def _words(seed: bytes, shuffle: int) -> Iterator[int]:
    """Yields numbers below 2**64 without end: four from each SHA-256 of the seed, the shuffle's number and a
    counter.
    """
    counter = 0
    while True:
        block = hashlib.sha256(_STREAM + seed + shuffle.to_bytes(8, "big") + counter.to_bytes(8, "big")).digest()
        for start in range(0, len(block), _WORD_BYTES):
            yield int.from_bytes(block[start : start + _WORD_BYTES], "big")
        counter += 1


def shuffled(seed: bytes, cards: Sequence[int], shuffle: int = 0) -> tuple[int, ...]:
    """Returns the cards in the order of dealing, first card first; all orders are equally likely.

    Args:
        shuffle: Number of the shuffle in the game, so that one seed serves a whole game.

    Raises:
        BadRecord: The seed is not 32 bytes long.
    """
    order = list(cards)
    words = _words(checked_seed(seed), shuffle)
    for place in range(len(order) - 1, 0, -1):
        # Words in the last, incomplete run of remainders are thrown away, or low places would be drawn more often.
        limit = (1 << 64) - (1 << 64) % (place + 1)
        word = next(word for word in words if word < limit)
        other = word % (place + 1)
        order[place], order[other] = order[other], order[place]
    return tuple(order)


class Shuffle(Struct, frozen=True):
    """A shuffle that can be checked: its number in the game, and the cards in the order before and after it."""

    number: int
    cards: tuple[int, ...]
    order: tuple[int, ...]


def check(shown: str, seed: bytes, shuffles: Sequence[Shuffle] = ()) -> None:
    """Checks a revealed seed against the commitment that was shown, and every shuffle against the seed.

    Raises:
        BadRecord: It differs; the message says where.
    """
    if commitment(seed) != shown.strip().lower():
        raise BadRecord(
            f"The seed's commitment is {commitment(seed)}, but {shown} was shown before the deal."
            " The deal is not proved."
        )
    for one in shuffles:
        if shuffled(seed, one.cards, one.number) != one.order:
            raise BadRecord(f"Shuffle {one.number} is not the one that the seed gives. The deal is not proved.")


class Dealer(Struct, frozen=True):
    """The software's face-down deck; it is secret and never part of the state."""

    seed: bytes
    shuffles: tuple[Shuffle, ...] = ()
    """All shuffles so far, for `check`."""
    deck: tuple[int, ...] = ()
    """The cards left face down; the last one is drawn first."""

    @property
    def commitment(self) -> str:
        """The commitment to the seed, which is shown before the deal."""
        return commitment(self.seed)

    def follow(self, state: Any, event: Event) -> Dealer:
        """Returns the dealer unchanged: a played card comes back into the deck only if it is unseen again."""
        return self

    def serve(self, state: Any, unseen: Unseen) -> tuple[tuple[Drawn, ...], Dealer]:
        """Returns the pending draws of a position whose hands are all known, one event for each `ToDraw`, and the
        dealer after them.

        The deck must be what the position has not seen yet. When it is not (a new round, or discards that were shuffled
        in), the unseen cards are shuffled anew; they are taken in the order of their numbers.

        Args:
            unseen: The game's `Game.unseen`.

        Raises:
            BadEvent: A draw is due for which no card is left.
        """
        dealer = self
        events = []
        while isinstance(due := state.expects(), ToDraw):
            inside = in_order(unseen(state))
            if tuple(sorted(dealer.deck)) != inside:
                dealer = dealer.reshuffled(inside)
            if len(dealer.deck) < due.count:
                one = "1 card is to be drawn, but none is left unseen."
                several = f"{due.count} cards are to be drawn, but only {len(dealer.deck)} are left unseen."
                raise BadEvent(one if due.count == 1 else several)
            left = len(dealer.deck) - due.count
            pieces = tuple(PIECES[number] for number in reversed(dealer.deck[left:]))
            dealer = Dealer(dealer.seed, dealer.shuffles, dealer.deck[:left])
            events.append(Drawn(due.seat, pieces))
            state = state.apply(events[-1])
        return tuple(events), dealer

    def reshuffled(self, cards: Sequence[int]) -> Dealer:
        """Returns the dealer with these cards as its deck, in the order that the seed gives for the next shuffle."""
        number = len(self.shuffles)
        order = shuffled(self.seed, cards, number)
        return Dealer(self.seed, (*self.shuffles, Shuffle(number, tuple(cards), order)), tuple(reversed(order)))


def in_order(cards: Mapping[Piece, int]) -> tuple[int, ...]:
    """Returns the cards by rising number, each as often as it occurs."""
    return tuple(sorted(NUMBER[piece] for piece, count in cards.items() for _ in range(count)))
