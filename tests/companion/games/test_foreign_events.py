"""Events that a game does not have are refused by every game, in a sentence that says so, and change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.contract import Drawn, Rolled, ToDraw
from companion.core.foundation.errors import CompanionError
from companion.core.pieces import Card, Die, Pyramid
from companion.games import GAMES
from companion.games.escape import moves as escape_moves
from companion.games.rule_pages import rules_of
from companion.games.spectra import moves as spectra_moves

FOREIGN = {
    "spectra": spectra_moves.EndTurn(0),
    "escape": escape_moves.Withdraw(0, "red"),
    "none": Rolled((Die("pips-d6", 3),)),
}
"""Events by the game that they are of."""


@pytest.mark.parametrize(
    ("name", "event"), [(name, event) for name in GAMES for game, event in FOREIGN.items() if name != game]
)
def test_an_event_of_another_game_is_refused_by_a_rule_of_this_one(name: str, event: Any) -> None:
    game = GAMES[name]
    state = game.start(game.seats[0], game.Options())
    found = state.violations(event)
    assert {breach.rule for breach in found} <= {rule.number for rule in rules_of(name)} and found
    assert found[0].text.endswith(".")
    with pytest.raises(CompanionError, match=found[0].rule):
        state.apply(event)


@pytest.mark.parametrize("name", GAMES)
def test_pieces_that_no_set_has_cannot_be_drawn(name: str) -> None:
    game = GAMES[name]
    state = game.start(game.seats[0], game.Options())
    due = state.expects()
    seat = due.seat if isinstance(due, ToDraw) else 0
    for piece in (Card("pink", 1), Card("red", 13), Pyramid("pink", "small")):
        told = Drawn(seat, (piece,) * (due.count if isinstance(due, ToDraw) else 1))
        found = state.violations(told)
        assert {breach.rule for breach in found} <= {rule.number for rule in rules_of(name)} and found
