"""Poker as the command line, the page and the journal meet it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.capabilities import Proposer
from companion.core.foundation.errors import BadOptions
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.poker import notation, sighted
from companion.games.poker.hidden import PokerCards
from companion.games.poker.moves import MOST_PLAYERS, PokerEvent
from companion.games.poker.odds import HAND
from companion.games.poker.options import Options as PokerOptions
from companion.games.poker.position import check, read
from companion.games.poker.state import PokerState, start
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import card_game
from companion.games.shared.cards.deck import NUMBER_CARDS


def _fit(seats: int, options: PokerOptions) -> None:
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
    """No game from here is longer than this many events: every card is drawn at most once, and each seat moves once
    in every round."""
    return 2 * NUMBER_CARDS + state.seats * (state.exchanges + 1)


def _next_position(state: PokerState) -> Mapping[str, Any] | None:
    """The position with which the next hand begins; None while this one goes on."""
    return {"dealer": (state.dealer + 1) % state.seats} if state.is_over else None


POKER: Game[PokerState] = card_game(
    GameInfo(
        "poker",
        "Poker",
        rules=1,
        seats=range(2, MOST_PLAYERS + 1),
        seats_rule="POK-1",
        Options=PokerOptions,
        lead="nothing",
    ),
    Positions(PokerState, start, read, check, fit=_fit, bound=_bound),
    EventCodec(
        PokerEvent, notation.text, notation.parse, deck_events.words, plain=deck_events.plain, canonical=notation.check
    ),
    PokerCards(),
    Capabilities(proposer=Proposer(suggest=sighted.suggest), next_position=_next_position),
)
"""The one game object."""
