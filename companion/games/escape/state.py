"""The state of Spectrum Escape: applies events to a position (ESC-5 to ESC-17)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from msgspec.structs import replace

from companion.core.contract import Outcome, Rolled, Score, ScoreLine, Seat, Violation, named_seat
from companion.core.foundation.errors import BadEvent
from companion.games.escape import observation
from companion.games.escape.moves import OUT, Column, EscapeEvent, Lose, Play, Withdraw, targets, with_pawn
from companion.games.escape.situation import BITS, OTHER, PERSONAL, TWELVE_SIDED, WITHDREW, Situation, dice_of, next_of
from companion.games.escape.violations import violations_of
from companion.games.shared.color_dice import COLOR, D12, PLACE
from companion.games.shared.ruled_state import RuledState, places

CODE = {one: color + TWELVE_SIDED * (one.kind == D12) for one, color in PLACE.items()}
"""Die to its code as a common die: its color, plus 12 if it has twelve sides."""


class EscapeState(Situation, RuledState, frozen=True, dict=True, tag="escape", forbid_unknown_fields=True):
    """A position of Spectrum Escape with its rules (the contract's `State`)."""

    violations = violations_of

    def _applied(self, event: EscapeEvent) -> Self:
        if isinstance(event, Play):
            if event.seat == self.turn and self._may_play(event):
                return self._played(event.seat, COLOR[event.color], event.to, event.die)
        elif isinstance(event, Withdraw):
            if event.seat == self.turn and event.owner is None and not self.done[event.seat]:
                color = COLOR[event.color]
                if self.columns[color][event.seat]:
                    return self._after(
                        event.seat, WITHDREW, with_pawn(self.columns, color, event.seat, 0), self.escaped
                    )
        elif isinstance(event, Rolled):
            codes = [CODE.get(face, -1) for face in event.faces]
            kinds = dice_of(self.round, len(self.colors))
            due = not self.rolled and self.ending is None
            if due and tuple([face.kind for face in event.faces]) == kinds and min(codes) >= 0:
                return self._begun(codes)
        return super()._applied(event)

    def _may_play(self, play: Play) -> bool:
        """True if the seat on turn may make this move (ESC-5 to ESC-10, ESC-13)."""
        seat, color = play.seat, COLOR[play.color]
        if play.die == "personal":
            if self.done[seat] == PERSONAL or self.personal[seat] != color:
                return False
        elif self.done[seat] & BITS["common"] or not (color in self.unused or color + TWELVE_SIDED in self.unused):
            return False
        column = self.columns[color]
        return targets(column, self.alone)[seat] == play.to and bool(column[seat] or self.stock(seat))

    def _forced(self, move: EscapeEvent, found: tuple[Violation, ...]) -> Self | None:
        """Returns the position after an illegal move that the whole table accepts.

        A move out of turn counts as that seat's move of this round, if it still has one of that kind. A die that does
        not show the color is not used up.

        None if the move is impossible: two pawns on one space, no pawn to move.
        """
        if not self.rolled or isinstance(move, Rolled) or named_seat(move) not in range(self.seats):
            return None
        return self._done(move)

    def _done(self, event: EscapeEvent) -> Self:
        """Returns the position after any event that the pieces on the table permit.

        Raises:
            BadEvent: They do not.
        """
        match event:
            case Rolled():
                return self._begun([CODE[face] for face in event.faces])
            case Play():
                color = COLOR[event.color]
                column = self.columns[color]
                if event.to in column and event.to != column[event.seat]:
                    raise BadEvent("Two pawns cannot stand on one space. Correct what was misread.")
                if not column[event.seat] and not self.stock(event.seat):
                    raise BadEvent(f"Player {event.seat + 1} has no pawn in stock. Correct what was misread.")
                return self._played(event.seat, color, event.to, event.die)
            case Lose():
                return self._after(event.seat, BITS[event.die], self.columns, self.escaped)
            case Withdraw():
                return self._withdrawn(event)
        raise BadEvent(f"Player {event.seat + 1} cannot have two pawns in {event.color}. Correct what was misread.")

    def _begun(self, codes: Sequence[int]) -> Self:
        """Returns the position after the roll: personal dice by seat, then the common dice, whose order does not
        matter.
        """
        seats = len(self.colors)
        return type(self)(
            self.colors,
            self.columns,
            self.escaped,
            self.first,
            (0,) * seats,
            self.round,
            self.alone,
            True,
            tuple([code % TWELVE_SIDED for code in codes[:seats]]),
            tuple(sorted(codes[seats:])),
            (),
        )

    def _played(self, seat: Seat, color: int, to: int, which: str) -> Self:
        unused, used = self.unused, self.used
        if which == "common":
            spent = color if color in unused else color + TWELVE_SIDED
            if spent in unused:
                at = unused.index(spent)
                unused, used = (*unused[:at], *unused[at + 1 :]), (*used, spent)
        escaped = self.escaped
        if to == OUT:
            escaped = (*escaped[:seat], escaped[seat] + 1, *escaped[seat + 1 :])
            to = 0
        return self._after(seat, BITS[which], with_pawn(self.columns, color, seat, to), escaped, unused, used)

    def _withdrawn(self, withdraw: Withdraw) -> Self:
        """Returns the position after a pawn is back in stock; the seat's moves of this round are undone (ESC-15)."""
        color = COLOR[withdraw.color]
        owner = withdraw.seat if withdraw.owner is None else withdraw.owner
        if not owner < self.seats or not self.columns[color][owner]:
            raise BadEvent(f"No such pawn stands in {withdraw.color}. Correct what was misread.")
        columns = with_pawn(self.columns, color, owner, 0)
        if withdraw.owner is not None:
            return replace(self, columns=columns)
        return self._after(withdraw.seat, WITHDREW, columns, self.escaped)

    def _after(
        self,
        seat: Seat,
        did: int,
        columns: tuple[Column, ...],
        escaped: tuple[int, ...],
        unused: tuple[int, ...] | None = None,
        used: tuple[int, ...] | None = None,
    ) -> Self:
        """Returns the position after a seat's move: the next seat, or the next round (ESC-13, ESC-16)."""
        before = self.done[seat]
        did = did if did == WITHDREW or before == WITHDREW else before | did
        done = (*self.done[:seat], did, *self.done[seat + 1 :])
        first, round_, rolled = self.first, self.round, True
        if next_of(first, done) is None:
            rolled = False
            if round_ == "d12":
                first = (first + 1) % len(done)
            round_ = OTHER[round_]
            done = (0,) * len(done)
        return type(self)(
            self.colors,
            columns,
            escaped,
            first,
            done,
            round_,
            self.alone,
            rolled,
            self.personal,
            self.unused if unused is None else unused,
            self.used if used is None else used,
        )

    def scores(self) -> tuple[Score, ...]:
        """Returns the number of escaped pawns of each seat as its score (ESC-17)."""
        return tuple(Score(count, (ScoreLine(1, "ESC-2", "pawn escaped"),) * count) for count in self.escaped)

    def outcome(self) -> Outcome | None:
        """Returns the winner, and the others by their escapes (ESC-17)."""
        ending = self.ending
        if ending is None:
            return None
        return Outcome(places(self.escaped), ending.rule, ending.text)

    layout = observation.layout
