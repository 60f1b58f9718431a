"""A roll that is due is taken from the tower; anything else is said and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.peripherals.throws import Throws
from companion.core.contract import Rolled, ToRoll
from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import Die, Pawn
from companion.core.verdict import Accepted, Pending, Unclear
from companion.games.roll_and_color.game import ROLL_AND_COLOR
from companion.games.spectrum.game import SPECTRUM
from companion.referee.journal import Header, Journal
from companion.referee.table.table import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Spectrum for two, the first roll of two cubes due."""
    journal = Journal.open(tmp_path / "journal.sqlite")
    header = Header(game="spectrum", rules=1, seats=2, names=("Ada", "Bea"), started=0.0, software="0")
    yield Table(SPECTRUM, journal.begin(header), journal)
    journal.close()


def cubes(*faces: str) -> tuple[Die, ...]:
    return tuple(Die("spectrum-d6", face) for face in faces)


def seen(*faces: str, sure: float = 0.98) -> Layout:
    return Layout(heaps={"dice": tuple(Detection((Candidate(die, sure),)) for die in cubes(*faces))})


def test_a_settled_roll_that_is_due_is_taken(table: Table) -> None:
    throws = Throws(lambda: table)
    assert isinstance(table.session.state.expects(), ToRoll)
    throws.settled(cubes("red", "blue"))
    assert (table.session.rows()[-1].source, table.session.rows()[-1].kind) == ("tower", "chance")
    assert "was taken" in throws.sentence


def test_a_roll_that_is_not_due_changes_nothing(table: Table) -> None:
    throws = Throws(lambda: table)
    throws.settled(cubes("red", "blue"))
    throws.settled(cubes("green", "green"))
    assert len(table.session.rows()) == 1
    assert "No roll is due" in throws.sentence


@pytest.mark.parametrize("gone_on", [False, True])
def test_dice_that_fell_while_the_tower_was_away_count_unless_the_game_has_gone_on(table: Table, gone_on: bool) -> None:
    """Else they would become the next player's roll."""
    throws = Throws(lambda: table)
    throws.away()
    if gone_on:
        table.play(Rolled(cubes("green", "green")), source="page")
        table.undo(0, "again", source="page")
    throws.settled(cubes("red", "blue"), recovered=True)
    assert (table.session.rows() != () and table.session.rows()[-1].source == "tower") is not gone_on
    assert ("while the tower was away" in throws.sentence) is gone_on


def test_too_many_dice_are_named(table: Table) -> None:
    throws = Throws(lambda: table)
    throws.settled(cubes("red", "blue", "green"))
    assert not table.session.rows()
    assert "3 d6, but 2 d6 are due" in throws.sentence


def test_brd_7_empty_cups_do_not_matter_if_all_dice_that_are_due_are_read(table: Table) -> None:
    throws = Throws(lambda: table)
    throws.settled((None, *cubes("red"), None, *cubes("blue"), None, None))
    assert table.session.steps()[-1].event == Rolled(cubes("red", "blue"))
    assert "was taken" in throws.sentence


def test_a_cup_without_a_face_may_hold_the_die_that_is_missing(table: Table) -> None:
    throws = Throws(lambda: table)
    throws.settled((*cubes("red"), None, None))
    assert not table.session.rows()
    assert "read 1 d6, but 2 d6 are due; a die may lie askew" in throws.sentence
    throws.settled((*cubes("red", "blue", "green"), None))
    assert not table.session.rows()
    assert "The tower rolled 3 d6" in throws.sentence


def test_without_a_game_the_roll_is_only_said() -> None:
    throws = Throws(lambda: None)
    throws.settled(cubes("red", "blue"))
    assert "No game is in play" in throws.sentence


def test_a_cocked_die_is_left_to_people(table: Table) -> None:
    throws = Throws(lambda: table)
    throws.fallen()
    throws.unread("A die in the tower shows no face.")
    assert not table.session.rows()
    assert "roll again" in throws.sentence


