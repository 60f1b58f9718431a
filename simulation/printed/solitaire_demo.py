"""Draws the demo of Solitaire: `python -m simulation.printed.solitaire_demo FOLDER`.

It is played with the deck of `companion print deck`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import click
from msgspec import to_builtins

from companion.core.layout import Layout
from companion.games import PLANS
from companion.games.solitaire.game import SOLITAIRE
from companion.games.solitaire.manifest import STOCK
from companion.games.solitaire.situation import PILE_SPOTS
from companion.games.solitaire.state import SolitaireState
from simulation.cards.solitaire import Played
from simulation.drawn.camera import camera_over, scaled
from simulation.drawn.demo import WRONG, write_about, write_pictures
from simulation.drawn.hand import Hand
from simulation.drawn.lamp import Lamp
from simulation.drawn.sensor import Sensor
from simulation.printed.card_decks import printed_back, printed_deck
from simulation.printed.card_tables import CardScene, laid_cards
from vision.image.picture import Picture

PLAN = PLANS["solitaire"](1)
DEAL = 97
"""The seed of the deal."""
LIES = 2
"""The seed by which each card lies a little askew."""
GAME = ("Y10 on pile 6", "G1 home", "PR1 home", "not: Y11 on pile 1", "Y10 on pile 2", "O1 home")
"""The moves; one that breaks a rule begins with `WRONG`."""


class Moment(NamedTuple):
    """One picture of the demo."""

    layout: Layout
    """The face-up cards."""
    down: dict[str, int]
    """The number of face-down cards by zone."""
    hand: Hand | None = None


def solitaire_moments() -> Iterator[Moment]:
    """Yields the moments of the game: the deal, each move, and a hand before and after the illegal one."""
    played = Played()
    state, _ = played.begin(Random(DEAL))

    def now(state: SolitaireState, hand: Hand | None = None) -> Moment:
        down = dict(zip(PILE_SPOTS, state.downs, strict=True)) | {STOCK: len(state.stock)}
        return Moment(played.table(state), down, hand)

    yield now(state)
    for line in GAME:
        move = SOLITAIRE.parse(state, line.removeprefix(WRONG))
        if line.startswith(WRONG):
            hand = Hand((560.0, 330.0), (660.0, 980.0), (214, 160, 128), (60, 70, 120), 0.3)
            yield now(state, hand)
            yield now(state.apply_unchecked(move))
            yield now(state, hand)
        else:
            state = played.carry_out(state, move)
        yield now(state)


def solitaire_pictures(moments: Iterable[Moment]) -> Iterator[Picture]:
    """Yields the pictures of the moments, as seen by a webcam over the table."""
    camera = camera_over(PLAN.mat, 5, 4, 1, 980, (643.0, 356.0), (-0.04, 0.004, 1e-4, -1e-4))
    camera = scaled(camera, 1.25)
    lamp = Lamp((-300.0, -500.0, 1500.0), (0.40, 0.41, 0.42), (0.33, 0.33, 0.32), (530.0, 320.0), 0.2)
    scene = CardScene(PLAN, camera, lamp, Sensor(0.1, 0.4, 0.5, 0), "slate", printed_deck, printed_back())
    for moment in moments:
        yield scene.picture(laid_cards(PLAN, moment.layout, moment.down, True, LIES), moment.hand)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def main(folder: Path) -> None:
    """Draw a short game of Solitaire into FOLDER."""
    write_about(folder, "solitaire", "Solitaire, one player", {"mat": to_builtins(PLAN.mat), "setup": {}}, ("Ada",))
    write_pictures(folder, solitaire_pictures(solitaire_moments()), quality=74)


if __name__ == "__main__":
    main()
