"""How moves are offered in games that have no words of their own for it."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from companion.core.contract import Event, Move, Violation


class UsualOffers:
    """`web.boards.parts.presenter.Presenter`: a button names the move as a sentence, without a question before it."""

    @abstractmethod
    def sentence(self, event: Event) -> str:
        """The action of a player, in words that follow the player's name."""

    def offer(self, move: Move) -> str:
        """The move as a button says it."""
        words = self.sentence(move)
        return words[:1].upper() + words[1:]

    def reminders(self, state: Any, move: Move) -> tuple[Violation, ...]:
        """There are none."""
        return ()
