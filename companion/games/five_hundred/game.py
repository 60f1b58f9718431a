"""The game object of 500, which the command line, the page and the journal use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.capabilities import Proposer
from companion.core.contract import Seat
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.five_hundred import advice, observation
from companion.games.five_hundred import moves as notation
from companion.games.five_hundred.moves import MOST_PLAYERS, FiveHundredEvent, LayOff
from companion.games.five_hundred.options import Options
from companion.games.five_hundred.position import check, read
from companion.games.five_hundred.state import FiveHundredState, start
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import card_game
from companion.games.shared.cards.dealing import DealtHands


class FiveHundredCards(DealtHands[FiveHundredState]):
    """The hidden information of 500: the stock and the hands; cards taken from the discards are public."""

    def view(self, state: FiveHundredState, seat: Seat | None) -> FiveHundredState:
        """Returns the position as a seat may know it: of other hands only the cards taken from the discards, or all
        cards once the hand is over.
        """
        if state.is_ended:
            return state
        hands = state.hands.seen_by(seat, state.opened)
        return state if hands == state.hands else replace(state, hands=hands)


def _next_position(state: FiveHundredState) -> Mapping[str, Any] | None:
    """Returns the position with which a game of the next hand begins; None while this goes on or the match is won."""
    totals = [score.total for score in state.scores()]
    if not state.is_counted or max(totals) >= state.options.target:
        return None
    return {"scores": totals, "dealer": (state.dealer + 1) % state.seats}


def _needs_confirmation(state: FiveHundredState, event: FiveHundredEvent) -> bool:
    """True if a picture does not show on which of several melds a card was laid off, which decides the cards that fit
    it later.
    """
    if not isinstance(event, LayOff):
        return False
    return sum(isinstance(one, LayOff) and one.card == event.card for one in state.legal_moves()) > 1


FIVE_HUNDRED: Game[FiveHundredState] = card_game(
    GameInfo("five-hundred", "500", rules=1, seats=range(2, MOST_PLAYERS + 1), seats_rule="500-1", Options=Options),
    Positions(FiveHundredState, start, read, check),
    EventCodec(FiveHundredEvent, notation.text, notation.parse, deck_events.words, plain=deck_events.plain),
    FiveHundredCards(),
    Capabilities(
        proposer=Proposer(
            infer_event=observation.infer_event,
            needs_confirmation=_needs_confirmation,
            candidates=observation.candidates,
            is_said=observation.is_said,
        ),
        score_breakdown=advice.score_breakdown,
        next_position=_next_position,
    ),
)
"""The game object of 500."""
