"""How many can play, in words."""

from __future__ import annotations

from typing import Any

from companion.contract import Game


def numbers(seats: range) -> str:
    """The possible numbers of players: "2 to 4", "2 or 4", "1"."""
    if len(seats) == 1:
        return str(seats[0])
    if seats.step == 1 and len(seats) > 2:
        return f"{seats[0]} to {seats[-1]}"
    return f"{', '.join(map(str, seats[:-1]))} or {seats[-1]}"


def refusal(game: Game[Any], seats: int) -> str:
    """Why a game cannot be played by so many, in a sentence."""
    players = "player" if tuple(game.seats) == (1,) else "players"
    return f"{game.title} has {numbers(game.seats)} {players}, not {seats}."
