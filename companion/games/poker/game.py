"""The game object of Poker, its first position, and positions read from their written form (docs/records.md)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core.capabilities import Proposer
from companion.core.contract import Seat
from companion.core.foundation.errors import BadNotation, BadOptions
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.poker import moves as notation
from companion.games.poker import observation
from companion.games.poker.moves import MOST_PLAYERS, Exchange, PokerEvent
from companion.games.poker.odds import HAND
from companion.games.poker.situation import Options
from companion.games.poker.state import PokerState, start
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import card_game
from companion.games.shared.cards.dealing import DealtHands
from companion.games.shared.cards.deck import NUMBER_CARDS, number_cards
from companion.games.shared.cards.hands import WHOLE_DECK, Hands, changed
from companion.games.shared.forms.position_form import checker, reader
from companion.games.shared.search.bit_sets import bits, mask_of

_Seat = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in its written form; cards are written as codes, "??" for an unseen one."""

    hands: tuple[tuple[str, ...] | None, ...] | None = None
    """The hand of each seat; null for an unseen hand. Default: the cards are to be dealt."""
    shared: tuple[str, ...] = ()
    """The open cards on the table."""
    folded: tuple[_Seat, ...] = ()
    shown: tuple[_Seat, ...] = ()
    """The seats that have turned their hands up."""
    exchanges: Annotated[int, Meta(ge=0, le=2)] | None = None
    """The number of rounds of exchanges still to come. Default: none."""
    dealer: _Seat | None = None
    """Default: the last seat."""
    turn: _Seat | None = None
    """Default: the first seat, left of the dealer, that has neither folded nor shown."""


def _state(seats: int, options: Options, record: PositionForm) -> PokerState:
    dealer = seats - 1 if record.dealer is None else record.dealer
    if max(dealer, record.turn or 0, *record.folded, *record.shown) >= seats:
        raise BadNotation(f"it names a seat that nobody has; seats are 0 to {seats - 1}.")
    if record.hands is None:
        if record.shared or record.folded or record.shown:
            raise BadNotation("a position with open cards, folded or shown hands needs hands; null is an unseen one.")
        return start(seats, options, dealer)
    if len(record.hands) != seats:
        raise BadNotation(f"{seats} players need as many hands.")
    for hand in record.hands:
        if hand is not None and len(hand) != options.cards:
            raise BadNotation(f"a hand has {len(hand)} cards, but {options.cards} are agreed on.")
    shared = tuple(sorted(number_cards(record.shared)))
    if len(shared) > options.shared:
        raise BadNotation(f"{len(shared)} cards lie open, but {options.shared} are agreed on.")
    folded, shown = mask_of(record.folded), mask_of(record.shown)
    order = [(dealer + 1 + step) % seats for step in range(seats)]
    waiting = [seat for seat in order if not (folded | shown) >> seat & 1]
    turn = record.turn if record.turn is not None else waiting[0] if waiting else order[0]
    hands = Hands.told(record.hands, (options.cards,) * seats, mask_of(shared))
    nothing = (0,) * seats
    return PokerState(
        options, hands, shared, nothing, nothing, dealer, turn, 0,
        options.shared - len(shared), 0, record.exchanges or 0, folded, shown,
    )  # fmt: skip


def _fault(state: PokerState) -> str | None:
    seats = state.seats
    if not 2 <= seats <= MOST_PLAYERS or {state.hands.seats, len(state.given_hidden)} != {seats}:
        return f"{seats} players are not 2 to {MOST_PLAYERS}, or they have not as many hands."
    if max(state.dealer, state.turn) >= seats or (state.folded | state.shown) >> seats:
        return f"it names a seat that nobody has; seats are 0 to {seats - 1}."
    if state.folded & state.shown or state.folded.bit_count() == seats:
        return "a hand is both folded and shown, or all have folded."
    if any(not 0 <= given <= WHOLE_DECK for given in state.given):
        return "cards laid away are none of the deck."
    if list(state.shared) != sorted(state.shared):
        return "the open cards do not rise."
    given = [card for mask in state.given for card in bits(mask)]
    to_come = sum(state.given_hidden) + state.to_deal + state.to_share + state.owed
    fault = state.hands.fault([*given, *state.shared], to_come)
    if fault is None and not state.to_deal and not state.is_over and (state.folded | state.shown) >> state.turn & 1:
        return None if state.unknown_shown is not None else "the seat on turn has folded, or has shown its hand."
    return fault


