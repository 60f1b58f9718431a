"""Pieces that no picture showed before an illegal move used or uncovered them.

A piece may have stood inside or behind another piece, or under a cloth, since the start. When an illegal move brings it
to light, a draw that nobody made seems to come before the move, or no move seems to explain the table at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.core.contract import Drawn
from companion.core.game import Game
from companion.core.layout import Layout, Spot
from companion.core.pieces import Piece
from companion.core.verdict import Choice, Refused, Reread, Unclear, Verdict, reread_words
from companion.referee.matching.accounts import Standpoint
from companion.referee.matching.evidence import owner_of
from companion.referee.matching.memory import Memory


class StoodUnseen(NamedTuple):
    """The explanations of one reading in which a piece had stood unseen before an illegal move."""

    game: Game[Any]
    compared: Callable[..., Verdict]
    """The verdict on a reading for a standpoint and a memory."""
    here: Standpoint
    memory: Memory
    layout: Layout
    unseen: Mapping[Spot, float]
    """Heaps in which a piece may have stood unseen until now, each with the nats against it."""

    def without_draws(self, refused: Refused, most: float) -> Refused:
        """Returns an accusation without earlier legal events that did not happen if a drawn piece had stood unseen.

        Args:
            most: The largest cost in nats beyond the accusation's at which the piece may still have stood unseen.
        """
        for event in refused.before:
            for piece in event.pieces if isinstance(event, Drawn) else ():
                for spot in self._heaps_of(event.seat) if piece is not None else ():
                    for then, _ in self._after(spot, piece):
                        same = (then.seat, then.event) == (refused.seat, refused.event)
                        if same and set(then.before) < set(refused.before) and then.cost <= refused.cost + most:
                            return replace(refused, before=then.before)
        return refused

    def by_another(self, refused: Refused, most: float) -> Choice | None:
        """Returns the accusation of another player that is as likely if a new piece had stood unseen; None if none is.

        Args:
            most: The largest cost in nats beyond the accusation's.
        """
        for heap in self.layout.heaps.values():
            for one in heap:
                if one.piece is None or not one.place or one.place in self.memory.places:
                    continue
                for spot in self.layout.heaps if one.piece in self.game.unseen(self.here.state) else ():
                    for then, given in self._after(spot, one.piece) if spot in self.unseen else ():
                        if then.seat != refused.seat and then.cost <= refused.cost + most:
                            events = (*then.before, then.event)
                            text = f"{self.game.told(events)} ({reread_words(given)})"
                            return Choice(events, text, then.breaches, then.cost, given)
        return None

    def question(self) -> Unclear | None:
        """Returns the question whether an illegal move uncovered a piece; None if no such move explains the reading."""
        choices = []
        for spot, heap in self.layout.heaps.items():
            for one in heap if spot in self.unseen else ():
                if one.piece is None or not one.place or one.place in self.memory.places:
                    continue
                for then, given in self._after(spot, one.piece):
                    events = (*then.before, then.event)
                    text = f"{self.game.told(events)} ({reread_words(given)})"
                    choices.append(Choice(events, text, then.breaches, then.cost, given))
        if not choices:
            return None
        best = min(choices, key=lambda choice: choice.score)
        return Unclear((replace(best, score=0.0),), best.score)

    def _heaps_of(self, seat: int) -> list[Spot]:
        """Returns the heaps of a seat in which a piece may have stood unseen."""
        owner = f"seat{seat}"
        return [spot for spot in self.layout.heaps if owner_of(spot) == owner and spot in self.unseen]

    def _after(self, spot: Spot, piece: Piece | None) -> Iterator[tuple[Refused, Reread]]:
        """Yields the accusation that a reading shows if a piece had stood unseen in a heap."""
        reread = None if self.game.proposer is None else self.game.proposer.reread
        state = None if reread is None else reread(self.here.state, spot, None, piece)
        if state is None:
            return
        then = self.compared(self.here._replace(state=state), self.memory, self.layout)
        if isinstance(then, Refused):
            yield replace(then, cost=then.cost + self.unseen[spot]), Reread(spot, None, piece, 0, state)
