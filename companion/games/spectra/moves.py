"""The moves of a turn: reach into the bag, exchange, add to the trees, pass the bag (SPA-5).

Every event names its player, because a camera also sees moves out of turn. Some moves are always illegal (a piece taken
out of a tree, another player's trees): they exist so that the referee can name the rule that they break, and so that
the table can accept them (SPA-28). Each legal move is one shared object, so lists of moves only hold references.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from companion.core.contract import Drawn
from companion.core.foundation.errors import BadNotation
from companion.core.pieces import Pyramid, PyramidSize
from companion.games.spectra.exchanges import RECIPES
from companion.games.spectra.stash import COLORS, KIND, KINDS, SIZES, TREE_COLORS, name

Player = Annotated[int, Meta(ge=0, lt=len(TREE_COLORS))]
Source = Player | Literal["bag"]
"""The source of the piece that an exchange takes: another player or the bag."""


def _in_order(pieces: tuple[Pyramid, ...]) -> tuple[Pyramid, ...]:
    return tuple(sorted(pieces, key=lambda piece: (KIND.get(piece, len(KINDS)), piece.color, piece.size)))


class _PlayerMove(Struct, frozen=True, cache_hash=True):
    seat: Player
    """The player who acts."""


class Draw(_PlayerMove, frozen=True, tag="draw"):
    """A player reaches into the bag and feels for a size (SPA-6); a `Drawn` event names the piece."""

    size: PyramidSize


class Exchange(_PlayerMove, frozen=True, tag="exchange"):
    """A player gives pieces for one piece (SPA-13); `gave` is kept sorted, largest first.

    `from_trees` names the given and taken pieces that came out of trees, which SPA-12 forbids.
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
    """A player adds a piece of the own supply to the own trees (SPA-7), or to another player's, which no rule
    allows.
    """

    piece: Pyramid
    to: Player | None = None
    """The owner of the trees; None stands for the player."""

    def __post_init__(self) -> None:
        if self.to == self.seat:
            force_setattr(self, "to", None)

    @property
    def owner(self) -> int:
        """The seat that owns the trees."""
        return self.seat if self.to is None else self.to


class Withdraw(_PlayerMove, frozen=True, tag="withdraw"):
    """A player moves a piece from the own trees to the own supply, which SPA-12 forbids."""

    piece: Pyramid


class EndTurn(_PlayerMove, frozen=True, tag="end-turn"):
    """A player passes the bag on, which ends the turn (SPA-5)."""


Move = Draw | Exchange | Add | Withdraw | EndTurn
SpectraEvent = Move | Drawn

_SEATS = range(len(TREE_COLORS))
DRAWS: tuple[tuple[Draw, ...], ...] = tuple(
    (Draw(seat, "large"), Draw(seat, "medium"), Draw(seat, "small")) for seat in _SEATS
)
"""The draws by seat and size, largest first."""
ADDS: tuple[tuple[Add, ...], ...] = tuple(tuple(Add(seat, piece) for piece in KINDS) for seat in _SEATS)
"""The additions by seat and kind."""
END_TURNS: tuple[EndTurn, ...] = tuple(EndTurn(seat) for seat in _SEATS)
"""The end of the turn of each seat."""

_SOURCES: tuple[Source, ...] = (*_SEATS, "bag")
BAG = len(_SEATS)
"""The index in `EXCHANGES` of exchanges with the bag; those with seats come before."""
EXCHANGES: tuple[tuple[tuple[Exchange, ...], ...], ...] = tuple(
    tuple(
        tuple(Exchange(seat, (KINDS[one], KINDS[other]), KINDS[made], source) for source in _SOURCES)
        for one, other, made in RECIPES
    )
    for seat in _SEATS
)
"""The exchanges by seat, index in `RECIPES`, and source."""

PARTS: dict[Exchange, tuple[int, int, int]] = {
    exchange: recipe for rows in EXCHANGES for recipe, row in zip(RECIPES, rows, strict=True) for exchange in row
}
"""Exchange allowed by color and size to the kinds given and the kind taken."""


