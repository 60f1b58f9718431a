"""The position after an illegal event that the whole table lets stand.

Only what the pieces permit is carried out. A pawn's move of the seat on turn uses up the part at hand, the rest of a
plain roll, or a whole roll of undeclared usage; any other event moves pawns and leaves the turn where it is.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from companion.core.contract import Rolled
from companion.core.pieces import PRIMARIES
from companion.games.spectrum import portals, told, turns
from companion.games.spectrum.board import SPACE, STARS, STOCK
from companion.games.spectrum.listing import playable
from companion.games.spectrum.moves import (
    Declare,
    Ends,
    EndTurn,
    Fulfil,
    Go,
    Pass,
    PlacePawn,
    Roll,
    SpectrumEvent,
    Surrender,
    Swap,
    TakeOff,
    ends_of,
)
from companion.games.spectrum.situation import COLOR_OF_LETTER, EMPTY, LETTERS, Situation

S = TypeVar("S", bound=Situation)


def allowed(state: S, event: SpectrumEvent) -> S | None:
    """The position after an illegal event that stands; None if it cannot be carried out."""
    match event:
        case Go():
            ends = ends_of(event)
            return None if ends is None else _gone(state, ends)
        case PlacePawn():
            return _placed(state, event)
        case TakeOff():
            return _taken_off(state, event)
        case Swap():
            return _swapped(state, event)
        case Declare() if state.phase in ("declare", "move"):
            usage = state.usage_named(event.usage)
            if usage is None or not playable(state, usage, usage.all_parts).moves:
                return None
            return turns.declared(state, usage)
        case Pass() if state.phase in ("declare", "move"):
            return turns.passed(state)
        case Roll() if state.phase == "end":
            return turns.going_to_roll(turns.ended(state))
        case Surrender() if state.phase in ("roll", "cards") and state.pawns_on_paths(state.turn):
            return turns.surrendering(state)
        case Rolled() if state.phase in ("declare", "move"):
            return _rolled(state, event)
        case EndTurn() if state.phase in ("roll", "cards", "move", "declare", "start"):
            return turns.passed(state)
        case Fulfil() if state.options.missions and state.phase in ("roll", "move", "end", "start"):
            return portals.declared_missions(state) if event.seat == state.turn else None
    return None


def _rolled(state: S, rolled: Rolled) -> S | None:
    """The next player has rolled although something could still be played."""
    special = state.phase == "move" and state.used.special
    after = turns.turn_over(state, state.board, state.masks, special, 0)
    return None if told.impossible(after, rolled) or told.untimely(after, rolled) else told.done(after, rolled)


def _gone(state: S, ends: Ends) -> S | None:
    """The position after a pawn of any player moved; one of the seat on turn uses up the part at hand."""
    origin, space = ends.origin, ends.space
    board = state.board
    if origin == space or (board[space] != EMPTY and STARS >> space & 1) or state.held is not None:
        return None
    if state.phase in ("set-up", "drawing", "send", "bonus"):
        return None
    if origin >= STOCK:
        color = PRIMARIES[origin - STOCK]
        if color not in state.owner or not state.stock(color):
            return None
    elif board[origin] == EMPTY or STARS >> origin & 1:
        return None
    letter = LETTERS[origin - STOCK] if origin >= STOCK else board[origin]
    own = state.owner[COLOR_OF_LETTER[letter]] == state.turn
    if own and state.phase in ("declare", "pass"):
        return turns.carried(state, origin, space, state.usages[0], 0, ())
    if own and state.phase == "move":
        usage = state.used
        left = 0 if usage.plain else state.left & (state.left - 1)
        return turns.carried(state, origin, space, usage, left, state.walked)
    # Outside of a turn's moves a captured pawn simply leaves the board: nobody is due to put it anywhere.
    board = turns.with_pawn(board, space, letter)
    if origin < STOCK:
        board = turns.with_pawn(board, origin, EMPTY)
    return _again(replace(state, board=board))


def _again(state: S) -> S:
    """The same point of the turn on a changed board; if no part can be played, the turn is over."""
    if state.phase == "move":
        left = playable(state, state.used, state.left)
        if not left.moves:
            return turns.turn_over(state, state.board, state.masks, state.used.special, 0)
        return state if left.left == state.left else replace(state, left=left.left)
    if state.phase in ("declare", "pass"):
        return turns.reconsidered(state)
    return state


def _placed(state: S, place: PlacePawn) -> S | None:
    """The captured pawn stands on another space that is free."""
    held, space = state.held, SPACE.get(place.to)
    if held is None or space is None or state.board[space] != EMPTY or place.pawn != held.color:
        return None
    put = PlacePawn(held.seat, held.color, place.to)
    return turns.placed(state, put) if state.extras.activation is None else portals.placed(state, put)


def _taken_off(state: S, off: TakeOff) -> S | None:
    """A pawn of anyone is off the board; the one of the seat on turn was surrendered, late as it was."""
    space = SPACE.get(off.pawn)
    if space is None or state.board[space] == EMPTY or STARS >> space & 1 or state.held is not None:
        return None
    if state.masks[state.turn] >> space & 1 and state.phase in ("off", "start", "roll", "cards"):
        return turns.taken_off(state, off)
    return _again(replace(state, board=turns.with_pawn(state.board, space, EMPTY)))


def _swapped(state: S, swap: Swap) -> S | None:
    one, other = SPACE.get(swap.one), SPACE.get(swap.other)
    if one is None or other is None or EMPTY in (state.board[one], state.board[other]) or one == other:
        return None
    if state.phase == "move" and state.used.exchange is not None:
        return turns.swapped(state, swap)
    return None
