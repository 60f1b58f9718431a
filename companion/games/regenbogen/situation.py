"""The data of a position of Regenbogen, the legal moves, and the content of the stores.

Everything is public. Health and spells are stored, because a stack hides them from a camera (RGB-29); the stores follow
from the pieces on the board (RGB-19), so they are not stored.
"""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from itertools import compress, product
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.core.contract import Expect, Over, Seat, ToMove
from companion.core.pieces import Piece, Pyramid
from companion.games.regenbogen.board import AROUND, BIT, CELL, CELLS, CLEAR, NAMES, NEIGHBORS
from companion.games.regenbogen.data import DATA, SIDES
from companion.games.regenbogen.ending import AGREED, Ending, by_domination, quiet, repeated
from companion.games.regenbogen.kinds import (
    CLERIC,
    KIND,
    MOST_SPIRITS,
    OWNER,
    PIECES,
    POOL,
    SPIRITS,
    START_HEALTH,
    piece,
    top,
    translucent,
)
from companion.games.regenbogen.moves import (
    ANSWERS,
    END_TURNS,
    HEALS,
    OFFERS,
    PASSES,
    RECOVERS,
    SAVES,
    Action,
    EndTurn,
    Fight,
    Go,
    Heal,
    Move,
    OfferDraw,
    Pass,
    Recover,
    SelfDestruct,
    Summon,
)
from companion.games.regenbogen.options import Options
from companion.games.regenbogen.reach import CELL_BITS, FIGHTING, KITS, SPARE, SUMMONING, Summons
from companion.games.shared.lazy import lazy

_SIZE = len(CELLS)
_RANGE = range(_SIZE)
_OVER = Over()
_TO_MOVE = (ToMove((0,)), ToMove((1,)))
_OF = tuple(bytes(1 if byte < PIECES and OWNER[byte] == seat else 0 for byte in range(256)) for seat in range(2))
"""For each seat, a translation table of bytes that gives 1 for a piece of the seat, else 0."""
_DIGITS = tuple(bytes(48 + flag for flag in flags) for flags in _OF)
"""The tables of `_OF` with the binary digits "1" and "0" as results."""
_ANY = bytes(49 if byte >= 8 else 48 for byte in range(256))
"""Bytes to whether they are pieces, as a binary digit."""
_ACTIONS = Action.__args__
"""The types of actions."""
_HEALTH_NEEDED = DATA.spirits.summon_health


def _spirits_of(seat: int, color: int) -> tuple[int, bytes]:
    """Returns the byte of a Spirit without health, and all bytes that are not Spirits of its side and color."""
    first = piece(seat, SPIRITS + color, 0)
    spirits = range(first, first + DATA.health.spirit + 1)
    return first, bytes(byte for byte in range(256) if byte not in spirits)


_SPIRITS_OF = tuple(tuple(_spirits_of(seat, color) for color in range(len(NAMES))) for seat in range(len(SIDES)))
"""The Spirits by seat and color, see `_spirits_of`."""

Turn = Annotated[int, Meta(ge=0, le=1)]
Offer = Literal["", "open", "declined", "accepted"]


_TAIL = {spells: tuple(bytes((*spells, turn)) for turn in (0, 1)) for spells in product(range(10), repeat=2)}
"""The last bytes of what a digest is made of, by spells and turn."""


