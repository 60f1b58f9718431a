"""From what is seen to a verdict: which event, legal or not, explains the table.

One module for all games: it knows layouts and the game contract, no pieces and no pixels.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.contract import Event, Over, State
from companion.draws import settle
from companion.errors import MoveError
from companion.layout import Layout
from companion.verdict import Accepted, OutOfStep, Refused, Same, Verdict

DEPTH = 4
"""No more events than this are looked for between two pictures."""


def spell(state: State, seen: Layout, *, draws_unseen: bool = False) -> Verdict:
    """The verdict without the rules as prior: each spot's best reading is taken for true, then it is spelled out.

    This is what `match` is measured against; it believes every misreading.
    """
    events: list[Event] = []
    here = state
    for _ in range(DEPTH):
        here = settle(here) if draws_unseen else here
        differences = here.layout().differences(seen)
        if not differences:
            return Accepted(tuple(events), 0.0, 0.0) if events else Same()
        event = None if isinstance(here.expects(), Over) else here.suggest(seen)
        if event is None:
            return OutOfStep(differences)
        breaches = here.explain(event)
        if breaches:
            return Refused(event, seat_of(here, event), breaches, 0.0, tuple(events))
        try:
            here = here.apply(event)
        except MoveError:
            return OutOfStep(differences)
        events.append(event)
    return OutOfStep(state.layout().differences(seen))


def match(state: State, seen: Layout, *, draws_unseen: bool = False, history: Sequence[State] = ()) -> Verdict:
    """Compare what the state predicts with what is seen.

    :param draws_unseen: hands are out of sight, so a draw that is due is taken to have happened; the verdict's
        events do not name it.
    :param history: earlier positions, oldest first; `TakenBack.to` is an index into it.
    """
    return spell(state, seen, draws_unseen=draws_unseen)


def seat_of(state: State, event: Event) -> int:
    """Whose event it is: the seat that it names, else the seat that is due."""
    named = getattr(event, "seat", None)
    if isinstance(named, int):
        return named
    due = state.expects()
    seats = getattr(due, "seats", None) or (getattr(due, "seat", 0),)
    return int(seats[0])
