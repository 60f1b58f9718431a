"""The progress of a turn: the effect of a move, the next mover, and the end of turn and game (BRD-7 to BRD-35).

Every function takes a position and returns the next one; its caller has already checked that the event is legal.
"""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec.structs import replace

from companion.core.contract import Seat
from companion.games.spectrum.board import SPACE, STARS, STARTS, STEP, STOCK
from companion.games.spectrum.listing import Playable, colors_of, is_alive, playable
from companion.games.spectrum.moves import Ends, Go, PlacePawn, Swap, TakeOff
from companion.games.spectrum.options import STARS_NEEDED
from companion.games.spectrum.situation import (
    COLOR_OF_LETTER,
    EMPTY,
    LETTER,
    LETTERS,
    Ending,
    Extras,
    Held,
    Phase,
    Situation,
)
from companion.games.spectrum.usages import Usage

S = TypeVar("S", bound=Situation)
Masks = tuple[int, ...]


def with_pawn(board: str, space: int, letter: str) -> str:
    """Returns the board with something else on a space."""
    return board[:space] + letter + board[space + 1 :]


def same_board(state: S, **changes: Any) -> S:
    """Returns the position with other fields; derived values of the board are kept."""
    after = replace(state, **changes)
    after.__dict__["masks"] = state.masks
    return after


def with_mask(masks: Masks, seat: Seat, mask: int) -> Masks:
    """Returns the masks with another one for a seat."""
    return (*masks[:seat], mask, *masks[seat + 1 :])


def rolled(state: S, roll: tuple[str, ...]) -> S:
    """Returns the position after a roll, given in the order of the wheel; its usages are known then (BRD-8)."""
    return _usable(_next(state, state.board, state.masks, "declare", roll, still=state.still))


def cards_drawn(state: S, extras: Extras) -> S:
    """Returns the position after all cards that replace the dice are drawn (VAR-6)."""
    return _usable(_next(state, state.board, state.masks, "declare", extras=extras, still=state.still))


def _usable(state: S) -> S:
    """Returns the position after the automatic declaration if only one usage can be played; if none can, the turn
    passes (BRD-28).
    """
    usages = state.usages
    alive = usages if len(usages) == 1 else tuple([one for one in usages if is_alive(state, state.ground, one)])
    if len(alive) > 1:
        state.__dict__["alive"] = alive
        return state
    if alive:
        first = playable(state, alive[0], alive[0].all_parts)
        if first.moves:
            return _in_use(state, alive[0], first)
    if state.is_solo:
        return over(state, "lost")
    return same_board(state, phase="pass")


def reconsidered(state: S) -> S:
    """Returns the position in which the same roll or cards are used anew on a changed board."""
    return _usable(_next(state, state.board, state.masks, "declare", still=state.still))


def declared(state: S, usage: Usage) -> S:
    """Returns the position after a usage that has a legal move was declared."""
    return _in_use(state, usage, playable(state, usage, usage.all_parts))


def _in_use(state: S, usage: Usage, first: Playable) -> S:
    after = _next(state, state.board, state.masks, "move", state.roll, usage.name, first.left)
    after.__dict__["used"] = usage
    after.__dict__["moves"] = first.moves
    return after


def _next(
    state: S,
    board: str,
    masks: Masks,
    phase: Phase,
    roll: tuple[str, ...] | None = None,
    usage: str = "",
    left: int = 0,
    walked: tuple[tuple[int, int], ...] = (),
    held: Held | None = None,
    still: int = 0,
    extras: Extras | None = None,
) -> S:
    """Returns a position later in the same turn."""
    after = type(state)(
        state.options,
        state.teams,
        board,
        state.turn,
        phase,
        state.roll if roll is None else roll,
        usage,
        left,
        walked,
        held,
        state.again,
        still,
        "",
        state.extras if extras is None else extras,
    )
    after.__dict__["masks"] = masks
    return after


