"""The data of a position of Spectrum: pawns, rolls, cards and the progress of the turn, with values derived from
them.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

from companion.core.contract import Seat
from companion.core.pieces import PRIMARIES
from companion.games.shared.lazy import lazy
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum.board import ALL, PATH, SPACES, STARS
from companion.games.spectrum.options import PAWNS, STARS_NEEDED, Options, stock_of
from companion.games.spectrum.usages import Usage, usages_of, usages_of_cards

EMPTY = "."
LETTERS = "roygbp"
"""The letter of a pawn on a board, by index of its color in `PRIMARIES`."""
LETTER = dict(zip(PRIMARIES, LETTERS, strict=True))
COLOR_OF_LETTER = dict(zip(LETTERS, PRIMARIES, strict=True))
NO_PAWNS = EMPTY * SPACES

HIDDEN = -1
"""The number that stands for a card which the referee, or this view, does not know."""
FREE = -1
"""An entry of `Situation.walked`: the pawn has already entered two colors."""

Phase = Literal[
    "set-up", "start", "roll", "cards", "declare", "pass", "move", "place", "bonus", "off", "end", "drawing", "send",
    "over",
]  # fmt: skip
"""The event that must come next, in this order: set-up draws, moves before the roll, the roll, cards instead of it, a
usage, a pass, a move, a captured pawn's place, a portal for the first color, a surrendered pawn, moves after the turn,
an activated portal's two cards, its destination, none.
"""
Ending = Literal["", "stars", "all", "stuck", "mission", "exhausted", "lost"]

_Card = Annotated[int, Meta(ge=HIDDEN, le=155)]
_Cards = tuple[_Card, ...]
_Seat = Annotated[int, Meta(ge=0, le=5)]
_Space = Annotated[int, Meta(ge=0, lt=SPACES)]
_Color = Annotated[str, Meta(max_length=13)]


class Held(Struct, frozen=True):
    """A captured pawn that is off the board until it is put somewhere (BRD-24)."""

    color: _Color
    seat: _Seat
    """The seat that captured the pawn and places it."""
    walk: Annotated[int, Meta(ge=-1, le=11)] | None = None
    """The entry of `Situation.walked` for the pawn."""


class Activation(Struct, frozen=True):
    """A portal that is being used (VAR-24)."""

    seat: _Seat
    space: _Space
    """The space of the portal and of the pawn that it moves."""
    back: Literal["start", "end"]
    """The phase in which the turn goes on afterwards."""
    offer: _Cards = ()
    """The two drawn cards; empty before the draw."""


class PortalHand(Struct, frozen=True):
    """A seat's secret portals (VAR-22)."""

    first: _Cards = ()
    """The portals left of the three primaries of the start."""
    later: _Cards = ()
    """The portals that came out of the portal deck."""


class Extras(Struct, frozen=True):
    """The data that only variants have."""

    weights: Annotated[tuple[Annotated[int, Meta(ge=0, le=12)], ...], Meta(max_length=12)] = ()
    """For each color, its weight; 0 while it is not drawn. Empty without weighted colors."""
    missions: tuple[_Cards, ...] = ()
    """For each seat, mission cards, the primaries first. Empty without missions."""
    revealed: tuple[bool, ...] = ()
    """True for each seat whose missions a wrong declaration has shown (VAR-21)."""
    portals: tuple[PortalHand, ...] = ()
    deck: Annotated[int, Meta(ge=0, le=60)] = 0
    """The number of cards in the portal deck."""
    spent: _Cards = ()
    """The portal discard pile, oldest first."""
    activation: Activation | None = None
    asked: Annotated[int, Meta(ge=0, le=5)] = 0
    """The number of seats, clockwise from the one on turn, that have passed their chance for a portal (VAR-23)."""
    drawn: _Cards = ()
    """The cards that replace the dice this turn, in rising order (VAR-6)."""
    pile: _Cards = ()
    """The draw deck of those cards, in rising order: its cards are known, their order is not."""
    discards: _Cards = ()
    kept: _Color = ""
    """In a shotgun start with dice, the color of the die that need not be rolled again (VAR-3)."""
    pick: bool = False
    """True if the player must pick two colors after doubles (VAR-4)."""


NO_EXTRAS = Extras()


@cache
def owners(teams: tuple[tuple[str, ...], ...]) -> dict[str, Seat]:
    """Returns a mapping from color of pawns to the seat that owns them."""
    return {color: seat for seat, colors in enumerate(teams) for color in colors}


@cache
def _bits(colors: tuple[str, ...]) -> dict[int, str]:
    """Returns a translation table of a board's letters: "1" for pawns of these colors, else "0"."""
    own = {LETTER[color] for color in colors}
    return str.maketrans({letter: "1" if letter in own else "0" for letter in EMPTY + LETTERS})


