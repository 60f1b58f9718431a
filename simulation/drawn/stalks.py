"""Carries out moves of Ice Stalks on a spread, and takes them back."""

from __future__ import annotations

from companion.core.contract import Event
from companion.games.ice_stalks.growth import STALKS_SPOT, pieces_of, taken_spot
from companion.games.ice_stalks.moves import PlacePiece, Take
from companion.games.ice_stalks.state import IceStalksState
from simulation.drawn.spread import Spread, raised
from simulation.drawn.standing import Upright

Point = tuple[float, float]


def set_out(spread: Spread, state: IceStalksState) -> None:
    """Puts every stalk of a position down."""
    for stalk in state.stalks:
        spread.put(STALKS_SPOT, pieces_of(stalk))
    for seat, taken in enumerate(state.taken):
        for stalk in taken:
            spread.put(taken_spot(seat), pieces_of(stalk))


def carry_out(spread: Spread, before: IceStalksState, event: Event) -> Point | None:
    """Moves the pieces of an event; returns the place in millimeters, or None if the event touches no stalk."""
    if isinstance(event, Take):
        assert before.done is not None
        spread.take(STALKS_SPOT, pieces_of(before.done))
        return spread.put(taken_spot(event.seat), pieces_of(before.done)).place_mm
    if not isinstance(event, PlacePiece):
        return None
    if not event.on:
        return spread.put(STALKS_SPOT, (event.piece,)).place_mm
    old = next(stand for stand in spread.stands[STALKS_SPOT] if stand.pieces == event.on)
    assert isinstance(old, Upright)
    spread.exchange(STALKS_SPOT, old, raised(old, event.piece))
    return old.place_mm


def take_back(spread: Spread, before: IceStalksState, event: Event) -> Point:
    """Puts the pieces of a mistake back; returns the place in millimeters."""
    if isinstance(event, Take):
        assert before.done is not None
        spread.take(taken_spot(event.seat), pieces_of(before.done))
        return spread.put(STALKS_SPOT, pieces_of(before.done)).place_mm
    assert isinstance(event, PlacePiece)
    stand = spread.take(STALKS_SPOT, (*event.on, event.piece))
    if event.on:
        assert isinstance(stand, Upright)
        spread.stands[STALKS_SPOT].append(Upright(event.on, stand.x_mm, stand.y_mm, stand.yaw_deg))
    return stand.place_mm