def gone(state: S, go: Go, ends: Ends) -> S:
    """Returns the position after a pawn of the seat to move has moved."""
    usage, origin, space = state.used, ends.origin, ends.space
    walked = state.walked
    if usage.plain:
        single = STARTS if origin >= STOCK else STEP[origin]
        left = state.left - 1 if single >> space & 1 else 0
    else:
        place = usage.place_of(state.left, go.part, space)
        left = state.left & ~(1 << place)
        if left:
            part = usage.parts[place]
            walk = space, colors_of(state, go, origin, space, part)
            walked = (*[one for one in walked if one[0] not in (origin, space)], walk)
    return carried(state, origin, space, usage, left, walked)


def carried(state: S, origin: int, space: int, usage: Usage, left: int, walked: tuple[tuple[int, int], ...]) -> S:
    """Returns the position after a pawn of the seat to move arrives; a pawn that stood there is captured (BRD-16,
    BRD-24, BRD-25).
    """
    board, masks, turn = state.board, state.masks, state.turn
    there = board[space]
    mine = masks[turn] | 1 << space
    if origin >= STOCK:
        board = with_pawn(board, space, LETTERS[origin - STOCK])
    else:
        board = with_pawn(with_pawn(board, space, board[origin]), origin, EMPTY)
        mine &= ~(1 << origin)
    masks = with_mask(masks, turn, mine)
    if there != EMPTY:
        color = COLOR_OF_LETTER[there]
        seat = state.owner[color]
        if seat != turn:
            masks = with_mask(masks, seat, masks[seat] & ~(1 << space))
        if _union(masks) & STARTS != STARTS:
            walk = dict(state.walked).get(space)
            return _next(state, board, masks, "place", None, usage.name, left, walked, Held(color, turn, walk))
    elif STARS >> space & 1:
        return _star_taken(state, board, masks, usage, left, walked)
    return go_on(state, board, masks, usage, left, walked)


def _union(masks: Masks) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _star_taken(state: S, board: str, masks: Masks, usage: Usage, left: int, walked: tuple[tuple[int, int], ...]) -> S:
    """Returns the position after a color is captured: the game may be won, and a first color brings a portal (BRD-29,
    VAR-18, VAR-26).
    """
    options = state.options
    mine = (masks[state.turn] & STARS).bit_count()
    to_the_end = options.weighted and options.weighted_end == "all"
    if mine >= STARS_NEEDED[len(masks)] and not to_the_end:
        return over(_next(state, board, masks, "move"), "stars")
    if _union(masks) & STARS == STARS:
        return over(_next(state, board, masks, "move"), "all")
    if mine == 1 and options.portals:
        return _next(state, board, masks, "bonus", None, usage.name, left, walked)
    return go_on(state, board, masks, usage, left, walked)


def go_on(
    state: S,
    board: str,
    masks: Masks,
    usage: Usage,
    left: int,
    walked: tuple[tuple[int, int], ...],
    extras: Extras | None = None,
) -> S:
    """Returns the position at the next move of the turn, or after the turn if there is none (BRD-27)."""
    if left:
        after = _next(state, board, masks, "move", None, usage.name, left, walked, extras=extras)
        following = playable(after, usage, left)
        if following.moves:
            if following.left != left:
                after = _next(state, board, masks, "move", None, usage.name, following.left, walked, extras=extras)
            after.__dict__["used"] = usage
            after.__dict__["moves"] = following.moves
            return after
    return turn_over(state, board, masks, usage.special, 0, extras)


def turn_over(state: S, board: str, masks: Masks, special: bool, still: int, extras: Extras | None = None) -> S:
    """Returns the position after all moves: an extra roll by the speed rule, portals, or the next player's turn
    (BRD-33, VAR-23).
    """
    options = state.options
    extras = state.extras if extras is None else extras
    if options.cards_as_dice:
        extras = replace(extras, drawn=(), discards=(*extras.discards, *extras.drawn))
    if options.speed_rule and special and not state.again:
        phase: Phase = "cards" if options.cards_as_dice else "roll"
        return _turned(state, board, masks, state.turn, phase, True, still, extras)
    if options.portals:
        extras = replace(extras, asked=0)
        return _turned(state, board, masks, state.turn, "end", False, still, extras)
    return next_turn(state, board, masks, still, extras)


def next_turn(state: S, board: str, masks: Masks, still: int, extras: Extras) -> S:
    """Returns the position at the beginning of the next seat's turn."""
    seat = (state.turn + 1) % len(masks)
    return _turned(state, board, masks, seat, _first_phase(state, masks[seat]), False, still, extras)


