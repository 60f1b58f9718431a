"""Every public form of a camera's address gives pictures, with a server that speaks as that camera does."""

from __future__ import annotations

import threading
import time

import pytest

from companion.core.foundation.errors import CameraError
from tests.vision.sources.address_forms import FORMS, USER, Form, speaking
from tests.vision.sources.census import open_files
from vision.sources.live import Limits, LiveSource
from vision.sources.opening import open_source

QUICK = Limits(opening_s=5, silent_s=1.0, frozen_s=1.0, reopen_frozen_s=1.0, backoff_s=(0.02, 0.05))


def opened(url: str) -> LiveSource:
    source = open_source(url, limits=QUICK)
    assert isinstance(source, LiveSource)
    return source


def test_there_are_as_many_forms_as_people_ask_for() -> None:
    assert len(FORMS) >= 27 and len({form.target + form.maker for form in FORMS}) == len(FORMS)
    assert {form.asks for form in FORMS} >= {"nothing", "basic", "digest", "digest-sha256", "old-digest", "forbidden"}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.maker)
def test_a_camera_on_the_web_gives_pictures(form: Form) -> None:
    with speaking(form) as server:
        source = opened(server.url)
        try:
            shots = [source.next(3) for _ in range(3)]
            assert all(shot is not None and shot.picture.shape == (90, 160, 3) for shot in shots), source.trouble()
            assert [shot.number for shot in shots if shot] == sorted({shot.number for shot in shots if shot})
        finally:
            source.close()
        assert all(target == form.target for target, _ in server.asked)
        if form.asks != "nothing":
            assert server.asked[0][1] == "", "nothing is told before the camera has asked"
        if "digest" in form.asks:
            assert not any(said.startswith("Basic") for _, said in server.asked), (
                "a password that need not be sent is not"
            )
        assert USER not in source.label and "p@ss" not in source.label


@pytest.mark.parametrize("form", [one for one in FORMS if one.asks not in ("nothing",)], ids=lambda form: form.maker)
def test_a_wrong_password_is_one_sentence_that_names_the_encoding(form: Form) -> None:
    with (
        speaking(form) as server,
        pytest.raises(CameraError, match=r"answers 40[13] .* @ is written as %40") as refused,
    ):
        opened(server.url.replace("p%40ss", "wrong"))
    assert "wrong" not in str(refused.value) and len(server.asked) <= 3
    with speaking(form) as server, pytest.raises(CameraError, match="Put user:password@ before the host"):
        opened(server.url.replace("admin:p%40ss%3Aw%23rd%2F%3F@", ""))


@pytest.mark.parametrize(
    "written", ["admin:p@ss:w#rd/?@", "admin:p@ss@", "admin:w#rd@", "admin:w/?rd@", "admin:a b@c@"]
)
def test_a_password_that_is_not_encoded_is_named_and_no_part_of_it_taken_for_a_host(written: str) -> None:
    for scheme in ("http", "rtsp"):
        with pytest.raises(CameraError, match="%40") as refused:
            open_source(f"{scheme}://{written}127.0.0.1:1/video", limits=QUICK)
        said = str(refused.value).replace("%3F and # as %23", "")
        assert not any(part in said for part in ("ss:w", "w#rd", "p@ss", "rd/", "a b", "admin", "127.0.0.1"))


SNAPSHOT = next(form for form in FORMS if form.maker == "Axis, picture")


def test_a_snapshot_is_asked_for_at_a_pace_and_on_one_connection_where_the_camera_lets_us() -> None:
    with speaking(SNAPSHOT) as server:
        source = opened(server.url)
        began = time.monotonic()
        while time.monotonic() - began < 1.5:
            source.next(0.2)
        source.close()
        numbers = len(server._threads) - 1
        assert 3 <= len(server.asked) <= 12, "five times a second at most"
        assert numbers <= 3, "a connection is used again"
    assert server.asked[-1][1].count("nc=") == 1 and "nc=00000001" not in server.asked[-1][1], (
        "its number is used again"
    )


def test_a_snapshot_that_changes_every_few_seconds_is_no_frozen_camera() -> None:
    with speaking(SNAPSHOT) as server:
        server._count = 7
        real = server._picture

        def same(line: object) -> bool:
            server._count = 7
            return real(line)  # type: ignore[arg-type]

        server._picture = same  # type: ignore[method-assign]
        source = opened(server.url)
        began = time.monotonic()
        while time.monotonic() - began < 2.5:
            source.next(0.2)
            assert source.trouble() is None
        source.close()


def test_a_snapshot_camera_that_goes_is_lost_and_found_again() -> None:
    files = open_files()
    with speaking(SNAPSHOT) as server:
        port = server._listener.getsockname()[1]
        source = opened(server.url)
        assert source.next(3) is not None
    until = time.monotonic() + 10
    while source.trouble() is None:
        assert time.monotonic() < until
        source.next(0.05)
    assert str(port) in (source.trouble() or "")
    source.close()
    assert not [one for one in threading.enumerate() if "stream" in one.name]
    while open_files() > files and time.monotonic() < until:
        time.sleep(0.02)
    assert open_files() <= files
