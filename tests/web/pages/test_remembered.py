"""Earlier games on the page: listed, looked at row by row, taken away."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest
from msgspec.structs import replace

from companion.games import GAMES, PLANS
from companion.referee.journal.lines import read_lines
from companion.referee.journal.record import judge, load_record
from companion.referee.redaction import text_of
from companion.referee.results.store import Keeper, Results
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.browser.situations import arrange, begin, play
from tests.web.conftest import Browser
from web.admission.access import Access
from web.app import create_app
from web.pages.remembered import BG_STATS
from web.privacy.export import sheet
from web.scene.signs import SIGN_PATHS

Opened = Callable[[], tuple[Browser, Browser]]


@pytest.fixture
def opened(sessions: SessionManager, access: Access, tmp_path: Path) -> Opened:
    """Takes up what was played; then the host and a browser that has not joined."""

    def open_() -> tuple[Browser, Browser]:
        results = Results(tmp_path / "results")
        Keeper(sessions, results).catch_up()
        app = create_app(sessions, access=access, results=results)
        return Browser(app, access.token("host"), "127.0.0.1"), Browser(app)

    return open_


def over(sessions: SessionManager, game: str) -> Table:
    """A finished game."""
    table = begin(sessions, game)
    play(table, 900)
    assert table.session.state.outcome() is not None
    return table


def test_results_are_listed_with_players_and_pairs(sessions: SessionManager, opened: Opened) -> None:
    table = over(sessions, "casino")
    begin(sessions, "spectrangle")
    host, reader = opened()
    text = reader.get("/results").text
    assert "Casino" in text and "not finished" in text and "Ada and Bonaventura" in text
    assert f'href="/results/{table.session.header.id}"' in text
    assert 'aria-label="Wins after each game.' in text
    assert host.get("/results/nothing").status_code == 404


def test_a_game_without_points_is_counted_by_wins(sessions: SessionManager, opened: Opened) -> None:
    table = over(sessions, "poker")
    _, reader = opened()
    outcome = table.session.state.outcome()
    assert outcome is not None
    won = [int(seat in outcome.places[0]) for seat in range(len(table.session.names))]
    assert sum(won) >= 1
    assert [seat["total"] for seat in reader.get("/api/table").json["seats"]] == won
    shown = re.findall(r"</span> (\d+)", reader.get("/results").text)
    assert [int(points) for points in shown] == won


@pytest.mark.parametrize("game", ["spectrangle", "casino", "spectra", "solitaire"])
def test_an_old_game_is_looked_at_row_by_row(sessions: SessionManager, opened: Opened, game: str) -> None:
    table = arrange(sessions, game, "middle")
    _, reader = opened()
    address, last = f"/results/{table.session.header.id}", table.session.seq
    for n in (0, last // 2, last):
        answer = reader.get(f"{address}?row={n}")
        assert "player 1" not in answer.text.lower(), "people are called by their names"
        over_now = n == last and table.session.state.outcome() is not None
        title = "The board at the end" if over_now else f"After row {n} of {last}"
        assert answer.status_code == 200 and title in answer.text and "<svg xmlns=" in answer.text
    assert reader.get(f"{address}?row={last + 1}").status_code == 404


def test_hidden_cards_stay_hidden_in_old_games(sessions: SessionManager, opened: Opened) -> None:
    table = arrange(sessions, "cribbage", "middle")
    host, reader = opened()
    address = f"/results/{table.session.header.id}"
    assert reader.get(f"{address}/export/jsonl").status_code == 403
    assert reader.get(f"{address}/export/record").status_code == 403
    assert host.get(f"{address}/export/jsonl").status_code == 200
    shown = reader.get(f"{address}/export/sheet").text
    hidden = [row.text for row in table.session.rows() if text_of(table, row, None) != row.text]
    assert hidden and not any(text in shown for text in hidden)
    assert shown == sheet(table)


def test_every_game_can_be_taken_away(sessions: SessionManager, opened: Opened) -> None:
    table = over(sessions, "spectrangle")
    host, _ = opened()
    address = f"/results/{table.session.header.id}/export"
    header, rows = read_lines(host.get(f"{address}/jsonl").data)
    assert (header, rows) == (table.session.header, table.session.rows())
    assert host.get(f"{address}/pdf").data.startswith(b"%PDF")
    assert host.get(f"{address}/csv").text.startswith("player,entry,points")
    german = {"Accept-Language": "de"}
    assert host.get(f"{address}/csv", headers=german).text.startswith("Spieler,Eintrag,Punkte")
    told, telling = (host.get(f"{address}/sheet", headers=headers).text for headers in ({}, german))
    assert told != telling and "left over" in told and "left over" not in telling, "reasons are put into the language"
    assert [line for line in told.splitlines() if line.startswith(("[", "  1."))] == [
        line for line in telling.splitlines() if line.startswith(("[", "  1."))
    ], "tags and notation are the same in all"
    assert '[Game "Spectrangle"]' in host.get(f"{address}/sheet").text
    assert host.get(f"{address}/nothing").status_code == 404


@pytest.mark.parametrize("game", ["spectrangle", "casino", "roll-and-color", "solitaire"])
def test_a_record_is_judged_as_the_game_was_played(
    sessions: SessionManager, opened: Opened, tmp_path: Path, game: str
) -> None:
    table = arrange(sessions, game, "middle")
    host, _ = opened()
    (tmp_path / "record.json").write_text(host.get(f"/results/{table.session.header.id}/export/record").text)
    record = load_record(tmp_path / "record.json")
    judged = list(judge(GAMES[game], record))
    assert judged and all(one.legal for one in judged)
    assert judged[-1].scores == tuple(score.total for score in table.session.state.scores())


def test_a_finished_game_goes_to_bg_stats(sessions: SessionManager, opened: Opened) -> None:
    table = over(sessions, "casino")
    unfinished = begin(sessions, "spectrangle")
    host, _ = opened()
    link = host.get(f"/results/{table.session.header.id}/export/bgstats").headers["Location"]
    assert link.startswith(BG_STATS)
    play_ = json.loads(unquote(link.removeprefix(BG_STATS)))
    outcome = table.session.state.outcome()
    assert outcome is not None
    assert [seat for seat, player in enumerate(play_["players"]) if player["winner"]] == list(outcome.places[0])
    assert [player["name"] for player in play_["players"]] == ["Ada", "Bonaventura"]
    assert play_["game"]["highestWins"] and play_["sourcePlayId"] == table.session.header.id
    assert host.get(f"/results/{unfinished.session.header.id}/export/bgstats").status_code == 404


def test_a_rematch_has_the_same_players_and_options(sessions: SessionManager, opened: Opened) -> None:
    table = over(sessions, "casino")
    host, _ = opened()
    text = host.get(f"/results/{table.session.header.id}").text
    again = json.loads(text.split('data-again="')[1].split('"')[0].replace("&#34;", '"').replace("&quot;", '"'))
    assert host.post("/api/games", again).status_code == 201
    assert sessions.table is not None and sessions.table is not table
    now, then = sessions.table.session.header, table.session.header
    assert replace(now, id="", started=0, order=0, plan=then.plan) == replace(then, id="", started=0, order=0)
    assert now.plan == PLANS["casino"](2), "the cards have places of their own"


def test_a_sign_belongs_to_the_person_in_every_seat_and_game(sessions: SessionManager, opened: Opened) -> None:
    def sign(name: str) -> object:
        return next(seat["sign"] for seat in host.get("/api/table").json["seats"] if seat["name"] == name)

    sessions.start("spectrum", ["Ann", "Ben"], {})
    host, _ = opened()
    ann, ben = sign("Ann"), sign("Ben")
    sessions.start("cribbage", ["Cleo", "Ann"], {}, draws="dealt")
    assert sign("Ann") == ann and sign("Cleo") not in (ann, ben)
    sessions.start("roll-and-color", ["Ben", "Cleo", "Ann"], {})
    assert (sign("Ann"), sign("Ben")) == (ann, ben)
    host, _ = opened()
    results = host.get("/results").text
    for name, class_, path in (("Ann", "seat-0", SIGN_PATHS["circle"]), ("Cleo", "seat-2", SIGN_PATHS["triangle"])):
        assert re.search(rf'class="sign-shape {class_}" d="{re.escape(path)}"[^<]*(/>|></path>)</svg>{name}<', results)
    board = json.dumps(host.get("/api/table").json["board"])
    assert board.index("sign-shape seat-1") < board.index("sign-shape seat-2") < board.index("sign-shape seat-0")


def test_an_old_game_is_told_in_german(sessions: SessionManager, opened: Opened) -> None:
    """Chart, options and pairs as well, which the page's scripts do not write."""
    table = over(sessions, "spectrangle")
    host, _ = opened()
    german = {"Accept-Language": "de"}
    one = host.get(f"/results/{table.session.header.id}", headers=german).text
    assert ">Anfang</text>" in one and re.search(r">Zeile \d+</text>", one)
    assert "Welche Kanten müssen passen? mindestens eine davon" in one
    assert "Ada und Bonaventura" in host.get("/results", headers=german).text
