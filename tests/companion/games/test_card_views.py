"""Card games judged by what one seat may know: for its own moves the same as by everything that the referee knows."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.contract import ToMove
from companion.core.pieces import Card
from companion.games import GAMES
from companion.games.shared.cards.deck import PIECES
from tests.web.card_stories import PRIVATE, after, story

IDS = [f"{game} for {seats}" for game, seats, _ in PRIVATE]


def tries(state: Any, seat: int, rng: Random) -> list[Any]:
    """Moves of a seat, legal or not: legal ones, and the same with other cards."""
    found = [move for move in state.legal_moves() if getattr(move, "seat", seat) == seat]
    found = [found[rng.randrange(len(found))] for _ in range(min(12, len(found)))]
    cards = [piece for piece in PIECES if isinstance(piece, Card)]
    changed = []
    for move in found:
        data = msgspec.to_builtins(move)
        for name, value in data.items():
            if isinstance(value, dict) and value.get("type") == "card":
                changed.append(msgspec.convert({**data, name: msgspec.to_builtins(rng.choice(cards))}, type(move)))
    return [*found, *changed]


@pytest.mark.parametrize(("game", "seats", "options"), PRIVATE, ids=IDS)
def test_own_moves_are_judged_the_same_by_the_own_view(game: str, seats: int, options: dict[str, Any]) -> None:
    rng = Random(game)
    judged = refused = 0
    for moves in (0, 1, 2, 5, 8, 13, 21, 34):
        state = after(game, seats, options, story(game, seats, options, 7, moves))
        due = state.expects()
        if not isinstance(due, ToMove):
            continue
        for seat in due.seats:
            view = GAMES[game].view(state, seat)
            for move in tries(state, seat, rng):
                by_all = [breach.rule for breach in state.violations(move)]
                by_seat = [breach.rule for breach in view.violations(move)]
                assert by_seat == by_all, GAMES[game].text(move)
                judged += 1
                refused += bool(by_all)
            assert list(view.legal_moves())[:200] == list(state.legal_moves())[:200] or len(due.seats) > 1
    assert judged > 20 and (refused or game == "poker")


@pytest.mark.parametrize(("game", "seats", "options"), PRIVATE, ids=IDS)
def test_scores_are_public(game: str, seats: int, options: dict[str, Any]) -> None:
    for moves in (3, 17, 60):
        state = after(game, seats, options, story(game, seats, options, 8, moves))
        for seat in (None, *range(seats)):
            assert GAMES[game].view(state, seat).scores() == state.scores()
