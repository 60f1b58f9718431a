"""Positions and events of Spectrum in few words, for tests that read like examples of the rules."""

from __future__ import annotations

from typing import Any

from companion.core.contract import Drawn, Rolled
from companion.core.pieces import Die
from companion.games.shared.cards.deck import PIECES, number_of
from companion.games.spectrum.game import SPECTRUM
from companion.games.spectrum.moves import Go
from companion.games.spectrum.options import Options
from companion.games.spectrum.state import SpectrumState


def table(
    pawns: str = "", roll: str = "", use: str = "", *, seats: int = 2, options: Any = None, **more: Any
) -> SpectrumState:
    """A position: pawns by seat, "red.4 red.5 | blue.3"; a roll of colors, "red blue"; a usage; other keys of records.

    Player 1 has the red pawns, player 2 the orange ones, and so on.
    """
    lists = [part.split() for part in pawns.split("|")]
    position: dict[str, Any] = {"pawns": lists + [[]] * (seats - len(lists)), **more}
    if roll:
        position["roll"] = roll.split()
    if use:
        position["usage"] = use
    return SPECTRUM.from_record(seats, Options(**(options or {})), position)


def alone(pawns: str = "", roll: str = "", use: str = "", **options: Any) -> SpectrumState:
    """A position of one player: the first six pawns are red, the others orange."""
    position: dict[str, Any] = {"pawns": {spot: "red" if at < 6 else "orange" for at, spot in enumerate(pawns.split())}}
    if roll:
        position["roll"] = roll.split()
    if use:
        position["usage"] = use
    return SPECTRUM.from_record(1, Options(**options), position)


def go(pawn: str, to: str, part: int = 0, seat: int = 0, one_color: bool = False) -> Go:
    return Go(seat, pawn, to, part, one_color)


def rolled(colors: str, kind: str = "d6") -> Rolled:
    return Rolled(tuple(Die(f"spectrum-{kind}", color) for color in colors.split()))


def drawn(cards: str, seat: int = 0) -> Drawn:
    """Cards by their codes, "R1 BP3"; "??" for an unseen one; a swap card is "swap R/G" between commas."""
    codes = [code.strip() for code in (cards.split(",") if "," in cards else cards.split())]
    return Drawn(seat, tuple(None if code == "??" else PIECES[number_of(code)] for code in codes))


def ways(state: SpectrumState, pawn: str = "") -> set[str]:
    """Where a pawn may go, or every pawn's move as "from>to"."""
    found = [move for move in state.legal_moves() if isinstance(move, Go) and not move.one_color]
    return {move.to for move in found if move.pawn == pawn} if pawn else {f"{move.pawn}>{move.to}" for move in found}


def board(state: SpectrumState) -> dict[str, str]:
    """Every pawn on the board: space to color."""
    found = {}
    for spot, sighting in state.layout().cells.items():
        if sighting.piece is not None:
            found[spot] = str(getattr(sighting.piece, "color", ""))
    return found


def in_stock(state: SpectrumState, seat: int) -> int:
    return len(state.layout().heaps[f"seat{seat}.stock"])
