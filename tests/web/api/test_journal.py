"""History, replay and files over HTTP."""

from __future__ import annotations

import csv
import io

from companion.referee.journal.lines import read_lines
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.web.conftest import Browser
from tests.web.doubles import best


def test_rows_say_who_did_what_for_how_many_points_and_why(table: Table, reader: Browser) -> None:
    rows = reader.get("/api/journal/rows").json["rows"]
    assert [row["n"] for row in rows] == list(range(1, 23))
    for row in rows:
        assert row["sentence"].startswith(table.session.names[row["seat"]])
        if row["kind"] == "move" and row["points"]:
            assert row["points"] == sum(line["points"] for line in row["lines"])
    assert [row["n"] for row in reader.get("/api/journal/rows?after=20").json["rows"]] == [21, 22]


def test_undone_rows_are_named(table: Table, reader: Browser) -> None:
    table.undo(20, "tried something", source="page")
    found = reader.get("/api/journal/rows").json
    assert found["undone"] == [21, 22]
    assert found["rows"][-1]["sentence"] == "Back to row 20." and found["rows"][-1]["why"] == "tried something"


def test_any_earlier_position_can_be_seen(table: Table, reader: Browser) -> None:
    start = reader.get("/api/journal/board/0").json
    assert start["row"] is None and start["scores"] == [0, 0]
    for n in (5, 22):
        found = reader.get(f"/api/journal/board/{n}").json
        assert found["row"]["n"] == n
        assert found["scores"] == [score.total for score in table.session.state_at(n).scores()]
    assert reader.get("/api/journal/board/23").status_code == 404
    assert reader.get("/api/journal/board/-1").status_code == 404


def test_the_chart_shows_the_rows_that_count(table: Table, reader: Browser) -> None:
    table.undo(20, "", source="page")
    found = reader.get("/api/journal/chart").json
    assert found["names"] == ["Ann", "Ben"]
    assert [one["n"] for one in found["totals"]] == [0, *range(1, 21), 23]
    assert found["chart"][0] == "svg"


def test_the_whole_record_can_be_taken_away(table: Table, reader: Browser) -> None:
    answer = reader.get("/api/journal/export/jsonl")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{table.session.header.id}.jsonl"'
    header, rows = read_lines(answer.data)
    assert header.id == table.session.header.id and rows == table.session.rows()


def test_the_score_sheet_can_be_taken_away(table: Table, reader: Browser) -> None:
    text = reader.get("/api/journal/export/sheet").text
    assert '[Game "Spectrangle"]' in text and "Ann" in text
    lines = list(csv.DictReader(io.StringIO(reader.get("/api/journal/export/csv").text)))
    for name, score in zip(table.session.names, table.session.state.scores(), strict=True):
        assert sum(int(line["points"]) for line in lines if line["player"] == name) == score.total
    assert reader.get("/api/journal/export/exe").status_code == 404


def test_names_are_harmless_in_a_spreadsheet(sessions: SessionManager, reader: Browser) -> None:
    table = sessions.start("spectrangle", ["=cmd()", "@Ben"], {"hands": "unseen"})
    for _ in range(2):
        table.play(best(table), source="page")
    players = {line["player"] for line in csv.DictReader(io.StringIO(reader.get("/api/journal/export/csv").text))}
    assert players == {"'=cmd()", "'@Ben"}
