"""Plays random games of Regenbogen on a table: stacks move, Spirits are summoned, and invisible actions are entered."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from companion.core.contract import Event, Over
from companion.core.foundation.errors import MoveError
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import PYRAMID_COLORS, Piece
from companion.core.plan import Point, PyramidBoard
from companion.core.recording import Recording
from companion.games.regenbogen.board import CELL, CELLS, NEIGHBORS
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.regenbogen.kinds import KIND, OWNER
from companion.games.regenbogen.manifest import CELL_MM, plan
from companion.games.regenbogen.moves import EndTurn, Fight, Go, Heal, Recover, Summon
from companion.games.regenbogen.state import RegenbogenState
from companion.referee.journal import timeline
from companion.referee.table.table import Table
from simulation.drawn.camera import Camera, Floats
from simulation.drawn.doubting import USUAL
from simulation.drawn.regenbogen_mat import put_down, stack
from simulation.drawn.standing import Upright
from simulation.drawn.step import Habits, Kind, Step, step_of
from simulation.followed.eyes import CellHolds, FollowingEyes
from simulation.followed.reading import EXACT, KNOWN, STRANGE, Sharpness
from simulation.followed.view import Thing
from simulation.lawful import is_lawful

ILLEGAL = 0.14
"""The probability of a mistake at each step that neither pushes things about nor takes a mistake back."""
NOTHING = 0.1
"""The probability of a picture in which stacks were only pushed about in their cells."""
SUMMONS = 0.3
"""The probability of a summon where both a summon and a move are possible."""
ACTS = 0.3
"""The probability that a piece that has moved also acts, which people then enter."""
OPENING = 30
"""The number of events before the first picture is random and less than this."""
MOST_RULES = 2
"""The largest number of rules that a mistake breaks."""
STACK_HIGH_MM = 50.0
"""The approximate height of a stack."""
PUSHED_MM = 6.0
"""The largest distance, in x and in y, by which a stack is pushed from the middle of its cell."""
_TRIES = 60


class CellPlace(Struct, frozen=True):
    """The empty place of a cell."""

    middle_mm: Point

    pieces: tuple[Piece | None, ...] = (None,)

    @property
    def seen(self) -> tuple[Piece | None, ...]:
        """No piece: a tuple of None."""
        return self.pieces

    @property
    def place_mm(self) -> Point:
        """The middle of the cell."""
        return self.middle_mm

    def solids(self) -> list[Floats]:
        """Returns the corners (8, 3) of the box over the inner part of the cell, as high as a stack."""
        x, y = self.middle_mm
        half, corners = CELL_MM * 0.35, ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return [np.array([(x + a * half, y + b * half, z) for z in (0.0, STACK_HIGH_MM) for a, b in corners])]


class _Open(NamedTuple):
    """A mistake that lies on the table, and the position and stacks before it."""

    event: Event
    before: RegenbogenState
    standing: dict[Spot, Upright]


class StackTable:
    """A table at which both sides of Regenbogen are played at random."""

    game = REGENBOGEN

    def __init__(self, rng: Random, camera: Camera, habits: Habits) -> None:
        self.camera = camera
        self._rng = rng
        self._habits = habits
        self._plan = plan(2)
        self._middles = _middles(self._plan.zones[0])
        self.state: RegenbogenState = REGENBOGEN.start(2, REGENBOGEN.Options())
        for _ in range(rng.randrange(OPENING)):
            moves = [move for move in self.state.legal_moves() if isinstance(move, Go | Summon | EndTurn | Fight)]
            if not moves or isinstance(self.state.apply(moves[0]).expects(), Over):
                break
            self.state = self.state.apply(rng.choice(moves))
        self._start = self.state
        self._standing: dict[Spot, Upright] = {}
        self._open: _Open | None = None
        self._acts: Event | None = None
        """The action that is made next and entered, because no picture shows it; None if there is none."""
        self._stand_up()

    def recording(self) -> Recording:
        """Returns the beginning of the recording, with the initial position."""
        return Recording(("White", "Black"), {}, timeline.written(self._start), self._plan, draws="told")

    def eyes(self, seed: int, faults: float) -> FollowingEyes:
        """Returns eyes that know the board's cells."""
        err = USUAL.scaled(faults) if faults else EXACT
        colors = [color for color in PYRAMID_COLORS if color != "cyan"]
        return FollowingEyes(
            self._plan, self.camera, seed, Sharpness(seed, err, STRANGE if faults else KNOWN, colors), ()
        )

    def things(self) -> tuple[Thing, ...]:
        """Returns an empty tuple: there are no heaps."""
        return ()

    def cells(self) -> Mapping[Spot, CellHolds]:
        """Returns the cells of the board with their stacks."""
        return {spot: CellHolds(CellPlace(middle), self._standing.get(spot)) for spot, middle in self._middles.items()}

    def layout(self) -> Layout:
        """Returns the top pieces of all cells."""
        return Layout({spot: _top(cell) for spot, cell in self.cells().items()})

    def seen(self, eyes: FollowingEyes) -> Layout:
        """Returns the top pieces of the cells in view."""
        return Layout({spot: _top(cell) for spot, cell in self.cells().items() if eyes.is_cell_in_view(cell)})

    def set_up(self, table: Table, state: RegenbogenState) -> None:
        """Sets the position on a table's page."""
        table.set_position(timeline.written(state), "misread", source="page")

    def untraced(self) -> list[Event]:
        """Plays and returns the pending action that people enter, if there is one."""
        acts, self._acts = self._acts, None
        if acts is None:
            return []
        self.state = self.state.apply(acts)
        while self.state.saving:
            self.state = self.state.apply(self._rng.choice(list(self.state.legal_moves())))
        self._stand_up()
        return [acts]

    def step(self) -> Step | None:
        """Plays on until the table has changed visibly; returns None when the game is over."""
        if self._open is not None:
            opened, self._open = self._open, None
            self.state, self._standing = opened.before, opened.standing
            return self._step("back", (opened.event,), opened.before)
        if isinstance(self.state.expects(), Over):
            return None
        if self._rng.random() < NOTHING:
            self._push()
            return self._step("nothing", (), self.state)
        if self._rng.random() < ILLEGAL:
            step = self._mistake()
            if step is not None:
                return step
        return self._legal()

    def _legal(self) -> Step | None:
        before = self.state
        events: list[Event] = []
        seen = 0
        while not isinstance(self.state.expects(), Over):
            event = self._next()
            if event is None or (seen and self._rng.random() >= self._habits.two_turns):
                break
            if self.state.moved is not None:
                events.append(EndTurn(self.state.turn))
                self.state = self.state.apply(events[-1])
            self.state = self.state.apply(event)
            events.append(event)
            seen += 1
        self._stand_up()
        actions = [one for one in self.state.legal_moves() if isinstance(one, Fight | Heal | Recover)]
        if self.state.moved is not None and actions and self._rng.random() < ACTS:
            self._acts = self._rng.choice(actions)
            if self.state.apply(self._acts).saving or isinstance(self.state.apply(self._acts).expects(), Over):
                self._acts = None
        return self._step("legal", tuple(events), before) if events else None

    def _next(self) -> Event | None:
        """Returns a random next move or summon, after the end of a turn in which a piece has moved; None if there is
        none.
        """
        state = self.state
        if state.moved is not None:
            state = state.apply(EndTurn(state.turn))
        moves = state.legal_moves()
        goes, summons = ([move for move in moves if isinstance(move, kind)] for kind in (Go, Summon))
        some = summons if summons and (not goes or self._rng.random() < SUMMONS) else goes
        return self._rng.choice(some) if some else None

    def _mistake(self) -> Step | None:
        """Plays a move or a summon that breaks a rule and that legal events cannot explain; returns None if none was
        found.
        """
        for _ in range(_TRIES):
            event = self._wrong_event()
            if event is None or not 1 <= len({one.rule for one in self.state.violations(event)}) <= MOST_RULES:
                continue
            if isinstance(event, Summon) and not self._is_plainly_by(event):
                continue
            try:
                after = self.state.apply_unchecked(event)
            except MoveError:
                continue
            if not self.state.layout().differences(after.layout()) or isinstance(after.expects(), Over):
                continue
            if is_lawful(REGENBOGEN, self.state, after.layout(), 3):
                continue
            self._open = _Open(event, self.state, dict(self._standing))
            before, self.state = self.state, after
            self._stand_up()
            return self._step("illegal", (event,), before)
        return None

    def _wrong_event(self) -> Event | None:
        """Returns a move or summon that may be illegal, mostly of the side to move.

        A picture does not show whose hand moves a piece.
        """
        rng = self._rng
        seat = self.state.turn if rng.random() < 0.7 else 1 - self.state.turn
        own = [spot for spot in self._standing if OWNER[self.state.board[CELL[spot]]] == seat]
        free = [spot for spot in CELLS if spot not in self._standing]
        if not own or not free:
            return None
        spot, summons = rng.choice(own), rng.random() < 0.3
        reach = CELL_MM * (2.9 if summons else 4.9)
        near = [one for one in free if _apart(self._middles[one], self._middles[spot]) < reach]
        if not near:
            return None
        return Summon(seat, spot, rng.choice(near)) if summons else Go(seat, spot, rng.choice(near))

    def _is_plainly_by(self, summon: Summon) -> bool:
        """True if a summoned Spirit plainly belongs to the summon's side: nobody sees whose hand it was."""
        state = self.state
        kind = KIND[state.board[CELL[summon.piece]]]
        near = NEIGHBORS[CELL[summon.to]]
        sides = {OWNER[state.board[cell]] for cell in near if state.board[cell] and KIND[state.board[cell]] == kind}
        return sides == {summon.seat} or (not sides and summon.seat == state.turn)

    def _push(self) -> None:
        for spot in self._rng.sample(list(self._standing), min(2, len(self._standing))):
            stand, (x, y) = self._standing[spot], self._middles[spot]
            aside = [self._rng.uniform(-PUSHED_MM, PUSHED_MM) for _ in range(2)]
            self._standing[spot] = stand.moved(x + aside[0], y + aside[1], self._rng.uniform(0, 90))

    def _stand_up(self) -> None:
        """Puts every stack where the position has it; untouched stacks keep their exact places."""
        state, standing = self.state, {}
        for cell, one in enumerate(state.board):
            if not one:
                continue
            spot = CELLS[cell]
            old, pieces = self._standing.get(spot), stack(one, state.spells[OWNER[one]])
            if old is not None and old.pieces == pieces:
                standing[spot] = old
            elif old is not None and old.pieces[:1] == pieces[:1] and old.seen[:1] == Upright(pieces, 0, 0).seen[:1]:
                standing[spot] = Upright(pieces, old.x_mm, old.y_mm, old.yaw_deg)
            else:
                standing[spot] = put_down(spot, one, state.spells, self._rng)
        self._standing = standing

    def _step(self, kind: Kind, events: tuple[Event, ...], before: RegenbogenState) -> Step:
        return step_of(REGENBOGEN, kind, events, before, self.state, (0.0, 0.0))


def _top(cell: CellHolds) -> Detection:
    return Detection.sure(None if cell.stand is None else cell.stand.seen[-1])


def _middles(zone: object) -> dict[Spot, Point]:
    """Returns the middle of each cell."""
    assert isinstance(zone, PyramidBoard)
    x0, y0 = zone.outline_mm[0]
    return {
        spot: (x0 + (column + 0.5) * CELL_MM, y0 + (row + 0.5) * CELL_MM)
        for row, spots in enumerate(zone.rows)
        for column, spot in enumerate(spots)
        if spot
    }


def _apart(one: Point, other: Point) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))