class Situation(Struct, frozen=True, dict=True):
    """A position without the methods that change it."""

    board: Annotated[bytes, Meta(min_length=_SIZE, max_length=_SIZE)]
    """The piece on each cell, rank by rank, as a byte (see `kinds`); 0 for an empty cell."""
    spells: tuple[Annotated[int, Meta(ge=0, le=9)], Annotated[int, Meta(ge=0, le=9)]]
    """The number of spells of each seat's Cleric (RGB-4)."""
    turn: Turn
    dead: tuple[Annotated[int, Meta(ge=0, le=127)], Annotated[int, Meta(ge=0, le=127)]] = (0, 0)
    """The dead Wizards of each seat, as a mask with a bit for each of the seven names (RGB-25)."""
    options: Options = Options()
    history: tuple[int, ...] = ()
    """Digests of the positions at the beginning of each turn since the last death of a Wizard or Cleric, including this
    one; earlier positions cannot recur (RGB-27).
    """
    quiet: Annotated[int, Meta(ge=0)] = 0
    """The number of consecutive turns of both sides without damage (RGB-27)."""
    moved: Annotated[int, Meta(ge=0, lt=_SIZE)] | None = None
    """The cell of the piece that has moved in this turn and may still act (RGB-9)."""
    saving: tuple[Turn, ...] = ()
    """The seats that must still decide whether their Cleric gives up a spell (RGB-17)."""
    offer: Offer = ""
    """The state of the draw that the side to move proposed (RGB-27)."""
    last: Annotated[int, Meta(ge=0, lt=_SIZE)] | None = None
    """The cell of the piece whose move ended the other side's turn because it could not act there (RGB-9)."""

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(SIDES)

    @lazy
    def occupied(self) -> int:
        """The set of cells that hold a piece."""
        return int(self.board.translate(_ANY), 2)

    @lazy
    def enemies(self) -> int:
        """The set of cells that hold a piece of the side that is not to move."""
        return int(self.board.translate(_DIGITS[1 - self.turn]), 2)

    def pool(self, seat: Seat, color: int) -> tuple[int, int]:
        """Returns the number of Spirits, and their health, that a side can still put on the board (RGB-19).

        Args:
            color: The index of the color in `NAMES`.
        """
        without_health, others = _SPIRITS_OF[seat][color]
        spirits = self.board.translate(None, others)
        count = len(spirits)
        return MOST_SPIRITS[color] - count, POOL[color] - (sum(spirits) - without_health * count)

    def may_summon(self, seat: Seat, color: int) -> bool:
        """True if the stores hold a Spirit and its health (RGB-19)."""
        spirits, health = self.pool(seat, color)
        return spirits >= 1 and health >= _HEALTH_NEEDED

    def curable(self, cell: int) -> int:
        """Returns the most health that the piece on a cell can regain in one heal (RGB-21)."""
        one = self.board[cell]
        kind = KIND[one]
        most = min(DATA.cleric.heal_up_to, START_HEALTH[kind] - (one & 7))
        if kind >= SPIRITS:
            most = min(most, self.pool(OWNER[one], kind - SPIRITS)[1])
        return max(most, 0)

    @lazy
    def ending(self) -> Ending | None:
        """The end of the game, or None while it goes on (RGB-25 to RGB-27); valid only after complete actions."""
        if self.saving:
            return None
        won = by_domination(self.dead)
        if won is not None:
            return won
        if self.offer == "accepted":
            return AGREED
        if self.moved is None:
            history, options = self.history, self.options
            if history and history.count(history[-1]) >= options.repetition_draw:
                return repeated(options.repetition_draw)
            if self.quiet >= options.no_damage_draw_turns:
                return quiet(options.no_damage_draw_turns)
        return None

    def expects(self) -> Expect:
        """Returns the event that must come next."""
        if self.ending is not None:
            return _OVER
        if self.saving:
            return ToMove(self.saving)
        return _TO_MOVE[1 - self.turn if self.offer == "open" else self.turn]

    @lazy
    def moves(self) -> tuple[Move, ...]:
        """Every legal move: the actions of a piece that has moved, or else all moves and the actions of unmoved
        pieces.
        """
        if self.ending is not None:
            return ()
        turn = self.turn
        if self.saving:
            return tuple([move for seat in self.saving for move in SAVES[seat]])
        if self.offer == "open":
            return ANSWERS[1 - turn]
        if self.moved is not None:
            return (END_TURNS[turn], *self.actions)
        found = self._turns() or [PASSES[turn]]
        if not self.offer:
            found.append(OFFERS[turn])
        return tuple(found)

    @lazy
    def can_act(self) -> bool:
        """True if any piece of the side to move, none of which has moved, can move or act (RGB-9)."""
        return bool(self._turns())

    def _turns(self) -> list[Move]:
        """Returns every move and action that may begin a turn."""
        board, turn, occupied, enemies = self.board, self.turn, self.occupied, self.enemies
        kits = KITS[self.options.boost_stacks, self.options.self_destruct_any_health]
        found: list[Move] = []
        wizards: list[Summons] = []
        used = 0
        for cell in compress(_RANGE, board.translate(_OF[turn])):
            kit = kits[board[cell] << CELL_BITS | cell]
            goes, around, fights, is_cleric, taken, destructs, summons = kit
            for mask, table in goes:
                found += table[occupied & mask]
            near = enemies & around
            if near:
                found += fights[near]
            if summons is not None:
                wizards.append(summons)
            elif is_cleric:
                found += self._cleric_actions(cell, moved=False)
            else:
                used += taken
                if destructs is not None:
                    found.append(destructs)
        used += SPARE
        for lacking, mask, near_by in wizards:
            if not used & lacking:
                found += near_by[occupied & mask]
        return found

    @lazy
    def actions(self) -> tuple[Move, ...]:
        """Every action of the piece that has moved."""
        cell, turn = self.moved, self.turn
        assert cell is not None  # the actions of a piece that has not moved are among the moves
        kind = KIND[self.board[cell]]
        near = self.enemies & AROUND[cell]
        found: list[Move] = list(FIGHTING[turn][cell][near]) if near else []
        if kind == CLERIC:
            found += self._cleric_actions(cell, moved=True)
        elif kind < CLERIC and self.may_summon(turn, kind):
            near_by = SUMMONING[turn][kind][cell]
            found += near_by[self.occupied & near_by.mask]
        return tuple(found)

    def _cleric_actions(self, cell: int, *, moved: bool) -> list[Move]:
        """Returns the heals (RGB-21) and the recovery of a spell (RGB-22) by a Cleric."""
        turn, board = self.turn, self.board
        found: list[Move] = []
        if self.spells[turn]:
            lacking = board.translate(_LACKING[turn])
            for other in NEIGHBORS[cell] if moved else _HERE_AND_AROUND[cell]:
                if lacking[other]:
                    healing = HEALS[turn][cell][other]
                    found += healing[: lacking[other] if KIND[board[other]] < SPIRITS else self.curable(other)]
        if not moved and self.spells[turn] < DATA.cleric.spells_max and not self.enemies & AROUND[cell]:
            found.append(RECOVERS[turn][cell])
        return found

    def may(self, move: Move) -> bool:
        """True if a move is among the legal ones, without listing them."""
        if self.ending is not None:
            return False
        if self.saving or self.offer == "open":
            return move in self.moves
        if move.seat != self.turn:
            return False
        if type(move) is Go:
            return self.moved is None and self._may_go(move)
        if isinstance(move, _ACTIONS):
            cell = CELL.get(move.piece, -1)
            if cell < 0 or OWNER[self.board[cell]] != self.turn or self.moved not in (None, cell):
                return False
            return self._may_act(move, cell)
        match move:
            case EndTurn():
                return self.moved is not None
            case Pass():
                return self.moved is None and not self.can_act
            case OfferDraw():
                return self.moved is None and not self.offer
        return False

    def _may_go(self, go: Go) -> bool:
        start = CELL.get(go.piece, -1)
        one = self.board[start] if start >= 0 else 0
        if OWNER[one] != self.turn:
            return False
        occupied = self.occupied
        kit = KITS[self.options.boost_stacks, self.options.self_destruct_any_health][one << CELL_BITS | start]
        return any(go in table[occupied & mask] for mask, table in kit[0])

    def _may_act(self, action: Fight | Summon | Heal | Recover | SelfDestruct, cell: int) -> bool:
        """True if an own piece that may act may do this."""
        one, turn = self.board[cell], self.turn
        kind = KIND[one]
        match action:
            case Fight(target=target):
                return bool(AROUND[cell] & self.enemies & BIT[CELL[target]]) if target in CELL else False
            case Summon(to=to):
                if kind >= CLERIC or to not in CELL or not self.may_summon(turn, kind):
                    return False
                near = SUMMONING[turn][kind][cell]
                return bool(near.mask & ~self.occupied & BIT[CELL[to]])
            case SelfDestruct():
                ready = self.options.self_destruct_any_health or not one & 7
                return self.moved is None and kind >= SPIRITS and ready
        return kind == CLERIC and action in self._cleric_actions(cell, moved=self.moved is not None)

    def digest(self) -> int:
        """Returns the position and the side to move, 48 bits: pieces, health, spells (RGB-27)."""
        return digest(self.board, self.spells, self.turn)

    def unseen(self) -> Counter[Piece]:
        """Returns the pyramids in stores or under other pieces: the whole set without the visible tops."""
        found = Counter(_SET)
        found.subtract(piece for piece in self.tops.values() if piece is not None)
        return +found

    @lazy
    def tops(self) -> dict[str, Pyramid | None]:
        """Cell name to the top that a camera sees from above (RGB-29)."""
        shown = dict(zip(CELLS, [_TOP[one] for one in self.board], strict=True))
        for seat, spells in enumerate(self.spells):
            if not spells:
                bare = self.board.find(_BARE[seat])
                if bare >= 0:
                    shown[CELLS[bare]] = Pyramid(SIDES[seat], "large")
        return shown


