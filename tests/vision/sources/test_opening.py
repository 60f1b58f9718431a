"""One word on the command line becomes a source, or one clear sentence."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import cv2
import pytest

from companion.core.foundation.errors import CameraError
from tests.vision.sources.mjpeg_server import picture
from tests.vision.sources.test_film import film
from vision.sources import open_source
from vision.sources.film import FilmSource
from vision.sources.folder import FolderSource


def test_a_folder_a_picture_and_a_film_are_told_apart(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), picture(0))
    assert isinstance(open_source(str(tmp_path)), FolderSource)
    assert isinstance(open_source(str(tmp_path / "a.png")), FolderSource)
    assert isinstance(open_source(f"  {film(tmp_path / 'game.avi')}\n"), FilmSource)


def test_pace_and_haste_reach_the_recording(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        cv2.imwrite(str(tmp_path / name), picture(0))
    hasty = open_source(str(tmp_path), realtime=False, pace_s=30)
    assert hasty.next(0) is not None and (shot := hasty.next(0)) is not None and shot.t_s == 30
    paced = open_source(str(tmp_path), pace_s=30)
    assert paced.next(0) is not None and paced.next(0) is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("/no/such/place", 'no camera, file or folder "/no/such/place"'),
        (" ", "No camera was named"),
        ("http://[", "address cannot be read"),
        ("rtsp://[", "address cannot be read"),
        ("http://a b/", "address cannot be read"),
        ("rtsp://" + "a" * 300, "Nothing answers at aaa"),
        ("a\0b", "no camera, file or folder"),
        ("ftp://example.org/x", '"ftp:" is no kind of stream'),
        ("rtsp://127.0.0.1:1/stream", r"Nothing answers at 127\.0\.0\.1:1"),
        ("rtsp://127.0.0.1:many/stream", "address cannot be read"),
        ("rtsp:///stream", "names no host"),
    ],
)
def test_what_is_no_source_is_refused_in_one_sentence(
    text: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CameraError, match=sentence):
        open_source(text)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="device files are Linux's")
@pytest.mark.skipif(Path("/dev/video97").exists(), reason="somebody has a hundred cameras")
@pytest.mark.parametrize("text", ["97", "097"])
def test_a_camera_index_without_a_camera_is_refused(text: str) -> None:
    with pytest.raises(CameraError, match="There is no camera"):
        open_source(text)


def test_a_pipe_is_no_source(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CameraError, match="neither a camera nor a file nor a folder"):
        open_source(str(tmp_path / "pipe"))


def test_a_device_that_is_no_camera_is_refused() -> None:
    with pytest.raises(CameraError, match="/dev/null"):
        open_source("/dev/null")
