"""Figures say what was asked for, and contestants take turns."""

from __future__ import annotations

import pytest

from bench.__main__ import main, names
from bench.figure import Figure, median_ratio, rates


@pytest.mark.parametrize(("value", "at_least", "holds"), [(2, 1, True), (1, 1, True), (0.9, 1, False), (0, None, True)])
def test_a_figure_holds_if_it_reaches_what_is_asked(value: float, at_least: float | None, holds: bool) -> None:
    figure = Figure("work", value, "times", at_least)
    assert figure.holds == holds
    assert ("NO" in str(figure)) == (not holds)


def test_contestants_take_turns() -> None:
    order: list[tuple[str, int]] = []

    def workload(name: str) -> object:
        def work(number: int) -> int:
            order.append((name, number))
            return sum(1 for _ in range(20_000))

        return work

    found = rates({"a": workload("a"), "b": workload("b")}, 2)  # type: ignore[dict-item]
    assert order == [("a", 0), ("b", 0), ("a", 1), ("b", 1)]
    assert all(rate > 0 for one in found.values() for rate in one)


def test_ratios_are_taken_round_by_round() -> None:
    assert median_ratio([10, 40, 90], [10, 20, 30]) == 2


def test_unknown_benches_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 2
    assert "random_play" in capsys.readouterr().err
    assert "random_play" in names()
