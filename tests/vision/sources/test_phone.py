"""Pictures of a phone on their way to the reader: the newest wins, and silence is said."""

from __future__ import annotations

import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.foundation.errors import CameraError
from vision.sources.live import Limits
from vision.sources.opening import open_source
from vision.sources.phone import PhoneMailbox, PhoneTap
from vision.sources.source import Source

LIMITS = Limits(opening_s=2.0, silent_s=0.4, frozen_s=5.0, backoff_s=(0.05,))


def jpeg(level: int, size: tuple[int, int] = (320, 180)) -> bytes:
    return cv2.imencode(".jpg", np.full((size[1], size[0], 3), level, np.uint8))[1].tobytes()


@pytest.fixture
def mailbox(tmp_path: Path) -> PhoneMailbox:
    return PhoneMailbox(tmp_path / "camera.phone")


def eventually(check: Callable[[], bool], timeout_s: float = 10) -> None:
    until = time.monotonic() + timeout_s
    while not check():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_the_newest_picture_wins(mailbox: PhoneMailbox) -> None:
    assert mailbox.put(jpeg(10))
    assert not mailbox.put(jpeg(20)), "the first was not taken"
    assert mailbox.take() == jpeg(20)
    assert mailbox.take() is None
    assert mailbox.put(jpeg(30))


def test_others_cannot_look_into_it(mailbox: PhoneMailbox) -> None:
    mailbox.put(jpeg(10))
    assert stat.S_IMODE(mailbox.folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(file.stat().st_mode) for file in mailbox.folder.iterdir()] == [0o600]
    mailbox.take()
    mailbox.empty()
    assert list(mailbox.folder.iterdir()) == []


def test_a_silent_phone_is_named(mailbox: PhoneMailbox) -> None:
    with pytest.raises(CameraError, match="Unlock it"):
        PhoneTap(mailbox, LIMITS).read()


def test_closing_ends_a_wait(mailbox: PhoneMailbox) -> None:
    tap = PhoneTap(mailbox, Limits(silent_s=30.0))
    threading.Timer(0.1, tap.close).start()
    began = time.monotonic()
    with pytest.raises(CameraError):
        tap.read()
    assert time.monotonic() - began < 5


def test_a_phone_that_comes_back_goes_on_in_another_shape(mailbox: PhoneMailbox) -> None:
    mailbox.put(jpeg(10))
    source: Source = open_source(str(mailbox.folder), limits=LIMITS)
    try:
        shot = source.next(2.0)
        assert shot is not None
        assert shot.picture.shape == (180, 320, 3)
        eventually(lambda: source.trouble() is not None)
        assert "Unlock it" in (source.trouble() or "")
        mailbox.put(jpeg(50, (180, 320)))
        eventually(lambda: source.trouble() is None)
        turned = source.next(2.0)
        assert turned is not None
        assert turned.picture.shape == (320, 180, 3)
    finally:
        source.close()


def test_ten_thousand_pictures_leave_nothing_behind(mailbox: PhoneMailbox) -> None:
    data = jpeg(90)
    for number in range(10_000):
        mailbox.put(data)
        if number % 3 == 0:
            mailbox.take()
    assert sum(file.stat().st_size for file in mailbox.folder.iterdir()) <= 3 * len(data)


def test_a_full_or_lost_folder_is_said(mailbox: PhoneMailbox) -> None:
    mailbox.folder.rmdir()
    with pytest.raises(CameraError, match="Make room"):
        mailbox.put(jpeg(10))