def _first_phase(state: Situation, pawns: int) -> Phase:
    """Returns the first phase of a turn; it depends on whether moves before the roll are possible (BRD-32, VAR-20,
    VAR-23).
    """
    options = state.options
    if options.portals or options.missions or (options.surrender and pawns & ~STARS):
        return "start"
    return "cards" if options.cards_as_dice else "roll"


def first_turn(state: S) -> S:
    """Returns the position after the set-up, at the first turn."""
    seat = state.starting_order()[0]
    phase = _first_phase(state, state.masks[seat])
    return same_board(state, turn=seat, phase=phase, roll=(), usage="", left=0)


def _turned(state: S, board: str, masks: Masks, seat: Seat, phase: Phase, again: bool, still: int, extras: Extras) -> S:
    after = type(state)(
        state.options, state.teams, board, seat, phase, state.roll, "", 0, (), None, again, still, "", extras
    )
    after.__dict__["masks"] = masks
    return after


def begun(state: S) -> S:
    """Returns the position after the seat to move begins its turn."""
    return same_board(state, phase=_first_phase(state, state.masks[state.turn]))


def any_alive(state: Situation) -> bool:
    """True if some usage of the roll or the cards has a legal move (BRD-28)."""
    return any(is_alive(state, state.ground, usage) for usage in state.usages)


def over(state: S, ending: Ending) -> S:
    """Returns the game has ended."""
    return same_board(state, phase="over", usage="", left=0, walked=(), held=None, ending=ending)


def put_back(state: Situation, held: Held, place: PlacePawn) -> tuple[str, Masks]:
    """Returns the board and masks with a captured pawn on the space that a move names (BRD-24)."""
    space = SPACE[place.to]
    seat = state.owner[held.color]
    masks = with_mask(state.masks, seat, state.masks[seat] | 1 << space)
    return with_pawn(state.board, space, LETTER[held.color]), masks


def placed(state: S, place: PlacePawn) -> S:
    """Returns the position after the captured pawn is put on a start; the turn goes on (BRD-24)."""
    held = state.held
    assert held is not None
    board, masks = put_back(state, held, place)
    walked = state.walked if held.walk is None else (*state.walked, (SPACE[place.to], held.walk))
    return go_on(state, board, masks, state.used, state.left, walked)


def passed(state: S) -> S:
    """Returns the position after no move was possible this turn; a full round of that ends a game for all colors
    (BRD-28, VAR-18).
    """
    options = state.options
    still = state.still + 1
    if options.weighted and options.weighted_end == "all" and still >= state.seats:
        return over(replace(state, still=still), "stuck")
    return turn_over(state, state.board, state.masks, False, still)


def swapped(state: S, swap: Swap) -> S:
    """Returns the position after two pawns have exchanged their places, which ends the turn (VAR-16)."""
    one, other = SPACE[swap.one], SPACE[swap.other]
    board = with_pawn(with_pawn(state.board, one, state.board[other]), other, state.board[one])
    after = replace(state, board=board)
    return turn_over(after, board, after.masks, False, 0)


def going_to_roll(state: S) -> S:
    """Returns the position after the moves before the roll."""
    phase: Phase = "cards" if state.options.cards_as_dice else "roll"
    return same_board(state, phase=phase, extras=_asked_anew(state.extras))


def _asked_anew(extras: Extras) -> Extras:
    return replace(extras, asked=0) if extras.asked else extras


def surrendering(state: S) -> S:
    """Returns the position after the decision to surrender a pawn instead of rolling (BRD-32)."""
    return same_board(state, phase="off", extras=_asked_anew(state.extras))


def taken_off(state: S, off: TakeOff) -> S:
    """Returns the position after the surrendered pawn is in stock and the turn is over (BRD-32)."""
    space = SPACE[off.pawn]
    board = with_pawn(state.board, space, EMPTY)
    masks = with_mask(state.masks, state.turn, state.masks[state.turn] & ~(1 << space))
    return turn_over(state, board, masks, False, 0)


def ended(state: S) -> S:
    """Returns the position after the last portal of a turn: the next player's turn begins (VAR-23)."""
    return next_turn(state, state.board, state.masks, state.still, _asked_anew(state.extras))
