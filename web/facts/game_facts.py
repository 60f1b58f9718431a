"""Facts for the choice of a game: its length, and the ways in which its moves reach the referee.

`python -m web.facts.game_facts` plays every game and prints its number of moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from statistics import median
from typing import Any, Literal

from companion.core.contract import Over, ToMove
from companion.core.game import Game
from companion.games import GAMES, MANIFESTS
from companion.referee.players.player import Greedy, mover
from companion.referee.table.table import Table


def next_position(table: Table) -> Mapping[str, Any] | None:
    """The position with which the next game of a match begins; None while this one goes on, and if none follows."""
    series = table.session.game.next_position
    return None if series is None else series(table.session.state)


Way = Literal["camera", "phones", "hand"]
Length = Literal["short", "middle", "long"]

GAMES_PLAYED = 5
PICTURE_SEED, PICTURE_EVENTS = 4, 40


def ways(game: str) -> tuple[Way, ...]:
    """How moves of a game can reach the referee."""
    known = MANIFESTS[game]
    camera: tuple[Way, ...] = ("camera",) if known.plan is not None and known.read_surely else ()
    phones: tuple[Way, ...] = ("phones",) if known.game.seats[-1] > 1 else ()
    return (*camera, *phones, "hand")


def length(moves: float) -> Length:
    """The word for a number of moves."""
    return "short" if moves <= 60 else "middle" if moves <= 200 else "long"


def sample_position(game: Game[Any]) -> Any:
    """A position some way into a game that is played by chance, always the same one: for the game's picture."""
    random = Random(PICTURE_SEED)
    state = game.start(game.seats[0], game.Options())
    for _ in range(PICTURE_EVENTS):
        expects = state.expects()
        if isinstance(expects, Over):
            break
        event = random.choice(list(state.legal_moves())) if isinstance(expects, ToMove) else game.sample(state, random)
        state = state.apply(event)
    return state


def moves(game: Game[Any], seed: int) -> int:
    """The number of moves of a game with as few players as it allows, each taking the most points at once."""
    random, player = Random(seed), Greedy()
    state, count = game.start(game.seats[0], game.Options()), 0
    while not isinstance(expects := state.expects(), Over):
        if isinstance(expects, ToMove):
            state = state.apply(player.choose(game, state, mover(state, random), random))
            count += 1
        else:
            state = state.apply(game.sample(state, random))
    return count


def main() -> None:
    """Print the median number of moves of every game."""
    for name, game in GAMES.items():
        found = median(moves(game, seed) for seed in range(GAMES_PLAYED))
        print(f"{name}: {found} moves, {length(found)}")


if __name__ == "__main__":
    main()
