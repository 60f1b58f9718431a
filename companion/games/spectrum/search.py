"""Which events may lie between a position and what is seen of it (`State.candidates`, `wrongs`, `suggest`).

A turn is a usage of the roll, pawns' moves and captured pawns that are put back, and a picture may be taken in the
middle of it or after it. Few of the many moves agree with a picture: a pawn came to where one is seen, or it left a
place where it is no longer seen and can still go on from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.contract import Drawn, Expect, Rolled, ToDraw, ToRoll
from companion.errors import MoveError
from companion.games import color_dice
from companion.games.deck import NUMBER, PIECES, card
from companion.games.spectrum import chance, opening, sighted, told
from companion.games.spectrum.board import RINGS, SPACE, SPOTS, STOCK, STOCKS, spaces_in
from companion.games.spectrum.listing import playable
from companion.games.spectrum.moves import (
    END_TURNS,
    PASSES,
    Activate,
    Declare,
    Ends,
    Go,
    Move,
    Place,
    SpectrumEvent,
    Surrender,
    Swap,
    TakeOff,
    ends_of,
)
from companion.games.spectrum.situation import EMPTY, LETTER, LETTERS, Situation
from companion.games.spectrum.usages import Usage
from companion.layout import Layout, Sighting
from companion.pieces import PRIMARIES, WHEEL, Die, Pawn

if TYPE_CHECKING:
    from companion.games.spectrum.state import SpectrumState

POSSIBLE = 0.05
"""A reading that is less likely than this is not considered."""
DEPTH = 8
"""No more events than this are looked for between two pictures."""
BREADTH = 400
"""No more positions than this are looked at."""
_PAIRS = 3
"""Where more pawns of a color have left and come than this, no single wrong move explains the board."""


class Change(NamedTuple):
    """How a board that is seen may differ from the position, as masks by letter of the pawns' color."""

    came: dict[str, int]
    """Where a pawn may stand that the position does not have there."""
    gone: dict[str, int]
    """Where a pawn of the position may no longer stand."""
    changed: int
    """Every space that may differ."""


def change(situation: Situation, seen: Layout, least: float = POSSIBLE) -> Change:
    """The difference to `seen`; spaces that were not looked at differ in nothing.

    :param least: readings that are at least so likely count beside the best one.
    """
    came, gone = dict.fromkeys(LETTERS, 0), dict.fromkeys(LETTERS, 0)
    changed = 0
    for spot, sighting in seen.cells.items():
        space = SPACE.get(spot)
        if space is None:
            continue
        here = situation.board[space]
        for place, candidate in enumerate(sighting.candidates):
            if place and candidate.probability < least:
                break
            piece = candidate.piece
            letter = LETTER.get(piece.color, EMPTY) if isinstance(piece, Pawn) else EMPTY
            if letter != here:
                changed |= 1 << space
                if letter != EMPTY:
                    came[letter] |= 1 << space
                if here != EMPTY:
                    gone[here] |= 1 << space
    return Change(came, gone, changed)


def candidates(state: SpectrumState, seen: Layout) -> tuple[SpectrumEvent, ...]:
    """The legal events that may be the next step from this position towards `seen`."""
    changed = change(state, seen)
    match state.phase:
        case "move":
            return tuple(_of_usage(state, state.moves, changed, state.used, state.left))
        case "declare":
            return tuple(_declares(state, changed, seen))
        case "place":
            return tuple(move for move in state.moves if isinstance(move, Place) and _is_put(move, changed))
        case "pass":
            return PASSES[state.turn : state.turn + 1] if changed.changed or _rolls(state, seen) else ()
        case "off":
            return tuple(move for move in state.moves if isinstance(move, TakeOff) and _has_left(state, move, changed))
        case "start" | "end":
            return (*_rolls(state, seen), *_between_turns(state, changed, seen))
        case "send":
            return state.moves
        case "over":
            return ()
    return (*_rolls(state, seen), *_draws(state, changed, seen), *_picks(state, changed))


def _of_usage(situation: Situation, moves: Iterable[Move], changed: Change, usage: Usage, left: int) -> Iterator[Move]:
    """Those of a usage's moves that agree with a picture; kept colors are never seen."""
    for move in moves:
        if isinstance(move, Swap):
            if changed.changed & (1 << SPACE[move.one] | 1 << SPACE[move.other]) or not changed.changed:
                yield move
        elif isinstance(move, Go) and not move.one_color:
            ends = ends_of(move)
            assert ends is not None
            if _agrees(situation, move, ends, changed, usage, left):
                yield move


