"""Setting up over HTTP."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.companion.dealt import played
from tests.web.conftest import Browser
from web.boards import PRESENTERS

HOSTILE = ["<img src=x onerror=alert(1)>", "\u202ennA", "A" * 10_000, "", "   ", "a\nb", "a\x00b"]


def test_games_are_offered_with_seats_and_options(reader: Browser) -> None:
    game = next(game for game in reader.get("/api/games").json["games"] if game["name"] == "spectrangle")
    assert game["title"] == "Spectrangle" and game["seats"] == [2, 3, 4]
    options = {option["name"]: option for option in game["options"]}
    assert options["edges"]["kind"] == "choice" and options["edges"]["choices"] == ["one", "all"]
    assert options["teams"]["kind"] == "switch" and options["teams"]["default"] is False
    assert all(option["sentence"].endswith(".") for option in options.values())


def test_every_offered_value_is_taken(sessions: SessionManager, reader: Browser, phone: Browser) -> None:
    game = next(game for game in reader.get("/api/games").json["games"] if game["name"] == "spectrangle")
    for option in game["options"]:
        for value in option.get("choices", [True, False]):
            body = {"game": "spectrangle", "names": list("ABCD"), "options": {option["name"]: value}}
            assert phone.post("/api/games", body).status_code == 201, (option["name"], value)
            assert sessions.table is not None and sessions.table.session.options[option["name"]] == value


def test_a_new_game_leaves_the_one_before_in_the_journal(
    sessions: SessionManager, table: Table, phone: Browser
) -> None:
    wanted = {"game": "spectrangle", "names": ["Cid", "Dora", "Eve"]}
    asked = phone.post("/api/games", wanted)
    assert asked.status_code == 409 and "Ann and Ben are in the middle of Spectrangle" in asked.json["error"]
    assert sessions.table is table
    answer = phone.post("/api/games", {**wanted, "instead": table.session.header.id})
    assert answer.status_code == 201
    assert (
        sessions.table is not None
        and sessions.table.session.header.id == answer.json["game"] != table.session.header.id
    )
    saved = phone.get("/api/saved").json["saved"]
    assert {game["id"] for game in saved} == {table.session.header.id, answer.json["game"]}
    assert [game["here"] for game in saved if game["id"] == answer.json["game"]] == [True]
    assert phone.post("/api/saved", {"game": table.session.header.id}).status_code == 200
    assert sessions.table.session.header.id == table.session.header.id and sessions.table.session.seq == 22


@pytest.mark.parametrize(
    "body",
    [
        {"game": "chess", "names": ["A", "B"]},
        {"game": "spectrangle", "names": ["A"]},
        {"game": "spectrangle", "names": ["A"] * 5},
        {"game": "spectrangle", "names": ["A", "B"], "options": {"edges": "some"}},
        {"game": "spectrangle", "names": ["A", "B"], "options": {"teams": True}},
        {"game": "spectrangle", "names": ["A", "B"], "options": {"color": "red"}},
        {"game": "spectrangle", "names": ["A", "B"], "colour": 1},
    ],
)
def test_a_game_that_cannot_be_started_says_why(sessions: SessionManager, phone: Browser, body: dict) -> None:
    answer = phone.post("/api/games", body)
    assert answer.status_code == 400
    assert answer.json["error"].endswith(".")
    assert sessions.table is None


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_text_and_nothing_else(sessions: SessionManager, phone: Browser, name: str) -> None:
    answer = phone.post("/api/games", {"game": "spectrangle", "names": [name, "Ben"]})
    if answer.status_code == 201:
        for page in ("/", "/screen", "/sheet"):
            assert "<img src=x" not in phone.get(page).text
        assert phone.get("/api/table").json["seats"][0]["name"] == name.strip()
    else:
        assert answer.status_code == 400 and sessions.table is None


def test_a_game_that_is_not_in_the_journal_cannot_be_resumed(phone: Browser) -> None:
    answer = phone.post("/api/saved", {"game": "spectrangle-1"})
    assert answer.status_code == 422 and "no game" in answer.json["error"]
    assert phone.post("/api/saved", {"game": "../etc"}).status_code == 400


def test_the_program_deals_and_the_next_hand_keeps_players_seats_and_points(
    sessions: SessionManager, phone: Browser
) -> None:
    offered = {game["name"]: game["dealt"] for game in phone.get("/api/games").json["games"]}
    assert offered["casino"] and offered["solitaire"] and not offered["spectrangle"]
    assert phone.post("/api/games", {"game": "spectrangle", "names": ["A", "B"], "draws": "dealt"}).status_code == 400
    assert phone.post("/api/games", {"game": "casino", "names": ["A", "B"], "draws": "dealt"}).status_code == 201
    assert phone.post("/api/door/seat", {"seat": 1}).status_code == 200
    table = sessions.table
    assert table is not None and table.session.rows()[0].kind == "commitment"
    assert phone.post("/api/games/next", {}).status_code == 422
    played(table)
    points = [score.total for score in table.session.state.scores()]
    assert phone.get("/api/table").json["outcome"]["next"] is (max(points) < 100)
    answer = phone.post("/api/games/next", {})
    assert (
        answer.status_code == 201
        and sessions.table is not None
        and sessions.table.session.header.id == answer.json["game"]
    )
    assert sessions.table is not table and [score.total for score in sessions.table.session.state.scores()] == points
    assert (sessions.table.session.header.names, sessions.table.session.header.draws) == (("A", "B"), "dealt")
    assert phone.get("/api/door").json["seat"] == 1


@pytest.mark.parametrize("game", PRESENTERS)
def test_a_game_that_goes_on_is_followed_by_no_other(sessions: SessionManager, phone: Browser, game: str) -> None:
    sessions.start(game, [f"P{seat}" for seat in range(GAMES[game].seats[0])], {})
    answer = phone.post("/api/games/next", {})
    assert answer.status_code == 422 and "No other game follows" in answer.json["error"]


def test_rows_of_a_deal_are_told_in_words(sessions: SessionManager, phone: Browser) -> None:
    table = played(sessions.start("poker", ["A", "B"], {}, draws="dealt"))
    rows = phone.get("/api/journal/rows").json["rows"]
    assert rows[0]["sentence"] == "The deal is sealed."
    assert rows[0]["proof"] == table.session.rows()[0].more["commitment"] and rows[0]["proof"] not in rows[0]["text"]
    assert rows[1]["sentence"] == "A draws 5 cards." and rows[1]["told"] == "by the program"
    assert rows[-1]["sentence"] == "The deal is shown." and rows[-1]["proof"] == table.session.rows()[-1].more["seed"]


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_game_begins_with_every_number_of_players_that_is_offered(
    sessions: SessionManager, host: Browser, name: str
) -> None:
    """ICE-2: options that depend on the number of players follow by themselves."""
    for seats in GAMES[name].seats:
        names = [f"Player {number}" for number in range(1, seats + 1)]
        instead = "" if sessions.table is None else sessions.table.session.header.id
        answer = host.post("/api/games", {"game": name, "names": names, "instead": instead})
        assert answer.status_code == 201, answer.json
