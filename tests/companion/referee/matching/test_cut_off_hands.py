"""A recorded game of Spectrangle in which the picture's edge cuts off both hands.

One player has a tile outside of the picture, the other one two; the tiles were told at the beginning. What was read is
kept as JSON, so that no picture is needed.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from bench.recorded_readings import RecordedLook, RecordedReadings, replay, score
from companion.core.layout import Layout

FILE = Path(__file__).parents[3] / "data" / "readings" / "spectrangle-hand-cut-off.json"


@pytest.fixture(scope="module")
def recorded() -> RecordedReadings:
    return RecordedReadings.load(FILE)


def test_no_picture_shows_the_whole_of_a_hand(recorded: RecordedReadings) -> None:
    hands = recorded.setup["hands"]
    for look in recorded.looks:
        for layout in look.reads:
            assert layout.partial == {"seat0.hand", "seat1.hand"}
            assert all(len(layout.heaps[f"seat{seat}.hand"]) < len(hand) for seat, hand in enumerate(hands))


def test_what_lies_outside_of_the_picture_is_unknown_and_every_placement_is_told(recorded: RecordedReadings) -> None:
    told = replay(recorded)
    count = score(recorded, told)
    assert (count["right"], count["told"], count["accused"]) == (10, 10, 0), [one.text for _, one in told]


def test_an_illegal_placement_is_named_all_the_same(recorded: RecordedReadings) -> None:
    at = next(n for n, look in enumerate(recorded.looks) if look.frame == "frame-0017.jpg")
    looks = (*recorded.looks[:at], moved(recorded.looks[at], "c11", "c0"))
    *_, (frame, last) = replay(replace(recorded, looks=looks))
    assert frame == "frame-0017.jpg"
    assert last.words is not None
    assert (last.words["player"], last.words["cell"], last.words["legal"]) == (0, 0, False)


def moved(look: RecordedLook, begin: str, end: str) -> RecordedLook:
    """The same look with the tile of one cell in another one."""

    def shown(layout: Layout) -> Layout:
        cells = dict(layout.cells)
        cells[begin], cells[end] = cells[end], cells[begin]
        return replace(layout, cells=cells)

    reads, further = (tuple(map(shown, layouts)) for layouts in (look.reads, look.further))
    return replace(look, reads=reads, further=further)