def digest(board: bytes, spells: tuple[int, int], turn: int) -> int:
    """Returns a 48-bit digest of a position and the side to move: pieces, health, spells (RGB-27)."""
    return int.from_bytes(blake2b(board + _TAIL[spells][turn], digest_size=6).digest(), "little")


def _whole_set() -> Counter[Piece]:
    """Returns every pyramid of both sides (RGB-4)."""
    found: Counter[Piece] = Counter()
    side = DATA.set_of_a_side
    stashes = [(owner, side.opaque, 1) for owner in SIDES]
    stashes += [
        (translucent(color), side.ultima if color == CLEAR else side.wheel_color, len(SIDES))
        for color in range(len(NAMES))
    ]
    for color, sizes, times in stashes:
        for size in ("large", "medium", "small"):
            found[Pyramid(color, size)] += times * getattr(sizes, size)
    return found


_SET = _whole_set()
_TOP = tuple(top(one, DATA.cleric.spells_max) if one >= 8 else None for one in range(PIECES))
"""The visible top of each piece while its side has spells."""
_LACKING = tuple(
    bytes(
        max(START_HEALTH[KIND[one]] - (one & 7), 0) if one < PIECES and OWNER[one] == seat else 0 for one in range(256)
    )
    for seat in range(len(SIDES))
)
"""For each seat, a translation table of bytes that gives the health that a piece of the seat has lost, else 0."""
_HERE_AND_AROUND = tuple((cell, *NEIGHBORS[cell]) for cell in _RANGE)
"""Each cell with its neighbors."""
_BARE = tuple(bytes((piece(seat, CLERIC, 0),)) for seat in range(len(SIDES)))
"""The Cleric without health of each seat, as a byte."""
