"""What the table asks of the people around it: at most one alert at a time, in a fixed place on the page.

An alert is a verdict that wants an answer or an action, with a number so that two screens speak of the same one.
"""

from __future__ import annotations

from msgspec import Struct

from companion.verdict import OutOfStep, Pending, Refused, TakenBack, Unclear, Verdict

Matter = Refused | Unclear | Pending | TakenBack | OutOfStep
"""Verdicts that stay on the page until they are settled."""


class Alert(Struct, frozen=True):
    """One matter that is open."""

    number: int
    """Rises with every new matter of a table."""
    verdict: Matter
    frame: int | None
    """Number of the picture that showed it."""


def same_matter(one: Verdict, other: Verdict) -> bool:
    """Whether two verdicts say the same to people, whatever their scores; then the alert stays and nothing blinks."""
    if isinstance(one, Refused) and isinstance(other, Refused):
        return (one.before, one.event) == (other.before, other.event)
    if isinstance(one, Unclear) and isinstance(other, Unclear):
        return {choice.events for choice in one.choices} == {choice.events for choice in other.choices}
    return one == other