def test_a_camera_that_sees_the_same_asks_nothing(table: Table) -> None:
    Throws(lambda: table).settled(cubes("red", "blue"))
    table.see(seen("blue", "red"), 1)
    table.see(seen("blue", "red"), 2)
    assert table.session.alert is None


@pytest.mark.parametrize(("choice", "faces"), [(0, ("red", "blue")), (1, ("red", "purple"))])
def test_a_camera_that_sees_another_face_twice_is_a_question(table: Table, choice: int, faces: tuple[str, ...]) -> None:
    Throws(lambda: table).settled(cubes("red", "blue"))
    assert isinstance(table.see(seen("purple", "red"), 1), Pending)
    question = table.see(seen("purple", "red"), 2)
    assert isinstance(question, Unclear)
    assert [option.text.split(":")[0] for option in question.choices] == ["The tower is right", "The camera is right"]
    assert (table.session.rows()[-1].kind, table.session.rows()[-1].source) == ("asked", "tower")
    table.answer(choice, source="page")
    event = table.session.steps()[-1].event
    assert isinstance(event, Rolled)
    assert event.faces == cubes(*faces)
    assert table.session.alert is None
    if choice == 0:
        table.see(seen("purple", "red"), 3)
        table.see(seen("purple", "red"), 4)
        assert table.session.alert is None


def test_an_answer_stands_against_further_readings_of_the_same_dice(table: Table) -> None:
    """What a person decided is not asked again as if the tower had told it."""
    Throws(lambda: table).settled(cubes("red", "blue"))
    for frame in (1, 2):
        table.see(seen("purple", "red"), frame)
    table.answer(1, source="page")
    for frame in (3, 4, 5):
        verdict = table.see(seen("yellow", "red"), frame)
        asked = [choice.text for choice in verdict.choices] if isinstance(verdict, Unclear) else []
        assert not any(text.startswith(("The tower", "The camera")) for text in asked)
    assert table.session.steps()[-1].event == Rolled(cubes("red", "purple"))


@pytest.mark.parametrize(("choice", "faces"), [(0, ("blue", "red")), (1, ("purple", "red"))])
def test_a_tower_that_tells_another_face_after_the_camera_is_a_question(
    table: Table, choice: int, faces: tuple[str, ...]
) -> None:
    throws = Throws(lambda: table)
    throws.fallen()
    assert isinstance(table.see(seen("purple", "red"), 1), Accepted)
    throws.settled((*cubes("red"), None, *cubes("blue")))
    assert "differ" in throws.sentence
    for frame in (2, 3):
        assert table.session.alert is not None
        question = table.session.alert.verdict
        assert isinstance(question, Unclear)
        assert [option.text.split(":")[0] for option in question.choices] == [
            "The tower is right",
            "The camera is right",
        ]
        table.see(seen("purple", "red"), frame)
    table.answer(choice, source="page")
    assert table.session.steps()[-1].event == Rolled(cubes(*faces))
    for frame in (4, 5):
        table.see(seen("purple", "red"), frame)
        assert table.session.alert is None


def test_a_tower_that_tells_the_same_as_the_camera_asks_nothing(table: Table) -> None:
    throws = Throws(lambda: table)
    throws.fallen()
    table.see(seen("purple", "red"), 1)
    throws.settled(cubes("red", "purple"))
    assert "The camera read the same" in throws.sentence
    assert table.session.alert is None and len(table.session.steps()) == 1


def test_a_tower_contradicts_only_the_camera_and_only_about_its_own_throw(table: Table) -> None:
    throws = Throws(lambda: table)
    table.see(seen("purple", "red"), 1)
    throws.fallen()  # for fun, after the roll
    throws.settled(cubes("red", "blue"))
    assert "No roll is due" in throws.sentence
    table.undo(0, "again", source="page")
    throws.fallen()
    table.play(Rolled(cubes("purple", "red")), source="page")
    throws.settled(cubes("red", "blue"))
    assert "No roll is due" in throws.sentence
    assert table.session.alert is None


