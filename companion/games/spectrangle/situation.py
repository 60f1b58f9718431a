"""The data of a position of Spectrangle: tiles, scores and whose turn it is, and the legal moves.

The fields are the whole position. Derived values (openings, placements, draws owed, the end) are computed once and kept
beside them; `State` passes them on if an event leaves them unchanged.
"""

from __future__ import annotations

from itertools import chain
from typing import Annotated

from msgspec import Meta, Struct

from companion.core.contract import Expect, Over, Seat, ToDraw, ToMove
from companion.core.pieces import TILES
from companion.games.shared.lazy import lazy
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrangle.board import BONUS, EMPTY, EMPTY_BOARD, FACING, UNKNOWN
from companion.games.spectrangle.moves import EXCHANGE_HIDDEN, EXCHANGES, PASS, Move, PlaceTile
from companion.games.spectrangle.options import Options
from companion.games.spectrangle.placements import TABLES, Openings, matching_edges

# Decides who begins: each seat draws a tile, the highest value begins, ties draw again (TRI-7).
#
# `Lots` holds the draws of each seat; the next draw and the winner follow from them.

Lots = tuple[tuple[int, ...], ...]
"""For each seat, numbers of the tiles drawn for the start, the first one first."""


def due(lots: Lots) -> tuple[Seat, ...]:
    """Returns the seats that must still draw in this round; empty once a seat has won."""
    tied = tuple(range(len(lots)))
    drawn = 0
    while len(tied) > 1:
        waiting = tuple([seat for seat in tied if len(lots[seat]) == drawn])
        if waiting:
            return waiting
        values = [TILES[lots[seat][drawn]].value for seat in tied]
        best = max(values)
        tied = tuple([seat for seat, value in zip(tied, values, strict=True) if value == best])
        drawn += 1
    return ()


def winner(lots: Lots, waiting: tuple[Seat, ...], bag: int) -> Seat | None:
    """Returns the seat that begins; None while that is open. `waiting` holds the seats that are `due`.

    A bag too small for another round cannot break the tie; then the first of the tied seats begins (a ruling of TRI-7).
    """
    if not waiting:
        values = [[TILES[number].value for number in lot] for lot in lots]
        return values.index(max(values))
    if bag >= len(waiting):
        return None
    rounds = max([len(lot) for lot in lots])
    return waiting[0] if rounds and all(len(lots[seat]) == rounds for seat in waiting) else None


HAND = 4
"""The number of tiles in a full hand (TRI-7, TRI-17)."""

_Tile = Annotated[int, Meta(ge=0, le=35)]
_Count = Annotated[int, Meta(ge=0, le=36)]
_TO_MOVE = tuple(ToMove((seat,)) for seat in range(4))
DRAW_ONE = tuple(ToDraw(seat, 1, "bag", True) for seat in range(4))
"""For each seat, one tile is to be drawn, for all to see."""
_OVER = Over()


def to_draw(seat: Seat, count: int) -> ToDraw:
    """Returns a public draw of `count` tiles."""
    return DRAW_ONE[seat] if count == 1 else ToDraw(seat, count, "bag", True)


class Laid(Struct, frozen=True, array_like=True, gc=False):
    """One entry of the score: the seat that laid the tile on `cell`, and the number of edges that count (TRI-19)."""

    seat: Annotated[int, Meta(ge=0, le=3)]
    cell: Annotated[int, Meta(ge=0, le=35)]
    edges: Annotated[int, Meta(ge=0, le=3)]


class Ending(Struct, frozen=True):
    """The end of the game: its rule and a sentence."""

    rule: str
    text: str


_BOARD_FULL = Ending("TRI-22", "All 36 cells are filled.")
_BAG_EMPTY = Ending("TRI-22", "The bag is empty and nobody can place a tile.")
_STUCK = Ending("TRI-22", "Every player in a row passed or exchanged, and no tile in the bag or a hand fits anywhere.")
_PASSED = Ending("TRI-25", "Two full rounds in a row were passed.")


