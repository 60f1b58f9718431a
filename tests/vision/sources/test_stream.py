"""Motion-JPEG over HTTP, from servers on loopback that stall, drop and lie."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import cv2
import pytest

from companion.core.foundation.errors import CameraError
from tests.vision.sources.census import open_files, trouble_of
from tests.vision.sources.mjpeg_server import jpeg, part, picture, serving, steady
from vision.sources.live import Limits, LiveSource
from vision.sources.opening import open_source
from vision.sources.stream import PART_LIMIT

QUICK = Limits(opening_s=3, silent_s=0.3, frozen_s=0.3, reopen_frozen_s=0.1, backoff_s=(0.02, 0.05))
Send = Callable[[bytes], None]


def open_stream(url: str) -> LiveSource:
    source = open_source(url, limits=QUICK)
    assert isinstance(source, LiveSource)
    return source


def test_pictures_come_with_their_size_and_the_gap_between_them() -> None:
    with serving(steady(0.05)) as url:
        source = open_stream(url)
        shots = [shot for _ in range(5) if (shot := source.next(2)) is not None]
        source.close()
    assert len(shots) == 5 and shots[0].picture.shape == (90, 160, 3)
    assert all(0.005 < shot.gap_s < 1 for shot in shots[1:])


def test_a_redirect_takes_user_and_password_to_the_same_place_alone() -> None:
    seen: list[dict[str, str]] = []
    challenge = {"WWW-Authenticate": 'Basic realm="elsewhere"'}
    with (
        serving(None, status=401, headers=challenge, seen=seen) as other,
        serving(None, status=302, headers={"Location": other}) as first,
        pytest.raises(CameraError, match="answers 401"),
    ):
        open_stream(first.replace("//", "//ada:p%40ss@"))
    assert seen and not any("Authorization" in headers for headers in seen)


def test_a_redirect_is_followed_and_a_circle_of_them_is_not() -> None:
    with serving(steady()) as real, serving(None, status=302, headers={"Location": real}) as first:
        open_stream(first).close()
    with (
        serving(None, status=302, headers={"Location": "/again"}) as circle,
        pytest.raises(CameraError, match="address to address"),
    ):
        open_stream(circle)


@pytest.mark.parametrize(
    ("content_type", "status", "sentence"),
    [
        ("text/html; charset=utf-8", 200, "answers with text/html, neither with a motion-JPEG stream"),
        ("image/webp", 200, "answers with image/webp, neither"),
        ("image/jpeg", 200, "sends pictures that cannot be read"),
        ("multipart/x-mixed-replace", 200, "was closed by its server"),
        ("text/plain", 404, "answers 404 Not Found. Check the address"),
        ("text/plain", 401, "401 .* Put user:password@ before the host"),
    ],
)
def test_what_is_no_stream_is_refused_in_one_sentence(content_type: str, status: int, sentence: str) -> None:
    with serving(None, content_type=content_type, status=status) as url, pytest.raises(CameraError, match=sentence):
        open_stream(url)


def test_a_refused_port_is_named() -> None:
    with serving(None) as url:
        pass
    with pytest.raises(CameraError, match=r"Nothing answers at 127\.0\.0\.1:\d+ \(connection refused\)"):
        open_stream(url)


@pytest.mark.parametrize("url", ["http://", "http://127.0.0.1:port/x", "https:///video"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(CameraError, match=r"names no host|cannot be read"):
        open_stream(url)


def stalls(send: Send, over: threading.Event) -> None:
    """Three pictures, then silence on an open line."""
    for seed in range(3):
        send(part(jpeg(seed)))
        over.wait(0.02)
    over.wait(20)


def trickles(send: Send, over: threading.Event) -> None:
    """Three pictures, then a byte at a time, which keeps a socket busy for ever."""
    for seed in range(3):
        send(part(jpeg(seed)))
        over.wait(0.02)
    for byte in part(jpeg(9)):
        send(bytes([byte]))
        if over.wait(0.02):
            return


def drops(send: Send, over: threading.Event) -> None:
    """Two pictures and half of a third."""
    for seed in range(2):
        send(part(jpeg(seed)))
        over.wait(0.02)
    send(part(jpeg(2))[:200])


def repeats(send: Send, over: threading.Event) -> None:
    """One picture, over and over."""
    while not over.wait(0.02):
        send(part(jpeg(0)))


def garbles(send: Send, over: threading.Event) -> None:
    """Two pictures, then parts that are no pictures."""
    for seed in range(2):
        send(part(jpeg(seed)))
        over.wait(0.02)
    count = 0
    while not over.wait(0.02):
        count += 1
        send(part(b"no picture %d" % count))


def swells(send: Send, over: threading.Event) -> None:
    """Two pictures, then one that is announced as huge."""
    for seed in range(2):
        send(part(jpeg(seed)))
        over.wait(0.02)
    send(part(b"", length=PART_LIMIT * 100))
    over.wait(20)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (stalls, "stalls: no picture came"),
        (trickles, "stalls: no picture came"),
        (drops, "was closed by its server"),
        (repeats, "one and the same picture"),
        (garbles, "pictures that cannot be read"),
        (swells, "announces a picture of 1049 MB"),
    ],
)
def test_a_stream_that_goes_wrong_says_how(script: Callable[[Send, threading.Event], None], sentence: str) -> None:
    with serving(script) as url:
        source = open_stream(url)
        began = time.monotonic()
        trouble = trouble_of(source)
        source.close()
    assert sentence in trouble and time.monotonic() - began < 3


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (bytes(cv2.imencode(".bmp", picture(0))[1]), "a BMP picture"),
        (b"GIF89a" + bytes(200), "a GIF picture"),
        (b"The camera is busy.", "text"),
        (b"<!DOCTYPE html><title>Log in</title>", "a web page"),
    ],
)
@pytest.mark.parametrize("as_stream", [True, False])
def test_what_a_camera_sends_as_jpeg_is_named_as_what_it_is(data: bytes, kind: str, as_stream: bool) -> None:
    """The same bytes again and again are no frozen picture."""

    def again_and_again(send: Send, over: threading.Event) -> None:
        while not over.wait(0.02):
            send(part(data))

    server = serving(again_and_again) if as_stream else serving(lambda send, _: send(data), content_type="image/jpeg")
    with (
        server as url,
        pytest.raises(CameraError, match=f"sends pictures that cannot be read: This is {kind}, not a JPEG"),
    ):
        open_stream(url)


def test_a_camera_that_turns_to_another_form_says_so() -> None:
    def turns(send: Send, over: threading.Event) -> None:
        for seed in range(3):
            send(part(jpeg(seed)))
            over.wait(0.05)
        while not over.wait(0.02):
            send(part(b"GIF89a" + bytes(200)))

    with serving(turns) as url:
        source = open_stream(url)
        trouble = trouble_of(source)
        source.close()
    assert "This is a GIF picture, not a JPEG" in trouble


def test_twenty_drops_leave_no_thread_and_no_file_behind() -> None:
    count = 0

    def short(send: Send, over: threading.Event) -> None:
        """Three pictures to a connection."""
        nonlocal count
        for _ in range(3):
            count += 1
            send(part(jpeg(count)))
            over.wait(0.01)

    with serving(short) as url:
        source = open_stream(url)
        files = open_files()
        until = time.monotonic() + 20
        while count < 60 and time.monotonic() < until:
            source.next(0.05)
        assert count >= 60
        source.close()
        alive = [thread.name for thread in threading.enumerate() if "stream" in thread.name]
        while open_files() > files and time.monotonic() < until:
            time.sleep(0.01)
        assert not alive and open_files() <= files


def test_a_server_that_comes_back_is_found_again() -> None:
    with serving(steady()) as url:
        port = int(url.split(":")[2].split("/")[0])
        source = open_stream(url)
    trouble = trouble_of(source)
    # While a server goes away it may still take a connection, and say nothing.
    assert any(word in trouble for word in ("refused", "closed", "broke", "does not answer")), trouble
    with serving(steady(), port=port):
        until = time.monotonic() + 10
        while source.trouble() is not None and time.monotonic() < until:
            source.next(0.05)
        assert source.trouble() is None
        source.close()
