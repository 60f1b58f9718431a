"""Alerts: what counts as the same matter, and what stays open over a restart."""

from __future__ import annotations

from companion.core.contract import Violation
from companion.core.verdict import Choice, Pending, Refused, Same, Unclear
from companion.referee.journal import Row
from companion.referee.session.alert import open_refusal, same_matter
from simulation.ladder import LADDER, SET, Lay, Skip

BREACH = Violation("LAD-3", "No color.", ("c4",))


def refused(cell: int, margin: float) -> Refused:
    return Refused(Lay(cell, SET[0]), 0, (BREACH,), margin)


def test_scores_do_not_make_another_matter() -> None:
    assert same_matter(refused(4, 3.0), refused(4, 5.0))
    assert not same_matter(refused(4, 3.0), refused(5, 3.0))
    one, other = Choice((Skip(),), "skip", (), 0.0), Choice((Lay(4, SET[0]),), "lay", (), 0.5)
    assert same_matter(Unclear((one, other)), Unclear((other, one)))
    assert not same_matter(Unclear((one, other)), Unclear((one,)))
    assert same_matter(Pending("a"), Pending("a"))
    assert not same_matter(Pending("a"), Pending("b"))
    assert not same_matter(Same(), Pending("a"))


def test_a_refusal_is_open_only_while_its_row_is_the_last() -> None:
    row = Row(
        n=1,
        at=0.0,
        kind="refused",
        seat=1,
        event={"type": "skip"},
        text="skip",
        source="camera",
        scores=(0, 0),
        legal=0,
        digest="",
        more={"breaches": [{"rule": "LAD-3", "text": "No color.", "where": ["c4"]}]},
    )
    assert open_refusal(LADDER, [row]) == Refused(Skip(), 1, (BREACH,), 0.0)
    undo = Row(
        n=2, at=0.0, kind="undo", seat=None, event=None, text="", source="page", scores=(0, 0), legal=0, digest=""
    )
    assert open_refusal(LADDER, [row, undo]) is None
    assert open_refusal(LADDER, []) is None
