"""What a camera sees in Spectrum Escape, and what the referee makes of a seen table."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.contract import Over, Rolled, ToRoll
from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import Die, Pawn, Piece
from companion.core.verdict import Accepted, Pending, Refused, Same, Unclear
from companion.games.escape.game import ESCAPE
from companion.games.escape.moves import Add, Play, Withdraw
from companion.games.escape.state import EscapeState
from companion.games.shared.color_dice import TWELVE
from companion.referee.matching import match
from tests.companion.games.escape.short_escape import roll, table, told

ROLL = "d6 red blue green yellow, d12 orange purple red-orange green-blue purple-red"


def seen(state: EscapeState, *changes: tuple[str, str | None], heaps: dict[str, list[Piece]] | None = None) -> Layout:
    """The table of a position with other pawns on some spaces; nobody looks beside the board unless told."""
    layout = state.layout()
    cells = {**layout.cells, **{spot: Detection.sure(color and Pawn(color)) for spot, color in changes}}
    piled = {spot: tuple(Detection.sure(piece) for piece in pieces) for spot, pieces in (heaps or {}).items()}
    return Layout(cells, piled)


def dice(words: str) -> list[Piece]:
    return list(roll(words).faces)


def verdict(state: EscapeState, layout: Layout) -> object:
    return match(ESCAPE, state, layout)


def test_a_roll_is_read_once_all_nine_lie() -> None:
    state = ESCAPE.start(2, ESCAPE.Options())
    own = {"seat0.die": dice("d6 red"), "seat1.die": dice("d6 blue")}
    common = dice("d6 green yellow, d12 orange purple red-orange green-blue purple-red")
    assert isinstance(verdict(state, seen(state, heaps={**own, "dice": common[:-1]})), Pending)
    found = verdict(state, seen(state, heaps={**own, "dice": common}))
    assert isinstance(found, Accepted) and state.apply(found.events[0]) == told(state, f"rolls {ROLL}")


def test_old_dice_that_still_lie_are_no_roll() -> None:
    state = table(personal="red blue", done=["both", "personal"], d6="green", d12="blue blue blue blue blue")
    over = told(state, "player 2 plays common blue to 1")
    assert not over.rolled
    lying = seen(over, heaps={"seat0.die": dice("d6 red"), "seat1.die": [], "dice": dice("d12 blue blue blue")})
    assert isinstance(verdict(over, lying), Same)


def test_a_doubtful_die_is_a_question() -> None:
    state = ESCAPE.start(2, ESCAPE.Options())
    layout = seen(state, heaps={"seat0.die": dice("d6 red"), "seat1.die": dice("d6 blue")})
    heap = [Detection.sure(one) for one in dice("d6 green yellow, d12 orange purple red-orange green-blue")]
    doubtful = Detection((Candidate(TWELVE[0], 0.5), Candidate(TWELVE[1], 0.45)))
    found = verdict(state, Layout(layout.cells, {**layout.heaps, "dice": (*heap, doubtful)}))
    assert isinstance(found, Unclear | Pending)


def test_a_pawn_that_moved_is_a_move() -> None:
    state = table("red 2 1", "green 0 4", personal="green blue", d6="red")
    found = verdict(state, seen(state, ("red.8", None), ("red.7", "red")))
    assert isinstance(found, Accepted) and found.events == (Play(0, "common", "red", 3),)


def test_a_pawn_that_left_escaped_or_was_taken_back() -> None:
    state = table("red 9 1", "blue 1 0", personal="red blue", d6="green")
    found = verdict(state, seen(state, ("red.1", None)))
    assert isinstance(found, Unclear | Pending), "both are legal, and only the pawns beside the board tell"
    for spot, event in (("seat0.escaped", Play(0, "personal", "red", 10)), ("seat0.stock", Withdraw(0, "red"))):
        pawns: list[Piece] = [Pawn("red")] * (1 if spot.endswith("escaped") else state.stock(0) + 1)
        found = verdict(state, seen(state, ("red.1", None), heaps={spot: pawns}))
        assert isinstance(found, Accepted) and found.events == (event,)


def test_a_die_that_is_gone_tells_which_one_was_used() -> None:
    state = table(personal="red blue", d6="red", d12="green green green green blue")
    shown = (("red.9", "red"),)
    assert isinstance(verdict(state, seen(state, *shown)), Unclear), "the personal or the common red"
    rest = dice("d6 purple, d12 green green green green blue")
    found = verdict(state, seen(state, *shown, heaps={"dice": rest}))
    assert isinstance(found, Accepted) and found.events == (Play(0, "common", "red", 1),)


def test_a_wrong_space_is_refused_with_its_rule() -> None:
    state = table("red 6 2", personal="red blue", d6="green")
    found = verdict(state, seen(state, ("red.4", None), ("red.2", "red")))
    assert isinstance(found, Refused) and found.breaches[0].rule == "ESC-7"
    assert found.event == Play(0, "personal", "red", 8)


def test_a_second_pawn_is_refused() -> None:
    state = table("red 6 2", personal="red blue", d6="green")
    found = verdict(state, seen(state, ("red.1", "red")))
    assert isinstance(found, Refused) and found.event == Add(0, "red", 9) and found.breaches[0].rule == "ESC-3"


def test_a_color_without_a_die_is_refused() -> None:
    state = table(personal="red blue", d6="green")
    found = verdict(state, seen(state, ("orange.9", "red")))
    assert isinstance(found, Refused) and found.breaches[0].rule == "ESC-13"


def test_two_moves_in_one_picture() -> None:
    state = table(personal="red blue", d6="green", d12="green green green green green")
    found = verdict(state, seen(state, ("red.9", "red"), ("blue.9", "blue")))
    assert isinstance(found, Accepted)
    assert found.events == (Play(0, "personal", "red", 1), Play(1, "personal", "blue", 1))


def test_a_move_after_a_lost_one() -> None:
    state = table("red 0 9", personal="red blue", d6="red red", d12="red red red red red")
    after = told(state, "player 1 loses the personal move")
    found = verdict(state, seen(state, ("blue.9", "blue")))
    assert not after.violations(Play(1, "personal", "blue", 1))
    assert isinstance(found, Accepted | Unclear | Pending)


@pytest.mark.parametrize("seats", (2, 4))
def test_every_step_of_a_random_game_is_suggested(seats: int) -> None:
    """From the board alone: a suggested event leads to the very board that was seen."""
    rng = Random(seats)
    state = ESCAPE.start(seats, ESCAPE.Options())
    looked = 0
    for _ in range(130):
        due = state.expects()
        if isinstance(due, ToRoll):
            faces = tuple(Die(k, rng.choice(["red", "orange", "yellow", "green", "blue", "purple"])) for k in due.dice)
            state = state.apply(Rolled(faces))
            continue
        if isinstance(due, Over):
            break
        move = rng.choice(list(state.legal_moves()))
        after = state.apply(move)
        cells = Layout(after.layout().cells)
        if after.columns != state.columns:
            event = ESCAPE.proposer.infer_event(state, cells)
            assert event is not None and not state.violations(event)
            assert state.apply(event).layout().cells == cells.cells
            assert event in ESCAPE.proposer.candidates(state, cells)
            looked += 1
        else:
            assert ESCAPE.proposer.infer_event(state, cells) is None
        state = after
    assert looked > 60


def test_nothing_is_suggested_after_the_end() -> None:
    state = told(table("red 9 1", personal="red red", escaped=(6, 3)), "player 1 plays personal red out")
    layout = seen(state, ("blue.9", "red"))
    assert ESCAPE.proposer.infer_event(state, layout) is None and ESCAPE.proposer.candidates(state, layout) == ()
