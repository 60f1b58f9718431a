"""`/api/hint`: off by default, noted before it is told, and by what the asking seat may know alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.contract import Drawn, Move, Seat, State, ToDraw, ToMove
from companion.core.game import Game
from companion.core.pieces import TILES
from companion.core.plan import Mat, Plan
from companion.games import GAMES
from companion.referee.journal import Journal
from companion.referee.players import NoHint
from companion.referee.players.player import mover, moves_of
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.web.card_stories import NAMES, PRIVATE, after, story, twins
from tests.web.conftest import Browser
from web.admission.access import Access
from web.app import create_app
from web.boards import PRESENTERS


class FirstMove:
    """Advises the first legal move, and remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, Seat]] = []
        self.fault: NoHint | None = None
        self.meanwhile: Any = lambda: None

    def advise(self, game: Game[Any], state: State, seat: Seat) -> Move:
        self.told.append((state, seat))
        self.meanwhile()
        if self.fault is not None:
            raise self.fault
        return moves_of(state, seat)[0]


class House:
    """A session manager, its coach, and browsers."""

    def __init__(self, folder: Path) -> None:
        self.journal = Journal.open(folder / "journal.sqlite")
        self.sessions = SessionManager(self.journal, GAMES, Plan(Mat(440, 400, 40)))
        self.coach = FirstMove()
        self.access = Access()
        self.app = create_app(self.sessions, access=self.access, coach=self.coach)

    def browser(self, seat: int | None = None, number: int = 20) -> Browser:
        browser = Browser(self.app, self.access.token("table"), f"192.168.1.{number}")
        if seat is not None:
            assert browser.post("/api/door/seat", {"seat": seat}).status_code == 200
        return browser


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.journal.close()


def begun(house: House) -> Table:
    return house.sessions.start("regenbogen", ["Ann", "Ben"], {})


def allow(browser: Browser, table: Table) -> None:
    assert browser.post("/api/hint/allow", {"expected": table.session.seq, "allow": True}).status_code == 200


def test_hints_are_off_until_the_table_allows_them(house: House) -> None:
    table, phone = begun(house), house.browser()
    assert phone.get("/api/table").json["hints"] is False
    refused = phone.post("/api/hint", {"expected": 0})
    assert refused.status_code >= 400 and "not allowed" in refused.json["error"]
    assert house.coach.told == [] and table.session.rows() == ()
    answer = phone.post("/api/hint/allow", {"expected": 0, "allow": True}).json
    assert answer["allow"] and answer["row"]["sentence"] == "Hints are allowed."
    assert phone.get("/api/table").json["hints"] is True


def test_a_hint_is_a_legal_move_in_words_and_as_a_picture_and_in_the_record(house: House) -> None:
    table, phone = begun(house), house.browser()
    allow(phone, table)
    found = phone.post("/api/hint", {"expected": 1}).json
    assert table.session.state.violations(table.session.game.event(found["event"])) == ()
    assert found["sentence"].startswith("moves ") and found["board"][0] == "svg"
    assert (found["seat"], found["seq"]) == (0, 2)
    assert table.session.rows()[-1].kind == "hint"
    history = phone.get("/api/journal/rows").json["rows"]
    assert history[-1]["sentence"] == "Ann is shown a good move."
    assert phone.post("/api/table/play", {"expected": found["seq"], "event": found["event"]}).status_code == 200


def test_a_hint_for_a_table_that_has_moved_on_is_not_told(house: House) -> None:
    table, phone = begun(house), house.browser()
    allow(phone, table)
    house.coach.meanwhile = lambda: table.play(
        table.session.game.parse(table.session.state, "white moves b2 to b4"), source="camera"
    )
    late = phone.post("/api/hint", {"expected": 1})
    assert late.status_code == 409 and "event" not in late.json


def test_nothing_is_noted_where_nothing_was_found(house: House) -> None:
    table, phone = begun(house), house.browser()
    allow(phone, table)
    house.coach.fault = NoHint("Nothing came to mind.")
    assert phone.post("/api/hint", {"expected": 1}).status_code == 503
    assert table.session.seq == 1


