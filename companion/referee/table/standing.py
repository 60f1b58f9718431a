"""An illegal move that was named and left on the table, where the rules let it stand then (SPA-28)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.foundation.errors import MoveError
from companion.core.verdict import Accepted, Desynchronized, Refused, Same, TakenBack, Verdict
from companion.referee.journal.timeline import Timeline, kind_of


def gone_on(timeline: Timeline, refused: Refused, put_back: Verdict, judged: Callable[[Any], Verdict]) -> bool:
    """Returns true if the game has gone on from an illegal move.

    It has when the table does not show the position before it, but the position after it gone on, and by fewer events
    than legal ones from the position before it would take.

    Args:
        line: The events that count; the refused one is not among them.
        put_back: The reading, compared with the position before the move.
        judged: The reading, compared with a position.
    """
    if isinstance(put_back, Same):
        return False
    try:
        for event in refused.before:
            timeline = timeline.tell(kind_of(event), event)
        timeline = timeline.tell("agreed", refused.event)
    except MoveError:
        return False
    after = judged(timeline.state)
    if isinstance(after, Same | Desynchronized | TakenBack):
        return False
    if not isinstance(put_back, Accepted):
        return True
    return isinstance(after, Accepted) and len(after.events) + len(refused.before) < len(put_back.events)
