"""The parts that games of partly hidden number cards share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Protocol, TypeVar

from companion.core.capabilities import ChanceEvents, HiddenInformation
from companion.core.contract import Drawn, Event, Seat, Shown, State, ToDraw, Violation
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.core.layout import Spot
from companion.core.pieces import Card, Piece
from companion.games.shared.cards.dealing import Dealer
from companion.games.shared.cards.deck import NUMBER, NUMBER_CARDS, written
from companion.games.shared.cards.hands import Hands, count_phrase, hand_spot, sampled, single_cards


def breaches_of_draw(
    hands: Hands, drawn: Drawn, due: ToDraw, rule: str, where: tuple[Spot, ...], seats: Sequence[Seat] | None = None
) -> tuple[Violation, ...]:
    """Returns the violations if entered cards cannot be the cards that must come now.

    Args:
        seats: The seats that may draw now; None: the one that is due.
    """
    if drawn.seat not in ((due.seat,) if seats is None else seats):
        text = f"It is not player {drawn.seat + 1} whose cards are due, but player {due.seat + 1} ({due.source})."
        return (Violation(rule, text, where),)
    fault = hands.fault_of_draw(drawn, due.count, open_to_all=due.shown)
    return () if fault is None else (Violation(rule, fault, where),)


def breaches_of_shown(hands: Hands, shown: Shown, deck_rule: str, rule: str) -> tuple[Violation, ...]:
    """Returns the violations if shown cards cannot be hidden cards of the hand.

    Args:
        deck_rule: The rule that says who plays.
        rule: The one that says what hands hold.
    """
    if not 0 <= shown.seat < hands.seats:
        return (Violation(deck_rule, f"There is no player {shown.seat + 1}; the game has {hands.seats}."),)
    fault = hands.fault_of_shown(shown)
    return () if fault is None else (Violation(rule, fault, (hand_spot(shown.seat),)),)


def breaches_of_cards_laid(
    hands: Hands, seat: Seat, cards: Sequence[Card | None], rule: str, where: tuple[Spot, ...], advice: tuple[str, str]
) -> tuple[Violation, ...]:
    """Returns the violations if these cards, some of them perhaps unknown, cannot have been laid away face down.

    Args:
        advice: What to do about a card that is not known to be there: in a hand with unknown cards, and in another.
    """
    found = []
    numbers = [NUMBER.get(card, NUMBER_CARDS) for card in cards if card is not None]
    if len(set(numbers)) != len(numbers):
        found.append(Violation(rule, "A card is named twice, and the deck has each once. Correct an entry.", where))
    absent = [number for number in numbers if not hands.holds(seat, number)]
    if absent:
        named = written(number for number in absent if number < NUMBER_CARDS) or "That card"
        more = advice[0] if hands.hidden[seat] else advice[1]
        found.append(Violation(rule, f"{named} is not known to be in player {seat + 1}'s hand. {more}", where))
    if len(cards) - len(numbers) > hands.hidden[seat]:
        text = f"Only {count_phrase(hands.hidden[seat])} of this hand are unknown. Name the others."
        found.append(Violation(rule, text, where))
    return tuple(found)


S = TypeVar("S", bound=State)


class HiddenCards(Protocol[S]):
    """The hidden cards of a game, as its own class or module describes them; see `HiddenInformation`."""

    def unseen(self, state: S) -> Mapping[Piece, int]: ...

    def view(self, state: S, seat: Seat | None) -> S: ...

    def redact(self, state: S, event: Event, seat: Seat | None) -> Event | None: ...

    def determinize(self, state: S, rng: Random) -> S: ...


def drawn_from(face_down: Callable[[S], int]) -> ChanceEvents[S]:
    """Returns the chance events of draws, card by card or as a whole: all face-down cards are equally likely.

    Args:
        face_down: Returns the mask of the face-down cards of a position.
    """
    return ChanceEvents(
        lambda state: single_cards(state.expects(), face_down(state)),
        lambda state, rng: sampled(state.expects(), face_down(state), rng),
    )


def of_hands(state: Any) -> int:
    """Returns the face-down cards of a game in which only the cards of `companion.games.shared.cards.hands` are
    hidden.
    """
    pool: int = state.hands.pool
    return pool


def card_game(
    info: GameInfo, positions: Positions[S], codec: EventCodec[S], cards: HiddenCards[S], offers: Capabilities[S]
) -> Game[S]:
    """Returns a game whose hidden hands and draws follow from its cards.

    Args:
        offers: Without chances, those of `hands` are the game's; without a dealer, software shuffles the deck.
    """
    chance, dealer = offers.chance or drawn_from(of_hands), offers.dealer or Dealer
    hidden = HiddenInformation(cards.unseen, cards.view, cards.redact, cards.determinize)
    return Game.of(info, positions, codec, replace(offers, chance=chance, hidden=hidden, dealer=dealer))
