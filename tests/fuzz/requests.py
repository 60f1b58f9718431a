"""Requests to the page, from right to hopeless: never a fault of its own, and never long in coming.

A story sets up games, tells events, undoes and corrects, as the host or as a phone that takes seats; in between every
address of docs/openapi.json is asked with whatever comes to mind.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.games import GAMES, PLANS
from companion.referee.journal import Journal, timeline
from companion.referee.session_manager import SessionManager
from tests.fuzz.played import any_case, next_event
from tests.fuzz.spoiling import ODD, WORDS, spoiled, spoiled_line
from tests.fuzz.timing import now_s
from tests.web.conftest import Browser
from tests.web.doubles import PaintedEyes
from web.admission.access import Access
from web.app import create_app

LONGEST_S = 2.0
"""No answer takes longer, but for what other programs of the machine take."""
STEPS = 250
"""Requests of one story of a long run: as many games begin in it that all of them share one application."""
STREAMS = ("/stream", "/camera/motion.mjpg", "/camera/next.jpg")
"""Addresses that answer without end, or wait for a picture; they have tests of their own."""
_DOCUMENT = msgspec.json.decode((Path(__file__).parents[2] / "docs" / "openapi.json").read_bytes())
ADDRESSES = tuple(
    (path, method, tuple(one["name"] for one in about.get("parameters", ())))
    for path, methods in _DOCUMENT["paths"].items()
    for method, about in methods.items()
    if method in ("get", "post") and path not in STREAMS and "x-served-by" not in about
)
count = 0
"""Requests so far."""


def one(rng: Random, steps: int = STEPS) -> None:
    """One story of so many requests."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal.open(Path(folder) / "journal.sqlite")
        try:
            sessions = SessionManager(
                journal, GAMES, PLANS["spectrangle"](2), eyes=PaintedEyes(), random_bytes=rng.randbytes
            )
            access = Access(pin="123456")
            app = create_app(sessions, access=access)
            app.config["PROPAGATE_EXCEPTIONS"] = True
            browsers = [Browser(app, access.token("host"), "127.0.0.1"), Browser(app, access.token("table"))]
            for _ in range(steps):
                _step(rng, sessions, rng.choice(browsers))
        finally:
            journal.close()


def _step(rng: Random, sessions: SessionManager, browser: Browser) -> None:
    table = sessions.table
    choice = rng.random()
    if table is None or choice < 0.06:
        case, _ = any_case(rng)
        names = [f"P{seat}" for seat in range(case.seats)]
        begin = {"game": case.game.name, "names": names, "options": msgspec.to_builtins(case.options)}
        begin["draws"] = rng.choice(("told", "told", "unseen", "dealt"))
        if table is not None and rng.random() < 0.8:
            begin["instead"] = table.session.header.id
        _post(browser, "/api/games", begin if rng.random() < 0.8 else spoiled(rng, begin))
        return
    seen = {"expected": table.session.seq}
    if choice < 0.45:
        event = next_event(table.session.state, rng)
        if event is not None:
            said = (
                {"text": table.session.game.text(event)}
                if rng.random() < 0.5
                else {"event": msgspec.to_builtins(event)}
            )
            if rng.random() < 0.3:
                said = spoiled(rng, said) if "event" in said else {"text": spoiled_line(rng, said["text"])}
            _post(browser, "/api/table/play", {**seen, **said} if isinstance(said, dict) else said)
    elif choice < 0.5:
        _post(browser, "/api/table/undo", {**seen, "to": rng.randrange(table.session.seq + 2)})
    elif choice < 0.55 and table.session.seq:
        event = next_event(table.session.state, rng) or {}
        _post(
            browser,
            "/api/table/correct",
            {**seen, "n": rng.randrange(1, table.session.seq + 1), "event": msgspec.to_builtins(event)},
        )
    elif choice < 0.6:
        position = (
            timeline.written(table.session.state) if rng.random() < 0.5 else spoiled(rng, {"turn": 0, "scores": [1, 2]})
        )
        _post(browser, "/api/table/position", {**seen, "position": position})
    elif choice < 0.65:
        _post(browser, "/api/door/seat", {"game": table.session.header.id, "seat": rng.choice((0, 1, 7, None))})
    else:
        _anything(rng, table, browser)


def _anything(rng: Random, table: Any, browser: Browser) -> None:
    path, method, names = rng.choice(ADDRESSES)
    known = [
        *table.session.state.layout().cells,
        *table.session.state.layout().heaps,
        "R5",
        "d6red",
        "0",
        "1",
        "²",
        "1 red.4",
        *WORDS,
    ]
    for name in names:
        path = path.replace(
            f"{{{name}}}", str(rng.choice((0, 1, 3, table.session.game.name, "BRD-1", "sheet", "csv", "x")))
        )
    if method == "get":
        query = {name: str(rng.choice(known)) for name in names if rng.random() < 0.8}
        _checked(browser, "GET", path, lambda: browser.get(path, query_string=query))
    else:
        plain = {
            "expected": table.session.seq,
            rng.choice(("game", "seat", "choice", "spot", "to", "zones")): rng.choice(ODD),
        }
        _post(browser, path, spoiled(rng, plain) if rng.random() < 0.7 else rng.choice(ODD))


def _post(browser: Browser, path: str, plain: Any) -> None:
    try:
        msgspec.json.encode(plain)
    except (TypeError, ValueError, OverflowError):
        return
    _checked(browser, "POST", path, lambda: browser.post(path, json=plain))


def _checked(browser: Browser, method: str, path: str, ask: Any) -> None:
    global count
    begun = now_s()
    answer = ask()
    took = now_s() - begun
    count += 1
    assert answer.status_code < 500 or answer.status_code == 503, (method, path, answer.get_data()[:300])
    assert took < LONGEST_S, (method, path, took)
    if answer.status_code >= 400 and path.startswith("/api"):
        assert msgspec.json.decode(answer.get_data())["error"]
