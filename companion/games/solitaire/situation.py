"""What follows from a position of Solitaire: what is due, what may move, what is not known yet."""

from __future__ import annotations

from msgspec import Struct

from companion.contract import Expect, Outcome, Over, ScoreLine, ToDraw, ToMove
from companion.games.deck import COLOR, NUMBER_CARDS, RANK, RANKS
from companion.games.hands import BIT, WHOLE_DECK
from companion.games.lazy import lazy
from companion.games.solitaire import scoring
from companion.games.solitaire.building import FITS, ON_EMPTY, movable
from companion.games.solitaire.moves import CONCEDE, HOMES, PUTS, TURN, TURN_OVER, Move
from companion.games.solitaire.options import Options

UNKNOWN = -1
"""Stands for a card of the stock that nobody has seen."""
BELOW: tuple[int, ...] = tuple(rank - 1 for rank in RANK)
"""By number of a card: the rank that must lie on its foundation before it."""
_OVER = Over()
_TO_MOVE = ToMove((0,))


class Situation(Struct, frozen=True, dict=True, forbid_unknown_fields=True):
    """The position itself. Cards are numbers of `companion.games.deck`."""

    options: Options
    ups: tuple[tuple[int, ...], ...]
    """By pile: the cards that lie face up, the lowest first."""
    downs: tuple[int, ...]
    """By pile: how many cards lie face down below them."""
    foundations: tuple[int, ...]
    """By color: the highest rank that lies there, 0 for none."""
    stock: tuple[int, ...]
    """Face down; the last is turned next."""
    waste: tuple[int, ...]
    """Face up; the last is on top."""
    turning: int = 0
    """Cards of the packet just turned that are not told yet."""
    passes: int = 1
    conceded: bool = False

    @property
    def seats(self) -> int:
        """One player."""
        return 1

    def expects(self) -> Expect:
        """Cards that were turned up are told first (SOL-4, SOL-7); then the player moves."""
        return _OVER if self.is_over else self.due or _TO_MOVE

    @lazy
    def due(self) -> ToDraw | None:
        """Cards that were turned up and not told yet."""
        if self.turning:
            unknown = self.stock[-self.turning :].count(UNKNOWN)
            return ToDraw(0, unknown, "stock", True)
        waiting = self.uncovered
        if not waiting:
            return None
        return ToDraw(0, len(waiting), f"pile{waiting[0] + 1}" if len(waiting) == 1 else "piles", True)

    @property
    def uncovered(self) -> tuple[int, ...]:
        """Piles whose top card is face down and must be turned up (SOL-4)."""
        return tuple(
            [pile for pile, (up, down) in enumerate(zip(self.ups, self.downs, strict=True)) if down and not up]
        )

    @property
    def is_won(self) -> bool:
        """Whether all cards are on foundations (SOL-10)."""
        return sum(self.foundations) == NUMBER_CARDS

    @lazy
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.conceded or self.is_won

    @property
    def may_turn_over(self) -> bool:
        """Whether another pass may begin (SOL-8)."""
        most = self.options.max_passes
        return not self.stock and bool(self.waste) and (not most or self.passes < most)

    @lazy
    def open_cards(self) -> int:
        """The cards that may move to a pile, as a set of bits: the waste's top card and the runs of the piles."""
        found = BIT[self.waste[-1]] if self.waste else 0
        for cards in self.ups:
            found |= movable(cards, self.options.strict_shades)
        if self.options.foundation_back:
            for color, rank in enumerate(self.foundations):
                if rank:
                    found |= BIT[color * RANKS + rank - 1]
        return found

    def may_go_on(self, pile: int) -> int:
        """The cards that fit on a pile, wherever they are, as a set of bits (SOL-3, SOL-6)."""
        cards = self.ups[pile]
        return FITS[self.options.strict_shades][cards[-1]] if cards else ON_EMPTY[self.options.empty_pile]

    def is_next_home(self, card: int) -> bool:
        """Whether the card is the next of its foundation (SOL-2)."""
        return self.foundations[COLOR[card]] == BELOW[card]

    def is_top(self, card: int) -> bool:
        """Whether nothing lies on the card, in a pile or on the waste."""
        return any(cards and cards[-1] == card for cards in (self.waste, *self.ups))

    @lazy
    def moves(self) -> tuple[Move, ...]:
        """Every legal move: piles in order, foundations, the stock, giving up."""
        if self.due is not None or self.is_over:
            return ()
        heights, waste = self.foundations, self.waste
        fits, on_empty, may_move = FITS[self.options.strict_shades], ON_EMPTY[self.options.empty_pile], self.open_cards
        found: list[Move] = []
        home: list[Move] = []
        for cards, puts in zip(self.ups, PUTS, strict=True):
            if cards:
                top = cards[-1]
                if heights[COLOR[top]] == BELOW[top]:
                    home.append(HOMES[top])
                fitting = fits[top] & may_move
            else:
                fitting = on_empty & may_move
            while fitting:
                lowest = fitting & -fitting
                found.append(puts[lowest.bit_length() - 1])
                fitting ^= lowest
        if waste and self.is_next_home(waste[-1]):
            home.append(HOMES[waste[-1]])
        found += home
        if self.stock:
            found.append(TURN)
        elif waste and self.may_turn_over:
            found.append(TURN_OVER)
        found.append(CONCEDE)
        return tuple(found)

    @lazy
    def unknown(self) -> int:
        """Cards that nobody has seen yet, as a set of bits: under the piles and in the stock."""
        found = WHOLE_DECK
        for cards in (self.waste, *self.ups):
            for card in cards:
                found ^= BIT[card]
        for color, rank in enumerate(self.foundations):
            found ^= ((1 << rank) - 1) << color * RANKS
        for card in self.stock:
            if card != UNKNOWN:
                found ^= BIT[card]
        return found

    @property
    def lines(self) -> tuple[ScoreLine, ...]:
        """The score line by line, as it would be counted now (SOL-10, SOL-11)."""
        if self.is_won:
            return (scoring.won_line(self.passes),)
        face_up = sum(map(len, self.ups))
        rest = len(self.stock) + len(self.waste)
        return scoring.counted_lines(sum(self.foundations), face_up, sum(self.downs), rest, self.passes)

    def outcome(self) -> Outcome | None:
        """How it ended, with the title that SOL-12 gives; None while it goes on."""
        if self.is_won:
            return scoring.won(self.passes, scoring.score(self.lines).total)
        return scoring.conceded(scoring.score(self.lines).total) if self.conceded else None
