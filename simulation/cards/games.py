"""The card games that are played on drawn tables, by name."""

from __future__ import annotations

from collections.abc import Callable

from simulation.cards import solitaire
from simulation.cards.played import CardGame

GAMES: dict[str, Callable[[], CardGame]] = {"solitaire": solitaire.Played}
"""A new table of each."""
