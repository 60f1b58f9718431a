"""The engine against the slow reading of the rules, move by move through random games."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.contract import Over, Rolled, ToMove, ToRoll
from companion.core.pieces import WHEEL, Die
from companion.games.escape.game import ESCAPE
from companion.games.escape.moves import Lose, Move, Play
from companion.games.escape.options import NEEDED, Options
from companion.games.escape.state import EscapeState
from tests.companion.games.escape.slow_escape import Done, Pawns, SlowRound, all_moves, colors_of, do
from tests.companion.games.short import assert_unchanged


def plain(move: Move) -> Done:
    """A move as the slow reading names it."""
    if isinstance(move, Play):
        return move.seat, move.die, move.color, "out" if move.to == 10 else move.to
    if isinstance(move, Lose):
        return move.seat, f"lose {move.die}", "", ""
    return move.seat, "withdraw", move.color, ""


def roll(due: ToRoll, rng: Random) -> Rolled:
    sides = {"spectrum-d6": 6, "spectrum-d12": 12}
    return Rolled(tuple(Die(kind, rng.choice(colors_of(sides[kind]))) for kind in due.dice))


def agree(state: EscapeState, pawns: Pawns, escaped: list[int]) -> None:
    """Board and escapes are the same."""
    board = {
        (color, seat): place
        for color, column in zip(WHEEL, state.columns, strict=True)
        for seat, place in enumerate(column)
        if place
    }
    assert board == pawns
    assert list(state.escaped) == escaped


def play(seats: int, alone: str, rng: Random) -> int:
    """One random game in both; how many positions were compared."""
    state = ESCAPE.start(seats, Options(alone=alone))
    pawns: Pawns = {}
    escaped = [0] * seats
    first, round_, compared = 0, "d6", 0
    while True:
        due = state.expects()
        assert isinstance(due, ToRoll) and due.seat == first
        own = f"spectrum-{round_}"
        assert due.dice[:seats] == (own,) * seats
        assert sorted(due.dice) == ["spectrum-d12"] * 5 + ["spectrum-d6"] * 4
        rolled = roll(due, rng)
        state = state.apply(rolled)
        now = SlowRound(seats, first, alone)
        now.personal = [str(one.face) for one in rolled.faces[:seats]]
        now.common = [str(one.face) for one in rolled.faces[seats:]]
        while (seat := now.who()) is not None:
            assert state.expects() == ToMove((seat,))
            legal = list(state.legal_moves())
            assert sorted(map(plain, legal), key=repr) == sorted(all_moves(pawns, escaped, now), key=repr)
            compared += 1
            move = rng.choice(legal)
            state = state.apply(move)
            do(pawns, escaped, now, plain(move))
            agree(state, pawns, escaped)
            if max(escaped) == NEEDED[seats]:
                assert isinstance(state.expects(), Over)
                return compared
        if round_ == "d12":
            first = (first + 1) % seats
        round_ = {"d6": "d12", "d12": "d6"}[round_]


@pytest.mark.parametrize("alone", ("one", "centre"))
@pytest.mark.parametrize("seats", (2, 3, 4))
def test_legal_moves_are_those_of_the_slow_rules(seats: int, alone: str) -> None:
    rng = Random(f"{seats} {alone}")
    compared = 0
    while compared < 900:
        compared += play(seats, alone, rng)


@pytest.mark.slow
@pytest.mark.parametrize("seats", (2, 3, 4))
def test_legal_moves_are_those_of_the_slow_rules_for_long(seats: int) -> None:
    rng = Random(seats)
    assert sum(play(seats, alone, rng) for _ in range(150) for alone in ("one", "centre")) > 50_000


def test_every_roll_is_one_of_the_chances_with_its_weight() -> None:
    """Four players in a d12 round: 12^4 x 6^4 x 12 ways, of which the first thousand are looked at."""
    state = ESCAPE.from_record(4, Options(), {"pawns": [{}] * 4, "round": "d12"})
    found = {}
    for chance, ways in ESCAPE.outcomes(state):
        assert chance not in found
        found[chance] = ways
        if len(found) == 1512:
            break
    due = state.expects()
    assert isinstance(due, ToRoll)
    assert all(tuple(one.kind for one in chance.faces) == due.dice for chance in found)
    assert sum(found.values()) == 6**4 * 12, "every roll of the common dice beside one of the personal ones"
    assert not list(ESCAPE.outcomes(state.apply(next(iter(found))))), "nothing is left to chance in a round"


def test_a_state_is_not_changed_by_what_follows() -> None:
    assert_unchanged(ESCAPE, ESCAPE.start(3, Options()))
