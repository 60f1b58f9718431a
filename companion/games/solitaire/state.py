"""One position of Solitaire and what changes it (SOL-1 to SOL-12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, TypeVar

from msgspec.structs import replace

from companion.contract import Breach, Score
from companion.games.deck import COLOR, NUMBER, RANK
from companion.games.ruled_state import RuledState
from companion.games.solitaire import breaches, scoring, sighted
from companion.games.solitaire.moves import PILES, Concede, Home, Put, SolitaireEvent, Turn, TurnOver
from companion.games.solitaire.situation import UNKNOWN, Situation

_T = TypeVar("_T")


class SolitaireState(Situation, RuledState, frozen=True, dict=True, tag="solitaire", forbid_unknown_fields=True):
    """One position of Solitaire (the contract's `State`)."""

    explain = breaches.explain

    def _applied(self, event: SolitaireEvent) -> Self:
        return self._done(event) if event in self.moves else super()._applied(event)

    def _forced(self, move: SolitaireEvent, found: tuple[Breach, ...]) -> Self | None:
        """The position after an illegal move that the whole table lets stand.

        None if it cannot be carried out: the card does not lie face up, or cards would lie out of order on a
            foundation.
        """
        if self.due is None:
            match move:
                case Put() if move.card in NUMBER and 0 <= move.pile < PILES:
                    number = NUMBER[move.card]
                    place = breaches.place_of(self, number)
                    buried = place is not None and place.startswith("foundation") and not self._tops_foundation(number)
                    if place not in (None, f"pile{move.pile + 1}") and not buried:
                        return self._put(number, move.pile)
                case Home() if move.card in NUMBER:
                    number = NUMBER[move.card]
                    if self.is_next_home(number) and self.is_top(number):
                        return self._home(number)
                case TurnOver() if self.waste and not self.stock:
                    return self._done(move)
        return None

    def _tops_foundation(self, card: int) -> bool:
        return self.foundations[COLOR[card]] == RANK[card]

    def _done(self, event: SolitaireEvent) -> Self:
        match event:
            case Put():
                return self._put(NUMBER[event.card], event.pile)
            case Home():
                return self._home(NUMBER[event.card])
            case Turn():
                return replace(self, turning=min(self.options.draw, len(self.stock)))._turned()
            case TurnOver():
                return replace(self, stock=self.waste[::-1], waste=(), passes=self.passes + 1)
            case Concede():
                return replace(self, conceded=True)
        return self._told(tuple([NUMBER[piece] for piece in event.pieces]))

    def _put(self, card: int, onto: int) -> Self:
        """The card, and in a pile what lies on it, goes on another pile."""
        ups, foundations, waste = self.ups, self.foundations, self.waste
        source = next((pile for pile, cards in enumerate(ups) if card in cards), None)
        moved: tuple[int, ...] = (card,)
        if source is not None:
            place = ups[source].index(card)
            moved, ups = ups[source][place:], _with(ups, source, ups[source][:place])
        elif card in waste:
            waste = tuple([one for one in waste if one != card])
        else:
            foundations = _with(foundations, COLOR[card], RANK[card] - 1)
        return replace(self, ups=_with(ups, onto, ups[onto] + moved), foundations=foundations, waste=waste)

    def _home(self, card: int) -> Self:
        """The card leaves the top of a pile or of the waste for its foundation."""
        foundations = _with(self.foundations, COLOR[card], RANK[card])
        if self.waste[-1:] == (card,):
            return replace(self, foundations=foundations, waste=self.waste[:-1])
        source = next(pile for pile, cards in enumerate(self.ups) if cards[-1:] == (card,))
        return replace(self, ups=_with(self.ups, source, self.ups[source][:-1]), foundations=foundations)

    def _turned(self) -> Self:
        """Cards of the packet that are known already lie on the waste at once."""
        stock, waste, turning = self.stock, self.waste, self.turning
        while turning and stock[-1] != UNKNOWN:
            waste += stock[-1:]
            stock = stock[:-1]
            turning -= 1
        return replace(self, stock=stock, waste=waste, turning=turning)

    def _told(self, cards: Sequence[int]) -> Self:
        """Cards that were turned up become known: of the packet in the order of turning, or of the piles in order."""
        if self.turning:
            after = self
            for card in cards:
                stock = (*after.stock[:-1], card)
                after = replace(after, stock=stock)._turned()
            return after
        ups, downs = list(self.ups), list(self.downs)
        for pile, card in zip(self.uncovered, cards, strict=False):
            ups[pile] = (card,)
            downs[pile] -= 1
        return replace(self, ups=tuple(ups), downs=tuple(downs))

    def scores(self) -> tuple[Score, ...]:
        """The score as it would be counted now, line by line (SOL-10, SOL-11)."""
        return (scoring.score(self.lines),)

    layout = sighted.layout


def _with(values: tuple[_T, ...], place: int, value: _T) -> tuple[_T, ...]:
    return (*values[:place], value, *values[place + 1 :])
