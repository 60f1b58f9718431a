"""A game's options as fields of a form, derived from the types with which the game itself checks them.

So an option is declared once, with its bounds and its sentence, and the page can never offer a value that the game
refuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from statistics import median
from typing import Any, Literal

import msgspec.inspect
from msgspec import UNSET, Struct, UnsetType

from companion.core.contract import Over, ToMove
from companion.core.game import Game
from companion.games import GAMES, MANIFESTS
from companion.referee.players.player import Greedy, mover
from companion.referee.table.table import Table

# Facts for choosing a game: its length, and the ways in which its moves can be entered.
#
# `python -m web.facts.options` plays every game and prints its number of moves.


def next_position(table: Table) -> Mapping[str, Any] | None:
    """Returns the position with which the next game of a match begins; None while this game goes on, or if none
    follows.
    """
    series = table.session.game.next_position
    return None if series is None else series(table.session.state)


Way = Literal["camera", "phones", "hand"]
Length = Literal["short", "middle", "long"]

GAMES_PLAYED = 5
PICTURE_SEED, PICTURE_EVENTS = 4, 40


def ways(game: str) -> tuple[Way, ...]:
    """Returns the ways in which moves of a game can be entered."""
    known = MANIFESTS[game]
    camera: tuple[Way, ...] = ("camera",) if known.plan is not None and known.read_surely else ()
    phones: tuple[Way, ...] = ("phones",) if known.game.seats[-1] > 1 else ()
    return (*camera, *phones, "hand")


def length(moves: float) -> Length:
    """Returns the word for a number of moves."""
    return "short" if moves <= 60 else "middle" if moves <= 200 else "long"


def sample_position(game: Game[Any]) -> Any:
    """Returns a position some moves into a random game, always the same one, for the game's picture."""
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
    """Returns the number of moves of a game between greedy players, with as few players as the game allows."""
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
    """Prints the median number of moves of every game."""
    for name, game in GAMES.items():
        found = median(moves(game, seed) for seed in range(GAMES_PLAYED))
        print(f"{name}: {found} moves, {length(found)}")


if __name__ == "__main__":
    main()


class OptionField(Struct, frozen=True, omit_defaults=True):
    """One option on the page."""

    name: str
    kind: Literal["switch", "choice", "number", "text"]
    title: str
    sentence: str
    default: Any
    choices: tuple[str | int, ...] | UnsetType = UNSET
    least: int | float | UnsetType = UNSET
    most: int | float | UnsetType = UNSET
    labels: Mapping[str, str] | UnsetType = UNSET
    """The displayed labels of the values; a number needs none."""
    seats: Literal["least", "most"] | UnsetType = UNSET
    """How a number depends on the number of players; an option with "least" is not offered, because its value
    follows."""


def fields(options: type[Struct]) -> tuple[OptionField, ...]:
    """Returns the options of a game in their order.

    Raises:
        TypeError: An option is of a kind that a form cannot show; a mistake of the game's author.
    """
    info = msgspec.inspect.type_info(options)
    assert isinstance(info, msgspec.inspect.StructType)
    return tuple(_field(field) for field in info.fields)


def with_seats(options: type[Struct], chosen: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """Returns the chosen options, with those that follow from the number of players.

    Args:
        chosen: The options by name; a chosen option is not changed.
    """
    follow = {
        field.name: seats
        for field in fields(options)
        if field.seats == "least" and field.name not in chosen and seats > field.default
    }
    return {**chosen, **follow}


def _field(field: msgspec.inspect.Field) -> OptionField:
    kind: msgspec.inspect.Type = field.type
    about: dict[str, Any] = {}
    while isinstance(kind, msgspec.inspect.Metadata):
        about = {**(kind.extra_json_schema or {}), **about}
        kind = kind.type
    default = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    shown = {
        "name": field.encode_name,
        "title": about.get("title", field.name.replace("_", " ").capitalize()),
        "sentence": about.get("description", ""),
        "default": default,
    }
    if isinstance(kind, msgspec.inspect.BoolType):
        return OptionField(kind="switch", **shown)
    if isinstance(kind, msgspec.inspect.LiteralType):
        # The default comes first, the rest in the order of their labels.
        order = list(about.get("labels", ()))
        values = [value for value in kind.values if value is not None]
        values.sort(key=lambda value: (value != default, order.index(value) if order else 0))
        return OptionField(kind="choice", choices=tuple(values), labels=about.get("labels", UNSET), **shown)
    if isinstance(kind, msgspec.inspect.IntType | msgspec.inspect.FloatType):
        least = kind.ge if kind.ge is not None else kind.gt
        most = kind.le if kind.le is not None else kind.lt
        return OptionField(
            kind="number",
            least=UNSET if least is None else least,
            most=UNSET if most is None else most,
            seats=about.get("seats", UNSET),
            **shown,
        )
    if isinstance(kind, msgspec.inspect.StrType):
        return OptionField(kind="text", **shown)
    raise TypeError(f"The option {field.name} is of a type that a form cannot show: {kind}")
