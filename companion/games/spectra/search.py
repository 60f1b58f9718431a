"""Searches the events between a position and a seen table.

One picture may hold a draw, exchanges and additions, and a drawn piece may be exchanged before a picture shows it. So
the search builds events backwards from the pieces that came and went: few remain, and short sequences of them are cheap
to try. Order hardly matters within a turn; positions that were reached before are not searched again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import log
from typing import TYPE_CHECKING, NamedTuple

from companion.core.contract import Drawn, Seat
from companion.core.foundation.errors import MoveError
from companion.core.layout import Layout
from companion.core.pieces import Pyramid
from companion.games.shared.search.ways import first_step, ways
from companion.games.spectra.exchanges import YIELDS
from companion.games.spectra.moves import END_TURNS, Add, Exchange, SpectraEvent, Withdraw
from companion.games.spectra.situation import OWN_KINDS, Situation
from companion.games.spectra.stash import KIND, KINDS, Pile, pieces_of
from companion.games.spectra.stash import changed as grown
from companion.games.spectra.state import HeapChange, change, hideable, sharpened

if TYPE_CHECKING:
    from companion.games.spectra.state import SpectraState

DEPTH = 6
"""The largest number of events searched between two pictures."""
BREADTH = 300
"""The largest number of positions searched."""
_MOST_GIVEN = 3
"""If more pieces than this are gone, there were several exchanges, and no picture shows which of them was wrong."""
_GIVEN_TO_PLAYERS = 2
"""If more pieces than this came to another player, they came in several exchanges."""
NOT_TWO = log(10)
"""The number of nats against an exchange of one piece or three instead of two: a single piece is more likely misread or
drawn unseen, and three were more likely given in several exchanges.
"""
LEAD = 3
"""The largest number of legal events before an illegal one: the bag passed on, a draw, an exchange."""

_PARTNERS: dict[tuple[int, int], frozenset[int]] = {}
for (_one, _other), _all_made in YIELDS.items():
    for _made in _all_made:
        for _known, _partner in ((_one, _other), (_other, _one)):
            _PARTNERS[_known, _made] = _PARTNERS.get((_known, _made), frozenset()) | {_partner}
"""A kind given and the kind taken, to the kinds that may have been given with it."""
_NONE: frozenset[int] = frozenset()
_CHAINED = 2
"""The largest number of further exchanges of a taken piece: it may be given again, and so may the piece taken for
it.
"""


def candidates(situation: Situation, seen: Layout) -> tuple[SpectraEvent, ...]:
    """Returns the legal events that may be the next step from the position toward `seen`.

    Doubtful readings only add events. A sequence that needs a draw is found with the draw before the exchanges.
    """
    if situation.ending is not None:
        return ()
    return tuple(_candidates(situation, change(situation, seen)))


def _candidates(situation: Situation, changed: HeapChange) -> Iterator[SpectraEvent]:
    for seat in situation.movers:
        if not changed.touches(seat) and situation.turn is None:
            continue
        if situation.may_draw:
            for kind in sorted(_drawable(situation, changed, seat)):
                yield Drawn(seat, (KINDS[kind],))
    for move in situation.moves:
        if isinstance(move, Add):
            if _is_plausible_add(situation, changed, move):
                yield move
        elif isinstance(move, Exchange) and _is_plausible_exchange(situation, changed, move):
            yield move
    next_seat = situation.next_seat
    if situation.turn is not None and next_seat is not None and situation.may_end and changed.touches(next_seat):
        yield END_TURNS[situation.turn]


def _came(changed: HeapChange, seat: Seat) -> list[int]:
    """Returns the kinds that came to a seat, to its supply or directly into its trees (SPA-23)."""
    supply, trees = changed.came_supply[seat], changed.came_trees[seat]
    return [kind for kind in range(len(KINDS)) if supply[kind] or trees[kind]]


def _drawable(situation: Situation, changed: HeapChange, seat: Seat) -> set[int]:
    """Returns the kinds that the draw may have brought: visible now, or given away in an exchange since."""
    came = _came(changed, seat)
    gone = [kind for kind, count in enumerate(changed.gone_supply[seat]) if count]
    found = set(came)
    for taken in came:
        for given in gone:
            found |= _PARTNERS.get((given, taken), _NONE)
    for taken, one, other in product(came, gone, gone):
        # There may be two exchanges in a row: the piece from the first one is given in the second one.
        for between in _PARTNERS.get((other, taken), _NONE):
            found |= _PARTNERS.get((one, between), _NONE)
        for between in YIELDS.get((min(one, other), max(one, other)), ()):
            found |= _PARTNERS.get((between, taken), _NONE)
    if gone or came:
        # It may have been given to another player.
        found |= {kind for other in range(situation.seats) if other != seat for kind in _came(changed, other)}
    if _nests(situation, changed, seat):
        found |= {kind for kind in OWN_KINDS[situation.colors[seat]] if _may_vanish(situation, changed, seat, kind)}
    return {kind for kind in found if situation.bag[kind] and situation.reach in (None, KINDS[kind].size)}


def _is_plausible_add(situation: Situation, changed: HeapChange, add: Add) -> bool:
    kind, seat = KIND[add.piece], add.seat
    if not changed.gone_supply[seat][kind]:
        return False
    if any(changed.came_trees[seat]):
        # Trees hold one color, so any piece that came there may be this one with its size misread.
        return True
    # A piece put into a nest becomes invisible. The search assumes that only if all other changes are explained.
    others = any(count for other, count in enumerate(changed.gone_supply[seat]) if other not in situation.loose(seat))
    if others or _came(changed, seat):
        return False
    return _may_vanish(situation, changed, seat, kind)


def _may_vanish(situation: Situation, changed: HeapChange, seat: Seat, kind: int) -> bool:
    """True if a piece may stand unseen in the trees after it is added."""
    if not situation.fits(seat, kind):
        return False
    standing = grown(situation.trees[seat], kind, 1)
    return hideable(situation.colors[seat], standing).count(KINDS[kind]) > changed.gone_trees[seat][kind]


def _nests(situation: Situation, changed: HeapChange, seat: Seat) -> bool:
    """True if something stands unseen in a seat's trees now."""
    gone = changed.gone_trees[seat]
    return any(gone[KIND[piece]] for piece in hideable(situation.colors[seat], situation.trees[seat]))


