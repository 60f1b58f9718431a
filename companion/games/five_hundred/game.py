"""The game object of 500, which the command line, the page and the journal use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.capabilities import Proposer
from companion.core.contract import Seat
from companion.core.foundation.errors import BadEvent, GameOver
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


def _looks_alike(state: FiveHundredState, one: FiveHundredEvent, other: FiveHundredEvent) -> bool:
    """True if two events leave the same table and it does not matter which it was; the meld that a card was laid off
    on decides which cards fit it later.
    """
    if isinstance(one, LayOff) and isinstance(other, LayOff):
        return one == other
    try:
        return state.apply_unchecked(one).layout() == state.apply_unchecked(other).layout()
    except (BadEvent, GameOver):
        return False


FIVE_HUNDRED: Game[FiveHundredState] = card_game(
    GameInfo("five-hundred", "500", rules=1, seats=range(2, MOST_PLAYERS + 1), seats_rule="500-1", Options=Options),
    Positions(FiveHundredState, start, read, check),
    EventCodec(FiveHundredEvent, notation.text, notation.parse, deck_events.words, plain=deck_events.plain),
    FiveHundredCards(),
    Capabilities(
        proposer=Proposer(
            infer_event=observation.infer_event,
            looks_alike=_looks_alike,
            candidates=observation.candidates,
            is_said=observation.is_said,
        ),
        score_breakdown=advice.score_breakdown,
        next_position=_next_position,
    ),
)
"""The game object of 500."""
