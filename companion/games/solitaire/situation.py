"""The options and the data of a position of Solitaire: what lies where, whose turn it is, and the legal moves."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from companion.core.contract import Expect, Over, ToDraw, ToMove
from companion.core.layout import Spot
from companion.core.pieces import WHEEL
from companion.games.shared.cards.deck import COLOR, COLORS, NUMBER_CARDS, RANK, RANKS, SHADES
from companion.games.shared.cards.deck import card as card_of
from companion.games.shared.cards.hands import BIT, WHOLE_DECK, Cards
from companion.games.shared.lazy import lazy
from companion.games.shared.search.bit_sets import mask_of
from companion.games.solitaire.moves import CONCEDE, HOMES, PILES, PUTS, TURN, TURN_OVER, Move


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Solitaire."""

    draw: Annotated[
        Literal[3, 1],
        Meta(
            title="How many cards at a time?",
            description="How many cards are turned from the stock at a time: 3 or 1. SOL-7.",
        ),
    ] = 3
    max_passes: Annotated[
        int,
        Meta(
            title="How many passes through the stock?",
            ge=0,
            le=100,
            description="How many passes through the stock there are; 0 for any number. SOL-8.",
        ),
    ] = 10
    strict_shades: Annotated[
        bool,
        Meta(
            title="Only shades on piles?",
            description="Piles are built in shades alone, never in the very same color. SOL-3.",
        ),
    ] = False
    empty_pile: Annotated[
        Literal["twelve", "any"],
        Meta(
            title="What may go on an empty pile?",
            description="A pile is empty when its last card has gone. SOL-6.",
            extra_json_schema={"labels": {"twelve": "a 12, or a run headed by one", "any": "any card or run"}},
        ),
    ] = "twelve"
    foundation_back: Annotated[
        bool,
        Meta(
            title="Can cards come back from a foundation?",
            description="The top card of a foundation may go back on a pile. SOL-9.",
        ),
    ] = False


UNKNOWN = -1
"""The number that stands for an unseen card of the stock."""
PILE_SPOTS: tuple[Spot, ...] = tuple(f"pile{pile + 1}" for pile in range(PILES))
FOUNDATION_SPOTS: tuple[Spot, ...] = tuple(f"foundation.{color}" for color in WHEEL)
_OVER = Over()
_TO_MOVE = ToMove((0,))
_EACH_PILE = Meta(min_length=PILES, max_length=PILES)
_EACH_COLOR = Meta(min_length=COLORS, max_length=COLORS)


def _on(below: int, strict: bool) -> int:
    """Returns the cards that may lie on `below`: one rank lower, in its color or a shade of it."""
    color, rank = COLOR[below], RANK[below] - 1
    colors = SHADES[color] if strict else (*SHADES[color], color)
    return mask_of(card_of(one, rank) for one in colors if rank)


FITS: dict[bool, tuple[int, ...]] = {
    strict: tuple(_on(below, strict) for below in range(NUMBER_CARDS)) for strict in (False, True)
}
"""The cards that fit on a pile, by `strict_shades` and number of the pile's top card (SOL-3)."""
ON_EMPTY = {"twelve": mask_of(card_of(color, RANKS) for color in range(COLORS)), "any": WHOLE_DECK}
"""The cards that may go on an empty pile, by `empty_pile` (SOL-6)."""


@lru_cache(maxsize=1 << 16)
def _movable(cards: tuple[int, ...], strict: bool) -> int:
    """Returns the cards of a pile that may move together with the cards on them: the run at its top (SOL-5).

    A pile built by legal moves is one run; other piles exist by agreement of the players.
    """
    found = 0
    for place in reversed(range(len(cards))):
        if found and not FITS[strict][cards[place]] & BIT[cards[place + 1]]:
            break
        found |= BIT[cards[place]]
    return found


