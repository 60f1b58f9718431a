"""Which event a seen tray looks like, legal or not."""

from __future__ import annotations

from companion.core.layout import Layout
from companion.games.roll_and_color.moves import RollEvent
from companion.games.roll_and_color.sighted import candidates, illegal_candidates
from companion.games.roll_and_color.state import RollState


def suggest(state: RollState, seen: Layout) -> RollEvent | None:
    """The next event on the way to `seen`, by best readings; an illegal one only if it is known which dice moved."""
    if not state.layout().differences(seen):
        return None
    return next(iter(candidates(state, seen)), None) or next(illegal_candidates(state, seen), None)
