"""Video files."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.foundation.errors import CameraError
from vision.sources.film import FilmSource


def film(path: Path, rate: float = 10, count: int = 5) -> Path:
    """Plain gray pictures, each six levels lighter than the one before."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, (160, 96))
    for index in range(count):
        writer.write(np.full((96, 160, 3), 6 * index, dtype=np.uint8))
    writer.release()
    return path


def test_every_picture_comes_in_order_with_its_time(tmp_path: Path) -> None:
    source = FilmSource(film(tmp_path / "game.avi"), clock=lambda: 77.0)
    shots = list(iter(lambda: source.next(0), None))
    assert [s.number for s in shots] == [1, 2, 3, 4, 5]
    assert [s.t_s for s in shots] == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4], abs=0.002)
    assert [s.gap_s for s in shots[1:]] == pytest.approx([0.1] * 4, abs=0.002)
    assert [round(float(s.picture.mean()) / 6) for s in shots] == [0, 1, 2, 3, 4]
    assert shots[0].at_s == 77.0 and shots[2].name == "picture 3"
    assert source.ended and not source.stills and not source.live and source.trouble() is None


def test_a_film_of_one_picture_a_second_is_a_row_of_stills(tmp_path: Path) -> None:
    assert FilmSource(film(tmp_path / "slow.avi", rate=1)).stills


def test_in_real_time_each_picture_waits_for_its_time(tmp_path: Path) -> None:
    now = [0.0]
    source = FilmSource(film(tmp_path / "game.avi"), realtime=True, tick=lambda: now[0])
    assert source.next(0) is not None and source.next(0) is None
    now[0] = 0.15
    assert source.next(0) is not None and source.next(0) is None
    source.close()
    assert source.ended


def test_a_film_that_ends_early_ends_there(tmp_path: Path) -> None:
    whole = film(tmp_path / "game.avi", count=40).read_bytes()
    (tmp_path / "cut.avi").write_bytes(whole[: len(whole) // 2])
    count = 0
    with suppress(CameraError):  # some builds of OpenCV refuse a file without its index
        source = FilmSource(tmp_path / "cut.avi")
        count = len(list(iter(lambda: source.next(0), None)))
    assert count < 40


@pytest.mark.parametrize("data", [b"", b"no video at all" * 100])
def test_what_is_no_video_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "game.mp4").write_bytes(data)
    with pytest.raises(CameraError, match=r"The file game\.mp4 is no video"):
        FilmSource(tmp_path / "game.mp4")