def _agrees(situation: Situation, go: Go, ends: Ends, changed: Change, usage: Usage, left: int) -> bool:
    """Whether the pawn may have made this move: it is seen where it went, or has left and can have gone on."""
    origin, space = ends.origin, ends.space
    letter = LETTERS[origin - STOCK] if origin >= STOCK else situation.board[origin]
    came = changed.came[letter]
    if came >> space & 1:
        return True
    left_place = origin >= STOCK or bool(changed.gone[letter] >> origin & 1)
    if left_place and (changed.changed >> space & 1 or situation.board[space] == letter):
        # Something else happened where it went, or it captured a pawn of its own color there.
        return True
    if usage.plain:
        return left == 2 and left_place and _is_single(ends) and _can_reach(space, came, 1)
    rest = left & ~(1 << (go.part - 1) if go.part else left & -left)
    if not rest or not (left_place or rest & (rest - 1)):
        return False
    longest = sum(part.spaces for place, part in enumerate(usage.parts) if rest >> place & 1)
    return _can_reach(space, came, longest)


def _is_single(ends: Ends) -> bool:
    """Whether a plain move took one space."""
    if ends.origin >= STOCK:
        return ends.space % RINGS == 0 and ends.space // RINGS % 2 == 0
    return distance(ends.origin, ends.space) == 1


def distance(one: int, other: int) -> int:
    """Steps from space to space on an empty board, stars taken for ordinary spaces."""
    path, ring = divmod(one, RINGS)
    along, out = divmod(other, RINGS)
    around = abs(path - along)
    return min(around, len(WHEEL) - around) + abs(ring - out)