check = checker("Poker", _fault)
"""Raises `BadRecord` if a state that was read contradicts itself, the deck or the players."""


read = reader("Poker", PositionForm, _state)


class PokerCards(DealtHands[PokerState]):
    """The hidden information of Poker: the deck, hands that are not turned up, and cards that were laid away."""

    face_down = Exchange

    def view(self, state: PokerState, seat: Seat | None) -> PokerState:
        """Returns the position as a seat may know it: hands that are not turned up are hidden, and so are cards that
        others laid away.
        """
        hands, given, given_hidden = state.hands, state.given, state.given_hidden
        opened = [mask_of(hand) if state.shown >> other & 1 else 0 for other, hand in enumerate(hands.known)]
        hands = hands.seen_by(seat, opened)
        for other, cards in enumerate(given):
            if other != seat and cards:
                hands = replace(hands, pool=hands.pool | cards)
                given = changed(given, other, 0)
                given_hidden = changed(given_hidden, other, given_hidden[other] + cards.bit_count())
        if hands == state.hands and given == state.given:
            return state
        return replace(state, hands=hands, given=given, given_hidden=given_hidden)

    def determinize(self, state: PokerState, rng: Random) -> PokerState:
        """Returns the position with hidden cards of hands and laid-away cards filled in from the face-down ones."""
        if not any(state.hands.hidden) and not any(state.given_hidden):
            return state
        hands, dealt = state.hands.dealt_elsewhere(state.given_hidden, rng)
        given = tuple(known | mask_of(cards) for known, cards in zip(state.given, dealt, strict=True))
        return replace(state, hands=hands, given=given, given_hidden=(0,) * state.seats)


def _fit(seats: int, options: Options) -> None:
    if options.cards + options.shared < HAND:
        raise BadOptions(
            f"A hand has {HAND} cards (POK-1), but {options.cards} are dealt and {options.shared} shared. Deal or"
            " share more."
        )
    most = seats * options.cards * (1 + options.exchanges) + options.shared
    if most > NUMBER_CARDS:
        raise BadOptions(
            f"{seats} players may need {most} cards, and the deck has {NUMBER_CARDS} (POK-1). Deal or exchange fewer."
        )


def _bound(state: PokerState) -> int:
    """Returns an upper bound for the number of events until the game ends: every card is drawn at most once, and each
    seat moves once in every round.
    """
    return 2 * NUMBER_CARDS + state.seats * (state.exchanges + 1)


def _next_position(state: PokerState) -> Mapping[str, Any] | None:
    """Returns the position with which the next hand begins; None while this one goes on."""
    return {"dealer": (state.dealer + 1) % state.seats} if state.is_over else None


POKER: Game[PokerState] = card_game(
    GameInfo(
        "poker", "Poker", rules=1, seats=range(2, MOST_PLAYERS + 1), seats_rule="POK-1", Options=Options, lead="nothing"
    ),
    Positions(PokerState, start, read, check, fit=_fit, bound=_bound),
    EventCodec(
        PokerEvent, notation.text, notation.parse, deck_events.words, plain=deck_events.plain, canonical=notation.check
    ),
    PokerCards(),
    Capabilities(
        proposer=Proposer(
            infer_event=observation.infer_event,
            candidates=observation.candidates,
            is_said=observation.is_said,
            pending_prompt=observation.pending_prompt,
        ),
        next_position=_next_position,
    ),
)
"""The game object of Poker."""