@pytest.mark.parametrize("goes_on", ["undo", "misread"])
def test_a_contradiction_ends_when_a_person_has_spoken(table: Table, goes_on: str) -> None:
    throws = Throws(lambda: table)
    throws.fallen()
    table.see(seen("purple", "red"), 1)
    throws.settled(cubes("red", "blue"))
    assert table.session.alert is not None
    if goes_on == "undo":
        table.undo(0, "again", source="page")
    else:
        table.misread(source="page")
    for frame in (2, 3):
        table.see(seen("purple", "red"), frame)
        assert not isinstance(table.session.alert and table.session.alert.verdict, Unclear)


def test_a_contradiction_waits_while_something_else_is_moved(table: Table) -> None:
    throws = Throws(lambda: table)
    throws.fallen()
    table.see(seen("purple", "red"), 1)
    throws.settled(cubes("red", "blue"))
    elsewhere = Layout({"red.9": Detection.sure(Pawn("red"))}, seen("purple", "red").heaps)
    assert not isinstance(table.see(elsewhere, 2), Unclear)
    for frame in (3, 4):
        verdict = table.see(seen("purple", "red"), frame)
    assert isinstance(verdict, Unclear)


def test_dice_that_are_moved_after_the_roll_was_taken_change_nothing(table: Table) -> None:
    throws = Throws(lambda: table)
    throws.moved()
    assert "roll again" in throws.sentence
    throws.settled(cubes("red", "blue"))
    throws.moved()
    assert throws.sentence == "Dice in the tower were moved. No roll is due now, so nothing changes."


def test_a_doubtful_reading_contradicts_nobody(table: Table) -> None:
    Throws(lambda: table).settled(cubes("red", "blue"))
    for frame in (1, 2):
        assert not isinstance(table.see(seen("purple", "red", sure=0.5), frame), Unclear)


def test_dice_that_nobody_rolled_contradict_no_tower(table: Table) -> None:
    """Other dice lie in view than those that the tower threw."""
    Throws(lambda: table).settled(cubes("red", "blue"))
    for frame in (1, 2):
        heaps = seen("purple", "red").heaps
        table.see(Layout(heaps={**heaps, "dice.moved": ()}), frame)
        assert not isinstance(table.session.alert and table.session.alert.verdict, Unclear)


def test_rol_3_a_re_roll_from_the_tower_is_held_against_the_dice_that_moved(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "rolls.sqlite")
    header = Header(game="roll-and-color", rules=1, seats=1, names=("Ada",), started=0.0, software="0")
    table = Table(ROLL_AND_COLOR, journal.begin(header), journal)
    for words in ("rolls d6 red yellow blue green, d12 red-orange red red blue purple", "player 1 re-rolls 1 2 5 6"):
        table.play(ROLL_AND_COLOR.parse(table.session.state, words), source="page")
    told = ROLL_AND_COLOR.parse(table.session.state, "rolls d6 orange orange, d12 green green").faces
    Throws(lambda: table).settled(told)
    kept = ROLL_AND_COLOR.parse(table.session.state, "rolls d6 blue green, d12 red blue purple").faces
    moved = (*told[:3], Die("spectrum-d12", "blue"))
    heaps = {"dice": tuple(map(Detection.sure, (*kept, *moved))), "dice.moved": tuple(map(Detection.sure, moved))}
    for frame in (1, 2):
        table.see(Layout(heaps=heaps), frame)
    assert table.session.alert is not None and isinstance(table.session.alert.verdict, Unclear)
    table.answer(1, source="page")
    assert [one.face for one in table.session.steps()[-1].event.faces] == ["orange", "orange", "green", "blue"]
    journal.close()
