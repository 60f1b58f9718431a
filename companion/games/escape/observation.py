"""Predicts the reading of a position, and finds the legal events that explain a seen table.

Cells are the 108 board spaces; heaps are the common dice, each seat's personal die, its stock and its escaped pawns. A
used die may be removed or stay in place, so used dice are `covered`: a reading may show them or not. Before a roll all
dice are covered, since players may hold them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.core.contract import Rolled, Seat
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import PRIMARIES, WHEEL, Die, Pawn, Piece
from companion.games.escape.moves import AT, OUT, SPOTS, EscapeEvent, Lose, Move, Play, Withdraw
from companion.games.escape.options import NEEDED
from companion.games.escape.situation import OTHER, Situation, dice_of
from companion.games.escape.violations import personal_spot
from companion.games.shared.color_dice import D6, D12, SIX, TWELVE, readings

DICE: Spot = "dice"
"""The heap of common dice."""
FLOOR = 0.02
"""Candidates less likely than this are ignored."""
SURE = 0.9
"""A reading with less confidence than this may be anything that a move would explain."""

_EMPTY = Detection.sure(None)
_EMPTY_BOARD: dict[Spot, Detection] = dict.fromkeys(AT, _EMPTY)
PAWN = {color: Pawn(color) for color in PRIMARIES}
_PAWNS = {color: Detection.sure(pawn) for color, pawn in PAWN.items()}
_DIE_SIGHTINGS = {one: Detection.sure(one) for one in (*SIX, *TWELVE) if one is not None}


_NO_DICE: dict[int, dict[Spot, tuple[Detection, ...]]] = {
    seats: dict.fromkeys((DICE, *map(personal_spot, range(seats))), ()) for seats in NEEDED
}
"""Number of seats to the empty heaps of the dice before the first roll."""


def stock_spot(seat: Seat) -> Spot:
    """Returns the heap of a seat's pawns in stock."""
    return f"seat{seat}.stock"


def escaped_spot(seat: Seat) -> Spot:
    """Returns the heap of a seat's escaped pawns."""
    return f"seat{seat}.escaped"


def common_die(code: int) -> Die:
    """Returns the common die of a code, which is its color, plus 12 if the die has twelve sides."""
    cube = SIX[code] if code < 12 else TWELVE[code - 12]
    assert cube is not None
    return cube


def personal_die(situation: Situation, seat: Seat) -> Die:
    """Returns the personal die of a seat; between rounds, the die that still lies there from the last round."""
    round_ = situation.round if situation.rolled else OTHER[situation.round]
    found = SIX[situation.personal[seat]] if round_ == "d6" else TWELVE[situation.personal[seat]]
    assert found is not None
    return found


def layout(situation: Situation) -> Layout:
    """Returns every space, and the heaps beside the board."""
    cells = _EMPTY_BOARD.copy()
    heaps: dict[Spot, tuple[Detection, ...]] = {}
    covered: dict[Spot, tuple[Piece, ...]] = {}
    for color, column in enumerate(situation.columns):
        for seat, position in enumerate(column):
            if position:
                cells[SPOTS[color][position]] = _PAWNS[situation.colors[seat]]
    for seat, name in enumerate(situation.colors):
        heaps[stock_spot(seat)] = (_PAWNS[name],) * situation.stock(seat)
        heaps[escaped_spot(seat)] = (_PAWNS[name],) * situation.escaped[seat]
    heaps |= _NO_DICE[situation.seats]
    if situation.personal:
        common = tuple([common_die(code) for code in sorted((*situation.unused, *situation.used))])
        heaps[DICE] = tuple([_DIE_SIGHTINGS[one] for one in common])
        spent = {code % 12 for code in situation.used}
        free = tuple([one for one in common if not situation.rolled or WHEEL.index(str(one.face)) in spent])
        if free:
            covered[DICE] = free
        for seat in range(situation.seats):
            own = personal_die(situation, seat)
            heaps[personal_spot(seat)] = (_DIE_SIGHTINGS[own],)
            covered[personal_spot(seat)] = (own,)
    return Layout(cells, heaps, covered)


class SeatChange(NamedTuple):
    """The pawns that came to spaces where that seat had none, and the pawns that are gone, by best candidates."""

    came: tuple[tuple[Seat, int, int], ...]
    """The seat, color and position of each pawn that came."""
    gone: tuple[tuple[Seat, int, int], ...]


def change(situation: Situation, seen: Layout) -> SeatChange:
    """Returns the change of the board; spaces that were not looked at have none."""
    seats = {color: seat for seat, color in enumerate(situation.colors)}
    came, gone = [], []
    for spot, (color, position) in AT.items():
        sighting = seen.cells.get(spot)
        if sighting is None:
            continue
        column = situation.columns[color]
        had = column.index(position) if position in column else None
        piece = sighting.piece
        has = seats.get(piece.color) if isinstance(piece, Pawn) else None
        if has is not None and has != had:
            came.append((has, color, position))
        if had is not None and had != has:
            gone.append((had, color, position))
    return SeatChange(tuple(came), tuple(gone))


def candidates(situation: Situation, seen: Layout) -> tuple[EscapeEvent, ...]:
    """Returns the legal events that may be the next step from the position toward `seen`."""
    if situation.ending is not None:
        return ()
    if not situation.rolled:
        return tuple(Rolled(faces) for faces in rolls(situation, seen))
    arrived = {(seat, color) for seat, color, _ in change(situation, seen).came}
    return tuple([move for move in situation.moves if _is_plausible(situation, seen, move, arrived)])


def _is_plausible(situation: Situation, seen: Layout, move: Move, arrived: set[tuple[Seat, int]]) -> bool:
    """True if the picture bears a legal move out, or might.

    Args:
        arrived: Seats and colors in which a pawn stands on another space than before.
    """
    if isinstance(move, Lose):
        return True
    color = WHEEL.index(move.color)
    here = situation.columns[color][move.seat]
    leaves = isinstance(move, Withdraw) or move.to == OUT
    if leaves and (move.seat, color) in arrived and not _twice(situation, move.seat, color):
        return False
    if not leaves and isinstance(move, Play):
        sighting = seen.cells.get(SPOTS[color][move.to])
        if sighting is not None:
            goes_on = (move.seat, color) in arrived and _twice(situation, move.seat, color)
            shows = sighting.probability(PAWN[situation.colors[move.seat]]) >= FLOOR
            return goes_on or shows or sighting.confidence < SURE
    sighting = seen.cells.get(SPOTS[color][here]) if here else None
    return sighting is None or sighting.piece != PAWN[situation.colors[move.seat]] or sighting.confidence < SURE


def _twice(situation: Situation, seat: Seat, color: int) -> bool:
    """True if a seat may move in one color by both dice, and so escape and enter again."""
    return situation.personal[seat] == color and color in situation.open_colors() and not situation.done[seat]


def rolls(situation: Situation, seen: Layout) -> Iterator[tuple[Die, ...]]:
    """Yields the faces that the dice on the table may show as the next roll: personal dice by seat, then the common
    dice.
    """
    seats = situation.seats
    kinds = dice_of(situation.round, seats)
    personal: list[Die] = []
    for seat in range(seats):
        found = list(readings(seen.heaps.get(personal_spot(seat), ()), kinds[:1]))
        if not found:
            return
        personal += found[0]
    for common in readings(seen.heaps.get(DICE, ()), kinds[seats:]):
        order = {D6: 0, D12: 1}
        yield (*personal, *sorted(common, key=lambda one: (order[one.kind], WHEEL.index(str(one.face)))))
