"""Replaying a game: do these rules still say what the journal says?

At each row scores, count of legal moves and digest are worked out again and compared. A journal that older rules wrote
is never refused: it is shown as it was recorded, and the first row where today's rules differ is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from companion.core.foundation.errors import BadFile, BadRecord, MoveError, WrongUsage
from companion.core.game import Game
from companion.referee.journal import Header, Row, digest
from companion.referee.journal.timeline import Timeline, begin


class ReplayDifference(Struct, frozen=True):
    """The first row where today's rules say something else than the journal."""

    n: int
    """0 is the start of the game."""
    what: str
    """"scores", "legal", "digest", or "event" if the rules refuse it."""
    recorded: Any
    now: Any
    """The value by today's rules, or the reason why they refuse it."""

    @property
    def sentence(self) -> str:
        """For people."""
        if self.what == "event":
            return f"Row {self.n} would be refused by today's rules: {self.now}"
        names = {"scores": "the scores are", "legal": "the count of legal moves is", "digest": "the position is"}
        return f"After row {self.n} {names[self.what]} {self.now} by today's rules; the journal says {self.recorded}."


class Replayed(Struct, frozen=True, eq=False):
    """A game, replayed."""

    header: Header
    rows: tuple[Row, ...]
    timeline: Timeline | None
    """Where it stands, as far as today's rules can follow; None if they cannot even begin."""
    change: ReplayDifference | None
    """None: today's rules agree with every row."""
    rules: int
    """Today's version of the rules."""


def replay(
    game: Game[Any], header: Header, rows: tuple[Row, ...], *, progress: Callable[[Iterable[Row]], Iterable[Row]] = iter
) -> Replayed:
    """Work every row out again and compare.

    Args:
        progress: Wraps the rows, to show how far it is.
    """
    try:
        timeline = begin(game, header)
    except (BadFile, MoveError, WrongUsage) as error:
        return Replayed(header, rows, None, ReplayDifference(0, "event", "start", str(error)), game.rules)
    for row in progress(rows):
        try:
            following = timeline.read(row)
        except (BadRecord, MoveError) as error:
            return Replayed(header, rows, timeline, ReplayDifference(row.n, "event", row.text, str(error)), game.rules)
        timeline = following
        change = _compare(row, timeline.state)
        if change is not None:
            return Replayed(header, rows, timeline, change, game.rules)
    return Replayed(header, rows, timeline, None, game.rules)


def _compare(row: Row, state: Any) -> ReplayDifference | None:
    now = digest(state)
    scores = tuple(score.total for score in state.scores())
    legal = len(state.legal_moves())
    for what, recorded, found in (
        ("scores", row.scores, scores),
        ("legal", row.legal, legal),
        ("digest", row.digest, now),
    ):
        if recorded != found:
            return ReplayDifference(row.n, what, recorded, found)
    return None
