"""The game object of Spectrumo, its first position, and positions read from their written form (docs/records.md)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core.capabilities import ChanceEvents, Heuristics, Horizon, Penalties, Proposer, Unseen
from companion.core.contract import Cost, Drawn, Event, Seat, ToDraw, Violation
from companion.core.foundation.errors import BadOptions, BadRecord
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.shared.cards import dealing, deck_events
from companion.games.shared.cards.card_game import card_game
from companion.games.shared.cards.dealing import Shuffle, in_order, shuffled
from companion.games.shared.cards.deck import (
    CARDS_IN_ALL,
    CODES,
    COLOR,
    COLORS,
    COPIES,
    KINDS,
    NUMBER,
    NUMBER_CARDS,
    PIECES,
    RANK,
    RANKS,
)
from companion.games.shared.cards.deck_events import card_word, card_words
from companion.games.shared.forms.position_form import CardsForm, cards_in, reader
from companion.games.spectrumo import hidden, observation, violations
from companion.games.spectrumo import moves as notation
from companion.games.spectrumo.fitting import ANYTHING
from companion.games.spectrumo.hands import before_a_deal
from companion.games.spectrumo.moves import DECK_SWAP, Draw, Give, Pass, Penalty, Play, SpectrumoEvent, Trade
from companion.games.spectrumo.options import Options
from companion.games.spectrumo.options import Options as SpectrumoOptions
from companion.games.spectrumo.scoring import points_of
from companion.games.spectrumo.situation import HAND, UNKNOWN, Situation
from companion.games.spectrumo.state import PENALTY, SpectrumoState

_Count = Annotated[int, Meta(ge=0, le=CARDS_IN_ALL)]


def start(seats: int, options: Options) -> SpectrumoState:
    """Returns the position before the first deal (UMO-1)."""
    return SpectrumoState(options, **before_a_deal(seats, options.first - 1), dropped=(0,) * seats)


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in its written form."""

    hands: tuple[CardsForm | None, ...] = ()
    """For each seat, the cards, "??" for an unknown one; null is a hand of twelve unknown cards."""
    table: str = ""
    """The card that was played last; with `as` it stands for another one."""
    virtual: str | None = None
    """The number card that the table card counts as, after a color swap; or the last number card below a special."""
    discard: CardsForm = ()
    """The cards below the table card that were public, the lowest first."""
    draw: _Count | None = None
    buried: _Count = 0
    first: Seat | None = None
    turn: Seat = 0
    way: Literal[1, -1] = 1
    specials: _Count = 0
    drawn: str | None = None
    scores: tuple[int, ...] = ()


def _state(seats: int, options: Options, form: PositionForm) -> SpectrumoState:
    fresh = start(seats, options)
    for name, values in (("hands", form.hands), ("scores", form.scores)):
        if values and len(values) != seats:
            raise BadRecord(f"The position has {len(values)} {name} for {seats} players.")
    first = fresh.first if form.first is None else form.first
    dropped = tuple(int(options.elimination and points > options.limit) for points in form.scores) or fresh.dropped
    begun = msgspec.structs.replace(
        fresh, first=first, turn=first, brought=form.scores if any(form.scores) else (), dropped=dropped
    )
    if not form.hands and not form.table:
        return begun
    hands, hidden = _hands(form, seats)
    color, rank, discard = _table(form)
    rest = CARDS_IN_ALL - sum(map(len, hands)) - sum(hidden) - len(discard) - form.buried
    drawn = None if form.drawn is None else _one(form.drawn, "the card just drawn")
    return msgspec.structs.replace(
        begun,
        stage="play",
        hands=hands,
        hidden=hidden,
        draw=rest if form.draw is None else form.draw,
        discard=discard,
        buried=form.buried + (0 if form.draw is None else rest - form.draw),
        turn=form.turn,
        way=form.way,
        color=color,
        rank=rank,
        specials=form.specials,
        drawn=drawn,
    )


def _one(text: str, where: str) -> int:
    """Returns the number of the one card that a text names, `UNKNOWN` for "??"."""
    cards = cards_in(text, where)
    if len(cards) != 1:
        raise BadRecord(f"{where.capitalize()} is one card, not {len(cards)}.")
    return UNKNOWN if cards[0] is None else cards[0]


def _hands(form: PositionForm, seats: int) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    hands: list[tuple[int, ...]] = []
    hidden: list[int] = []
    for seat, hand in enumerate(form.hands or (None,) * seats):
        cards = (None,) * HAND if hand is None else cards_in(hand, f"hand {seat}")
        hands.append(tuple(sorted(card for card in cards if card is not None)))
        hidden.append(cards.count(None))
    return tuple(hands), tuple(hidden)


