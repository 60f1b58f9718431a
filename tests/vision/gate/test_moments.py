"""The steady pictures of a recording, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.foundation.errors import CameraError
from tests.vision.scenes import GLOVE, film, hand, lit, noisy, stills, table
from vision.gate.moments import AGAIN_S, FURTHER_LOOKS, PATIENCE_S, Moment, QuietStretch, moments, second_look
from vision.gate.steadiness import Report
from vision.sources import open_source
from vision.sources.source import Shot

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


def looked(source: Script, *looks: int) -> list[Moment]:
    """The moments of a source for who wants so many further looks at each table."""
    found: list[Moment] = []

    def again() -> bool:
        tables = sum(one.look == 0 for one in found)
        return found[-1].look < looks[tables - 1]

    for one in moments(source, again=again):
        found.append(one)
    return found


def test_a_moment_of_a_film_is_the_mean_of_a_stretch_in_which_nothing_moves() -> None:
    shots = film([noisy(table(), seed) for seed in range(30)])
    (found,) = moments(Script(shots, is_stills=False))
    rustle = [float(np.abs(one.astype(int) - table()).mean()) for one in (shots[0].picture, found.picture)]
    assert rustle[1] < 0.5 * rustle[0]


def test_a_further_look_of_a_film_is_the_mean_of_a_later_stretch() -> None:
    shots = film([noisy(table(), seed) for seed in range(90)])
    found = looked(Script(shots, is_stills=False), 2)
    assert [one.look for one in found] == [0, 1, 2]
    assert all(later.t_s - one.t_s >= AGAIN_S for one, later in pairwise(found))
    apart = [np.abs(one.picture.astype(int) - found[0].picture).mean() for one in found[1:]]
    assert min(apart) > 0.3, "other pictures with other noise"


def test_a_further_look_that_motion_cuts_short_is_the_last_picture_sampled_anew() -> None:
    moving = [hand(table(), (550, 280 + 9 * n), GLOVE) for n in range(15)]
    shots = film([table()] * 12 + moving + [MOVED] * 30)
    found = looked(Script(shots, is_stills=False), 2, 0)
    assert [one.look for one in found] == [0, 1, 2, 0]
    assert np.array_equal(found[1].picture, second_look(found[0].picture, 1))
    assert np.abs(found[3].picture.astype(int) - MOVED).mean() < 6


def test_a_film_that_ends_while_a_further_look_is_needed_is_sampled_anew() -> None:
    found = looked(Script(film([table()] * 10), is_stills=False), 9)
    assert [one.look for one in found] == list(range(FURTHER_LOOKS + 1))


def test_further_looks_at_pictures_that_stand_alone_are_sampled_anew() -> None:
    shots = stills([table(), MOVED])
    found = looked(Script(shots), 1, 2)
    assert [(one.name, one.look) for one in found] == [
        ("0.jpg", 0),
        ("0.jpg", 1),
        ("1.jpg", 0),
        ("1.jpg", 1),
        ("1.jpg", 2),
    ]
    assert np.array_equal(found[4].picture, second_look(shots[1].picture, 2))


def test_a_stretch_begins_anew_with_motion_and_with_other_light() -> None:
    stretch = QuietStretch()
    for picture, report in (
        (table(), Report("settling")),
        (FIST, Report("moving", hand=True)),
        (MOVED, Report("settling")),
        (MOVED, Report("steady")),
    ):
        stretch.add(picture, report)
    assert np.array_equal(stretch.take(), MOVED)
    stretch.add(MOVED, Report("idle"))
    stretch.add(lit(MOVED, 0.5), Report("idle", exposed=True))
    assert np.array_equal(stretch.take(), lit(MOVED, 0.5))


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
