"""Whatever is asked over HTTP, and whoever asks it: the answer does not depend on cards that the asker must not know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.core.contract import Event
from companion.core.foundation.errors import BadNotation
from companion.core.plan import Mat, Plan
from companion.games import GAMES
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.web.card_stories import NAMES, PRIVATE, elsewhere, story, twins
from tests.web.conftest import Browser
from web.admission.access import Access
from web.app import create_app
from web.pages.stream import Live

IDS = [f"{game} for {seats}" for game, seats, _ in PRIVATE]


class Shown:
    """A told game and its page, as somebody sees it."""

    def __init__(self, folder: Path, game: str, seats: int, options: dict[str, Any], events: list[Event]) -> None:
        folder.mkdir()
        self.journal = Journal.open(folder / "j.journal")
        self.sessions = SessionManager(self.journal, GAMES, Plan(Mat(440, 400, 40)), clock=lambda: 1_700_000_000.0)
        self.table: Table = self.sessions.start(game, NAMES[:seats], options)
        for event in events:
            self.table.play(event, source="page")
        self.access = Access()
        self.app: Flask = create_app(self.sessions, access=self.access)

    def browser(self, viewer: int | None, role: Any = "table") -> Browser:
        """A phone that has joined; at a seat, or nobody's."""
        browser = Browser(self.app, self.access.token(role), f"192.168.1.{viewer}")
        if viewer is not None:
            assert browser.post("/api/door/seat", {"seat": viewer}).status_code == 200
        return browser


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Any]:
    made: list[Shown] = []

    def make(game: str, seats: int, options: dict[str, Any], *stories: list[Event]) -> list[Shown]:
        for events in stories:
            made.append(Shown(tmp_path / str(len(made)), game, seats, options, events))
        return made[-len(stories) :]

    yield make
    for shown in made:
        shown.journal.close()


def questions(table: Table, codes: Sequence[str]) -> Iterator[str]:
    """Every address that can be read, with questions about some cards."""
    known = verbs(table)
    yield from ("/", "/screen", "/sheet", "/api/table", "/api/advice", "/api/journal/rows", "/api/journal/chart")
    yield from (f"/api/journal/board/{n}" for n in range(table.session.seq + 1))
    yield from ("/api/journal/export/sheet", "/api/journal/export/csv", "/api/journal/export/jsonl")
    yield from ("/api/table/pieces?unseen=1", "/api/table/moves", "/api/table/why?spot=board")
    yield from ("/api/table/correction?spot=seat1.hand&piece=R1", "/api/door", "/api/saved")
    for seat in range(len(table.session.names)):
        for verb in ("plays", "puts", "discards", "lays away", "exchanges", "draws", "shows"):
            for code in codes if verb in known else codes[:1]:
                yield f"/api/advice/verdict?text=player {seat + 1} {verb} {code}"
        yield f"/api/advice/verdict?text=player {seat + 1} says go"
        yield f"/api/advice/verdict?text=player {seat + 1} cannot play"
        yield f"/api/advice/verdict?text=player {seat + 1} turns up"


def verbs(table: Table) -> set[str]:
    """The words for what is done with a card that the game knows; all others are no event, whatever the card."""
    found = set()
    for verb in ("plays", "puts", "discards", "lays away", "exchanges", "draws", "shows"):
        for seat in range(len(table.session.names)):
            with suppress(BadNotation):
                table.session.game.parse(table.session.state, f"player {seat + 1} {verb} R1")
                found.add(verb)
    return found


def told(shown: Shown, viewer: int | None, browser: Browser) -> bytes:
    """What a stream sends from the first row on."""
    cookie = browser.flask.get_cookie("companion_seat", domain="localhost")
    live = Live(shown.app.extensions["live"]._view, shown.app.extensions["live"]._settings)
    live.enter()
    sent = live.events(shown.table.session.header.id, 0, None if cookie is None else cookie.value)
    found = b"".join(islice(sent, 1 + 1 + shown.table.session.seq + 2))
    live.leave()
    live.close()
    return found


@pytest.mark.parametrize(("game", "seats", "options"), PRIVATE, ids=IDS)
@pytest.mark.parametrize("moves", [pytest.param(1, marks=pytest.mark.sweep), 7])
def test_nothing_that_is_read_depends_on_what_is_hidden(
    pair: Any, game: str, seats: int, options: dict[str, Any], moves: int
) -> None:
    events = story(game, seats, options, 3, moves)
    compared = 0
    for viewer in (None, 0, seats - 1):
        for twin in twins(game, seats, options, events, viewer, most=1):
            one, other = pair(game, seats, options, events, twin)
            assert one.table.session.state != other.table.session.state
            asking = [(shown, shown.browser(viewer)) for shown in (one, other)]
            for path in questions(one.table, ("R1", *elsewhere(events, twin))):
                answers = [browser.get(path) for _, browser in asking]
                assert answers[0].status_code == answers[1].status_code, path
                assert answers[0].data == answers[1].data, f"{path} tells seat {viewer} of {game} what it must not know"
            streams = [told(shown, viewer, browser) for shown, browser in asking]
            assert streams[0] == streams[1] and streams[0].count(b"event: row") == one.table.session.seq
            compared += 1
    assert compared >= 2


