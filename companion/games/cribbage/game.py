"""The game object of Cribbage, its first position, and positions read from their written form (docs/records.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core.capabilities import WHOLE, Heuristics, Horizon, Proposer
from companion.core.contract import ScoreLine, Seat
from companion.core.foundation.errors import BadNotation
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.cribbage import moves, observation
from companion.games.cribbage.counting import FULL, combinations, points_by_kind
from companion.games.cribbage.moves import Count, CribbageEvent, LayAway
from companion.games.cribbage.situation import OUT, SIZES, Options, Situation
from companion.games.cribbage.state import CribbageState, start
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import card_game
from companion.games.shared.cards.dealing import DealtHands
from companion.games.shared.cards.deck import UNKNOWN_CODE, common_shades, number_cards
from companion.games.shared.cards.hands import Hands, changed
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


read = reader("Cribbage", PositionForm, _state)


class CribbageCards(DealtHands[CribbageState]):
    """The hidden information of Cribbage: the deck, the hands, and the crib until it is turned up."""

    face_down = LayAway

    def view(self, state: CribbageState, seat: Seat | None) -> CribbageState:
        """Returns the position as a seat may know it: other hands are hidden, and until the crib is turned up, so are
        the cards that other seats laid away.
        """
        hands, laid, laid_hidden = state.hands.seen_by(seat), state.laid, state.laid_hidden
        if not state.is_crib_up:
            for other, cards in enumerate(laid):
                if other != seat and cards:
                    hands = replace(hands, pool=hands.pool | mask_of(cards))
                    laid = changed(laid, other, ())
                    laid_hidden = changed(laid_hidden, other, laid_hidden[other] + len(cards))
        if hands == state.hands and laid == state.laid:
            return state
        return replace(state, hands=hands, laid=laid, laid_hidden=laid_hidden)

    def determinize(self, state: CribbageState, rng: Random) -> CribbageState:
        """Returns the position with the hidden cards of hands and crib filled in from the face-down ones."""
        if not any(state.hands.hidden) and not any(state.laid_hidden):
            return state
        hands, dealt = state.hands.dealt_elsewhere(state.laid_hidden, rng)
        laid = tuple(tuple(sorted((*known, *cards))) for known, cards in zip(state.laid, dealt, strict=True))
        return replace(state, hands=hands, laid=laid, laid_hidden=(0,) * state.seats)


def prospects(state: Situation, seat: Seat) -> float:
    """Returns the known points of hands and crib that are not counted yet: the own side's minus the other side's."""
    if state.dealer is None or not any(state.laid):
        return 0.0
    side, found = state.side(seat), 0
    for place in range(state.counted, state.seats):
        one = (state.dealer + 1 + place) % state.seats
        if state.laid[one] and not state.hands.hidden[one]:
            cards = tuple(sorted((*state.hands.known[one], *state.played[one])))
            found += _points(cards, state.starter, False) * (1 if state.side(one) == side else -1)
    if state.counted <= state.seats:
        crib = _points(state.crib, state.starter, True)
        found += crib if state.side(state.dealer) == side else -crib
    return float(found)


@lru_cache(maxsize=20_000)
def _points(cards: tuple[int, ...], starter: int | None, crib: bool) -> int:
    """Returns the points of cards; without a starter, only eighteens, pairs, runs and flush count."""
    if len(cards) < 2:
        return 0
    if starter is not None:
        return sum(points_by_kind(cards, starter, crib=crib))
    flush = len(cards) if not crib and common_shades(cards) else 0
    return flush + sum(points_by_kind(cards[:-1], cards[-1], crib=True)[:3])


_EVENTS_PER_HAND = 120
"""The largest number of events in a hand: 40 cards dealt, a starter, 4 lay-aways, 32 plays, as many Goes, 5 counts."""
_CUTS = 500
"""The number of cuts that the bound allows for ties; a hundred ties of four players in a row are not plausible."""


def _bound(state: CribbageState) -> int:
    """Returns an upper bound for the number of events until the game ends: each hand's last card pegs at least one
    point.
    """
    return _CUTS + _EVENTS_PER_HAND * (2 * state.options.target + 1)


def _score_breakdown(state: CribbageState, event: CribbageEvent) -> tuple[ScoreLine, ...]:
    """Returns the points of the next event as lines: every combination of a rightly counted hand (CRB-7)."""
    if not isinstance(event, Count) or not state.is_played or (event.seat, event.of) != state.counting:
        return ()
    cards = state.crib if event.of == "crib" else state.played[event.seat]
    if state.starter is None or event.points != sum(state.worth):
        return ()
    return combinations(cards, state.starter, crib=event.of == "crib")


def _next_position(state: CribbageState) -> Mapping[str, Any] | None:
    """Returns the position that begins the next game, in which a loser deals (CRB-1); None before this one ends."""
    if not state.is_over:
        return None
    lost = state.totals.index(min(state.totals))
    last = state.dealer if state.dealer is not None else state.seats - 1
    order = [(last + step) % state.seats for step in range(1, state.seats + 1)]
    return {"dealer": next(seat for seat in order if state.side(seat) == lost)}


CRIBBAGE: Game[CribbageState] = card_game(
    GameInfo("cribbage", "Cribbage", rules=2, seats=range(2, 5, 2), seats_rule="CRB-2, CRB-11", Options=Options),
    Positions(CribbageState, start, read, check, bound=_bound),
    EventCodec(CribbageEvent, moves.text, moves.parse, deck_events.words, plain=deck_events.plain),
    CribbageCards(),
    Capabilities(
        proposer=Proposer(
            infer_event=observation.infer_event,
            candidates=observation.candidates,
            rarity=observation.rarity,
            is_said=observation.is_said,
        ),
        score_breakdown=_score_breakdown,
        next_position=_next_position,
        heuristics=Heuristics(prospects=prospects, horizon=Horizon(WHOLE, hand=lambda state: state.dealer)),
    ),
)
"""The game object of Cribbage."""
