"""The advice of a game with pieces outside of cells: possible actions, and counts that players do not keep.

One adviser a game; a game without one needs none. Pictures are sent once by code and named by code everywhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from companion.core.contract import ToRoll
from companion.core.pieces import Piece
from companion.referee.table.table import Table
from web.boards import Presenter
from web.scene.shape import tree


def roll_data(due: ToRoll, labels: Sequence[str]) -> dict[str, Any]:
    """The rolling player, and each die with a word that identifies it."""
    return {
        "seat": due.seat,
        "dice": [{"kind": kind, "label": label} for kind, label in zip(due.dice, labels, strict=True)],
    }


class Adviser(Protocol):
    """The advice of one game."""

    def advice(self, table: Table, state: Any, presenter: Presenter, about: str) -> dict[str, Any]:
        """Everything about the position now.

        Args:
            state: The position as the asking seat may know it; the advice must not rest on `table.session.state`.
            about: A particular question; each game defines its form.
        """


def pictures(pieces: Iterable[Piece], presenter: Presenter) -> dict[str, Any]:
    """Code to name and picture."""
    return {presenter.piece_code(piece): _picture(presenter, piece) for piece in pieces}


_DRAWN: dict[tuple[type[Presenter], Piece], dict[str, Any]] = {}
"""Name and picture of each piece that was asked for: they are the same all evening."""


def _picture(presenter: Presenter, piece: Piece) -> dict[str, Any]:
    known = _DRAWN.get((type(presenter), piece))
    if known is None:
        picture = presenter.picture(piece, name=f"p-{presenter.piece_code(piece)}")
        known = _DRAWN[type(presenter), piece] = {"name": presenter.piece_name(piece), "picture": tree(picture)}
    return known
