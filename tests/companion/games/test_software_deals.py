"""Games of private hands dealt by software: the dealer serves every draw, and its shuffles can be checked afterwards."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.contract import Over, ToMove
from companion.games import GAMES
from companion.games.shared.cards.dealing import Dealer, check
from simulation.play import game_of


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [
        ("casino", 3, {"rounds": 2}),
        ("cribbage", 2, {"target": 60}),
        ("cribbage", 4, {"target": 60}),
        ("five-hundred", 4, {}),
        ("poker", 5, {"exchanges": 1, "shared": 1}),
    ],
)
def test_a_whole_game_is_dealt_and_can_be_checked(name: str, seats: int, options: dict[str, Any]) -> None:
    game = GAMES[name]
    rng = Random(name)
    seed = rng.randbytes(32)
    dealer = Dealer(seed)
    shown = dealer.commitment
    state = game.start(seats, game.Options(**options))
    while not isinstance(state.expects(), Over):
        events, dealer = dealer.serve(state, game_of(state).unseen)
        for event in events:
            state = state.apply(event)
        assert not any(state.hands.hidden)
        if isinstance(state.expects(), ToMove):
            state = state.apply(rng.choice(list(state.legal_moves())))
    assert state.outcome() is not None
    assert dealer.shuffles
    check(shown, seed, dealer.shuffles)
