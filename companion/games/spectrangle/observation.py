"""Predicts the reading of a position, and infers the event that explains a change."""

from __future__ import annotations

from companion.core.contract import Drawn, ToDraw
from companion.core.layout import Detection, Layout
from companion.core.pieces import TILES, Tile
from companion.games.spectrangle.board import CELLS, EMPTY, LIES, NUMBER, SIGHTINGS, SPOTS, UNKNOWN, letters_on
from companion.games.spectrangle.moves import EXCHANGES, PLACES, Exchange, PlaceTile
from companion.games.spectrangle.situation import Situation
from companion.games.spectrangle.violations import hand_spot

_SIGHTINGS = {**SIGHTINGS, EMPTY * 3: Detection.sure(None)}
_IN_HAND = tuple(Detection.sure(tile) for tile in TILES)


def layout(situation: Situation) -> Layout:
    """Returns every cell, empty or not, and the tiles of each hand that is known throughout.

    Before the start is decided a hand's heap holds the tiles drawn for it; "aside" is a tile put aside for an exchange.
    """
    board = situation.board
    sightings = [_SIGHTINGS[board[begin : begin + 3]] for begin in range(0, len(board), 3)]
    cells = dict(zip(SPOTS, sightings, strict=True))
    held = situation.lots or situation.hands
    heaps = {
        hand_spot(seat): tuple([_IN_HAND[number] for number in held[seat]])
        for seat, hidden in enumerate(situation.hidden)
        if not hidden
    }
    if situation.aside is not None and situation.aside != UNKNOWN:
        heaps["aside"] = (_IN_HAND[situation.aside],)
    return Layout(cells, heaps)


def infer_event(situation: Situation, seen: Layout) -> PlaceTile | Exchange | Drawn | None:
    """Returns the event that best explains the change from the position to `seen`, by the best candidates; None without
    one.

    One new tile on an empty cell is a placement, whoever may hold that tile. If the board is unchanged, new tiles in a
    hand are a draw, and one tile swapped in the hand of the seat to move is an exchange. Anything else is None.
    """
    changed = [
        cell
        for cell in range(CELLS)
        if (sighting := seen.cells.get(SPOTS[cell])) is not None
        and _letters(sighting) != letters_on(situation.board, cell)
    ]
    if len(changed) > 1:
        return None
    if changed:
        return _place(situation, changed[0], seen.cells[SPOTS[changed[0]]])
    return _hand_change(situation, seen)


def _letters(sighting: Detection) -> str:
    """Returns a reading as the board writes it; its colors identify the tile (TRI-2)."""
    piece = sighting.piece
    return piece.edges if isinstance(piece, Tile) else EMPTY * 3


def _place(situation: Situation, cell: int, sighting: Detection) -> PlaceTile | None:
    if letters_on(situation.board, cell) != EMPTY * 3:
        return None
    lie = LIES.get(_letters(sighting))
    return None if lie is None else PLACES[cell][lie.letters]


def _hand_change(situation: Situation, seen: Layout) -> Exchange | Drawn | None:
    changes = []
    for seat, hand in enumerate(situation.lots or situation.hands):
        heap = seen.heaps.get(hand_spot(seat))
        if heap is None or situation.hidden[seat]:
            continue
        there = {NUMBER.get(sighting.piece, UNKNOWN) for sighting in heap}
        if UNKNOWN in there:
            return None
        if there != set(hand):
            changes.append((seat, set(hand) - there, there - set(hand)))
    if len(changes) != 1:
        return None
    seat, gone, come = changes[0]
    if come and not gone:
        return Drawn(seat, tuple(TILES[number] for number in sorted(come)))
    due = situation.expects()
    if len(gone) == len(come) == 1 and seat == situation.turn and not isinstance(due, ToDraw):
        return EXCHANGES[gone.pop()]
    return None
