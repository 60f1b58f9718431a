"""Searches the events that may lie between a position and a seen table (`State.candidates`, `illegal_candidates`,
`infer_event`).

A turn consists of a usage of the roll, pawns' moves and captured pawns that are put back, and a picture may be taken in
its middle or after it. Few of the many moves agree with a picture: a pawn came to a place where one is visible, or it
left a place where it is no longer visible and can still go on from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from companion.core.contract import Drawn, Rolled, ToDraw, ToRoll
from companion.core.foundation.errors import MoveError
from companion.core.layout import Detection, Layout
from companion.core.pieces import PRIMARIES, Die
from companion.games.shared import color_dice
from companion.games.shared.cards.deck import NUMBER, PIECES, card
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum import chance, observation, opening, told
from companion.games.spectrum.board import RINGS, SPACE, SPOTS, STOCK, STOCKS
from companion.games.spectrum.moves import (
    END_TURNS,
    PASSES,
    Activate,
    Declare,
    Go,
    Move,
    PlacePawn,
    SpectrumEvent,
    Surrender,
    Swap,
    TakeOff,
    ends_of,
)
from companion.games.spectrum.observation import PawnChange, change, letters_of
from companion.games.spectrum.situation import EMPTY, LETTER, LETTERS, Situation

if TYPE_CHECKING:
    from companion.games.spectrum.state import SpectrumState

DEPTH = 8
"""The largest number of events searched between two pictures."""
BREADTH = 400
"""The largest number of positions searched."""
_QUICK = 150
"""The largest number of positions searched if the only question is whether an explanation exists."""
_MOST_CHANGED = 7
"""If more spaces than this differ, more happened than one wrong move and its consequences."""
_PAIRS = 3
"""If more pawns of a color than this have left and come, no single wrong move explains the board."""


def candidates(state: SpectrumState, seen: Layout) -> tuple[SpectrumEvent, ...]:
    """Returns the legal events that may be the next step from this position toward `seen`."""
    changed = change(state, seen)
    match state.phase:
        case "move":
            return tuple(_of_usage(state, changed))
        case "declare":
            return tuple(_declares(state, changed, seen))
        case "place":
            return tuple(move for move in state.moves if isinstance(move, PlacePawn) and _is_put(move, changed))
        case "pass":
            noticed = changed.changed or observation.CARDS in seen.heaps or _early_roll(state, seen) is not None
            return (PASSES[state.turn],) if noticed else ()
        case "off":
            return tuple(move for move in state.moves if isinstance(move, TakeOff) and _has_left(state, move, changed))
        case "start" | "end":
            return (*_rolls(state, seen), *_between_turns(state, changed, seen))
        case "send":
            return state.moves
        case "over":
            return ()
    return (*_rolls(state, seen), *_draws(state, changed, seen), *_picks(state, changed))


def _of_usage(state: SpectrumState, changed: PawnChange) -> Iterator[Move]:
    """Yields the legal moves that agree with a picture; a picture cannot show whether a pawn kept to one color."""
    for move in state.moves:
        if isinstance(move, Swap):
            if changed.changed & (1 << SPACE[move.one] | 1 << SPACE[move.other]) or not changed.changed:
                yield move
        elif isinstance(move, Go) and not move.one_color and _agrees(state, move, changed):
            yield move


def _agrees(state: SpectrumState, go: Go, changed: PawnChange) -> bool:
    """True if the pawn may have made this move: it is visible at its end, or can have gone on from there."""
    ends = ends_of(go)
    assert ends is not None
    origin, space = ends.origin, ends.space
    letter = LETTERS[origin - STOCK] if origin >= STOCK else state.board[origin]
    if changed.came[letter] >> space & 1:
        return True
    met, is_changed = state.board[space], bool(changed.changed >> space & 1)
    has_left = origin >= STOCK or bool(changed.gone[letter] >> origin & 1)
    if has_left and (is_changed or met == letter):
        # Something else happened at its end, or it captured a pawn of its own color there.
        return True
    replaced = state.left.bit_count() > 2
    if not (has_left or replaced or (is_changed and met != EMPTY)):
        return False
    return _can_have_gone_on(state.apply(go), state.turn, letter, space, _Seen(state.board, changed))


class _Seen(NamedTuple):
    """A picture with the board that it is compared with."""

    board: str
    changed: PawnChange

    def shows(self, letter: str, space: int) -> bool:
        """True if a pawn of this color may stand there."""
        stays = self.board[space] == letter and not self.changed.gone[letter] >> space & 1
        return stays or bool(self.changed.came[letter] >> space & 1)


def _can_have_gone_on(after: SpectrumState, turn: int, letter: str, space: int, seen: _Seen) -> bool:
    """True if the pawn on a space can go on, in the same turn, to a place where such a pawn is visible."""
    if after.turn != turn or after.phase not in ("move", "place"):
        return False
    if after.phase == "place":
        return True
    for move in after.moves:
        if isinstance(move, Go) and move.pawn == SPOTS[space]:
            there = SPACE[move.to]
            if seen.shows(letter, there):
                return True
            more = after.left.bit_count() > 1 and not after.used.plain
            if more and _can_have_gone_on(after.apply(move), turn, letter, there, seen):
                return True
    return False


def _declares(state: SpectrumState, changed: PawnChange, seen: Layout) -> Iterator[Declare]:
    """Yields declarations of usages with a first move that agrees with the picture; all, if the dice in use are looked
    at.
    """
    for usage in state.alive:
        declare = Declare(state.turn, usage.name)
        if observation.DECLARED in seen.heaps or any(_of_usage(state.apply(declare), changed)):
            yield declare


def _is_put(place: PlacePawn, changed: PawnChange) -> bool:
    return bool((changed.changed | changed.came[LETTER[place.pawn]]) >> SPACE[place.to] & 1)


def _has_left(situation: Situation, off: TakeOff, changed: PawnChange) -> bool:
    space = SPACE[off.pawn]
    return bool(changed.gone[situation.board[space]] >> space & 1)


def _rolls(situation: Situation, seen: Layout) -> tuple[Rolled, ...]:
    """Returns the rolls that the tray may show, if the right number of dice was rolled: judged by faces or by what the
    reader knows of moved dice.
    """
    heap = seen.heaps.get(observation.DICE)
    due = chance.expects(told.advance(situation))
    if heap is None or not isinstance(due, ToRoll):
        return ()
    moved = seen.heaps.get(observation.MOVED)
    if moved is not None and len(moved) < len(due.dice):
        return ()
    if any(one.probability(None) >= one.confidence for one in heap):
        return ()  # A die that is out of sight is only known from the last roll, and all dice are rolled together.
    return tuple(Rolled(faces) for faces in _readings(situation, due, heap, moved is not None))


def _readings(
    situation: Situation, due: ToRoll, heap: Sequence[Detection], rolled: bool = False
) -> Iterator[tuple[Die, ...]]:
    """Args:
    rolled: True if the dice are known to have been rolled, so that they may also show their old faces.
    """
    kept = situation.extras.kept
    kinds = due.dice + (due.dice[0],) * bool(kept)
    for faces in color_dice.readings(heap, kinds):
        colors = [str(one.face) for one in faces]
        if kept and kept in colors:
            place = colors.index(kept)
            yield (*faces[:place], *faces[place + 1 :])
        elif not kept and (rolled or sorted(colors) != sorted(situation.roll)):
            yield faces


def _between_turns(state: SpectrumState, changed: PawnChange, seen: Layout) -> Iterator[Move]:
    """Yields portals, a surrendered pawn, and the end of a turn before those of the next."""
    spent = seen.heaps.get(observation.SPENT)
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


def _draws(situation: Situation, changed: PawnChange, seen: Layout) -> Iterator[Drawn]:
    """Yields draws of the cards that must come: those that lie open now, those that new pawns show, or unseen ones."""
    due = chance.expects(situation)
    if not isinstance(due, ToDraw):
        return
    if not due.shown:
        yield Drawn(due.seat, (None,) * due.count)
        return
    step = opening.due(situation) if situation.phase == "set-up" else None
    laid = _laid(situation, seen, step is not None and step.step == "weights")
    if step is not None and step.step == "shotgun cards" and not laid:
        letter = LETTER[situation.teams[due.seat][0]]
        there = [divmod(space, RINGS) for space in bits(changed.came[letter])]
        cards = [card(path, ring + 1) for path, ring in there if ring < opening.SHOTGUN_RINGS]
    else:
        cards = laid
    if 0 < len(cards) <= due.count:
        yield Drawn(due.seat, tuple(PIECES[number] for number in sorted(cards)))


def _laid(situation: Situation, seen: Layout, weights: bool) -> list[int]:
    """The cards that came to the place of the drawn cards, or of the weights."""
    heap = seen.heaps.get(observation.WEIGHTS if weights else observation.CARDS, ())
    there = [NUMBER[one.piece] for one in heap if one.piece in NUMBER]
    if weights:
        known = {card(color, weight) for color, weight in enumerate(situation.extras.weights) if weight}
        return [number for number in there if number not in known]
    known_cards = {*situation.extras.drawn, *situation.extras.discards}
    return [number for number in there if number not in known_cards]


def _picks(state: SpectrumState, changed: PawnChange) -> Iterator[Move]:
    """Yields picks of colors whose new pawns are visible (VAR-4)."""
    for move in state.moves:
        ring = opening.ring_due(state, move.seat) + 1
        spaces = [SPACE[f"{getattr(move, name)}.{ring}"] for name in ("one", "other")]
        if all(changed.changed >> space & 1 for space in spaces):
            yield move


class Explanation(NamedTuple):
    """A usage of a roll, and the events that lead with it from the position to the seen table."""

    usage: str
    """The name of the usage; "" if none had to be declared."""
    events: tuple[SpectrumEvent, ...]


def explanations(state: SpectrumState, seen: Layout) -> tuple[Explanation, ...]:
    """Returns the usages that explain a changed board, each with its shortest sequence of legal events, shortest first.

    With one answer, the player's actions imply the usage; with several, a player must say which one is meant.
    """
    found: dict[str, Explanation] = {}
    for events, _ in _paths(state, seen):
        usage = next((one.usage for one in events if isinstance(one, Declare)), "")
        found.setdefault(usage, Explanation(usage, events))
    return tuple(found.values())


def _paths(
    state: SpectrumState, seen: Layout, breadth: int = BREADTH
) -> Iterator[tuple[tuple[SpectrumEvent, ...], SpectrumState]]:
    """Yields sequences of legal events that lead to `seen`, by best candidates, the shortest first; one for each
    usage.
    """
    reached = {(state, "")}
    wanted = letters_of(seen).spaces
    frontier: list[tuple[tuple[SpectrumEvent, ...], str, SpectrumState]] = [((), "", state)]
    for _ in range(DEPTH):
        following = []
        for events, usage, here in frontier:
            for event in candidates(here, seen):
                try:
                    after = here.apply(event)
                except MoveError:
                    continue
                used = event.usage if isinstance(event, Declare) else usage
                if (after, used) in reached or len(reached) > breadth:
                    continue
                reached.add((after, used))
                way = (*events, event)
                if all(after.board[space] == best for space, best, _ in wanted) and not after.layout().differences(
                    seen
                ):
                    yield way, after
                following.append((way, used, after))
        frontier = following


def infer_event(state: SpectrumState, seen: Layout) -> SpectrumEvent | None:
    """Returns the first event, legal or not, of the shortest change to `seen`, by best readings; None if none explains
    it.
    """
    if not state.layout().differences(seen):
        return None
    for events, _ in _paths(state, seen):
        return events[0]
    return next(illegal_candidates(state, seen), None)


def illegal_candidates(state: SpectrumState, seen: Layout) -> Iterator[SpectrumEvent]:
    """Yields illegal events that may lead from here to `seen`, by best candidates; each can be carried out.

    They never accuse a player of moving without a roll, since the camera may have missed the roll, nor if legal events
    explain the whole turn.
    """
    if state.phase not in ("move", "declare", "pass", "place"):
        return
    changed = change(state, seen, 1.0)
    if changed.changed.bit_count() > _MOST_CHANGED or (_is_fresh(state) and _is_explained(state, seen)):
        return
    for event in _guesses(state, changed, seen):
        if state.violations(event):
            try:
                state.apply_unchecked(event)
            except MoveError:
                continue
            yield event


def _is_fresh(state: SpectrumState) -> bool:
    """True if no part of the roll has been used yet."""
    return state.phase == "declare" or (state.phase == "move" and state.left == state.used.all_parts)


def _is_explained(state: SpectrumState, seen: Layout) -> bool:
    """True if legal events lead to the seen table."""
    return next(_paths(state, seen, _QUICK), None) is not None


def _guesses(state: SpectrumState, changed: PawnChange, seen: Layout) -> Iterator[SpectrumEvent]:
    """Yields the events that the difference looks like, legal or not."""
    if state.phase == "place":
        held = state.held
        assert held is not None
        for space in bits(changed.came[LETTER[held.color]]):
            yield PlacePawn(held.seat, held.color, SPOTS[space])
        return
    early = _early_roll(state, seen) if state.phase == "move" else None
    if early is not None:
        yield early
    for seat in state.clockwise():
        for color in state.teams[seat]:
            yield from _moved(state, seat, color, changed)


def _early_roll(situation: Situation, seen: Layout) -> Rolled | None:
    """Returns dice that differ from the last roll, if they are as many as the next roll needs; None otherwise."""
    heap = seen.heaps.get(observation.DICE)
    if heap is None or situation.options.cards_as_dice:
        return None
    due = ToRoll(situation.turn, chance.dice_kinds(situation))
    moved = seen.heaps.get(observation.MOVED)
    if moved is not None and len(moved) < len(due.dice):
        return None
    faces = next(_readings(situation, due, heap), None)
    return None if faces is None else Rolled(faces)


def _moved(state: SpectrumState, seat: int, color: str, changed: PawnChange) -> Iterator[Go]:
    """Yields moves of a pawn of a color from where one left to where one came, or entered there.

    A pawn that is seen nowhere may have gone to a space that was not looked at; that one has entered there shows in no
    picture.
    """
    letter = LETTER[color]
    came, gone = list(bits(changed.came[letter] & ~changed.unseen)), list(bits(changed.gone[letter]))
    if len(came) > _PAIRS or len(gone) > _PAIRS:
        return
    if len(came) < len(gone) and changed.unseen.bit_count() <= _PAIRS:
        came += bits(changed.unseen)
    for start in gone:
        for space in came:
            yield _of_some_part(state, Go(seat, SPOTS[start], SPOTS[space]))
    if len(came) > len(gone):
        for space in bits(changed.came[letter] & ~changed.unseen):
            yield _of_some_part(state, Go(seat, STOCKS[PRIMARIES.index(color)], SPOTS[space]))


def _of_some_part(state: SpectrumState, go: Go) -> Go:
    """Returns a wrong move as the part of which it breaks the fewest rules, if parts come in any order."""
    if state.phase != "move" or go.seat != state.turn or not state.used.free:
        return go
    parts = [place + 1 for place in range(len(state.used.parts)) if state.left >> place & 1]
    return min((replace(go, part=part) for part in reversed(parts)), key=lambda one: len(state.violations(one)))
