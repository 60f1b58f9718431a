"""Positions and events of Spectrangle in short, for the tests.

A board is written as "c21 GYG, c20 RRR": cells with the colors of their left, right and flat edges. A hand is "GGY RRB".
"""

from __future__ import annotations

from typing import Any

from companion.core.contract import Drawn
from companion.core.pieces import TILES, Tile, identify
from companion.games.spectrangle.game import SPECTRANGLE
from companion.games.spectrangle.moves import Exchange, PlaceTile
from companion.games.spectrangle.options import Options
from companion.games.spectrangle.state import SpectrangleState

NOBODY_HAS = "WWW"


def tile(letters: str) -> Tile:
    """The tile of the set that has these colors, as TRI-1 writes it."""
    found = identify(letters)
    assert found is not None, letters
    return found


def place(cell: int, letters: str) -> PlaceTile:
    """The tile of these colors, lying so."""
    return PlaceTile(cell, Tile(letters[0], letters[1], letters[2], tile(letters).value))


def exchange(letters: str) -> Exchange:
    return Exchange(tile(letters))


def draw(seat: int, *letters: str | None) -> Drawn:
    return Drawn(seat, tuple(None if one is None else tile(one) for one in letters))


def table(
    *hands: str | None,
    board: str = "",
    to_move: int = 0,
    bag: int | str | None = None,
    scores: tuple[int, ...] = (),
    passes: int = 0,
    **options: Any,
) -> SpectrangleState:
    """A position; a hand may hold "??", and None is a hand that nobody knows. `bag` is a count or its tiles."""
    position: dict[str, Any] = {
        "board": dict(cell.split() for cell in board.split(",") if cell),
        "hands": [None if hand is None else hand.split() for hand in hands],
        "to_move": to_move,
        "scores": list(scores),
        "passes": passes,
    }
    if bag is not None:
        position["bag"] = bag.split() if isinstance(bag, str) else bag
    return SPECTRANGLE.from_record(len(hands), Options(**options), position)


def fresh(*hands: str, **more: Any) -> SpectrangleState:
    """Hands are filled up to four with tiles of low value that are nowhere else, so that nobody owes a draw."""
    on_board = [cell.split()[1] for cell in str(more.get("board", "")).split(",") if cell]
    taken = {tile(letters) for letters in (*(one for hand in hands for one in hand.split()), *on_board)}
    spare = [one.edges for one in TILES if one not in taken and one.edges != NOBODY_HAS]
    full = []
    for hand in hands:
        held = hand.split()
        while len(held) < 4:
            held.append(spare.pop())
        full.append(" ".join(held))
    return table(*full, **more)


def rules(state: SpectrangleState, event: object) -> list[str]:
    """Numbers of the rules that an event breaks, the most telling first."""
    return [breach.rule for breach in state.violations(event)]
