"""What else may have happened, by the rules, than what a reading says at first sight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import log
from typing import Any, NamedTuple

from companion.game import Game
from companion.layout import Layout
from companion.matching.elsewhere import other_ways
from companion.matching.memory import AGAIN, AS_READ, Memory
from companion.matching.rereading import misreadings, rereadings
from companion.matching.standpoint import Account, Standpoint
from companion.verdict import Accepted, Choice, Reread, Verdict, reread_words


class Alternatives(NamedTuple):
    """Legal accounts of a reading, each as an answer that may be offered."""

    game: Game[Any]
    compared: Callable[[Standpoint, Memory, Layout], Verdict]
    """What a reading shows to who looks for legal explanations alone."""
    here: Standpoint
    memory: Memory
    layout: Layout

    def misread_before(self) -> Iterator[tuple[Choice, Accepted]]:
        """What is legal if a piece that has just left its place was another one all along."""
        for one in rereadings(self.game, self.here.state, self.memory, self.layout):
            then = self.compared(self.here._replace(state=one.state), one.memory, self.layout)
            if isinstance(then, Accepted):
                given = Reread(one.spot, one.was, one.now, one.row, one.state)
                text = f"{self.game.told(then.events)} ({reread_words(given)})"
                yield Choice(then.events, text, (), one.cost + then.cost, given), then

    def misread_now(self) -> Iterator[Choice]:
        """What is legal if a piece that has just come is another one than it reads."""
        for other, cost in misreadings(self.memory, self.layout):
            yield from self._legal(self.memory, other, cost)

    def as_read(self) -> Iterator[Choice]:
        """What is legal if pieces are what they now read as, and not what they are remembered as."""
        other = self.memory.as_read(self.layout)
        if other is not self.memory:
            yield from self._legal(other, self.layout, log(AGAIN / AS_READ))

    def after(self, accounts: Iterable[Account]) -> Iterator[Choice]:
        """What is legal after what may have been behind the picture before, or behind the one last taken for a move."""
        for account in accounts:
            if account.events or account.given is not None:
                then = self.compared(self.here._replace(state=account.state), account.memory, self.layout)
                if isinstance(then, Accepted):
                    events = (*account.events, *then.events)
                    text = self.game.told(events)
                    if account.given is not None:
                        text = f"{text} ({reread_words(account.given)})"
                    yield Choice(events, text, (), account.cost + then.cost, account.given)

    def elsewhere(self) -> Iterator[Choice]:
        """What is legal if a thing on the line between two zones is in the other one."""
        for other in other_ways(self.layout):
            yield from self._legal(self.memory, other.layout, other.cost)

    def _legal(self, memory: Memory, layout: Layout, cost: float) -> Iterator[Choice]:
        """What is legal if the table is remembered or read so, at a cost."""
        then = self.compared(self.here, memory, layout)
        if isinstance(then, Accepted):
            yield Choice(then.events, self.game.told(then.events), (), cost + then.cost)
