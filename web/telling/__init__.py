"""The advisers of games, by name of the game."""

from __future__ import annotations

from companion.games import MANIFESTS
from web.boards.parts.named import NamedParts
from web.telling.parts.adviser import Adviser

ADVISERS = NamedParts[Adviser](MANIFESTS.values(), lambda one: one.adviser)

__all__ = ["ADVISERS", "Adviser"]
