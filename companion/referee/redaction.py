"""Hides the parts of the record that a seat, or the public, may not read."""

from __future__ import annotations

from companion.core.contract import Event, Seat
from companion.referee.journal import Row
from companion.referee.table.table import Table


def event_of(table: Table, row: Row, seat: Seat | None) -> Event | None:
    """Returns a row's event as a seat (None: the public) may know it; None if the row has no event, or it is hidden."""
    if row.event is None:
        return None
    game = table.session.game
    event = game.event(row.event)
    if not game.has_private_hands:
        return event
    told = row.more.get("of", row.n) if row.kind == "correct" else row.n
    return game.redact(table.session.state_at(told - 1), event, seat)


def text_of(table: Table, row: Row, seat: Seat | None) -> str:
    """Returns a row's text as a seat (None: the public) may read it."""
    if row.event is None:
        return row.text
    event = event_of(table, row, seat)
    if event is None:
        return "enters something that stays hidden"
    return row.text if event == table.session.game.event(row.event) else table.session.game.text(event)
