"""The page of Regenbogen: its presenter, and the advice beside its board.

Spots are the 44 cells, "a2" to "f7". A camera sees only the topmost pyramid of a piece (RGB-29), so the code of a piece
is that pyramid's: letter and pips, "R1". The board itself shows whole pieces, with the health from the record.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.core.contract import Event, Move, Seat
from companion.core.foundation.errors import BadEvent
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import PYRAMID_SIZES, Piece, Pyramid
from companion.games.regenbogen import moves, search
from companion.games.regenbogen.advice import Progress, color_of_cell, dominations, effect, name_of, stores
from companion.games.regenbogen.board import CELL, CELLS, COLOR, NAMES
from companion.games.regenbogen.data import DATA, SIDES
from companion.games.regenbogen.kinds import (
    CLERIC,
    COLOR_OF,
    KIND,
    OWNER,
    SPIRITS,
    START_HEALTH,
    called,
    rank_of,
    translucent,
    words,
)
from companion.games.regenbogen.kinds import piece as piece_of
from companion.games.regenbogen.kinds import top as top_of
from companion.games.regenbogen.moves import Fight, Go, Heal, Recover, SelfDestruct, Summon
from companion.games.regenbogen.notation import text as line_of
from companion.games.regenbogen.position import written
from companion.referee.journal.timeline import Timeline
from companion.referee.table.table import Table
from web.boards import Presenter
from web.boards.parts.pieces import PyramidPieces
from web.boards.parts.presenter import Aim, NoSuchPiece, NoSuchSpot, ShownHand, UsualOffers
from web.scene.boards.squares import BoardPiece, Square, board
from web.scene.marks import Marks
from web.scene.pieces.pyramids import code
from web.scene.shape import BoardFrame, Shape
from web.telling.parts.adviser import pictures

_COLORS = (*map(translucent, range(len(NAMES))), *SIDES)
_OFFERS: dict[type, str] = {
    moves.EndTurn: "End the turn",
    moves.Pass: "Pass",
    moves.GiveSpell: "Give up a spell",
    moves.LoseCleric: "Give up the Cleric",
    moves.OfferDraw: "Offer a draw",
    moves.AcceptDraw: "Accept the draw",
    moves.DeclineDraw: "Decline the draw",
}


class RegenbogenPresenter(UsualOffers, PyramidPieces):
    """The 44 cells with Wizards, Clerics and Spirits."""

    example = (
        "player 1 moves b2 to b4, player 1 fights c5 with b4, player 1 summons on c3 with b2, player 1 ends the turn"
    )

    def board(self, state: Any, marks: Marks, frame: BoardFrame) -> Shape:
        """Returns the picture of the cells, White at the bottom."""
        ranks = DATA.board.ranks
        squares = [
            Square(
                spot,
                DATA.board.files.index(spot[0]),
                ranks - int(spot[1:]),
                translucent(COLOR[cell]),
                f"{color_of_cell(cell)} cell",
                _figure(state, cell, marks) if state.board[cell] else None,
            )
            for cell, spot in enumerate(CELLS)
        ]
        order = [str(rank) for rank in range(ranks, 0, -1)]
        return board(squares, DATA.board.files, order, marks, frame)

    def hand(self, state: Any, seat: Seat) -> ShownHand | None:
        """Returns None, because no piece is in a hand."""
        return None

    def spot_name(self, spot: Spot) -> str:
        """Returns the cell with its color."""
        return f"{spot}, a {color_of_cell(_cell(spot))} cell"

    def holds(self, state: Any, spot: Spot) -> Pyramid | None:
        """Returns the visible top of the cell."""
        shown: Pyramid | None = state.tops[CELLS[_cell(spot)]]
        return shown

    def aim(self, event: Event) -> Aim:
        """Returns the cell of the move: where a piece goes, whom it fights or heals, or where it stands."""
        match event:
            case moves.Go() | moves.Summon():
                return Aim(None, event.to)
            case moves.Fight() | moves.Heal():
                return Aim(None, event.target)
            case moves.Recover() | moves.SelfDestruct():
                return Aim(None, event.piece)
        return Aim(None, None)

    def trace(self, event: Event) -> Spot | None:
        """Returns the same cell as `aim`."""
        return self.aim(event).spot

    def sentence(self, event: Event) -> str:
        """Returns the action of the player in the words of the notation."""
        if not isinstance(event, moves.Move):
            raise TypeError(f"not an event of Regenbogen: {event!r}")
        return line_of(event).split(" ", 2)[2]

    def laid(self, event: Event) -> Pyramid | None:
        """Returns None, because a move does not state the visible top of its piece."""
        return None

    def offer(self, move: Move) -> str:
        """Returns the move as the text of a button."""
        return _OFFERS.get(type(move)) or super().offer(move)

    def trials(self, state: Any, spot: Spot, code: str | None) -> Sequence[Move]:
        """Returns the moves of the player's pieces, or of those with this top, to a cell, legal or not."""
        at, seat = _cell(spot), state.turn
        shown = state.tops
        own = [
            cell
            for cell, one in enumerate(state.board)
            if OWNER[one] == seat and (code is None or self.piece_code(shown[CELLS[cell]]) == code)
        ]
        one = state.board[at]
        if not one:
            goes: list[Move] = [moves.Go(seat, CELLS[cell], spot) for cell in own]
            return goes + [moves.Summon(seat, CELLS[cell], spot) for cell in own if KIND[state.board[cell]] < CLERIC]
        if OWNER[one] != seat:
            return [moves.Fight(seat, CELLS[cell], spot) for cell in own]
        clerics = [CELLS[cell] for cell in own if KIND[state.board[cell]] == CLERIC]
        healed = range(1, DATA.cleric.heal_up_to + 1)
        found: list[Move] = [moves.Heal(seat, cleric, spot, points) for cleric in clerics for points in healed]
        if KIND[one] == CLERIC:
            found.append(moves.Recover(seat, spot))
        if KIND[one] >= SPIRITS:
            found.append(moves.SelfDestruct(seat, spot))
        return found

    def orientations(self, spot: Spot, code: str | None) -> Sequence[Pyramid]:
        """Returns the top with a code, or every top that a piece of this game may show."""
        _cell(spot)
        if code is not None:
            return [_of_set(self.piece(code))]
        return [Pyramid(color, size) for color in _COLORS for size in PYRAMID_SIZES]

    def origin(self, timeline: Timeline, spot: Spot) -> int | None:
        """Returns the row that last changed the piece on a cell, including its health."""
        at = _cell(spot)
        for step in reversed(timeline.steps()):
            earlier = timeline.book.start if step.parent is None else step.parent.state
            if step.state.board[at] != earlier.board[at]:
                return step.n
        return None

    def moved(self, event: Event, spot: Spot, piece: Piece) -> Event | None:
        """Returns None, because a top alone does not identify the move."""
        return None

    def placing(self, state: Any, spot: Spot, piece: Piece) -> Event:
        """Returns the move that would bring such a top there.

        Raises:
            BadEvent: No move would.
        """
        there = {CELLS[_cell(spot)]: Detection.sure(_of_set(piece))}
        event = search.infer_event(state, Layout({**state.layout().cells, **there}))
        if event is None:
            raise BadEvent("No single move brings that there. Enter the move, or set the position up instead.")
        return event

    def position(self, state: Any, spot: Spot, piece: Piece | None) -> dict[str, Any]:
        """Returns the position with a piece that shows another top, or with no piece, on a cell.

        Raises:
            BadEvent: The top does not identify the piece or its owner.
        """
        found = written(state)
        found.pop("moved", None)
        found["pieces"].pop(spot, None)
        if piece is not None:
            found["pieces"][spot] = words(_showing(state, _cell(spot), _of_set(piece)))
        for seat, side in enumerate(SIDES):
            if not any(one.startswith(f"{side} cleric") for one in found["pieces"].values()):
                found["spells"][seat] = 0
        return found


