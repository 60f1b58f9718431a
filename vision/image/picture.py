"""Decodes pictures from outside within limits.

An upload or a file may be truncated, empty, enormous or not a picture at all. Its first bytes and its header are read
before any decoder sees it, so that no picture beyond the limits is unpacked.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.foundation.errors import UnreadablePicture

Picture = NDArray[np.uint8]
"""A picture: (H, W, 3) uint8, BGR."""

MAX_BYTES = 10 * 1024 * 1024
MAX_SIDE_PX = 8192
MIN_SIDE_PX = 64
MAX_PIXELS = 25_000_000
MAX_SCANS = 20
"""The largest number of passes over the whole picture in a progressive JPEG. Encoders make up to a dozen; a few bytes
can demand a pass over all pixels, so that a small file could keep a decoder busy for hours.
"""

_JPEG = b"\xff\xd8\xff"
_PNG = b"\x89PNG\r\n\x1a\n"
_WEBP = (b"RIFF", b"WEBP")
"""The first bytes of a WebP file, and the bytes after its length."""
_KINDS = (
    (8, b"WEBP", "a WebP picture"),
    (0, b"GIF8", "a GIF picture"),
    (4, b"ftypavi", "an AVIF picture"),
    (4, b"ftyphei", "a HEIC picture"),
    (4, b"ftypmif1", "a HEIC picture"),
    (4, b"ftyp", "an MP4 film"),
    (0, b"BM", "a BMP picture"),
    (0, b"II*\0", "a TIFF picture"),
    (0, b"MM\0*", "a TIFF picture"),
    (0, b"\xff\x0a", "a JPEG XL picture"),
    (0, b"\0\0\0\x0cJXL ", "a JPEG XL picture"),
    (0, b"\0\0\0\x0cjP  ", "a JPEG 2000 picture"),
    (0, b"\0\0\0\1", "an H.264 stream"),
    (0, b"%PDF", "a PDF document"),
    (0, b"PK\3\4", "a zip file"),
    (0, b"\x1f\x8b", "a gzip file"),
    (0, b"\x1aE\xdf\xa3", "a WebM film"),
    (0, b"RIFF", "an AVI film"),
)
"""Kinds of files: the offset of a signature, its bytes, and the kind; the first match counts."""
_LOOKED_AT = 512
"""The number of bytes that show whether data are text."""
_FRAME_HEADERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The JPEG markers that carry the size."""
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
"""The JPEG markers without a length."""
_SCAN, _END = 0xDA, 0xD9
_NEXT_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
"""The end of a scan's data; inside it, a byte 255 is followed by 0 or by a restart marker."""


def read_picture(path: Path) -> Picture:
    """Returns a picture file.

    Raises:
        UnreadablePicture: It is not there, or `decode_picture` refuses it.
    """
    try:
        if not path.is_file():
            raise UnreadablePicture(f"{path} is not a file. Give the path of a JPEG, PNG or WebP picture.")
        if path.stat().st_size > MAX_BYTES:
            raise UnreadablePicture(_too_heavy(path.stat().st_size))
        data = path.read_bytes()
    except OSError as error:
        raise UnreadablePicture(
            f"{path} cannot be opened ({error.strerror}). Check its name and its permissions."
        ) from error
    return decode_picture(data)


def decode_picture(data: bytes) -> Picture:
    """Returns the picture in these bytes, turned as its EXIF orientation says.

    Raises:
        UnreadablePicture: Not a JPEG, PNG or WebP, incomplete, or beyond 10 MiB, 8192 pixels a side, 25 megapixels or
            20 scans.
    """
    width, height = picture_size(data)
    try:
        picture = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise UnreadablePicture(
            "The picture's data is damaged and cannot be decoded. Take or save it again."
        ) from error
    if picture is None or picture.ndim != 3 or picture.shape[2] != 3:
        raise UnreadablePicture("The picture's data is damaged and cannot be decoded. Take or save it again.")
    if sorted(picture.shape[:2]) != sorted((height, width)):
        raise UnreadablePicture("The picture's header names another size than its data has. Take or save it again.")
    return np.asarray(picture, dtype=np.uint8)


def picture_size(data: bytes) -> tuple[int, int]:
    """Returns width and height in pixels from a picture's header, without decoding pixels or applying EXIF orientation.

    Raises:
        UnreadablePicture: As `decode_picture`, but for damage that only decoding shows.
    """
    if not data:
        raise UnreadablePicture("The picture is empty (0 bytes). Take or save it again.")
    if len(data) > MAX_BYTES:
        raise UnreadablePicture(_too_heavy(len(data)))
    if data.startswith(_JPEG):
        width, height = _jpeg_size(data)
    elif data.startswith(_PNG):
        width, height = _png_size(data)
    elif (data[:4], data[8:12]) == _WEBP:
        width, height = _webp_size(data)
    else:
        raise UnreadablePicture(_other_kind(kind_of(data)))
    if min(width, height) < MIN_SIDE_PX:
        raise UnreadablePicture(
            f"The picture is {width} x {height} pixels; at least {MIN_SIDE_PX} a side are needed. Take a larger one."
        )
    if max(width, height) > MAX_SIDE_PX or width * height > MAX_PIXELS:
        raise UnreadablePicture(
            f"The picture is {width} x {height} pixels; the limits are {MAX_SIDE_PX} a side and "
            f"{MAX_PIXELS // 1_000_000} megapixels. Take or save a smaller one."
        )
    return width, height


