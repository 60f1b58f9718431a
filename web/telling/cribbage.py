"""The advice in Cribbage: cards to lay away and to play, the count, and every hand with all of its points."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.core.contract import Seat, ToMove
from companion.games.cribbage.counting import combinations
from companion.games.cribbage.moves import Count
from companion.games.shared.cards.deck import written
from companion.referee.table.table import Table
from web.telling.parts.card_panel import Act, CardAdviser, PanelCount, PanelField, PanelPick, player

_HAND = ("hand",)


class CribbageAdviser(CardAdviser):
    """Plays by phase; every eighteen, pair, run, flush and nob of the hands that are counted."""

    def acts(self, table: Table, state: Any, seat: Seat) -> Iterable[Act]:
        """Laying away, playing and saying Go, or counting."""
        who = player(seat)
        if state.starter is None:
            laid = state.sizes.laid
            pick = PanelPick(_HAND, laid, laid)
            yield Act("lay-away", seat, f"Lay {laid} cards away", f"{who} lays away {{0}}", (pick,), main=True)
        elif not state.is_played:
            yield Act("play", seat, "Play it", f"{who} plays {{0}}", (PanelPick(_HAND),), main=True)
            yield Act("go", seat, "Say Go", f"{who} says go")
        else:
            of, worth = state.counting[1], sum(state.worth)
            yield Act("count", seat, f"Count the {of}: {worth}", f"{who} counts {of} {worth}", main=True)
            points = PanelField("points", f"Points of the {of}", "number")
            yield Act("count-own", seat, "Count it myself", f"{who} counts {of} {{points}}", fields=(points,))

    def help(self, table: Table, state: Any) -> str:
        """The cards to tap in this phase."""
        if not isinstance(state.expects(), ToMove):
            return ""
        if state.starter is None:
            return f"Tap {state.sizes.laid} cards of the hand for the crib."
        if state.is_played:
            return "All cards are played. Hands are counted in turn, the dealer's last, then the crib."
        return f"The count is {state.total}. Tap a card of the hand to play it, or say Go if none fits below 38."

    def counts(self, table: Table, state: Any) -> Iterable[PanelCount]:
        """The hand or crib that is counted next, and the last ones that were counted, newest first."""
        if isinstance(state.expects(), ToMove) and state.starter is not None and state.is_played:
            seat, of = state.counting
            yield _counted(table, state, seat, of, "to be counted")
        shown = 0
        for step in reversed(table.session.steps()):
            before = table.session.timeline.book.start if step.parent is None else step.parent.state
            if isinstance(step.event, Count):
                yield _counted(table, before, step.event.seat, step.event.of, f"counted in row {step.n}")
                shown += 1
            if shown > state.seats:
                return

    def facts(self, table: Table, state: Any) -> Iterable[tuple[str, str]]:
        """Target, dealer, what each side has."""
        yield "Game to", str(state.options.target)
        if state.dealer is not None:
            yield "Dealer", table.session.names[state.dealer]
        if state.starter is not None and not state.is_played:
            yield "Count", f"{state.total} of 37"


def _counted(table: Table, state: Any, seat: Seat, of: str, note: str) -> PanelCount:
    """A hand or the crib, which lie open by now, with the starter."""
    crib = of == "crib"
    cards = state.crib if crib else tuple(sorted(state.played[seat]))
    lines = combinations(cards, state.starter, crib=crib)
    name = table.session.names[seat]
    title = f"{'Crib' if crib else 'Hand'} of {name}: {written(cards)}, starter {written([state.starter])}"
    return PanelCount(title, lines, sum(line.points for line in lines), note)
