"""Whether the record may be wrong about whose turn it is, or about who has drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.contract import Drawn, Event
from companion.layout import Layout
from companion.matching.accusing import UNRECORDED
from companion.pieces import Piece


class TurnProof(NamedTuple):
    """What pictures have shown of it since a row was written that rests on what no picture shows."""

    draws: int | None = None
    """So many draws agree with the record since; None: there is no such row."""

    def told(self, events: Sequence[Event], before: Any, after: Any, *, guessed: bool) -> TurnProof:
        """The same after a row was written.

        :param before: the position before its events; None: it is not known. :param after: the one after them.
        :param guessed: whether more must have happened than pictures show.
        """
        drawn = [piece for event in events if isinstance(event, Drawn) for piece in event.pieces]
        if guessed or (drawn and before is not None and _are_used_up(drawn, before, after)):
            return TurnProof(0)
        return TurnProof(self.draws + 1) if self.draws is not None and drawn else self

    def doubt(self, accused: Event, *, on_turn: bool) -> float | None:
        """Nats against that the record lacks what would excuse somebody; None: it lacks nothing of the kind.

        :param on_turn: whether who is accused is to act.
        """
        if self.draws is None or (on_turn and not isinstance(accused, Drawn)):
            return None
        return UNRECORDED * (1 + self.draws)


def _are_used_up(drawn: Sequence[Piece | None], before: Any, after: Any) -> bool:
    """Whether one of the pieces that were drawn between two positions lies nowhere in the second one.

    It was used up before a picture was taken, so none shows that it was drawn and not something else.
    """
    then, now = _pieces_of(before.layout()), _pieces_of(after.layout())
    return any(now[piece] < then[piece] + count for piece, count in Counter(drawn).items() if piece is not None)


def _pieces_of(table: Layout) -> Counter[Piece | None]:
    """All that lies on a predicted table."""
    return Counter(one.piece for heap in (*table.heaps.values(), tuple(table.cells.values())) for one in heap)
