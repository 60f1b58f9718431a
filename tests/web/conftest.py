"""A session manager with a game in play, the page that shows it, and browsers of different standing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from companion.core.foundation.errors import WrongUsage
from companion.games.rule_pages import Rule
from companion.games.rule_pages import read as read_rules
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.sessions import sessions_in
from tests.web.doubles import PaintedEyes, play
from web.admission.access import Access
from web.app import create_app

ORIGIN = "http://localhost"


class Browser:
    """A browser that shows the page: it sends the page's own origin with every change."""

    def __init__(self, app: Flask, token: str | None = None, address: str = "192.168.1.20") -> None:
        self.flask = app.test_client()
        self.address = address
        if token is not None:
            self.flask.set_cookie("companion_table", token, domain="localhost")

    def get(self, path: str, **more: Any) -> TestResponse:
        more.setdefault("environ_base", {"REMOTE_ADDR": self.address})
        return self.flask.get(path, buffered=True, **more)

    def post(self, path: str, json: Any = None, **more: Any) -> TestResponse:
        headers = {"Origin": ORIGIN, **more.pop("headers", {})}
        more.setdefault("environ_base", {"REMOTE_ADDR": self.address})
        return self.flask.post(path, json=json, headers=headers, **more)


@pytest.fixture
def eyes() -> PaintedEyes:
    return PaintedEyes()


@pytest.fixture
def sessions(tmp_path: Path, eyes: PaintedEyes) -> Iterator[SessionManager]:
    """A session manager without a game."""
    with sessions_in(tmp_path, eyes=eyes) as found:
        yield found


@pytest.fixture
def table(sessions: SessionManager) -> Table:
    """A game of Spectrangle in its middle: Ann to move, a dozen tiles on the board."""
    table = sessions.start("spectrangle", ["Ann", "Ben"], {})
    play(table, 22)
    return table


@pytest.fixture
def access() -> Access:
    return Access(pin="123456")


RULES = read_rules(
    "# Spectrangle\n\nRules as this referee applies them.\n\n"
    "## TRI-9 Touching\nA tile touches another one; see TRI-10 and `edges`.\n\n"
    "## TRI-10 Matching\nEqual colors match, and **white** matches all.\n\n| color | letter |\n| --- | --- |\n| red | R |\n"
)
"""Rules of a game in the form of docs/rules."""


def rules(game: str, language: str) -> Sequence[Rule]:
    """Rules of one game, whatever the project's own say."""
    if game != "spectrangle":
        raise WrongUsage("There are no such rules.")
    return RULES


@pytest.fixture
def app(sessions: SessionManager, access: Access) -> Iterator[Flask]:
    app = create_app(sessions, access=access, rules_by_game=rules)
    app.config["TESTING"] = True
    yield app
    app.extensions["lessons"].close()


@pytest.fixture
def host(app: Flask, access: Access) -> Browser:
    """The browser on the machine that runs the table."""
    return Browser(app, access.token("host"), "127.0.0.1")


@pytest.fixture
def phone(app: Flask, access: Access) -> Browser:
    """A phone that has joined the table."""
    return Browser(app, access.token("table"))


@pytest.fixture
def reader(app: Flask) -> Browser:
    """A phone that has not joined."""
    return Browser(app)
