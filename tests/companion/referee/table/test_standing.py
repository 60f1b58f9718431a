"""An illegal move that is left on the table: it stands where the rules say so, and is waited for where they do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.core.contract import Drawn
from companion.core.layout import Detection, Layout
from companion.core.pieces import Pyramid
from companion.core.plan import Mat, Plan
from companion.core.verdict import Accepted, Desynchronized, Pending, Refused, Same, TakenBack
from companion.games import GAMES
from companion.games.spectra.moves import Add, EndTurn, Exchange
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table

GIVEN = (Pyramid("green", "medium"), Pyramid("white", "small"))
WRONG = Exchange(0, GIVEN, Pyramid("blue", "medium"), "bag")
"""White changes only a secondary of its own size (SPA-18)."""


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return begun(tmp_path, drawn=True)


def begun(folder: Path, *, drawn: bool) -> Table:
    """A game in which the first player is to act, and has drawn or has not."""
    sessions = SessionManager(Journal.open(folder / "journal.sqlite"), GAMES, Plan(Mat(600, 400, 40)))
    position: dict[str, Any] = {
        "trees": [["red large"], ["yellow large"]],
        "supplies": [["green medium", "white small"], ["orange small"]],
        "turn": 0,
        "drawn": drawn,
    }
    return sessions.start("spectra", ("Ada", "Ben"), {"colors": "red,yellow"}, position=position)


def see(table: Table, state: Any) -> Any:
    layout = state.layout()
    return table.see(layout, 1, further=(layout, layout))


def test_spa_28_the_game_goes_on_from_a_wrong_exchange_that_was_left(table: Table) -> None:
    wrong = table.session.state.apply_unchecked(WRONG)
    assert isinstance(see(table, wrong), Refused)
    assert isinstance(see(table, wrong), Refused)
    assert [row.kind for row in table.session.rows()] == ["refused"]
    on = wrong.apply(EndTurn(0)).apply(Drawn(1, (Pyramid("purple", "small"),)))
    assert isinstance(see(table, on), Accepted)
    agreed = table.session.rows()[1]
    assert (agreed.kind, agreed.source, agreed.more["rule"]) == ("agreed", "camera", "SPA-28")
    assert table.session.state.layout().differences(on.layout()) == ()


def test_spa_28_a_wrong_exchange_that_is_put_back_never_stood(table: Table) -> None:
    before = table.session.state
    see(table, before.apply_unchecked(WRONG))
    back = see(table, before)
    assert isinstance(back, TakenBack)
    assert back.event == WRONG
    assert table.session.state == before


def test_spa_28_a_second_draw_that_was_left_stands_although_two_turns_would_explain_it(table: Table) -> None:
    second = Drawn(0, (Pyramid("white", "medium"),))
    wrong = table.session.state.apply_unchecked(second)
    assert isinstance(see(table, wrong), Refused)
    on = wrong.apply(EndTurn(0)).apply(Drawn(1, (Pyramid("orange", "medium"),)))
    verdict = see(table, on)
    assert isinstance(verdict, Accepted)
    assert verdict.events == (EndTurn(0), Drawn(1, (Pyramid("orange", "medium"),)))
    assert [row.kind for row in table.session.rows()][:2] == ["refused", "agreed"]
    assert table.session.state == on


def test_spa_28_a_tree_piece_that_returns_was_put_back_and_not_drawn_anew(tmp_path: Path) -> None:
    table = begun(tmp_path, drawn=False)
    before = table.session.state
    tree, took = Pyramid("red", "large"), Pyramid("red", "medium")
    wrong = Exchange(0, (tree, GIVEN[0]), took, "bag", (tree,))
    see(table, before.apply_unchecked(wrong))
    assert [row.kind for row in table.session.rows()] == ["refused"]
    see(table, before.apply_unchecked(Exchange(0, GIVEN[:1], took, "bag")).apply_unchecked(Add(0, took)))
    assert "agreed" not in [row.kind for row in table.session.rows()]


def test_spa_28_a_legal_move_instead_of_a_wrong_one_is_no_move_on_top_of_it(table: Table) -> None:
    before = table.session.state
    see(table, before.apply_unchecked(WRONG))
    after = before.apply(EndTurn(0)).apply(Drawn(1, (Pyramid("purple", "small"),)))
    assert isinstance(see(table, after), Accepted)
    assert table.session.state == after
    assert "agreed" not in [row.kind for row in table.session.rows()]


def test_after_a_table_that_nothing_explained_nothing_is_judged_until_it_is_as_recorded(table: Table) -> None:
    recorded = table.session.state.layout()
    wrong = table.session.state.apply_unchecked(WRONG).layout()
    chaos = tuple(Detection.sure(Pyramid("red", size)) for size in ("large", "medium", "small"))
    nothing = Layout(heaps={**wrong.heaps, "seat0.supply": chaos, "seat1.supply": chaos})
    assert [type(table.see(nothing, frame)) for frame in range(3)] == [Pending, Pending, Desynchronized]
    assert [type(table.see(wrong, frame)) for frame in range(3, 6)] == [Pending, Pending, Desynchronized]
    assert table.session.rows() == ()
    assert [type(table.see(recorded, frame)) for frame in range(6, 9)] == [Pending, Pending, Same]
    assert isinstance(table.see(wrong, 9, further=(wrong, wrong)), Refused)
