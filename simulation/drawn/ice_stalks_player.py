"""Plays random games of Ice Stalks as people do: a rock, a piece, perhaps a stalk taken, and sometimes a mistake."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.contract import Drawn, Event
from companion.core.foundation.errors import MoveError
from companion.core.layout import Layout
from companion.core.plan import Plan
from companion.core.recording import Recording
from companion.core.verdict import Accepted
from companion.games.ice_stalks.game import ICE_STALKS
from companion.games.ice_stalks.growth import KINDS, pieces_of
from companion.games.ice_stalks.moves import PlacePiece, Take
from companion.games.ice_stalks.state import IceStalksState
from companion.referee.matching import match
from companion.referee.table.table import Table
from simulation.drawn.camera import Camera
from simulation.drawn.spread import Spread
from simulation.drawn.stalks import carry_out, set_out, take_back
from simulation.drawn.standing import Upright
from simulation.drawn.step import Habits, Kind, Step, step_of
from simulation.lawful import is_lawful

ILLEGAL = 0.15
"""The probability of a mistake at each step that neither pushes things about nor takes a mistake back."""
NOTHING = 0.12
"""The probability of a picture in which stalks were only pushed about."""
TOGETHER = 1 / 30
"""The probability that the next player's move shows in the same picture, as
`companion.referee.matching.hypotheses.SECOND_MOVE` has it.
"""
DEPTH = 4
"""The largest number of legal events that may explain the table after a mistake: a rock, a piece, a stalk taken, the
next rock.
"""
_USUAL = Habits()
_TURNS = 2
"""The largest number of turns between two pictures."""
TAKEN_AT_ONCE = 0.6
"""The probability that a completed stalk is taken before the next picture."""


class IceStalksPlayer:
    """A simulation of all players. Rocks are drawn out of the picture; the placed piece shows the color of the rock."""

    game = ICE_STALKS

    def __init__(
        self, rng: Random, plan: Plan, seats: int, camera: Camera | None = None, habits: Habits = _USUAL
    ) -> None:
        self._rng = rng
        self._habits = habits
        self._aside = Random(f"{rng.random()} near") if habits.near else None
        """The source of randomness for setting things down near others; None if that never happens."""
        self._pictures = 0
        self._plan = plan
        self.spread = Spread(plan, rng, camera)
        self.state: IceStalksState = ICE_STALKS.start(seats, ICE_STALKS.Options())
        self._open: tuple[Event, IceStalksState] | None = None
        """An illegal event that lies on the table, and the position before it."""
        self._place_mm = (0.0, 0.0)
        for _ in range(rng.randrange(0, 20)):
            while self.state.hand is None:
                self.state = self.state.apply(self._rock())
            self.state = self.state.apply(rng.choice(list(self.state.moves)))
            if self.state.done is not None:
                self.state = self.state.apply(Take(self.state.turn))
        self._begun = self.state
        set_out(self.spread, self.state)

    def recording(self) -> Recording:
        """Returns the beginning of the recording, with the initial position."""
        state = self._begun
        return Recording(
            names=tuple(f"Player {seat + 1}" for seat in range(state.seats)),
            options={},
            position=position(state),
            plan=self._plan,
            draws="told",
        )

    def set_up(self, table: Table, state: IceStalksState) -> None:
        """Sets the position on a table's page; the last piece of a completed stalk that is not taken yet is entered as
        a move.
        """
        done = pieces_of(state.done or "")
        if not done:
            table.set_position(position(state), "misread", source="page")
            return
        below = {**position(state), "hand": done[-1].color}
        below["stalks"].append([f"{piece.color} {piece.size}" for piece in done[:-1]])
        table.set_position(below, "misread", source="page")
        table.play(PlacePiece(state.turn, done[-1], done[:-1]), source="page")

    def step(self) -> Step | None:
        """Plays on until the table has changed visibly; returns None when the game is over."""
        self._pictures += 1
        near = self._aside if self.spread.set_near < self._habits.near * self._pictures else None
        self.spread.begin_picture(near)
        if self._open is not None:
            event, before = self._open
            self._open = None
            self._place_mm = take_back(self.spread, before, event)
            self.state = before
            return self._step("back", (event,), before)
        if self.state.is_over:
            return None
        spots = [spot for spot, held in self.spread.stands.items() if held]
        if self._rng.random() < NOTHING and spots:
            self.spread.reorder(self._rng.choice(spots))
            return self._step("nothing", (), self.state)
        if self._rng.random() < ILLEGAL:
            wrong = self._mistake()
            if wrong is not None:
                before, event = wrong
                self._do(before, event)
                self.state = before.apply_unchecked(event)
                self._open = event, before
                return self._step("illegal", (event,), before)
        return self._legal()

    def _legal(self) -> Step:
        before = self.state
        events: list[Event] = []
        for _ in range(_TURNS):
            if self.state.is_over:
                break
            if self.state.done is not None:
                events.append(self._apply(Take(self.state.turn)))
            else:
                if self.state.hand is None:
                    events.append(self._apply(self._rock()))
                events.append(self._apply(self._rng.choice(list(self.state.moves))))
                if self.state.done is not None and self._rng.random() < TAKEN_AT_ONCE:
                    events.append(self._apply(Take(self.state.turn)))
            if self.state.done is not None or self._rng.random() >= max(TOGETHER, self._habits.two_turns):
                break
        return self._step("legal", tuple(events), before)

    def _step(self, kind: Kind, events: tuple[Event, ...], before: IceStalksState) -> Step:
        self.spread.nudge(0.06)
        return step_of(ICE_STALKS, kind, events, before, self.state, self._place_mm)

    def _rock(self) -> Drawn:
        draws, weights = zip(*ICE_STALKS.outcomes(self.state), strict=True)
        drawn = self._rng.choices(draws, weights)[0]
        assert isinstance(drawn, Drawn)
        return drawn

    def _apply(self, event: Event) -> Event:
        before, self.state = self.state, self.state.apply(event)
        self._do(before, event)
        return event

    def _do(self, before: IceStalksState, event: Event) -> None:
        self._place_mm = carry_out(self.spread, before, event) or self._place_mm

    def _mistake(self) -> tuple[IceStalksState, Event] | None:
        """Returns a position with its rock drawn, and an event that breaks a rule there and that no legal events
        explain; None if none was found.
        """
        for _ in range(40):
            state = self.state
            if state.done is not None:
                event: Event = Take(self._rng.choice([seat for seat in range(state.seats) if seat != state.turn]))
            else:
                state = state.apply(self._rock()) if state.hand is None else state
                event = self._wrong_place(state)
            if not state.violations(event) or not _shows(event):
                continue
            try:
                after = state.apply_unchecked(event)
            except MoveError:
                continue
            if self._is_plain(state, event, after):
                return state, event
        return None

    def _wrong_place(self, state: IceStalksState) -> Event:
        """Returns the placement of a piece of the drawn color on a random stalk, or on the table."""
        color = state.drawable[0]
        piece = KINDS[3 * color + self._rng.choice((0, 0, 1, 1, 2))]
        on = pieces_of(self._rng.choice(["", *state.stalks]))
        return PlacePiece(state.turn, piece, on)

    def _is_plain(self, state: IceStalksState, event: Event, after: IceStalksState) -> bool:
        """True if no legal events, with any rock, would leave the same table."""
        table = after.layout()
        heaps = {spot: heap for spot, heap in table.heaps.items() if spot in self.spread.zones}
        if self._habits.wide:
            return not is_lawful(ICE_STALKS, self.state, Layout(heaps=heaps), DEPTH)
        verdict = match(ICE_STALKS, self.state, type(table)(heaps=heaps))
        if not isinstance(verdict, Accepted):
            return True
        here = self.state
        for told in verdict.events:
            here = here.apply(told)
        return bool(here.layout().differences(type(table)(heaps=heaps)))


def _shows(event: Event) -> bool:
    """True if every piece can be seen; a larger piece hides a smaller one under it."""
    if not isinstance(event, PlacePiece):
        return True
    pieces = (*event.on, event.piece)
    return Upright(pieces, 0, 0).seen == pieces


def position(state: IceStalksState) -> dict[str, Any]:
    """Returns a position in the format of a written record."""
    rainbow = {one.pieces[0].color: 0 for one, _ in ICE_STALKS.outcomes(ICE_STALKS.start(2, ICE_STALKS.Options()))}
    left = dict(zip(rainbow, state.rocks, strict=True))
    return {
        "stalks": [_names(stalk) for stalk in state.stalks],
        "taken": [[_names(stalk) for stalk in pile] for pile in state.taken],
        "rocks": left,
        "turn": state.turn,
        "hand": state.hand,
    }


def _names(stalk: str) -> list[str]:
    return [f"{piece.color} {piece.size}" for piece in pieces_of(stalk)]
