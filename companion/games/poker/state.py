"""One position of Poker and what changes it (POK-1 to POK-4)."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Self

from msgspec.structs import replace

from companion.core.contract import Drawn, Over, Seat, Shown, ToDraw, Violation
from companion.core.layout import Spot
from companion.games.poker import observation, scoring
from companion.games.poker.categories import BY_TITLE, CONTAINED, MEANINGS, Category
from companion.games.poker.moves import Exchange, Fold, Move, PokerEvent, TurnUp
from companion.games.poker.observation import SHARED_SPOT
from companion.games.poker.odds import HAND
from companion.games.poker.situation import Showdown, Situation
from companion.games.poker.strength import met
from companion.games.shared.cards.card_game import breaches_of_cards_laid, breaches_of_draw, breaches_of_shown
from companion.games.shared.cards.deck import NUMBER, written
from companion.games.shared.cards.hands import Hands, changed, count_phrase, hand_spot, numbers_in
from companion.games.shared.ruled_state import RuledState
from companion.games.shared.search.bit_sets import mask_of

# The reasons why an event is not allowed: the rule's number, what the table shows, and what to do.
#
# Each function lists every broken rule, the most telling first. Unknown cards are never evidence against a player.

_ADVICE = ("Unknown cards are exchanged as ??, or shown to the referee before.", "Exchange cards of the own hand.")


def violations_of(situation: Situation, event: PokerEvent) -> tuple[Violation, ...]:
    """The rules that an event breaks; empty if and only if it may happen now."""
    due = situation.due
    if isinstance(due, Over):
        return (Violation("POK-2", "The hand is over. Begin another one to play on."),)
    match event:
        case Drawn():
            return _of_drawn(situation, event)
        case Shown():
            return breaches_of_shown(situation.hands, event, "POK-1", "POK-1")
        case TurnUp():
            return _standing(situation, event.seat) or _of_turn_up(situation, event)
        case Exchange():
            return _standing(situation, event.seat) or _of_exchange(situation, event)
        case Fold():
            return _standing(situation, event.seat)
    return (
        Violation("POK-1", f"{type(event).__name__} is no event of Poker: cards are exchanged, turned up or folded."),
    )


def _standing(situation: Situation, seat: Seat) -> tuple[Violation, ...]:
    """The reasons why this seat cannot act now."""
    due = situation.due
    if isinstance(due, ToDraw):
        what = "The hand that was turned up is still to be read" if due.source == "hand" else "Cards are still to come"
        text = f"{what}: {count_phrase(due.count)} for player {due.seat + 1}. Do that first."
        return (Violation("POK-1", text, _where(due)),)
    if seat != situation.turn:
        text = (
            f"It is player {situation.turn + 1}'s turn; exchanges and the showdown go clockwise from the dealer's left."
            f" Player {seat + 1} waits."
        )
        return (Violation("POK-4", text),)
    return ()


def _of_turn_up(situation: Situation, move: TurnUp) -> tuple[Violation, ...]:
    here = (hand_spot(move.seat),)
    if situation.exchanges:
        text = f"Player {move.seat + 1} may exchange cards first; hands are turned up when all have. Exchange, or fold."
        return (Violation("POK-1", text, here),)
    if move.called is None:
        return ()
    called = BY_TITLE.get(move.called)
    if called is None:
        text = f'"{move.called}" is no category. There are: {", ".join(BY_TITLE)}.'
        return (Violation("POK-1", text, here),)
    if not situation.is_known(move.seat):
        text = "The referee does not know this hand, so nothing can be called yet. Turn it up without a call."
        return (Violation("POK-2", text, here),)
    found = situation.strength(move.seat)
    if called is found.category:
        return ()
    counts = f"counts as {found.category.title}: {written(found.cards)}"
    cards = (*situation.hands.known[move.seat], *situation.shared)
    if any(_has(met(five), called) for five in combinations(cards, HAND)):
        text = (
            f"The hand has {called.title}, but {counts}, which is higher in the {situation.options.ranking} order. Call"
            f" {found.category.title}."
        )
        return (Violation("POK-2", text, here),)
    text = (
        f"The hand is not {called.title}, which is {MEANINGS[called]}. The hand {counts}. Call {found.category.title}."
    )
    return (Violation("POK-1", text, here),)


def _has(mask: int, called: Category) -> bool:
    """True if five cards meet a category, or one that contains it."""
    return bool(mask & called.bit) or any(mask & more.bit and called in CONTAINED[more] for more in CONTAINED)


def _of_exchange(situation: Situation, move: Exchange) -> tuple[Violation, ...]:
    here = (hand_spot(move.seat),)
    if not situation.exchanges:
        text = "No exchange is due: the table has agreed on so many, and all are made. Turn the hand up, or fold."
        return (Violation("POK-1", text, here),)
    return breaches_of_cards_laid(situation.hands, move.seat, move.cards, "POK-1", here, _ADVICE)


def _of_drawn(situation: Situation, drawn: Drawn) -> tuple[Violation, ...]:
    due = situation.due
    if not isinstance(due, ToDraw):
        text = f"No card is due; it is player {situation.turn + 1}'s turn. Say what the player does."
        return (Violation("POK-1", text),)
    return breaches_of_draw(situation.hands, drawn, due, "POK-1", _where(due))


def _where(due: ToDraw) -> tuple[Spot, ...]:
    return (SHARED_SPOT,) if due.source == "deck, open" else (hand_spot(due.seat),)


# The expected reading of a position, and the event that explains a change.
#
# Hands are private: a camera sees the open cards, and a hand when it is turned up.


class PokerState(Situation, RuledState, frozen=True, dict=True, tag="poker", forbid_unknown_fields=True):
    """One position of Poker (the contract's `State`)."""

    violations = violations_of

    def _applied(self, event: PokerEvent) -> Self:
        if isinstance(event, Drawn) and (hands := self.hands.dealt(event, self.due)) is not None:
            return self._taken_up(event.seat, hands, len(event.pieces))
        moves = self.moves
        if type(moves) is Showdown and (event is moves[0] or event is moves[1] or event is moves.last_called):
            return self._done(event)
        return super()._applied(event)

    def _done(self, event: PokerEvent) -> Self:
        match event:
            case TurnUp():
                return self._passed_on(event.seat, self.folded, self.shown | 1 << event.seat)
            case Fold():
                return self._passed_on(event.seat, self.folded | 1 << event.seat, self.shown)
            case Exchange():
                return self._exchanged(event)
            case Shown():
                numbers = [NUMBER[piece] for piece in event.pieces]
                return replace(self, hands=self.hands.shown(event.seat, numbers))
        return self._drawn(event)

    def _forced(self, move: PokerEvent, found: tuple[Violation, ...]) -> Self | None:
        """The position after an illegal move that the whole table lets stand: a hand that was called wrongly counts
        as what it is.

        None if it cannot be carried out: a card that is not there, or it is not the time for such a move.
        """
        if isinstance(move, Move) and not self.to_deal and not self.owed and 0 <= move.seat < self.seats:
            waiting = self.is_in(move.seat) and not self.shown >> move.seat & 1
            match move:
                case Fold() if waiting:
                    return self._done(move)
                case TurnUp() if waiting and not self.exchanges and not isinstance(self.due, ToDraw):
                    return self._done(move)
        return None

    def _passed_on(self, seat: Seat, folded: int, shown: int) -> Self:
        """The next seat in the hand is on turn; after the last one the next round of exchanges, or the showdown."""
        exchanges, turn = self._next(seat, folded | shown)
        return replace(self, folded=folded, shown=shown, exchanges=exchanges, turn=turn)

    def _next(self, seat: Seat, out: int) -> tuple[int, Seat]:
        """Rounds of exchanges that are left, and whose turn it is after a seat; `out` has folded or shown."""
        seats = len(self.given)
        after = (seat - self.dealer - 1) % seats + 1
        for place in range(after, seats):
            other = (self.dealer + 1 + place) % seats
            if not out >> other & 1:
                return self.exchanges, other
        for place in range(after):
            other = (self.dealer + 1 + place) % seats
            if not out >> other & 1:
                return max(self.exchanges - 1, 0), other
        return 0, seat

    def _exchanged(self, move: Exchange) -> Self:
        seat = move.seat
        numbers = [NUMBER[card] for card in move.cards if card is not None]
        unknown = len(move.cards) - len(numbers)
        rest = tuple([card for card in self.hands.known[seat] if card not in numbers])
        hidden = changed(self.hands.hidden, seat, self.hands.hidden[seat] - unknown)
        after = replace(
            self,
            hands=Hands(changed(self.hands.known, seat, rest), hidden, self.hands.pool),
            given=changed(self.given, seat, self.given[seat] | mask_of(numbers)),
            given_hidden=changed(self.given_hidden, seat, self.given_hidden[seat] + unknown),
            owed=len(move.cards),
        )
        return after if move.cards else after._passed_on(seat, self.folded, self.shown)

    def _drawn(self, drawn: Drawn) -> Self:
        numbers = numbers_in(drawn.pieces)
        named = [number for number in numbers if number is not None]
        due = self.due
        assert isinstance(due, ToDraw)
        if due.source == "hand":
            return replace(self, hands=self.hands.shown(drawn.seat, named))
        if due.shown:
            hands = replace(self.hands, pool=self.hands.pool & ~mask_of(named))
            shared = tuple(sorted((*self.shared, *named)))
            return replace(self, hands=hands, shared=shared, to_share=self.to_share - len(named))
        return self._taken_up(drawn.seat, self.hands.drawn(drawn.seat, numbers), len(numbers))

    def _taken_up(self, seat: Seat, hands: Hands, count: int) -> Self:
        """So many cards have come from the deck, for the deal or an exchange."""
        if self.to_deal:
            return replace(self, hands=hands, to_deal=self.to_deal - count)
        after = replace(self, hands=hands, owed=self.owed - count)
        return after if after.owed else after._passed_on(seat, self.folded, self.shown)

    scores = scoring.scores
    outcome = scoring.outcome
    layout = observation.layout


def start(seats: int, options: Any, dealer: Seat = -1) -> PokerState:
    """The position before the first card of a hand; at first the last seat deals (POK-1)."""
    nothing = (0,) * seats
    return PokerState(
        options,
        Hands.empty(seats),
        (),
        nothing,
        nothing,
        dealer % seats,
        (dealer + 1) % seats,
        to_deal=options.cards * seats,
        to_share=options.shared,
        exchanges=options.exchanges,
    )
