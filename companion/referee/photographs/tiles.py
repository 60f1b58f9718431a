"""Reports on a Spectrangle board in photographs: whether each tile is legal where it lies, and the points of each
turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from companion.core.foundation.errors import BadRecord, CompanionError
from companion.games import GAMES
from companion.games.spectrangle.board import BONUS, LIES, SPOTS
from companion.games.spectrangle.moves import PlaceTile
from companion.games.spectrangle.options import Options
from companion.referee.photographs.report import Note, PhotoReport, Turn

_GAME = GAMES["spectrangle"]
_OPTIONS = {"hands": "unseen"}
_AT_ONCE = 3
"""The largest number of new tiles in one photograph for which every order is tried."""

Board = dict[int, str]
"""The letters of the tiles by cell."""


def tile_report(readings: Sequence[Mapping[str, Any]], seats: int) -> PhotoReport:
    """Returns the notes on the last board, the turns between the boards, and the totals."""
    boards = [_board(reading) for reading in readings]
    notes = _notes(boards[-1], seats)
    turns: list[Turn] = []
    seat, before = 0, Board()
    for number, board in enumerate(boards):
        if number == 0 and len(board) != 1:
            before = board  # a game that is under way: the tiles that are already there score for no player
            continue
        turn = _turn(before, board, seat, seats)
        turns.append(turn)
        seat, before = (seat + 1) % seats, board
    totals = [0] * seats
    for turn in turns:
        totals[turn.seat] += turn.points or 0
    position = {
        "board": {SPOTS[cell]: letters for cell, letters in boards[-1].items()},
        "to_move": seat,
        "scores": totals,
    }
    sound = _position(boards[-1], seats) is not None
    return PhotoReport(
        tuple(notes), tuple(turns), tuple(totals) if turns else (), position if sound else None, dict(_OPTIONS)
    )


def _board(reading: Mapping[str, Any]) -> Board:
    cells = reading["cells"]
    if len(cells) != len(SPOTS):
        raise BadRecord(f"A board has {len(SPOTS)} cells, not {len(cells)}. Take the photograph again.")
    board = Board()
    for cell, tile in enumerate(cells):
        if tile is not None:
            letters = f"{tile['left']}{tile['right']}{tile['flat']}"
            if letters not in LIES:
                raise BadRecord(f"{SPOTS[cell]} cannot hold {letters[:9]}, which is no tile. Correct it.")
            board[cell] = LIES[letters].letters
    return board


def _position(board: Board, seats: int) -> Any | None:
    """Returns the state with this board and unseen hands; None if the board is impossible."""
    plain = {"board": {SPOTS[cell]: letters for cell, letters in board.items()}, "to_move": 0}
    try:
        return _GAME.from_record(seats, Options(hands="unseen"), plain)
    except CompanionError:
        return None


def _notes(board: Board, seats: int) -> list[Note]:
    """Returns a sentence for each tile, or only for the tiles that are there twice."""
    notes = []
    where: dict[int, int] = {}
    for cell, letters in board.items():
        tile = LIES[letters].number
        if tile in where:
            text = f"{LIES[letters].name} lies on {SPOTS[where[tile]]} and on {SPOTS[cell]}; the set has it once."
            notes.append(Note(text, "TRI-1", SPOTS[cell], broken=True))
        where[tile] = cell
    if notes:
        return notes
    for cell, letters in board.items():
        rest = {other: there for other, there in board.items() if other != cell}
        state = _position(rest, seats)
        name = f"{LIES[letters].name} on {SPOTS[cell]}"
        # The first tile of the game had no neighbors; it is judged as if it came last.
        broken = () if state is None else state.violations(PlaceTile(cell, LIES[letters].tile))
        if broken:
            notes += [Note(f"{name}: {one.text}", one.rule, SPOTS[cell], broken=True) for one in broken[:1]]
        else:
            notes.append(Note(f"{name} may lie there.", "TRI-11" if rest else "TRI-8", SPOTS[cell]))
    if len(board) > 1 and not any(note.broken for note in notes) and not _reachable(board, seats):
        notes.append(
            Note("No order of play leads to this board from a first tile on a plain cell.", "TRI-8", broken=True)
        )
    return notes


def _reachable(board: Board, seats: int) -> bool:
    """True if the tiles can have been placed one after the other, each legally."""
    for first in board:
        if first in BONUS:
            continue
        laid, left = {first: board[first]}, {cell: there for cell, there in board.items() if cell != first}
        grown = True
        while left and grown:
            state = _position(laid, seats)
            grown = False
            for cell, letters in list(left.items()):
                if state is not None and not state.violations(PlaceTile(cell, LIES[letters].tile)):
                    laid[cell] = left.pop(cell)
                    grown = True
                    break
        if not left:
            return True
    return False


def _turn(before: Board, after: Board, seat: int, seats: int) -> Turn:
    who = f"Player {seat + 1}"
    gone = sorted(cell for cell, letters in before.items() if after.get(cell) != letters)
    if gone:
        spots = ", ".join(SPOTS[cell] for cell in gone)
        return Turn(seat, f"{who}: what lay on {spots} lies there no longer (TRI-13).", None)
    new = [cell for cell in after if cell not in before]
    if not new:
        return Turn(seat, f"{who} placed nothing.", 0)
    if len(new) > _AT_ONCE:
        return Turn(seat, f"{who}: {len(new)} tiles have come. Take a photo after each turn.", None)
    found = {points for order in permutations(new) if (points := _points(before, after, order, seats)) is not None}
    named = " and ".join(f"{LIES[after[cell]].name} on {SPOTS[cell]}" for cell in new)
    if not found:
        return Turn(seat, f"{who}: {named} is not allowed.", 0)
    if len(new) > 1:
        open_points = " or ".join(str(points) for points in sorted(found))
        return Turn(seat, f"{who}: {named} have come, for {open_points} points together.", None)
    return Turn(seat, f"{who}: {named}.", found.pop())


def _points(before: Board, after: Board, order: Sequence[int], seats: int) -> int | None:
    """Returns the points of new tiles in this order; None if one of them is illegal."""
    board, total = dict(before), 0
    for cell in order:
        state = _position(board, seats)
        move = PlaceTile(cell, LIES[after[cell]].tile)
        if state is None or state.violations(move):
            return None
        total += state.apply(move).scores()[0].total
        board[cell] = after[cell]
    return total
