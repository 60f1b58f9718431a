"""Replays the sentences that players entered while a recording was made, each before its picture."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.foundation.errors import MoveError
from companion.core.layout import Layout
from companion.core.recording import Spoken
from companion.core.verdict import Verdict
from companion.referee.session_manager import SessionManager
from companion.referee.telling import ToldVerdict, accepted


class TranscriptPlayer:
    """Enters recorded sentences at a session manager. Called from the thread that reads pictures."""

    def __init__(self, sessions: SessionManager, said: Sequence[Spoken]) -> None:
        self._sessions = sessions
        self._waiting = sorted(said, key=lambda word: word.before)

    def before(self, number: int) -> tuple[ToldVerdict, ...]:
        """Enters the sentences before a picture; those that do not fit the present game are left out."""
        table = self._sessions.table
        told: list[ToldVerdict] = []
        while self._waiting and self._waiting[0].before <= number and table is not None:
            word = self._waiting.pop(0)
            state = table.session.state
            try:
                event = table.session.game.parse(state, word.text)
                table.play(event, source="page")
            except MoveError:
                continue
            told += accepted(table, state, (event,))
        return tuple(told)

    def see(self, layout: Layout, number: int) -> Verdict | None:
        """A reading of a picture, after the sentences before it."""
        self.before(number)
        return self._sessions.see(layout, number)
