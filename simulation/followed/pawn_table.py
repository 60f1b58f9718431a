"""Plays random games of Spectrum on a table: dice are rolled in their tray, and pawns move from space to space."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import islice
from random import Random
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from companion.core.contract import Event, Over, Rolled, ToRoll
from companion.core.foundation.errors import MoveError
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Die, Pawn, Piece
from companion.core.plan import Mat, Point
from companion.core.recording import Recording
from companion.games.spectrum.board import SPOTS
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.moves import Declare, Go, Pass, PlacePawn
from companion.games.spectrum.plan import BOARD, DICE_MM, MAT, plan
from companion.games.spectrum.state import SpectrumState
from companion.referee.journal import timeline
from companion.referee.table.table import Table
from simulation.drawn.camera import Camera, Floats, random_camera
from simulation.drawn.step import Habits, Kind, Step, step_of
from simulation.followed.eyes import CellHolds, FollowingEyes
from simulation.followed.piece_reading import (
    DIE_DOUBT,
    DIE_FAULTS,
    PAWN_DOUBT,
    PAWN_FAULTS,
    PieceSharpness,
    PiecesSharpness,
    like_die,
    like_pawn,
)
from simulation.followed.view import Thing
from simulation.lawful import is_lawful, reached
from vision.readers.pawns.wheel import SPACES, Wheel

ILLEGAL = 0.22
"""The probability of a mistake in each picture without a roll; that is one in eight of all pictures."""
NOTHING = 0.1
"""The probability of a picture in which pawns and dice were only pushed about."""
TOGETHER = 0.3
"""The probability that the next event of the same turn shows in the same picture."""
ROUNDS = 60
"""The number of events before the first picture is random and less than this, apart from the rest of the last turn."""
PAWN_MM, PAWN_HIGH_MM = 12.0, 22.0
DIE_MM = 16.0
STRAY_MM = 4.0
"""The largest distance between a pawn and the middle of its space."""
NEAR_MM = (5.0, 40.0)
"""The range of the distance between a die that is thrown near the earlier place of another one, and that place."""
MARGIN_MM = 25.0
"""The least distance between the dice and the border of the tray, except for dice thrown near another one's place."""
SPACE_MM = 8.0
"""Half the width of the part of a space that the eyes look at."""
WHOLE = Mat(840.0, 560.0, 40.0)
"""The area that a camera sees: the board and the tray beside it."""
FAR_MM = 110.0
"""The greatest distance by which a pawn is moved by mistake."""
ENTERED = 3
"""The highest number of a ring on which a pawn is entered by mistake."""
DEPTH, MOST = 6, 24
"""The largest number of events between two pictures, and of positions after them, that the search for possible
positions considers.
"""
_TRIES = 80
_NUMBER = {space.spot: number for number, space in enumerate(SPACES)}


class PawnStand(Struct, frozen=True):
    """A standing pawn, or the empty place of a space."""

    pieces: tuple[Piece | None, ...]
    """The pawn; None for an empty place."""
    x_mm: float
    y_mm: float

    @property
    def seen(self) -> tuple[Piece | None, ...]:
        """The one pawn, or None for a place."""
        return self.pieces

    @property
    def place_mm(self) -> Point:
        """The middle of its base."""
        return self.x_mm, self.y_mm

    def solids(self) -> list[Floats]:
        """Returns the corners (8, 3) of the box around the pawn, or around the volume that a pawn in this place may
        fill.
        """
        half = SPACE_MM if self.pieces == (None,) else PAWN_MM / 2
        corners, heights = ((-1, -1), (1, -1), (1, 1), (-1, 1)), (0.0, PAWN_HIGH_MM)
        return [np.array([(self.x_mm + a * half, self.y_mm + b * half, z) for z in heights for a, b in corners])]


class DieStand(Struct, frozen=True):
    """A die that lies in the tray."""

    pieces: tuple[Die, ...]
    x_mm: float
    y_mm: float
    yaw_deg: float

    @property
    def seen(self) -> tuple[Die, ...]:
        """The one die."""
        return self.pieces

    @property
    def place_mm(self) -> Point:
        """The middle of the die."""
        return self.x_mm, self.y_mm

    def solids(self) -> list[Floats]:
        """Returns the corners (8, 3) of the cube."""
        turn = [math.radians(self.yaw_deg + 45 + 90 * k) for k in range(4)]
        reach = DIE_MM / math.sqrt(2)
        corners = [(self.x_mm + reach * math.cos(one), self.y_mm + reach * math.sin(one)) for one in turn]
        return [np.array([(x, y, z) for z in (0.0, DIE_MM) for x, y in corners])]


class _Open(NamedTuple):
    """A mistake that lies on the table, and the position and pawns before it."""

    event: Event
    before: SpectrumState
    pawns: dict[Spot, PawnStand]


