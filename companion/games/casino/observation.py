"""Infers events of Casino from what a camera sees: the board, to which cards are put and from which they are taken.

Hands are private, and won cards lie face down. A player who takes lays the card on the board first and then gathers it
with all cards that it takes. So a card on the board that can take is half of a take, until another card is played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.core.contract import Drawn, ToDraw
from companion.core.layout import Layout
from companion.games.casino.moves import PUTS, CasinoEvent, Take
from companion.games.casino.situation import BOARD_SPOT, Situation
from companion.games.casino.violations import violations_of
from companion.games.shared.cards.deck import CARDS, CODES, RANK
from companion.games.shared.cards.hands import changed_cards, come_to, drawn, hand_spot, heap, known_hands, player_seen
from companion.games.shared.search.bit_sets import bits


def won_spot(seat: int) -> str:
    """Returns the name of the heap of the cards that a seat has won."""
    return f"seat{seat}.won"


def layout(situation: Situation) -> Layout:
    """Returns the layout of the board, the won cards, and the hands of which all cards are known."""
    won = {won_spot(seat): heap(bits(cards)) for seat, cards in enumerate(situation.won)}
    return Layout(heaps={BOARD_SPOT: heap(situation.board), **won, **known_hands(situation.hands)})


def candidates(situation: Situation, seen: Layout) -> Iterator[CasinoEvent]:
    """Yields the legal events that may be the next step toward a seen table."""
    for event in _events(situation, seen):
        if not violations_of(situation, event):
            yield event


def infer_event(situation: Situation, seen: Layout) -> CasinoEvent | None:
    """Returns the event that best explains the change from the position to `seen`, by the best candidates; None without
    one.

    Cards that left the board with one that was played are a take; a new card on the board is a put, or what comes from
    deck and pile where that is due.
    """
    return next(_events(situation, seen), None)


def pending_prompt(situation: Situation, seen: Layout) -> str | None:
    """Returns what the player must do to complete a take: gather the cards or name them; None if no take is pending."""
    if situation.ended or isinstance(situation.expects(), ToDraw):
        return None
    gone, come = changed_cards(situation.board, seen, BOARD_SPOT)
    if situation.is_last_play and _lies_open(seen) and (gone or come):
        return "That was the last card. Whoever took last gets what still lies on the board: gather it (CAS-7)."
    if len(come) == 1 and situation.captures.by[RANK[(card := come.pop())]]:
        return f"{CODES[card]} lies on the board and can take. Gather what it takes (CAS-5)."
    if gone and not come and not situation.hands.known[situation.turn]:
        return "Cards are gone from the board, and no picture shows with which card they were taken. Say which (CAS-5)."
    return None


def _events(situation: Situation, seen: Layout) -> Iterator[CasinoEvent]:
    """Yields the events, legal or not, that may lead toward a seen table, the likeliest first."""
    if situation.ended:
        return
    due = situation.expects()
    gone, come = changed_cards(situation.board, seen, BOARD_SPOT)
    if isinstance(due, ToDraw):
        found = _drawn(situation, due, seen, gone, come)
        if found is not None:
            yield found
        return
    seat, before = (
        player_seen(situation.hands, situation.turn, seen),
        come_to(situation.board, Layout(heaps=seen.unexplained), BOARD_SPOT),
    )
    if situation.is_last_play and situation.last is not None:
        # While cards are being gathered, those that the played card takes look like those that the last taker gets.
        if not _lies_open(seen):
            yield from _last_plays(situation, seat, (*before, *_from_hand(situation, seat, seen)))
        return
    if gone:
        for card in (*before, *_from_hand(situation, seat, seen)):
            if card not in come and situation.hands.may_hold(seat, card):
                yield Take(seat, CARDS[card], tuple(CARDS[other] for other in sorted(gone)))
    for card in come_to(situation.board, seen, BOARD_SPOT):
        half_made = bool(situation.captures.by[RANK[card]]) and hand_spot(seat) not in seen.heaps
        if not half_made or (card in before and len(come) > 1):
            yield PUTS[seat][card]


def _lies_open(seen: Layout) -> bool:
    """Returns true if any card lies on the board, or if the board was not seen."""
    return bool(seen.heaps.get(BOARD_SPOT, (True,)))


def _last_plays(situation: Situation, seat: int, played: Iterable[int]) -> Iterator[CasinoEvent]:
    """Yields the last play of a round, after which all cards are gathered: which of them the card itself took is not
    seen, and has no consequence, so it is the largest take (CAS-7).
    """
    for card in played:
        takes = situation.captures.by[RANK[card]]
        if takes:
            largest = max(takes, key=int.bit_count)
            yield Take(seat, CARDS[card], tuple(CARDS[other] for other in situation.taken(largest)))
        else:
            yield PUTS[seat][card]


def _from_hand(situation: Situation, seat: int, seen: Layout) -> Iterator[int]:
    """Yields the card that left an open hand."""
    if not situation.hands.hidden[seat]:
        played, more = changed_cards(situation.hands.known[seat], seen, hand_spot(seat))
        if len(played) == 1 and not more:
            yield from played
        return
    _, taken = changed_cards(bits(situation.won[seat]), seen, won_spot(seat))
    played = taken - set(situation.board)
    if len(played) == 1:
        yield from played


def _drawn(situation: Situation, due: ToDraw, seen: Layout, gone: set[int], come: set[int]) -> Drawn | None:
    if not due.shown:
        missing, come = changed_cards(situation.hands.known[due.seat], seen, hand_spot(due.seat))
        gone = gone | missing
    return None if gone else drawn(due, come)
