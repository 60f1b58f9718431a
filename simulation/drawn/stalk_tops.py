"""Measures how often the top of a stalk is read right in games of Ice Stalks: `python -m simulation.drawn.stalk_tops
FILE...`.

The files are those that `python -m simulation.drawn.games --game ice-stalks --record FILE` wrote. A top is right if a
stalk of the same zone reads with that piece on top, whatever is read below it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from companion.core.layout import Detection
from companion.core.pieces import Piece, Pyramid, Stack
from simulation.drawn.readings import GameRead, games_of
from simulation.drawn.reel import moments_of
from simulation.drawn.refereed import Setting, player_of

PARTS = {"start": (0, 2), "late": (8, 1000), "all": (0, 1000)}
"""The first and last turn of each part of a game."""


class Tops(NamedTuple):
    """The number of tops of one zone in one picture, and of those read right."""

    turn: int
    shown: int
    right: int


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
def main(files: Sequence[Path]) -> None:
    """Print the shares of tops that are read right."""
    found = [zone for path in files for game in games_of(path) for zone in tops_of(game)]
    for name, (first, last) in PARTS.items():
        some = [zone for zone in found if first <= zone.turn <= last]
        shown = sum(zone.shown for zone in some)
        click.echo(f"{name:5s} {sum(zone.right for zone in some) / max(shown, 1):.3f} of {shown:,} tops right")


def tops_of(game: GameRead) -> Iterator[Tops]:
    """Yields the counts for each zone of stalks in each steady picture."""
    player, _ = player_of(Setting(game.game, steps=game.steps, seats=game.seats, tilt_deg=game.tilt_deg), game.seed)
    truth = {moment.turn: moment.layout for moment, _ in moments_of(player, game.steps)}
    for look in game.looks:
        if not look.hand and look.reads:
            for spot, heap in truth[look.turn].heaps.items():
                if any(isinstance(one.piece, Stack) for one in heap):
                    shown, read = tops(heap), tops(look.reads[-1].heaps.get(spot, ()))
                    yield Tops(look.turn, shown.total(), (shown & read).total())


def tops(heap: Sequence[Detection]) -> Counter[Piece]:
    """Returns the top pieces of the stacks in a heap."""
    return Counter(
        one.piece.pieces[-1] if isinstance(one.piece, Stack) else one.piece
        for one in heap
        if isinstance(one.piece, Stack | Pyramid)
    )


if __name__ == "__main__":
    main()
