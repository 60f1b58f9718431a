"""Reads positions of Cribbage from their written form and checks states that come from files (docs/records.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from companion.core.foundation.errors import BadNotation
from companion.games.cribbage.counting import FULL
from companion.games.cribbage.options import Options
from companion.games.cribbage.situation import OUT, SIZES
from companion.games.cribbage.state import CribbageState, start
from companion.games.shared.cards.deck import UNKNOWN_CODE, number_cards
from companion.games.shared.cards.hands import Hands
from companion.games.shared.forms.position_form import check_seat, checker, reader
from companion.games.shared.search.bit_sets import mask_of

_Seat = Annotated[int, Meta(ge=0, le=3)]


_Points = Annotated[int, Meta(ge=0)]


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in its written form; cards are written as codes, "??" for an unseen one."""

    dealer: _Seat | None = None
    """The dealer's seat. Default: the players cut for the deal, or the last seat if there are hands."""
    hands: tuple[tuple[str, ...] | None, ...] | None = None
    """The unplayed cards of each seat; null for an unseen hand. Without hands, a hand is to be dealt."""
    laid: tuple[tuple[str, ...] | None, ...] | None = None
    """The cards that each seat laid away; null if unseen. Default: none yet, or unseen ones if there is a starter."""
    starter: str | None = None
    """The starter. Default: it is not turned up yet."""
    played: tuple[tuple[str, ...], ...] | None = None
    """The cards that each seat played in this hand. Default: none."""
    count: tuple[str, ...] = ()
    """The cards of the running count in their order; `played` holds them, too."""
    gone: tuple[_Seat, ...] = ()
    """The seats that have said Go in this count."""
    turn: _Seat | None = None
    """The seat to play. Default: the seat left of the dealer, or the one after the seat that played last in this
    count.
    """
    scores: tuple[_Points, ...] = ()
    """The points of each seat, or of each team."""


def _state(seats: int, options: Options, record: PositionForm) -> CribbageState:
    brought = _scores(record.scores, seats)
    check_seat(record.dealer or 0, seats)
    if record.hands is None:
        if record.laid or record.starter or record.played or record.count:
            raise BadNotation("a position with cards needs hands; null is a hand that nobody saw.")
        return start(seats, options, record.dealer, brought)
    dealer = seats - 1 if record.dealer is None else record.dealer
    before = start(seats, options, dealer, brought)
    played = _by_seat(seats, record.played, "lists of played cards")
    starter = None if record.starter is None else number_cards([record.starter])[0]
    open_cards = [card for cards in played for card in cards] + ([] if starter is None else [starter])
    laid, laid_hidden = _laid(seats, record)
    hands = _hands(seats, record, open_cards + [card for cards in laid for card in cards], laid, laid_hidden)
    count = tuple(number_cards(record.count))
    last = None
    if count:
        holders = [seat for seat, cards in enumerate(played) if count[-1] in cards]
        if not holders or not set(count) <= set(open_cards):
            raise BadNotation("a card of the count is not among those that were played.")
        last = holders[0]
    turn = record.turn
    if turn is None:
        turn = (dealer + 1 if last is None else last + 1) % seats
    return msgspec.structs.replace(
        before, hands=hands, to_deal=0, laid=laid, laid_hidden=laid_hidden, starter=starter, played=played, count=count,
        last=last, turn=turn, gone=sum(1 << seat for seat in set(record.gone)),
    )  # fmt: skip


def _scores(scores: Sequence[int], seats: int) -> tuple[int, ...]:
    if seats == 4 and len(scores) == 4 and tuple(scores[:2]) != tuple(scores[2:]):
        raise BadNotation("partners (seats 0 and 2, seats 1 and 3) share one score; give both the same, or two scores.")
    if len(scores) not in (0, 2, seats):
        raise BadNotation(f"it has {len(scores)} scores for {seats} players.")
    return tuple(scores[:2]) if any(scores) else ()


def _by_seat(seats: int, lists: Sequence[Sequence[str]] | None, what: str) -> tuple[tuple[int, ...], ...]:
    if lists is None:
        return ((),) * seats
    if len(lists) != seats:
        raise BadNotation(f"{seats} players need as many {what}.")
    return tuple(tuple(number_cards(cards)) for cards in lists)


