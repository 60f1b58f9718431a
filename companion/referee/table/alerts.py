"""The open matters of one table: the alert on its page, and the refused move that is still on the table."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.foundation.errors import BadEvent
from companion.core.verdict import Refused, Unclear
from companion.referee.journal import Row, Source
from companion.referee.session.alert import Alert, Matter, open_refusal, same_matter
from companion.referee.session.session import GameSession


class Alerts:
    """Opens and closes alerts. Each matter is noted once, however often it is seen. Callers hold the session's lock."""

    def __init__(self, session: GameSession) -> None:
        """
        Args:
            session: The game; a refusal that was open when the program stopped is open again.
        """
        self._session = session
        self._number = 0
        self._refusal = 0
        """The number of the alert that showed the last refusal; 0: none since the program started."""
        self.outstanding: Refused | None = open_refusal(session.game, session.rows())
        """The last refusal, until the table shows that the move was put back or people settle it."""

    def raise_(self, matter: Matter, frame: int | None, source: Source) -> None:
        """Shows a matter unless it is already shown. A matter that people must answer also becomes a row.

        Args:
            frame: The number of the picture that shows it; None if no picture does.
        """
        if self._session.alert is not None and same_matter(self._session.alert.verdict, matter):
            return
        if isinstance(matter, Refused):
            self.refuse(matter, frame, source, {"frame": frame})
        elif isinstance(matter, Unclear):
            choices = [choice.text for choice in matter.choices]
            more = {"frame": frame, "choices": choices}
            self._session.note("asked", " or ".join(choices), source, more, alert=self._numbered(matter, frame))
        else:
            self._session.show(self._numbered(matter, frame))

    def refuse(self, refused: Refused, frame: int | None, source: Source, more: dict[str, Any]) -> Row:
        """Notes a refusal and shows it.

        If the same refusal is already open, and a doubtful reading replaced it on the page, it is shown again under its
        old number.
        """
        if self.outstanding is not None and same_matter(self.outstanding, refused):
            again = Alert(self._refusal, refused, frame) if self._refusal else self._numbered(refused, frame)
            self._session.show(again)
            return self._session.rows()[-1]
        alert = self._numbered(refused, frame)
        self._refusal = alert.number
        noted = {**more, "breaches": msgspec.to_builtins(refused.breaches)}
        text, seat = self._session.game.text(refused.event), refused.seat
        row = self._session.note("refused", text, source, noted, seat=seat, event=refused.event, alert=alert)
        self.outstanding = refused
        return row

    def refusal(self) -> Refused:
        """Returns the open illegal move.

        Raises:
            BadEvent: No illegal move is open.
        """
        alert = self._session.alert
        if alert is None or not isinstance(alert.verdict, Refused):
            raise BadEvent("No move is open that the table could agree to. Enter a move instead.")
        return alert.verdict

    def question(self, choice: int) -> Unclear:
        """Returns the open question.

        Raises:
            BadEvent: No question is open, or it has no such choice.
        """
        alert = self._session.alert
        if alert is None or not isinstance(alert.verdict, Unclear):
            raise BadEvent("No question is open. Enter the move instead.")
        if not 0 <= choice < len(alert.verdict.choices):
            raise BadEvent(f"The question has answers 0 to {len(alert.verdict.choices) - 1}, not {choice}.")
        return alert.verdict

    def close(self) -> None:
        """Closes the open alert."""
        self.outstanding = None
        self._session.show(None)

    def _numbered(self, matter: Matter, frame: int | None) -> Alert:
        self._number += 1
        return Alert(self._number, matter, frame)
