"""The game object of Cribbage, which the command line, the page and the journal use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.core.capabilities import WHOLE, Heuristics, Horizon, Proposer
from companion.core.contract import ScoreLine, Seat
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.cribbage import moves, observation
from companion.games.cribbage.counting import combinations, points_by_kind
from companion.games.cribbage.moves import Count, CribbageEvent, LayAway
from companion.games.cribbage.options import Options
from companion.games.cribbage.position import check, read
from companion.games.cribbage.situation import Situation
from companion.games.cribbage.state import CribbageState, start
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import card_game
from companion.games.shared.cards.dealing import DealtHands
from companion.games.shared.cards.deck import common_shades
from companion.games.shared.cards.hands import changed
from companion.games.shared.search.bit_sets import mask_of


class CribbageCards(DealtHands[CribbageState]):
    """The hidden information of Cribbage: the deck, the hands, and the crib until it is turned up."""

    face_down = LayAway

    def view(self, state: CribbageState, seat: Seat | None) -> CribbageState:
        """Returns the position as a seat may know it: other hands are hidden, and until the crib is turned up, so are
        the cards that other seats laid away.
        """
        hands, laid, laid_hidden = state.hands.seen_by(seat), state.laid, state.laid_hidden
        if not state.is_crib_up:
            for other, cards in enumerate(laid):
                if other != seat and cards:
                    hands = replace(hands, pool=hands.pool | mask_of(cards))
                    laid = changed(laid, other, ())
                    laid_hidden = changed(laid_hidden, other, laid_hidden[other] + len(cards))
        if hands == state.hands and laid == state.laid:
            return state
        return replace(state, hands=hands, laid=laid, laid_hidden=laid_hidden)

    def determinize(self, state: CribbageState, rng: Random) -> CribbageState:
        """Returns the position with the hidden cards of hands and crib filled in from the face-down ones."""
        if not any(state.hands.hidden) and not any(state.laid_hidden):
            return state
        hands, dealt = state.hands.dealt_elsewhere(state.laid_hidden, rng)
        laid = tuple(tuple(sorted((*known, *cards))) for known, cards in zip(state.laid, dealt, strict=True))
        return replace(state, hands=hands, laid=laid, laid_hidden=(0,) * state.seats)


def prospects(state: Situation, seat: Seat) -> float:
    """Returns the known points of hands and crib that are not counted yet: the own side's minus the other side's."""
    if state.dealer is None or not any(state.laid):
        return 0.0
    side, found = state.side(seat), 0
    for place in range(state.counted, state.seats):
        one = (state.dealer + 1 + place) % state.seats
        if state.laid[one] and not state.hands.hidden[one]:
            cards = tuple(sorted((*state.hands.known[one], *state.played[one])))
            found += _points(cards, state.starter, False) * (1 if state.side(one) == side else -1)
    if state.counted <= state.seats:
        crib = _points(state.crib, state.starter, True)
        found += crib if state.side(state.dealer) == side else -crib
    return float(found)


@lru_cache(maxsize=20_000)
def _points(cards: tuple[int, ...], starter: int | None, crib: bool) -> int:
    """Returns the points of cards; without a starter, only eighteens, pairs, runs and flush count."""
    if len(cards) < 2:
        return 0
    if starter is not None:
        return sum(points_by_kind(cards, starter, crib=crib))
    flush = len(cards) if not crib and common_shades(cards) else 0
    return flush + sum(points_by_kind(cards[:-1], cards[-1], crib=True)[:3])


_EVENTS_PER_HAND = 120
"""The largest number of events in a hand: 40 cards dealt, a starter, 4 lay-aways, 32 plays, as many Goes, 5 counts."""
_CUTS = 500
"""The number of cuts that the bound allows for ties; a hundred ties of four players in a row are not plausible."""


def _bound(state: CribbageState) -> int:
    """Returns an upper bound for the number of events until the game ends: each hand's last card pegs at least one
    point.
    """
    return _CUTS + _EVENTS_PER_HAND * (2 * state.options.target + 1)


def _score_breakdown(state: CribbageState, event: CribbageEvent) -> tuple[ScoreLine, ...]:
    """Returns the points of the next event as lines: every combination of a rightly counted hand (CRB-7)."""
    if not isinstance(event, Count) or not state.is_played or (event.seat, event.of) != state.counting:
        return ()
    cards = state.crib if event.of == "crib" else state.played[event.seat]
    if state.starter is None or event.points != sum(state.worth):
        return ()
    return combinations(cards, state.starter, crib=event.of == "crib")


def _next_position(state: CribbageState) -> Mapping[str, Any] | None:
    """Returns the position that begins the next game, in which a loser deals (CRB-1); None before this one ends."""
    if not state.is_over:
        return None
    lost = state.totals.index(min(state.totals))
    last = state.dealer if state.dealer is not None else state.seats - 1
    order = [(last + step) % state.seats for step in range(1, state.seats + 1)]
    return {"dealer": next(seat for seat in order if state.side(seat) == lost)}


CRIBBAGE: Game[CribbageState] = card_game(
    GameInfo("cribbage", "Cribbage", rules=2, seats=range(2, 5, 2), seats_rule="CRB-2, CRB-11", Options=Options),
    Positions(CribbageState, start, read, check, bound=_bound),
    EventCodec(CribbageEvent, moves.text, moves.parse, deck_events.words, plain=deck_events.plain),
    CribbageCards(),
    Capabilities(
        proposer=Proposer(
            infer_event=observation.infer_event,
            candidates=observation.candidates,
            rarity=observation.rarity,
            is_said=observation.is_said,
        ),
        score_breakdown=_score_breakdown,
        next_position=_next_position,
        heuristics=Heuristics(prospects=prospects, horizon=Horizon(WHOLE, hand=lambda state: state.dealer)),
    ),
)
"""The game object of Cribbage."""
