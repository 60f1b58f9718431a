"""The state of Regenbogen: applies events to a position (RGB-9 to RGB-27)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from companion.core.contract import Outcome, Score, Seat, Violation
from companion.core.layout import Detection, Layout
from companion.core.pieces import PYRAMID_COLORS, PYRAMID_SIZES, Piece, Pyramid
from companion.games.regenbogen import violations
from companion.games.regenbogen.board import AROUND, BIT, CELL, NEIGHBORS
from companion.games.regenbogen.data import DATA, SIDES
from companion.games.regenbogen.kinds import CLERIC, DAMAGE, KIND, OWNER, SPIRITS, START_HEALTH, piece
from companion.games.regenbogen.moves import (
    AcceptDraw,
    DeclineDraw,
    EndTurn,
    Fight,
    GiveSpell,
    Go,
    Heal,
    LoseCleric,
    Move,
    OfferDraw,
    Pass,
    Recover,
    SelfDestruct,
    Summon,
)
from companion.games.regenbogen.situation import Offer, Situation, digest
from companion.games.regenbogen.violations import violations_of
from companion.games.shared.ruled_state import RuledState

# Predicts the reading of a position.
#
# From above every piece is its topmost pyramid (RGB-29): small while it has health, so color and size alone
# show neither owner nor health. A camera sees pieces that move, come, go, or lose their last health. Players enter the
# rest.

_SURE: dict[Piece | None, Detection] = {
    Pyramid(color, size): Detection.sure(Pyramid(color, size)) for color in PYRAMID_COLORS for size in PYRAMID_SIZES
}
_SURE[None] = Detection.sure(None)


def layout(situation: Situation) -> Layout:
    """Returns the layout: every cell with its visible top. Stores are left out."""
    return Layout({cell: _SURE[piece] for cell, piece in situation.tops.items()})


_MOVES = frozenset(Move.__args__)
"""The types of moves."""


class RegenbogenState(Situation, RuledState, frozen=True, dict=True, tag="regenbogen", forbid_unknown_fields=True):
    """A position of Regenbogen with its rules (the contract's `State`)."""

    violations = violations_of

    def apply(self, event: Move) -> Self:
        """Does the same as `RuledState.apply`, and carries a legal move out without further checks."""
        return self._done(event) if self._is_legal(event) else self._applied(event)

    def apply_unchecked(self, event: Move) -> Self:
        """Does the same as `RuledState.apply_unchecked`, and carries a legal move out without further checks."""
        return self._done(event) if self._is_legal(event) else super().apply_unchecked(event)

    def _is_legal(self, event: Move) -> bool:
        """True for a legal move; if the moves are listed already, it is searched among them."""
        return event in self.__dict__.get("moves", ()) or (type(event) in _MOVES and self.may(event))

    def _applied(self, event: Move) -> Self:
        if self._is_legal(event):
            return self._done(event)
        if not self.violations(event):
            return self  # Players may also announce an effect that has already happened.
        return super()._applied(event)

    def _forced(self, move: Move, found: tuple[Violation, ...]) -> Self | None:
        """Returns the position after an illegal move that the whole table accepts.

        A move out of turn counts as a turn of the side that made it. An action after a piece had moved ends the turn as
        if that piece had acted.

        None if the move is impossible: no such piece, an occupied cell, empty stores, an open question.
        """
        waits = self.saving or self.offer == "open"
        if waits or type(move) not in _MOVES or not violations.can_be_done(self, move):
            return None
        return self._on_turn(move.seat)._done(move)

    def _on_turn(self, seat: Seat) -> Self:
        """Returns the same table with another seat to move."""
        if seat == self.turn:
            return self
        return type(self)(self.board, self.spells, seat, self.dead, self.options, self.history, self.quiet)

    def _done(self, event: Move) -> Self:
        """Returns the position after any move that the pieces on the table permit."""
        match event:
            case Go():
                return self._gone(CELL[event.piece], CELL[event.to])
            case Fight():
                return self._fought(CELL[event.piece], CELL[event.target])
            case Summon():
                return self._summoned(CELL[event.piece], CELL[event.to])
            case EndTurn() | Pass():
                return self._ended(self.board, self.occupied, self.spells, self.quiet + 1)
            case Heal():
                board = bytearray(self.board)
                board[CELL[event.target]] += event.points
                return self._ended(bytes(board), self.occupied, self._changed_spells(-1), self.quiet + 1)
            case Recover():
                return self._ended(self.board, self.occupied, self._changed_spells(1), self.quiet + 1)
            case SelfDestruct():
                return self._destroyed(CELL[event.piece])
            case GiveSpell() | LoseCleric():
                return self._saved(event)
            case OfferDraw():
                return self._offered("open")
            case AcceptDraw():
                return self._offered("accepted")
            case DeclineDraw():
                return self._offered("declined")

    def _gone(self, start: int, to: int) -> Self:
        """Returns the position after the piece moved; if it cannot act there, the turn is over."""
        board = bytearray(self.board)
        one = board[to] = board[start]
        board[start] = 0
        enemies, occupied = self.enemies, self.occupied ^ BIT[start] ^ BIT[to]
        fights = enemies & AROUND[to]
        if not fights and KIND[one] >= SPIRITS:
            return self._ended(bytes(board), occupied, self.spells, self.quiet + 1, last=to)
        moved = type(self)(bytes(board), self.spells, self.turn, self.dead, self.options, self.history, self.quiet, to)
        known = moved.__dict__
        known["occupied"], known["enemies"], known["ending"] = occupied, enemies, None
        if fights or moved.actions:
            return moved
        return moved._ended(moved.board, occupied, self.spells, self.quiet + 1, last=to)

    def _summoned(self, wizard: int, to: int) -> Self:
        seat, color = self.turn, KIND[self.board[wizard]]
        board = bytearray(self.board)
        board[to] = piece(seat, SPIRITS + color, min(START_HEALTH[SPIRITS], self.pool(seat, color)[1]))
        return self._ended(bytes(board), self.occupied | BIT[to], self.spells, self.quiet + 1)

    def _fought(self, attacker: int, victim: int) -> Self:
        board = self.board
        harm = DAMAGE[KIND[board[attacker]]][KIND[board[victim]]]
        return self._struck(bytearray(board), self.occupied, (victim,), harm)

    def _destroyed(self, spirit: int) -> Self:
        """Returns the position after a self-destruct: all pieces around take damage together, and the Spirit's
        remaining health goes back to its pool (RGB-23).
        """
        victims = tuple([cell for cell in NEIGHBORS[spirit] if self.board[cell]])
        board = bytearray(self.board)
        board[spirit] = 0
        occupied = self.occupied ^ BIT[spirit]
        if not victims:
            return self._ended(bytes(board), occupied, self.spells, self.quiet + 1)
        return self._struck(board, occupied, victims, DATA.damage.self_destruct)

    def _struck(self, board: bytearray, occupied: int, victims: Sequence[int], harm: int) -> Self:
        """Returns the position after damage to these cells (RGB-16); for Clerics that would die, their owners decide
        (RGB-17).
        """
        dead, saving, history = self.dead, [], self.history
        for cell in victims:
            one = board[cell]
            health = one & 7
            if harm <= health:
                board[cell] = one - harm
                continue
            kind, owner = KIND[one], OWNER[one]
            if kind == CLERIC and self.spells[owner]:
                board[cell] = one - health
                saving.append(owner)
                continue
            board[cell] = 0
            occupied ^= BIT[cell]
            if kind < SPIRITS:
                history = ()
            if kind < CLERIC:
                dead = (dead[0] | 1 << kind, dead[1]) if owner == 0 else (dead[0], dead[1] | 1 << kind)
        if saving:
            after = tuple(sorted(saving))
            return type(self)(bytes(board), self.spells, self.turn, dead, self.options, history, 0, None, after)
        return self._ended(bytes(board), occupied, self.spells, 0, dead, history)

    def _saved(self, event: GiveSpell | LoseCleric) -> Self:
        """Returns the position after the owner of a Cleric has chosen; after the last choice the turn is over
        (RGB-17).
        """
        seat = event.seat
        board, occupied, spells, history = self.board, self.occupied, self.spells, self.history
        if isinstance(event, GiveSpell):
            spells = _changed(spells, seat, -1)
        else:
            cleric = bytes((piece(seat, CLERIC, 0),))
            occupied ^= BIT[board.index(cleric)]
            board = board.replace(cleric, b"\0")
            spells = _changed(spells, seat, -spells[seat])
            history = ()
        rest = tuple([other for other in self.saving if other != seat])
        if rest:
            return type(self)(board, spells, self.turn, self.dead, self.options, history, 0, None, rest)
        return self._ended(board, occupied, spells, 0, self.dead, history)

    def _changed_spells(self, change: int) -> tuple[int, int]:
        return _changed(self.spells, self.turn, change)

    def _offered(self, offer: Offer) -> Self:
        return type(self)(
            self.board,
            self.spells,
            self.turn,
            self.dead,
            self.options,
            self.history,
            self.quiet,
            self.moved,
            self.saving,
            offer,
        )

    def _ended(
        self,
        board: bytes,
        occupied: int,
        spells: tuple[int, int],
        quiet: int,
        dead: tuple[int, int] | None = None,
        history: tuple[int, ...] | None = None,
        last: int | None = None,
    ) -> Self:
        """Returns the position at the start of the other side's turn and records it for repetitions (RGB-27)."""
        following = 1 - self.turn
        before = self.history if history is None else history
        after = type(self)(
            board,
            spells,
            following,
            self.dead if dead is None else dead,
            self.options,
            (*before, digest(board, spells, following)),
            quiet,
            None,
            (),
            "",
            last,
        )
        known = after.__dict__
        known["occupied"], known["enemies"] = occupied, occupied & ~self.enemies
        return after

    def scores(self) -> tuple[Score, ...]:
        """Returns no points: a domination wins, or no side does (RGB-25)."""
        return tuple(Score(0) for _ in SIDES)

    def outcome(self) -> Outcome | None:
        """Returns the outcome, or None while the game goes on (RGB-25 to RGB-27)."""
        ending = self.ending
        return None if ending is None else Outcome(ending.places, ending.rule, ending.text)

    layout = layout


def _changed(spells: tuple[int, int], seat: Seat, change: int) -> tuple[int, int]:
    return (spells[0] + change, spells[1]) if seat == 0 else (spells[0], spells[1] + change)
