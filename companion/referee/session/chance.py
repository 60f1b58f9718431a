"""Dice and draws by the program, for a table without dice, bag or camera.

An outcome follows from a secret seed of the game and from the events before it alone. So a player cannot roll until the
dice are good: an undo and another roll give the same dice.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core.contract import Chance, Drawn, Event, Seat
from companion.core.foundation.errors import BadEvent
from companion.core.game import Game


def outcome_seed(secret: bytes, events: Iterable[Event]) -> bytes:
    """The seed of the next outcome, 32 bytes.

    Args:
        secret: The secret seed of the game, 32 bytes.
        events: Every event that counts so far, in order.
    """
    return hmac.digest(secret, msgspec.json.encode([msgspec.to_builtins(event) for event in events]), "sha256")


def outcome(game: Game[Any], state: Any, seed: bytes, seat: Seat | None) -> Chance:
    """The roll or draw that a seed gives.

    Args:
        seat: The seat that draws, if several may; None: the one on turn.

    Raises:
        BadEvent: No chance event is due.
    """
    if game.chance is None:
        raise BadEvent(f"Nothing in {game.title} is left to chance. Make a move.")
    event = game.chance.sample(state, Random(seed))
    return replace(event, seat=seat) if isinstance(event, Drawn) and seat is not None else event
