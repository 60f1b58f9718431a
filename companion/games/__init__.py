"""Provides every game by its command-line name.

All games are found through their manifests: this project's own by their folders, those of other packages by entry
points. If a game of another package cannot be used, a sentence says so, and all other games work.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

from companion.core.game import Game
from companion.core.manifest import Manifest
from companion.core.plan import Plan
from companion.core.recording import RecordedMat, Recording

GROUP = "companion.games"
"""The group of the entry points of other packages: name = "module:MANIFEST"."""

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Unusable(Exception):
    """Raised if a manifest cannot be used; the message continues a sentence that begins with the entry point's name."""


def own_manifests(package: str = "companion.games") -> list[Manifest]:
    """Returns the manifests of all folders of a package that have a module `manifest`, in their order."""
    paths = import_module(package).__path__
    names = [f"{package}.{module.name}.manifest" for module in iter_modules(paths) if module.ispkg]
    return in_order(import_module(name).MANIFEST for name in names if find_spec(name) is not None)


def foreign_manifests(
    known: Iterable[str], points: Iterable[EntryPoint] | None = None
) -> tuple[list[Manifest], list[str]]:
    """Returns the manifests of other packages in their order, and a sentence for each one that cannot be used.

    Args:
        known: Names that are taken.
        points: What other packages offer; None: all that is installed.
    """
    taken, found, said = set(known), [], []
    for point in entry_points(group=GROUP) if points is None else points:
        try:
            manifest = _loaded(point, taken)
        except Unusable as reason:
            package = point.dist.name if point.dist is not None else point.value
            said.append(f'The game "{point.name}" of {package} is left out: {reason}. Fix or remove that package.')
            continue
        taken.add(manifest.game.name)
        found.append(manifest)
    return in_order(found), said


def in_order(manifests: Iterable[Manifest]) -> list[Manifest]:
    """Returns the manifests in the order used by lists of games."""
    return sorted(manifests, key=lambda one: (one.position, one.game.name))


def _loaded(point: EntryPoint, taken: set[str]) -> Manifest:
    try:
        manifest = point.load()
    except Exception as error:  # an error in another package's code must not stop the program
        what = " ".join(str(error).split()) or type(error).__name__
        raise Unusable(f"it cannot be loaded ({what})") from error
    if not isinstance(manifest, Manifest):
        raise Unusable(f"{point.value} is no companion.core.manifest.Manifest")
    name = manifest.game.name
    if not _NAME.fullmatch(name):
        raise Unusable(f'"{name}" is no name of a game; use small letters, digits and single hyphens')
    if name in taken:
        raise Unusable(f'there is a game named "{name}" already')
    return manifest


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
