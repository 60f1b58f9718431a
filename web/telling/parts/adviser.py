"""The advice of a game with pieces outside of cells: possible actions, and counts that players do not keep.

A game has at most one adviser. Pictures are sent once by code; everywhere else only the code is sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from companion.core.contract import ToRoll
from companion.core.pieces import Piece
from companion.referee.table.table import Table
from web.boards import Presenter
from web.scene.svg import tree


def roll_data(due: ToRoll, labels: Sequence[str]) -> dict[str, Any]:
    """Returns the rolling player, and each die with a label."""
    return {
        "seat": due.seat,
        "dice": [{"kind": kind, "label": label} for kind, label in zip(due.dice, labels, strict=True)],
    }


class Adviser(Protocol):
    """The advice of one game."""

    def advice(self, table: Table, state: Any, presenter: Presenter, about: str) -> dict[str, Any]:
        """Returns all advice about the present position.

        Args:
            state: The position as the asking seat may know it; the advice must not use `table.session.state`.
            about: A question; each game defines its form.
        """


def pictures(pieces: Iterable[Piece], presenter: Presenter) -> dict[str, Any]:
    """Returns the name and the picture of each piece by its code."""
    return {presenter.piece_code(piece): _picture(presenter, piece) for piece in pieces}


_DRAWN: dict[tuple[type[Presenter], Piece], dict[str, Any]] = {}
"""The name and the picture of each requested piece; they never change."""


def _picture(presenter: Presenter, piece: Piece) -> dict[str, Any]:
    known = _DRAWN.get((type(presenter), piece))
    if known is None:
        picture = presenter.picture(piece, name=f"p-{presenter.piece_code(piece)}")
        known = _DRAWN[type(presenter), piece] = {"name": presenter.piece_name(piece), "picture": tree(picture)}
    return known
