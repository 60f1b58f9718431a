"""A lazy value is worked out once, kept beside the fields, and no part of the state's value."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from companion.games.shared.lazy import lazy

asked: list[int] = []


class Square(Struct, frozen=True, dict=True):
    side: int

    @lazy
    def area(self) -> int:
        """Side times side."""
        asked.append(self.side)
        return self.side * self.side


def test_it_is_worked_out_once_for_each_object() -> None:
    asked.clear()
    three, four = Square(3), Square(4)
    assert [three.area, three.area, four.area, three.area] == [9, 9, 16, 9]
    assert asked == [3, 4]


def test_it_is_no_part_of_the_value() -> None:
    known, fresh = Square(5), Square(5)
    assert known.area == 25
    assert known == fresh
    assert hash(known) == hash(fresh)
    assert msgspec.json.encode(known) == b'{"side":5}'
    assert msgspec.structs.replace(known, side=6).area == 36


def test_it_says_what_it_is() -> None:
    assert Square.area.__doc__ == "Side times side."
