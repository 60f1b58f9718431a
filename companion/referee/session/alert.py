"""The question of the table to its people: at most one alert at a time, in a fixed place on the page.

An alert is a verdict that needs an answer or an action. Its number lets two screens refer to the same one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from companion.core.contract import Violation
from companion.core.game import Game
from companion.core.verdict import Desynchronized, Pending, Refused, TakenBack, Unclear, Verdict
from companion.referee.journal import Row

Matter = Refused | Unclear | Pending | TakenBack | Desynchronized
"""The verdicts that stay on the page until they are settled."""


class Alert(Struct, frozen=True):
    """One open matter."""

    number: int
    """A number that rises with every new matter of a table."""
    verdict: Matter
    frame: int | None
    """The number of the picture that showed the matter."""


def same_matter(one: Verdict, other: Verdict) -> bool:
    """True if two verdicts mean the same to people, whatever their scores. The alert then stays on the page
    unchanged.
    """
    if isinstance(one, Refused) and isinstance(other, Refused):
        return (one.before, one.event) == (other.before, other.event)
    if isinstance(one, Unclear) and isinstance(other, Unclear):
        return {choice.events for choice in one.choices} == {choice.events for choice in other.choices}
    return one == other


def open_refusal(game: Game[Any], rows: Sequence[Row]) -> Refused | None:
    """Returns the refusal that was open when the program stopped, so that it is not noted twice; None if none was."""
    if not rows or rows[-1].kind != "refused":
        return None
    last = rows[-1]
    breaches = msgspec.convert(last.more["breaches"], tuple[Violation, ...])
    return Refused(game.event(last.event), last.seat or 0, breaches, 0.0)
