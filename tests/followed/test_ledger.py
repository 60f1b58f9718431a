"""Rows and accusations held against what happened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.contract import Drawn
from companion.core.pieces import Pyramid
from companion.core.verdict import Choice
from companion.games.spectra.game import SPECTRA
from companion.games.spectra.moves import Add, EndTurn
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.moves import Declare, Go, PlacePawn
from companion.referee.journal import Journal, timeline
from companion.referee.table.table import Table
from simulation.drawn.step import Step
from simulation.followed.ledger import Ledger
from simulation.play import header
from tests.companion.games.spectrum import short_spectrum

RED, BLUE = Pyramid("red", "small"), Pyramid("blue", "small")
COLORS = {"colors": "red,blue"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    journal = Journal.open(tmp_path / "games.journal")
    yield Table(SPECTRA, journal.begin(header("spectra", options=COLORS)), journal)
    journal.close()


def legal(state: Any, *events: Any) -> Step:
    after = state
    for event in events:
        after = after.apply(event)
    words = tuple(word for event in events if (word := SPECTRA.words(state, event)) is not None)
    return Step("legal", events, words, (), state, after, (0.0, 0.0))


def illegal(state: Any, event: Any) -> Step:
    return Step("illegal", (event,), (), state.violations(event), state, state.apply_unchecked(event), (0.0, 0.0))


def judged(ledger: Ledger, table: Table, since: int) -> Any:
    return ledger.judge(table, table.session.rows()[since:])


def test_a_row_of_what_happened_is_true_however_late_it_comes(table: Table) -> None:
    ledger, state = Ledger(SPECTRA), table.session.state
    first = legal(state, Drawn(0, (RED,)))
    assert ledger.take(first, state.layout()) == 1
    ledger.take(legal(first.after, EndTurn(0), Drawn(1, (BLUE,))), first.after.layout())
    table.play(Drawn(0, (RED,)), source="camera")
    table.play(EndTurn(0), source="camera")
    table.play(Drawn(1, (BLUE,)), source="camera")
    found = judged(ledger, table, 0)
    assert (found.true, found.invented, ledger.untold, ledger.is_told) == (2, (), 0, True)


def test_a_row_of_what_nobody_did_is_invented_and_so_is_one_that_is_told_twice(table: Table) -> None:
    ledger, state = Ledger(SPECTRA), table.session.state
    ledger.take(legal(state, Drawn(0, (RED,))), state.layout())
    table.play(Drawn(0, (RED,)), source="camera")
    table.play(Add(0, RED), source="camera")
    found = judged(ledger, table, 0)
    assert found.true == 1 and len(found.invented) == 1 and "add" in found.invented[0]


@pytest.fixture
def pawns(tmp_path: Path) -> Iterator[Table]:
    """Player 1 plays red + blue; a pawn of player 2 stands on the start of red."""
    position = timeline.written(short_spectrum.table("green.4 | red.1", "red blue"))
    journal = Journal.open(tmp_path / "pawns.journal")
    yield Table(SPECTRUM, journal.begin(header("spectrum", position=position)), journal)
    journal.close()


FOUR = "yellow.9 orange-yellow.9 | purple.9 red-orange.9"
"""Stars, of which four are taken: three dice are rolled, and the player uses two."""
CAPTURED_TWICE = (
    Go(0, "red stock", "red.1"),
    PlacePawn(0, "orange", "blue.1"),
    Go(0, "red stock", "blue.1"),
    PlacePawn(0, "orange", "yellow.1"),
)
CAPTURED_ONCE = (Go(0, "red stock", "blue.1"), Go(0, "red stock", "red.1"), PlacePawn(0, "orange", "yellow.1"))


@pytest.mark.parametrize("events", [3, 2, 1])
def test_two_ways_to_one_position_are_one(pawns: Table, events: int) -> None:
    ledger, state = Ledger(SPECTRUM), pawns.session.state
    step = legal(state, *CAPTURED_TWICE)
    ledger.take(step, state.layout())
    for event in CAPTURED_ONCE[:events]:
        pawns.play(event, source="camera")
    assert (pawns.session.state == step.after) == (events == 3)
    found = judged(ledger, pawns, 0)
    assert found.invented == ()
    assert ledger.is_told == (events == 3), "what lies out of sight is not told yet"


def test_a_way_to_another_position_is_invented(pawns: Table) -> None:
    ledger, state = Ledger(SPECTRUM), pawns.session.state
    ledger.take(legal(state, *CAPTURED_TWICE), state.layout())
    for event in (*CAPTURED_ONCE[:2], PlacePawn(0, "orange", "orange.1")):
        pawns.play(event, source="camera")
    assert len(judged(ledger, pawns, 0).invented) > 0


def test_an_illegal_move_is_named_by_its_player_and_a_rule_that_it_breaks(table: Table) -> None:
    ledger = Ledger(SPECTRA)
    table.play(Drawn(0, (RED,)), source="camera")
    state, since = table.session.state, table.session.seq
    ledger.take(illegal(state, Drawn(0, (BLUE,))), state.layout())
    for seat, rules, expected in ((0, "SPA-5", "named"), (0, "SPA-12", "misnamed"), (1, "SPA-5", "accused")):
        breach = {"breaches": [{"rule": rules, "text": "", "where": []}]}
        event = Drawn(seat, (BLUE if rules == "SPA-5" and not seat else RED,))
        with table.session.lock:
            table.session.note("refused", "told", "camera", breach, seat=seat, event=event, alert=None)
        found = judged(ledger, table, since)
        since = table.session.seq
        got = {"named": found.named, "misnamed": bool(found.misnamed), "accused": bool(found.accused)}
        assert [name for name, is_so in got.items() if is_so] == [expected]


def test_an_answer_is_true_if_all_that_it_says_has_happened(table: Table) -> None:
    ledger, state = Ledger(SPECTRA), table.session.state
    ledger.take(legal(state, Drawn(0, (RED,)), Add(0, RED)), state.layout())

    def answer(*events: Any) -> Choice:
        return Choice(events, "", (), 0.0)

    whole, part, wrong = answer(Drawn(0, (RED,)), Add(0, RED)), answer(Drawn(0, (RED,))), answer(Drawn(0, (BLUE,)))
    assert [ledger.is_true(state, one) for one in (whole, part, wrong)] == [True, True, False]
    assert ledger.untrue(state, whole) < ledger.untrue(state, part)


def test_what_a_roll_is_used_as_is_known_after_record_and_table_agree() -> None:
    state = short_spectrum.table(f"red.3 blue.3 {FOUR}", "red blue green")
    used, went = Declare(0, "red + green"), Go(0, "red.3", "red.4")
    ledger = Ledger(SPECTRUM)
    ledger.take(legal(state, used), state.layout())
    ledger.settle(whole=False)  # No picture shows the usage.
    ledger.take(legal(state.apply(used), went), state.layout())
    right, wrong = (Choice((one, went), "", (), 0.0) for one in (used, Declare(0, "red + blue")))
    assert ledger.is_true(state, right) and ledger.is_true(state, wrong)
    assert ledger.untrue(state, right) < ledger.untrue(state, wrong)
