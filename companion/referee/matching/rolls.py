"""Evidence that dice give besides their faces: a roll with equal faces, or a roll that the record lacks.

A reader that follows dice repeats in "dice.moved" those that were rolled since record and table last agreed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from companion.core.contract import Event, Rolled, ToRoll
from companion.core.game import Game
from companion.core.layout import Layout, Spot
from companion.core.pieces import Piece
from companion.referee.matching.evidence import Evidence, pile
from companion.referee.observation import observation_of

DICE: Spot = "dice"
"""The flat dice in the tray."""
MOVED: Spot = "dice.moved"
ALIKE = 3
"""The largest number of dice that may show the same faces again after a roll (1 in 18 for two); more were only pushed.
Chosen."""

Faces = tuple[Piece, ...]


def rolled_alike(game: Game[Any], state: Any, seen: Layout) -> Event | None:
    """Returns the due roll if all its dice were moved and show the same faces as before; None otherwise.

    Args:
        seen: A picture without other differences from the position.
    """
    due, proposer = state.expects(), game.proposer
    if proposer is None or proposer.candidates is None or not isinstance(due, ToRoll):
        return None
    if not len(due.dice) <= min(ALIKE, len(seen.heaps.get(MOVED, ()))):
        return None
    return next((event for event in proposer.candidates(state, seen) if isinstance(event, Rolled)), None)


def doubtful_die(table: Layout, evidence: Evidence, least: float) -> tuple[Piece, Piece] | None:
    """Returns a die of a predicted table that may well show another face, with that face; None if none may.

    The kind of a die is known, so only its own faces count.

    Args:
        least: The odds of another face from which on it counts.
    """
    found: tuple[float, Piece, Piece] | None = None
    for spot in table.heaps:
        expected = pile(table, spot)
        for piece, sighting, _ in () if expected is None else evidence.pairing(spot, expected).pairs:
            if piece is None or sighting is None:
                continue
            for other in sighting.candidates:
                if other.piece is not None and observation_of(piece).shows_other(piece, other.piece):
                    odds = other.probability / max(sighting.probability(piece), least)
                    if odds > (least if found is None else found[0]):
                        found = odds, piece, other.piece
    return None if found is None else found[1:]


def rolled_since(events: Sequence[Event], seen: Layout) -> bool:
    """Returns true if all dice were moved, there are few enough to fall alike, and no event has a roll."""
    moved, lie = seen.heaps.get(MOVED, ()), seen.heaps.get(DICE, ())
    return 0 < len(lie) <= min(ALIKE, len(moved)) and not any(isinstance(event, Rolled) for event in events)


class LostRolls(Struct, frozen=True):
    """The unexplained rolls of pictures. A record that continued without one of them lacks a turn."""

    shown: frozenset[Faces] = frozenset()
    """The faces of dice in pictures that are not explained yet."""
    lost: bool = False
    """True if the record continued without one of them, and no move that left a trace has been played since."""

    def unexplained(self, table: Layout, seen: Layout) -> LostRolls:
        """Returns the value after an unexplained picture.

        Args:
            table: The predicted layout.
        """
        faces = _faces(seen, DICE)
        new = faces and (faces != _faces(table, DICE) or len(seen.heaps.get(MOVED, ())) >= len(faces))
        return LostRolls(self.shown | {faces}, self.lost) if new else self

    def explained(self, events: Sequence[Event], seen: Layout | None = None, *, moved: bool = True) -> LostRolls:
        """Returns the value after a picture that shows these events.

        Args:
            seen: The picture, if the dice that lie in it are accounted for.
            moved: True if the events have moved more than dice: a pass does not prove whose turn it is.
        """
        told: list[Faces] = [event.faces for event in events if isinstance(event, Rolled)]
        told += [] if seen is None else [_faces(seen, DICE)]
        left = [faces for faces in self.shown if not any(_holds(faces, roll) for roll in told)]
        if left:
            return LostRolls(lost=True)
        played = moved and any(not isinstance(event, Rolled) for event in events)
        return LostRolls(lost=self.lost and not played)


def _faces(layout: Layout, spot: Spot) -> Faces:
    pieces = [one.piece for one in layout.heaps.get(spot, ()) if one.piece is not None]
    return tuple(sorted((piece for piece in pieces if observation_of(piece).thrown), key=repr))


def _holds(faces: Faces, roll: Sequence[Any]) -> bool:
    """Returns true if a roll accounts for all dice that a tray shows, so that all of its dice lie there."""
    return not Counter(roll) - Counter(faces)