# Writes and reads events as one line of text that means the same in every position.
#
# A piece is written color first: "red small". Players are counted from 1.

_PIECE = rf"(?:{'|'.join(COLORS)}) (?:{'|'.join(SIZES)})"
_MARKED = rf"(?:tree )?{_PIECE}"
_LINE = re.compile(r"player ([1-9]) (.+)")
_FORMS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"reaches for (?P<reach>{'|'.join(SIZES)})",
        rf"draws (?P<drawn>{_PIECE})",
        rf"adds (?P<add>{_PIECE})(?: to player (?P<to>[1-6]))?",
        rf"gives (?P<gave>{_MARKED}(?: \+ {_MARKED}){{0,3}}) for (?P<took>{_MARKED}) from (?P<source>bag|player [1-6])",
        rf"withdraws (?P<out>{_PIECE})",
        r"(?P<end>passes the bag)",
    )
)


def text(event: SpectraEvent) -> str:
    """Returns the event as a line: "player 1 gives red small + orange medium for yellow large from bag"."""
    who = f"player {event.seat + 1}"
    match event:
        case Draw():
            return f"{who} reaches for {event.size}"
        case Drawn():
            piece = event.pieces[0] if event.pieces else None
            return f"{who} draws {name(piece) if isinstance(piece, Pyramid) else 'unseen'}"
        case Add():
            return f"{who} adds {name(event.piece)}" + ("" if event.to is None else f" to player {event.to + 1}")
        case Withdraw():
            return f"{who} withdraws {name(event.piece)}"
        case EndTurn():
            return f"{who} passes the bag"
    marked = list(event.from_trees)
    source = "bag" if event.source == "bag" else f"player {event.source + 1}"
    gave = " + ".join(_marked(piece, marked) for piece in event.gave)
    return f"{who} gives {gave} for {_marked(event.took, marked)} from {source}"


def _marked(piece: Pyramid, marked: list[Pyramid]) -> str:
    if piece not in marked:
        return name(piece)
    marked.remove(piece)
    return f"tree {name(piece)}"


def parse(line: str) -> SpectraEvent:
    """Returns the event that a line names, legal or not.

    Raises:
        BadNotation: No event of Spectra reads so.
    """
    wanted = " ".join(line.lower().split())
    whole = _LINE.fullmatch(wanted)
    if whole is not None and int(whole[1]) <= len(TREE_COLORS):
        seat = int(whole[1]) - 1
        for form in _FORMS:
            found = form.fullmatch(whole[2])
            if found is not None:
                return _event(seat, found.groupdict())
    raise BadNotation(
        f'"{line}" is no event of Spectra. Write "player 1 draws red small", "player 1 adds red small", '
        '"player 1 gives red small + orange medium for yellow large from bag" or "player 1 passes the bag".'
    )


def _event(seat: int, part: dict[str, str | None]) -> SpectraEvent:
    if reach := part.get("reach"):
        return DRAWS[seat][SIZES.index(reach)]
    if drawn := part.get("drawn"):
        return Drawn(seat, (piece(drawn),))
    if add := part.get("add"):
        return Add(seat, piece(add), int(to) - 1 if (to := part["to"]) else None)
    if out := part.get("out"):
        return Withdraw(seat, piece(out))
    gave, took = part.get("gave"), part.get("took")
    if gave is None or took is None:
        return EndTurn(seat)
    source: Source = "bag" if part["source"] == "bag" else int(str(part["source"])[-1]) - 1
    given = gave.split(" + ")
    marked = tuple(piece(one) for one in (*given, took) if one.startswith("tree "))
    return Exchange(seat, tuple(piece(one) for one in given), piece(took), source, marked)


def piece(words: str) -> Pyramid:
    """Returns the piece that two words name, in either order: "red small" or "small red".

    Raises:
        BadNotation: The set has no such piece.
    """
    names = words.lower().removeprefix("tree ").split()
    for color, size in (names, names[::-1]) if len(names) == 2 else ():
        found = Pyramid(color, size)
        if found in KIND:
            return found
    raise BadNotation(f'"{words}" is no piece of Spectra. Write a color and a size, such as "red small".')
