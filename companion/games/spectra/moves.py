"""The moves of a turn: reach into the bag, exchange, add to the trees, pass the bag (SPA-5).

Every event names its player, because a camera also sees moves out of turn. Some moves can only be illegal (a
piece out of a tree, another player's trees): they exist so that the rule they break can be named, and so that they can
stand when the table lets them (SPA-28). Legal moves exist once each, so lists of them hold references.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.core.contract import Drawn
from companion.core.pieces import Pyramid, PyramidSize
from companion.games.spectra.exchanges import RECIPES
from companion.games.spectra.stash import KIND, KINDS, TREE_COLORS

Player = Annotated[int, Meta(ge=0, lt=len(TREE_COLORS))]
Source = Player | Literal["bag"]
"""Where the piece comes from that an exchange takes."""


def _in_order(pieces: tuple[Pyramid, ...]) -> tuple[Pyramid, ...]:
    return tuple(sorted(pieces, key=lambda piece: (KIND.get(piece, len(KINDS)), piece.color, piece.size)))


class _PlayerMove(Struct, frozen=True, cache_hash=True):
    seat: Player
    """The player who acts."""


class Draw(_PlayerMove, frozen=True, tag="draw"):
    """A hand goes into the bag and feels for a size (SPA-6); a `Drawn` names the piece that it takes."""

    size: PyramidSize


class Exchange(_PlayerMove, frozen=True, tag="exchange"):
    """Pieces are given for one piece (SPA-13); `gave` has no order and is kept largest first.

    `from_trees` names those of the given and taken pieces that came out of trees, which SPA-12 forbids.
    """

    gave: Annotated[tuple[Pyramid, ...], Meta(min_length=1, max_length=4)]
    took: Pyramid
    source: Source
    from_trees: tuple[Pyramid, ...] = ()

    def __post_init__(self) -> None:
        if len(self.gave) != 1:
            force_setattr(self, "gave", _in_order(self.gave))
        if self.from_trees:
            force_setattr(self, "from_trees", _in_order(self.from_trees))


class Add(_PlayerMove, frozen=True, tag="add"):
    """A piece of the own supply goes into the own trees (SPA-7), or into another player's, which no rule allows."""

    piece: Pyramid
    to: Player | None = None
    """Whose trees; None is the own ones."""

    def __post_init__(self) -> None:
        if self.to == self.seat:
            force_setattr(self, "to", None)

    @property
    def owner(self) -> int:
        """Whose trees it goes into."""
        return self.seat if self.to is None else self.to


class Withdraw(_PlayerMove, frozen=True, tag="withdraw"):
    """A piece leaves the own trees for the own supply, which SPA-12 forbids."""

    piece: Pyramid


class EndTurn(_PlayerMove, frozen=True, tag="end-turn"):
    """The bag is passed on, which ends the turn (SPA-5)."""


Move = Draw | Exchange | Add | Withdraw | EndTurn
SpectraEvent = Move | Drawn

_SEATS = range(len(TREE_COLORS))
DRAWS: tuple[tuple[Draw, ...], ...] = tuple(
    (Draw(seat, "large"), Draw(seat, "medium"), Draw(seat, "small")) for seat in _SEATS
)
"""By seat and size, largest first."""
ADDS: tuple[tuple[Add, ...], ...] = tuple(tuple(Add(seat, piece) for piece in KINDS) for seat in _SEATS)
"""By seat and kind."""
END_TURNS: tuple[EndTurn, ...] = tuple(EndTurn(seat) for seat in _SEATS)
"""By seat."""

_SOURCES: tuple[Source, ...] = (*_SEATS, "bag")
BAG = len(_SEATS)
"""Where an exchange with the bag stands behind those with each seat in `EXCHANGES`."""
EXCHANGES: tuple[tuple[tuple[Exchange, ...], ...], ...] = tuple(
    tuple(
        tuple(Exchange(seat, (KINDS[one], KINDS[other]), KINDS[made], source) for source in _SOURCES)
        for one, other, made in RECIPES
    )
    for seat in _SEATS
)
"""By seat, place in `RECIPES`, and source."""

PARTS: dict[Exchange, tuple[int, int, int]] = {
    exchange: recipe for rows in EXCHANGES for recipe, row in zip(RECIPES, rows, strict=True) for exchange in row
}
"""Exchange that color and size allow, to the kinds given and the kind taken."""
