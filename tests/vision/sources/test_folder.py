"""Folders of pictures."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import pytest

from companion.core.foundation.errors import CameraError
from tests.vision.sources.mjpeg_server import picture
from vision.sources.folder import FolderSource


def save(folder: Path, *names: str) -> None:
    for seed, name in enumerate(names):
        cv2.imwrite(str(folder / name), picture(seed))


def test_pictures_come_in_name_order_with_their_times_and_other_files_are_passed_over(tmp_path: Path) -> None:
    save(tmp_path, "b.jpg", "a.PNG", "c.jpeg")
    (tmp_path / "sequence.json").write_text("{}")
    (tmp_path / "d.jpg").mkdir()
    source = FolderSource(tmp_path, clock=lambda: 1000.0)
    shots = list(iter(lambda: source.next(0), None))
    assert [(s.number, s.name, s.t_s, s.at_s, s.gap_s) for s in shots] == [
        (1, "a.PNG", 0.0, 1000.0, math.inf),
        (2, "b.jpg", 1.0, 1000.0, math.inf),
        (3, "c.jpeg", 2.0, 1000.0, math.inf),
    ]
    assert source.stills and not source.live and source.ended and source.trouble() is None


def test_a_broken_picture_is_named_and_the_rest_go_on(tmp_path: Path) -> None:
    save(tmp_path, "a.png", "c.png")
    (tmp_path / "b.png").write_bytes((tmp_path / "a.png").read_bytes()[:200])
    source = FolderSource(tmp_path)
    assert source.next(0) is not None
    with pytest.raises(CameraError, match=r"The picture b\.png cannot be read: .*incomplete"):
        source.next(0)
    last = source.next(0)
    assert last is not None and last.name == "c.png" and last.number == 3


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("none")
    with pytest.raises(CameraError, match="holds no picture"):
        FolderSource(tmp_path)


def test_one_picture_is_a_recording_of_one_moment(tmp_path: Path) -> None:
    save(tmp_path, "only.png")
    source = FolderSource(tmp_path / "only.png")
    assert source.next(0) is not None and source.ended and source.next(0) is None


def test_in_real_time_each_picture_waits_for_its_time(tmp_path: Path) -> None:
    save(tmp_path, "a.png", "b.png")
    now = [50.0]
    source = FolderSource(tmp_path, pace_s=2.0, realtime=True, tick=lambda: now[0])
    assert source.next(0) is not None
    assert source.next(0) is None, "two seconds are not over"
    now[0] = 52.0
    assert source.next(0) is not None


def test_pictures_taken_closely_after_each_other_are_no_stills(tmp_path: Path) -> None:
    save(tmp_path, "a.png")
    source = FolderSource(tmp_path, pace_s=0.1)
    shot = source.next(0)
    assert not source.stills and shot is not None and shot.gap_s == 0.1


def test_a_closed_folder_gives_nothing_and_can_be_closed_twice(tmp_path: Path) -> None:
    save(tmp_path, "a.png")
    source = FolderSource(tmp_path, realtime=True)
    source.close()
    source.close()
    assert source.next(1.0) is None and source.ended
