"""Reads and writes positions of Regenbogen and checks states that come from files (docs/records.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core.foundation.errors import BadEvent, BadOptions, BadRecord
from companion.core.layout import Spot
from companion.core.pieces import Piece, Pyramid
from companion.games.regenbogen.board import CELL, CELLS, NAMES, NEIGHBORS, PLACE
from companion.games.regenbogen.data import CLERIC as CLERIC_NAME
from companion.games.regenbogen.data import DATA, SIDES
from companion.games.regenbogen.kinds import (
    CLERIC,
    KIND,
    OWNER,
    PIECES,
    RED_FIRST,
    SPIRITS,
    START_HEALTH,
    called,
    piece,
    top,
    translucent,
    words,
)
from companion.games.regenbogen.options import Options
from companion.games.regenbogen.situation import Situation, digest
from companion.games.regenbogen.state import RegenbogenState
from companion.games.shared.forms.position_form import reader

_Spells = Annotated[int, Meta(ge=0, le=DATA.cleric.spells_max)]


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in its written form; pieces are "white red wizard 5" or objects."""

    pieces: dict[str, Any] | None = None
    """Cell to piece. Default: the array of RGB-7. Wizards that are not named are dead."""
    spells: tuple[_Spells, _Spells] | None = None
    """The spells of each seat. Default: those of a Cleric at the start, and none without a Cleric."""
    turn: Annotated[int, Meta(ge=0, le=1)] = SIDES.index(DATA.first_player)
    moved: str | None = None
    """The cell of the piece that has moved in this turn. Default: none has."""
    quiet: Annotated[int, Meta(ge=0)] = 0
    """The number of turns without damage until now."""


class _Piece(Struct, frozen=True, forbid_unknown_fields=True):
    side: str
    kind: str
    color: str | None = None
    health: Annotated[int, Meta(ge=0, le=7)] | None = None


def start(seats: int, options: Options) -> RegenbogenState:
    """Returns the position before the first turn (RGB-4, RGB-7).

    Raises:
        BadOptions: Other than two players.
    """
    return read(seats, options, {}).checked(check)


def _state(seats: int, options: Options, record: PositionForm) -> RegenbogenState:
    if seats != len(SIDES):
        raise BadOptions(f"Regenbogen has {len(SIDES)} players, White and Black, not {seats} (RGB-1).")
    board = _board(_array() if record.pieces is None else record.pieces)
    spells = record.spells or tuple(
        DATA.cleric.spells_start if _has_cleric(board, seat) else 0 for seat in range(len(SIDES))
    )
    moved = None if record.moved is None else _cell(record.moved)
    turn = record.turn
    return RegenbogenState(
        board,
        (spells[0], spells[1]),
        turn,
        (_dead(board, 0), _dead(board, 1)),
        options,
        (digest(board, (spells[0], spells[1]), turn),),
        record.quiet,
        moved,
    )


def _array() -> dict[str, Any]:
    """Returns the pieces of RGB-7, with their start health."""
    return {
        cell: {"side": side, "kind": CLERIC_NAME}
        if name == CLERIC_NAME
        else {"side": side, "kind": "wizard", "color": name}
        for side in SIDES
        for cell, name in getattr(DATA.setup, side).items()
    }


def _cell(name: str) -> int:
    """Raises BadRecord: the board has no such cell."""
    if name not in CELL:
        raise BadRecord(f'The board has no cell "{name}" (RGB-6). Name one of its {len(CELLS)} cells.')
    return CELL[name]


def _board(pieces: Mapping[str, Any]) -> bytes:
    board = bytearray(len(CELLS))
    for name, one in pieces.items():
        board[_cell(name)] = _piece(one)
    return bytes(board)


def _piece(data: Any) -> int:
    """Returns a piece from its words, "white red wizard 5", or an object; without a number it has its start health.

    Raises:
        BadRecord: There is no such piece.
    """
    plain = _split(data) if isinstance(data, str) else data
    one = msgspec.convert(plain, _Piece)
    ranks = {"wizard": 0, "cleric": CLERIC, "spirit": SPIRITS}
    known = one.side in SIDES and one.kind in ranks and (one.color is None) == (one.kind == "cleric")
    if not known or (one.color is not None and one.color not in PLACE):
        raise BadRecord(f"{data!r} is no piece (RGB-3). Write it as in {words(piece(0, 0, START_HEALTH[0]))!r}.")
    kind = ranks[one.kind] + (0 if one.color is None else PLACE[one.color])
    health = START_HEALTH[kind] if one.health is None else one.health
    if health > START_HEALTH[kind]:
        raise BadRecord(f"{data!r} has more than its {START_HEALTH[kind]} health (RGB-4). Correct it.")
    return piece(SIDES.index(one.side), kind, health)


