"""Seats: one browser a seat, and only that browser is its player's."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.web.conftest import Browser
from tests.web.doubles import play
from web.admission.access import Access
from web.privacy.seats import SeatNotKept, Seats, SeatTaken


def test_a_seat_has_one_browser_at_a_time() -> None:
    seats = Seats()
    ann = seats.take("game", 0, None)
    ben = seats.take("game", 1, None)
    assert (seats.seat("game", ann), seats.seat("game", ben)) == (0, 1)
    with pytest.raises(SeatTaken):
        seats.take("game", 0, ben)
    with pytest.raises(SeatTaken):
        seats.take("game", 0, None)
    assert seats.take("game", 0, ann) == ann, "once more is no harm"
    assert seats.taken("game") == (0, 1)


def test_another_seat_gives_the_first_one_up() -> None:
    seats = Seats()
    ann = seats.take("game", 0, None)
    moved = seats.take("game", 2, ann)
    assert moved == ann and seats.seat("game", ann) == 2, "a browser has one secret"
    assert seats.taken("game") == (2,)
    seats.leave("game", moved)
    assert seats.taken("game") == ()


def test_a_seat_is_of_one_game() -> None:
    seats = Seats()
    ann = seats.take("game", 0, None)
    assert seats.seat("another", ann) is None
    seats.take("another", 0, None)
    assert seats.seat("game", ann) == 0, "it is theirs until they leave it"
    assert seats.take("another", 1, ann) == ann and seats.seat("game", ann) == 0
    with pytest.raises(SeatTaken):
        seats.take("game", 0, None)


def test_everybody_stays_seated_in_the_next_game_by_name() -> None:
    seats = Seats()
    ann, ben = seats.take("first", 0, None), seats.take("first", 1, None)
    seats.follow("first", ("Ann", "Ben", "Cyd"), "second", ("ben", "Dan"))
    assert (seats.seat("second", ben), seats.taken("second"), seats.seat("first", ann)) == (0, (0,), 0)
    seats.follow("second", ("ben", "Dan"), "third", ("Dan", "Ann", "Ben"))
    assert (seats.seat("third", ann), seats.seat("third", ben)) == (1, 2), "who sat out one game is back"


def test_who_has_left_is_not_seated_again() -> None:
    seats = Seats()
    ann, _ = seats.take("first", 0, None), seats.take("first", 1, None)
    seats.follow("first", ("Ann", "Ben"), "second", ("Ann", "Ben"))
    seats.leave("second", ann)
    seats.free("second", 1)
    seats.follow("second", ("Ann", "Ben"), "third", ("Ann", "Ben"))
    assert seats.taken("third") == ()


def test_seats_are_kept_over_a_restart_and_without_their_secrets(tmp_path: Path) -> None:
    path = tmp_path / "journal.seats"
    seats = Seats(path)
    ann = seats.take("game", 0, None)
    ben = seats.take("game", 1, None)
    seats.leave("game", ben)
    again = Seats(path)
    assert again.seat("game", ann) == 0 and again.taken("game") == (0,)
    assert ann not in path.read_text()
    with pytest.raises(SeatTaken):
        again.take("game", 0, ben)
    path.write_bytes(b"\xff{")
    assert Seats(path).taken("game") == ()


def test_a_seat_that_cannot_be_written_down_is_not_taken(tmp_path: Path) -> None:
    seats = Seats(tmp_path / "nowhere" / "journal.seats")
    with pytest.raises(SeatNotKept, match="Nothing was changed"):
        seats.take("game", 0, None)
    assert seats.taken("game") == ()


def test_nobody_is_known_by_a_wrong_secret() -> None:
    seats = Seats()
    seats.take("game", 0, None)
    for token in (None, "", "0", "\udcff"):
        assert seats.seat("game", token) is None


def test_the_host_frees_a_seat_whose_phone_is_gone() -> None:
    seats = Seats()
    ann = seats.take("game", 0, None)
    seats.free("game", 0)
    assert seats.seat("game", ann) is None
    seats.take("game", 0, None)


@pytest.mark.usefixtures("table")
def test_a_browser_takes_a_seat_and_leaves_it(app: Flask, access: Access, host: Browser) -> None:
    ann, ben = (Browser(app, access.token("table"), f"192.168.1.{n}") for n in (1, 2))
    assert ann.get("/api/door").json["seat"] is None
    assert ann.post("/api/door/seat", {"seat": 0}).json == {"seat": 0}
    assert ann.get("/api/door").json["seat"] == 0
    assert ben.post("/api/door/seat", {"seat": 0}).status_code == 409
    assert ben.post("/api/door/seat", {"seat": 2}).status_code == 400
    assert ben.get("/api/table").json["secrecy"] == {"kept": False, "me": None, "taken": [0]}
    assert ann.get("/api/table").json["secrecy"]["me"] == 0
    assert ben.post("/api/door/free", {"seat": 0}).status_code == 403
    assert host.post("/api/door/free", {"seat": 0}).json == {"taken": []}
    assert ann.get("/api/door").json["seat"] is None
    ann.post("/api/door/seat", {"seat": 1})
    assert ann.post("/api/door/seat", {"seat": None}).json == {"seat": None}
    assert ann.get("/api/door").json["seat"] is None


def test_a_phone_that_was_sent_away_sees_no_hand_until_it_joins_again(
    table: Table, app: Flask, access: Access, host: Browser
) -> None:
    ann = Browser(app, access.token("table"), "192.168.1.1")
    assert ann.post("/api/door/seat", {"seat": 0}).status_code == 200
    assert host.post("/api/door/away", {}).status_code == 200
    assert ann.get("/api/door").json["seat"] is None and ann.get("/api/table").json["secrecy"]["me"] is None
    ann.post("/api/door", {"ticket": access.ticket()})
    assert ann.get("/api/door").json["seat"] == 0, table.session.seq


def test_who_has_not_joined_takes_no_seat(table: Table, reader: Browser) -> None:
    assert reader.post("/api/door/seat", {"seat": 0}).status_code == 401
    assert "companion_seat" not in str(reader.get("/").headers), table.session.seq


@pytest.mark.parametrize("way", ("again", "another"))
def test_no_page_of_the_next_game_asks_whose_phone_it_is(
    table: Table, sessions: SessionManager, app: Flask, access: Access, host: Browser, way: str
) -> None:
    """A phone that asks at once, as soon as anything of the new game is shown, is known."""
    ann = Browser(app, access.token("table"), "192.168.1.1")
    assert ann.post("/api/door/seat", {"seat": 0}).status_code == 200
    while (due := table.session.state.expects()) and table.session.state.outcome() is None:
        play(table, 1)
    seen, touch = [], sessions.touch

    def asked() -> None:
        found = ann.get("/api/table").json
        seen.append((found["game"]["id"] != table.session.header.id, found["secrecy"]["me"]))
        touch()

    sessions.touch = asked  # type: ignore[method-assign]
    if way == "again":
        assert host.post("/api/games/again", {}).status_code == 201
    else:
        body = {"game": "cribbage", "names": ["Ben", "Ann"], "options": {}, "draws": "dealt"}
        assert host.post("/api/games", body).status_code == 201, due
    me = 0 if way == "again" else 1
    assert (True, me) in seen and (True, None) not in seen
