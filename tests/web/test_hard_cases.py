"""What once brought the page down, kept so that it does not again."""

from __future__ import annotations

import time
from typing import Any

import pytest

from companion.referee.session_manager import SessionManager
from tests.web.conftest import Browser
from web.scene.chart import chart
from web.scene.signs import signs

MAT = {"width_mm": 400.0, "height_mm": 300.0, "marker_mm": 40.0}


def test_a_dice_tray_without_an_outline_is_a_plan(sessions: SessionManager, host: Browser) -> None:
    zone = {"type": "dice-tray", "spot": "dice", "outline_mm": None}
    assert host.post("/api/plan", json={"mat": MAT, "zones": [zone]}).status_code == 200


@pytest.mark.parametrize("heading", [1e308, -1e9])
def test_a_plan_of_numbers_that_no_table_has_is_refused(
    sessions: SessionManager, host: Browser, heading: float
) -> None:
    zone = {"type": "pawn-board", "red_heading_deg": heading}
    answer = host.post("/api/plan", json={"mat": MAT, "zones": [zone]})
    assert answer.status_code == 400 and "plain numbers" in answer.get_json()["error"]


def test_no_bid_is_offered_where_none_is_higher(sessions: SessionManager, host: Browser) -> None:
    options: dict[str, Any] = {}
    table = sessions.start("spectrump", ["Ada", "Ben"], options)
    while not table.session.state.legal_moves() or type(table.session.state.legal_moves()[0]).__name__ not in (
        "Bid",
        "Pass",
    ):
        due = table.session.state.expects()
        table.play(
            type(next(iter(table.session.game.outcomes(table.session.state)))[0])(due.seat, (None,) * due.count),
            source="page",
        )
    bids = [move for move in table.session.state.legal_moves() if type(move).__name__ == "Bid"]
    highest = max(
        bids, key=lambda bid: (bid.number, bid.color in ("red", "orange", "yellow", "green", "blue", "purple"))
    )
    table.play(highest, source="page")
    answer = host.get("/api/advice")
    assert answer.status_code == 200


@pytest.mark.parametrize("game", ["spectra", "spectrum", "spectrump", "casino"])
@pytest.mark.parametrize("about", ["²", "٣", "99999999999999999999", "² red.4", "-1", ""])
def test_what_is_asked_about_may_be_any_text(sessions: SessionManager, host: Browser, game: str, about: str) -> None:
    sessions.start(game, ["Ada", "Ben"], {})
    assert host.get("/api/advice", query_string={"about": about}).status_code in (200, 400)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("player 3 takes discards down to ,", "is no card of the deck"),
        ("player 1 discards ,", "is no card of the deck"),
        ("player 1 melds , ,", "names no number card"),
    ],
)
def test_a_line_that_names_no_card_is_refused(sessions: SessionManager, host: Browser, line: str, why: str) -> None:
    table = sessions.start("five-hundred", ["Ada", "Ben", "Cyd"], {})
    answer = host.post("/api/table/play", json={"expected": table.session.seq, "text": line})
    assert answer.status_code == 422 and why in answer.get_json()["error"]


def test_a_chart_of_scores_beyond_all_bounds_is_drawn_at_once() -> None:
    begun = time.monotonic()
    for top in (0, 7, 121, 999, 10**6, 10**12, 10**18):
        shape = chart(("Ada", "Ben"), signs((0, 1)), [(0, (0, 0)), (1, (top, -3))])
        assert str(shape).count("grid") < 20
    assert time.monotonic() - begun < 1.0