def _split(text: str) -> dict[str, Any]:
    parts = text.lower().split()
    found: dict[str, Any] = {"side": parts[0] if parts else ""}
    if parts and parts[-1].isdecimal():
        found["health"] = int(parts.pop())
    found["kind"] = parts[-1] if len(parts) > 1 else ""
    if len(parts) > 2:
        found["color"] = " ".join(parts[1:-1])
    return found


def written(situation: Situation) -> dict[str, Any]:
    """Returns a position in its written form, without earlier positions and without an open question."""
    pieces = {cell: words(one) for cell, one in zip(CELLS, situation.board, strict=True) if one}
    found = {"pieces": pieces, "spells": list(situation.spells), "turn": situation.turn, "quiet": situation.quiet}
    return found if situation.moved is None else {**found, "moved": CELLS[situation.moved]}


def _has_cleric(board: bytes, seat: int) -> bool:
    return any(OWNER[one] == seat and KIND[one] == CLERIC for one in board)


def _dead(board: bytes, seat: int) -> int:
    """Returns the Wizards that a side no longer has, a bit each (RGB-25)."""
    there = {KIND[one] for one in board if OWNER[one] == seat}
    return sum(1 << color for color in range(len(NAMES)) if color not in there)


def check(state: RegenbogenState) -> None:
    """Checks that a state can occur in a game.

    Raises:
        BadRecord: The state contradicts itself; the message gives the reason.
    """
    board = state.board
    for cell, one in zip(CELLS, board, strict=True):
        if one and (not 8 <= one < PIECES or one & 7 > START_HEALTH[KIND[one]]):
            raise BadRecord(f"{cell} holds no piece with a health that it can have (RGB-4). Correct it.")
    for seat, side in enumerate(SIDES):
        held = [KIND[one] for one in board if OWNER[one] == seat]
        for kind in range(SPIRITS):
            if held.count(kind) > 1:
                raise BadRecord(f"The position has two {called(kind)}s of {side} (RGB-4). Leave one.")
        for color in range(len(NAMES)):
            if min(state.pool(seat, color)) < 0:
                name = called(SPIRITS + color)
                raise BadRecord(f"{side.capitalize()} has more {name}s or health on them than there are (RGB-19).")
        if state.dead[seat] != _dead(board, seat):
            raise BadRecord(f"The dead Wizards of {side} are not those that the board lacks (RGB-25). Correct them.")
        if state.spells[seat] > (DATA.cleric.spells_max if _has_cleric(board, seat) else 0):
            raise BadRecord(
                f"{side.capitalize()}'s Cleric cannot have {state.spells[seat]} spells (RGB-4). Correct them."
            )
    _check_turn(state)


def _check_turn(state: RegenbogenState) -> None:
    if state.moved is not None:
        if OWNER[state.board[state.moved]] != state.turn:
            raise BadRecord(f"No piece of the side on turn stands on {CELLS[state.moved]} (RGB-9). Correct `moved`.")
        if not state.actions:
            raise BadRecord(f"The piece on {CELLS[state.moved]} can do nothing more, so its turn is over (RGB-9).")
    if state.last is not None and OWNER[state.board[state.last]] != 1 - state.turn:
        raise BadRecord(f"No piece on {CELLS[state.last]} has just ended its turn (RGB-9). Correct `last`.")
    if (state.moved is not None) + bool(state.saving) + bool(state.offer) > 1:
        raise BadRecord("A moved piece, a Cleric in danger and an offer cannot all wait at once. Correct the state.")
    if list(state.saving) != sorted(set(state.saving)):
        raise BadRecord("Each side is asked once whether its Cleric gives up a spell (RGB-17). Correct `saving`.")
    for seat in state.saving:
        if not state.spells[seat] or piece(seat, CLERIC, 0) not in state.board:
            raise BadRecord("Only a Cleric without health and with a spell can be saved (RGB-17). Correct `saving`.")
    if not state.history:
        if not state.saving:
            raise BadRecord("The history lacks the position itself (RGB-27). Start from a position.")
    elif state.moved is None and not state.saving and state.history[-1] != state.digest():
        raise BadRecord("The history does not end with the position itself (RGB-27). Start from a position.")


read = reader("Regenbogen", PositionForm, _state)


