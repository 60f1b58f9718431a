"""Remembers the looks of cards before others covered them: a covered card is still the one that was seen whole."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.readers.cards.finder import PlacedCard
from vision.readers.cards.naming import CardLooks

Floats = NDArray[Any]

_NEAR_MM, _NEAR_DEG = 6.0, 8.0
"""The distance and the angle within which two readings show the same card."""
_COVERED = 0.92
"""A card of which less than this share of the part seen before is seen now has been covered; any other may be new."""
_CERTAIN = 4.0
"""The largest evidence, as a logarithm, of an earlier reading against a card: hands may have exchanged cards unseen."""
_UNLIKELY = 6.0
"""A card that is less likely than another by more than this, as a logarithm, was exchanged for it."""
_KEPT = 3
"""The number of readings in which a card may be hidden before it is forgotten."""


class _SeenCard(Struct, frozen=True, eq=False):
    """A card in the reading that showed most of it."""

    place: PlacedCard
    cards: Floats
    age: int = 0
    """The number of readings since it was last found."""


class EarlierCards:
    """The best looks at the cards of a table so far."""

    def __init__(self) -> None:
        self._seen: list[_SeenCard] = []

    def folded(self, placed: Sequence[PlacedCard], looks: Sequence[CardLooks]) -> tuple[CardLooks, ...]:
        """Returns looks with the earlier evidence about the cards that are covered now, and remembers the new ones."""
        found, kept = [], []
        rest = list(self._seen)
        for place, look in zip(placed, looks, strict=True):
            if look.face not in ("number", "special"):
                found.append(look)
                continue
            before = min(rest, key=lambda one: _distance(one.place, place), default=None)
            if before is None or not _same_place(before.place, place):
                before = None
            else:
                rest.remove(before)
            if before is None or place.shown > _COVERED * before.place.shown or not _may_be(before, look):
                kept.append(_SeenCard(place, look.cards))
                found.append(look)
                continue
            kept.append(replace(before, age=0))
            both = look.cards + np.maximum(before.cards - before.cards.max(), -_CERTAIN)
            found.append(CardLooks("number", np.asarray(both - np.logaddexp.reduce(both))))
        self._seen = [*kept, *(replace(one, age=one.age + 1) for one in rest if one.age + 1 < _KEPT)]
        return tuple(found)


def _may_be(before: _SeenCard, look: CardLooks) -> bool:
    """True if a card may still be the one of an earlier reading, although it looks more like another one now."""
    return bool(look.cards[before.cards.argmax()] > look.cards.max() - _UNLIKELY)


def _distance(one: PlacedCard, other: PlacedCard) -> float:
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


def _same_place(one: PlacedCard, other: PlacedCard) -> bool:
    turn = abs(one.heading_deg - other.heading_deg) % 180
    return _distance(one, other) < _NEAR_MM and min(turn, 180 - turn) < _NEAR_DEG