@cache
def _places(colors: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(PRIMARIES.index(color) for color in colors)


class Ground(NamedTuple):
    """The board from the view of the player to move, as masks."""

    own: int
    """The pawns that the player may move."""
    jumpable: int
    landing: int
    """The spaces where a move may end: empty spaces, including stars, and pawns that may be captured."""
    way: int
    """The empty spaces that are not stars, through which a move may pass (BRD-18, BRD-26)."""
    stocks: tuple[int, ...]
    """The indices in `PRIMARIES` of the colors that can enter."""


class Situation(Struct, frozen=True, dict=True):
    """A position without the methods that change it."""

    options: Options
    teams: Annotated[tuple[tuple[_Color, ...], ...], Meta(min_length=1, max_length=6)]
    """For each seat, the colors of its pawns."""
    board: Annotated[str, Meta(pattern=f"^[{EMPTY}{LETTERS}]{{{SPACES}}}$")]
    """For each space, the letter of the pawn's color, or "."."""
    turn: _Seat
    phase: Phase
    roll: tuple[_Color, ...] = ()
    """The faces of the last roll, in the order of the wheel."""
    usage: Annotated[str, Meta(max_length=120)] = ""
    """The usage of the roll or the cards; "" before it is declared."""
    left: Annotated[int, Meta(ge=0, le=15)] = 0
    """The number of single spaces left of a plain roll, or a mask with a bit for each unplayed part."""
    walked: tuple[tuple[_Space, Annotated[int, Meta(ge=-1, le=11)]], ...] = ()
    """The pawns that have made a part this turn: the space of each, and the only color that it entered, or `FREE`."""
    held: Held | None = None
    again: bool = False
    """True if this is the extra turn of the speed rule (BRD-33)."""
    still: Annotated[int, Meta(ge=0)] = 0
    """The number of turns in a row without a possible move (VAR-18)."""
    ending: Ending = ""
    """The reason why the game is over."""
    extras: Extras = NO_EXTRAS

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.teams)

    @lazy
    def masks(self) -> tuple[int, ...]:
        """The mask of each seat's pawns, including those on stars."""
        backwards = self.board[::-1]
        return tuple([int(backwards.translate(_bits(colors)), 2) for colors in self.teams])

    @property
    def owner(self) -> dict[str, Seat]:
        """Color of pawns to the seat that owns them."""
        return owners(self.teams)

    @property
    def occupied(self) -> int:
        """The mask of all spaces with a pawn."""
        mask = 0
        for pawns in self.masks:
            mask |= pawns
        return mask

    @property
    def stars_taken(self) -> int:
        """The number of captured colors, of all players together (BRD-7)."""
        return (self.occupied & STARS).bit_count()

    @property
    def stars_needed(self) -> int:
        """The number of captured colors that wins (BRD-5)."""
        return STARS_NEEDED[len(self.teams)]

    @property
    def self_capture(self) -> bool:
        """True if own pawns may be captured (BRD-30, BRD-35)."""
        if len(self.teams) == 1:
            return self.options.solo_without in ("nothing", "jump")
        return self.options.self_capture

    @property
    def self_jump(self) -> bool:
        """True if own pawns may be jumped (BRD-31, BRD-35)."""
        if len(self.teams) == 1:
            return self.options.solo_without in ("nothing", "capture")
        return self.options.self_jump

    def stock(self, color: str) -> int:
        """Returns the number of pawns of a color that are neither on the board nor in a capturer's hand."""
        seat = self.owner[color]
        out = self.board.count(LETTER[color]) + (self.held is not None and self.held.color == color)
        return stock_of(len(self.teams), self.teams[seat])[color] - out

    @lazy
    def ground(self) -> Ground:
        """The board from the view of the player to move."""
        masks, turn = self.masks, self.turn
        mine = masks[turn]
        occupied = 0
        for pawns in masks:
            occupied |= pawns
        own = mine & ~STARS
        foes = occupied & ~mine & ~STARS
        jumpable = foes | own if self.self_jump else foes
        capturable = foes | own if self.self_capture else foes
        colors = self.teams[turn]
        stocks = _places(colors)
        if len(masks) == 1:
            stocks = tuple([place for place, color in zip(stocks, colors, strict=True) if self.stock(color) > 0])
        elif mine.bit_count() + (self.held is not None and self.held.color == colors[0]) >= PAWNS:
            stocks = ()
        return Ground(own, jumpable, ALL & ~occupied | capturable, ALL & ~occupied & ~STARS, stocks)

    @property
    def usages(self) -> tuple[Usage, ...]:
        """Every usage of the roll or of the drawn cards, whether or not it has a legal move."""
        if self.options.cards_as_dice:
            return usages_of_cards(self.extras.drawn)
        return usages_of(self.roll, self.options.dice, self.options.special_order == "free")

    def usage_named(self, name: str) -> Usage | None:
        """Returns the usage of the roll or of the cards with this name; None if there is none."""
        for usage in self.usages:
            if usage.name == name:
                return usage
        return None

    @lazy
    def used(self) -> Usage:
        """The usage that was declared."""
        usage = self.usage_named(self.usage)
        assert usage is not None
        return usage

    @property
    def is_solo(self) -> bool:
        """True if one player plays alone (BRD-35)."""
        return len(self.teams) == 1

    def starting_order(self) -> tuple[Seat, ...]:
        """Returns the seats in turn order, the one that begins first (BRD-5)."""
        first = self.options.first - 1
        return tuple((first + step) % self.seats for step in range(self.seats))

    def clockwise(self) -> tuple[Seat, ...]:
        """Returns the seats from the one on turn on."""
        return tuple((self.turn + step) % self.seats for step in range(self.seats))

    def taken_by(self, seat: Seat) -> tuple[int, ...]:
        """Returns colors (places on the wheel) that a seat has captured."""
        stars = self.masks[seat] & STARS
        return tuple(space // 9 for space in bits(stars))

    def pawns_on_paths(self, seat: Seat) -> int:
        """Returns a seat's pawns on the board that are not on stars, as a mask."""
        return self.masks[seat] & ~STARS

    def open_spaces(self, path: int) -> int:
        """Returns the mask of all pawns on a path, without its star (VAR-16)."""
        return self.occupied & PATH[path] & ~STARS
