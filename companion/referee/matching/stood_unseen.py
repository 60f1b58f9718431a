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
from companion.referee.matching.stories import accusation_of


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
        unseen = self.game.unseen(self.here.state)
        for piece in (piece for _, piece in self._new_pieces() if piece in unseen):
            for spot in self.layout.heaps:
                for then, given in self._after(spot, piece) if spot in self.unseen else ():
                    if then.seat != refused.seat and then.cost <= refused.cost + most:
                        return self._answer(then, given)
        return None

    def question(self) -> Unclear | None:
        """Returns the question whether an illegal move uncovered a piece; None if no such move explains the reading."""
        new = [(spot, piece) for spot, piece in self._new_pieces() if spot in self.unseen]
        choices = [self._answer(then, given) for spot, piece in new for then, given in self._after(spot, piece)]
        if not choices:
            return None
        best = min(choices, key=lambda choice: choice.score)
        return Unclear((replace(best, score=0.0),), best.score)

    def _new_pieces(self) -> Iterator[tuple[Spot, Piece]]:
        """Yields the pieces of the reading that are at no remembered place, each with its heap."""
        for spot, heap in self.layout.heaps.items():
            for one in heap:
                if one.piece is not None and one.place and one.place not in self.memory.places:
                    yield spot, one.piece

    def _answer(self, then: Refused, given: Reread) -> Choice:
        """Returns an accusation as an answer that says which piece had stood unseen."""
        choice = accusation_of(self.game, then)
        return replace(choice, text=f"{choice.text} ({reread_words(given)})", given=given)

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
