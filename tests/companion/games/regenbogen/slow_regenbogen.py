"""Legal moves of Regenbogen, written from the rules alone: slow, on names of cells, without any table of the engine.

A board is a map from cells to words, "white red wizard 5"; numbers come from the data file, colors of cells too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from companion.games.regenbogen.data import DATA

FILES = "abcdef"


def step(cell: str, across: int, up: int) -> str | None:
    """The next cell in a direction, if there is one."""
    file, rank = FILES.index(cell[0]) + across, int(cell[1]) + up
    if not 0 <= file < 6 or not 1 <= rank <= 8 or (file in (0, 5) and rank in (1, 8)):
        return None
    return f"{FILES[file]}{rank}"


WAYS = [(across, up) for across in (-1, 0, 1) for up in (-1, 0, 1) if (across, up) != (0, 0)]


def around(cell: str) -> list[str]:
    return [other for across, up in WAYS if (other := step(cell, across, up))]


class Taken:
    """A piece, taken apart from its words."""

    def __init__(self, words: str) -> None:
        parts = words.split()
        self.side, self.kind, self.health = parts[0], parts[-2], int(parts[-1])
        self.color = parts[1] if self.kind != "cleric" else None

    def shuns(self, cell: str) -> bool:
        color = DATA.board.cells[cell]
        if self.kind == "cleric":
            return color == "ultima"
        return self.color != "ultima" and color == DATA.opposite[str(self.color)]


Piece = cache(Taken)
"""Words to the piece; the same words are asked for again and again."""


def goes(board: dict[str, str], cell: str, *, stacks: bool) -> Iterator[str]:
    """RGB-10 to RGB-14, one cell after the other: a cell is reached if the range up to it allows it."""
    piece = Piece(board[cell])
    value = {"wizard": DATA.movement.wizard, "cleric": DATA.movement.cleric, "spirit": DATA.movement.spirit}[piece.kind]
    boosts = piece.kind != "cleric"
    starts = boosts and DATA.board.cells[cell] == piece.color
    for across, up in WAYS:
        here, gone, met = cell, 0, False
        while True:
            here = step(here, across, up) or ""
            gone += 1
            if not here or here in board or piece.shuns(here):
                break
            extra = starts + met if stacks else int(starts or met)
            if gone > value + extra * DATA.movement.boost:
                break
            yield here
            met = met or (boosts and gone <= value and DATA.board.cells[here] == piece.color)


def legal(position: dict[str, Any], *, any_health: bool = False, stacks: bool = False) -> set[str]:
    """Every move and action of the side on turn, as lines of the notation, in a turn that may still be moved in or not.

    :param position: a position's written form.
    """
    board, seat = position["pieces"], position["turn"]
    side, other, who = ("white", "black")[seat], ("black", "white")[seat], f"player {seat + 1}"
    moved = position.get("moved")
    lines = set()
    for cell, words in board.items():
        piece = Piece(words)
        if piece.side != side or moved not in (None, cell):
            continue
        if moved is None:
            lines |= {f"{who} moves {cell} to {to}" for to in goes(board, cell, stacks=stacks)}
        near = [there for there in around(cell) if there in board]
        foes = [there for there in near if Piece(board[there]).side == other]
        lines |= {f"{who} fights {there} with {cell}" for there in foes}
        if piece.kind == "wizard":
            lines |= {f"{who} summons on {to} with {cell}" for to in summons(board, cell)}
        elif piece.kind == "spirit":
            if moved is None and (any_health or piece.health == 0):
                lines.add(f"{who} self-destructs {cell}")
        else:
            spells = position["spells"][seat]
            if moved is None and not foes and spells < DATA.cleric.spells_max:
                lines.add(f"{who} recovers a spell with {cell}")
            friends = [there for there in near if there not in foes] + ([cell] if moved is None else [])
            for there in friends if spells else []:
                room = restorable(board, there)
                lines |= {
                    f"{who} heals {there} by {points} with {cell}"
                    for points in range(1, DATA.cleric.heal_up_to + 1)
                    if points <= room
                }
    if moved is not None:
        lines.add(f"{who} ends the turn")
    return lines or {f"{who} passes"}


def of_color(board: dict[str, str], piece: Taken) -> list[Taken]:
    """The Spirits of a piece's side and color."""
    spirits = [Piece(words) for words in board.values()]
    return [one for one in spirits if (one.kind, one.side, one.color) == ("spirit", piece.side, piece.color)]


def pool(board: dict[str, str], piece: Taken) -> int:
    most = DATA.spirits.ultima_health_pool if piece.color == "ultima" else DATA.spirits.health_pool
    return most - sum(one.health for one in of_color(board, piece))


def summons(board: dict[str, str], cell: str) -> Iterator[str]:
    """RGB-19."""
    piece = Piece(board[cell])
    most = DATA.spirits.ultima_max if piece.color == "ultima" else DATA.spirits.max_per_color
    if len(of_color(board, piece)) < most and pool(board, piece) >= DATA.spirits.summon_health:
        for there in around(cell):
            if there not in board and not piece.shuns(there):
                yield there


def restorable(board: dict[str, str], cell: str) -> int:
    """RGB-21."""
    piece = Piece(board[cell])
    room = {"wizard": DATA.health.wizard, "cleric": DATA.health.cleric, "spirit": DATA.health.spirit}[piece.kind]
    room -= piece.health
    return min(room, pool(board, piece)) if piece.kind == "spirit" else room
