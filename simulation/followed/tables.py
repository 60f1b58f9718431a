"""The tables that games are played on: who plays, what stands where, and what a person would set up.

A `PlayedTable` says the same of every game, so that the referee is judged in one way (`simulation.followed.played`).
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from companion.game import Game
from companion.games import PLANS
from companion.layout import Layout, Sighting, Spot
from companion.pieces import Piece, Stack
from companion.plan import Plan
from companion.recording import Recording
from companion.referee.table import Table
from simulation.drawn.camera import Camera, random_camera
from simulation.drawn.ice_stalks_player import IceStalksPlayer
from simulation.drawn.spectra_player import SpectraPlayer, random_colors
from simulation.drawn.step import Habits, Player, Step
from simulation.followed.view import Thing

TILT_DEG = (30.0, 60.0)
"""How far from straight above cameras stand: what stands nearer hides what stands behind it."""
TWO_TURNS = 0.05
"""Chance that the next turn begins in the same picture."""
SEATS = (2, 2, 2, 3, 4)


class PlayedTable:
    """A game of pyramids in zones: Spectra and Ice Stalks."""

    def __init__(self, player: Player, camera: Camera) -> None:
        self._player = player
        self.camera = camera
        self.game: Game[Any] = player.game

    @property
    def state(self) -> Any:
        """The position on the table."""
        return self._player.state

    def recording(self) -> Recording:
        """How refereeing begins."""
        return self._player.recording()

    def step(self) -> Step | None:
        """Play on to the next picture; None when the game is over."""
        return self._player.step()

    def things(self) -> tuple[Thing, ...]:
        """All that stands on the table."""
        return tuple(Thing(spot, stand) for spot, held in self._player.spread.stands.items() for stand in held)

    def layout(self) -> Layout:
        """What can be seen of it from all around."""
        return self._player.spread.layout()

    def seen(self, in_view: Callable[[Any], bool]) -> Layout:
        """What can be seen of it by who sees some things; heaps with others may hold more."""
        heaps: dict[Spot, list[Piece]] = {}
        partial = set()
        zones = self._player.spread.zones
        for spot, held in self._player.spread.stands.items():
            heap = heaps.setdefault(spot, [])
            for stand in held:
                if not in_view(stand):
                    partial.add(spot)
                elif zones[spot].kind == "stalks":
                    heap.append(Stack(stand.seen))
                else:
                    heap += stand.seen
        told = {spot: tuple(Sighting.sure(piece) for piece in heap) for spot, heap in heaps.items()}
        return Layout(heaps=told, partial=frozenset(partial))

    def set_up(self, table: Table, state: Any) -> None:
        """Tell a table, as a person would, that this is the position."""
        self._player.set_up(table, state)

    def set_up_as(self, table: Table, state: Any) -> None:
        """The same for another position, unless the record has it."""
        if table.session.state.layout().differences(state.layout()) or table.session.alert is not None:
            self._player.set_up(table, state)


def table_of(game: str, seed: int, near: float) -> PlayedTable:
    """The table of a seed, the same whoever looks at it."""
    rng = Random(f"{game} {seed} table")
    seats = rng.choice(SEATS)
    plan: Plan = PLANS[game](seats)
    camera = random_camera(rng, plan.mat, rng.uniform(*TILT_DEG))
    habits = Habits(near, TWO_TURNS, wide=True)
    if game == "spectra":
        return PlayedTable(SpectraPlayer(rng, plan, random_colors(rng, seats), camera, habits), camera)
    return PlayedTable(IceStalksPlayer(rng, plan, seats, camera, habits), camera)
