"""A game that begins with a doubt is refereed; the doubt is settled with two taps, a false row by the proposed one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import Piece, Pyramid
from companion.core.verdict import Accepted, Unclear
from companion.referee.table.table import Table
from tests.browser.conftest import House, Pictures
from tests.companion.games.spectra.short_spectra import piece
from web.admission.security import ROUTES

POSITION = {
    "trees": [["red large"], ["purple large"]],
    "supplies": [["yellow medium", "blue medium", "red small"], []],
    "turn": 0,
    "drawn": False,
}


def at(place: str, what: Piece, sure: float = 1.0, *others: tuple[Piece, float]) -> Detection:
    return Detection((Candidate(what, sure), *[Candidate(one, share) for one, share in others]), place)


DOUBTED = at("p2", piece("BM"), 0.7, (piece("BS"), 0.25))
YELLOW, RED = at("p1", piece("YM")), at("p3", piece("RS"))


def begin(house: House) -> Table:
    table = house.sessions.start("spectra", ("Ada", "Ben"), {"colors": "red,purple"}, position=POSITION, begun=True)
    look(table, YELLOW, DOUBTED, RED, frame=1)
    return table


def look(table: Table, *supply: Detection, frame: int) -> object:
    layout = Layout(heaps={**table.session.state.layout().heaps, "seat0.supply": supply})
    return table.see(layout, frame, further=(layout, layout))


def test_refereeing_goes_on_beside_a_doubt_that_two_taps_settle(
    house: House, table_page: Callable[..., Any], pictures: Pictures
) -> None:
    table = begin(house)
    page = table_page()
    page.wait_for_selector("#doubts:not([hidden])")
    assert "Is this a blue medium?" in page.inner_text("#doubts summary")
    assert page.is_hidden("#alert")
    orange = at("p9", Pyramid("orange", "small"))
    assert isinstance(look(table, YELLOW, DOUBTED, RED, orange, frame=2), Accepted)
    page.wait_for_selector("#history .row")
    rows = table.session.seq
    page.click("#doubts summary")
    pictures(page, "doubt")
    page.click("#doubts .answers button:has-text('blue small')")
    page.wait_for_selector("#doubts[hidden]", state="attached")
    assert table.session.seq == rows + 1
    assert table.session.rows()[-1].kind == "reread"
    assert Pyramid("blue", "small") in [one.piece for one in table.session.state.layout().heaps["seat0.supply"]]


def test_what_a_doubted_piece_is_held_for_is_confirmed_without_a_row(
    house: House, table_page: Callable[..., Any]
) -> None:
    table = begin(house)
    page = table_page()
    page.click("#doubts summary")
    page.click("#doubts .answers button.primary")
    page.wait_for_selector("#doubts[hidden]", state="attached")
    assert table.session.seq == 0
    assert table.doubts == ()


def test_a_false_reading_that_became_a_row_is_corrected_by_the_proposed_row(
    house: House, table_page: Callable[..., Any]
) -> None:
    """A drawn small is read as a medium and becomes a row; when it is exchanged as a small, the row is proposed."""
    table = house.sessions.start("spectra", ("Ada", "Ben"), {"colors": "red,purple"}, position=POSITION)
    rest = (YELLOW, at("p2", piece("BM")), RED)
    look(table, *rest, frame=1)
    drawn = at("p4", piece("BM"), 0.8, (piece("BS"), 0.15))
    assert isinstance(look(table, *rest, drawn, frame=2), Accepted)
    page = table_page()
    page.wait_for_selector("#history .row")
    verdict = look(table, *rest[:2], at("p9", piece("PS")), frame=3)
    assert isinstance(verdict, Unclear)
    page.wait_for_selector("#alert.unclear")
    assert "blue small" in page.inner_text("#alert")
    page.click('[data-key="choice-0"]')
    page.wait_for_selector("#alert[hidden]", state="attached")
    assert [row.kind for row in table.session.rows()] == ["chance", "asked", "reread", "move"]
    page.wait_for_function("() => document.getElementById('history').textContent.includes('blue small')")


def test_settling_a_doubt_changes_the_game() -> None:
    assert ROUTES["table.doubt"] == "control"
