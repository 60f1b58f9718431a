"""The advice in Regenbogen: pieces with their health, the effect of each move, pools, spells, dominations."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.contract import Move, Seat
from companion.core.pieces import Pyramid
from companion.games.regenbogen.advice import Progress, color_of_cell, dominations, effect, name_of, stores
from companion.games.regenbogen.board import CELLS, COLOR, NAMES
from companion.games.regenbogen.data import DATA, SIDES
from companion.games.regenbogen.kinds import CLERIC, COLOR_OF, KIND, OWNER, START_HEALTH, called, rank_of, translucent
from companion.games.regenbogen.moves import Fight, Go, Heal, Recover, SelfDestruct, Summon
from companion.games.regenbogen.position import written
from companion.referee.table.table import Table
from web.boards import Presenter
from web.scene.pieces.pyramids import code
from web.telling.parts.adviser import pictures

_LARGE = tuple(Pyramid(translucent(color), "large") for color in range(len(NAMES)))
_DOES: dict[type, str] = {
    Go: "move",
    Fight: "fight",
    Summon: "summon",
    Heal: "heal",
    Recover: "recover",
    SelfDestruct: "self-destruct",
}


class RegenbogenAdviser:
    """Cells, moves and stores; it answers no particular questions."""

    def advice(self, table: Table, state: Any, presenter: Presenter, about: str) -> dict[str, Any]:
        """Everything about the position now."""
        options = state.options
        moves = [_move(table, state, presenter, move) for move in state.legal_moves() if type(move) in _DOES]
        return {
            "seq": table.session.seq,
            "pieces": pictures(_LARGE, presenter),
            "turn": state.turn if state.outcome() is None else None,
            "moved": None if state.moved is None else CELLS[state.moved],
            "saving": list(state.saving),
            "cells": {spot: _cell(state, cell) for cell, spot in enumerate(CELLS)},
            "moves": moves,
            "seats": [_seat(table, state, seat) for seat in range(state.seats)],
            "quiet": {"turns": state.quiet, "most": options.no_damage_draw_turns},
            "repeated": {
                "times": state.history.count(state.history[-1]) if state.history else 0,
                "most": options.repetition_draw,
            },
            "kinds": [called(kind) for kind in range(len(START_HEALTH))],
            "most": list(START_HEALTH),
            "position": written(state),
        }


def _cell(state: Any, cell: int) -> dict[str, Any]:
    one = state.board[cell]
    color = COLOR_OF[KIND[one]]
    piece = one and {
        "side": OWNER[one],
        "kind": KIND[one],
        "rank": rank_of(KIND[one]),
        "color": None if color is None else NAMES[color],
        "name": name_of(one),
        "health": one & 7,
        "most": START_HEALTH[KIND[one]],
        "spells": state.spells[OWNER[one]] if KIND[one] == CLERIC else None,
    }
    return {"color": color_of_cell(cell), "code": translucent(COLOR[cell]), "piece": piece or None}


def _move(table: Table, state: Any, presenter: Presenter, move: Move) -> dict[str, Any]:
    does = effect(state, move)
    return {
        "does": _DOES[type(move)],
        "piece": move.piece,
        "spot": presenter.aim(move).spot,
        "note": does.note,
        "words": does.text,
        "text": table.session.game.text(move),
        "event": msgspec.to_builtins(move),
    }


def _seat(table: Table, state: Any, seat: Seat) -> dict[str, Any]:
    return {
        "seat": seat,
        "name": table.session.names[seat],
        "side": SIDES[seat].capitalize(),
        "spells": state.spells[seat],
        "spells_most": DATA.cleric.spells_max,
        "cleric": next((one & 7 for one in state.board if OWNER[one] == seat and KIND[one] == CLERIC), None),
        "stores": [
            {"code": code(_LARGE[color]), **msgspec.to_builtins(store)}
            for color, store in enumerate(stores(state, seat))
        ],
        "dominations": [_progress(one) for one in dominations(state, seat)],
    }


def _progress(one: Progress) -> dict[str, Any]:
    return {
        "name": one.name,
        "way": [{"color": name, "dead": name in one.dead} for name in one.way],
        "left": len(one.way) - len(one.dead),
    }
