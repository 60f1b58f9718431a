"""Ratings of everybody who finished games, by openskill's Plackett-Luce model; an extra."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.core.foundation.errors import WrongUsage
from companion.referee.results import Result

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating


class Rating(Struct, frozen=True):
    """How strong somebody is, as far as games say."""

    name: str
    ordinal: float
    """A lower bound of the strength that holds with great probability: mean minus three deviations."""
    mean: float
    deviation: float
    games: int


def available() -> bool:
    """True if the package openskill is there."""
    return find_spec("openskill") is not None


def ratings(results: Iterable[Result]) -> tuple[Rating, ...]:
    """All players, the strongest first; games count in the given order.

    Players are identified by their names in any case; games of one player do not count.

    Raises:
        WrongUsage: The package openskill is missing.
    """
    if not available():
        raise WrongUsage('Ratings need the package openskill: pip install "tabletop-companion[ratings]".')
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known: dict[str, tuple[str, PlackettLuceRating, int]] = {}
    for result in results:
        if len(result.names) < 2 or len({name.casefold() for name in result.names}) < len(result.names):
            continue
        before = [known.get(name.casefold(), (name, model.rating(), 0)) for name in result.names]
        ranks = [next(n for n, place in enumerate(result.places) if seat in place) for seat in range(len(before))]
        after = model.rate([[rating] for _, rating, _ in before], ranks=[float(rank) for rank in ranks])
        for name, (_, _, games), (rating,) in zip(result.names, before, after, strict=True):
            known[name.casefold()] = name, rating, games + 1
    found = [Rating(name, one.ordinal(), one.mu, one.sigma, games) for name, one, games in known.values()]
    return tuple(sorted(found, key=lambda rating: (-rating.ordinal, rating.name)))
