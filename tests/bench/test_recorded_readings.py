"""Recorded readings: refereed again without a picture, as they were read and as the labels have it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.recorded_readings import RecordedReadings, exact, replay, score

FILE = Path(__file__).parents[1] / "data" / "readings" / "spectra.json"
"""The first seven steady pictures of a game of Spectra."""


@pytest.fixture(scope="module")
def recorded() -> RecordedReadings:
    return RecordedReadings.load(FILE)


def test_a_recording_is_refereed_as_when_its_pictures_were_there(recorded: RecordedReadings) -> None:
    count = score(recorded, replay(recorded))
    assert (count["wanted"], count["right"], count["accused"], count["illegal missed"]) == (6, 6, 0, 0)


def test_where_things_stand_is_measured_to_two_millimeters(recorded: RecordedReadings) -> None:
    for look in recorded.looks:
        for stack in look.truth["stacks"]:
            nearest = min((x - stack["x"]) ** 2 + (y - stack["y"]) ** 2 for x, y in look.places.values())
            assert nearest**0.5 < 2


def test_exact_readings_hold_what_the_labels_say_in_the_identities_that_were_read(recorded: RecordedReadings) -> None:
    righted = exact(recorded)
    assert any(one.reads != other.reads for one, other in zip(recorded.looks, righted.looks, strict=True))
    for look, other in zip(recorded.looks, righted.looks, strict=True):
        told = [sighting.piece for heap in other.reads[-1].heaps.values() for sighting in heap]
        there = [piece for stack in look.truth["stacks"] for piece in stack["pieces"]]
        assert sorted(f"{one.color} {one.size}" for one in told) == sorted(  # type: ignore[union-attr]
            f"{one['color']} {one['size']}" for one in there
        )
        known = {sighting.place for heap in look.reads[-1].heaps.values() for sighting in heap}
        kept = {sighting.place for heap in other.reads[-1].heaps.values() for sighting in heap}
        assert {place for place in kept if not place.startswith("unread")} <= known


def test_a_file_is_read_back_as_it_was_written(recorded: RecordedReadings, tmp_path: Path) -> None:
    recorded.save(tmp_path / "again.json")
    assert RecordedReadings.load(tmp_path / "again.json") == recorded
