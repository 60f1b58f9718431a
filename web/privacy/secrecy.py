"""Derives what a seat, or the public, may know in a game with hidden cards: the position, the moves, the rows of the
record.

No text and no answer may depend on information that its reader must not have. So everything is derived from
`Game.view`, and a row's event passes through `Game.redact`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from companion.core.contract import Drawn, Event, Move, Seat, ToDraw, named_seat
from companion.core.foundation.errors import CompanionError, IllegalMove, MoveError
from companion.referee.journal import Row
from companion.referee.matching import seat_of
from companion.referee.redaction import text_of
from companion.referee.table.table import Table

# The right to enter events in a game of cards that are held in hands, and the content of refusals.
#
# A hand that the referee knows and others do not belongs to one browser (`web.privacy.seats`). Other browsers enter no
# events for it, or their players would learn its cards from refusals. An event is judged first by the knowledge of the
# person who enters it, and only then by everything that the referee knows; if the two verdicts differ, the answer gives
# no reason.


class NotYours(CompanionError, status=403):
    """An error: a browser enters an event for the hidden hand of another one."""


class Contradicted(CompanionError, status=409):
    """An error: an entered event contradicts what others entered about their hands."""


def held_in_hands(table: Table) -> bool:
    """True if this is a game of cards that are held in hands."""
    return table.session.game.dealer is not None and table.session.game.has_private_hands


def locked(table: Table) -> tuple[Seat, ...]:
    """Returns the seats of whose hands the referee knows something that others must not know."""
    if not held_in_hands(table):
        return ()
    state = table.session.state
    view = table.session.game.view
    public = view(state, None)
    return tuple(seat for seat in range(state.seats) if view(state, seat) != public)


def tell(table: Table, event: Event, me: Seat | None, expected: int) -> Row:
    """Records an event that a browser enters.

    Args:
        me: The seat of the browser; None for the public.

    Raises:
        NotYours: Another browser has to enter the event.
        MoveError: The rules refuse the event, as far as the person who entered it may know.
        Contradicted: The rules refuse the event for reasons that the person who entered it must not know.
    """
    if not held_in_hands(table):
        return table.play(event, source="page", expected=expected)
    state = table.session.state
    due = state.expects()
    seat = seat_of(state, event)
    if not (isinstance(event, Drawn) and isinstance(due, ToDraw) and due.shown):
        _check(table, seat, me)
    if expected == table.session.seq:
        try:
            table.session.game.view(state, seat if seat == me else None).apply(event)
        except IllegalMove as refused:
            raise table.charged(event, refused, source="page", expected=expected) from refused
    try:
        return table.play(event, source="page", expected=expected)
    except MoveError as error:
        raise _contradicted() from error


def correct(table: Table, n: int, event: Event, why: str, me: Seat | None, expected: int) -> Row:
    """Corrects a row, under the same conditions as `tell`."""
    if not held_in_hands(table):
        return table.correct(n, event, why, source="page", expected=expected)
    row = next((row for row in table.session.rows() if row.n == n), None)
    for seat in {row.seat if row is not None else None, named_seat(event)} - {None}:
        _check(table, seat, me)
    try:
        return table.correct(n, event, why, source="page", expected=expected)
    except MoveError as error:
        if row is None or row.event is None or table.session.header.draws == "dealt":
            raise
        raise Contradicted(
            f"Row {n} cannot have been that, or a later row no longer fits. Go back to before it, and enter it again."
        ) from error


def _check(table: Table, seat: Seat | None, me: Seat | None) -> None:
    if seat is None or seat == me or seat not in locked(table):
        return
    name = table.session.names[seat] if seat < len(table.session.names) else f"player {seat + 1}"
    raise NotYours(
        f"{name}'s cards are hidden, so only {name}'s own browser may enter what they do. Say there whose"
        " browser it is."
    )


def _contradicted() -> Contradicted:
    return Contradicted(
        "This contradicts what somebody else entered. Check the cards; if they are right, undo the wrong entry."
    )


def keeps_secrets(table: Table) -> bool:
    """True if a player holds, held or is about to draw pieces that others must not see."""
    state = table.session.state
    due = state.expects()
    return (
        held_in_hands(table)
        or table.session.game.view(state, None) is not state
        or (isinstance(due, ToDraw) and not due.shown)
    )


def legal(table: Table, state: Any) -> Sequence[Move]:
    """Returns every legal move in a view of the table's position; the list for the position itself is cached."""
    if state is table.session.state:
        return table.session.legal()
    moves: Sequence[Move] = state.legal_moves()
    return moves


def seen_rows(table: Table, seat: Seat | None) -> tuple[Row, ...]:
    """Returns the rows with the texts that a seat, or the public, may read, for sheets; the events are left out."""
    return tuple(replace(row, text=text_of(table, row, seat), event=None) for row in table.session.rows())
