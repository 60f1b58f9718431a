"""What a camera sees of Roll & Color: rolls, and re-rolls of dice that moved."""

from __future__ import annotations

from random import Random

from companion.core.contract import Rolled
from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import FACES, Die
from companion.core.verdict import Accepted, Desynchronized, Pending, Refused, Same, Unclear
from companion.games.roll_and_color.game import ROLL_AND_COLOR
from companion.games.roll_and_color.moves import Reroll, Rethrow
from companion.games.roll_and_color.state import MOVED, RollState
from companion.referee.matching import match
from tests.companion.games.roll_and_color.short_roll import roll, table, told

MIXED = "R Y B G | RO R R B P"
"""d6 red yellow blue green, d12 red-orange red red blue purple."""


def tray(words: str, moved_words: str | None = None) -> Layout:
    """What a reader reports: all dice, and where it knows it, those that moved."""
    heaps = {"dice": tuple(map(Detection.sure, roll(words).faces))}
    if moved_words is not None:
        heaps[MOVED] = tuple(map(Detection.sure, roll(moved_words).faces)) if moved_words else ()
    return Layout(heaps=heaps)


def verdict(state: RollState, layout: Layout) -> object:
    return match(ROLL_AND_COLOR, state, layout)


def test_a_roll_is_read_once_all_nine_lie() -> None:
    state = table(seats=2)
    found = verdict(state, tray("d6 red yellow blue green, d12 red-orange red red blue purple"))
    assert isinstance(found, Accepted) and sorted(state.apply(found.events[0]).dice) == sorted(table(MIXED).dice)
    assert isinstance(verdict(state, tray("d6 red yellow blue green, d12 red red blue purple")), Pending)


def test_dice_in_the_hand_say_nothing() -> None:
    for state in (table(MIXED), told(table(MIXED), "player 1 re-rolls 1 2 5 6")):
        assert isinstance(verdict(state, tray("d6 blue green, d12 red blue purple")), Same)
        assert isinstance(verdict(state, tray("d6 red yellow blue green, d12 red-orange red red blue purple")), Same)


def test_a_re_roll_is_read_with_its_dice() -> None:
    state = table(MIXED)
    found = verdict(state, tray("d6 orange orange blue green, d12 green green red blue purple"))
    assert isinstance(found, Accepted)
    assert found.events == (Reroll(0, (1, 2, 5, 7)), roll("d6 orange orange, d12 green green"))
    told_first = told(state, "player 1 re-rolls 1 2 5 6")
    found = verdict(told_first, tray("d6 orange orange blue green, d12 green green red blue purple"))
    assert isinstance(found, Accepted) and found.events == (roll("d6 orange orange, d12 green green"),)


def test_a_die_that_came_up_as_before_is_counted_with_them() -> None:
    """Three faces differ after a re-roll of four: some die shows again what it showed."""
    state = table(MIXED)
    found = verdict(state, tray("d6 orange orange blue green, d12 green red red blue purple"))
    assert isinstance(found, Accepted)
    reroll, rolled = found.events
    assert len(reroll.dice) == 4 and len(rolled.faces) == 4
    after = state.apply(reroll).apply(rolled)
    assert sorted(after.dice) == sorted(table("O O B G | G R R B P").dice)


def test_a_wrong_number_is_refused_where_the_reader_knows_which_dice_moved() -> None:
    state = table(MIXED)
    shown = "d6 orange orange blue green, d12 green red red blue purple"
    found = verdict(state, tray(shown, "d6 orange orange, d12 green"))
    assert isinstance(found, Refused) and [breach.rule for breach in found.breaches] == ["ROL-3", "ROL-4"]
    assert found.event == Rethrow(0, (1, 2, 5), roll("d6 orange orange, d12 green").faces)
    stands = state.apply_unchecked(found.event)
    assert stands.rerolls == 1 and sorted(stands.dice) == sorted(table("O O B G | G R R B P").dice)
    four = verdict(state, tray(shown, "d6 orange orange, d12 green red"))
    assert isinstance(four, Accepted) and len(four.events[0].dice) == 4