def test_only_the_table_may_ask(house: House) -> None:
    begun(house)
    stranger = Browser(house.app)
    assert stranger.post("/api/hint", {"expected": 0}).status_code == 401
    assert stranger.post("/api/hint/allow", {"expected": 0, "allow": True}).status_code == 401


def brought_to_a_move(table: Table) -> Seat:
    """Chance as it may fall, until somebody is to move; who that is."""
    rng = Random(3)
    while not isinstance(table.session.state.expects(), ToMove):
        table.play(table.session.game.sample(table.session.state, rng), source="page")
    return mover(table.session.state, rng)


def test_no_hint_where_no_move_is_due(house: House) -> None:
    table, phone = house.sessions.start("escape", ["Ann", "Ben"], {}), house.browser()
    allow(phone, table)
    assert "No move is due" in phone.post("/api/hint", {"expected": 1}).json["error"]
    assert house.coach.told == []


def test_no_hint_where_nobody_said_what_a_player_holds(house: House) -> None:
    table = house.sessions.start("spectrangle", ["Ann", "Ben"], {"hands": "unseen"}, draws="unseen")
    phone = house.browser()
    while not isinstance(due := table.session.state.expects(), ToMove):
        assert isinstance(due, ToDraw)
        table.play(Drawn(due.seat, tuple(TILES[at] for at in range(due.count))), source="page")
    allow(phone, table)
    assert "holds" in phone.post("/api/hint", {"expected": table.session.seq}).json["error"]
    assert house.coach.told == []


@pytest.mark.parametrize("name", PRESENTERS)
def test_every_game_with_a_page_shows_hints(house: House, name: str) -> None:
    game = GAMES[name]
    table = house.sessions.start(name, NAMES[: 2 if 2 in game.seats else game.seats[0]], {})
    seat = brought_to_a_move(table)
    phone = house.browser(seat)
    allow(phone, table)
    answer = phone.post("/api/hint", {"expected": table.session.seq})
    assert answer.status_code == 200, answer.json
    found = answer.json
    assert found["seat"] == seat and found["sentence"] and found["board"][0] == "svg"
    assert table.session.state.violations(game.event(found["event"])) == ()


@pytest.mark.parametrize(("game", "seats", "options"), PRIVATE)
def test_a_hint_rests_on_what_its_seat_may_know(tmp_path: Path, game: str, seats: int, options: dict[str, Any]) -> None:
    """Games that differ in what the asker must not know ask the coach the very same question."""
    events = story(game, seats, options, 1, 2)
    due = after(game, seats, options, events).expects()
    assert isinstance(due, ToMove)
    viewer = due.seats[0]
    asked = []
    for number, told in enumerate([events, *twins(game, seats, options, events, viewer)]):
        (tmp_path / str(number)).mkdir()
        house = House(tmp_path / str(number))
        table = house.sessions.start(game, NAMES[:seats], options)
        for event in told:
            table.play(event, source="page")
        phone = house.browser(viewer)
        allow(phone, table)
        answer = phone.post("/api/hint", {"expected": table.session.seq})
        assert answer.status_code == 200, answer.json
        asked.append((answer.json, house.coach.told))
        house.journal.close()
    assert len(asked) > 1 and all(one == asked[0] for one in asked)


@pytest.mark.parametrize(("game", "seats", "options"), PRIVATE)
def test_nobody_but_a_seat_that_is_to_move_gets_a_hint_where_cards_are_hidden(
    house: House, game: str, seats: int, options: dict[str, Any]
) -> None:
    table = house.sessions.start(game, NAMES[:seats], options)
    for event in story(game, seats, options, 1, 2):
        table.play(event, source="page")
    due = table.session.state.expects()
    assert isinstance(due, ToMove)
    nobody = house.browser()
    allow(nobody, table)
    waiting = [seat for seat in range(seats) if seat not in due.seats]
    for browser in (nobody, *(house.browser(seat, seat) for seat in waiting)):
        refused = browser.post("/api/hint", {"expected": table.session.seq})
        assert refused.status_code >= 400 and "who is to move" in refused.json["error"]
    assert house.coach.told == []