@pytest.mark.parametrize(("game", "seats", "options"), PRIVATE, ids=IDS)
def test_nothing_that_is_refused_depends_on_what_is_hidden(
    pair: Any, game: str, seats: int, options: dict[str, Any]
) -> None:
    events = story(game, seats, options, 5, 3)
    compared = 0
    for viewer in (None, 0):
        for twin in twins(game, seats, options, events, viewer, most=1):
            one, other = pair(game, seats, options, events, twin)
            asking = [shown.browser(viewer) for shown in (one, other)]
            known = verbs(one.table)
            for seat in range(seats):
                for verb in ("plays", "puts", "discards", "lays away", "exchanges", "shows"):
                    for code in ("R1", *elsewhere(events, twin)) if verb in known else ("R1",):
                        body = {"expected": one.table.session.seq, "text": f"player {seat + 1} {verb} {code}"}
                        answers = [browser.post("/api/table/play", body) for browser in asking]
                        if answers[0].status_code == 200:
                            assert viewer == seat, body
                            assert one.table.session.game.view(
                                one.table.session.state, viewer
                            ) == other.table.session.game.view(other.table.session.state, viewer)
                            for shown in (one, other):
                                shown.table.undo(len(events), "", source="page")
                            continue
                        assert answers[0].status_code == answers[1].status_code, body
                        assert answers[0].data == answers[1].data, body
            compared += 1
    assert compared


@pytest.mark.parametrize(("game", "seats", "options"), PRIVATE, ids=IDS)
def test_a_hidden_hand_is_told_by_its_own_browser_alone(
    pair: Any, game: str, seats: int, options: dict[str, Any]
) -> None:
    (shown,) = pair(game, seats, options, story(game, seats, options, 3, 1))
    due = shown.table.session.state.expects()
    seat = due.seats[0]
    move = shown.table.session.game.text(shown.table.session.state.legal_moves()[0])
    for viewer in (None, (seat + 1) % seats):
        browser = shown.browser(viewer)
        body = {"expected": shown.table.session.seq, "text": move}
        answer = browser.post("/api/table/play", body)
        assert answer.status_code == 403 and f"{NAMES[seat]}'s cards are hidden" in answer.json["error"]
        assert shown.browser(None, "host").post("/api/table/play", body).status_code == 403
    own = shown.browser(seat)
    assert own.post("/api/table/play", {"expected": shown.table.session.seq, "text": move}).status_code == 200


def test_what_others_told_is_no_reason_that_is_named(pair: Any) -> None:
    """Ann has told her hand; Ben, whose hand nobody knows, names one of her cards as his."""
    game = GAMES["casino"]
    state = game.start(2, game.Options())
    events: list[Event] = []
    for line in (
        "player 2 draws R1", "player 2 draws G2, G5, B7, P9, OY11", "player 1 draws R3, R4, R5, R6, R7, R8",
        "player 2 draws ??, ??, ??, ??, ??, ??", "player 1 puts R3",
    ):  # fmt: skip
        event = game.parse(state, line)
        state = state.apply_unchecked(event) if line.endswith("puts R3") else state.apply(event)
        events.append(event)
    (shown,) = pair("casino", 2, {"free_discard": True}, events)
    ben = shown.browser(1)
    answer = ben.post("/api/table/play", {"expected": shown.table.session.seq, "text": "player 2 puts R4"})
    assert answer.status_code == 409 and "R4" not in answer.text and "contradicts" in answer.json["error"]
    wrong = ben.post(
        "/api/table/correct",
        {"expected": shown.table.session.seq, "n": 4, "event": {"type": "drawn", "seat": 1, "pieces": "R4"}},
    )
    assert wrong.status_code == 409 and "Row 4 cannot have been that" in wrong.json["error"]
    ann = ben.post(
        "/api/table/correct",
        {"expected": shown.table.session.seq, "n": 3, "event": {"type": "drawn", "seat": 0, "pieces": "R4"}},
    )
    assert ann.status_code == 403
    fine = ben.post("/api/table/play", {"expected": shown.table.session.seq, "text": "player 2 puts R12"})
    assert fine.status_code == 200 and fine.json["row"]["text"] == "player 2 puts R12"
