"""The card games that are played on drawn tables, by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.games.poker.options import Options
from simulation.cards import casino, cribbage, five_hundred, poker, solitaire
from simulation.cards.played import CardGame

GAMES: dict[str, Callable[[], CardGame]] = {
    "casino": casino.Played,
    "casino-3": partial(casino.Played, 3),
    "cribbage": cribbage.Played,
    "cribbage-4": partial(cribbage.Played, 4),
    "five-hundred": five_hundred.Played,
    "poker": poker.Played,
    "poker-shared": lambda: poker.Played(Options(cards=2, shared=5)),
    "solitaire": solitaire.Played,
}
"""A new table of each."""
