"""The game object of 500, its first position, and positions read from their written form (docs/records.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core.capabilities import Proposer
from companion.core.contract import Seat
from companion.core.foundation.errors import BadNotation
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.five_hundred import advice, observation
from companion.games.five_hundred import moves as notation
from companion.games.five_hundred.melds import shape_of
from companion.games.five_hundred.moves import MOST_PLAYERS, FiveHundredEvent, LayOff
from companion.games.five_hundred.situation import EACH, Options, Step
from companion.games.five_hundred.state import FiveHundredState, start
from companion.games.five_hundred.violations import no_meld
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import card_game
from companion.games.shared.cards.dealing import DealtHands
from companion.games.shared.cards.deck import number_cards, written
from companion.games.shared.cards.hands import WHOLE_DECK, Hands
from companion.games.shared.forms.position_form import brought, check_seat, checker, reader
from companion.games.shared.search.bit_sets import bits, mask_of

_Seat = Annotated[int, Meta(ge=0, lt=MOST_PLAYERS)]


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in its written form; cards are written as codes, "??" for an unseen one."""

    hands: tuple[tuple[str, ...] | None, ...] | None = None
    """The hand of each seat; null for an unseen hand of twelve cards. Default: a hand is to be dealt."""
    opened: tuple[tuple[str, ...], ...] | None = None
    """The cards in each seat's hand that all players have seen being taken. Default: none."""
    melds: tuple[Mapping[str, tuple[str, ...]], ...] = ()
    """The melds, each with its cards by the seat that laid them."""
    discards: tuple[str, ...] = ()
    """The discards, the top one last."""
    dealer: _Seat | None = None
    """Default: the last seat."""
    turn: _Seat | None = None
    """Default: left of the dealer."""
    drawn: bool = False
    """True if the seat on turn has drawn already."""
    discarded: _Seat | None = None
    """The seat that has just discarded, so that others may call. Default: no call is possible."""
    scores: tuple[int, ...] = ()


def _state(seats: int, options: Options, record: PositionForm) -> FiveHundredState:
    dealer = seats - 1 if record.dealer is None else record.dealer
    check_seat(dealer, seats)
    scores = brought(record.scores, seats)
    if record.hands is None:
        if record.melds or record.discards or record.opened:
            raise BadNotation("a position with cards needs hands; null is a hand that nobody saw.")
        return start(seats, options, dealer, scores)
    if len(record.hands) != seats or (record.opened is not None and len(record.opened) != seats):
        raise BadNotation(f"{seats} players need as many hands.")
    laid, melds = _melds(seats, record, options.min_meld)
    discards = tuple(_numbers(record.discards))
    hands = Hands.told(record.hands, (EACH,) * seats, mask_of(discards) | sum(melds))
    opened = tuple(mask_of(_numbers(cards)) for cards in record.opened or ((),) * seats)
    turn = (dealer + 1) % seats if record.turn is None else record.turn
    step: Step = "play" if record.drawn else "draw"
    window = None if record.drawn else record.discarded
    return FiveHundredState(
        options, hands, opened, laid, melds, discards, dealer, turn, step, 0, (turn + 1) % seats, window,
        brought=scores,
    )  # fmt: skip