class Situation(Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """The position itself. Cards are numbers of `companion.games.shared.cards.deck`."""

    options: Options
    ups: Annotated[tuple[Cards, ...], _EACH_PILE]
    """The face-up cards of each pile, the lowest first."""
    downs: Annotated[tuple[Annotated[int, Meta(ge=0)], ...], _EACH_PILE]
    """The number of face-down cards in each pile."""
    foundations: Annotated[tuple[Annotated[int, Meta(ge=0, le=RANKS)], ...], _EACH_COLOR]
    """The highest rank on the foundation of each color, 0 for none."""
    stock: tuple[Annotated[int, Meta(ge=UNKNOWN, lt=NUMBER_CARDS)], ...]
    """The face-down cards of the stock; the last one is turned next."""
    waste: Cards
    """The face-up cards of the waste; the last one is on top."""
    turning: Annotated[int, Meta(ge=0)] = 0
    """The number of cards of the packet just turned that are not named yet."""
    passes: Annotated[int, Meta(ge=1)] = 1
    conceded: bool = False

    seats: ClassVar[int] = 1

    def expects(self) -> Expect:
        """Returns the event that must come next: turned-up cards are named first (SOL-4, SOL-7); then the player
        moves.
        """
        return _OVER if self.is_over else self.due or _TO_MOVE

    @lazy
    def due(self) -> ToDraw | None:
        """The draw that names the turned-up cards which are not named yet; None without one."""
        if self.turning:
            return ToDraw(0, self.stock[-self.turning :].count(UNKNOWN), "stock", True)
        if all(self.ups) or not (spots := self.due_spots):
            return None
        return ToDraw(0, len(spots), spots[0] if len(spots) == 1 else "piles", True)

    @property
    def uncovered(self) -> tuple[int, ...]:
        """The piles whose top card is face down and must be turned up (SOL-4)."""
        return tuple([pile for pile, cards in enumerate(self.ups) if not cards and self.downs[pile]])

    @property
    def due_spots(self) -> tuple[Spot, ...]:
        """The spots of the turned-up cards that are not named yet."""
        return ("waste",) if self.turning else tuple([PILE_SPOTS[pile] for pile in self.uncovered])

    @property
    def is_won(self) -> bool:
        """True if all cards are on foundations (SOL-10)."""
        return sum(self.foundations) == NUMBER_CARDS

    @lazy
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.conceded or self.is_won

    @property
    def may_turn_over(self) -> bool:
        """True if another pass may begin (SOL-8)."""
        most = self.options.max_passes
        return not self.stock and bool(self.waste) and (not most or self.passes < most)

    @property
    def tops(self) -> list[int]:
        """The top cards of the piles in their order and of the waste."""
        return [cards[-1] for cards in (*self.ups, self.waste) if cards]

    @property
    def open_cards(self) -> int:
        """The cards that may move to a pile, as a set of bits: the waste's top card and the runs of the piles."""
        found, strict = BIT[self.waste[-1]] if self.waste else 0, self.options.strict_shades
        for cards in self.ups:
            found |= _movable(cards, strict)
        if self.options.foundation_back:
            found |= mask_of(card_of(color, rank) for color, rank in enumerate(self.foundations) if rank)
        return found

    @property
    def fits(self) -> list[int]:
        """The set of cards that fit on each pile, wherever they are, as a bit mask (SOL-3, SOL-6)."""
        on, on_empty = FITS[self.options.strict_shades], ON_EMPTY[self.options.empty_pile]
        return [on[cards[-1]] if cards else on_empty for cards in self.ups]

    @lazy
    def moves(self) -> tuple[Move, ...]:
        """Every legal move: piles in order, foundations, the stock, giving up."""
        if self.due is not None or self.is_over:
            return ()
        found: list[Move] = []
        may_move, heights = self.open_cards, self.foundations
        for fits, puts in zip(self.fits, PUTS, strict=True):
            fitting = fits & may_move
            while fitting:
                lowest = fitting & -fitting
                found.append(puts[lowest.bit_length() - 1])
                fitting ^= lowest
        found += [HOMES[card] for card in self.tops if heights[COLOR[card]] == RANK[card] - 1]
        if self.stock:
            found.append(TURN)
        elif self.may_turn_over:
            found.append(TURN_OVER)
        found.append(CONCEDE)
        return tuple(found)

    @property
    def lying(self) -> list[int]:
        """The cards whose place is known; in a contradictory position one may occur twice."""
        home = [card_of(color, rank + 1) for color, height in enumerate(self.foundations) for rank in range(height)]
        return [*chain(*self.ups), *self.waste, *home, *(card for card in self.stock if card != UNKNOWN)]

    @lazy
    def unknown(self) -> int:
        """The unseen cards, under the piles and in the stock, as a bit mask."""
        return WHOLE_DECK & ~mask_of(self.lying)