def _is_plausible_exchange(situation: Situation, changed: HeapChange, exchange: Exchange) -> bool:
    seat, source = exchange.seat, exchange.source
    one, other = (KIND[piece] for piece in exchange.gave)
    made = KIND[exchange.took]
    gone = changed.gone_supply[seat]
    if not gone[one] or not gone[other]:
        return bool(gone[one]) != bool(gone[other]) and _comes_back(exchange, gone)
    brought = _came(changed, seat)
    if source != "bag" and not _is_given(situation, changed, exchange, made in brought):
        return False
    if made in brought or (_nests(situation, changed, seat) and _may_vanish(situation, changed, seat, made)):
        return True
    # The taken piece may have been given in another exchange right away.
    rest = [kind for kind, count in enumerate(gone) for _ in range(count - (kind == one) - (kind == other))]
    return _leads_to(made, tuple(rest), frozenset(brought), _CHAINED)


def _comes_back(exchange: Exchange, gone: Pile) -> bool:
    """True if a given piece that is still there may have been regained for the piece that this exchange takes."""
    given = [KIND[piece] for piece in exchange.gave]
    stays, left = given if gone[given[1]] else given[::-1]
    made = KIND[exchange.took]
    return any(
        stays in YIELDS.get((min(made, partner), max(made, partner)), ())
        for partner, count in enumerate(gone)
        if count > (partner == left)
    )