def _laid(seats: int, record: PositionForm) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Returns the known cards of the crib and the number of unknown ones, each by seat."""
    each = SIZES[seats].laid
    begun = record.starter is not None or bool(record.played)
    lists: Sequence[Sequence[str] | None]
    if record.laid is None:
        lists = (None,) * seats if begun else ((),) * seats
    else:
        lists = record.laid
    if len(lists) != seats:
        raise BadNotation(f"{seats} players need as many lists of cards laid away.")
    codes = [(UNKNOWN_CODE,) * each if cards is None else cards for cards in lists]
    known = tuple(tuple(sorted(number_cards([code for code in cards if code != UNKNOWN_CODE]))) for cards in codes)
    return known, tuple(len(cards) - len(named) for cards, named in zip(codes, known, strict=True))


def _hands(
    seats: int,
    record: PositionForm,
    elsewhere: Sequence[int],
    laid: tuple[tuple[int, ...], ...],
    laid_hidden: tuple[int, ...],
) -> Hands:
    """Returns the hands of a record; an unseen hand may hold all cards that are neither laid away nor played."""
    lists = record.hands or ()
    if len(lists) != seats:
        raise BadNotation(f"{seats} players need as many hands.")
    played = record.played or ((),) * seats
    held = [SIZES[seats].dealt - len(laid[seat]) - laid_hidden[seat] - len(played[seat]) for seat in range(seats)]
    return Hands.told(lists, held, mask_of(elsewhere))


def _fault(state: CribbageState) -> str | None:
    return _seats(state) or _cards(state) or _play(state)


def _seats(state: CribbageState) -> str | None:
    seats = state.seats
    if seats not in SIZES:
        return f"{seats} players are not 2 or 4."
    if {len(state.laid), len(state.laid_hidden), len(state.played)} != {seats} or len(state.totals) != 2:
        return "hands, laid and played cards or scores are not one for each player or side."
    if len(state.brought) not in (0, 2) or len(state.cut) not in (0, seats):
        return "scores brought or cut cards are not one for each side or player."
    named = (state.turn, state.dealer or 0, state.last or 0, *(peg.seat for peg in state.pegs))
    if max(named) >= seats or state.gone >> seats or state.counted > seats + 1:
        return f"it names a seat that nobody has; seats are 0 to {seats - 1}."
    if (state.dealer is None) != bool(state.cut):
        return "a dealer is named while it is cut who deals, or there is none although it is not."
    for side, total in enumerate(state.totals):
        start_at = state.brought[side] if state.brought else 0
        if total != start_at + sum(peg.points for peg in state.pegs if state.side(peg.seat) == side):
            return "the scores are not what was pegged."
    return None


def _cards(state: CribbageState) -> str | None:
    elsewhere = [card for cards in (*state.laid, *state.played) for card in cards]
    elsewhere += [card for card in state.cut if card > OUT + 1]
    if state.starter is not None:
        elsewhere.append(state.starter)
    return state.hands.fault(elsewhere, sum(state.laid_hidden) + state.to_deal)


def _play(state: CribbageState) -> str | None:
    sizes = SIZES[state.seats]
    if state.to_deal > sizes.dealt * state.seats or any(
        len(known) + hidden not in (0, sizes.laid) for known, hidden in zip(state.laid, state.laid_hidden, strict=True)
    ):
        return f"{sizes.dealt} cards are dealt to each player, and {sizes.laid} are laid away."
    if state.cut and (state.to_deal or any(state.hands.known)):
        return "cards are dealt although it is not decided who deals."
    if state.starter is not None and state.to_lay:
        return "a starter lies open although cards must still be laid away."
    if bool(state.count) != (state.last is not None) or state.total > FULL:
        return f"the count is above {FULL}, or it is not said who played last in it."
    if not set(state.count) <= {card for cards in state.played for card in cards}:
        return "a card of the count is not among those that were played."
    if state.last is not None and state.count[-1] not in state.played[state.last]:
        return "the last card of the count was not played by the seat that played last."
    if state.starter is None and any(state.played):
        return "cards are played although no starter is turned up."
    for seat in range(state.seats):
        most = sizes.dealt if seat in state.to_lay else sizes.hand
        if state.hands.size(seat) + len(state.played[seat]) > most:
            return f"player {seat + 1} has {most} cards in hand and played together, and more are named."
    if state.starter is None or state.is_over:
        return None
    if any(state.hands.size(seat) for seat in range(state.seats)) and (
        not state.hands.size(state.turn) or state.gone >> state.turn & 1
    ):
        return "the seat on turn has no card, or has said Go."
    return None


check = checker("Cribbage", _fault)
"""Raises `BadRecord` if a state that was read contradicts itself, the deck or the players."""


read = reader("Cribbage", PositionForm, _state, check)
