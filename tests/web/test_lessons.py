"""Lessons: each scene is what it says by the real rules, and the game on the table is not touched."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.core.contract import ToMove
from companion.core.foundation.errors import IllegalMove
from companion.core.verdict import Refused, Unclear
from companion.games import GAMES, PLANS
from companion.games.rule_pages import rules_of
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from tests.web.conftest import Browser
from web.lessons.catalog import LESSONS
from web.lessons.classroom import Classroom
from web.lessons.lessons import AT_ONCE


@pytest.fixture(params=LESSONS)
def classroom(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Classroom]:
    room = Classroom(LESSONS[request.param], Journal.open(tmp_path / "lesson.sqlite"), GAMES, PLANS["spectrangle"](2))
    yield room
    room.close()


def test_a_lesson_is_taken_from_its_beginning_to_its_end(classroom: Classroom) -> None:
    sessions = classroom.sessions
    assert [scene.task for scene in classroom.lesson.scenes] == ["move", "refused", "question"]

    table = sessions.table
    assert table is not None and isinstance(table.session.state.expects(), ToMove)
    table.play(table.session.legal()[0], source="page")
    assert classroom.status()["done"] and not classroom.status()["over"]

    classroom.go_on()
    table = sessions.table
    assert table is not None
    before = table.session.state
    if classroom.lesson.scenes[1].told:
        with pytest.raises(IllegalMove) as refused:
            classroom.show()
        breaches = refused.value.breaches
    else:
        classroom.show()
        assert table.session.alert is not None and isinstance(table.session.alert.verdict, Refused)
        breaches = table.session.alert.verdict.breaches
        assert not classroom.status()["done"]
        sessions.eyes.look_again()
    assert breaches[0].rule in {rule.number for rule in rules_of(classroom.lesson.game)}
    assert classroom.status()["done"] and table.session.state == before

    classroom.go_on()
    table = sessions.table
    assert table is not None
    if classroom.lesson.scenes[2].shown:
        classroom.show()
        assert table.session.alert is not None and isinstance(table.session.alert.verdict, Unclear)
        assert not any(choice.breaches for choice in table.session.alert.verdict.choices)
        table.answer(0, source="page")
    else:
        table.play(table.session.game.sample(table.session.state, random.Random(1)), source="page")
    assert classroom.status()["over"]


def test_a_step_may_be_begun_again(classroom: Classroom) -> None:
    table = classroom.sessions.table
    assert table is not None
    began = table.session.state
    table.play(table.session.legal()[0], source="page")
    classroom.again()
    assert classroom.sessions.table is not None and classroom.sessions.table.session.state == began
    assert not classroom.status()["done"]


def test_a_lesson_stands_beside_the_running_game(app: Flask, sessions: SessionManager, host: Browser) -> None:
    table = sessions.start("spectrangle", ("Ann", "Ben"), {})
    rows = table.session.rows()
    at = host.post("/api/lessons", {"kind": "cards"}).json["at"]
    assert host.get(f"{at}api/table").json["game"]["name"] == "solitaire"
    assert f'data-root="{at.rstrip("/")}"' in host.get(at).text
    assert host.post(f"{at}api/lesson", {"do": "next"}).status_code == 400
    assert host.post(f"{at}api/table/play", {"expected": 1, "text": "turn"}).status_code == 200
    assert host.get(f"{at}api/eyes").json["lesson"]["done"]
    assert sessions.table is table and table.session.rows() == rows
    assert host.get("/api/eyes").json["lesson"] is None


def test_a_reader_takes_no_lesson(host: Browser, reader: Browser) -> None:
    assert reader.post("/api/lessons", {"kind": "cards"}).status_code == 401
    at = host.post("/api/lessons", {"kind": "cards"}).json["at"]
    assert reader.post(f"{at}api/lesson", {"do": "again"}).status_code == 401


def test_the_oldest_lesson_makes_room(app: Flask, host: Browser) -> None:
    first, *others = [host.post("/api/lessons", {"kind": "sheet"}).json["at"] for _ in range(AT_ONCE + 1)]
    assert host.get(first).status_code == 404
    assert [host.get(at).status_code for at in others] == [200] * AT_ONCE
    app.extensions["lessons"].close()
    assert host.get(others[0]).status_code == 404


def test_what_is_no_lesson_is_refused_in_a_sentence(host: Browser) -> None:
    answer = host.post("/api/lessons", {"kind": "chess"})
    assert answer.status_code == 404 and "tiles" in answer.json["error"]
    assert host.post("/api/lesson", {"do": "show"}).status_code == 404
    at = host.post("/api/lessons", {"kind": "tiles"}).json["at"]
    assert host.post(f"{at}api/lesson", {"do": "show"}).status_code == 400, "its first step shows nothing"
    assert host.post(f"{at}api/lessons", {"kind": "tiles"}).status_code == 400
