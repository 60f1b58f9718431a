"""The newest picture of a camera that fails in every way that cameras do."""

from __future__ import annotations

import gc
import queue
import threading
import time

import numpy as np
import pytest

from companion.core.foundation.errors import CameraError
from tests.vision.sources.census import open_files
from tests.vision.sources.mjpeg_server import jpeg, picture
from vision.sources.live import Limits, LiveSource, Raw

QUICK = Limits(opening_s=5, silent_s=0.2, frozen_s=0.15, reopen_frozen_s=0.15, backoff_s=(0.01, 0.02))


class Bench:
    """A camera on the test bench: what it gives next is put into `line`; an error is raised, not given."""

    def __init__(self, pushes: bool = True) -> None:
        self.line: queue.Queue[object] = queue.Queue()
        self.pushes = pushes
        self.opened = self.closed = 0
        self.refuses = 0

    def open(self) -> BenchTap:
        if self.refuses > 0:
            self.refuses -= 1
            raise CameraError("Nothing is plugged in.")
        self.opened += 1
        return BenchTap(self)


class BenchTap:
    mode = None

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.pushes = bench.pushes
        self.renews_s = 0.0
        self.open = True

    def read(self) -> Raw:
        until = time.monotonic() + 5
        while self.open and time.monotonic() < until:
            try:
                item = self.bench.line.get(timeout=0.01)
            except queue.Empty:
                continue
            if isinstance(item, CameraError):
                raise item
            assert isinstance(item, (bytes, np.ndarray))
            return Raw(item, 0.04)
        raise CameraError("The line is cut.")

    def close(self) -> None:
        if self.open:
            self.open = False
            self.bench.closed += 1


def source_of(bench: Bench, limits: Limits = QUICK) -> LiveSource:
    bench.line.put(picture(0))
    return LiveSource("camera 9", bench.open, limits=limits)


def trouble_of(source: LiveSource) -> str:
    until = time.monotonic() + 5
    while source.trouble() is None:
        assert time.monotonic() < until
        time.sleep(0.005)
    return str(source.trouble())


def test_only_the_newest_picture_is_given_and_each_only_once() -> None:
    bench = Bench()
    source = source_of(bench)
    first = source.next(1)
    assert first is not None and first.number == 1 and np.array_equal(first.picture, picture(0))
    assert source.next(0.02) is None
    for seed in range(1, 6):
        bench.line.put(picture(seed))
    shot = source.next(1)
    assert shot is not None and shot.number == 2 and shot.gap_s == 0.04
    source.close()


def test_a_jpeg_is_decoded_only_if_somebody_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import vision.sources.live as live

    decoded: list[bytes] = []
    decode = live.decode_picture
    monkeypatch.setattr(live, "decode_picture", lambda data: decoded.append(data) or decode(data))
    bench = Bench()
    bench.line.put(jpeg(1))
    source = LiveSource("stream", bench.open, limits=QUICK)
    source.next(1)
    for seed in range(10):
        bench.line.put(jpeg(seed + 2))
    while not bench.line.empty():
        time.sleep(0.005)
    assert 1 <= len(decoded) <= 2
    source.close()


def test_an_error_is_said_and_passes_when_pictures_come_again() -> None:
    bench = Bench()
    source = source_of(bench)
    bench.refuses = 3
    bench.line.put(CameraError("The plug was pulled."))
    assert trouble_of(source) in ("The plug was pulled.", "Nothing is plugged in.")
    bench.line.put(picture(1))
    source.next(0)
    shot = source.next(5)
    assert shot is not None and source.trouble() is None and bench.opened == 2
    source.close()


def test_one_and_the_same_picture_is_called_frozen_and_the_camera_opened_anew() -> None:
    bench = Bench()
    source = source_of(bench)
    until = time.monotonic() + 5
    while source.trouble() is None and time.monotonic() < until:
        bench.line.put(picture(0))
        source.next(0.01)
    assert "one and the same picture" in trouble_of(source)
    while bench.opened < 2 and time.monotonic() < until:
        bench.line.put(picture(0))
        time.sleep(0.01)
    assert bench.opened == 2 and source.next(0) is None, "the frozen picture is not given again"
    bench.line.put(picture(1))
    shot = source.next(5)
    assert shot is not None and np.array_equal(shot.picture, picture(1)) and source.trouble() is None
    source.close()


def test_a_camera_that_shows_a_still_is_opened_anew_less_and_less_often() -> None:
    bench = Bench()
    source = source_of(bench)
    began = time.monotonic()
    while time.monotonic() - began < 1.2:
        bench.line.put(picture(0))
        time.sleep(0.01)
    source.close()
    assert 2 <= bench.opened <= 4, "after 0.15, 0.3, 0.6 s"


def test_pictures_that_cannot_be_read_are_passed_over_and_then_said() -> None:
    bench = Bench()
    source = source_of(bench)
    source.next(1)
    bench.line.put(b"garbage")
    bench.line.put(jpeg(3))
    shot = source.next(5)
    assert shot is not None and shot.number == 2 and source.trouble() is None
    until = time.monotonic() + 5
    while source.trouble() is None and time.monotonic() < until:
        bench.line.put(b"garbage %d" % time.monotonic_ns())
        source.next(0.01)
    assert "sends pictures that cannot be read" in trouble_of(source)
    source.close()


@pytest.mark.parametrize("item", [CameraError("It smokes."), b"garbage"])
def test_a_camera_without_a_first_picture_is_refused(item: object) -> None:
    bench = Bench()
    bench.line.put(item)
    with pytest.raises(CameraError, match=r"It smokes\.|gives no picture"):
        LiveSource("camera 9", bench.open, limits=Limits(opening_s=0.3, backoff_s=(0.01,)))
    assert bench.opened == bench.closed


def test_fifty_times_unplugged_and_plugged_in_leave_nothing_behind() -> None:
    bench = Bench()
    source = source_of(bench)
    source.next(1)
    gc.collect()  # what other tests left lying about holds files too
    threads, files = threading.active_count(), open_files()
    for cycle in range(50):
        bench.line.put(CameraError("The plug was pulled."))
        trouble_of(source)
        source.next(0)
        bench.line.put(picture(cycle + 1))
        assert source.next(5) is not None
    assert threading.active_count() == threads and open_files() <= files
    source.close()
    source.close()
    assert bench.opened == bench.closed == 51 and threading.active_count() == threads - 1


def test_a_camera_that_must_be_asked_is_left_alone_when_nobody_looks() -> None:
    bench = Bench(pushes=False)
    source = source_of(bench)
    source.next(1)
    for seed in range(20):
        bench.line.put(picture(seed + 1))
    time.sleep(0.1)
    assert bench.line.qsize() >= 18
    source.close()


def test_closing_does_not_wait_for_a_camera_that_says_nothing() -> None:
    source = source_of(Bench())
    began = time.monotonic()
    source.close()
    assert time.monotonic() - began < 1 and source.next(5) is None