def _is_given(situation: Situation, changed: HeapChange, exchange: Exchange, stayed: bool) -> bool:
    """True if the other player of an exchange has the given pieces, and no longer has the taken one.

    A player whose turn comes next may have given the received pieces on and regained the taken one. A piece that its
    taker no longer has may have gone back in another exchange.
    """
    source = exchange.source
    assert source != "bag"
    if source == situation.next_seat:
        return True
    came = changed.came_supply[source]
    if not all(came[KIND[piece]] for piece in exchange.gave):
        return False
    return bool(changed.gone_supply[source][KIND[exchange.took]]) or not stayed


@lru_cache(maxsize=1 << 12)
def _leads_to(made: int, rest: tuple[int, ...], brought: frozenset[int], more: int) -> bool:
    """True if at most `more` further exchanges can turn a piece, with some of `rest`, into one that was brought."""
    for partner in _partners(rest) if more > 1 else dict.fromkeys(rest):
        for taken in YIELDS.get((min(made, partner), max(made, partner)), ()):
            if taken in brought:
                return True
            if more > 1 and partner in rest and _leads_to(taken, _without(rest, partner), brought, more - 1):
                return True
    return False


def _partners(rest: tuple[int, ...]) -> dict[int, None]:
    """Returns the kinds that may be given together with another piece: one of `rest`, or a yield of two of them."""
    found = dict.fromkeys(rest)
    for place, one in enumerate(rest):
        for other in rest[place + 1 :]:
            found.update(dict.fromkeys(YIELDS.get((min(one, other), max(one, other)), ())))
    return found


def _without(rest: tuple[int, ...], kind: int) -> tuple[int, ...]:
    place = rest.index(kind)
    return (*rest[:place], *rest[place + 1 :])


def infer_event(state: SpectraState, seen: Layout) -> SpectraEvent | None:
    """Returns the first event of the shortest sequence that turns the position into `seen`, judged by best candidates.

    All events of the sequence are legal, or all but the last (a piece taken illegally may then have gone straight into
    a tree). None if there is no such sequence, or no change.
    """
    seen = sharpened(seen)
    if state.ending is not None or not state.layout().differences(seen):
        return None
    legal = ways(state, lambda here: candidates(here, seen), DEPTH, BREADTH)
    return first_step(legal, seen, lambda here: _illegal(here, seen), LEAD)


def _illegal(state: SpectraState, seen: Layout) -> SpectraEvent | None:
    """Returns the illegal event that alone turns the position into `seen`; an addition of the taken piece may
    follow.
    """
    for event in illegal_candidates(state, seen):
        try:
            after = state.apply_unchecked(event)
        except MoveError:
            continue
        if not state.violations(event):
            continue
        if not after.layout().differences(seen):
            return event
        if isinstance(event, Exchange | Drawn) and after.ending is None:
            for add in after.moves:
                if isinstance(add, Add) and not after.apply(add).layout().differences(seen):
                    return event
    return None


def illegal_candidates(state: SpectraState, seen: Layout) -> Iterator[SpectraEvent]:
    """Yields the events that the difference to `seen`, a table without doubts, looks like, legal or not.

    An event may explain only a part of the change.
    """
    if state.ending is not None:
        return
    for event in _guesses(state, change(state, seen)):
        # With a hand in the bag, the drawn piece is named first; then the rest may be legal.
        if state.reach is None or isinstance(event, Drawn):
            yield event


