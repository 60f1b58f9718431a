"""Which events lie between a position and a seen table.

A turn may hold a draw, exchanges and additions in one picture, and a drawn piece may be exchanged before anybody saw
it. So events are built backwards from what came and what is gone: few remain, and short sequences of them are cheap to
try. Order hardly matters within a turn; positions that were reached before are not searched again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.contract import Drawn, Seat
from companion.errors import MoveError
from companion.games.spectra.exchanges import YIELDS
from companion.games.spectra.moves import END_TURNS, Add, Exchange, SpectraEvent, Withdraw
from companion.games.spectra.sighted import Change, change, hideable, sharpened
from companion.games.spectra.situation import Situation
from companion.games.spectra.stash import KIND, KINDS, pieces_of
from companion.games.spectra.stash import changed as grown
from companion.layout import Layout
from companion.pieces import Pyramid

if TYPE_CHECKING:
    from companion.games.spectra.state import SpectraState

DEPTH = 6
"""No more events than this are looked for between two pictures."""
BREADTH = 300
"""No more positions than this are looked at."""
LEAD = 3
"""An illegal event is looked for after at most so many legal ones: the bag passed on, a draw, an exchange."""

_PARTNERS: dict[tuple[int, int], frozenset[int]] = {}
for (_one, _other), _all_made in YIELDS.items():
    for _made in _all_made:
        for _known, _partner in ((_one, _other), (_other, _one)):
            _PARTNERS[_known, _made] = _PARTNERS.get((_known, _made), frozenset()) | {_partner}
"""A kind given and the kind taken, to the kinds that may have been given with it."""


def candidates(situation: Situation, seen: Layout) -> tuple[SpectraEvent, ...]:
    """The legal events that may be the next step from the position towards `seen`.

    Doubtful readings only add events. A sequence that needs a draw is found with the draw before the exchanges.
    """
    if situation.ending is not None:
        return ()
    return tuple(_candidates(situation, change(situation, seen)))


def _candidates(situation: Situation, changed: Change) -> Iterator[SpectraEvent]:
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
    following = situation.following
    if situation.turn is not None and following is not None and situation.may_end and changed.touches(following):
        yield END_TURNS[situation.turn]


def _came(situation: Situation, changed: Change, seat: Seat) -> list[int]:
    """Kinds that came to a seat, to its supply or straight into its trees (SPA-23)."""
    supply, trees = changed.came_supply[seat], changed.came_trees[seat]
    return [kind for kind in range(len(KINDS)) if supply[kind] or trees[kind]]


def _drawable(situation: Situation, changed: Change, seat: Seat) -> set[int]:
    """Kinds that the draw may have brought: seen now, or given away in an exchange since."""
    came = _came(situation, changed, seat)
    gone = [kind for kind, count in enumerate(changed.gone_supply[seat]) if count]
    found = set(came)
    for taken in came:
        for given in gone:
            found |= _PARTNERS.get((given, taken), frozenset())
    for taken, one, other in _chains(came, gone):
        # Two exchanges in a row: what the first one brought was given in the second one at once.
        for between in _PARTNERS.get((other, taken), frozenset()):
            found |= _PARTNERS.get((one, between), frozenset())
        for between in YIELDS.get((min(one, other), max(one, other)), ()):
            found |= _PARTNERS.get((between, taken), frozenset())
    return {kind for kind in found if situation.bag[kind]}


def _chains(came: Sequence[int], gone: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    for taken in came:
        for one in gone:
            for other in gone:
                yield taken, one, other


def _is_plausible_add(situation: Situation, changed: Change, add: Add) -> bool:
    kind, seat = KIND[add.piece], add.seat
    if not changed.gone_supply[seat][kind]:
        return False
    if changed.came_trees[seat][kind]:
        return True
    # A piece put into a nest appears nowhere. That is believed only where nothing else is left to explain.
    others = any(count for other, count in enumerate(changed.gone_supply[seat]) if other not in situation.loose(seat))
    if others or _came(situation, changed, seat):
        return False
    standing = grown(situation.trees[seat], kind, 1)
    return hideable(situation.colors[seat], standing).count(add.piece) > changed.gone_trees[seat][kind]


def _is_plausible_exchange(situation: Situation, changed: Change, exchange: Exchange) -> bool:
    seat, source = exchange.seat, exchange.source
    one, other = (KIND[piece] for piece in exchange.gave)
    made = KIND[exchange.took]
    gone = changed.gone_supply[seat]
    if not gone[one] or not gone[other]:
        return False
    if source != "bag":
        came = changed.came_supply[source]
        if not (changed.gone_supply[source][made] and came[one] and came[other]):
            return False
    brought = _came(situation, changed, seat)
    if made in brought:
        return True
    # What it took may have been given in a further exchange at once.
    rest = [kind for kind, count in enumerate(gone) if count > (kind in (one, other))]
    return any(taken in YIELDS.get((min(made, kind), max(made, kind)), ()) for kind in rest for taken in brought)


def suggest(state: SpectraState, seen: Layout) -> SpectraEvent | None:
    """The first event of the shortest sequence that turns the position into `seen`, judged by best candidates.

    All events of the sequence are legal, or all but the last (a piece taken illegally may then have gone straight into
    a tree). None if there is no such sequence, or nothing changed.
    """
    seen = sharpened(seen)
    if state.ending is not None or not state.layout().differences(seen):
        return None
    paths = list(_paths(state, seen))
    for way in paths:
        if way.first is not None and not way.here.layout().differences(seen):
            return way.first
    near = [way for way in paths if way.steps <= LEAD]
    broken = [(way, event) for way in near if (event := _illegal(way.here, seen)) is not None]
    if not broken:
        return None
    way, event = min(broken, key=lambda one: (one[0].steps, len(one[0].here.explain(one[1]))))
    return event if way.first is None else way.first


class _Way(NamedTuple):
    """A position reached by legal events."""

    here: SpectraState
    first: SpectraEvent | None
    """The event that it begins with; None at the start."""
    steps: int


def _paths(state: SpectraState, seen: Layout) -> Iterator[_Way]:
    """Positions on legal ways from here towards `seen`, nearest first."""
    known = {state}
    wave = [_Way(state, None, 0)]
    for _ in range(DEPTH + 1):
        yield from wave
        further = []
        for way in wave:
            for event in candidates(way.here, seen):
                after = way.here.apply(event)
                if after not in known and len(known) < BREADTH:
                    known.add(after)
                    further.append(_Way(after, event if way.first is None else way.first, way.steps + 1))
        wave = further


def _illegal(state: SpectraState, seen: Layout) -> SpectraEvent | None:
    """The illegal event that alone turns the position into `seen`, an addition of what it took aside."""
    for event in _guesses(state, change(state, seen)):
        try:
            after = state.allow(event)
        except MoveError:
            continue
        if not state.explain(event):
            continue
        if not after.layout().differences(seen):
            return event
        if isinstance(event, Exchange | Drawn) and after.ending is None:
            for add in after.moves:
                if isinstance(add, Add) and not after.apply(add).layout().differences(seen):
                    return event
    return None


def _guesses(situation: Situation, changed: Change) -> Iterator[SpectraEvent]:
    """What the difference looks like, whatever the rules say: a draw, an addition, an exchange."""
    seats = range(situation.seats)
    came = [(pieces_of(changed.came_supply[seat]), pieces_of(changed.came_trees[seat])) for seat in seats]
    gone = [(pieces_of(changed.gone_supply[seat]), pieces_of(changed.gone_trees[seat])) for seat in seats]
    touched = [seat for seat in seats if changed.touches(seat)]
    moved_in = [(seat, piece, area) for seat in touched for area in (0, 1) for piece in came[seat][area]]
    moved_out = [(seat, piece, area) for seat in touched for area in (0, 1) for piece in gone[seat][area]]
    if len(moved_in) == 1 and not moved_out:
        seat, piece, _ = moved_in[0]
        yield Drawn(seat, (piece,))
    if len(moved_in) == len(moved_out) == 1 and moved_in[0][1] == moved_out[0][1]:
        (owner, piece, into), (seat, _, out_of) = moved_in[0], moved_out[0]
        if (out_of, into) == (0, 1):
            yield Add(seat, piece, owner)
        elif (out_of, into) == (1, 0) and owner == seat:
            yield Withdraw(seat, piece)
    for seat in _first(situation, touched):
        gave, took = (*gone[seat][0], *gone[seat][1]), (*came[seat][0], *came[seat][1])
        if len(took) != 1 or not 1 <= len(gave) <= 4:
            continue
        others = [other for other in touched if other != seat]
        if not others and len(gave) > 1:
            # One piece for one of the bag is far more likely a misread piece than a move.
            yield Exchange(seat, gave, took[0], "bag", gone[seat][1])
        elif len(others) == 1:
            yield from _with_player(seat, gave, took[0], others[0], came, gone)


_Areas = Sequence[tuple[tuple[Pyramid, ...], tuple[Pyramid, ...]]]


def _with_player(
    seat: Seat, gave: tuple[Pyramid, ...], took: Pyramid, other: Seat, came: _Areas, gone: _Areas
) -> Iterator[Exchange]:
    received = sorted(came[other][0], key=KIND.__getitem__)
    if received == sorted(gave, key=KIND.__getitem__) and (*gone[other][0], *gone[other][1]) == (took,):
        yield Exchange(seat, gave, took, other, (*gone[seat][1], *gone[other][1]))


def _first(situation: Situation, touched: Iterable[Seat]) -> list[Seat]:
    """Seats with the one on turn in front, then the one whose turn comes next."""
    order = (situation.turn, situation.following)
    return sorted(touched, key=lambda seat: order.index(seat) if seat in order else len(order))
