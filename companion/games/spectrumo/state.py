"""The state of Spectrumo: applies events to a position (UMO-1 to UMO-16)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, TypeVar

from msgspec.structs import replace

from companion.core.contract import Drawn, Score, Seat, Shown, Violation
from companion.core.pieces import Piece
from companion.games.shared.cards.deck import COLOR, NUMBER, NUMBER_CARDS, RANK, SWAPS
from companion.games.shared.cards.hands import changed
from companion.games.shared.ruled_state import RuledState
from companion.games.spectrumo import hands, observation, scoring
from companion.games.spectrumo.fitting import ANYTHING, SWAPPED, is_swap
from companion.games.spectrumo.moves import (
    DECK_SWAP,
    DRAW_CARDS,
    PASS_LEFT,
    PASS_RIGHT,
    REVERSE_DRAW,
    SWAP_CARDS,
    Draw,
    Give,
    Pass,
    Penalty,
    Play,
    SpectrumoEvent,
)
from companion.games.spectrumo.situation import ONE, UNKNOWN, Situation, Swapping
from companion.games.spectrumo.violations import violations_of

_S = TypeVar("_S", bound=Situation)


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Returns the cards without one of them."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def of_special(after: _S, card: int) -> _S:
    """Returns the position after the effect of one of the six specials that fit on anything; it already is the table
    card.
    """
    found: _S = _EFFECTS[card](after)
    return found


def _trading(state: _S) -> _S:
    """Returns the position in which cards are chosen for a trade (UMO-9)."""
    return replace(state, swapping=Swapping())


def _owing_next(state: _S) -> _S:
    """Returns the position in which the next player must draw half the rank of the last number card, rounded down
    (UMO-10).
    """
    seat = state.neighbor(state.turn, state.way)
    count = min(state.rank // 2, state.available)
    return replace(state, owed=changed(state.owed, seat, count)) if count else state


def _decks_swapped(state: _S) -> _S:
    """Returns the position after draw deck and discard deck change roles, both flipped; the Deck Swap card stays the
    table card (UMO-11).

    Players could derive the order of the new draw deck, but a table may also shuffle it, so its cards count as unknown.
    """
    below = state.discard[:-1]
    return replace(state, draw=len(below) + state.buried, buried=state.draw, discard=state.discard[-1:])


def _passed_on(state: _S, way: int) -> _S:
    """Returns the position after all hands move one seat; a player who got fewer cards than given away draws the
    difference (UMO-12).
    """
    hands, hidden, owed = list(state.hands), list(state.hidden), list(state.owed)
    left = state.available
    for seat in state.around(state.turn):
        source = state.neighbor(seat, -way)
        hands[seat], hidden[seat] = state.hands[source], state.hidden[source]
        owed[seat] = min(max(state.count(seat) - state.count(source), 0), left)
        left -= owed[seat]
    return replace(state, hands=tuple(hands), hidden=tuple(hidden), owed=tuple(owed))


_EFFECTS: Mapping[int, Callable[..., Any]] = {
    SWAP_CARDS: _trading,
    DRAW_CARDS: _owing_next,
    REVERSE_DRAW: lambda state: _owing_next(replace(state, way=-state.way)),
    DECK_SWAP: _decks_swapped,
    PASS_RIGHT: lambda state: _passed_on(state, -1),
    PASS_LEFT: lambda state: _passed_on(state, 1),
}
"""Number of a special to its effect."""


def laid_aside(state: _S, give: Give) -> _S:
    """Returns the position after one more card is laid aside for a trade (UMO-9)."""
    swapping = state.swapping
    assert swapping is not None
    if give.card is None:
        hidden = changed(state.hidden, give.seat, state.hidden[give.seat] - 1)
        return replace(state, hidden=hidden, swapping=replace(swapping, to=give.to, unknown=swapping.unknown + 1))
    card = NUMBER[give.card]
    hands = changed(state.hands, give.seat, without(state.hands[give.seat], card))
    given = tuple(sorted((*swapping.given, card)))
    return replace(state, hands=hands, swapping=replace(swapping, to=give.to, given=given))


def drawn_blind(state: _S, cards: Sequence[int]) -> _S:
    """Returns the position after cards of the other hand come over; after the last one the cards laid aside go there
    (UMO-9).

    If a card is not shown to the referee although it knew that hand, it does not know the rest of it any more either.
    """
    swapping = state.swapping
    assert swapping is not None and swapping.to is not None
    me, other = state.turn, swapping.to
    mine, my_hidden = list(state.hands[me]), state.hidden[me]
    theirs, their_hidden = list(state.hands[other]), state.hidden[other]
    for card in cards:
        if card in theirs:
            theirs.remove(card)
            mine.append(card)
            continue
        if card == UNKNOWN:
            theirs, their_hidden = [], their_hidden + len(theirs)
            my_hidden += 1
        else:
            mine.append(card)
        their_hidden -= 1
    due = swapping.due - len(cards)
    if not due:
        theirs += swapping.given
        their_hidden += swapping.unknown
    hands = changed(changed(state.hands, me, tuple(sorted(mine))), other, tuple(sorted(theirs)))
    hidden = changed(changed(state.hidden, me, my_hidden), other, their_hidden)
    return replace(state, hands=hands, hidden=hidden, swapping=replace(swapping, due=due) if due else None)


_STANDS = {"UMO-2", "UMO-4", "UMO-7", "UMO-13"}
"""The rules whose violation the table can accept: the event can still be carried out."""
PENALTY = 2
"""The number of cards that an illegal play costs (UMO-5)."""


class SpectrumoState(Situation, RuledState, frozen=True, dict=True, tag="spectrumo", forbid_unknown_fields=True):
    """A position of Spectrumo with its rules (the contract's `State`)."""

    violations = violations_of

    def _applied(self, event: SpectrumoEvent) -> Self:
        if type(event) is Drawn:
            due, pieces = self.due, event.pieces
            if due is not None and due.seat == event.seat and len(pieces) == 1 and self._is_plain_draw(pieces[0]):
                return self._drawn_from_deck(event.seat, (NUMBER[pieces[0]],))
        elif event in self.moves:
            return self._done(event)
        return super()._applied(event)

    def _is_plain_draw(self, piece: Piece | None) -> bool:
        """True if one known card comes from the draw deck in play, which is the usual draw."""
        if self.stage != "play" or self.swapping is not None or not self.draw:
            return False
        card = NUMBER.get(piece)
        return card is not None and self.holds_unknown(card)

    def _forced(self, move: SpectrumoEvent, found: tuple[Violation, ...]) -> Self | None:
        """Returns the position after an illegal move that the table accepts: a card that does not fit, or a needless
        draw.

        None if the move is impossible: it is out of turn, the card is not there, or a swap card would have no next
        card.
        """
        due = self.stage != "play" or self.due is not None or self.swapping is not None
        if not due and isinstance(move, Play | Draw) and move.seat == self.turn:
            rules = {breach.rule for breach in found}
            if isinstance(move, Draw):
                if self.available:
                    return self._done(move)
            elif rules <= _STANDS and self._can_lie(NUMBER.get(move.card)):
                return self._done(move)
        return None

    def _can_lie(self, card: int | None) -> bool:
        """True if a card, fitting or not, comes from the hand on turn and means something on the table card."""
        if card is None:
            return False
        here = card in self.hands[self.turn] or (self.hidden[self.turn] > 0 and self.holds_unknown(card))
        return here and (not is_swap(card) or self.color in SWAPS[card - NUMBER_CARDS])

    def _done(self, event: SpectrumoEvent) -> Self:
        match event:
            case Play():
                return self._played(NUMBER[event.card])
            case Draw():
                return self._kept(replace(self, owed=changed(self.owed, event.seat, 1), seeking=True))
            case Drawn():
                return self._drawn(event)
            case Shown():
                return self._shown(event)
            case Pass():
                return self._passed()
            case Penalty():
                return self._penalized(event.seat)
            case Give():
                return laid_aside(self, event)
        swapping = self.swapping
        assert swapping is not None
        return replace(self, swapping=replace(swapping, due=len(swapping.given) + swapping.unknown))

    def _kept(self, after: Self) -> Self:
        """Returns the position after an event that moves no card, with the cached unseen cards."""
        if "pool" in self.__dict__:
            after.__dict__["pool"] = self.pool
        return after

    def _played(self, card: int) -> Self:
        """Returns the position after a card, legal or not: a special takes effect, a number card ends the turn."""
        seat = self.turn
        all_hands, hidden, pool = self.hands, self.hidden, self.pool
        if card in all_hands[seat]:
            all_hands = changed(all_hands, seat, without(all_hands[seat], card))
        else:
            hidden = changed(hidden, seat, hidden[seat] - 1)
            pool -= ONE[card]
        number = card < NUMBER_CARDS
        if number:
            color, rank = COLOR[card], RANK[card]
        else:
            color = SWAPPED[card - NUMBER_CARDS][self.color] if is_swap(card) else ANYTHING
            rank = self.rank
        after = type(self)(
            self.options,
            self.stage,
            all_hands,
            hidden,
            self.draw,
            (*self.discard, card),
            self.buried,
            self.first,
            self.neighbor(seat, self.way) if number else seat,
            self.way,
            color,
            rank,
            0 if number else self.specials + 1,
            None,
            self.owed,
            False,
            None,
            0,
            self.dropped,
            self.over,
            self.brought,
        )
        known = after.__dict__
        known["pool"] = pool
        if not all_hands[seat] and not hidden[seat]:
            return after._hand_over()
        if number or is_swap(card):
            known["due"] = known["ending"] = None
            return after
        return of_special(after, card)

    def _hand_over(self) -> Self:
        """Returns the position after a player went out, or no action is possible: unseen cards are named, then the hand
        is counted.
        """
        after = replace(self, stage="count", owed=(0,) * self.seats, swapping=None)
        return after if any(self.hidden) else hands.counted(after)

    def _passed(self) -> Self:
        """Returns the position after a passed turn; once all passed in a row, no card can move any more (UMO-15)."""
        passes = self.passes + 1
        after = replace(
            self, turn=self.neighbor(self.turn, self.way), specials=0, drawn=None, passes=passes, seeking=False
        )
        return after._hand_over() if passes >= self.dropped.count(0) else after

    def _penalized(self, seat: Seat) -> Self:
        """Returns the position after an illegal card went back: the seat must draw two cards, and the turn is over
        (UMO-5).
        """
        owed = changed(self.owed, seat, min(PENALTY, self.available))
        turn = self.neighbor(seat, self.way)
        return replace(self, owed=owed, turn=turn, specials=0, drawn=None, passes=0, foul=False)

    def _drawn(self, drawn: Drawn) -> Self:
        """Returns the position after cards come to a hand from the deck or another hand, or one is turned up."""
        if self.stage == "count":
            return self._shown(Shown(drawn.seat, tuple(piece for piece in drawn.pieces if piece is not None)))
        if self.stage == "turn-up":
            return hands.turned_up(self, NUMBER[drawn.pieces[0]])
        cards = [UNKNOWN if piece is None else NUMBER[piece] for piece in drawn.pieces]
        if self.trading is not None:
            return drawn_blind(self, cards)
        if self.stage == "deal":
            return hands.dealt(self, drawn.seat, cards)
        return self._drawn_from_deck(drawn.seat, cards)

    def _drawn_from_deck(self, seat: Seat, cards: Sequence[int]) -> Self:
        draw, discard, buried, pool = self.draw, self.discard, self.buried, self.pool
        if len(cards) > draw:
            draw += buried + len(discard) - 1
            for card in discard[:-1]:
                pool += ONE[card]
            discard, buried = discard[-1:], 0
        hand, unknown = list(self.hands[seat]), 0
        for card in cards:
            if card == UNKNOWN:
                unknown += 1
            else:
                hand.append(card)
                pool -= ONE[card]
        hand.sort()
        draw -= len(cards)
        left = draw + buried + len(discard) - 1
        seeking = self.seeking and seat == self.turn
        owed = changed(self.owed, seat, self.owed[seat] - len(cards)) if left else (0,) * self.seats
        after = replace(
            self,
            hands=changed(self.hands, seat, tuple(hand)),
            hidden=changed(self.hidden, seat, self.hidden[seat] + unknown) if unknown else self.hidden,
            draw=draw,
            discard=discard,
            buried=buried,
            drawn=cards[-1] if seeking else self.drawn,
            owed=owed,
            seeking=False if seeking else self.seeking,
        )
        after.__dict__["pool"] = pool
        if seeking:
            after.__dict__["due"] = None
        return after

    def _shown(self, shown: Shown) -> Self:
        """Returns the position after hidden cards of a hand become known; after the end of a hand it may then be
        counted.
        """
        seat = shown.seat
        cards = [NUMBER[piece] for piece in shown.pieces]
        after = replace(
            self,
            hands=changed(self.hands, seat, tuple(sorted((*self.hands[seat], *cards)))),
            hidden=changed(self.hidden, seat, self.hidden[seat] - len(cards)),
        )
        return hands.counted(after) if self.stage == "count" and not any(after.hidden) else after

    def scores(self) -> tuple[Score, ...]:
        """Returns the score of each seat, one line for each hand; the lowest total is best (UMO-16)."""
        return scoring.scores(self.over, self.brought, self.seats)

    layout = observation.layout
