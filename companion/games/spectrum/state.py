"""One position of Spectrum and what changes it (BRD-8 to BRD-35, VAR-1 to VAR-28)."""

from __future__ import annotations

from typing import Self

from companion.core.contract import Breach, Drawn, Expect, Rolled, Shown
from companion.core.foundation.errors import GameOver, IllegalMove
from companion.games.shared.ruled_state import RuledState, sentences
from companion.games.shared.search.lazy import lazy
from companion.games.spectrum import breaches, chance, legal, opening, portals, scoring, sighted, standing, told, turns
from companion.games.spectrum.listing import is_alive
from companion.games.spectrum.moves import (
    Activate,
    Declare,
    EndTurn,
    Fulfil,
    Go,
    Move,
    Pass,
    Pick,
    PlacePawn,
    Roll,
    Send,
    SpectrumEvent,
    Surrender,
    Swap,
    TakeOff,
    ends_of,
)
from companion.games.spectrum.situation import Situation
from companion.games.spectrum.usages import Usage

_TOLD = (Rolled, Drawn, Shown)


class SpectrumState(Situation, RuledState, frozen=True, dict=True, tag="spectrum", forbid_unknown_fields=True):
    """One position of Spectrum (the contract's `State`)."""

    @lazy
    def alive(self) -> tuple[Usage, ...]:
        """The usages that have a legal move, where one must be declared (BRD-28)."""
        if self.phase != "declare":
            return ()
        return tuple([usage for usage in self.usages if is_alive(self, self.ground, usage)])

    @lazy
    def moves(self) -> tuple[Move, ...]:
        """Every legal move, in a stable order."""
        return legal.moves(self, self.alive)

    def expects(self) -> Expect:
        """The event that must come next. Dice and cards may also be told where something may still come before them."""
        return chance.expects(self)

    def explain(self, move: SpectrumEvent) -> tuple[Breach, ...]:
        """The rules that an event breaks; empty if and only if it is legal now.

        A pawn's move need not name the only part that it can be, and declaring the present usage again changes nothing.
        """
        return breaches.explain(self, move, self.moves, self.alive)

    def _applied(self, event: SpectrumEvent) -> Self:
        if type(event) is Rolled and self.phase == "roll":
            roll = told.roll_of(event.faces, chance.dice_kinds(self))
            if roll is not None:
                return turns.rolled(self, roll)
        if isinstance(event, _TOLD):
            found = self.explain(event)
            if not found:
                return told.done(self, event)
        elif event in self.moves:
            return self._done(event)
        else:
            found = self.explain(event)
            if not found:
                go = breaches.meant(self, event, self.moves) if isinstance(event, Go) else None
                return self if go is None else self._done(go)
        if self.phase == "over":
            raise GameOver(sentences(found))
        raise IllegalMove(found)

    def _done(self, move: Move) -> Self:
        """The position after a legal move."""
        match move:
            case Go():
                ends = ends_of(move)
                assert ends is not None
                return turns.gone(self, move, ends)
            case Declare():
                usage = self.usage_named(move.usage)
                assert usage is not None
                return turns.declared(self, usage)
            case PlacePawn():
                return turns.placed(self, move) if self.extras.activation is None else portals.placed(self, move)
            case Pass():
                return turns.passed(self)
            case Roll():
                return turns.going_to_roll(self)
            case Surrender():
                return turns.surrendering(self)
            case TakeOff():
                return turns.taken_off(self, move)
            case Swap():
                return turns.swapped(self, move)
            case Pick():
                return opening.picked(self, move)
            case Fulfil():
                return portals.declared_missions(self)
            case Activate():
                return portals.activated(self, move)
            case Send():
                return portals.sent(self, move)
            case EndTurn():
                return turns.ended(self)

    def _forced(self, move: SpectrumEvent, found: tuple[Breach, ...]) -> Self | None:
        """The position after an illegal event that the whole table lets stand.

        None if it cannot be carried out: no such pawn, no such place, or not what the turn waits for.
        """
        return standing.allowed(self, move)

    scores = scoring.scores
    outcome = scoring.outcome
    layout = sighted.layout
