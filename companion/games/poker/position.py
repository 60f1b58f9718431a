"""Reads positions of Poker from their written form and checks states that come from files (docs/records.md)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.core.foundation.errors import BadNotation
from companion.games.poker.moves import MOST_PLAYERS
from companion.games.poker.options import Options
from companion.games.poker.state import PokerState, start
from companion.games.shared.cards.deck import number_cards
from companion.games.shared.cards.hands import WHOLE_DECK, Hands
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


read = reader("Poker", PositionForm, _state, check)
