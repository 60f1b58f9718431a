"""What a reader must not know is in no answer: two games that differ in hidden cards alone look the same to him.

The games are played side by side with the same events but for the cards in Ann's hand. Everything that can be asked is
asked of both, by the public, by a wall screen on Ann's own browser, and by Ben's phone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.games import GAMES, PLANS
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from simulation.play import tell
from tests.web.conftest import Browser, rules
from tests.web.doubles import HandClock
from web.admission.access import Access
from web.app import create_app

HANDS = (("R3, O4, Y5", "RO3, OY4, YG5", "G3, B4, P5"), ("G6, B7, P3", "GB7, BP3, PR6", "R4, O5, Y6"))
"""Ann's primary missions, secondary missions and portals in the two games."""
VISIBLE = (
    "player 2 draws ??, ??, ??",
    "player 2 draws ??, ??, ??",
    "player 2 draws ??, ??, ??",
    "rolled d6 red blue",
    "player 1 moves red stock to red.1",
    "player 1 moves red stock to blue.1",
    "player 1 ends the turn",
    "rolled d6 orange orange",
    "player 2 moves orange stock to orange.2",
    "player 2 moves orange.2 to red-orange.3",
)
OPTIONS = {"missions": True, "portals": True}


class Side:
    """One of the two games, and who looks at it."""

    def __init__(self, folder: Path, hands: tuple[str, str, str]) -> None:
        folder.mkdir()
        self.journal = Journal.open(folder / "journal.sqlite")
        sessions = SessionManager(self.journal, GAMES, PLANS["spectrangle"](2), clock=HandClock())
        self.table = sessions.start("spectrum", ["Ann", "Ben"], OPTIONS)
        access = Access(token=iter(("host", "table", *map(str, range(99)))).__next__)
        self.app = create_app(sessions, access=access, rules_by_game=rules)
        self.app.config["TESTING"] = True
        self.ann, self.ben = (Browser(self.app, "table", f"192.168.1.{n}") for n in (1, 2))
        self.public, self.host = Browser(self.app), Browser(self.app, "host", "127.0.0.1")
        assert self.ann.post("/api/door/seat", {"seat": 0}).status_code == 200
        assert self.ben.post("/api/door/seat", {"seat": 1}).status_code == 200
        missions, more, portals = hands
        play(self.table, f"player 1 draws {missions}", f"player 1 draws {more}", *VISIBLE[:2])
        play(self.table, f"player 1 draws {portals}", *VISIBLE[2:])

    def answers(self, browser: Browser, **query: str) -> dict[str, Any]:
        """Everything that can be read, by address."""
        found = {}
        for path in addresses(self.app, self.table):
            more = "&".join(f"{key}={value}" for key, value in query.items())
            answer = browser.get(f"{path}{'&' if '?' in path else '?'}{more}" if more else path)
            found[path] = answer.status_code, answer.text.replace(self.table.session.header.id, "ID")
        return found


def play(table: Table, *lines: str) -> None:
    tell(table, *lines)


def addresses(app: Flask, table: Table) -> Iterator[str]:
    """Every address that answers a question about the game."""
    yield from ("/", "/screen", "/sheet", "/api/table", "/api/advice", "/api/journal/rows", "/api/journal/chart")
    yield from (f"/api/journal/export/{kind}" for kind in ("sheet", "csv", "jsonl"))
    yield from (f"/api/journal/board/{n}" for n in range(table.session.seq + 1))
    yield from ("/api/table/moves", "/api/table/pieces?unseen=1", "/api/door")
    for spot in ("red.1", "red.3", "blue.4", "green.3", "dice", "seat0.missions"):
        yield f"/api/table/why?spot={spot}"
        for piece in ("", "pawnR", "pawnO"):
            yield f"/api/table/correction?spot={spot}&piece={piece}"
            yield f"/api/table/correction?spot={spot}&piece={piece}&how=position"
    for code in ("R3", "R4", "G3", "B7", "RO3", "R9"):
        for line in (f"player 1 activates {code}", f"player 2 activates {code}", f"player 1 sends to {code}"):
            yield f"/api/advice/verdict?text={line}"
    for line in ("player 1 declares the missions", "player 2 draws R3, O4", "player 1 shows R3", "player 1 draws R3"):
        yield f"/api/advice/verdict?text={line}"


@pytest.fixture
def sides(tmp_path: Path) -> Iterator[tuple[Side, Side]]:
    one, other = (Side(tmp_path / str(n), hands) for n, hands in enumerate(HANDS))
    yield one, other
    one.journal.close()
    other.journal.close()


