"""The knowledge of a seat, or of the public, in a game with hidden cards: the position, the moves, the rows of the
record. No text and no answer may depend on information that its reader must not have. So everything is derived from
`Game.view`, and a row's event goes through `Game.redact`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from companion.core.contract import Move, Seat, ToDraw
from companion.referee.journal import Row
from companion.referee.redaction import text_of
from companion.referee.table.table import Table
from web.privacy.event_authorization import held_in_hands


def keeps_secrets(table: Table) -> bool:
    """True if somebody holds, held or is about to draw what others must not see."""
    state = table.session.state
    due = state.expects()
    return (
        held_in_hands(table)
        or table.session.game.view(state, None) is not state
        or (isinstance(due, ToDraw) and not due.shown)
    )


def legal(table: Table, state: Any) -> Sequence[Move]:
    """Every legal move in a view of the table's position; those of the position itself are listed once."""
    if state is table.session.state:
        return table.session.legal()
    moves: Sequence[Move] = state.legal_moves()
    return moves


def seen_rows(table: Table, seat: Seat | None) -> tuple[Row, ...]:
    """Every row with the line that a seat, or the public, may read, for sheets; events themselves are left out."""
    return tuple(replace(row, text=text_of(table, row, seat), event=None) for row in table.session.rows())