class PawnTable:
    """A table at which all seats of Spectrum are played at random."""

    game = SPECTRUM

    def __init__(self, rng: Random, seats: int, tilt_deg: float, habits: Habits) -> None:
        self.camera: Camera = random_camera(rng, WHOLE, tilt_deg)
        self._rng = rng
        self._habits = habits
        self._plan = plan(seats)
        wheel = Wheel(*(BOARD.center_mm or (0.0, 0.0)), BOARD.radius_mm or 0.0, BOARD.red_heading_deg or 0.0)
        middles = wheel.to_table(wheel.middles())
        self._middles = {spot: (float(middles[n][0]), float(middles[n][1])) for spot, n in _NUMBER.items()}
        self._chosen = {"dice": rng.choice(("d6", "d12"))}
        self.state: SpectrumState = self._begun(seats)
        self._start = self.state
        self._possible: list[SpectrumState] = [self.state]
        """The positions that are possible for an observer of all pictures: the usage of a roll cannot be seen."""
        self._open: _Open | None = None
        self._near = self._pictures = 0
        self._pawns: dict[Spot, PawnStand] = {}
        self._dice: tuple[DieStand, ...] = ()
        self._stand_up()
        lying = self.state.layout().heaps.get("dice", ())
        self._roll([one.piece for one in lying if isinstance(one.piece, Die)])

    def recording(self) -> Recording:
        """Returns the beginning of the recording, with the initial position."""
        names = tuple(f"Player {seat + 1}" for seat in range(self._start.seats))
        return Recording(names, self._chosen, timeline.written(self._start), self._plan, draws="told")

    def eyes(self, seed: int, faults: float) -> FollowingEyes:
        """Returns eyes that know the board's spaces and follow the dice."""
        pawns = PieceSharpness(seed, PAWN_FAULTS.scaled(faults), PAWN_DOUBT, like_pawn)
        dice = PieceSharpness(seed, DIE_FAULTS.scaled(faults), DIE_DOUBT, like_die)
        sharp = PiecesSharpness(dice, pawns)
        return FollowingEyes(self._plan, self.camera, seed, sharp, ("dice",), trays=("dice",))

    def untraced(self) -> list[Event]:
        """Returns an empty list: moves show how a roll is used."""
        return []

    def things(self) -> tuple[Thing, ...]:
        """Returns the dice."""
        return tuple(Thing("dice", die) for die in self._dice)

    def cells(self) -> Mapping[Spot, CellHolds]:
        """Returns the spaces of the board with their pawns."""
        return {spot: CellHolds(PawnStand((None,), *self._middles[spot]), self._pawns.get(spot)) for spot in SPOTS}

    def layout(self) -> Layout:
        """Returns the true layout of the table."""
        cells = {spot: _held(cell) for spot, cell in self.cells().items()}
        return Layout(cells, {"dice": tuple(Detection.sure(die.pieces[0]) for die in self._dice)})

    def seen(self, eyes: FollowingEyes) -> Layout:
        """Returns the part of the true layout that is in view."""
        cells = {spot: _held(cell) for spot, cell in self.cells().items() if eyes.is_cell_in_view(cell)}
        dice = [die for die in self._dice if eyes.is_in_view(die)]
        partial = frozenset(["dice"] if len(dice) < len(self._dice) else [])
        return Layout(cells, {"dice": tuple(Detection.sure(die.pieces[0]) for die in dice)}, partial=partial)

    def set_up(self, table: Table, state: SpectrumState) -> None:
        """Sets the position on a table's page."""
        table.set_position(timeline.written(state), "misread", source="page")

    def step(self) -> Step | None:
        """Plays on until the table has changed visibly; returns None when the game is over."""
        self._pictures += 1
        if self._open is not None:
            opened, self._open = self._open, None
            self.state, self._pawns = opened.before, opened.pawns
            return self._step("back", (opened.event,), opened.before)
        if isinstance(self.state.expects(), Over):
            return None
        if self._rng.random() < NOTHING and self._pawns:
            self._push()
            return self._step("nothing", (), self.state)
        if not isinstance(self.state.expects(), ToRoll) and self._rng.random() < ILLEGAL:
            step = self._mistake()
            if step is not None:
                return step
        return self._legal()

    def _begun(self, seats: int) -> SpectrumState:
        """Returns a position at the beginning of a turn, somewhere in a random game."""
        state: SpectrumState = SPECTRUM.start(seats, SPECTRUM.Options(**self._chosen))
        for _ in range(self._rng.randrange(ROUNDS)):
            state = state.apply(self._next(state))
        while not isinstance(state.expects(), ToRoll | Over):
            state = state.apply(self._next(state))
        return self._begun(seats) if isinstance(state.expects(), Over) else state

    def _next(self, state: SpectrumState) -> Event:
        if isinstance(state.expects(), ToRoll):
            return SPECTRUM.sample(state, self._rng)
        return self._rng.choice(list(state.legal_moves()))

    def _legal(self) -> Step:
        before = self.state
        events: list[Event] = []
        seen = 0
        while not isinstance(self.state.expects(), Over):
            is_roll = isinstance(self.state.expects(), ToRoll)
            if seen and self._rng.random() >= (self._habits.two_turns if is_roll else TOGETHER):
                break
            event = self._next(self.state)
            self.state = self.state.apply(event)
            events.append(event)
            if isinstance(event, Rolled):
                self._roll(list(event.faces))
            seen += not isinstance(event, Declare | Pass)
        self._stand_up()
        seen_now = self.layout()
        found = list(islice(reached(SPECTRUM, self._possible, seen_now, DEPTH), MOST))
        self._possible = list(dict.fromkeys([self.state, *found]))
        return self._step("legal", tuple(events), before)

    def _mistake(self) -> Step | None:
        """Plays a pawn's move that breaks a rule and that legal events cannot explain; returns None if none was found."""
        for _ in range(_TRIES):
            event = self._wrong_event()
            if event is None or not all(state.violations(event) for state in self._possible):
                continue
            try:
                after = self.state.apply_unchecked(event)
            except MoveError:
                continue
            if isinstance(after.expects(), Over):
                continue
            opened = _Open(event, self.state, dict(self._pawns))
            before, self.state = self.state, after
            self._stand_up()
            table = self.layout()
            if any(is_lawful(SPECTRUM, one, table) for one in self._possible) or not before.layout().differences(table):
                self.state, self._pawns = before, opened.pawns
                continue
            self._open = opened
            return self._step("illegal", (event,), before)
        return None

    def _wrong_event(self) -> Event | None:
        """Returns a pawn's move to a random place near it, a pawn's entry, or the placement of a held pawn, any of
        which may be illegal.
        """
        rng, state = self._rng, self.state
        free = [spot for spot in SPOTS if spot not in self._pawns]
        held = state.held
        if held is not None:
            return PlacePawn(held.seat, held.color, rng.choice(free))
        seat = state.turn if rng.random() < 0.9 else rng.randrange(state.seats)
        colors = state.teams[seat]
        own = [spot for spot, stand in self._pawns.items() if stand.pieces[0] in [Pawn(color) for color in colors]]
        if own and rng.random() < 0.8:
            spot = rng.choice(own)
            x, y = self._middles[spot]
            near = [one for one in free if math.hypot(self._middles[one][0] - x, self._middles[one][1] - y) < FAR_MM]
            return Go(seat, spot, rng.choice(near)) if near else None
        outer = [spot for spot in free if int(spot.split(".")[1]) <= ENTERED]
        return Go(seat, f"{rng.choice(colors)} stock", rng.choice(outer))

    def _push(self) -> None:
        """Pushes some pawns and dice a little."""
        for spot in self._rng.sample(list(self._pawns), min(3, len(self._pawns))):
            self._pawns[spot] = self._stand(spot, self._pawns[spot].pieces[0])
        self._dice = tuple(
            DieStand(die.pieces, die.x_mm + self._rng.uniform(-4, 4), die.y_mm + self._rng.uniform(-4, 4), die.yaw_deg)
            if self._rng.random() < 0.3
            else die
            for die in self._dice
        )

    def _roll(self, faces: list[Die]) -> None:
        """Throws the dice; sometimes one comes to lie near the earlier place of another one."""
        x0, y0, x1, y1 = DICE_MM
        lay, found = self._dice, list[DieStand]()
        near = self._near < self._habits.near * self._pictures
        for die in faces:
            for _ in range(_TRIES):
                x, y = (
                    self._rng.uniform(x0 + MARGIN_MM, x1 - MARGIN_MM),
                    self._rng.uniform(y0 + MARGIN_MM, y1 - MARGIN_MM),
                )
                if near and lay:
                    old = self._rng.choice(lay)
                    far, turn = self._rng.uniform(*NEAR_MM), self._rng.uniform(0, 2 * math.pi)
                    x, y = old.x_mm + far * math.cos(turn), old.y_mm + far * math.sin(turn)
                inside = x0 + DIE_MM < x < x1 - DIE_MM and y0 + DIE_MM < y < y1 - DIE_MM
                if inside and all(math.hypot(x - one.x_mm, y - one.y_mm) > 1.5 * DIE_MM for one in found):
                    break
            found.append(DieStand((die,), x, y, self._rng.uniform(0, 90)))
        self._near += near and bool(lay)
        self._dice = tuple(found)

    def _stand_up(self) -> None:
        """Puts every pawn where the position has it; untouched pawns keep their exact places."""
        wanted = {spot: one.piece for spot, one in self.state.layout().cells.items() if one.piece is not None}
        self._pawns = {
            spot: self._pawns[spot]
            if spot in self._pawns and self._pawns[spot].pieces == (piece,)
            else self._stand(spot, piece)
            for spot, piece in wanted.items()
        }

    def _stand(self, spot: Spot, piece: Piece | None) -> PawnStand:
        x, y = (at + self._rng.uniform(-STRAY_MM, STRAY_MM) * 0.7 for at in self._middles[spot])
        return PawnStand((piece,), x, y)

    def _step(self, kind: Kind, events: tuple[Event, ...], before: SpectrumState) -> Step:
        return step_of(SPECTRUM, kind, events, before, self.state, (MAT.width_mm / 2, MAT.height_mm / 2))


def _held(cell: CellHolds) -> Detection:
    return Detection.sure(None if cell.stand is None else cell.stand.pieces[0])
