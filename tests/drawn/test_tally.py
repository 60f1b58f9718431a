"""What counts as right, as a question, as a false accusation."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.contract import Violation
from companion.core.layout import Detection, Layout
from companion.core.pieces import Pyramid
from companion.core.verdict import Desynchronized, Refused, Unclear, Verdict
from companion.referee.session.alert import Alert
from companion.referee.telling import ToldVerdict
from simulation.drawn.step import Step
from simulation.drawn.tally import OUTCOMES, Tally, outcome

DREW = {"player": 0, "type": "draw", "took": {"color": "red", "size": "small"}}
OTHER = {"player": 0, "type": "draw", "took": {"color": "blue", "size": "small"}}
WRONG = Refused("event", 0, (Violation("SPA-14", ""),), 3.0)


def step(kind: Any, *words: dict[str, Any]) -> Step:
    return Step(kind, (), words, (Violation("SPA-14", ""),) if kind == "illegal" else (), None, None, (0.0, 0.0))


def told(*words: dict[str, Any]) -> list[ToldVerdict]:
    return [ToldVerdict({**one, "legal": True}, "") for one in words]


@pytest.mark.parametrize(
    ("kind", "happened", "said", "verdict", "same", "expected"),
    [
        ("legal", [DREW], [DREW], None, True, "right"),
        ("legal", [DREW, OTHER], [OTHER, DREW], None, True, "right"),
        ("legal", [DREW], [OTHER], None, True, "alike"),
        ("legal", [DREW], [OTHER], None, False, "wrong"),
        ("legal", [DREW], [], Desynchronized(()), False, "silent"),
        ("legal", [DREW], [], Unclear(()), False, "asked"),
        ("legal", [DREW], [], WRONG, False, "accused"),
        ("nothing", [], [], None, True, "right"),
        ("nothing", [], [DREW], None, False, "wrong"),
        ("nothing", [], [], WRONG, True, "accused"),
        ("illegal", [DREW], [], WRONG, False, "right"),
        ("illegal", [DREW], [], Refused("event", 0, (Violation("SPA-5", ""),), 3.0), False, "misnamed"),
        ("illegal", [DREW], [DREW], None, True, "missed"),
        ("illegal", [DREW], [], None, False, "silent"),
        ("back", [DREW], [{**DREW, "type": "take_back"}], None, True, "right"),
        ("back", [DREW], [], Desynchronized(()), True, "silent"),
    ],
)
def test_an_outcome(
    kind: str, happened: list[Any], said: list[Any], verdict: Verdict | None, same: bool, expected: str
) -> None:
    alert = None if verdict is None else Alert(1, verdict, 1)  # type: ignore[arg-type]
    assert outcome(step(kind, *happened), told(*said), alert, same) == expected
    assert expected in OUTCOMES


def test_an_illegal_event_that_still_lies_there_may_be_named_again() -> None:
    alert = Alert(2, WRONG, 2)
    assert outcome(step("nothing"), [], alert, False, WRONG.event) == "right"
    assert outcome(step("nothing"), [], alert, False, "another") == "accused"  # type: ignore[arg-type]
    assert outcome(step("legal", DREW), [], alert, False, WRONG.event) == "accused"


def test_rocks_need_not_be_told() -> None:
    placed = {"player": 0, "type": "place", "piece": {"color": "red", "size": "large"}, "on": []}
    rock = {"player": 0, "type": "draw", "rock": "red"}
    assert outcome(step("legal", rock, placed), told(placed), None, True) == "right"


def test_readings_are_counted_piece_by_piece() -> None:
    red, blue = Detection.sure(Pyramid("red", "small")), Detection.sure(Pyramid("blue", "small"))
    tally = Tally()
    assert tally.read(Layout(heaps={"a": (red, blue)}), Layout(heaps={"a": (blue, red)}))
    assert not tally.read(Layout(heaps={"a": (red, blue)}), Layout(heaps={"a": (red, red)}))
    assert (tally.counts["pieces"], tally.counts["pieces right"], tally.counts["pieces invented"]) == (4, 3, 1)
    assert any("50.0%" in line for line in tally.lines())
