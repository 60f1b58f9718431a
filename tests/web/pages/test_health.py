"""Health and numbers, for programs that watch over the house."""

from __future__ import annotations

import time

import pytest
from flask import Flask

from companion.core.protocols.eyes import EyesStatus
from companion.referee.news.news_publisher import NewsPublisher, Outbox
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.companion.referee.news.test_news_publisher import until
from tests.web.conftest import Browser
from tests.web.doubles import PaintedEyes, play
from web.app import create_app
from web.http.settings import WebSettings
from web.tables import OpenTable, ServedTables, create_tables_app


def numbers(browser: Browser) -> dict[str, float]:
    answer = browser.get("/metrics")
    assert answer.status_code == 200 and answer.mimetype == "text/plain"
    lines = [line for line in answer.text.splitlines() if not line.startswith("#")]
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines}


def test_a_house_that_can_keep_games_is_well(reader: Browser, eyes: PaintedEyes) -> None:
    eyes.become("lost", "Gone.")
    answer = reader.get("/healthz")
    assert answer.status_code == 200, "a lost camera is no reason to start the house anew"
    assert answer.json == {
        "ok": True,
        "version": "0.1.0",
        "tables": {"table": {"state": "open", "kept": True, "camera": "lost"}},
    }


def test_every_configured_table_is_listed_with_its_state(sessions: SessionManager) -> None:
    tables: dict[str, OpenTable | str] = {
        "blue": OpenTable(create_app(sessions, settings=WebSettings(table="blue")), sessions),
        "red": "This table is paused.",
        "gone": "The journal /srv/gone.sqlite cannot be opened.",
    }
    answer = Browser(create_tables_app(tables, WebSettings())).get("/healthz")
    assert answer.status_code == 200, "a table that is closed is no reason to end the other games"
    assert not answer.json["ok"]
    assert answer.json["tables"] == {
        "blue": {"state": "open", "kept": True, "camera": "looking"},
        "red": {"state": "paused"},
        "gone": {"state": "closed", "why": "The journal /srv/gone.sqlite cannot be opened."},
    }
    tables.pop("gone")
    assert Browser(create_tables_app(tables, WebSettings())).get("/healthz").json["ok"]


def test_a_table_that_opens_meanwhile_is_listed(
    sessions: SessionManager, eyes: PaintedEyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    blue = OpenTable(create_app(sessions, settings=WebSettings(table="blue")), sessions)
    tables = ServedTables({"blue": blue, "red": "The camera is gone."})
    status = eyes.status

    def opened() -> EyesStatus:
        tables.put("red", blue)
        return status()

    monkeypatch.setattr(eyes, "status", opened)
    answer = Browser(create_tables_app(tables, WebSettings())).get("/healthz")
    assert set(answer.json["tables"]) == {"blue", "red"}


def test_a_journal_that_is_gone_is_told(reader: Browser, sessions: SessionManager) -> None:
    sessions.journal.close()
    answer = reader.get("/healthz")
    assert answer.status_code == 503 and not answer.json["ok"] and "journal" in answer.json["error"]
    sessions.journal = type(sessions.journal).open(sessions.journal.path)
    sessions.trouble = "The disk is full."
    assert reader.get("/healthz").status_code == 503


def test_numbers_of_a_table(reader: Browser, sessions: SessionManager, table: Table, eyes: PaintedEyes) -> None:
    eyes.become("looking", "Looking.")
    for frame in (1, 2):
        sessions.see(table.session.state.layout(), frame)
    found = numbers(reader)
    assert found['companion_verdicts_total{table="table",verdict="same"}'] == 2
    assert found['companion_verdict_seconds_count{table="table"}'] == 1, "the other picture's age is not known"
    assert found['companion_verdict_seconds_bucket{le="0.05",table="table"}'] == 0
    assert found['companion_verdict_seconds_bucket{le="0.1",table="table"}'] == 1
    assert found['companion_verdict_seconds_sum{table="table"}'] == pytest.approx(0.1)
    assert found['companion_rows{table="table"}'] == 22
    assert found['companion_camera_state{state="looking",table="table"}'] == 1
    assert found['companion_pictures_total{table="table"}'] == 1
    assert found['companion_pictures_lost_total{table="table"}'] == 0


def test_numbers_of_queues(sessions: SessionManager) -> None:
    outbox = Outbox("mqtt club-pi", most=3)
    with NewsPublisher() as news:
        news.listen(outbox)
        news.follow("red", sessions)
        app: Flask = create_app(sessions, news=news)
        play(sessions.start("spectrangle", ["Ann", "Ben"], {}), 5)
        until(lambda: news.bulletins()[0].row == 5)
        found = numbers(Browser(app))
        app.extensions["lessons"].close()
    assert found['companion_queue_length{to="mqtt club-pi"}'] == 3
    assert found['companion_queue_dropped_total{to="mqtt club-pi"}'] == 3
    assert sum(count for name, count in found.items() if name.startswith("companion_told_rows_total")) == 5


def test_without_the_package_it_says_what_to_install(reader: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.pages.health.find_spec", lambda name: None)
    answer = reader.get("/metrics")
    assert answer.status_code == 404 and "tabletop-companion[metrics]" in answer.json["error"]


def test_neither_waits_for_a_verdict(reader: Browser, table: Table) -> None:
    with table.session.lock:
        began = time.monotonic()
        assert reader.get("/healthz").status_code == 200
        assert reader.get("/metrics").status_code == 200
        assert time.monotonic() - began < 2
