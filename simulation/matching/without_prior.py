"""Matches without the rules as prior: takes the best reading of each spot for true, and finds events that lead there.

`match` is compared with this. It believes every misreading, and so it invents moves and accuses wrongly.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.core.contract import Event, Over, State
from companion.core.foundation.errors import MoveError
from companion.core.game import Game, apply_due_draws
from companion.core.layout import Layout, Spot
from companion.core.pieces import Piece
from companion.core.verdict import Accepted, Desynchronized, Refused, Same, Verdict
from companion.referee.matching.hypotheses import DEPTH, seat_of


def match_without_prior(
    game: Game[Any],
    state: State,
    seen: Layout,
    *,
    draws_unseen: bool = False,
    history: Sequence[State] = (),
    absent: Mapping[Spot, Sequence[Piece]] = MappingProxyType({}),
    fresh: Container[str] = frozenset(),
    veiled: Mapping[Spot, Sequence[Piece]] = MappingProxyType({}),
    lawful: bool = False,
) -> Verdict:
    """Returns the verdict by the best readings, event by event; the parameters are those of `match`.

    It ignores that pieces may be out of sight, and always names illegal events.
    """
    events: list[Event] = []
    here = state
    for _ in range(DEPTH):
        here = apply_due_draws(here) if draws_unseen else here
        found = here.layout().differences(seen)
        if not found:
            return Accepted(tuple(events), 0.0, 0.0) if events else Same()
        if game.proposer is None or isinstance(here.expects(), Over):
            break
        event = game.proposer.infer_event(here, seen)
        if event is None:
            break
        breaches = here.violations(event)
        if breaches:
            return Refused(event, seat_of(here, event), breaches, 0.0, tuple(events))
        try:
            here = here.apply(event)
        except MoveError:
            break
        events.append(event)
    return Desynchronized(state.layout().differences(seen))
