"""Provides every game by its command-line name; all games are found through their manifests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.core.game import Game
from companion.core.manifest import Manifest
from companion.core.plan import Plan
from companion.core.recording import RecordedMat, Recording
from companion.games.loading import foreign_manifests, own_manifests

_OWN = own_manifests()
_FOREIGN, _LEFT_OUT = foreign_manifests(one.game.name for one in _OWN)

MANIFESTS: dict[str, Manifest] = {one.game.name: one for one in (*_OWN, *_FOREIGN)}
"""The manifest of every game, in the order used by lists of games."""

LEFT_OUT: tuple[str, ...] = tuple(_LEFT_OUT)
"""One sentence for each game of another package that cannot be used."""

GAMES: dict[str, Game[Any]] = {name: one.game for name, one in MANIFESTS.items()}
"""Game name to the rules of the game."""

PLANS: dict[str, Callable[[int], Plan]] = {name: one.plan for name, one in MANIFESTS.items() if one.plan is not None}
"""Game name to the function that returns the printed mat's plan for a number of seats."""

RECORDED: dict[str, Callable[[RecordedMat, Mapping[str, Any]], Recording]] = {
    name: one.recorded for name, one in MANIFESTS.items() if one.recorded is not None
}
"""Game name to the function that returns the beginning of a recorded game from the recording's mat and setup."""