def _cell(spot: Spot) -> int:
    cell = CELL.get(spot)
    if cell is None:
        raise NoSuchSpot("The board has no such cell. Its cells are a2 to f7, without the corners (RGB-6).")
    return cell


def _of_set(piece: Piece) -> Pyramid:
    if not isinstance(piece, Pyramid) or piece.color not in _COLORS:
        raise NoSuchPiece("No piece of Regenbogen shows that (RGB-3).")
    return piece


def _figure(state: Any, cell: int, marks: Marks) -> BoardPiece:
    one = state.board[cell]
    kind, owner, color = KIND[one], OWNER[one], COLOR_OF[KIND[one]]
    shown = SIDES[owner] if color is None else translucent(color)
    spells = state.spells[owner] if kind == CLERIC else None
    told = f"{name_of(one)}, {one & 7} of {START_HEALTH[kind]} health"
    if spells is not None:
        told += f", {spells} of {DATA.cleric.spells_max} spells"
    return BoardPiece(
        Pyramid(shown, "medium" if kind >= SPIRITS else "large"),
        "Spi" if kind >= SPIRITS else "Cle" if kind == CLERIC else "Wiz",
        marks.sign(owner),
        owner == 1,
        one & 7,
        spells,
        told,
    )


def _showing(state: Any, cell: int, top: Pyramid) -> int:
    """Returns the piece on the cell, with a health that shows this top.

    Raises:
        BadEvent: No health of the piece does.
    """
    one = state.board[cell]
    kind, owner = KIND[one], OWNER[one]
    able = []
    if one:
        every = (piece_of(owner, kind, health) for health in range(START_HEALTH[kind] + 1))
        able = [other for other in every if top_of(other, state.spells[owner]) == top]
    if not able:
        raise BadEvent(
            "A top alone shows neither whose piece it is nor its health. Tap the cell and say which piece stands there."
        )
    return min(able, key=lambda other: abs((other & 7) - (one & 7)))


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
    """Cells, moves and stores; it answers no questions about single pieces."""

    def advice(self, table: Table, state: Any, presenter: Presenter, about: str) -> dict[str, Any]:
        """Returns all advice about the present position."""
        options = state.options
        moves = [_move(table, state, presenter, move) for move in state.legal_moves() if type(move) in _DOES]
        return {
            "seq": table.session.seq,
            "pieces": pictures(_LARGE, presenter),
            "turn": state.turn if state.outcome() is None else None,
            "moved": None if state.moved is None else CELLS[state.moved],
            "saving": list(state.saving),
            "cells": {spot: _cell_data(state, cell) for cell, spot in enumerate(CELLS)},
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


def _cell_data(state: Any, cell: int) -> dict[str, Any]:
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
