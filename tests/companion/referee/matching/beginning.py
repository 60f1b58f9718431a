"""A referee at the beginning of a game, for the tests."""

from __future__ import annotations

from typing import Any

from companion.core.layout import Candidate, Detection, Layout
from companion.core.verdict import Same
from companion.referee.matching import match
from companion.referee.matching.accounts import Standpoint
from companion.referee.matching.referee import Referee
from simulation.play import game_of
from tests.companion.games.spectra.short_spectra import piece


def begun(state: Any, look: Layout | None = None) -> tuple[Referee, Standpoint]:
    """A referee who was told a position and has seen it, with where the game stands.

    :param look: how it was seen; None: exactly.
    """
    referee = Referee(game_of(state), match, draws_unseen=False, trusting=False, origin="told")
    here = Standpoint(state, (), 0)
    seen = state.layout() if look is None else look
    referee.remember(referee.verdict(here, seen), here, seen)
    return referee, here


def at(place: str, short: str, sure: float = 0.999, *others: tuple[str, float]) -> Detection:
    """A sighting of a piece at a place."""
    return Detection((Candidate(piece(short), sure), *[Candidate(piece(one), share) for one, share in others]), place)


def heaps(**read: str) -> dict[str, tuple[Detection, ...]]:
    """Heaps in short: seat0_supply="p1:YM p2:BM"."""
    return {
        spot.replace("_", "."): tuple(at(*one.split(":")) for one in text.split())  # type: ignore[arg-type]
        for spot, text in read.items()
    }


TREES = {"seat0_trees": "a:RL", "seat1_trees": "b:BL"}


def referee_of(state: object, layout: Layout, origin: str = "read") -> tuple[Referee, Standpoint]:
    """A referee who has seen a position as a layout shows it."""
    referee = Referee(game_of(state), match, draws_unseen=False, trusting=False, origin=origin)  # type: ignore[arg-type]
    here = Standpoint(state, (), 0)
    first = referee.verdict(here, layout)
    assert isinstance(first, Same)
    referee.remember(first, here, layout)
    return referee, here


def seen(first: str, second: str) -> Layout:
    """Returns the layout of two supplies beside two trees, written in short."""
    return Layout(heaps=heaps(**TREES, seat0_supply=first, seat1_supply=second))
