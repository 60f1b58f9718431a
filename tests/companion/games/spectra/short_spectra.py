"""Positions and events of Spectra in short, for the tests: "RL" is red large, "KM" black medium, "WS" white small."""

from __future__ import annotations

from typing import Any

from companion.core.contract import Drawn
from companion.core.pieces import Pyramid
from companion.games.spectra.game import SPECTRA
from companion.games.spectra.moves import Exchange
from companion.games.spectra.position import Options
from companion.games.spectra.state import SpectraState

_COLORS = {
    "R": "red",
    "O": "orange",
    "Y": "yellow",
    "G": "green",
    "B": "blue",
    "P": "purple",
    "K": "black",
    "W": "white",
}
_SIZES = {"L": "large", "M": "medium", "S": "small"}


def piece(short: str) -> Pyramid:
    return Pyramid(_COLORS[short[0]], _SIZES[short[1]])


def pieces(short: str) -> tuple[Pyramid, ...]:
    return tuple(piece(one) for one in short.split())


def words(short: str) -> list[str]:
    return [f"{one.color} {one.size}" for one in pieces(short)]


def table(
    *supplies: str,
    colors: str = "red,blue",
    trees: tuple[str, ...] = ("RL", "BL"),
    turn: int | None = 0,
    drawn: bool = False,
) -> SpectraState:
    """A position: supplies and trees by seat, in short."""
    given: dict[str, Any] = {
        "trees": [words(one) for one in trees],
        "supplies": [words(one) for one in supplies],
        "turn": turn,
        "drawn": drawn,
    }
    return SPECTRA.from_record(len(trees), Options(colors=colors), given)


def give(seat: int, gave: str, took: str, source: Any = "bag", from_trees: str = "") -> Exchange:
    return Exchange(seat, pieces(gave), piece(took), source, pieces(from_trees))


def draw(seat: int, short: str) -> Drawn:
    return Drawn(seat, (piece(short),))


def without_bag(*supplies: str, trees: tuple[str, str] = ("RL", "BL"), turn: int = 0) -> SpectraState:
    """A two-player position whose bag is empty: whatever is not named lies in seat 1's supply."""
    state = table(*supplies, trees=trees, turn=turn)
    rest = tuple(have + left for have, left in zip(state.supplies[1], state.bag, strict=True))
    return SpectraState(state.colors, state.trees, (state.supplies[0], rest), (0,) * 24, turn)
