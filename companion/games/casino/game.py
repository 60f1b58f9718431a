"""The game object of Casino, its first position, and positions read from their written form (docs/records.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from companion.core.capabilities import Proposer
from companion.core.contract import ScoreLine
from companion.core.foundation.errors import BadNotation
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.casino import advice, observation, scoring
from companion.games.casino import moves as notation
from companion.games.casino.moves import CasinoEvent, Take
from companion.games.casino.situation import BOARD, DEAL, DEALS, Options, Points, by_rank
from companion.games.casino.state import CasinoState, start
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import card_game
from companion.games.shared.cards.dealing import DealtHands
from companion.games.shared.cards.deck import COLOR, NUMBER_CARDS, color_of, number_cards
from companion.games.shared.cards.hands import WHOLE_DECK, Hands
from companion.games.shared.forms.position_form import brought, check_seat, checker, reader
from companion.games.shared.search.bit_sets import mask_of

_Seat = Annotated[int, Meta(ge=0, le=3)]


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in its written form; cards are written as codes, "??" for an unseen one."""

    hands: tuple[tuple[str, ...] | None, ...] | None = None
    """The hand of each seat; null for an unseen hand. Without hands, a round begins."""
    board: tuple[str, ...] = ()
    """The board's cards in the order in which they were laid. The first one gives the Chosen Color unless `chosen` is
    given.
    """
    chosen: str | None = None
    won: tuple[tuple[str, ...], ...] | None = None
    """The won cards of each seat. Default: none."""
    deal: Annotated[int, Meta(ge=1, le=DEALS)] = 1
    pile: Annotated[int, Meta(ge=0, le=BOARD)] | None = None
    """The number of cards in the board pile. Default: six, or none in the eleventh deal."""
    dealer: _Seat | None = None
    """The dealer's seat. Default: the last seat."""
    turn: _Seat | None = None
    """The seat to move. Default: the seat left of the dealer."""
    last: _Seat | None = None
    scores: tuple[Points, ...] = ()


def _state(seats: int, options: Options, record: PositionForm) -> CasinoState:
    dealer = seats - 1 if record.dealer is None else record.dealer
    scores = brought(record.scores, seats)
    check_seat(dealer, seats)
    if record.hands is None:
        if record.board or record.won or record.chosen:
            raise BadNotation("a position with a board needs hands; null is a hand that nobody saw.")
        return start(seats, options, dealer, scores)
    if len(record.hands) != seats or (record.won is not None and len(record.won) != seats):
        raise BadNotation(f"{seats} players need as many hands and as many lists of won cards.")
    board = number_cards(record.board)
    chosen = color_of(record.chosen) if record.chosen else COLOR[board[0]] if board else None
    if chosen is None:
        raise BadNotation("the Chosen Color is not said, and the board is empty. Say it, as in: chosen: red.")
    won = tuple(mask_of(number_cards(cards)) for cards in record.won or ((),) * seats)
    hands = Hands.told(record.hands, (DEAL // seats,) * seats, mask_of(board) | _all(won))
    pile = record.pile if record.pile is not None else 0 if record.deal == DEALS else BOARD
    turn = (dealer + 1) % seats if record.turn is None else record.turn
    return CasinoState(
        options, hands, tuple(sorted(board, key=by_rank)), won, dealer, turn, chosen, 0, 0, record.deal, pile,
        record.last, scores,
    )  # fmt: skip


def _all(masks: Sequence[int]) -> int:
    every = 0
    for mask in masks:
        every |= mask
    return every


def _fault(state: CasinoState) -> str | None:
    seats = state.seats
    if not 2 <= seats <= 4 or state.hands.seats != seats:
        return f"{seats} players are not 2 to 4, or they have not as many hands."
    if max(state.dealer, state.turn, state.last or 0) >= seats:
        return f"it names a seat that nobody has; seats are 0 to {seats - 1}."
    if len(state.brought) not in (0, seats) or any(len(points) != seats for points in state.past):
        return "scores are not one for each player."
    if any(not 0 <= won <= WHOLE_DECK for won in state.won):
        return "won cards are none of the deck."
    if list(state.board) != sorted(state.board, key=by_rank):
        return "the board is not in the order of its ranks."
    if sum(won.bit_count() for won in state.won) != _all(state.won).bit_count():
        return "a card is won by two players."
    won = [card for card in range(NUMBER_CARDS) if _all(state.won) >> card & 1]
    to_come = state.pile + state.to_board + state.to_hands + DEAL * (DEALS - state.deal)
    fault = state.hands.fault([*won, *state.board], 0 if state.ended else to_come)
    if fault is None and not state.ended and not state.to_board and not state.to_hands:
        if state.chosen is None:
            return "the Chosen Color is not said."
        if not state.hands.size(state.turn):
            return "the seat on turn has no card."
    return fault


check = checker("Casino", _fault)
"""Raises `BadRecord` if a state that was read contradicts itself, the deck or the players."""


read = reader("Casino", PositionForm, _state)


_EVENTS_PER_ROUND = 2 * NUMBER_CARDS
"""Twice the number of cards: each card is dealt at most once and played at most once."""


def _bound(state: CasinoState) -> int:
    """Returns an upper bound for the number of events until the game ends."""
    return _EVENTS_PER_ROUND * max(state.options.rounds - len(state.past), 1)


assert DEAL * DEALS + 12 == NUMBER_CARDS


def _score_breakdown(state: CasinoState, event: CasinoEvent) -> tuple[ScoreLine, ...]:
    """Returns the points of the next event as lines: how the take adds up, and the points of its colors."""
    if not isinstance(event, Take):
        return ()
    found = advice.explained(state, event)
    return () if found is None else (*found.ways, *found.lines)


def _next_position(state: CasinoState) -> Mapping[str, Any] | None:
    """Returns the position that begins the game of the next round; None before this one ends or if the match is won."""
    points = scoring.totals(state)
    if not state.ended or scoring.is_won(points):
        return None
    return {"scores": list(points), "dealer": (state.dealer + 1) % state.seats}


CASINO: Game[CasinoState] = card_game(
    GameInfo("casino", "Casino", rules=2, seats=range(2, 5), seats_rule="CAS-1", Options=Options),
    Positions(CasinoState, start, read, check, bound=_bound),
    EventCodec(CasinoEvent, notation.text, notation.parse, deck_events.words, plain=deck_events.plain),
    DealtHands(),
    Capabilities(
        proposer=Proposer(
            infer_event=observation.infer_event,
            candidates=observation.candidates,
            pending_prompt=observation.pending_prompt,
        ),
        score_breakdown=_score_breakdown,
        next_position=_next_position,
    ),
)
"""The game object of Casino."""
