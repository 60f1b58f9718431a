"""Cribbage as a camera sees it: the cards played before each seat, the starter, and the crib once it is turned up.

Hands are private. Go is only said, and a hand is counted as it lies, so neither leaves a trace: they are told with the
next card that shows them.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.contract import Drawn, Over, ToDraw
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece
from companion.games.cribbage.counting import FULL
from companion.games.cribbage.moves import GOES, PLAYS, Count, CribbageEvent, Go, LayAway, Play
from companion.games.cribbage.situation import Situation
from companion.games.cribbage.violations import CRIB_SPOT, STARTER_SPOT, played_spot
from companion.games.shared.cards.deck import CARDS, RANKS
from companion.games.shared.cards.hands import changed_cards, come_to, drawn, hand_spot, heap, known_hands, pieces


def cut_spot(seat: int) -> Spot:
    """Where a seat's cut card lies."""
    return f"seat{seat}.cut"


def layout(situation: Situation) -> Layout:
    """Hands if all of their cards are known, the played cards, the starter, and the crib.

    Until all hands are counted, the crib lies face down, so that its cards may be unseen.
    """
    heaps: dict[Spot, tuple[Detection, ...]] = known_hands(situation.hands)
    covered: dict[Spot, tuple[Piece, ...]] = {}
    heaps[STARTER_SPOT] = heap(() if situation.starter is None else (situation.starter,))
    for seat in range(situation.seats):
        heaps[played_spot(seat)] = heap(sorted(situation.played[seat]))
        if situation.cut:
            card = situation.cut[seat]
            heaps[cut_spot(seat)] = heap(() if card < 0 else (card,))
    heaps[CRIB_SPOT] = heap(situation.crib)
    if situation.crib and not situation.is_crib_up:
        covered[CRIB_SPOT] = pieces(situation.crib)
    return Layout(heaps=heaps, covered=covered)


def candidates(situation: Situation, seen: Layout) -> Iterator[CribbageEvent]:
    """The legal events that may be the next step toward a seen table."""
    due = situation.due
    if isinstance(due, Over):
        return
    if isinstance(due, ToDraw):
        found = _drawn(situation, due, seen)
        if found is not None:
            yield found
        return
    if situation.starter is None:
        yield from _laid_away(situation, seen)
    elif situation.is_played:
        seat, of = situation.counting
        yield Count(seat, of, sum(situation.worth))
    else:
        seat = situation.turn
        come = come_to(situation.played[seat], seen, played_spot(seat))
        plays = [card for card in come if situation.fitting >> card & 1 and situation.hands.may_hold(seat, card)]
        yield from (PLAYS[seat][card] for card in plays)
        if situation.count and not plays and not situation.knows_a_play(seat):
            yield GOES[seat]


def is_said(situation: Situation, event: CribbageEvent) -> bool:
    """True of Go, of counts, and of cards that are laid away: no picture shows them."""
    return isinstance(event, Go | Count | LayAway)


GO_UNHEARD = 9.0
"""Nats by which a play that Go would explain is rarer than other illegal ones: Go is said, and nobody hears it here.
Four of them may come before one card. Chosen."""


def rarity(situation: Situation, event: CribbageEvent) -> float:
    """The nats by which an illegal event is rarer than others: above a low count, Go explains nearly every card."""
    unheard = isinstance(event, Play) and situation.total > FULL - RANKS
    return GO_UNHEARD if unheard and any(situation.hands.hidden) else 0.0


def infer_event(situation: Situation, seen: Layout) -> CribbageEvent | None:
    """The event that the change from the position to `seen` looks like, judged by best candidates.

    A new card among those played is a play, cards gone from a hand into the crib are laid away, and new cards are the
    draw where one is due.
    """
    due = situation.due
    if isinstance(due, Over):
        return None
    if isinstance(due, ToDraw):
        return _drawn(situation, due, seen)
    if situation.starter is not None:
        return _played(situation, seen)
    return next(_laid_away(situation, seen), None)


def _played(situation: Situation, seen: Layout) -> Play | None:
    """The new card before a seat, that of the seat on turn first."""
    for step in range(situation.seats):
        seat = (situation.turn + step) % situation.seats
        _, come = changed_cards(situation.played[seat], seen, played_spot(seat))
        if len(come) == 1:
            return PLAYS[seat][come.pop()]
    return None


def _laid_away(situation: Situation, seen: Layout) -> Iterator[LayAway]:
    """Cards that are gone from known hands, and, where nobody sees hands, so many unknown ones."""
    for seat in situation.to_lay:
        gone, come = changed_cards(situation.hands.known[seat], seen, hand_spot(seat))
        if situation.hands.hidden[seat]:
            if not situation.hands.known[seat]:
                yield LayAway(seat, (None,) * situation.sizes.laid)
        elif gone and not come:
            yield LayAway(seat, tuple(CARDS[card] for card in gone))


def _drawn(situation: Situation, due: ToDraw, seen: Layout) -> Drawn | None:
    held: tuple[int, ...] = ()
    match due.source:
        case "starter":
            spot = STARTER_SPOT
        case "cut":
            spot = cut_spot(due.seat)
        case "crib":
            spot, held = CRIB_SPOT, situation.crib
        case _:
            spot, held = hand_spot(due.seat), situation.hands.known[due.seat]
    _, come = changed_cards(held, seen, spot)
    return drawn(due, come)
