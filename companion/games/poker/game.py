"""The game object of Poker, which the command line, the page and the journal use."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.core.capabilities import Proposer
from companion.core.contract import Seat
from companion.core.foundation.errors import BadOptions
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.poker import moves as notation
from companion.games.poker import observation
from companion.games.poker.moves import MOST_PLAYERS, Exchange, PokerEvent
from companion.games.poker.odds import HAND
from companion.games.poker.options import Options
from companion.games.poker.position import check, read
from companion.games.poker.state import PokerState, start
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import card_game
from companion.games.shared.cards.dealing import DealtHands
from companion.games.shared.cards.deck import NUMBER_CARDS
from companion.games.shared.cards.hands import changed
from companion.games.shared.search.bit_sets import mask_of


class PokerCards(DealtHands[PokerState]):
    """The hidden information of Poker: the deck, hands that are not turned up, and cards that were laid away."""

    face_down = Exchange

    def view(self, state: PokerState, seat: Seat | None) -> PokerState:
        """Returns the position as a seat may know it: hands that are not turned up are hidden, and so are cards that
        others laid away.
        """
        hands, given, given_hidden = state.hands, state.given, state.given_hidden
        opened = [mask_of(hand) if state.shown >> other & 1 else 0 for other, hand in enumerate(hands.known)]
        hands = hands.seen_by(seat, opened)
        for other, cards in enumerate(given):
            if other != seat and cards:
                hands = replace(hands, pool=hands.pool | cards)
                given = changed(given, other, 0)
                given_hidden = changed(given_hidden, other, given_hidden[other] + cards.bit_count())
        if hands == state.hands and given == state.given:
            return state
        return replace(state, hands=hands, given=given, given_hidden=given_hidden)

    def determinize(self, state: PokerState, rng: Random) -> PokerState:
        """Returns the position with hidden cards of hands and laid-away cards filled in from the face-down ones."""
        if not any(state.hands.hidden) and not any(state.given_hidden):
            return state
        hands, dealt = state.hands.dealt_elsewhere(state.given_hidden, rng)
        given = tuple(known | mask_of(cards) for known, cards in zip(state.given, dealt, strict=True))
        return replace(state, hands=hands, given=given, given_hidden=(0,) * state.seats)


def _fit(seats: int, options: Options) -> None:
    if options.cards + options.shared < HAND:
        raise BadOptions(
            f"A hand has {HAND} cards (POK-1), but {options.cards} are dealt and {options.shared} shared. Deal or"
            " share more."
        )
    most = seats * options.cards * (1 + options.exchanges) + options.shared
    if most > NUMBER_CARDS:
        raise BadOptions(
            f"{seats} players may need {most} cards, and the deck has {NUMBER_CARDS} (POK-1). Deal or exchange fewer."
        )


def _bound(state: PokerState) -> int:
    """Returns an upper bound for the number of events until the game ends: every card is drawn at most once, and each
    seat moves once in every round.
    """
    return 2 * NUMBER_CARDS + state.seats * (state.exchanges + 1)


def _next_position(state: PokerState) -> Mapping[str, Any] | None:
    """Returns the position with which the next hand begins; None while this one goes on."""
    return {"dealer": (state.dealer + 1) % state.seats} if state.is_over else None


POKER: Game[PokerState] = card_game(
    GameInfo(
        "poker", "Poker", rules=1, seats=range(2, MOST_PLAYERS + 1), seats_rule="POK-1", Options=Options, lead="nothing"
    ),
    Positions(PokerState, start, read, check, fit=_fit, bound=_bound),
    EventCodec(
        PokerEvent, notation.text, notation.parse, deck_events.words, plain=deck_events.plain, canonical=notation.check
    ),
    PokerCards(),
    Capabilities(
        proposer=Proposer(
            infer_event=observation.infer_event,
            candidates=observation.candidates,
            is_said=observation.is_said,
            pending_prompt=observation.pending_prompt,
        ),
        next_position=_next_position,
    ),
)
"""The game object of Poker."""
