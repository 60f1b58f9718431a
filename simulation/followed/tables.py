"""Defines the tables on which games are played: the players, the things on the table, and the positions a person sets
up.

A `PlayedTable` has the same form for every game, so that the referee is judged in one way
(`simulation.followed.played`).
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Protocol

from companion.core.contract import Event
from companion.core.game import Game
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece, Stack
from companion.core.plan import Plan
from companion.core.recording import Recording
from companion.games import PLANS
from companion.referee.table.table import Table
from simulation.drawn.camera import Camera, random_camera
from simulation.drawn.doubting import USUAL
from simulation.drawn.ice_stalks_player import IceStalksPlayer
from simulation.drawn.spectra_player import SpectraPlayer, random_colors
from simulation.drawn.spread import box_of
from simulation.drawn.step import Habits, Player, Step
from simulation.followed.eyes import CellHolds, FollowingEyes, Ghosts
from simulation.followed.pawn_table import PawnTable
from simulation.followed.reading import EXACT, KNOWN, STRANGE, Sharpness
from simulation.followed.stack_table import StackTable
from simulation.followed.tile_table import TileTable
from simulation.followed.view import Thing

TILT_DEG = (30.0, 60.0)
"""The range of the camera's tilt from straight above; near things hide things behind them."""
STEEP_DEG = (0.0, 30.0)
"""The same range for the tall stacks of Regenbogen."""
TWO_TURNS = 0.05
"""The probability that the next turn begins in the same picture."""
SEATS = (2, 2, 2, 3, 4)


class PlayedTable(Protocol):
    """A table at which a game is played."""

    camera: Camera
    game: Game[Any]

    @property
    def state(self) -> Any:
        """The position on the table."""

    def recording(self) -> Recording:
        """Returns the beginning of the recording."""

    def eyes(self, seed: int, faults: float) -> FollowingEyes:
        """Returns eyes for this table.

        Args:
            faults: The rate of their errors, as a multiple of the rate measured on tables that the reader has never
                seen.
        """

    def step(self) -> Step | None:
        """Plays on to the next picture; returns None when the game is over."""

    def untraced(self) -> list[Event]:
        """Plays and returns the events after a picture that leave no trace on the table, so that people must enter
        them.
        """

    def things(self) -> tuple[Thing, ...]:
        """Returns all things in heaps."""

    def cells(self) -> Mapping[Spot, CellHolds]:
        """Returns the cells of boards with their content."""

    def layout(self) -> Layout:
        """Returns the true layout of the table."""

    def seen(self, eyes: FollowingEyes) -> Layout:
        """Returns the part of the true layout that is in view; heaps with hidden things are marked as partial."""

    def set_up(self, table: Table, state: Any) -> None:
        """Sets a position on a table's page, as a person would."""


class PyramidTable:
    """A table for a game of pyramids in zones: Spectra or Ice Stalks."""

    def __init__(self, player: Player, camera: Camera) -> None:
        self._player = player
        self.camera = camera
        self.game: Game[Any] = player.game

    @property
    def state(self) -> Any:
        """The position on the table."""
        return self._player.state

    def recording(self) -> Recording:
        """Returns the beginning of the recording."""
        return self._player.recording()

    def step(self) -> Step | None:
        """Plays on to the next picture; returns None when the game is over."""
        return self._player.step()

    def untraced(self) -> list[Event]:
        """Returns an empty list: the next player's events show that the bag was passed on."""
        return []

    def things(self) -> tuple[Thing, ...]:
        """Returns all that stands on the table."""
        return tuple(Thing(spot, stand) for spot, held in self._player.spread.stands.items() for stand in held)

    def layout(self) -> Layout:
        """Returns the layout that can be seen from all around."""
        return self._player.spread.layout()

    def cells(self) -> Mapping[Spot, CellHolds]:
        """Returns an empty mapping: there are no boards."""
        return {}

    def eyes(self, seed: int, faults: float) -> FollowingEyes:
        """Returns eyes that follow the things in its zones."""
        plan, zones = self._player.recording().plan, self._player.spread.zones
        colors = plan.pyramid_colors or ()
        err = USUAL.scaled(faults) if faults else EXACT
        sharp = Sharpness(seed, err, STRANGE if faults else KNOWN, colors)
        stalks = [spot for spot, zone in zones.items() if zone.kind == "stalks"]
        ghosts = Ghosts(err.invented, colors, {spot: box_of(zone) for spot, zone in zones.items()})
        return FollowingEyes(plan, self.camera, seed, sharp, list(zones), stalks, ghosts)

    def seen(self, eyes: FollowingEyes) -> Layout:
        """Returns the part of the layout that is in view."""
        heaps: dict[Spot, list[Piece]] = {}
        partial = set()
        zones = self._player.spread.zones
        for spot, held in self._player.spread.stands.items():
            heap = heaps.setdefault(spot, [])
            for stand in held:
                if not eyes.is_in_view(stand):
                    partial.add(spot)
                elif zones[spot].kind == "stalks":
                    heap.append(Stack(stand.seen))
                else:
                    heap += stand.seen
        told = {spot: tuple(Detection.sure(piece) for piece in heap) for spot, heap in heaps.items()}
        return Layout(heaps=told, partial=frozenset(partial))

    def set_up(self, table: Table, state: Any) -> None:
        """Sets a position on a table's page, as a person would."""
        self._player.set_up(table, state)


def table_of(game: str, seed: int, near: float) -> PlayedTable:
    """Returns the table of a game and seed; the same arguments always give the same table."""
    rng = Random(f"{game} {seed} table")
    seats = 2 if game == "regenbogen" else rng.choice(SEATS)
    plan: Plan = PLANS[game](seats)
    if game == "spectrum":
        return PawnTable(rng, seats, rng.uniform(*TILT_DEG), Habits(near, TWO_TURNS, wide=True))
    camera = random_camera(rng, plan.mat, rng.uniform(*(STEEP_DEG if game == "regenbogen" else TILT_DEG)))
    habits = Habits(near, TWO_TURNS, wide=True)
    if game == "spectra":
        return PyramidTable(SpectraPlayer(rng, plan, random_colors(rng, seats), camera, habits), camera)
    if game == "ice-stalks":
        return PyramidTable(IceStalksPlayer(rng, plan, seats, camera, habits), camera)
    if game == "regenbogen":
        return StackTable(rng, camera, habits)
    return TileTable(rng, seats, camera, habits)
