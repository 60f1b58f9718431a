"""The verdict: the best explanation of the picture, and the margin that is needed to act on it.

Explanations compete by cost: the negative log-likelihood ratio of the reading plus a prior. "Nothing happened" and a
legal move have prior 0, an illegal move ln 50. So one doubtful cell is never enough for a move, let alone for an
accusation: a wrong accusation is the worst error there is, and a question is always better.

`MEASURED_MARGIN` is fitted (`docs/matching.md`), the other constants are chosen;
`python -m bench.turns`, `python -m bench.part_seen` and `python -m simulation.drawn.games --eyes truth` check them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import takewhile
from math import exp, log
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from companion.core.contract import Drawn, Event, State
from companion.core.game import Game
from companion.core.layout import Layout, Spot
from companion.core.pieces import Piece
from companion.core.verdict import (
    Accepted,
    Choice,
    Desynchronized,
    Pending,
    Refused,
    Same,
    TakenBack,
    Unclear,
    Verdict,
    named,
)
from companion.referee.matching.accounts import UNTOLD, is_plain, shows_cards
from companion.referee.matching.clearing import cleaned
from companion.referee.matching.covered_cards import withdrawn
from companion.referee.matching.doubts import (
    differences,
    doubt,
    half_made,
    many,
    off_the_table,
    prompt_of,
    rolling,
    unexplained,
)
from companion.referee.matching.evidence import Evidence
from companion.referee.matching.excuses import excused_silently, held
from companion.referee.matching.foresight import change, has_grown, is_of_pyramids, is_of_remembered, lie_alone
from companion.referee.matching.guided import any_needs_confirmation, are_alike, is_rereadable, search_of
from companion.referee.matching.hypotheses import DEPTH, EXPLAINED, ILLEGAL, Hypothesis, cost
from companion.referee.matching.movers import in_other_order, movers
from companion.referee.matching.rereading import FARTHEST
from companion.referee.matching.rolls import doubtful_die, rolled_alike
from companion.referee.matching.stories import common_turns
from companion.referee.observation import observation_of

ACCEPT_MARGIN = 3.0
"""Nats (20 to 1) by which a legal move must beat everything else to be taken."""
MEASURED_MARGIN = 1.5
"""The same lead (4 to 1) if only pieces with measured misreadings change (`companion/referee/observation`)."""
BACK_MARGIN = 2.0
"""Nats by which an earlier position must beat everything else for moves to count as taken back."""
FITS = 2.5
"""The largest cost in nats that a winner may keep on the spots that it changes."""
CONTRADICTED = 6.0
"""The cost elsewhere in nats (400 to 1) that no winner may keep: something else is on the table, too."""
ASK_MARGIN = 0.4
"""Nats (3 to 2) by which an event with stacks or cells must beat "nothing has happened" to be asked about."""
AS_PREDICTED = 0.4
"""Below this ratio (3 to 2) a picture of a board shows the position that the state predicts."""
HEAP_MARGIN = 0.05
"""The value that replaces `ASK_MARGIN` and `AS_PREDICTED` where pyramids lie one by one: each has its own place, and is
there or not."""
ANSWER_MARGIN = 2.0
"""Nats (7 to 1) within which another event with pyramids is one of the answers to a question."""
LIKELIER = 0.4
"""Nats (3 to 2) by which one of two draws must be likelier to be taken; the drawn piece is then a doubt."""
NEAR = 2 * ACCEPT_MARGIN
"""Nats beyond the best explanation from which on other explanations are not weighed against it."""
SPECULATIVE = 4.5
"""The largest prior (90 to 1) of an accepted explanation with an unseen piece: at most a draw and two exchanges."""
OTHERWISE = 2.0
"""Nats by which an accusation must lead every other accusation that the picture may show."""
MISREAD_DIE = 0.01
"""The odds of another face (for two looks together; 1 to 22 in each) from which on a die in view excuses a move that
its face forbids: such a die is misread in look after look."""
ALIKE = "If they were rolled, play on or say so; if they were only pushed, roll."
SUSPECTED = 3.0
"""Nats (20 to 1) by which an illegal event that fits the picture may be less likely than "nothing has happened" and
still be asked about. Its prior is low, so a less sure reading never outweighs it. Chosen."""
UNPROVEN = 5.0
"""Nats (150 to 1) within which another legal explanation that fits as well is asked about if the best one rests on
something unseen. Chosen."""
SHORT = 3
"""The largest number of events that is searched where only legal ones are wanted, unless more pieces have moved."""
HINT = 0.02
"""The least probability with which a cell must be what an explanation says for a question about it. Chosen."""
RIVALS = 6
"""The number of less likely explanations that are kept beside one that is taken. Chosen."""
CHOICES = 3
"""The largest number of answers to a question; with more answers, the referee waits for a clearer picture."""


def match(
    game: Game[Any],
    state: State,
    seen: Layout,
    *,
    draws_unseen: bool = False,
    history: Sequence[State] = (),
    absent: Mapping[Spot, Sequence[Piece]] = MappingProxyType({}),
    fresh: Container[str] = frozenset(),
    veiled: Mapping[Spot, Sequence[Piece]] = MappingProxyType({}),
    lawful: bool = False,
) -> Verdict:
    """Compares the prediction of the state with the reading.

    Legal events and short sequences of them, the illegal event that the change looks like, earlier positions and
    "nothing happened, something was misread" compete. The winner is accepted only if it fits the reading and leads by a
    margin; else the verdict is a question, or pending.

    Args:
        draws_unseen: True if hands are out of sight, so that a due draw counts as made; the verdict's events do not
            name it.
        history: Earlier positions, oldest first; `TakenBack.to` is an index into it.
        absent: By heap, pieces that lie there out of sight.
        fresh: Places whose picture has changed.
        veiled: By heap, the absent pieces at known places that are hidden.
        lawful: True to search only legal explanations.
    """
    evidence = Evidence(seen, absent, fresh=fresh, before=state.layout() if fresh else None, veiled=veiled)
    search = search_of(game, state, evidence, draws_unseen, _few_events(state.layout(), seen) if lawful else DEPTH)
    same = search.same._replace(prior=withdrawn(seen))
    one_by_one = lie_alone(same.table, seen) or has_grown(same.table, seen)
    if same.nll_ratio <= (HEAP_MARGIN if one_by_one else AS_PREDICTED):
        again = None if lawful else rolled_alike(game, state, seen)
        return (
            Same() if again is None else Pending(f"The dice may have fallen as they lay: {game.text(again)}. {ALIKE}")
        )
    moves = search.legal()
    broken = [] if lawful else search.illegal(moves)
    best = min([same, *moves, *broken], key=cost)
    back = _earlier(same, history, evidence)
    if back is not None and back[1] <= FITS and back[1] + ILLEGAL + BACK_MARGIN <= best.cost:
        return rolling(same.table, state, evidence) or TakenBack(back[0])
    if best is same:
        return _unmoved(game, same, moves + broken, evidence)
    every = sorted((*moves, *broken), key=cost)
    likely = takewhile(lambda one: one.cost < best.cost + ACCEPT_MARGIN, every)
    bearable = next((one for one in likely if _fits(one, same, evidence, FITS)), None)
    if bearable is None:
        return _stuck(game, same, best, evidence)
    best = bearable
    every = sorted((*every, *in_other_order(game, state, best, draws_unseen)), key=cost)
    # An accused player gets the benefit of readings that would not suffice for a move.
    most = CONTRADICTED if best.breaches else FITS
    near = takewhile(lambda one: one.cost < best.cost + NEAR, every)
    fitting = [one for one in near if _fits(one, same, evidence, FITS if one.breaches else most)]
    rivals = _rivals(game, state, best, fitting, draws_unseen)
    against = [same.cost, *(one.cost for one in rivals[:1]), *([back[1] + ILLEGAL] if back is not None else [])]
    margin = min(against) - best.cost
    allowed = [same.cost, *(one.cost for one in rivals if not one.breaches)]
    if best.breaches:  # A likelier legal explanation excuses the player, even one that fits the reading less well.
        allowed += [one.cost for one in every if not one.breaches and one.cost < best.cost]
    if best.breaches and back is not None and _is_undone(best, back[1], allowed):
        return TakenBack(back[0])
    measured = is_of_remembered(same.table, best.table, evidence.seen)
    explains_more = any(one.nll_ratio < best.nll_ratio - EXPLAINED for one in rivals)
    enough = MEASURED_MARGIN if measured and not explains_more else ACCEPT_MARGIN
    legal = best.events[:-1] if best.breaches else best.events
    others = _rivals(game, state, best, every, draws_unseen)
    said = any_needs_confirmation(game, state, legal, draws_unseen)
    if said or may_be_otherwise(state, best, rivals, draws_unseen):
        return _question(game, same, best, rivals, evidence, confirm=True, said=said)
    excuses = [*allowed, *([back[1] + ILLEGAL] if back is not None else [])]
    other = next((one.cost - best.cost for one in rivals if one.breaches), OTHERWISE)
    if best.breaches and is_plain(best.cost, excuses) and other >= OTHERWISE:
        shown = doubtful_die(best.table, evidence, MISREAD_DIE)
        if shown is not None:
            words = f"{game.told(best.events)}, with a die that shows {named(shown[0])}, not {named(shown[1])}"
            return Unclear((Choice(best.events, words, best.breaches, 0.0),))
        excused = excused_silently(game, same, best, evidence) or held(game, best, evidence)
        if excused is not None:
            return excused
        waiting = None if same.prior else half_made(same.table, state, evidence)
        if waiting is not None and off_the_table(same.table, evidence):
            # The piece that has left lies where the accusation puts it, and reads too faintly there to be sure.
            return _suspected(game, same, [best], evidence) or waiting
        return waiting or Refused(
            best.events[-1], best.seat, best.breaches, min(excuses) - best.cost, best.events[:-1], best.cost
        )
    if not best.breaches and margin >= enough and best.prior <= (SPECULATIVE if best.phantom else UNTOLD):
        waiting = half_made(same.table, state, evidence) if best.phantom else None
        if waiting is not None:
            return waiting
        weight = max(1, len(change(None, same.table, best.table).spots(seen)))
        score = (same.nll_ratio - best.nll_ratio) / weight
        runner_up = others[0].events if others else ()
        open_ = _not_ruled_out(game, same, best, others)
        return Accepted(best.events, score, margin, runner_up, best.unseen, best.cost, rivals=open_)
    return _question(game, same, best, rivals, evidence)


def _few_events(table: Layout, seen: Layout) -> int:
    """Returns the largest number of events that is searched where only legal ones are wanted."""
    moved = 0
    for one in table.differences(seen):
        expected, there = Counter(one.expected), Counter(one.seen)
        moved += (expected - there).total() + (there - expected).total()
    return min(max(SHORT, moved), DEPTH)


def may_be_otherwise(state: Any, best: Hypothesis, rivals: Iterable[Hypothesis], draws_unseen: bool) -> bool:
    """Returns true if another legal explanation may be true, and the best one rests on something that no picture shows,
    or the other one gives equally visible moves to other players, or to the same ones in another order.

    One that only leaves events out is no other explanation: the usual margin decides against it, against one that fits
    the picture worse, and against moves of more players than the single event that explains the picture as well.
    """
    if best.breaches:
        return False
    legal = [one for one in rivals if not one.breaches]
    near = [one for one in legal if one.cost < best.cost + ACCEPT_MARGIN]
    if best.unseen:
        near += [one for one in legal if one.cost < best.cost + UNPROVEN and _fits_alike(one, best)]
        return any(not _is_part(one.events, best.events) for one in near)
    seats = movers(state, best.events, draws_unseen)
    others = [movers(state, one.events, draws_unseen) for one in near if _fits_alike(one, best)]
    return any(other != seats for other in others if len(best.events) > 1 or len(other) <= len(seats))


def _fits_alike(one: Hypothesis, other: Hypothesis) -> bool:
    """Returns true if two explanations fit the picture about equally well."""
    return abs(one.nll_ratio - other.nll_ratio) <= EXPLAINED


def _is_part(some: Iterable[Event], events: Iterable[Event]) -> bool:
    """Returns true if all of some events are among others, in the same order."""
    rest = iter(events)
    return all(event in rest for event in some)


def _rivals(
    game: Game[Any], state: State, best: Hypothesis, every: Iterable[Hypothesis], draws_unseen: bool
) -> list[Hypothesis]:
    """Returns the rivals of the best explanation, sorted by cost; of the close ones only those that say something
    else.
    """
    far = best.cost + ACCEPT_MARGIN
    return [
        one
        for one in every
        if one is not best and (one.cost >= far or not are_alike(game, state, best, one, draws_unseen))
    ]


def _not_ruled_out(
    game: Game[Any], same: Hypothesis, best: Hypothesis, others: Sequence[Hypothesis]
) -> tuple[Choice, ...]:
    """Returns the legal explanations that are less likely than the one that is taken, but may still excuse somebody."""
    legal = [one for one in (same, *others) if not one.breaches and one.cost <= best.cost + FARTHEST]
    return tuple(Choice(one.events, game.told(one.events), (), one.cost) for one in sorted(legal, key=cost)[:RIVALS])


def _fits(one: Hypothesis, same: Hypothesis, evidence: Evidence, most: float) -> bool:
    """Returns true if an explanation fits the reading, regardless of others.

    Args:
        most: The largest remaining ratio where it changes something.
    """
    what = change(None, same.table, one.table)
    left = what.left(evidence.read)
    elsewhere = one.nll_ratio - evidence.touched(one.table) - left
    if left + what.beside(evidence.read, one.table) > most or elsewhere > CONTRADICTED:
        return False
    return not what.moves(evidence.read, one.table)


def _is_undone(accusation: Hypothesis, nll_ratio: float, lawful: Sequence[float]) -> bool:
    """Returns true if an illegal event looks as much like moves taken back, and like no legal event.

    Args:
        nll_ratio: The cost of the earlier position that fits best; `lawful`: the costs of all legal explanations.
    """
    return (
        nll_ratio <= FITS and abs(nll_ratio + ILLEGAL - accusation.cost) < BACK_MARGIN <= min(lawful) - accusation.cost
    )


def _unmoved(game: Game[Any], same: Hypothesis, others: Sequence[Hypothesis], evidence: Evidence) -> Verdict:
    """Returns the verdict if no event beats "nothing happened", but the reading differs.

    A touched place alone does not count as a difference.
    """
    read = evidence.read
    waiting = half_made(same.table, same.state, read)
    if waiting is not None and not off_the_table(same.table, read):
        return waiting
    asked = _suspected(game, same, others, evidence) or waiting
    if asked is not None:
        return asked
    if same.nll_ratio - evidence.touched(same.table) > CONTRADICTED and not any(
        one.cost - same.cost < ACCEPT_MARGIN and _fits(one, same, evidence, FITS) for one in others
    ):
        return _stuck(game, same, same, read)
    said = doubt(same.table, read)
    still = all(one.cost - same.cost >= ACCEPT_MARGIN for one in others)
    return replace(said, still=still) if isinstance(said, Pending) else said


def _suspected(game: Game[Any], same: Hypothesis, others: Sequence[Hypothesis], evidence: Evidence) -> Unclear | None:
    """Returns the question whether a rule was broken, if the picture shows it and only its prior speaks against it.

    Returns None if a misreading or a legal event is as likely.
    """
    best = min((one for one in others if _fits(one, same, evidence, FITS)), key=cost, default=None)
    if best is None or not best.breaches or best.cost - same.cost > SUSPECTED:
        return None
    events = best.events
    score = max(0.0, best.cost - same.cost)
    return Unclear((Choice(events, game.told(events), best.breaches, score),), best.cost)


def _stuck(game: Game[Any], same: Hypothesis, best: Hypothesis, evidence: Evidence) -> Verdict:
    """Returns the verdict if no event explains the picture: what the game waits for, else the differences."""
    found = unexplained(same.table, best.table, best.state, evidence)
    if isinstance(found, Desynchronized) and not best.breaches and _is_hinted(best, evidence):
        return Unclear((Choice(best.events, game.told(best.events), (), 0.0),), best.cost)
    word = prompt_of(game, same.state, cleaned(same.table, evidence)) if isinstance(found, Desynchronized) else None
    return found if word is None else Pending(word, behind=True)


def _is_hinted(best: Hypothesis, evidence: Evidence) -> bool:
    """Returns true if the only cost of an explanation is one cell of pyramids whose top may be the expected one."""
    against = differences(best.table, evidence)
    if not best.events or len(against) != 1:
        return False
    ((spot, expected, seen),) = against
    pieces = (*expected, *seen)
    known = all(piece is not None and observation_of(piece).remembered for piece in pieces)
    sighting = evidence.seen.cells.get(spot)
    return known and sighting is not None and sighting.probability(expected[0]) >= HINT


def _question(
    game: Game[Any],
    same: Hypothesis,
    best: Hypothesis,
    rivals: Sequence[Hypothesis],
    evidence: Evidence,
    *,
    confirm: bool = False,
    said: bool = False,
) -> Verdict:
    """Returns a question if several explanations are close, or one is far-fetched, and one of two or three must be
    true.

    Args:
        confirm: True if only a person may say that one of them is true.
        said: True if the best one has an event that is always asked about.
    """
    measured = is_of_remembered(same.table, best.table, evidence.seen)
    pyramids = measured or is_of_pyramids(same.table, best.table, evidence.seen)
    enough = _ask_margin(same, best) if pyramids else ACCEPT_MARGIN
    near = ANSWER_MARGIN if measured and not confirm else ACCEPT_MARGIN
    close = [best, *(one for one in rivals if one.cost - best.cost < near)]
    least = 1 if best.nll_ratio <= FITS else 2
    told = [best, *(one for one in close if not best.breaches and not one.breaches and one is not best)]
    if same.cost - _together(told) < enough or len(close) < least:
        return _suspected(game, same, [best, *rivals], evidence) or doubt(same.table, evidence)
    if is_rereadable(game) and same.cost - best.cost >= ASK_MARGIN and _is_one_story(close):
        return Accepted(best.events, 0.0, close[1].cost - best.cost, close[1].events, best.unseen, best.cost)
    legal = best.nll_ratio <= FITS and not best.breaches
    if len(close) > CHOICES and (said or not (legal and (pyramids or confirm))):
        if legal:
            return many([game.told(one.events) for one in close])
        # Where pieces are drawn out of sight, any of the legal draws may explain it.
        drawn = is_rereadable(game) and any(not one.breaches for one in close)
        return (None if drawn else _suspected(game, same, [best], evidence)) or doubt(same.table, evidence)
    others = [one for one in rivals if one not in close and not one.breaches and one.cost - best.cost <= FARTHEST]
    answers = [
        Choice(one.events, game.told(one.events), one.breaches, one.cost - best.cost, confirm=confirm)
        for one in (*close, *others[:RIVALS])
    ]
    open_ = said or len(close) < 2 or shows_cards(evidence.seen) or any(one.breaches for one in close)
    shown = min(len(close), CHOICES)
    common = () if open_ else common_turns([one.events for one in close])
    common = common if all(_is_part(common, one.events) for one in others if confirm) else ()
    return Unclear(tuple(answers[:shown]), best.cost, common, tuple(answers[shown:]))


def _together(some: Sequence[Hypothesis]) -> float:
    """Returns the cost of explanations of which one must be true."""
    return -log(sum(exp(-one.cost) for one in some))


def _is_one_story(close: Sequence[Hypothesis]) -> bool:
    """Returns true if several explanations differ only in the drawn piece, and one is likelier than the others.

    That there was a draw is clear then, and the piece will be seen when it is used; until then it is a doubt.
    """
    best = close[0]
    if len(close) < 2 or best.breaches or best.phantom or not isinstance(best.events[-1], Drawn):
        return False
    same = all(
        not one.breaches and one.events[:-1] == best.events[:-1] and isinstance(one.events[-1], Drawn)
        for one in close[1:]
    )
    return same and close[1].cost - best.cost >= LIKELIER


def _ask_margin(same: Hypothesis, best: Hypothesis) -> float:
    """Returns the nats by which an event with pyramids must beat "nothing has happened" to be asked about."""
    return HEAP_MARGIN if lie_alone(same.table, best.table) else ASK_MARGIN


def _earlier(same: Hypothesis, history: Sequence[State], evidence: Evidence) -> tuple[int, float] | None:
    """Returns the earlier position that fits best, with its cost; the latest of equal ones. Returns None if all look
    like the present one.
    """
    best: tuple[int, float] | None = None
    for place in range(len(history) - 1, -1, -1):
        one = change(None, same.table, history[place].layout())
        if not one.spots(evidence.seen):
            continue
        nll_ratio = same.cost + one.nll_ratio(evidence)
        if best is None or nll_ratio < best[1]:
            best = place, nll_ratio
    return best
