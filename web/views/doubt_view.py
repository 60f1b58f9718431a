"""Pieces that were never surely read, as questions: "Is this a white large?", with the other answers beside it."""

from __future__ import annotations

from typing import Any

from companion.core.pieces import Piece
from companion.referee.matching import Doubt
from companion.referee.table.table import Table
from web.boards import Presenter


def doubts_data(table: Table, presenter: Presenter) -> list[dict[str, Any]]:
    """Each doubt with its place in words and its answers; the first answer is what the referee goes on with."""
    return [_doubt(doubt, presenter) for doubt in table.doubts]


def _doubt(doubt: Doubt, presenter: Presenter) -> dict[str, Any]:
    def words(piece: Piece | None) -> str:
        return "nothing of the game" if piece is None else presenter.piece_name(piece)

    held, where = doubt.options[0], presenter.spot_name(doubt.belief.spot)
    question = f"Is this {_article(words(held))}?" if held is not None else "Does something of the game stand here?"
    return {
        "place": doubt.key,
        "spot": doubt.belief.spot,
        "where": where,
        "text": question,
        "options": [words(piece) for piece in doubt.options],
    }


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