class Situation(Struct, frozen=True, dict=True):
    """A position without the methods that change it."""

    options: Options
    board: str
    """The board as 108 letters, three for each cell (see `board`)."""
    hands: tuple[tuple[_Tile, ...], ...]
    """For each seat, numbers of the tiles that the referee knows (places in `TILES`), rising."""
    hidden: tuple[_Count, ...]
    """The number of unknown tiles in each hand."""
    pool: Annotated[int, Meta(ge=0, lt=1 << 36)]
    """The tiles that may be in the bag or among the hidden ones, as a mask in which bit i stands for `TILES[i]`."""
    bag: _Count
    """The number of tiles in the bag. It is stored because a tile placed twice by agreement leaves one tile too many in
    `pool`.
    """
    turn: Annotated[int, Meta(ge=0, le=3)]
    passes: Annotated[int, Meta(ge=0)] = 0
    """The number of consecutive turns without exchange or placement (TRI-25)."""
    idle: Annotated[int, Meta(ge=0)] = 0
    """The number of consecutive turns without placement (TRI-22)."""
    laid: tuple[Laid, ...] = ()
    """Every placement since the position began, oldest first."""
    brought: tuple[int, ...] = ()
    """The scores of each seat with which the position began; empty means none."""
    aside: Annotated[int, Meta(ge=UNKNOWN, le=35)] | None = None
    """The tile put aside for an exchange that still waits for its draw (TRI-16), or `UNKNOWN`."""
    lots: Lots = ()
    """The tiles drawn to decide who begins (TRI-7); empty once that is decided."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.hands)

    def size(self, seat: Seat) -> int:
        """Returns the number of tiles in a hand."""
        return len(self.hands[seat]) + self.hidden[seat]

    @lazy
    def openings(self) -> Openings:
        """The opening of each cell (TRI-8 to TRI-12)."""
        return TABLES[self.options.edges, self.options.handed].openings(self.board)

    @property
    def is_first(self) -> bool:
        """True if the board is empty."""
        return self.board == EMPTY_BOARD

    @lazy
    def known_placements(self) -> tuple[PlaceTile, ...]:
        """Every legal placement of a tile that the seat to move is known to hold."""
        return self._placements_of(self.hands[self.turn])

    @lazy
    def placements(self) -> tuple[PlaceTile, ...]:
        """Every placement that may be legal; if the seat to move has hidden tiles, also placements of unseen tiles."""
        if not self.hidden[self.turn]:
            return self.known_placements
        return self.known_placements + self._placements_of(tuple(bits(self.pool)))

    def _placements_of(self, numbers: tuple[int, ...]) -> tuple[PlaceTile, ...]:
        """Returns legal placements of these tiles, by cell and then in the order of the numbers."""
        found: list[PlaceTile] = []
        if len(numbers) == HAND:  # the usual hand, for which concatenating directly takes half the time
            a, b, c, d = numbers
            for opening in filter(None, self.openings):
                placements = opening.placements
                found += placements[a] + placements[b] + placements[c] + placements[d]
            return tuple(found)
        for opening in filter(None, self.openings):
            placements = opening.placements
            for number in numbers:
                if fitting := placements[number]:
                    found += fitting
        return tuple(found)

    @property
    def must_place(self) -> bool:
        """True if the seat to move certainly can place a tile and so must (TRI-15).

        Only known tiles count, except that any tile fits on an empty board.
        """
        return bool(self.known_placements) or (self.is_first and self.hidden[self.turn] > 0)

    @lazy
    def lots_due(self) -> tuple[Seat, ...]:
        """The seats that must still draw to decide who begins (TRI-7)."""
        return due(self.lots)

    @lazy
    def draw_due(self) -> ToDraw | None:
        """The draw that the first seat, from the seat to move, must make to fill its hand (TRI-17); None if there is
        none.
        """
        if not self.bag or self.lots or self.aside is not None or self.options.hands == "unseen":
            return None
        hands, hidden = self.hands, self.hidden
        for seat in chain(range(self.turn, len(hands)), range(self.turn)):
            short = HAND - len(hands[seat]) - hidden[seat]
            if short > 0:
                return to_draw(seat, min(short, self.bag))
        return None

    @lazy
    def ending(self) -> Ending | None:
        """The end of the game, or None while it goes on (TRI-22, TRI-25)."""
        seats = len(self.hands)
        if EMPTY not in self.board:
            return _BOARD_FULL
        if self.passes >= 2 * seats:
            return _PASSED
        if (self.bag and self.idle < seats) or self.lots or self.aside is not None or self.known_placements:
            return None
        if self.bag:
            return None if self._any_fits(hidden=True) else _STUCK
        # A player who passes claims to have no placement, so with an empty bag a round of passes covers hidden tiles.
        return None if self._any_fits(hidden=any(self.hidden) and self.passes < seats) else _BAG_EMPTY

    def _any_fits(self, *, hidden: bool) -> bool:
        """True if any tile of a known hand, or of the pool if `hidden`, has a legal cell."""
        numbers = [number for hand in self.hands for number in hand]
        if hidden:
            numbers += bits(self.pool)
        for opening in filter(None, self.openings):
            for number in numbers:
                if opening.placements[number]:
                    return True
        return False

    def expects(self) -> Expect:
        """Returns the event that must come next."""
        if self.ending is not None:
            return _OVER
        if self.draw_due is not None:
            return self.draw_due
        if self.lots:
            return DRAW_ONE[self.lots_due[0]]
        return _TO_MOVE[self.turn] if self.aside is None else DRAW_ONE[self.turn]

    @lazy
    def moves(self) -> tuple[Move, ...]:
        """Every legal move of the seat to move (TRI-15, TRI-16)."""
        if self.draw_due is not None or self.lots or self.aside is not None or self.ending is not None:
            return ()
        known = self.known_placements
        if known and not self.hidden[self.turn]:
            return known
        if self.must_place:
            return self.placements
        moves: list[Move] = [*self.placements, PASS]
        if self.bag:
            moves += [EXCHANGES[number] for number in self.hands[self.turn]]
            if self.hidden[self.turn]:
                moves.append(EXCHANGE_HIDDEN)
        return tuple(moves)

    def edges(self, cell: int, letters: str) -> int:
        """Returns the number of edges that count for a tile laid so, legal or not; the first tile counts one
        (TRI-19).
        """
        board = self.board
        return 1 if board == EMPTY_BOARD else matching_edges(letters, FACING[cell](board + EMPTY))

    def points(self, place: PlaceTile) -> int:
        """Returns the score of a placement, legal or not: value x matching edges x bonus (TRI-19)."""
        return place.tile.value * self.edges(place.cell, place.tile.edges) * BONUS.get(place.cell, 1)