def _can_reach(space: int, targets: int, spaces: int) -> bool:
    """Whether so many spaces can lead to one of the targets; a jump comes three steps far for two spaces."""
    return any(distance(space, target) <= (3 * spaces) // 2 for target in spaces_in(targets))


def _declares(state: SpectrumState, changed: Change, seen: Layout) -> Iterator[Declare]:
    """Usages of which some first move agrees with the picture; all of them where the dice in use are looked at."""
    for usage in state.alive:
        moves = playable(state, usage, usage.all_parts)
        if sighted.DECLARED in seen.heaps or any(_of_usage(state, moves.moves, changed, usage, moves.left)):
            yield Declare(state.turn, usage.name)


def _is_put(place: Place, changed: Change) -> bool:
    space = SPACE[place.to]
    return bool(changed.changed >> space & 1)


def _has_left(situation: Situation, off: TakeOff, changed: Change) -> bool:
    space = SPACE[off.pawn]
    return bool(changed.gone[situation.board[space]] >> space & 1)


def _rolls(situation: Situation, seen: Layout) -> tuple[Rolled, ...]:
    """The dice in the tray, if they lie otherwise than at the last roll and as many as are due."""
    heap = seen.heaps.get(sighted.DICE)
    due = chance.expects(told.ahead(situation))
    if heap is None or not isinstance(due, ToRoll):
        return ()
    return tuple(Rolled(faces) for faces in _readings(situation, due, heap))


def _readings(situation: Situation, due: ToRoll, heap: Sequence[Sighting]) -> Iterator[tuple[Die, ...]]:
    kept = situation.extras.kept
    kinds = due.dice + (due.dice[0],) * bool(kept)
    for faces in color_dice.readings(heap, kinds):
        colors = [str(one.face) for one in faces]
        if kept and kept in colors:
            place = colors.index(kept)
            yield (*faces[:place], *faces[place + 1 :])
        elif not kept and tuple(sorted(colors)) != tuple(sorted(situation.roll)):
            yield faces


def _between_turns(state: SpectrumState, changed: Change, seen: Layout) -> Iterator[Move]:
    """Portals, a surrendered pawn, and the end of a turn before those of the next."""
    spent = seen.heaps.get(sighted.SPENT)
    for move in state.moves:
        match move:
            case Activate():
                space = SPACE[f"{move.card.color}.{move.card.rank}"]
                shown = spent is not None and any(one.piece == move.card for one in spent)
                if shown or changed.changed >> space & 1:
                    yield move
            case Surrender():
                if any(changed.gone.values()):
                    yield move
    if state.phase == "end" and (changed.changed or spent is not None):
        yield END_TURNS[state.turn]


def _draws(situation: Situation, changed: Change, seen: Layout) -> Iterator[Drawn]:
    """Cards that are due: those that lie open now, those that new pawns show, or unseen ones."""
    due = chance.expects(situation)
    if not isinstance(due, ToDraw):
        return
    if not due.shown:
        yield Drawn(due.seat, (None,) * due.count)
        return
    step = opening.due(situation) if situation.phase == "set-up" else None
    if step is not None and step.step == "shotgun cards":
        letter = LETTER[situation.teams[due.seat][0]]
        there = [divmod(space, RINGS) for space in spaces_in(changed.came[letter])]
        cards = [card(path, ring + 1) for path, ring in there if ring < opening.SHOTGUN_RINGS]
    else:
        drawn = set(situation.extras.drawn)
        heap = seen.heaps.get(sighted.CARDS, ())
        cards = [NUMBER[one.piece] for one in heap if one.piece in NUMBER and NUMBER[one.piece] not in drawn]
    if 0 < len(cards) <= due.count:
        yield Drawn(due.seat, tuple(PIECES[number] for number in sorted(cards)))


def _picks(state: SpectrumState, changed: Change) -> Iterator[Move]:
    """Picked colors whose pawns are seen (VAR-4)."""
    for move in state.moves:
        ring = opening.ring_due(state, move.seat) + 1
        spaces = [SPACE[f"{getattr(move, name)}.{ring}"] for name in ("one", "other")]
        if all(changed.changed >> space & 1 for space in spaces):
            yield move


class Explanation(NamedTuple):
    """One usage of a roll, and the events that lead from the position to what is seen."""

    usage: str
    """"" where none had to be declared."""
    events: tuple[SpectrumEvent, ...]


def explanations(state: SpectrumState, seen: Layout) -> tuple[Explanation, ...]:
    """The usages that explain a changed board, each with its shortest sequence of legal events, the shortest first.

    One answer: the usage is implied by what the player has done. Several: somebody must say which one is meant.
    """
    found: dict[str, Explanation] = {}
    for events, _ in _paths(state, seen):
        usage = next((one.usage for one in events if isinstance(one, Declare)), "")
        found.setdefault(usage, Explanation(usage, events))
    return tuple(found.values())


def _paths(state: SpectrumState, seen: Layout) -> Iterator[tuple[tuple[SpectrumEvent, ...], SpectrumState]]:
    """Sequences of legal events that lead to `seen`, by best readings, the shortest first."""
    reached = {state}
    frontier: list[tuple[tuple[SpectrumEvent, ...], SpectrumState]] = [((), state)]
    for _ in range(DEPTH):
        following = []
        for events, here in frontier:
            for event in candidates(here, seen):
                try:
                    after = here.apply(event)
                except MoveError:
                    continue
                if after in reached or len(reached) > BREADTH:
                    continue
                reached.add(after)
                way = (*events, event)
                if not after.layout().differences(seen):
                    yield way, after
                following.append((way, after))
        frontier = following


def suggest(state: SpectrumState, seen: Layout) -> SpectrumEvent | None:
    """The first event, legal or not, of the shortest change to `seen`, by best readings; None if none explains it."""
    if not state.layout().differences(seen):
        return None
    for events, _ in _paths(state, seen):
        return events[0]
    return next(wrongs(state, seen), None)


def wrongs(state: SpectrumState, seen: Layout) -> Iterator[SpectrumEvent]:
    """Illegal events that may lie between here and `seen`, by best readings; each can be carried out.

    Nobody is accused of moving without a roll: then it is the roll that was not seen.
    """
    if state.phase not in ("move", "declare", "pass", "place"):
        return
    for event in _guesses(state, change(state, seen, 1.0), seen):
        if state.explain(event):
            try:
                state.allow(event)
            except MoveError:
                continue
            yield event


def _guesses(situation: Situation, changed: Change, seen: Layout) -> Iterator[SpectrumEvent]:
    """What the difference looks like, whatever the rules say."""
    if situation.phase == "place":
        held = situation.held
        assert held is not None
        for space in spaces_in(changed.came[LETTER[held.color]]):
            yield Place(held.seat, held.color, SPOTS[space])
        return
    yield from _early_roll(situation, seen)
    for seat in situation.clockwise():
        for color in situation.teams[seat]:
            yield from _moved(situation, seat, color, changed)


def _early_roll(situation: Situation, seen: Layout) -> Iterator[Rolled]:
    """Other dice lie in the tray although the turn is not over."""
    heap = seen.heaps.get(sighted.DICE)
    due: Expect | None = None
    if heap is not None and situation.phase == "move":
        due = ToRoll(situation.turn, (chance.KIND[situation.options.dice],) * chance.dice_due(situation))
    if heap is not None and isinstance(due, ToRoll):
        for faces in _readings(situation, due, heap):
            yield Rolled(faces)
            return


def _moved(situation: Situation, seat: int, color: str, changed: Change) -> Iterator[Go]:
    """A pawn of a color that went from where it left to where one came, or entered there."""
    letter = LETTER[color]
    came, gone = list(spaces_in(changed.came[letter])), list(spaces_in(changed.gone[letter]))
    if len(came) > _PAIRS or len(gone) > _PAIRS:
        return
    for start in gone:
        for space in came:
            yield Go(seat, SPOTS[start], SPOTS[space], _part_number(situation, seat))
    if len(came) > len(gone):
        for space in came:
            yield Go(seat, STOCKS[PRIMARIES.index(color)], SPOTS[space], _part_number(situation, seat))


def _part_number(situation: Situation, seat: int) -> int:
    """Which part a wrong move is taken for where parts come in any order: the first that is left."""
    if situation.phase != "move" or seat != situation.turn or not situation.used.free:
        return 0
    return (situation.left & -situation.left).bit_length()