def test_a_die_that_was_only_pushed_accuses_nobody() -> None:
    """Five dice lie elsewhere and one of them shows what it showed: it may have been pushed by the four that rolled."""
    state = table(MIXED)
    shown = "d6 orange orange blue green, d12 green green red blue purple"
    found = verdict(state, tray(shown, "d6 orange orange blue, d12 green green"))
    assert isinstance(found, Accepted) and len(found.events[0].dice) == 4
    five = "d6 orange orange orange green, d12 green green red blue purple"
    found = verdict(state, tray(five, "d6 orange orange orange green, d12 green green"))
    assert isinstance(found, Refused) and found.breaches[0].rule == "ROL-3"
    assert found.event.dice == (1, 2, 3, 4, 5, 7), "all that moved"


def test_two_re_rolls_in_one_picture_are_no_excuse_for_a_wrong_number() -> None:
    """Five new faces could be four re-rolled and then three, had anybody seen the roll in between."""
    state = table(MIXED)
    shown = roll("d6 orange orange orange green, d12 green red red blue purple").faces
    doubtful = Detection((Candidate(shown[0], 0.8), Candidate(Die("spectrum-d6", "red"), 0.15)))
    heap = (doubtful, *map(Detection.sure, shown[1:]))
    moved = (doubtful, *map(Detection.sure, shown[1:3]), Detection.sure(shown[3]), Detection.sure(shown[4]))
    found = verdict(state, Layout(heaps={"dice": heap, MOVED: moved}))
    assert not isinstance(found, Accepted) or len(found.events) == 2


def test_too_many_new_faces_alone_accuse_nobody() -> None:
    """It may be the roll of the next player, whose predecessor has not told the entry yet."""
    state = table(MIXED, seats=2)
    shown = "d6 orange orange orange orange, d12 green green red blue purple"
    assert isinstance(verdict(state, tray(shown)), Desynchronized | Pending)
    assert isinstance(verdict(state, tray(shown, shown)), Desynchronized | Pending), "all nine moved: a new round"
    entered = told(state, "player 1 enters 1 in red-orange")
    assert isinstance(verdict(entered, tray(shown)), Accepted)


def test_a_doubtful_die_is_a_question() -> None:
    state = told(table(MIXED), "player 1 re-rolls 6 7 8 9")
    red, doubtful = Die("spectrum-d12", "red"), (Die("spectrum-d12", "orange"), Die("spectrum-d12", "red-orange"))
    dice = roll("d6 red yellow blue green, d12 red-orange green green").faces
    shaky = Detection((Candidate(doubtful[0], 0.5), Candidate(doubtful[1], 0.45)))
    heap = (*map(Detection.sure, dice), Detection.sure(red), shaky)
    assert isinstance(verdict(state, Layout(heaps={"dice": heap})), Unclear | Pending)


def test_nothing_is_read_after_the_fourth_re_roll() -> None:
    state = table(MIXED, rerolls=4)
    assert (
        ROLL_AND_COLOR.proposer.candidates(state, tray("d6 orange orange blue green, d12 green green red blue purple"))
        == ()
    )


def test_a_roll_leads_to_the_tray_that_was_seen() -> None:
    """From faces alone, over random turns: what is found explains the tray."""
    rng = Random(3)
    state = table(seats=1)
    for _ in range(60):
        due = state.expects()
        faces = tuple(Die(kind, rng.choice(FACES[kind])) for kind in getattr(due, "dice", ()))
        after = state.apply(Rolled(faces))
        event = ROLL_AND_COLOR.proposer.infer_event(state, after.layout())
        assert event is None or state.apply(event).layout().heaps == after.layout().heaps
        state = after
        legal = list(state.legal_moves())
        state = state.apply(rng.choice(legal))
        if state.picked:
            continue
