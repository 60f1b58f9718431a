"""Ways toward a seen table: nearest positions first, each once, no further than asked."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.shared.search.ways import ways


@dataclass(frozen=True)
class Number:
    """A position that is a number; events add to it."""

    value: int

    def apply(self, event: int) -> Number:
        return Number(self.value + event)


def steps(here: Number) -> tuple[int, ...]:
    return (1, 2)


def test_the_nearest_come_first_and_each_position_once() -> None:
    found = list(ways(Number(0), steps, 2, 100))
    assert [(way.here.value, way.first, way.steps) for way in found] == [
        (0, None, 0), (1, 1, 1), (2, 2, 1), (3, 1, 2), (4, 2, 2),
    ]  # fmt: skip


def test_no_more_positions_than_asked_are_looked_at() -> None:
    assert [way.here.value for way in ways(Number(0), steps, 9, 4)] == [0, 1, 2, 3]
