"""The data of a position of Spectra: trees, supplies and whose turn it is, and the legal moves.

Trees and supplies are public (SPA-4), and all other pieces are in the bag. So a position has no hidden part: the bag is
a known pile.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.core.contract import Expect, Over, Seat, ToDraw, ToMove
from companion.core.pieces import PYRAMID_SIZES, Pyramid, PyramidSize
from companion.games.shared.lazy import lazy
from companion.games.spectra.exchanges import RECIPES
from companion.games.spectra.moves import ADDS, BAG, DRAWS, END_TURNS, EXCHANGES, Move
from companion.games.spectra.stash import KIND, KINDS, TREE_COLORS, TREES

_OVER = Over()
_TO_MOVE = tuple(ToMove((seat,)) for seat in range(len(TREE_COLORS)))
_TO_DRAW = tuple(ToDraw(seat, 1, "bag", True) for seat in range(len(TREE_COLORS)))

QUIET_ROUNDS = 1
"""The number of full rounds with an empty bag and neither exchange nor addition that end the game (SPA-26)."""
BARREN_ROUNDS = 3
"""The number of full rounds with an empty bag and no addition that end the game (SPA-26)."""

_RECIPES_OF: tuple[tuple[tuple[int, int, int], ...], ...] = tuple(
    tuple((other, made, row) for row, (first, other, made) in enumerate(RECIPES) if first == one)
    for one in range(len(KINDS))
)
"""For each first kind given, the second kind, the kind made, and the index in `RECIPES`."""

OWN_KINDS = {color: tuple(KIND[Pyramid(color, size)] for size in PYRAMID_SIZES) for color in TREE_COLORS}
"""Tree color to its three kinds, largest first."""

_Count = Annotated[int, Meta(ge=0, le=102)]
_Counts = Annotated[tuple[_Count, ...], Meta(min_length=24, max_length=24)]


class Ending(Struct, frozen=True):
    """The end of the game: its rule and a sentence."""

    rule: str
    text: str


_STILL = Ending("SPA-26", "The bag is empty, and a full round passed without an exchange or an addition.")
_BARREN = Ending("SPA-26", "The bag is empty, and three full rounds passed without an addition.")


class Situation(Struct, frozen=True, dict=True):
    """A position without the methods that change it."""

    colors: tuple[str, ...]
    """For each seat, the tree color (SPA-2)."""
    trees: tuple[_Counts, ...]
    """For each seat, the pile of tree pieces; other than own colors only by agreement (SPA-28)."""
    supplies: tuple[_Counts, ...]
    bag: _Counts
    turn: Annotated[int, Meta(ge=0, le=5)] | None = None
    """The seat to move; None before the first turn, which any player may begin (SPA-5)."""
    drawn: bool = False
    """True if the turn's draw has been made."""
    reach: PyramidSize | None = None
    """The size for which a hand in the bag feels; the next event names the drawn piece."""
    exchanged: bool = False
    """True if this turn had an exchange."""
    added: bool = False
    """True if this turn had an addition."""
    still: Annotated[int, Meta(ge=0)] = 0
    """The number of consecutive turns with an empty bag and neither exchange nor addition (SPA-26)."""
    barren: Annotated[int, Meta(ge=0)] = 0
    """The number of consecutive turns with an empty bag and no addition (SPA-26)."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.colors)

    @property
    def movers(self) -> tuple[Seat, ...]:
        """The seats that may act now: the one to move, or all seats before the first turn."""
        return tuple(range(len(self.colors))) if self.turn is None else (self.turn,)

    @property
    def next_seat(self) -> Seat | None:
        """The seat whose turn comes next (SPA-5)."""
        return None if self.turn is None else (self.turn + 1) % len(self.colors)

    @lazy
    def is_bag_empty(self) -> bool:
        """True if the bag is empty."""
        return not any(self.bag)

    def fits(self, seat: Seat, kind: int) -> bool:
        """True if a piece of this kind still has a place in the seat's trees (SPA-8)."""
        return KINDS[kind].color == self.colors[seat] and self.trees[seat][kind] < TREES

    def loose(self, seat: Seat) -> tuple[int, ...]:
        """Returns the kinds of own-color pieces in the supply that fit in the trees (SPA-9)."""
        supply = self.supplies[seat]
        return tuple(kind for kind in OWN_KINDS[self.colors[seat]] if supply[kind] and self.trees[seat][kind] < TREES)

    def complete(self, seat: Seat) -> int:
        """Returns the number of complete trees of the seat's own color (SPA-11, SPA-25)."""
        large, medium, small = OWN_KINDS[self.colors[seat]]
        trees = self.trees[seat]
        return min(trees[large], trees[medium], trees[small], TREES)

    def tree_pieces(self, seat: Seat) -> int:
        """Returns the number of pieces of the own color in a seat's trees, at most three of each size (SPA-8)."""
        return sum(min(self.trees[seat][kind], TREES) for kind in OWN_KINDS[self.colors[seat]])

    def holders(self, seat: Seat, kind: int) -> tuple[Seat, ...]:
        """Returns the other seats whose supply holds this kind, which must be asked before the bag (SPA-20)."""
        return tuple(other for other, supply in enumerate(self.supplies) if supply[kind] and other != seat)

    @lazy
    def ending(self) -> Ending | None:
        """The end of the game, or None while it goes on (SPA-25, SPA-26)."""
        turn, seats = self.turn, len(self.colors)
        if turn is not None and self.complete(turn) >= TREES:
            return Ending("SPA-25", f"Player {turn + 1} has three complete {self.colors[turn]} trees.")
        if self.still >= QUIET_ROUNDS * seats:
            return _STILL
        if self.barren >= BARREN_ROUNDS * seats:
            return _BARREN
        return None

    def expects(self) -> Expect:
        """Returns the event that must come next; a draw may also be entered while a move is due."""
        if self.ending is not None:
            return _OVER
        if self.turn is None:
            return ToMove(self.movers)
        return _TO_MOVE[self.turn] if self.reach is None else _TO_DRAW[self.turn]

    @property
    def may_draw(self) -> bool:
        """True if the turn's one draw is still open (SPA-5, SPA-6)."""
        return not self.drawn and not self.is_bag_empty

    @property
    def may_end(self) -> bool:
        """True if the turn may end: the draw was made, or the bag is empty (SPA-6)."""
        return self.turn is not None and self.reach is None and (self.drawn or self.is_bag_empty)

    @lazy
    def moves(self) -> tuple[Move, ...]:
        """Every legal move: draws, additions, exchanges, the turn's end."""
        if self.ending is not None or self.reach is not None:
            return ()
        if self.turn is None:
            return tuple([move for seat in self.movers for move in self._moves_of(seat)])
        return tuple(self._moves_of(self.turn))

    def _moves_of(self, seat: Seat) -> list[Move]:
        bag, supplies = self.bag, self.supplies
        moves: list[Move] = []
        left = False
        for size in range(3):
            if any(bag[8 * size : 8 * size + 8]):
                left = True
                if not self.drawn:
                    moves.append(DRAWS[seat][size])
        supply, trees = supplies[seat], self.trees[seat]
        for kind in OWN_KINDS[self.colors[seat]]:
            if supply[kind] and trees[kind] < TREES:
                moves.append(ADDS[seat][kind])
        moves += self._exchanges_of(seat)
        if self.drawn or not left:
            moves.append(END_TURNS[seat])
        return moves

    def _exchanges_of(self, seat: Seat) -> list[Move]:
        """Returns every legal exchange of a seat, sources by SPA-20 to SPA-22."""
        bag, supplies = self.bag, self.supplies
        supply, exchanges = supplies[seat], EXCHANGES[seat]
        others = [(other, pile) for other, pile in enumerate(supplies) if other != seat]
        moves: list[Move] = []
        for one, count in enumerate(supply):
            if count:
                for other, made, row in _RECIPES_OF[one]:
                    if supply[other]:
                        asked = False
                        for holder, pile in others:
                            if pile[made]:
                                moves.append(exchanges[row][holder])
                                asked = True
                        if not asked and bag[made]:
                            moves.append(exchanges[row][BAG])
        return moves
