"""The verdict: which explanation of the picture wins, and whether it wins clearly enough to act on.

Explanations compete by cost: the regret of what is seen plus a prior. "Nothing happened" and a legal move cost nothing
beforehand, an illegal one ln 50. So one doubtful cell is never enough for a move, let alone for an accusation: a wrong
accusation is the worst error there is, and a question is always better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.contract import Event, State
from companion.layout import Layout
from companion.matching.doubts import differences, doubt, half_made
from companion.matching.evidence import Evidence
from companion.matching.foresight import after, change
from companion.matching.hypotheses import EXPLAINED, ILLEGAL, Hypothesis, Search, cost
from companion.verdict import Accepted, Choice, OutOfStep, Refused, Same, TakenBack, Unclear, Verdict

ACCEPT_MARGIN = 3.0
"""Nats (20 to 1) by which a legal move must beat everything else to be taken."""
REFUSE_MARGIN = 2.0
"""Nats by which an illegal event must beat everything else, over and above its prior, to be called so."""
FITS = 2.5
"""Regret that a winner may keep on the spots that it changes, and that an accusation may keep anywhere."""
CONTRADICTED = 6.0
"""Regret elsewhere (400 to 1) that no winner may keep: then something else is on the table too."""
CHOICES = 3
"""A question with more answers than this is none; then a clearer picture is waited for."""


def match(
    state: State,
    seen: Layout,
    *,
    draws_unseen: bool = False,
    history: Sequence[State] = (),
    text: Callable[[Event], str] = str,
) -> Verdict:
    """Compare what the state predicts with what is seen.

    Legal events and short sequences of them, the illegal event that the change looks like, earlier positions and
    "nothing happened, something was misread" compete. The winner is acted on only if it fits what is seen and is ahead
    of all others by a margin; else it is a question, or there is something to wait for.

    :param draws_unseen: hands are out of sight, so a draw that is due is taken to have happened; the verdict's
        events do not name it.
    :param history: earlier positions, oldest first; `TakenBack.to` is an index into it.
    :param text: the game's notation, for the answers of a question.
    """
    evidence = Evidence(seen)
    search = Search(state, evidence, draws_unseen)
    same = search.same
    if same.regret <= EXPLAINED:
        return Same()
    moves = search.legal()
    wrongs = search.illegal(moves)
    best = min([same, *moves, *wrongs], key=cost)
    back = _earlier(same, history, evidence)
    if back is not None and back[1] <= FITS and back[1] + ILLEGAL + REFUSE_MARGIN <= best.cost:
        return TakenBack(back[0])
    if best is same:
        return _unmoved(same, moves + wrongs, evidence)
    far = best.cost + ACCEPT_MARGIN
    rivals = sorted((one for one in (*moves, *wrongs) if one is not best), key=cost)
    rivals = [one for one in rivals if one.cost >= far or not _alike(state, best, one, draws_unseen)]
    if not _fits(best, same, evidence):
        close = [one for one in rivals if one.cost < far and _fits(one, same, evidence)]
        if close:
            return _question(same, best, close, evidence, text)
        return half_made(best.table, best.state, evidence) or OutOfStep(differences(same.table, evidence))
    others = [same.cost, *(one.cost for one in rivals[:1]), *([back[1] + ILLEGAL] if back is not None else [])]
    margin = min(others) - best.cost
    if best.breaches and margin >= REFUSE_MARGIN and best.regret <= FITS:
        return half_made(same.table, state, evidence) or Refused(
            best.events[-1], best.seat, best.breaches, margin, best.events[:-1]
        )
    if not best.breaches and margin >= ACCEPT_MARGIN:
        weight = max(1, len(change(None, same.table, best.table).spots(seen)))
        return Accepted(best.events, (same.regret - best.regret) / weight, margin, rivals[0].events if rivals else ())
    return _question(same, best, rivals, evidence, text)


def _fits(hypothesis: Hypothesis, same: Hypothesis, evidence: Evidence) -> bool:
    """Whether what is seen bears an explanation out, however it compares with others."""
    left = change(None, same.table, hypothesis.table).left(evidence)
    return left <= FITS and hypothesis.regret - left <= CONTRADICTED


def _unmoved(same: Hypothesis, others: Sequence[Hypothesis], evidence: Evidence) -> Verdict:
    """Nothing explains the picture better than that nothing happened, and yet something differs."""
    waiting = half_made(same.table, same.state, evidence)
    if waiting is not None:
        return waiting
    if same.regret > CONTRADICTED and not any(
        one.cost - same.cost < ACCEPT_MARGIN and _fits(one, same, evidence) for one in others
    ):
        found = differences(same.table, evidence)
        if found:
            return OutOfStep(found)
    return doubt(same.table, evidence)


def _question(
    same: Hypothesis,
    best: Hypothesis,
    rivals: Sequence[Hypothesis],
    evidence: Evidence,
    text: Callable[[Event], str],
) -> Verdict:
    """Several explanations are close: ask which, if one of two or three it must be."""
    close = [best, *(one for one in rivals if one.cost - best.cost < ACCEPT_MARGIN)]
    if same.cost - best.cost < ACCEPT_MARGIN or not 2 <= len(close) <= CHOICES:
        return doubt(same.table, evidence)
    return Unclear(
        tuple(
            Choice(one.events, ", ".join(text(event) for event in one.events), one.breaches, one.cost - best.cost)
            for one in close
        )
    )


def _earlier(same: Hypothesis, history: Sequence[State], evidence: Evidence) -> tuple[int, float] | None:
    """The earlier position that fits best, with its regret; of equal ones the latest. None where all look like now."""
    best: tuple[int, float] | None = None
    for place in range(len(history) - 1, -1, -1):
        one = change(None, same.table, history[place].layout())
        if not one.spots(evidence.seen):
            continue
        regret = same.regret + one.regret(evidence)
        if best is None or regret < best[1]:
            best = place, regret
    return best


def _alike(state: State, best: Hypothesis, other: Hypothesis, draws_unseen: bool) -> bool:
    """Whether another explanation is none of its own: then the cheaper one, or the first listed, stands.

    The same events in another order end in the same position; the same illegal event after other legal ones is the same
    accusation; and some events leave the same table by the word of the rules (`State.alike`).
    """
    if best.breaches and other.breaches and best.events[-1] == other.events[-1]:
        return True
    if bool(best.breaches) != bool(other.breaches):
        return False
    if best.state is not None and best.state == other.state:
        return True
    if len(best.events) != len(other.events) or best.table != other.table:
        return False
    here = state
    for mine, theirs in zip(best.events, other.events, strict=True):
        if mine != theirs:
            return bool(here.alike(mine, theirs))
        here = after(here, mine, draws_unseen)
    return True