def _guesses(situation: Situation, changed: HeapChange) -> Iterator[SpectraEvent]:
    """Yields a draw, an addition, an exchange, each with the pieces that came and are gone.

    A tree piece that may stand unseen need not be gone.
    """
    touched = _in_turn(situation, [seat for seat in range(situation.seats) if changed.touches(seat)])
    came = {seat: _areas(changed.came_supply[seat], changed.came_trees[seat]) for seat in touched}
    gone = {seat: _areas(changed.gone_supply[seat], changed.gone_trees[seat]) for seat in touched}
    sure = {seat: gone[seat]._replace(trees=_in_sight(situation, seat, gone[seat].trees)) for seat in touched}
    for seat in touched:
        for piece in (*came[seat].supply, *came[seat].trees) if not (sure[seat].supply or sure[seat].trees) else ():
            yield Drawn(seat, (piece,))
        for owner, piece in product(_in_turn(situation, range(situation.seats)), dict.fromkeys(gone[seat].supply)):
            hides = owner != seat and _would_hide(situation, owner, piece)
            if hides or (owner in came and piece in came[owner].trees):
                yield Add(seat, piece, owner)
        for piece in dict.fromkeys(gone[seat].trees):
            if piece in came[seat].supply:
                yield Withdraw(seat, piece)
        others = [other for other in touched if other != seat]
        yield from _exchanges(seat, others, came, {**gone, seat: sure[seat]})
        if gone[seat] != sure[seat]:
            yield from _exchanges(seat, others, came, gone)


def _would_hide(situation: Situation, owner: Seat, piece: Pyramid) -> bool:
    """Returns true if a piece that is added to the trees of a seat may stand unseen in a larger one."""
    standing = list(situation.trees[owner])
    standing[KIND[piece]] += 1
    color = situation.colors[owner]
    return len(hideable(color, tuple(standing))) > len(hideable(color, situation.trees[owner]))


def _in_sight(situation: Situation, seat: Seat, gone: tuple[Pyramid, ...]) -> tuple[Pyramid, ...]:
    """Returns the missing tree pieces that cannot stand hidden inside larger ones."""
    return tuple((Counter(gone) - Counter(hideable(situation.colors[seat], situation.trees[seat]))).elements())


class _Areas(NamedTuple):
    """The pieces that came to a seat or left it, by area."""

    supply: tuple[Pyramid, ...]
    trees: tuple[Pyramid, ...]


def _areas(supply: Pile, trees: Pile) -> _Areas:
    return _Areas(pieces_of(supply), pieces_of(trees))


def rarity(state: SpectraState, event: SpectraEvent) -> float:
    """Returns the nats by which an illegal event is rarer than illegal events are."""
    return NOT_TWO if isinstance(event, Exchange) and len(event.gave) != 2 else 0.0


def _exchanges(
    seat: Seat, others: Sequence[Seat], came: Mapping[Seat, _Areas], gone: Mapping[Seat, _Areas]
) -> Iterator[Exchange]:
    """Yields exchanges of everything that left a seat for one piece that came to it, from the bag or from another
    player.
    """
    gave = (*gone[seat].supply, *gone[seat].trees)
    if not 1 <= len(gave) <= _MOST_GIVEN:
        return
    for took in dict.fromkeys((*came[seat].supply, *came[seat].trees)):
        if took in gave:
            continue
        if gone[seat].supply or (len(gave) > 1 and took in came[seat].supply):
            # A change only in a seat's trees is a tree that reads differently.
            yield Exchange(seat, gave, took, "bag", gone[seat].trees)
        for other in others if len(gave) <= _GIVEN_TO_PLAYERS else ():
            received = Counter(came[other].supply)
            if took in (*gone[other].supply, *gone[other].trees) and not Counter(gave) - received:
                yield Exchange(seat, gave, took, other, (*gone[seat].trees, *_from_trees(took, gone[other])))


def _from_trees(took: Pyramid, gone: _Areas) -> tuple[Pyramid, ...]:
    return () if took in gone.supply else (took,)


def _in_turn(situation: Situation, touched: Iterable[Seat]) -> list[Seat]:
    """Returns the seats, the one to move first and the one whose turn comes next after it."""
    order = (situation.turn, situation.next_seat)
    return sorted(touched, key=lambda seat: order.index(seat) if seat in order else len(order))