def _melds(seats: int, record: PositionForm, least: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns the cards before each seat, and each meld."""
    laid, melds = [0] * seats, []
    for form in record.melds:
        whole = 0
        for name, codes in form.items():
            if not name.isdecimal() or int(name) >= seats:
                raise BadNotation(f'a meld lies before seat "{name}"; seats are 0 to {seats - 1}.')
            cards = _numbers(codes)
            if any((whole | sum(laid)) >> card & 1 for card in cards):
                raise BadNotation("a card lies in two melds, or twice in one.")
            laid[int(name)] |= mask_of(cards)
            whole |= mask_of(cards)
        if shape_of(tuple(bits(whole)), least) is None:
            raise BadNotation(no_meld(tuple(bits(whole)), least))
        melds.append(whole)
    return tuple(laid), tuple(melds)


def _numbers(codes: Sequence[str]) -> list[int]:
    numbers = number_cards(codes)
    if len(set(numbers)) != len(numbers):
        raise BadNotation(f"it names a card twice: {written(numbers)}.")
    return numbers


def _fault(state: FiveHundredState) -> str | None:
    return _seats(state) or _cards(state) or _turn(state)


def _seats(state: FiveHundredState) -> str | None:
    seats = state.seats
    if not 2 <= seats <= MOST_PLAYERS or state.hands.seats != seats or len(state.opened) != seats:
        return f"{seats} players are not 2 to {MOST_PLAYERS}, or they have not as many hands."
    if max(state.dealer, state.turn, state.next_turn, state.window or 0) >= seats:
        return f"it names a seat that nobody has; seats are 0 to {seats - 1}."
    if len(state.brought) not in (0, seats):
        return "scores are not one for each player."
    return None


def _cards(state: FiveHundredState) -> str | None:
    if any(not 0 <= mask <= WHOLE_DECK for mask in (*state.laid, *state.melds, *state.opened, state.source)):
        return "its cards are none of the deck."
    laid = [card for mask in state.laid for card in bits(mask)]
    if sorted(laid) != sorted(card for mask in state.melds for card in bits(mask)):
        return "the melds are not the cards that lie before the players."
    for seat, opened in enumerate(state.opened):
        if opened & ~mask_of(state.hands.known[seat]):
            return "a card that everybody has seen being taken is not in the hand."
    return state.hands.fault([*laid, *state.discards], state.to_deal)


def _turn(state: FiveHundredState) -> str | None:
    if state.step == "deal":
        return None if state.to_deal <= EACH * state.seats else "more cards are to be dealt than there are."
    if state.to_deal or (state.window is not None and state.step != "draw"):
        return "cards are to be dealt, or a call is possible, in the middle of a turn."
    if state.is_ended:
        return None
    if not state.hands.size(state.turn):
        return "the seat on turn has no card."
    if state.step == "drawing" and not state.stock:
        return "a card is to be drawn from an empty stock."
    if state.due is not None and not state.moves:
        return "a card must be melded at once and cannot be."
    return None


check = checker("500", _fault)
"""Raises `BadRecord` if a state that was read contradicts itself, the deck or the players."""


read = reader("500", PositionForm, _state)


class FiveHundredCards(DealtHands[FiveHundredState]):
    """The hidden information of 500: the stock and the hands; cards taken from the discards are public."""

    def view(self, state: FiveHundredState, seat: Seat | None) -> FiveHundredState:
        """Returns the position as a seat may know it: of other hands only the cards taken from the discards, or all
        cards once the hand is over.
        """
        if state.is_ended:
            return state
        hands = state.hands.seen_by(seat, state.opened)
        return state if hands == state.hands else replace(state, hands=hands)


def _next_position(state: FiveHundredState) -> Mapping[str, Any] | None:
    """Returns the position with which a game of the next hand begins; None while this goes on or the match is won."""
    totals = [score.total for score in state.scores()]
    if not state.is_counted or max(totals) >= state.options.target:
        return None
    return {"scores": totals, "dealer": (state.dealer + 1) % state.seats}


def _needs_confirmation(state: FiveHundredState, event: FiveHundredEvent) -> bool:
    """True if a picture does not show on which of several melds a card was laid off, which decides the cards that fit
    it later.
    """
    if not isinstance(event, LayOff):
        return False
    return sum(isinstance(one, LayOff) and one.card == event.card for one in state.legal_moves()) > 1


FIVE_HUNDRED: Game[FiveHundredState] = card_game(
    GameInfo("five-hundred", "500", rules=1, seats=range(2, MOST_PLAYERS + 1), seats_rule="500-1", Options=Options),
    Positions(FiveHundredState, start, read, check),
    EventCodec(FiveHundredEvent, notation.text, notation.parse, deck_events.words, plain=deck_events.plain),
    FiveHundredCards(),
    Capabilities(
        proposer=Proposer(
            infer_event=observation.infer_event,
            needs_confirmation=_needs_confirmation,
            candidates=observation.candidates,
            is_said=observation.is_said,
        ),
        score_breakdown=advice.score_breakdown,
        next_position=_next_position,
    ),
)
"""The game object of 500."""
