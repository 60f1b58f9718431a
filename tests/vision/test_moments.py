"""The steady pictures of a recording, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import CameraError
from tests.vision.scenes import GLOVE, film, hand, stills, table
from vision.camera import open_source
from vision.camera.source import Shot
from vision.moments import PATIENCE_S, moments, second_look

FIST = hand(table(), (550, 280), GLOVE)
MOVED = table([(500, 300)])


class Script:
    """A source that plays a list: a shot, an error, or None for "nothing yet"."""

    label = "camera 9"

    def __init__(self, items: Iterable[Shot | CameraError | None], live: bool = False, is_stills: bool = True) -> None:
        self.items: Iterator[Shot | CameraError | None] = iter(items)
        self.live, self.stills = live, is_stills
        self.ended = False
        self.said: str | None = None

    def next(self, timeout_s: float) -> Shot | None:
        try:
            item = next(self.items)
        except StopIteration:
            self.ended = not self.live
            return None
        if isinstance(item, CameraError):
            raise item
        return item

    def trouble(self) -> str | None:
        return self.said

    def close(self) -> None:
        self.ended = True


def names(source: Script) -> list[str]:
    return [moment.name for moment in moments(source)]


def test_each_picture_of_a_folder_without_a_hand_is_a_moment(tmp_path: Path) -> None:
    for n, picture in enumerate((table(), FIST, MOVED)):
        cv2.imwrite(str(tmp_path / f"frame-{n:04d}.jpg"), picture)
    found = list(moments(open_source(str(tmp_path), realtime=False)))
    assert [(m.name, m.number, m.t_s) for m in found] == [("frame-0000.jpg", 1, 0.0), ("frame-0002.jpg", 3, 2.0)]
    assert found[1].picture.shape == MOVED.shape


def test_a_film_gives_one_moment_for_each_quiet_time() -> None:
    shots = film([table()] * 15 + [hand(table(), (550, 280 + 9 * n), GLOVE) for n in range(15)] + [MOVED] * 20)
    found = list(moments(Script(shots, is_stills=False)))
    assert len(found) == 2 and np.abs(found[1].picture.astype(int) - MOVED).mean() < 6


def test_a_first_picture_with_a_hand_is_left_out_when_the_second_shows_it() -> None:
    assert names(Script(stills([FIST, table(), MOVED]))) == ["1.jpg", "2.jpg"]
    assert names(Script(stills([table(), FIST, MOVED]))) == ["0.jpg", "2.jpg"]
    assert names(Script(stills([table()]))) == ["0.jpg"]
    assert names(Script([])) == []


def test_a_broken_picture_stops_the_recording_or_is_told() -> None:
    shots = stills([table(), MOVED])
    error = CameraError("The picture b.jpg cannot be read.")
    with pytest.raises(CameraError, match=r"b\.jpg"):
        names(Script([shots[0], error, shots[1]]))
    told: list[CameraError] = []
    found = [moment.name for moment in moments(Script([shots[0], error, shots[1]]), broken=told.append)]
    assert found == ["0.jpg", "1.jpg"] and told == [error]


def test_a_live_source_that_stays_silent_ends_with_its_own_sentence() -> None:
    now = [0.0]

    def tick() -> float:
        now[0] += 1.0
        return now[0]

    source = Script([stills([table()])[0]], live=True)
    source.said = "The camera 9 hangs."
    with pytest.raises(CameraError, match="hangs"):
        list(moments(source, tick=tick))
    assert now[0] > PATIENCE_S


def test_a_moved_camera_is_passed_on() -> None:
    turned = np.roll(table(), 8, axis=1)
    assert [moment.bumped for moment in moments(Script(stills([table(), turned])))] == [False, True]


def test_a_second_look_is_the_same_picture_with_other_pixels() -> None:
    picture = table([(300, 300)])
    looks = [second_look(picture, look) for look in (1, 2, 3)]
    for look in looks:
        assert look.shape == picture.shape and look.dtype == picture.dtype
        assert 0.5 < np.abs(look.astype(int) - picture).mean() < 12
    assert not np.array_equal(looks[0], looks[1]) and not np.array_equal(looks[1], looks[2])
    assert np.array_equal(second_look(picture), looks[0])
