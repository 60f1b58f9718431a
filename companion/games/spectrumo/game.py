"""The game object of Spectrumo, which the command line, the page and the journal use."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.capabilities import ChanceEvents, Heuristics, Horizon, Penalties, Proposer, Unseen
from companion.core.contract import Cost, Drawn, Event, Seat, ToDraw, Violation
from companion.core.foundation.errors import BadOptions
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.shared.cards import dealing, deck_events
from companion.games.shared.cards.card_game import card_game
from companion.games.shared.cards.dealing import Shuffle, in_order, shuffled
from companion.games.shared.cards.deck import NUMBER, NUMBER_CARDS, PIECES
from companion.games.shared.cards.deck_events import card_word, card_words
from companion.games.spectrumo import hidden, observation, position, violations
from companion.games.spectrumo import moves as notation
from companion.games.spectrumo.moves import DECK_SWAP, Draw, Give, Pass, Penalty, Play, SpectrumoEvent, Trade
from companion.games.spectrumo.options import Options as SpectrumoOptions
from companion.games.spectrumo.scoring import points_of
from companion.games.spectrumo.situation import Situation
from companion.games.spectrumo.state import PENALTY, SpectrumoState

_UNKNOWN = 8.4
"""The mean cost of a card of the deck: 936 ranks and 24 specials of 20 points, over 168 cards."""
_TURN = 3.0
"""The cost of a card besides its points: the turn needed to play it."""
_SURE = 0.7
"""The assumed probability that cards in hands must be paid for."""


def prospects(state: Situation, seat: Seat) -> float:
    """Returns the cost of the cheapest other hand minus the cost of the seat's own hand."""
    if state.stage not in ("play", "count"):
        return 0.0
    costs = [_cost(state, one) for one in range(state.seats) if one != seat and state.is_in(one)]
    return _SURE * (min(costs) - _cost(state, seat)) if costs else 0.0


def _cost(state: Situation, seat: Seat) -> float:
    unknown = state.hidden[seat] + state.owed[seat]
    return points_of(state.hands[seat]) + _UNKNOWN * unknown + _TURN * (len(state.hands[seat]) + unknown)


def words(state: SpectrumoState, event: Event) -> dict[str, Any] | None:
    """Returns the event in the words of a recording; None for drawn cards, which belong to the event before.

    Args:
        state: The position before the event.
    """
    match event:
        case Play() | Give() | Pass() | Trade():
            return {"type": type(event).__name__.lower(), **card_words(event)}
        case Draw():
            return {"player": event.seat, "type": "draw", "drew": min(1, state.available)}
        case Penalty():
            found = {"player": event.seat, "type": "penalty", "drew": min(PENALTY, state.available)}
            return found if event.card is None else {**found, "card": card_word(event.card)}
    return None


# Deals Spectrumo by software, which knows the order of both decks, unlike the state.
#
# The order comes from `companion.games.shared.cards.dealing`, so its seed can be committed to before the game and
# revealed after it. The two decks are kept as they would lie on a table, through Deck Swap and shuffled discards
# (UMO-1, UMO-11, UMO-15).


