"""One table, played by people and by readings, on the made-up game Ladder."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.core.contract import Drawn, ToDraw, ToMove
from companion.core.foundation.errors import BadEvent, IllegalMove, JournalError, StaleCommand
from companion.core.layout import Detection, Layout
from companion.core.verdict import Accepted, Desynchronized, Pending, Refused, Same, TakenBack, Unclear
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.state import SpectrumState
from companion.referee.journal import Header, Journal, digest, timeline
from companion.referee.matching import LOOKS
from companion.referee.table.table import Table
from simulation.ladder import LADDER, SET, Lay, dealt
from simulation.matching.noise import ranked
from simulation.matching.without_prior import match_without_prior
from tests.companion.games.short import after
from tests.companion.games.spectrum import short_spectrum

TILE = {tile.name: tile for tile in SET}


def header(draws: Any = "told", position: Any = None) -> Header:
    return Header(
        game="ladder",
        rules=1,
        seats=2,
        names=("Ada", "Bea"),
        draws=draws,
        position=position,
        started=1_700_000_000.0,
        software="0",
    )


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = Journal.open(tmp_path / "games.journal")
    yield journal
    journal.close()


def table(journal: Journal, **more: Any) -> Table:
    return Table(LADDER, journal.begin(header(**more)), journal, clock=lambda: 1_700_000_001.0)


@pytest.fixture
def open_hands(journal: Journal) -> Table:
    """Both hands dealt, Ada to move: RRR6 RRY5 against BBB6 RRP5."""
    one = table(journal)
    one.play(Drawn(1, (TILE["BBB6"], TILE["RRP5"])), source="page")
    one.play(Drawn(0, (TILE["RRR6"], TILE["RRY5"])), source="page")
    return one


def showing(state: Any, **cells: str | None) -> Layout:
    """What a sure reader sees, with some cells otherwise."""
    layout = state.layout()
    changed = {spot: Detection.sure(TILE[name] if name else None) for spot, name in cells.items()}
    return Layout({**layout.cells, **changed}, layout.heaps)


def test_a_move_is_a_row_and_a_version(open_hands: Table) -> None:
    version = open_hands.session.version
    row = open_hands.play(Lay(4, TILE["RRR6"]), source="page", expected=2)
    assert (row.n, row.kind, row.seat, row.text, row.source) == (3, "move", 0, "RRR6 c4", "page")
    assert row.scores == (6, 0)
    assert row.digest == digest(open_hands.session.state)
    assert row.legal == len(open_hands.session.legal())
    assert open_hands.session.version > version


def test_an_illegal_move_changes_nothing(open_hands: Table) -> None:
    before = open_hands.session.state, open_hands.session.seq, open_hands.session.version
    with pytest.raises(IllegalMove, match="LAD-4"):
        open_hands.play(Lay(4, TILE["BBB6"]), source="page")
    assert (open_hands.session.state, open_hands.session.seq, open_hands.session.version) == before


def test_a_command_made_looking_at_an_older_row_is_stale(open_hands: Table) -> None:
    with pytest.raises(StaleCommand, match="row 2"):
        open_hands.play(Lay(4, TILE["RRR6"]), source="page", expected=1)
    assert open_hands.session.seq == 2


def test_undo_folds_rows_away_and_can_itself_be_undone(open_hands: Table) -> None:
    open_hands.play(Lay(4, TILE["RRR6"]), source="page")
    laid = open_hands.session.state
    row = open_hands.undo(2, "wrong tile", source="page")
    assert (row.kind, row.more["to"], row.more["why"]) == ("undo", 2, "wrong tile")
    assert open_hands.session.state == open_hands.session.state_at(2)
    assert open_hands.session.undone() == {3}
    open_hands.undo(3, "it was right after all", source="page")
    assert open_hands.session.state == laid
    assert open_hands.session.undone() == {4}
    with pytest.raises(BadEvent, match="no row 17"):
        open_hands.undo(17, "", source="page")


def test_a_correction_replays_what_came_later(open_hands: Table) -> None:
    open_hands.play(Lay(4, TILE["RRR6"]), source="camera")
    open_hands.play(Drawn(0, (TILE["PPP6"],)), source="camera")
    open_hands.play(Lay(5, TILE["RRP5"]), source="camera")
    open_hands.correct(3, Lay(4, TILE["RRY5"]), "misread", source="page")
    assert [score.total for score in open_hands.session.state.scores()] == [5, 5]
    assert open_hands.session.origin("c4") == 3
    assert open_hands.session.origin("c0") is None
    assert open_hands.session.undone() == frozenset()


def test_a_correction_that_breaks_a_later_row_names_it_and_changes_nothing(open_hands: Table) -> None:
    open_hands.play(Lay(4, TILE["RRR6"]), source="camera")
    open_hands.play(Drawn(0, (TILE["PPP6"],)), source="camera")
    open_hands.play(Lay(5, TILE["RRP5"]), source="camera")
    before = open_hands.session.state, open_hands.session.seq
    with pytest.raises(IllegalMove, match=r"LAD-2: Row 5 \(RRP5 c5\) would no longer be allowed"):
        open_hands.correct(3, Lay(0, TILE["RRR6"]), "misread", source="page")
    assert (open_hands.session.state, open_hands.session.seq) == before
    with pytest.raises(BadEvent, match="Row 9 has no move"):
        open_hands.correct(9, Lay(0, TILE["RRR6"]), "", source="page")


def test_the_camera_shows_a_move(open_hands: Table) -> None:
    after = open_hands.session.state.apply(Lay(4, TILE["RRR6"]))
    assert isinstance(open_hands.see(open_hands.session.state.layout(), 1), Same)
    verdict = open_hands.see(after.layout(), 2)
    assert isinstance(verdict, Accepted)
    assert verdict.events == (Lay(4, TILE["RRR6"]),)
    assert open_hands.session.rows()[-1].source == "camera"
    assert open_hands.session.rows()[-1].more["frame"] == 2


def test_an_illegal_move_is_refused_by_three_readings_and_put_back(journal: Journal) -> None:
    one = table(journal, draws="unseen")
    one.play(Lay(4, TILE["RRR6"]), source="page")
    wrong = showing(one.session.state, c5="BBB6")
    assert isinstance(one.see(wrong, 6), Pending)
    assert isinstance(one.see(wrong, 7), Pending)
    verdict = one.see(wrong, 8)
    assert isinstance(verdict, Refused)
    assert verdict.breaches[0].rule == "LAD-3"
    assert one.session.alert is not None
    assert (one.session.alert.verdict, one.session.alert.frame) == (verdict, 8)
    assert (one.session.rows()[-1].kind, one.session.rows()[-1].text) == ("refused", "BBB6 c5")
    number = one.session.alert.number
    one.see(wrong, 9)
    assert one.session.alert.number == number
    assert one.see(one.session.state.layout(), 10) == TakenBack(2, Lay(5, TILE["BBB6"]))
    assert one.session.alert is None


def test_three_readings_of_one_picture_are_enough(journal: Journal) -> None:
    one = table(journal, draws="unseen")
    one.play(Lay(4, TILE["RRR6"]), source="page")
    wrong = showing(one.session.state, c5="BBB6")
    assert isinstance(one.see(wrong, 1, further=[one.session.state.layout()]), Same), "one of both was wrong"
    assert isinstance(one.see(wrong, 2, further=(wrong, wrong)), Refused)


def test_the_table_agrees(journal: Journal) -> None:
    one = table(journal, draws="unseen")
    one.play(Lay(4, TILE["RRR6"]), source="page")
    wrong = showing(one.session.state, c5="BBB6")
    one.see(wrong, 1, further=(wrong, wrong))
    row = one.agree(source="page")
    assert (row.kind, row.seat, row.scores) == ("agreed", 1, (6, 6))
    assert one.session.alert is None
    assert isinstance(one.see(one.session.state.layout(), 2), Same)
    with pytest.raises(BadEvent, match="No move is open that the table could agree to"):
        one.agree(source="page")


def test_what_a_person_overrules_stays_silent_until_it_reads_differently(journal: Journal) -> None:
    one = table(journal, draws="unseen")
    one.play(Lay(4, TILE["RRR6"]), source="page")
    wrong = showing(one.session.state, c5="BBB6")
    one.see(wrong, 1, further=(wrong, wrong))
    one.misread(source="page")
    assert one.session.alert is None
    assert isinstance(one.see(wrong, 2, further=(wrong, wrong)), Same)
    right = showing(one.session.state, c5="RRP5")
    assert isinstance(one.see(right, 3), Accepted)


def test_after_an_undo_the_table_as_it_stood_is_not_taken_for_a_new_move(open_hands: Table) -> None:
    open_hands.see(showing(open_hands.session.state, c4="RRR6"), 1)
    laid = open_hands.session.state.apply(Lay(4, TILE["RRR6"])).layout()
    assert isinstance(open_hands.see(laid, 2), Accepted)
    open_hands.undo(2, "not meant", source="page")
    assert isinstance(open_hands.see(laid, 3), Same)
    assert isinstance(open_hands.see(open_hands.session.state.layout(), 4), Same)
    assert isinstance(open_hands.see(laid, 5), Accepted)


def test_a_table_that_nothing_explains_is_out_of_step_until_it_agrees(open_hands: Table) -> None:
    mess = showing(open_hands.session.state, c1="RRR6", c3="BBB6", c7="RRP5")
    verdict = [open_hands.see(mess, frame) for frame in range(1, 4)][-1]
    assert isinstance(verdict, Desynchronized)
    assert {difference.spot for difference in verdict.differences} >= {"c1", "c3", "c7"}
    assert open_hands.session.seq == 2
    for frame in range(4, 7):
        open_hands.see(open_hands.session.state.layout(), frame)
    assert open_hands.session.alert is None


def unsure(state: Any, cell: str, *candidates: tuple[str, float]) -> Layout:
    """What a reader sees that cannot tell two tiles apart."""
    layout = state.layout()
    sighting = ranked(*((TILE[name], probability) for name, probability in candidates), (None, 0.0))
    return Layout({**layout.cells, cell: sighting}, layout.heaps)


@pytest.fixture
def asked(journal: Journal) -> Table:
    """A table that shows one of two tiles beside RRR6, and asks which."""
    one = table(journal, draws="unseen")
    one.play(Lay(4, TILE["RRR6"]), source="page")
    for frame in range(LOOKS):
        one.see(unsure(one.session.state, "c5", ("RRY5", 0.5), ("RRP5", 0.49)), frame)
    return one


def test_a_question_is_asked_once_and_answered(asked: Table) -> None:
    assert asked.session.alert is not None and isinstance(asked.session.alert.verdict, Unclear)
    choices = asked.session.alert.verdict.choices
    assert [choice.text for choice in choices] == ["RRY5 c5", "RRP5 c5"]
    assert (asked.session.rows()[-1].kind, asked.session.rows()[-1].text) == ("asked", "RRY5 c5 or RRP5 c5")
    with pytest.raises(BadEvent, match="answers 0 to 1, not 2"):
        asked.answer(2, source="page")
    row = asked.answer(1, source="page", expected=2)
    assert (row.kind, row.text, row.source) == ("move", "RRP5 c5", "page")
    assert row.more["asked"] == ["RRY5 c5", "RRP5 c5"]
    assert asked.session.alert is None
    with pytest.raises(BadEvent, match="No question"):
        asked.answer(0, source="page")


def test_the_reading_that_was_asked_about_is_silent_after_the_answer(asked: Table) -> None:
    before = asked.session.state
    asked.answer(1, source="page")
    again = unsure(before, "c5", ("RRY5", 0.8), ("RRP5", 0.1))
    assert isinstance(asked.see(again, LOOKS), Same)
    assert asked.session.seq == 3


def test_answering_that_the_illegal_one_happened_refuses_it(journal: Journal) -> None:
    one = table(journal, draws="unseen")
    one.play(Lay(4, TILE["RRR6"]), source="page")
    for frame in range(LOOKS):
        one.see(unsure(one.session.state, "c5", ("GGG6", 0.9), ("RRP5", 0.1)), frame)
    assert one.session.alert is not None and isinstance(one.session.alert.verdict, Unclear)
    illegal = next(i for i, choice in enumerate(one.session.alert.verdict.choices) if choice.breaches)
    row = one.answer(illegal, source="page")
    assert row.kind == "refused"
    assert isinstance(one.session.alert.verdict, Refused)
    assert one.agree(source="page").kind == "agreed"


def test_an_illegal_move_after_a_legal_draw_is_agreed_to_with_the_draw(journal: Journal) -> None:
    start = dealt("RRR6", "BBB6 RRP5", cells="- - - - YYY6", turn=1)
    one = table(journal, position=msgspec.to_builtins(start))
    shown = start.apply(Drawn(0, (TILE["GGG6"],))).apply_unchecked(Lay(5, TILE["BBB6"])).layout()
    one.see(shown, 1)
    one.see(shown, 2)
    verdict = one.see(shown, 3)
    assert isinstance(verdict, Refused)
    assert verdict.before == (Drawn(0, (TILE["GGG6"],)),)
    one.agree(source="page")
    assert [row.kind for row in one.session.rows()] == ["refused", "chance", "agreed"]
    assert isinstance(one.see(one.session.state.layout(), 4), Same)


def test_a_refusal_that_glare_interrupts_is_noted_once(journal: Journal) -> None:
    one = table(journal, draws="unseen")
    one.play(Lay(4, TILE["RRR6"]), source="page")
    wrong = showing(one.session.state, c5="BBB6")
    for frame in range(LOOKS):
        one.see(wrong, frame)
    one.see(unsure(one.session.state, "c5", ("BBB6", 0.5)), 3)
    for frame in range(4, 4 + LOOKS):
        one.see(wrong, frame)
    assert [row.kind for row in one.session.rows()] == ["move", "refused"]
    again = Table(LADDER, one.session.header, journal)
    for frame in range(LOOKS):
        again.see(wrong, frame)
    assert [row.kind for row in again.session.rows()] == ["move", "refused"]
    assert again.see(again.session.state.layout(), 8) == TakenBack(2, Lay(5, TILE["BBB6"]))


def test_moves_taken_back_are_asked_about_and_not_undone(journal: Journal) -> None:
    one = table(journal, draws="unseen")
    one.play(Lay(4, TILE["RRR6"]), source="page")
    one.play(Lay(5, TILE["RRP5"]), source="page")
    assert one.see(one.session.state_at(1).layout(), 1) == TakenBack(1)
    assert one.session.seq == 2
    assert one.session.alert is not None and one.session.alert.verdict == TakenBack(1)
    one.undo(1, "taken back", source="page")
    assert isinstance(one.see(one.session.state_at(1).layout(), 2), Same)


def test_a_tile_in_the_air_is_pending_and_does_not_hold_the_next_picture_up(open_hands: Table) -> None:
    layout = open_hands.session.state.layout()
    lifted = Layout(layout.cells, {**layout.heaps, "seat0.hand": (Detection.sure(TILE["RRY5"]),)})
    assert isinstance(open_hands.see(lifted, 1), Pending)
    assert open_hands.session.alert is not None
    assert isinstance(open_hands.see(open_hands.session.state.apply(Lay(4, TILE["RRR6"])).layout(), 2), Accepted)
    assert open_hands.session.alert is None


def test_out_of_step_does_not_give_way_to_a_table_that_one_legal_move_explains(open_hands: Table) -> None:
    for frame in range(1, 4):
        open_hands.see(showing(open_hands.session.state, c1="RRR6", c7="BBB6"), frame)
    assert open_hands.session.alert is not None and isinstance(open_hands.session.alert.verdict, Desynchronized)
    moved = open_hands.session.state.apply(Lay(4, TILE["RRR6"])).layout()
    assert [type(open_hands.see(moved, frame)) for frame in range(4, 7)] == [Pending, Pending, Desynchronized]
    assert open_hands.session.seq == 2
    open_hands.play(Lay(4, TILE["RRR6"]), source="page")
    assert open_hands.session.alert is None, "the move was told, and the table shows it"


def test_after_the_end_the_table_may_be_cleared(journal: Journal) -> None:
    full = dealt("RRR6", "BBB6", cells="RRR6 RRY5 RRP5 BBR5 BBP5 GGR5 GGB5 YYG5 YYY6")
    one = table(journal, position=msgspec.to_builtins(full))
    one.see(Layout({f"c{i}": Detection.sure(None) for i in range(9)}), 1)
    assert one.session.alert is None
    assert one.session.seq == 0


def test_eyes_are_asked_for_further_looks(journal: Journal) -> None:
    asked: list[int] = []
    one = Table(LADDER, journal.begin(header(draws="unseen")), journal, look_again=lambda: asked.append(1))
    one.play(Lay(4, TILE["RRR6"]), source="page")
    asked.clear()
    one.see(showing(one.session.state, c5="BBB6"), 1)
    assert asked == [1]
    one.see(showing(one.session.state, c5="BBB6"), 2)
    assert asked == [1, 1]
    one.see(showing(one.session.state, c5="BBB6"), 3)
    assert asked == [1, 1], "three are enough"


def test_eyes_are_told_when_a_whole_reading_shows_the_position(journal: Journal) -> None:
    told: list[int] = []
    one = Table(LADDER, journal.begin(header(draws="unseen")), journal, settled=lambda _: told.append(one.session.seq))
    one.see(one.session.state.layout(), 1)
    assert told == [0]
    one.see(showing(one.session.state, c4="RRR6"), 2)
    assert told == [0, 1], "the move was taken, so position and table agree again"
    one.see(showing(one.session.state, c4=None), 3)
    assert told == [0, 1], "a tile is in a hand"
    one.see(showing(one.session.state, c8="BBB6"), 4)
    assert told == [0, 1], "what lies there is not settled"


def test_eyes_are_told_which_dice_lie_there_though_a_roll_is_due(journal: Journal) -> None:
    told: list[int] = []
    due = after(short_spectrum.table("red.3 | blue.4", "red blue"), short_spectrum.go("red.3", "red.5"))
    begun = replace(header(position=timeline.written(due)), game="spectrum", rules=SPECTRUM.rules)
    one = Table(SPECTRUM, journal.begin(begun), journal, settled=lambda _: told.append(one.session.seq))

    def look(state: SpectrumState, frame: int) -> None:
        layout = state.layout()
        one.see(Layout(layout.cells, {"dice": layout.heaps["dice"]}), frame)

    look(due, 1)
    assert told == [0], "the dice of the first picture lie there from before"
    look(due, 2)
    assert told == [0], "the same dice may have been rolled and have fallen as they lay"
    gone_on = after(due, short_spectrum.rolled("green blue"), short_spectrum.go("blue.4", "blue.6", seat=1))
    look(gone_on, 3)
    assert told == [0, 2], "the picture shows the roll and what was played with it, and the next roll is due"


def test_without_the_rules_as_prior_every_reading_is_believed(journal: Journal) -> None:
    one = Table(LADDER, journal.begin(header(draws="unseen")), journal, judge=match_without_prior)
    doubtful = unsure(one.session.state, "c4", ("RRR6", 0.51), ("RRY5", 0.48))
    assert isinstance(one.see(doubtful, 1), Accepted)


def test_legal_moves_are_listed_once_a_position(open_hands: Table) -> None:
    moves = open_hands.session.legal()
    assert moves == tuple(open_hands.session.state.legal_moves())
    assert open_hands.session.legal() is moves
    open_hands.play(moves[0], source="page")
    assert open_hands.session.legal() == ()


def test_any_position_can_be_set_up(open_hands: Table) -> None:
    wanted = dealt("RRR6 RRY5", "BBB6 RRP5", cells="- - BBR5", turn=1)
    row = open_hands.set_position(msgspec.to_builtins(wanted), "the cat", source="page")
    assert row.kind == "position"
    assert open_hands.session.state == wanted
    assert open_hands.session.origin("c2") == row.n


def test_unseen_draws_never_hold_the_game_up(journal: Journal) -> None:
    one = table(journal, draws="unseen")
    assert isinstance(one.session.state.expects(), ToMove)
    one.play(Lay(4, TILE["RRR6"]), source="page")
    assert one.session.state.expects() == ToMove((1,))
    assert table(journal).session.state.expects() == ToDraw(1, 2, "bag", True)


def test_a_journal_that_cannot_be_written_leaves_the_table_as_it_was(open_hands: Table, journal: Journal) -> None:
    before = open_hands.session.state, open_hands.session.seq, open_hands.session.version
    journal.close()
    with pytest.raises(JournalError, match="closed"):
        open_hands.play(Lay(4, TILE["RRR6"]), source="page")
    assert (open_hands.session.state, open_hands.session.seq, open_hands.session.version) == before


def test_a_table_continues_from_its_journal(open_hands: Table, journal: Journal) -> None:
    open_hands.play(Lay(4, TILE["RRR6"]), source="page")
    open_hands.undo(2, "", source="page")
    again = Table(LADDER, open_hands.session.header, journal)
    assert (again.session.state, again.session.seq, again.session.undone()) == (open_hands.session.state, 4, {3})
    assert again.session.rows() == open_hands.session.rows()


def test_waiting_ends_with_the_next_change(open_hands: Table) -> None:
    version = open_hands.session.version
    found = []
    waiter = threading.Thread(target=lambda: found.append(open_hands.session.wait(version, 5.0)))
    waiter.start()
    open_hands.play(Lay(4, TILE["RRR6"]), source="page")
    waiter.join(5.0)
    assert found and found[0] > version
    assert open_hands.session.wait(open_hands.session.version, 0.01) == open_hands.session.version
