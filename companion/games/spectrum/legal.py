"""Every legal move of a position, phase by phase."""

from __future__ import annotations

from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum import opening, portals
from companion.games.spectrum.board import SPOTS, STARS, STARTS
from companion.games.spectrum.listing import playable
from companion.games.spectrum.moves import (
    END_TURNS,
    FULFILS,
    PASSES,
    ROLLS,
    SURRENDERS,
    Declare,
    Move,
    PlacePawn,
    TakeOff,
)
from companion.games.spectrum.situation import Situation
from companion.games.spectrum.usages import Usage


def moves(situation: Situation, alive: tuple[Usage, ...]) -> tuple[Move, ...]:
    """Every legal move, in a stable order.

    :param alive: the usages that may be declared.
    """
    turn = situation.turn
    match situation.phase:
        case "move":
            return playable(situation, situation.used, situation.left).moves
        case "declare":
            return tuple([Declare(turn, usage.name) for usage in alive])
        case "place":
            return places(situation)
        case "pass":
            return (PASSES[turn],)
        case "start":
            return _before_the_roll(situation)
        case "end":
            return (*portals.activations(situation), END_TURNS[turn])
        case "off":
            return tuple([TakeOff(turn, SPOTS[space]) for space in bits(situation.pawns_on_paths(turn))])
        case "send":
            return tuple(portals.destinations(situation))
        case "set-up":
            due = opening.due(situation)
            return opening.picks(situation, due.seat) if due is not None and due.step == "pick" else ()
    return ()


def places(situation: Situation) -> tuple[PlacePawn, ...]:
    """Where a captured pawn may be put: every free start (BRD-24)."""
    held = situation.held
    assert held is not None
    free = STARTS & ~situation.occupied
    return tuple([PlacePawn(held.seat, held.color, SPOTS[space]) for space in bits(free)])


def _before_the_roll(situation: Situation) -> tuple[Move, ...]:
    """The moves before the roll, and the roll itself (BRD-32, VAR-20, VAR-23)."""
    turn, options = situation.turn, situation.options
    found: list[Move] = []
    if options.portals:
        found += portals.activations(situation)
    if options.missions and portals.may_fulfil(situation):
        found.append(FULFILS[turn])
    if options.surrender and situation.masks[turn] & ~STARS:
        found.append(SURRENDERS[turn])
    return (*found, ROLLS[turn])
