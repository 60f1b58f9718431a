"""The state of Solitaire: applies events to a position (SOL-1 to SOL-12)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from msgspec.structs import replace

from companion.core.contract import Violation
from companion.games.shared.cards.deck import COLOR, NUMBER, RANK, number_card
from companion.games.shared.cards.hands import Cards, changed
from companion.games.shared.ruled_state import RuledState
from companion.games.solitaire import observation, scoring
from companion.games.solitaire.moves import PILES, Concede, Home, Put, SolitaireEvent, Turn, TurnOver
from companion.games.solitaire.situation import UNKNOWN, Situation
from companion.games.solitaire.violations import place_of, violations_of


class SolitaireState(Situation, RuledState, frozen=True, dict=True, tag="solitaire", forbid_unknown_fields=True):
    """A position of Solitaire with its rules (the contract's `State`)."""

    violations = violations_of

    def _applied(self, event: SolitaireEvent) -> Self:
        return self._done(event) if event in self.moves else super()._applied(event)

    def _forced(self, move: SolitaireEvent, found: tuple[Violation, ...]) -> Self | None:
        """Returns the position after an illegal move that stands: a face-up card on any other pile, or one more pass.
        Moves to a foundation must be legal.
        """
        match move:
            case Put() if self.due is None and 0 <= move.pile < PILES and (card := number_card(move.card)) is not None:
                buried = self.foundations[COLOR[card]] > RANK[card]
                if place_of(self, card) is not None and card not in self.ups[move.pile] and not buried:
                    return self._done(move)
            case TurnOver() if self.due is None and self.waste and not self.stock:
                return self._done(move)
        return None

    def _done(self, event: SolitaireEvent) -> Self:
        match event:
            case Put():
                ups, moved, left = self._without(NUMBER[event.card])
                return replace(self, ups=changed(ups, event.pile, ups[event.pile] + moved), **left)
            case Home():
                ups, (card,), left = self._without(NUMBER[event.card])
                return replace(self, ups=ups, foundations=changed(self.foundations, COLOR[card], RANK[card]), **left)
            case Turn():
                return replace(self, turning=min(self.options.draw, len(self.stock)))._turned(())
            case TurnOver():
                return replace(self, stock=self.waste[::-1], waste=(), passes=self.passes + 1)
            case Concede():
                return replace(self, conceded=True)
        numbers = [NUMBER[piece] for piece in event.pieces]
        return self._turned(numbers) if self.turning else self._uncovered(numbers)

    def _without(self, card: int) -> tuple[tuple[Cards, ...], Cards, dict[str, Any]]:
        """Returns the piles without a card that leaves its place and the cards on it, these cards, and the other
        changed fields.
        """
        for pile, cards in enumerate(self.ups):
            if card in cards:
                place = cards.index(card)
                return changed(self.ups, pile, cards[:place]), cards[place:], {}
        if card in self.waste:
            return self.ups, (card,), {"waste": tuple([one for one in self.waste if one != card])}
        return self.ups, (card,), {"foundations": changed(self.foundations, COLOR[card], RANK[card] - 1)}

    def _turned(self, told: Iterable[int]) -> Self:
        """Returns the cards of the packet on the waste in the order of turning, as far as they are known."""
        stock, waste, left, coming = self.stock, self.waste, self.turning, iter(told)
        while left and (card := stock[-1] if stock[-1] != UNKNOWN else next(coming, UNKNOWN)) != UNKNOWN:
            stock, waste, left = stock[:-1], (*waste, card), left - 1
        return replace(self, stock=stock, waste=waste, turning=left)

    def _uncovered(self, told: Iterable[int]) -> Self:
        """Returns the position after cards were turned up: they lie open on their piles, in their order (SOL-4)."""
        ups, downs = self.ups, self.downs
        for pile, card in zip(self.uncovered, told, strict=False):
            ups, downs = changed(ups, pile, (card,)), changed(downs, pile, downs[pile] - 1)
        return replace(self, ups=ups, downs=downs)

    scores = scoring.scores
    outcome = scoring.outcome
    layout = observation.layout