def check_jpeg(data: bytes, longest_px: int) -> None:
    """Checks a JPEG picture by its header, without decoding pixels.

    Raises:
        UnreadablePicture: It is not a JPEG, it is incomplete, or its longer side has more than `longest_px` pixels.
    """
    width, height = picture_size(data)
    if not data.startswith(_JPEG):
        raise UnreadablePicture(f"This is {kind_of(data)}, not a JPEG picture. Send it as one.")
    if max(width, height) > longest_px:
        raise UnreadablePicture(f"The picture is {width} x {height} pixels; send at most {longest_px} a side.")


def kind_of(data: bytes) -> str:
    """Returns the kind of some bytes, judged by their beginning, with its article: "a WebP picture"."""
    for at, sign, kind in _KINDS:
        if data[at : at + len(sign)] == sign:
            return kind
    start = data[:_LOOKED_AT].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "a web page"
    try:
        text = data[:_LOOKED_AT].decode("utf-8")
    except UnicodeDecodeError as error:
        # A letter may be cut in two where the look ends.
        text = "" if error.start < _LOOKED_AT - 4 else data[: error.start].decode("utf-8")
    return "text" if text and all(one.isprintable() or one.isspace() for one in text) else "something unknown"


def _other_kind(kind: str) -> str:
    if kind == "a HEIC picture":
        return (
            "This is a HEIC picture, which is not read here. On an iPhone choose Settings, Camera, Formats, Most "
            "Compatible, or share the photo as a JPEG."
        )
    return f"This is {kind}, not a JPEG, PNG or WebP picture. Save or send it as one of these."


def _too_heavy(size: int) -> str:
    limit = MAX_BYTES // 2**20
    return f"The picture has {size / 2**20:.1f} MiB; the limit is {limit} MiB. Save it smaller or compress it more."


def _incomplete(kind: str) -> UnreadablePicture:
    return UnreadablePicture(f"The {kind} picture is incomplete: its data ends too early. Take, save or send it again.")


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """Returns width and height from a JPEG's frame header; the end of the image must be there, too."""
    at, size = 2, None
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            raise UnreadablePicture("The JPEG picture's header is damaged. Take or save it again.")
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker in _ALONE:
            at += 2
            continue
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in _FRAME_HEADERS and at + 9 <= len(data):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            size = width, height
        if marker == _SCAN:
            if size is None:
                raise UnreadablePicture("The JPEG picture's header names no size. Take or save it again.")
            if data.rfind(b"\xff\xd9") < at:
                raise _incomplete("JPEG")
            if _scans(data, at) > MAX_SCANS:
                raise UnreadablePicture(
                    f"The JPEG picture is stored in more than {MAX_SCANS} scans. Save it as a plain JPEG or a PNG."
                )
            return size
        if length < 2:
            raise UnreadablePicture("The JPEG picture's header is damaged. Take or save it again.")
        at += 2 + length
    raise _incomplete("JPEG")


def _scans(data: bytes, at: int) -> int:
    """Returns the number of scans of a JPEG from its first one, at `at`, to its end; stops counting beyond the
    limit.
    """
    count = 0
    while count <= MAX_SCANS and (found := _NEXT_MARKER.search(data, at)):
        at, marker = found.end(), data[found.end() - 1]
        if marker == _END:
            break
        count += marker == _SCAN
        if marker not in _ALONE:
            at += int.from_bytes(data[at : at + 2], "big")
    return count


def _png_size(data: bytes) -> tuple[int, int]:
    """Returns width and height from a PNG's first chunk; its last chunk must be there, too."""
    if len(data) < 33 or data[12:16] != b"IHDR":
        raise _incomplete("PNG")
    width, height = struct.unpack(">II", data[16:24])
    at = 8
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        if data[at + 4 : at + 8] == b"IEND":
            return width, height
        at += 12 + length
    raise _incomplete("PNG")


def _webp_size(data: bytes) -> tuple[int, int]:
    """Returns width and height from the first chunk of a still WebP; all announced bytes must be there."""
    if len(data) < 30 or len(data) < int.from_bytes(data[4:8], "little") + 8:
        raise _incomplete("WebP")
    kind, at = data[12:16], 20
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[at + 6 : at + 10])
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        bits = int.from_bytes(data[at + 1 : at + 5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8X" and not data[at] & 0x02:
        return int.from_bytes(data[at + 4 : at + 7], "little") + 1, int.from_bytes(data[at + 7 : at + 10], "little") + 1
    raise UnreadablePicture("This is a moving or unusual WebP picture. Save or send a still one, or a JPEG.")
