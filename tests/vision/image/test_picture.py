"""Pictures from outside: what is no picture, or too much of one, is refused before it is unpacked."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.foundation.errors import UnreadablePicture
from vision.image.picture import MAX_BYTES, MAX_SCANS, decode_picture, picture_size, read_picture


def png(width: int, height: int, rows: bytes = b"") -> bytes:
    """A PNG that says it is so large, whatever it holds."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def jpeg(width: int = 320, height: int = 240) -> bytes:
    picture = np.random.default_rng(0).integers(0, 255, (height, width, 3), dtype=np.uint8)
    return bytes(cv2.imencode(".jpg", picture)[1])


def lying_jpeg() -> bytes:
    """A small JPEG whose header claims 9000 x 9000 pixels."""
    data = bytearray(jpeg())
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", 9000, 9000)
    return bytes(data)


def test_a_jpeg_and_a_png_are_read_as_they_are() -> None:
    assert decode_picture(jpeg(320, 240)).shape == (240, 320, 3)
    small = np.zeros((70, 80, 3), np.uint8)
    assert decode_picture(bytes(cv2.imencode(".png", small)[1])).shape == (70, 80, 3)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"hello, this is no picture", "This is text, not a JPEG, PNG or WebP picture"),
        ("Für diese Kamera fehlt das Paßwort\r\n".encode(), "This is text,"),
        (("ä" * 400).encode(), "This is text,"),
        (b"\r\n<!DOCTYPE html><html>", "This is a web page,"),
        (b"GIF89a" + bytes(100), "This is a GIF picture,"),
        (bytes(cv2.imencode(".webp", np.indices((70, 80, 3)).sum(0).astype(np.uint8))[1])[:-20], "incomplete"),
        (b"RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0\x02" + bytes(40), "moving"),
        (bytes(cv2.imencode(".bmp", np.zeros((70, 80, 3), np.uint8))[1]), "This is a BMP picture,"),
        (bytes(cv2.imencode(".tiff", np.zeros((70, 80, 3), np.uint8))[1]), "This is a TIFF picture,"),
        (b"\0\0\0\x1cftypavif" + bytes(50), "This is an AVIF picture,"),
        (b"\0\0\0\x18ftypheic" + bytes(50), "This is a HEIC picture,"),
        (b"\0\0\0\x18ftypmif1" + bytes(50), "Most Compatible"),
        (b"\0\0\0\x18ftypisom" + bytes(50), "This is an MP4 film,"),
        (b"RIFF\x24\0\0\0AVI LIST", "This is an AVI film,"),
        (b"\0\0\0\1\x67\x42", "This is an H.264 stream,"),
        (b"%PDF-1.7", "This is a PDF document,"),
        (b"\x93\xfa\0\1" * 50, "This is something unknown,"),
        (b"\xff\xd8\xff", ""),
        (jpeg()[:200], ""),
        (jpeg()[: len(jpeg()) // 2], ""),
        (b"\x89PNG\r\n\x1a\n", ""),
        (png(20000, 20000), "20000"),
        (png(8000, 8000), "megapixel"),
        (lying_jpeg(), "9000"),
        (b"\xff\xd8\xff" + bytes(MAX_BYTES), "MiB"),
    ],
    ids=lambda one: one if isinstance(one, str) else "bytes",
)
def test_what_cannot_be_read_is_refused_in_a_sentence(data: bytes, says: str) -> None:
    with pytest.raises(UnreadablePicture) as caught:
        decode_picture(data)
    assert says in str(caught.value)
    assert str(caught.value).endswith(".")


def with_scans(count: int) -> bytes:
    """A progressive JPEG whose last scan is repeated until there are so many."""
    gray = np.full((240, 320, 3), 128, dtype=np.uint8)
    data = bytes(cv2.imencode(".jpg", gray, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1])
    last = data[data.rindex(b"\xff\xda") : -2]
    return data[:-2] + last * (count - data.count(b"\xff\xda")) + b"\xff\xd9"


def test_a_jpeg_that_would_be_passed_over_for_hours_is_refused_at_once() -> None:
    with pytest.raises(UnreadablePicture, match="more than 20 scans"):
        decode_picture(with_scans(MAX_SCANS + 1))
    assert decode_picture(with_scans(MAX_SCANS)).shape == (240, 320, 3)
    behind = with_scans(MAX_SCANS) + b"\xff\xda\x00\x02" * 50
    assert decode_picture(behind + b"\xff\xd9").shape == (240, 320, 3)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.jpg", tmp_path):
        with pytest.raises(UnreadablePicture, match=path.name):
            read_picture(path)


def test_opencv_s_own_limit_was_set_before_it_was_imported() -> None:
    import os

    assert 0 < int(os.environ["OPENCV_IO_MAX_IMAGE_PIXELS"]) <= 50_000_000


@pytest.mark.parametrize("quality", [80, 101])
def test_webp_is_decoded_after_its_header_was_checked(quality: int) -> None:
    picture = np.random.default_rng(3).integers(0, 255, (70, 90, 3), np.uint8)
    data = bytes(cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, quality])[1])
    assert picture_size(data) == (90, 70)
    assert decode_picture(data).shape == (70, 90, 3)
