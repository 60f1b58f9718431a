"""Prospects: what players think of a position whose scores say too little, and that they rest on no secret."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.contract import Over
from companion.games import GAMES
from companion.games.regenbogen import game as kings
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.roll_and_color.expectation import PARS
from companion.games.shared.cards.deck import CODES, NUMBER
from companion.referee.players import Greedy
from companion.referee.players import player as worths
from companion.referee.players.player import mover, moves_of
from simulation.play import game_of
from tests.companion.games.regenbogen.short_regenbogen import alive, play


def states(name: str, number: int) -> Any:
    """Positions of a random game in which a seat is to move."""
    random, game = Random(number), GAMES[name]
    state = game.start(2, game.Options())
    while not isinstance(state.expects(), Over):
        if hasattr(state.expects(), "seats"):
            yield state
            state = state.apply(random.choice(moves_of(state, mover(state, random))))
        else:
            state = state.apply(game_of(state).sample(state, random))


def worth(state: Any, seat: int) -> float:
    """What a position is worth to a seat."""
    return worths.worth(game_of(state), state, seat)


def test_points_are_bad_in_spectrumo_alone() -> None:
    """UMO-16: whoever has most points has lost."""
    assert [name for name, game in GAMES.items() if game.lead == "fewest"] == ["spectrumo"]


@pytest.mark.parametrize("name", ("regenbogen", "roll-and-color", "spectrumo"))
def test_what_is_good_for_one_of_two_is_bad_for_the_other(name: str) -> None:
    for state, _ in zip(states(name, 4), range(60), strict=False):
        assert worth(state, 0) == pytest.approx(-worth(state, 1))


@pytest.mark.parametrize("name", ("cribbage", "poker", "spectrumo"))
def test_prospects_of_a_view_rest_on_the_view_alone(name: str) -> None:
    """Hands of others filled in differently change nothing of what a seat thinks of its own moves."""
    game, random = GAMES[name], Random(3)
    options = game.Options(exchanges=1) if name == "poker" else game.Options()
    state = game.start(2, options)
    compared = 0
    while compared < 12:
        if isinstance(state.expects(), Over):
            state = game.start(2, options)
        if not hasattr(state.expects(), "seats"):
            state = state.apply(game_of(state).sample(state, random))
            continue
        seat = mover(state, random)
        twin = game.determinize(game.view(state, seat), random)
        if twin != state:
            assert game.view(twin, seat) == game.view(state, seat)
            one, other = (Greedy().choose(game, position, seat, Random(compared)) for position in (state, twin))
            assert one == other
            compared += 1
        state = state.apply(random.choice(moves_of(state, seat)))


def test_a_lost_ultima_wizard_weighs_more_than_any_other() -> None:
    board = "b4 W red wizard 5, c5 B {} wizard 1, e7 W cleric 5, a6 B cleric 5"
    found = {name: worth(alive(board.format(name)), 0) for name in ("ultima", "yellow")}
    bare = worth(alive("b4 W red wizard 5, e7 W cleric 5, a6 B cleric 5"), 0)
    assert found["ultima"] < found["yellow"] < bare


def test_a_fight_is_worth_its_damage() -> None:
    state = alive("b4 W red wizard 5, c5 B green wizard 5, e7 W cleric 5, a6 B cleric 5")
    assert worth(play(state, "player 1 fights c5 with b4"), 0) > worth(state, 0)
    assert REGENBOGEN.text(Greedy().choose(game_of(state), state, 0, Random(1))) == "player 1 fights c5 with b4"


def test_two_steps_from_a_domination_cost_less_than_one() -> None:
    danger = kings._DANGER
    red, orange, yellow = (1 << place for place in range(3))
    assert danger[0] < danger[red] < danger[red | orange] and danger[red | yellow] == danger[red | orange]


def test_kept_cards_of_cribbage_count_until_the_starter_is_turned_up() -> None:
    """CRB-7: three eights and a ten keep six points, and what is laid away is the dealer's."""
    game = GAMES["cribbage"]
    hands = [
        ["R8", "G8", "Y8", "R10", "B1", "O2", "P4", "GB5", "B12"],
        ["R1", "G1", "B3", "P3", "Y5", "P7", "Y9", "O9", "P11"],
    ]
    state = game.from_record(2, game.Options(), {"dealer": 1, "hands": hands})
    chosen = Greedy().choose(game_of(state), state, 0, Random(1))
    assert {"R8", "G8", "Y8", "R10"}.isdisjoint({CODES[NUMBER[card]] for card in chosen.cards})


def test_a_row_of_roll_and_color_costs_its_par() -> None:
    game = GAMES["roll-and-color"]
    state = game.from_record(2, game.Options(), {"sheets": [{"red": "4"}, {"green": "0"}]})
    points = state.scores()[0].total
    assert worth(state, 0) == pytest.approx(points)
    other = game.from_record(2, game.Options(), {"sheets": [{"red-orange": "0"}, {"green": "0"}]})
    assert worth(other, 0) == pytest.approx(PARS["primary"] - PARS["secondary"])
