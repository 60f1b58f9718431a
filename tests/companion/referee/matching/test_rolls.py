"""Dice that fall as they lay, and rolls that pictures showed and the record lacks."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.core.contract import Rolled, ToRoll
from companion.core.layout import Detection, Layout
from companion.core.pieces import Die
from companion.core.verdict import Accepted, Pending, Refused, Same, Unclear
from companion.games import GAMES
from companion.games.spectrum.moves import Go
from companion.referee.matching import match
from companion.referee.matching.accounts import Standpoint
from companion.referee.matching.referee import Referee
from companion.referee.matching.rolls import LostRolls, rolled_since

GAME = GAMES["spectrum"]
KIND = "spectrum-d6"


def dice(*faces: str) -> tuple[Die, ...]:
    return tuple(Die(KIND, face) for face in faces)


def with_moved(state: Any, moved: Sequence[Die]) -> Layout:
    """What exact eyes say of a position in which these dice were rolled since record and table agreed."""
    table = state.layout()
    heaps = {spot: heap for spot, heap in table.heaps.items() if spot != "declared"}
    heaps["dice.moved"] = tuple(map(Detection.sure, moved))
    if moved:
        heaps["dice"] = heaps["dice.moved"]
    return Layout(table.cells, heaps)


def before_a_roll(seed: int = 1, rolls: int = 4) -> Any:
    """A position of a random game in which a roll is due and dice lie there."""
    rng = Random(seed)
    state: Any = GAME.start(2, GAME.Options())
    while True:
        if isinstance(state.expects(), ToRoll):
            if not rolls and state.layout().heaps["dice"]:
                return state
            rolls -= 1
            state = state.apply(Rolled(dice(*rng.choices(("red", "green", "blue"), k=2))))
        else:
            state = state.apply(rng.choice(list(state.legal_moves())))


def test_dice_that_were_moved_and_show_the_same_faces_may_have_been_rolled() -> None:
    state = before_a_roll()
    lie = [one.piece for one in state.layout().heaps["dice"]]
    said = match(GAME, state, with_moved(state, lie))
    assert isinstance(said, Pending) and not said.behind
    assert all(str(die.face) in said.text for die in lie if isinstance(die, Die))


def test_one_die_that_was_pushed_is_no_roll() -> None:
    state = before_a_roll()
    lie = [one.piece for one in state.layout().heaps["dice"]]
    seen = with_moved(state, lie[:1])
    heaps = {**seen.heaps, "dice": state.layout().heaps["dice"]}
    assert isinstance(match(GAME, state, Layout(seen.cells, heaps)), Same)
    assert isinstance(match(GAME, state, with_moved(state, ())), Same)


def test_all_dice_that_moved_speak_against_events_without_a_roll() -> None:
    state = before_a_roll()
    lie = [one.piece for one in state.layout().heaps["dice"]]
    assert rolled_since((), with_moved(state, lie))
    assert not rolled_since((Rolled(tuple(lie)),), with_moved(state, lie))
    assert not rolled_since((), with_moved(state, ()))


def test_a_roll_that_no_row_tells_is_remembered_until_something_is_played() -> None:
    state = before_a_roll()
    table = state.layout()
    shown = LostRolls().unexplained(table, with_moved(state, dice("purple", "orange")))
    assert shown.shown and not shown.lost
    assert not shown.explained([Rolled(dice("orange", "purple"))]).lost
    lost = shown.explained([Rolled(dice("green", "green"))])
    assert lost.lost
    assert lost.explained([Rolled(dice("red", "red"))]).lost, "a further roll proves nothing"
    assert not lost.explained([next(iter(played(state).legal_moves()))]).lost


def test_nobody_is_out_of_turn_while_the_record_lacks_a_roll() -> None:
    """A roll that was shown and is in no row may have been another player's: what follows is asked, not accused."""
    state = before_a_roll(3)
    after = played(state)
    other = next(replace(move, seat=1 - move.seat) for move in after.legal_moves() if isinstance(move, Go))
    assert "BRD-8" in {breach.rule for breach in after.violations(other)}
    refused = Refused(other, other.seat, after.violations(other), 9.0, (), 4.0)

    def judge(*_args: Any, **_more: Any) -> Any:
        return refused

    here = Standpoint(after, ((0, after),), 0)
    for lost in (False, True):
        referee = Referee(GAME, judge, draws_unseen=False, trusting=False, origin="told")
        if lost:
            look = with_moved(after, dice("purple", "orange"))
            referee.remember(Unclear(()), here, look)
            referee.remember(Accepted((Rolled(dice("green", "green")),), 9.0, 9.0, ()), here, with_moved(after, ()))
        verdict = referee.verdict(here, with_moved(after, ()))
        assert isinstance(verdict, Unclear if lost else Refused)


def played(state: Any) -> Any:
    """The position after a roll with which something can be moved."""
    for first in ("red", "green", "blue", "yellow"):
        then = state.apply(Rolled(dice(first, first)))
        if not isinstance(then.expects(), ToRoll) and any(isinstance(move, Go) for move in then.legal_moves()):
            return then
    raise AssertionError("no roll lets anybody move")
