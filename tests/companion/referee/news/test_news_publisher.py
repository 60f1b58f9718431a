"""What is told of a table: every row once, alerts and camera as they change, nothing of a hand, old rows never."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.plan import Mat, Plan
from companion.games import GAMES
from companion.referee.journal import Journal
from companion.referee.news import news_publisher
from companion.referee.news.bulletin import News, bulletin
from companion.referee.news.news_publisher import NewsPublisher, Outbox
from companion.referee.session_manager import SessionManager
from tests.sessions import sessions_in
from tests.web.card_stories import NAMES, PRIVATE, story, twins
from tests.web.doubles import PaintedEyes, play

IDS = [f"{game} for {seats}" for game, seats, _ in PRIVATE]


def until(done: Callable[[], bool], wait_s: float = 10.0) -> None:
    end = time.monotonic() + wait_s
    while not done():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[SessionManager]:
    with sessions_in(tmp_path, eyes=PaintedEyes()) as found:
        yield found


class Told:
    """A news publisher with one table, and what it has told."""

    def __init__(self, sessions: SessionManager) -> None:
        self.outbox = Outbox("test")
        self.news = NewsPublisher(clock=lambda: 7.0, run="run")
        self.news.listen(self.outbox)
        self.news.follow("table", sessions)
        self.all: list[News] = []

    def until(self, done: Callable[[list[News]], bool]) -> list[News]:
        def look() -> bool:
            while (one := self.outbox.take(0)) is not None:
                self.all.append(one)
            return done(self.all)

        until(look)
        return self.all


@pytest.fixture
def told(sessions: SessionManager) -> Iterator[Told]:
    told = Told(sessions)
    with told.news:
        yield told


def rows(news: list[News]) -> list[tuple[str, int]]:
    return [(one.game, one.row) for one in news if one.kind == "row"]


def test_every_row_is_told_once_and_in_order(sessions: SessionManager, told: Told) -> None:
    table = sessions.start("spectrangle", ["Ann", "Ben"], {})
    play(table, 20)
    game = table.session.header.id
    news = told.until(lambda all: len(rows(all)) >= 20)
    assert rows(news) == [(game, n) for n in range(1, 21)]
    assert news[0].kind == "game" and news[0].data == {"title": "Spectrangle", "names": ["Ann", "Ben"]}
    assert [one.id for one in news if one.kind == "row"] == [f"{game}:{n}" for n in range(1, 21)]


def test_rows_of_a_game_that_is_left_are_told_before_the_next_one(sessions: SessionManager, told: Told) -> None:
    first = sessions.start("spectrangle", ["Ann", "Ben"], {})
    told.until(lambda all: bool(all))
    play(first, 5)
    second = sessions.start("spectrangle", ["Cid", "Dora"], {})
    play(second, 3)
    one, other = first.session.header.id, second.session.header.id
    news = told.until(lambda all: len(rows(all)) >= 8)
    assert rows(news) == [*((one, n) for n in range(1, 6)), *((other, n) for n in range(1, 4))]


def test_a_game_that_begins_while_the_table_is_looked_at_costs_the_one_before_no_row(
    sessions: SessionManager, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = sessions.start("spectrangle", ["Ann", "Ben"], {})
    told.until(lambda all: bool(all))
    begun = []

    def looked(*args: Any) -> Any:
        found = bulletin(*args)
        if found.row == 5 and not begun:
            begun.append(sessions.start("spectrangle", ["Cid", "Dora"], {}))
        return found

    monkeypatch.setattr(news_publisher, "bulletin", looked)
    play(first, 5)
    until(lambda: bool(begun))
    play(begun[0], 3)
    one, other = first.session.header.id, begun[0].session.header.id
    news = told.until(lambda all: len(rows(all)) >= 8)
    assert rows(news) == [*((one, n) for n in range(1, 6)), *((other, n) for n in range(1, 4))]


def test_old_rows_are_no_news(sessions: SessionManager, told: Told) -> None:
    first = sessions.start("spectrangle", ["Ann", "Ben"], {})
    play(first, 4)
    told.until(lambda all: len(rows(all)) == 4)
    sessions.start("spectrangle", ["Cid", "Dora"], {})
    told.until(lambda all: len(all) == 6)
    again = sessions.resume(first.session.header.id)
    play(again, 1, seed=9)
    news = told.until(lambda all: len(rows(all)) == 5)
    assert rows(news)[-1] == (first.session.header.id, 5)
    sessions.look_afresh()
    play(sessions.table, 1, seed=9)  # type: ignore[arg-type]
    assert rows(told.until(lambda all: len(rows(all)) == 6))[-1][1] == 6


def test_a_camera_that_is_lost_is_told_and_its_moods_are_not(sessions: SessionManager, told: Told) -> None:
    eyes: Any = sessions.eyes
    for state in ("reading", "moving", "looking", "lost"):
        eyes.become(state, "The last picture is 3 s old.")
        sessions.touch()
        time.sleep(0.05)
    news = told.until(lambda all: bool(all))
    assert [one.data for one in news] == [{"healthy": False, "state": "lost", "text": "Camera lost"}]


def test_an_alert_opens_and_closes(sessions: SessionManager, told: Told) -> None:
    from companion.core.layout import Layout

    table = sessions.start("spectrangle", ["Ann", "Ben"], {})
    play(table, 12)
    seen = table.session.state_at(8).layout()
    for frame in (2, 3):
        sessions.see(seen, frame)
    opened = told.until(lambda all: any(one.kind == "alert" for one in all))[-1]
    assert opened.data["open"]["kind"] in ("taken-back", "out-of-step", "pending")
    table.misread(source="page")
    closed = told.until(lambda all: all[-1].kind == "alert" and all[-1].data["open"] is None)[-1]
    assert closed.id != opened.id
    assert isinstance(seen, Layout) and sessions.meter.readings()[-1].frame == 3
    assert sum(sessions.meter.verdicts().values()) == 2


@pytest.mark.parametrize(("game", "seats", "options"), PRIVATE, ids=IDS)
def test_nothing_that_is_told_depends_on_what_is_hidden(
    tmp_path: Path, game: str, seats: int, options: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    """News, standing and log of two games that differ in hidden cards alone are the same."""
    events = story(game, seats, options, 3, 4)
    for twin in twins(game, seats, options, events, None, most=1):
        found = []
        for number, one in enumerate((events, twin)):
            (tmp_path / str(number)).mkdir()
            journal = Journal.open(tmp_path / str(number) / "j.journal")
            sessions = SessionManager(journal, GAMES, Plan(Mat(440, 400, 40)), clock=lambda: 1_700_000_000.0)
            told = Told(sessions)
            caplog.clear()
            with told.news, caplog.at_level("DEBUG"):
                table = sessions.start(game, NAMES[:seats], options)
                for event in one:
                    table.play(event, source="page")
                news = told.until(lambda all: len(rows(all)) >= len(one))  # noqa: B023
            logged = [sorted(vars(record)["companion_fields"].items()) for record in caplog.records]
            found.append(
                (msgspec.json.encode(news), msgspec.json.encode(bulletin("table", sessions, sessions.table)), logged)
            )
            journal.close()
        assert found[0] == found[1]
