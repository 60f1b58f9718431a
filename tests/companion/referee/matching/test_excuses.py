"""Nobody is accused where something legal may have happened between two pictures that left no trace."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.core.contract import Rolled, ToRoll
from companion.core.foundation.errors import MoveError
from companion.core.layout import Detection, Layout
from companion.core.pieces import FACES, Die
from companion.core.verdict import Accepted, Pending, Refused, Unclear
from companion.games import GAMES
from companion.games.spectrum.moves import Declare, Go, Pass
from companion.referee.matching import match
from companion.referee.matching.excuses import passed_after_other_roll, rolled_by_next, rolled_twice, way_out_and_back
from simulation.play import game_of

GAME = GAMES["spectrum"]


def roll(rng: Random, due: ToRoll) -> Rolled:
    return Rolled(tuple(Die(kind, rng.choice(FACES[kind])) for kind in due.dice))


def plays(seed: int, events: int = 40, **options: Any) -> Iterator[tuple[Any, Any]]:
    """A random game of Spectrum: each event with the position before it."""
    rng = Random(seed)
    state = GAME.start(2, GAME.Options(**options))
    for _ in range(events):
        due = state.expects()
        event = roll(rng, due) if isinstance(due, ToRoll) else rng.choice(list(state.legal_moves()))
        yield event, state
        state = state.apply(event)


def seen(state: Any, *hidden: str) -> Layout:
    """What exact eyes say of a position, but for the spaces under a cloth."""
    table = state.layout()
    cells = {spot: one for spot, one in table.cells.items() if spot not in hidden}
    return Layout(cells, {spot: heap for spot, heap in table.heaps.items() if spot != "declared"})


def with_dice(layout: Layout, dice: Rolled) -> Layout:
    return Layout(layout.cells, {**layout.heaps, "dice": tuple(map(Detection.sure, dice.faces))})


def test_a_move_that_fits_an_earlier_roll_is_asked_about_and_not_accused() -> None:
    found = 0
    for seed in range(6):
        rng, before = Random(seed), None
        for event, state in plays(seed, 120):
            rolled_before, before = before, state if isinstance(event, Rolled) else None
            if rolled_before is None or not isinstance(event, Go) or event.part:
                continue
            after = state.apply(event)
            if not isinstance(after.expects(), ToRoll):
                continue
            later = roll(rng, after.expects())
            if rolled_before.apply(later).phase != "move" or not rolled_before.apply(later).violations(event):
                continue
            verdict = match(game_of(rolled_before), rolled_before, with_dice(seen(after), later))
            assert not isinstance(verdict, Refused), verdict
            assert rolled_twice(GAME, rolled_before, (later, event))
            found += isinstance(verdict, Unclear)
    assert found


def test_a_roll_that_one_picture_shows_with_a_move_may_be_the_next_players() -> None:
    found = 0
    for seed in range(6):
        rng = Random(seed)
        for event, before in plays(seed, 80):
            if not isinstance(event, Rolled):
                continue
            rolled = before.apply(event)
            moves = list(rolled.legal_moves()) if rolled.phase == "move" else []
            for move in moves[:8]:
                over = rolled.apply(move)
                if not isinstance(move, Go) or not isinstance(over.expects(), ToRoll):
                    continue
                later = roll(rng, over.expects())
                then = over.apply(later)
                shown = before.apply(later)
                if then.phase != "move" or shown.phase != "move" or shown.violations(move):
                    continue
                wrong = [one for one in then.legal_moves() if shown.apply(move).violations(one)]
                if wrong:
                    found += 1
                    assert rolled_by_next(GAME, before, (later, move), wrong[:1])
                    assert not rolled_by_next(GAME, shown, (move,), wrong[:1])
                    assert rolled_twice(GAME, before, (later, move, wrong[0]))
                    assert not rolled_twice(GAME, shown, (move, wrong[0]))
    assert found >= 3


def test_a_move_against_a_roll_that_was_seen_is_accused() -> None:
    refused = 0
    for event, state in plays(3):
        if state.phase != "move" or not isinstance(event, Go):
            continue
        for move in state.legal_moves():
            wrong = Go(state.turn, move.pawn, "green.3") if isinstance(move, Go) else None
            if wrong is None or not state.violations(wrong):
                continue
            try:
                there = state.apply_unchecked(wrong)
            except MoveError:
                continue
            assert not rolled_twice(GAME, state, (wrong,))
            refused += isinstance(match(game_of(state), state, seen(there)), Refused)
    assert refused


def test_dice_rolled_early_are_asked_about_where_a_pawn_may_have_gone_out_and_back() -> None:
    asked = accused = 0
    for seed in range(8):
        for _, state in plays(seed):
            if state.phase != "move" or state.left != state.used.all_parts:
                continue
            early = roll(Random(seed), ToRoll(0, ("spectrum-d6", "spectrum-d6")))
            if not state.violations(early) or sorted(map(str, early.faces)) == sorted(state.roll):
                continue
            way = way_out_and_back(state, (early,))
            verdict = match(game_of(state), state, with_dice(seen(state), early))
            if way:
                here = state
                for event in way:
                    here = here.apply(event)
                assert not isinstance(verdict, Refused), verdict
                if isinstance(verdict, Unclear):
                    asked += 1
                    assert [bool(choice.breaches) for choice in verdict.choices] == [False, True]
            elif isinstance(verdict, Refused):
                accused += 1
                assert {breach.rule for breach in verdict.breaches} == {"BRD-27"}
    assert asked and accused


def test_a_pawn_may_have_gone_out_and_back_by_another_usage_than_the_one_that_is_told() -> None:
    found = 0
    for seed in range(12):
        for event, state in plays(seed, dice="d12"):
            usages = [move for move in state.legal_moves() if isinstance(move, Declare)]
            if not isinstance(event, Declare) or len(usages) < 2:
                continue
            early = roll(Random(seed), ToRoll(0, ("spectrum-d12",) * 3))
            ways = {usage: way_out_and_back(state.apply(usage), (early,)) for usage in usages}
            without = [usage for usage in usages if not ways[usage] and state.apply(usage).violations(early)]
            if any(ways.values()) and without:
                found += 1
                way = way_out_and_back(state, (without[0], early))
                here = state
                for step in way:
                    assert not here.violations(step)
                    here = here.apply(step)
                assert way[-1] == early
                assert way[0] != without[0]
    assert found


def test_a_pawn_that_went_under_a_cloth_is_waited_for_until_the_next_roll_tells() -> None:
    waited = told = 0
    for seed in range(4):
        for event, state in plays(seed):
            if not isinstance(event, Go) or event.part or "stock" not in event.pawn:
                continue
            after = state.apply(event)
            if not isinstance(after.expects(), ToRoll):
                continue
            alone = match(game_of(state), state, seen(after, event.to))
            assert isinstance(alone, Pending | Unclear), alone
            waited += 1
            following = roll(Random(seed), after.expects())
            verdict = match(game_of(state), state, with_dice(seen(after, event.to), following))
            assert not isinstance(verdict, Refused), verdict
            told += isinstance(verdict, Accepted) and verdict.events[0] == event
    assert waited and told


def test_who_moves_after_a_roll_that_let_the_other_player_only_pass_may_have_rolled_what_lies_there() -> None:
    found = 0
    for seed in range(40):
        played = list(plays(seed, 80))
        for (lost, before), (passed, _), (shown, _), *rest in zip(*(played[at:] for at in range(5)), strict=False):
            moves = [event for event, _ in rest]
            if not (isinstance(lost, Rolled) and isinstance(passed, Pass) and isinstance(shown, Rolled)):
                continue
            event = next((one for one in moves if isinstance(one, Go)), None)
            if event is None or not before.apply(shown).violations(event):
                continue
            found += 1
            assert passed_after_other_roll(GAME, before, (shown, event))
            own = event.__class__(1 - event.seat, event.pawn, event.to, event.part, event.one_color)
            assert not passed_after_other_roll(GAME, before, (shown, own))
    assert found
