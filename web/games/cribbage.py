"""The page of Cribbage: its presenter, and the advice beside its board.

Places: "starter", "crib", "count" (the cards of the running count), "seat0.played", "seat0.cut".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.core.contract import Event, Seat, ToDraw, ToMove, seats_to_move
from companion.core.layout import Spot
from companion.games.cribbage.counting import combinations
from companion.games.cribbage.game import CRIBBAGE
from companion.games.cribbage.moves import Count, LayAway, Play
from companion.games.shared.cards.deck import CODES, NUMBER, written
from companion.referee.table.table import Table
from web.boards.parts.card_presenter import CardPresenter, cards_of
from web.scene.boards.card_table import CardPlace, card_count
from web.telling.parts.card_panel import Act, CardAdviser, PanelCount, PanelField, PanelPick, player


class CribbagePresenter(CardPresenter):
    """The starter, the crib and the count, above the cards that each player has played."""

    game = CRIBBAGE
    example = "player 1 lays away R3, B7, GB9; player 1 plays R9; player 1 says go; player 1 counts hand 14"

    def bands(self, state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
        """Returns the cut for the deal; later the starter, the crib, the count, and the played cards by seat."""
        if state.cut:
            return [_cut(state, names)]
        due = state.expects()
        movers = seats_to_move(due)
        dealer = state.dealer
        starter = cards_of([] if state.starter is None else [state.starter])
        crib = _crib(state, names[dealer] if dealer is not None else "")
        top = [CardPlace("starter", "Starter", starter, span=2, empty="not turned up"), crib]
        if not state.is_played:
            count, note = cards_of(state.count), f"{state.total} of 37"
            top.append(CardPlace("count", "Count", count, note=note, span=6, size="small", empty="no card yet"))
        return [top, *([_played(state, seat, names, seat in movers)] for seat in range(state.seats))]

    def trace(self, event: Event) -> Spot | None:
        """Returns the spot of a played card, or the crib for cards that were laid away."""
        if isinstance(event, Play):
            return f"seat{event.seat}.played.{CODES[NUMBER[event.card]]}"
        if isinstance(event, LayAway):
            return "crib"
        return "crib" if isinstance(event, Count) and event.of == "crib" else None

    def sentence(self, event: Event) -> str:
        """Returns the action of a player in the words of the notation; hidden cards are only counted."""
        if isinstance(event, LayAway) and None in event.cards:
            known = [card for card in event.cards if card is not None]
            if not known:
                return f"lays away {card_count(len(event.cards))}"
        return super().sentence(event)


def _cut(state: Any, names: Sequence[str]) -> list[CardPlace]:
    due = state.expects()
    return [
        CardPlace(
            f"seat{seat}.cut",
            names[seat],
            cards_of([] if card < 0 else [card]),
            span=12 // state.seats,
            empty="has still to cut" if card == -1 else "does not deal",
            strong=isinstance(due, ToDraw) and due.seat == seat,
        )
        for seat, card in enumerate(state.cut)
    ]


def _crib(state: Any, dealer: str) -> CardPlace:
    hidden = sum(state.laid_hidden)
    open_ = not hidden and state.is_crib_up
    count = len(state.crib) + hidden
    title = f"Crib of {dealer}" if dealer else "Crib"
    if open_ and count:
        return CardPlace("crib", title, cards_of(state.crib), span=10)
    cards = (None,) if count else ()
    return CardPlace("crib", title, cards, form="pile", count=count, span=4)


def _played(state: Any, seat: int, names: Sequence[str], to_move: bool) -> CardPlace:
    holds = state.hands.size(seat)
    note = f"holds {holds}" if holds else ""
    if state.gone >> seat & 1:
        note = ", ".join(filter(None, (note, "said Go")))
    title = f"{names[seat]}{' (deals)' if seat == state.dealer else ''}"
    played = cards_of(state.played[seat])
    return CardPlace(f"seat{seat}.played", title, played, note=note, strong=to_move, empty="nothing played")


_HAND = ("hand",)


class CribbageAdviser(CardAdviser):
    """Advice for Cribbage: the actions of each phase, and the combinations of the counted hands."""

    def acts(self, table: Table, state: Any, seat: Seat) -> Iterable[Act]:
        """Yields the actions: laying away; playing and saying Go; or counting."""
        who = player(seat)
        if state.starter is None:
            laid = state.sizes.laid
            pick = PanelPick(_HAND, laid, laid)
            words = f"Put {card_count(laid)} in the crib"
            yield Act("lay-away", seat, words, f"{who} lays away {{0}}", (pick,), main=True)
        elif not state.is_played:
            yield Act("play", seat, "Play it", f"{who} plays {{0}}", (PanelPick(_HAND),), main=True)
            yield Act("go", seat, "Say Go", f"{who} says go")
        else:
            of, worth = state.counting[1], sum(state.worth)
            yield Act("count", seat, f"Count the {of}: {worth}", f"{who} counts {of} {worth}", main=True)
            points = PanelField("points", f"Points of the {of}", "number")
            yield Act("count-own", seat, "Count it myself", f"{who} counts {of} {{points}}", fields=(points,))

    def help(self, table: Table, state: Any) -> str:
        """Returns a sentence on which cards to tap in this phase."""
        if not isinstance(state.expects(), ToMove):
            return ""
        if state.starter is None:
            return f"Tap {card_count(state.sizes.laid)} in your hand for the crib."
        if state.is_played:
            return "All cards are played. Hands are counted in turn, the dealer's last, then the crib."
        return f"The count is {state.total}. Tap a card in your hand to play it, or say Go if none fits below 38."

    def counts(self, table: Table, state: Any) -> Iterable[PanelCount]:
        """Yields the hand or crib that is counted next, and those that were counted last, newest first."""
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
        """Yields the target, the dealer, and the points of each side."""
        yield "Game to", str(state.options.target)
        if state.dealer is not None:
            yield "Dealer", table.session.names[state.dealer]
        if state.starter is not None and not state.is_played:
            yield "Count", f"{state.total} of 37"


def _counted(table: Table, state: Any, seat: Seat, of: str, note: str) -> PanelCount:
    """Returns the combinations of a hand or the crib, which are face up by now, with the starter."""
    crib = of == "crib"
    cards = state.crib if crib else tuple(sorted(state.played[seat]))
    lines = combinations(cards, state.starter, crib=crib)
    name = table.session.names[seat]
    title = f"{'Crib' if crib else 'Hand'} of {name}: {written(cards)}, starter {written([state.starter])}"
    return PanelCount(title, lines, sum(line.points for line in lines), note)