class SpectrumoDeal(Struct, frozen=True):
    """Both decks, which are secret; the last card of each is on top."""

    seed: bytes
    shuffles: tuple[Shuffle, ...] = ()
    """All shuffles so far, for `dealing.check`."""
    draw: tuple[int, ...] = ()
    discard: tuple[int, ...] = ()

    @property
    def commitment(self) -> str:
        """The commitment to the seed, which is shown before the deal."""
        return dealing.commitment(self.seed)

    def follow(self, state: SpectrumoState, event: Event) -> SpectrumoDeal:
        """Returns the decks after a card was played in `state`; other events do not change them."""
        if not isinstance(event, Play):
            return self
        card = NUMBER[event.card]
        if card == DECK_SWAP:
            return replace(self, draw=self.discard[::-1], discard=(*self.draw[::-1], card))
        return replace(self, discard=(*self.discard, card))

    def serve(self, state: SpectrumoState, unseen: Unseen) -> tuple[tuple[Drawn, ...], SpectrumoDeal]:
        """Returns the pending draws of a position whose hands are all known, and the decks after them."""
        deal = self
        events = []
        while isinstance(due := state.expects(), ToDraw):
            if state.trading is not None and state.trading.to is not None:
                cards, deal = deal._blind(state.hands[state.trading.to], due.count)
            else:
                if state.stage == "deal" and not any(map(len, state.hands)):
                    deal = deal._shuffled_deck(in_order(unseen(state)))
                cards, deal = deal._taken(due.count)
            events.append(Drawn(due.seat, tuple(PIECES[card] for card in cards)))
            before, state = state, state.apply(events[-1])
            if before.stage == "deal" and state.stage == "turn-up":
                deal = replace(deal, draw=deal.draw[state.buried :], discard=deal.draw[: state.buried][::-1])
            elif before.stage == "turn-up":
                under = cards[0] >= NUMBER_CARDS
                deal = replace(deal, discard=(*cards, *deal.discard) if under else (*deal.discard, *cards))
        return tuple(events), deal

    def _shuffle(self, cards: tuple[int, ...]) -> Shuffle:
        number = len(self.shuffles)
        return Shuffle(number, cards, shuffled(self.seed, cards, number))

    def _shuffled_deck(self, cards: tuple[int, ...]) -> SpectrumoDeal:
        """Returns the deal with a new draw deck of these cards, shuffled; the first one in order is drawn first."""
        shuffle = self._shuffle(cards)
        return replace(self, shuffles=(*self.shuffles, shuffle), draw=shuffle.order[::-1], discard=())

    def _taken(self, count: int) -> tuple[tuple[int, ...], SpectrumoDeal]:
        """Returns cards from the top of the draw deck; if it is too small, the discards below the table card are
        shuffled in.
        """
        taken = self.draw[len(self.draw) - count :][::-1] if count <= len(self.draw) else self.draw[::-1]
        deal = replace(self, draw=self.draw[: len(self.draw) - len(taken)])
        if len(taken) == count:
            return taken, deal
        anew = deal._shuffled_deck(tuple(sorted(deal.discard[:-1])))
        more, after = replace(anew, discard=deal.discard[-1:])._taken(count - len(taken))
        return (*taken, *more), after

    def _blind(self, hand: tuple[int, ...], count: int) -> tuple[tuple[int, ...], SpectrumoDeal]:
        """Returns cards of another hand, drawn blind for a trade."""
        shuffle = self._shuffle(hand)
        return shuffle.order[:count], replace(self, shuffles=(*self.shuffles, shuffle))


def _fit(seats: int, options: SpectrumoOptions) -> None:
    if options.first > seats:
        raise BadOptions(f"Player {options.first} cannot start: {seats} play. Choose 1 to {seats} (UMO-1).")


def _after_refusal(state: SpectrumoState, event: SpectrumoEvent) -> SpectrumoState:
    """Returns the position after a refused event: an illegal play costs a penalty (UMO-5; an addition to the
    contract).
    """
    if not state.foul and violations.is_foul(state, event):
        return state._kept(replace(state, foul=True))
    return state


def _cost_of(state: SpectrumoState, event: SpectrumoEvent) -> Cost | None:
    """Returns the cost of an illegal play at a live table; None if it costs nothing, such as a misnamed card."""
    if not isinstance(event, Play) or state.foul or not violations.is_foul(state, event):
        return None
    count = min(PENALTY, state.available)
    text = (
        f"The card goes back, player {event.seat + 1} draws {count or 'nothing, since no card is left'}, and the"
        " turn is over. If the play was only mistyped, undo it."
    )
    return Cost(Penalty(event.seat, event.card), Violation("UMO-5", text))


SPECTRUMO: Game[SpectrumoState] = card_game(
    GameInfo(
        "spectrumo",
        "Spectrumo",
        rules=2,
        seats=range(2, 9),
        seats_rule="UMO-1",
        Options=SpectrumoOptions,
        lead="fewest",
    ),
    Positions(SpectrumoState, position.start, position.read, position.check, fit=_fit),
    EventCodec(SpectrumoEvent, notation.text_of, notation.parse, words, plain=deck_events.plain),
    hidden,
    Capabilities(
        chance=ChanceEvents(hidden.outcomes, hidden.sample),
        dealer=SpectrumoDeal,
        proposer=Proposer(infer_event=observation.infer_event, visit=observation.visit),
        penalties=Penalties(after_refusal=_after_refusal, cost=_cost_of),
        heuristics=Heuristics(prospects=prospects, horizon=Horizon(4, sure=3.0)),
    ),
)
"""The game object of Spectrumo."""
