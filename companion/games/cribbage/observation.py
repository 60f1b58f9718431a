"""Infers events of Cribbage from what a camera sees: the played cards, the starter, and the crib once it is turned up.

Hands are private. A player only says Go, and a hand is counted where it lies. Neither leaves a trace, so the next card
that implies them also brings them.
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
    """Returns the name of the place of a seat's cut card."""
    return f"seat{seat}.cut"


def layout(situation: Situation) -> Layout:
    """Returns the layout of the fully known hands, the played cards, the starter and the crib.

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
    """Yields the legal events that may be the next step toward a seen table."""
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
    """True for a Go, a count, and cards laid away: a picture does not show them."""
    return isinstance(event, Go | Count | LayAway)


GO_UNHEARD = 9.0
"""The number of nats by which an illegal play that an unheard Go would explain is less likely than other illegal
events. Up to four Goes may precede one card. The value is chosen by judgment.
"""


def rarity(situation: Situation, event: CribbageEvent) -> float:
    """Returns the number of nats by which an illegal event is less likely than others: above a low count, a Go that the
    camera cannot hear would explain nearly every card.
    """
    unheard = isinstance(event, Play) and situation.total > FULL - RANKS
    return GO_UNHEARD if unheard and any(situation.hands.hidden) else 0.0


def infer_event(situation: Situation, seen: Layout) -> CribbageEvent | None:
    """Returns the event that best explains the change from the position to `seen`, by the best candidates; None without
    one.

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
    """Returns the play of a new card before a seat, looking at the seat to move first."""
    for step in range(situation.seats):
        seat = (situation.turn + step) % situation.seats
        _, come = changed_cards(situation.played[seat], seen, played_spot(seat))
        if len(come) == 1:
            return PLAYS[seat][come.pop()]
    return None


def _laid_away(situation: Situation, seen: Layout) -> Iterator[LayAway]:
    """Yields the cards that left known hands, or as many unknown cards where hands are not visible."""
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