# Sets up a position from the tops that are seen, by finding the new cell of each piece of the record.
#
# A top shows neither owner nor health of its piece (RGB-29). So it is matched with the pieces of the record: the
# piece that stood there, else the only piece that left its cell and shows the same color, else a summoned Spirit.


def set_out(state: RegenbogenState, seen: Mapping[Spot, Sequence[Piece]]) -> RegenbogenState:
    """Returns the position with these tops on these cells; a piece keeps as much of its health as its top allows.

    Raises:
        BadEvent: No piece, or more than one, can show such a top.
        BadRecord: A side would have more Spirits, or health on them, than there are.
    """
    board = bytearray(state.board)
    left: list[int] = []
    come: list[tuple[Spot, Pyramid]] = []
    for spot, pieces in seen.items():
        one = board[CELL[spot]]
        shown = next((piece for piece in pieces if isinstance(piece, Pyramid)), None)
        if shown == state.tops[spot]:
            continue
        stays = None if shown is None or not one else _with_top(one, shown, state.spells[OWNER[one]])
        if one and stays is None:
            left.append(one)
        board[CELL[spot]] = stays or 0
        if shown is not None and stays is None:
            come.append((spot, shown))
    for spot, shown in come:
        able = [one for one in left if _with_top(one, shown, state.spells[OWNER[one]]) is not None]
        one = _moved(able, spot, shown, state) if able else _summoned(board, spot, shown)
        if able:
            left.remove(one)
        board[CELL[spot]] = _with_top(one, shown, state.spells[OWNER[one]]) or one
    return _written_back(state, bytes(board), state.turn)


def turns(state: RegenbogenState) -> dict[str, RegenbogenState]:
    """Returns the position before a move for each seat that may be to move (RGB-9)."""
    return {
        f"player {seat + 1} is on turn": state if seat == state.turn else _written_back(state, state.board, seat)
        for seat in range(len(SIDES))
    }


def _moved(able: Sequence[int], spot: Spot, shown: Pyramid, state: RegenbogenState) -> int:
    """Returns the piece, among those that may show the top, that has left its cell for another one."""
    same = {one for one in able if top(one, state.spells[OWNER[one]]) == shown}
    found = same or set(able)
    if len(found) == 1:
        return found.pop()
    several = " or ".join(sorted(f"the {called(KIND[one])} of {SIDES[OWNER[one]]}" for one in found))
    raise BadEvent(
        f"On {spot} may stand {several} (RGB-29). Tap {spot} on the board, and say which piece stands there."
    )


def _summoned(board: bytes | bytearray, spot: Spot, shown: Pyramid) -> int:
    """Returns the Spirit that a Wizard of its color has summoned there, preferably from an adjacent cell (RGB-19)."""
    wizards = [
        (cell, OWNER[one])
        for cell, one in enumerate(board)
        if one and KIND[one] < CLERIC and translucent(KIND[one]) == shown.color
    ]
    near = {owner for cell, owner in wizards if cell in NEIGHBORS[CELL[spot]]}
    owners = near or {owner for _, owner in wizards}
    if shown.size == "large" or not owners:
        raise BadEvent(
            f"No piece that has left its cell shows a {shown.color} {shown.size}, as {spot} does (RGB-29). Choose "
            f"another top, or tap {spot} on the board and say which piece stands there."
        )
    if len(owners) > 1:
        raise BadEvent(
            f"On {spot} may stand a Spirit of either side (RGB-29). Tap {spot} on the board, and say whose it is."
        )
    color = next(color for color in RED_FIRST if translucent(color) == shown.color)
    return piece(owners.pop(), SPIRITS + color, DATA.spirits.summon_health)


def _with_top(one: int, shown: Pyramid, spells: int) -> int | None:
    """Returns the piece with the health nearest to its own that shows a top; None if no health does."""
    kind = KIND[one]
    every = (piece(OWNER[one], kind, health) for health in range(START_HEALTH[kind] + 1))
    able = [other for other in every if top(other, spells) == shown]
    return min(able, key=lambda other: abs((other & 7) - (one & 7)), default=None)


def _written_back(state: RegenbogenState, board: bytes, turn: int) -> RegenbogenState:
    """Returns the position with another board and turn, before a move."""
    found = written(state)
    found.pop("moved", None)
    found["turn"] = turn
    found["pieces"] = {cell: words(one) for cell, one in zip(CELLS, board, strict=True) if one}
    for seat in range(len(SIDES)):
        if not any(one and OWNER[one] == seat and KIND[one] == CLERIC for one in board):
            found["spells"][seat] = 0
    return read(len(SIDES), state.options, found).checked(check)
