"""How often the top of a stalk is read right in drawn games of Ice Stalks: `python -m simulation.drawn.stalk_tops FILE...`.

Files are those that `python -m simulation.drawn.games --game ice-stalks --record FILE` wrote. A top is right if a stalk of
the same zone reads with that piece on top, whatever is read below it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from companion.layout import Layout, Sighting, Spot
from companion.pieces import Piece, Pyramid, Stack
from simulation.drawn.readings import GameRead, games_of
from simulation.drawn.reel import moments_of
from simulation.drawn.refereed import Setting, player_of

EARLY, LATE = 2, 8
"""A game's start are its turns up to the first, its end those from the second on."""


class Tops(NamedTuple):
    """The tops of one zone in one picture."""

    turn: int
    shown: int
    right: int


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
def main(files: Sequence[Path]) -> None:
    """Print the shares."""
    found = [tops for path in files for game in games_of(path) for tops in tops_of(game)]
    for name, turns in (("start", range(EARLY + 1)), ("late", range(LATE, 1000)), ("all", range(1000))):
        some = [tops for tops in found if tops.turn in turns]
        shown = sum(tops.shown for tops in some)
        click.echo(f"{name:5s} {sum(tops.right for tops in some) / max(shown, 1):.3f} of {shown:,} tops right")


def tops_of(game: GameRead) -> Iterator[Tops]:
    """Each zone of stalks in each steady picture."""
    player, _ = player_of(Setting(game.game, steps=game.steps, seats=game.seats, tilt_deg=game.tilt_deg), game.seed)
    truth = {moment.turn: moment.layout for moment, _ in moments_of(player, game.steps)}
    for look in game.looks:
        if not look.hand and look.reads:
            for spot, heap in truth[look.turn].heaps.items():
                if any(isinstance(one.piece, Stack) for one in heap):
                    shown = tops(heap)
                    yield Tops(look.turn, shown.total(), (shown & tops(_heap(look.reads[-1], spot))).total())


def _heap(layout: Layout, spot: Spot) -> Sequence[Sighting]:
    return layout.heaps.get(spot, ())


def tops(heap: Sequence[Sighting]) -> Counter[Piece]:
    """What is on top of each stack of a heap."""
    return Counter(
        one.piece.pieces[-1] if isinstance(one.piece, Stack) else one.piece
        for one in heap
        if isinstance(one.piece, Stack | Pyramid)
    )


if __name__ == "__main__":
    main()
