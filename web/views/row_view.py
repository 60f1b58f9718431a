"""Rows of the journal as the history shows them: a sentence, the points, and the reasons."""

from __future__ import annotations

from typing import Any

from companion.core.contract import Points, ScoreLine, Seat, State
from companion.referee.journal import Row
from companion.referee.journal.sheet import listed
from companion.referee.redaction import event_of, text_of
from companion.referee.table.table import Table
from web.boards import Presenter

SOURCES = {
    "camera": "seen by the camera",
    "tower": "rolled by the dice tower",
    "page": "entered on the page",
    "software": "by the program",
    "record": "read from a record",
}


def row_data(
    table: Table, row: Row, before: tuple[Points, ...], presenter: Presenter, seat: Seat | None = None
) -> dict[str, Any]:
    """Returns the data of one row. Its `points` are None if it could not score, as when a bag is passed on.

    Args:
        before: The totals by seat after the previous row.
        seat: The reader; None: the public.
    """
    event, text = event_of(table, row, seat), text_of(table, row, seat)
    name = table.session.names[row.seat] if row.seat is not None else None
    gained = [now - was for now, was in zip(row.scores, before, strict=False)]
    scored: tuple[ScoreLine, ...] = ()
    points = None
    if row.seat is not None and row.kind in ("move", "agreed"):
        was = table.session.state_at(row.n - 1)
        scored = new_lines(was, table.session.state_at(row.n), row.seat)
        points = gained[row.seat] if scored or gained[row.seat] else None
        scored = (listed(table.session.game, was, event) if event is not None else ()) or scored
    data: dict[str, Any] = {
        "n": row.n,
        "at": row.at,
        "kind": row.kind,
        "seat": row.seat,
        "name": name,
        "text": text,
        "sentence": _sentence(table, row, name, presenter.sentence(event) if event is not None else text, seat),
        "source": row.source,
        "told": SOURCES[row.source],
        "scores": row.scores,
        "points": points,
        "why": row.more.get("why"),
        "spot": presenter.aim(event).spot if event is not None else None,
    }
    if scored:
        data["lines"] = [{"points": line.points, "rule": line.rule, "text": line.text} for line in scored]
    if row.kind in ("commitment", "reveal"):
        # Hashes are for checking; the page shows a sentence instead.
        data["text"] = ""
        data["proof"] = row.more["commitment" if row.kind == "commitment" else "seed"]
    if row.kind in ("refused", "agreed"):
        data["breaches"] = row.more.get("breaches", [])
    if row.kind == "undo":
        data["to"] = row.more.get("to")
    if row.kind == "correct":
        data["of"] = row.more.get("of")
    return data


def new_lines(before: State, after: State, seat: int) -> tuple[ScoreLine, ...]:
    """Returns the lines of the score sheet that an event added."""
    had, has = before.scores()[seat].lines, after.scores()[seat].lines
    return has[len(had) :] if has[: len(had)] == had else has[-1:]


def _question(row: Row) -> str:
    if "answer" in row.more:
        return f"{row.text[:1].upper()}{row.text[1:]}."
    if row.source == "tower":
        return " ".join(("Tower and camera differ.", *(f"{choice}?" for choice in row.more["choices"])))
    return f"The camera could not tell: {row.text}?"


def _sentence(table: Table, row: Row, name: str | None, did: str, seat: Seat | None) -> str:
    who = name or "The table"
    if row.kind in ("move", "chance"):
        return f"{who} {did}."
    if row.kind == "agreed":
        return f"{who} {did}. Against the rules, and the table agrees to it."
    if row.kind == "refused":
        return f"{who} {did}. Not allowed."
    if row.kind == "clock":
        return f"{row.text[:1].upper()}{row.text[1:]}."
    if row.kind == "hint":
        return f"{who} {row.text}." if row.seat is not None else f"{row.text[:1].upper()}{row.text[1:]}."
    if row.kind == "seat":
        return f"{who} {row.text}."
    if row.kind == "asked":
        return _question(row)
    if row.kind == "undo":
        to = row.more.get("to", 0)
        return f"Back to row {to}." if to else "Back to the start."
    if row.kind == "correct":
        was = text_of(table, table.session.rows()[row.more["of"] - 1], seat)
        return f"Row {row.more.get('of')} corrected from {was}: {who} {did}."
    if row.kind == "reread":
        return f"{row.text[:1].upper()}{row.text[1:]}."
    if row.kind == "commitment":
        return "The deal is sealed."
    if row.kind == "reveal":
        return "The deal is shown."
    return "A position was set up."