def _table(form: PositionForm) -> tuple[int, int, tuple[int, ...]]:
    """Returns color and rank of the table card, and the discard deck."""
    table = _one(form.table, "the table card")
    if table == UNKNOWN:
        raise BadRecord("The table card lies open. Say which it is.")
    below = cards_in(form.discard, "the discard deck")
    if None in below:
        raise BadRecord("In the discard deck a card is not named; say with `buried` how many nobody saw.")
    known = tuple(card for card in below if card is not None)
    virtual = None if form.virtual is None else _one(form.virtual, "the virtual card")
    if virtual is not None and not 0 <= virtual < NUMBER_CARDS:
        raise BadRecord("The virtual card is a number card.")
    if table < NUMBER_CARDS:
        seen = table if virtual is None else virtual
        return COLOR[seen], RANK[seen], (*known, table)
    numbers = [card for card in known if card < NUMBER_CARDS]
    if virtual is None and not numbers:
        raise BadRecord("Below a special the last number card is needed: name it in `discard` or `virtual` (UMO-10).")
    swap = "/" in CODES[table]
    if swap and virtual is None:
        raise BadRecord("On a color swap the virtual card is needed: say it in `virtual` (UMO-7).")
    seen = numbers[-1] if virtual is None else virtual
    return (COLOR[seen] if swap else ANYTHING), RANK[seen], (*known, table)


def check(state: SpectrumoState) -> None:
    """Checks that a position is possible.

    Raises:
        BadRecord: A card is there too often, there are not 168 cards, or a seat does not exist.
    """
    seats = state.seats
    if not 2 <= seats <= 8:
        raise BadRecord(f"Spectrumo is for 2 to 8 players, not {seats} (UMO-1).")
    by_seat = (state.hidden, state.owed, state.dropped, state.brought or state.owed)
    if any(len(values) != seats for values in by_seat) or any(len(hand.left) != seats for hand in state.over):
        raise BadRecord(f"Something is said for more or fewer than the {seats} players.")
    if any(not 0 <= seat < seats for seat in (state.first, state.turn)):
        raise BadRecord(f"A seat is named that is none; the seats are 0 to {seats - 1}.")
    if state.way not in (1, -1) or not ANYTHING <= state.color < COLORS or not 0 <= state.rank <= RANKS:
        raise BadRecord("The way of play is 1 or -1, and the table card has a color and a rank.")
    _check_cards(state)
    playing = state.stage == "play"
    if playing and (not state.discard or not state.rank):
        raise BadRecord("There is no table card with a rank; name the card that was played last.")
    if playing and any(not state.count(seat) and state.is_in(seat) and not state.swapping for seat in range(seats)):
        raise BadRecord("A hand is empty, so the hand is over (UMO-16). Give every player cards.")
    if state.stage != "deal" and state.ending is None and state.dropped[state.turn]:
        raise BadRecord(f"Player {state.turn + 1} has dropped out and has no turn.")


def _check_cards(state: SpectrumoState) -> None:
    aside = () if state.swapping is None else state.swapping.given
    known = [card for cards in (*state.hands, state.discard, aside) for card in cards]
    shown = [*known, *([] if state.drawn in (None, UNKNOWN) else [state.drawn])]
    if any(card is None or not 0 <= card < KINDS for card in shown):
        raise BadRecord("A card is named that is none (DEK-1).")
    for card in set(known):
        if known.count(card) > COPIES[card]:
            raise BadRecord(f"{CODES[card]} is there {known.count(card)} times; the deck has it {COPIES[card]} times.")
    if min(state.draw, state.buried, *state.hidden, *state.owed) < 0:
        raise BadRecord("Numbers of cards cannot be below zero.")
    swapping = state.swapping
    if swapping is not None:
        if min(swapping.unknown, swapping.due) < 0 or (swapping.due and swapping.to is None):
            raise BadRecord("Cards cannot be drawn in a trade with nobody (UMO-9).")
        if swapping.to is not None and not 0 <= swapping.to < state.seats:
            raise BadRecord(f"A trade is made with seat {swapping.to}, which is none.")
    hidden = sum(state.hidden) + (0 if swapping is None else swapping.unknown)
    everything = len(known) + hidden + state.draw + state.buried
    if everything != CARDS_IN_ALL:
        raise BadRecord(f"The position has {everything} cards; Spectrumo is played with {CARDS_IN_ALL} (UMO-1).")


read = reader("Spectrumo", PositionForm, _state)


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
    Positions(SpectrumoState, start, read, check, fit=_fit),
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
