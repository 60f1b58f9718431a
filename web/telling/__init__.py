"""The advisers of games, by the games' names."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games import MANIFESTS
from web.boards.parts.named import made
from web.telling.parts.adviser import Adviser

_MADE, LEFT_OUT = made((one, one.adviser) for one in MANIFESTS.values())

ADVISERS: Mapping[str, Adviser] = _MADE

__all__ = ["ADVISERS", "LEFT_OUT", "Adviser"]