def same(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert one.keys() == other.keys()
    for path, answer in one.items():
        assert answer == other[path], path


def test_the_public_sees_no_difference(sides: tuple[Side, Side]) -> None:
    one, other = sides
    same(one.answers(one.public), other.answers(other.public))


def test_another_player_sees_no_difference(sides: tuple[Side, Side]) -> None:
    one, other = sides
    same(one.answers(one.ben), other.answers(other.ben))


def test_a_wall_screen_on_the_owners_browser_sees_no_difference(sides: tuple[Side, Side]) -> None:
    one, other = sides
    ann, too = one.answers(one.ann, public="1"), other.answers(other.ann, public="1")
    walls = ("/screen", "/api/table", "/api/journal/rows")
    same({path: ann[path] for path in walls}, {path: too[path] for path in walls})


def test_the_owner_sees_the_own_cards(sides: tuple[Side, Side]) -> None:
    one, other = sides
    for side, hands in zip(sides, HANDS, strict=True):
        told = side.ann.get("/api/advice").json
        held = [card["code"] for card in told["seats"][0]["missions"]]
        assert ", ".join(held) == f"{hands[0]}, {hands[1]}"
        assert [card["code"] for card in told["seats"][1]["missions"]] == [None] * 6
        rows, public = (events_of(browser.get("/api/journal/rows").json["rows"]) for browser in (side.ann, side.public))
        assert rows[0]["text"] == f"player 1 draws {hands[0]}"
        assert public[0]["sentence"] == "Ann draws 3 hidden cards."
    assert one.answers(one.ann) != other.answers(other.ann)


def events_of(rows: list[Any]) -> list[Any]:
    """Rows without those that say who sat down."""
    return [row for row in rows if row["kind"] != "seat"]


def test_the_stream_hushes_rows_too(sides: tuple[Side, Side]) -> None:
    for side, hands in zip(sides, HANDS, strict=True):
        public = stream_rows(side, side.public)
        assert public[0]["text"] == "player 1 draws ??, ??, ??"
        assert stream_rows(side, side.ben) == public
        assert stream_rows(side, side.ann)[0]["text"] == f"player 1 draws {hands[0]}"
        assert stream_rows(side, side.ann, "&public=1") == public


def stream_rows(side: Side, browser: Browser, more: str = "") -> list[Any]:
    """The rows that a stream sends to who comes back from row 0."""
    found: list[Any] = []
    answer = browser.flask.get(f"/stream?game={side.table.session.header.id}&after=0{more}", buffered=False)
    for block in answer.response:
        lines = dict(line.split(": ", 1) for line in block.decode().strip().split("\n"))
        if lines.get("event") == "row":
            found.append(json.loads(lines["data"]))
        if lines.get("event") == "beat":
            break
    answer.close()
    return events_of(found)


def test_the_whole_record_is_for_the_host_alone(sides: tuple[Side, Side]) -> None:
    side = sides[0]
    for browser in (side.public, side.ann, side.ben):
        assert browser.get("/api/journal/export/jsonl").status_code == 403
    assert "R3" in side.host.get("/api/journal/export/jsonl").text


def test_a_portal_that_is_shown_is_known_to_all(sides: tuple[Side, Side]) -> None:
    side = sides[0]
    side.table.set_position(
        {"pawns": {"green.3": "orange"}, "missions": [["R3", "O4", "Y5", "RO3", "OY4", "YG5"], ["??"] * 6],
         "portals": [["G3", "B4", "P5"], ["??"] * 3]},
        "",
        source="page",
    )  # fmt: skip
    play(side.table, "player 1 activates G3", "player 1 draws R7, B7", "player 1 sends to B7")
    for browser in (side.public, side.ben, side.ann):
        rows = browser.get("/api/journal/rows").json["rows"]
        assert rows[-1]["text"] == "player 1 sends to B7" and rows[-3]["text"] == "player 1 activates G3"
    assert side.public.get("/api/journal/rows").json["rows"][-2]["text"] == "player 1 draws ??, ??"
    told = side.public.get("/api/advice").json
    assert [card["code"] for card in told["seats"][0]["portals"]] == [None] * 3


def test_a_correction_keeps_what_is_hidden(sides: tuple[Side, Side]) -> None:
    side = sides[0]
    change = side.ben.get("/api/table/correction", query_string={"spot": "blue.1", "piece": "", "how": "position"}).json
    assert change["request"] == {"spot": "blue.1", "piece": ""}
    answer = side.ben.post("/api/table/position", {**change["request"], "expected": change["seq"], "why": "misread"})
    assert answer.status_code == 200
    told = side.ann.get("/api/advice").json
    assert [card["code"] for card in told["seats"][0]["missions"]] == ["R3", "O4", "Y5", "RO3", "OY4", "YG5"]
    assert side.ben.post("/api/table/position", {"expected": side.table.session.seq}).status_code == 400


def test_missions_that_were_declared_wrongly_lie_open(sides: tuple[Side, Side]) -> None:
    side = sides[0]
    play(side.table, "player 2 ends the turn", "player 1 declares the missions")
    told = side.public.get("/api/advice").json
    assert told["seats"][0]["revealed"]
    assert told["seats"][0]["missions"][0]["code"] == "R3"
    assert [card["code"] for card in told["seats"][0]["portals"]] == [None] * 3
