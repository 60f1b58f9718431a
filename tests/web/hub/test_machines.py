"""Tables of other machines: what they say is shown, what they do not say is nothing, and none holds up another."""

from __future__ import annotations

from pathlib import Path
from urllib.error import HTTPError

import msgspec
import pytest

from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from tests.web.doubles import PaintedEyes, play
from web.admission.access import Access
from web.app import create_app
from web.http.settings import WebSettings
from web.hub.machines import Machine, Machines, fetch
from web.sockets.server import Server
from web.tables import OpenTable, create_tables_app

HALL = Machine("hall", "http://club-pi:8000")


def machines(answers: dict[str, object]) -> Machines:
    def answer(address: str) -> bytes:
        found = answers.get(address)
        if found is None:
            raise HTTPError(address, 404, "Not Found", {}, None)  # type: ignore[arg-type]
        if isinstance(found, Exception):
            raise found
        return found if isinstance(found, bytes) else msgspec.json.encode(found)

    asked = Machines([HALL], fetch=answer)
    asked.ask(HALL)
    return asked


def test_tables_of_running_machines_are_shown_with_their_pictures(tmp_path: Path) -> None:
    """One machine with a single table and one with several, over real servers."""
    kept = [Journal.open(tmp_path / name) for name in ("one", "blue")]
    alone, blue = (SessionManager(one, GAMES, PLANS["spectrangle"](2), eyes=PaintedEyes()) for one in kept)
    play(alone.start("spectrangle", ["Ann", "Ben"], {}), 22)
    several = create_tables_app(
        {
            "blue": OpenTable(create_app(blue, settings=WebSettings(table="blue"), access=Access()), blue),
            "red": "Shut.",
        },
        WebSettings(),
    )
    servers = [Server(app, port=0, threads=8) for app in (create_app(alone, access=Access()), several)]
    for server in servers:
        server.start()
    told = [Machine(name, server.url.rstrip("/")) for name, server in zip(("hall", "bar"), servers, strict=True)]
    shown = Machines(told)
    for machine in told:
        shown.ask(machine)
    hall, bar, red = shown.tables()
    assert (hall["name"], hall["game"], hall["turn"], hall["seq"]) == ("hall", "Spectrangle", "Ben's turn", 22)
    assert hall["at"] == servers[0].url and hall["still"] == "/machines/hall/still.jpg"
    assert (bar["name"], bar["at"], bar["game"]) == ("bar/blue", f"{servers[1].url}t/blue/", None)
    assert red == {"name": "bar/red", "open": False, "trouble": "Shut."}
    assert shown.names() == ("bar/blue", "hall"), "a table without a game comes first"
    for name in ("hall", "bar/blue"):
        picture = shown.picture(name)
        assert picture is not None and picture.startswith(b"\xff\xd8")
    assert shown.picture("bar/red") is None and shown.picture("nobody") is None
    for server in servers:
        server.close()
    for one in kept:
        one.close()


@pytest.mark.parametrize(
    "answer",
    [OSError("no route"), b"not json", {"tables": 3}, {"tables": [{"players": "x"}]}, {"tables": [[]]}],
    ids=str,
)
def test_a_machine_that_does_not_answer_or_says_nonsense_is_named(answer: object) -> None:
    (shown,) = machines({f"{HALL.url}/api/tables": answer}).tables()
    assert shown == {"name": "hall", "open": False, "trouble": "This machine does not answer."}


def test_no_name_of_a_machine_leads_anywhere_else() -> None:
    """A machine cannot make the hub link to, or ask for, any address but its own."""
    told = [
        {"name": "../../x", "open": True, "picture": True},
        {"name": "blue", "open": True, "picture": True, "at": "http://evil/", "still": "/api/evening"},
    ]
    shown = machines({f"{HALL.url}/api/tables": {"tables": told}})
    (blue,) = shown.tables()
    assert blue["at"] == f"{HALL.url}/t/blue/" and blue["still"] == "/machines/hall/blue/still.jpg"
    html = machines(
        {
            f"{HALL.url}/api/tables": {"tables": [{"name": "blue", "open": True, "picture": True}]},
            f"{HALL.url}/t/blue/camera/still.jpg": b"<html>",
        }
    )
    assert html.picture("hall/blue") is None, "only a picture is passed on as one"


def test_a_redirect_is_not_followed_and_an_endless_answer_not_read(tmp_path: Path) -> None:
    from flask import Flask, Response, redirect

    app = Flask(__name__)
    app.add_url_rule("/away", "away", lambda: redirect("http://127.0.0.1:1/"))
    app.add_url_rule("/endless", "endless", lambda: Response(b"x" * 3_000_000))
    from werkzeug.serving import make_server

    server = make_server("127.0.0.1", 0, app)
    import threading

    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    with pytest.raises(OSError, match="302"):
        fetch(f"http://127.0.0.1:{server.server_port}/away")
    with pytest.raises(OSError, match="too large"):
        fetch(f"http://127.0.0.1:{server.server_port}/endless")
    server.shutdown()
    thread.join()
    server.server_close()
