"""Pictures as phones, converters and ill will make them: read within bounds, or refused in one sentence."""

from __future__ import annotations

import struct
import zlib
from random import Random

import cv2
import numpy as np

from companion.core.foundation.errors import UnreadablePicture
from tests.fuzz.spoiling import spoiled_bytes
from vision.image.picture import MAX_PIXELS, MAX_SIDE_PX, decode_picture

SIDES = (1, 63, 64, 65, 200, 8192, 8193, 65535)
PNG = b"\x89PNG\r\n\x1a\n"


def one(rng: Random) -> None:
    """One picture: whole, odd, spoiled or a bomb."""
    data = rng.choice((_plain, _deep, _turned, _four_colors, _animated, _lying, _bomb))(rng)
    if rng.random() < 0.6:
        data = spoiled_bytes(rng, data)
    try:
        picture = decode_picture(data)
    except UnreadablePicture as refused:
        assert str(refused).endswith("."), str(refused)
        return
    assert picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3
    assert max(picture.shape) <= MAX_SIDE_PX and picture.shape[0] * picture.shape[1] <= MAX_PIXELS


def _noise(rng: Random, dtype: type = np.uint8) -> np.ndarray:
    height, width = rng.choice((64, 100, 333)), rng.choice((64, 120, 480))
    shape = (height, width, rng.choice((1, 3, 4)))
    high = np.iinfo(dtype).max
    return np.random.default_rng(rng.getrandbits(32)).integers(0, high, shape, dtype=dtype)


def _encoded(kind: str, picture: np.ndarray, *flags: int) -> bytes:
    return cv2.imencode(kind, picture, list(flags))[1].tobytes()


def _plain(rng: Random) -> bytes:
    picture = _noise(rng)
    if rng.random() < 0.5:
        return _encoded(".png", picture)
    flags = (cv2.IMWRITE_JPEG_PROGRESSIVE, rng.choice((0, 1)), cv2.IMWRITE_JPEG_RST_INTERVAL, rng.choice((0, 4)))
    return _encoded(".jpg", picture[:, :, : 1 if picture.shape[2] == 1 else 3], *flags)


def _deep(rng: Random) -> bytes:
    """16 bits a channel."""
    return _encoded(".png", _noise(rng, np.uint16))


def _turned(rng: Random) -> bytes:
    """A JPEG whose EXIF block gives one of the eight orientations, or none that is known."""
    data = _encoded(".jpg", _noise(rng)[:, :, :1])
    entry = struct.pack("<HHII", 0x0112, 3, 1, rng.choice((*range(10), 65535)))
    block = b"Exif\0\0II*\0" + struct.pack("<IH", 8, rng.choice((1, 1, 7, 65535))) + entry + struct.pack("<I", 0)
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + data[2:]


def _four_colors(rng: Random) -> bytes:
    """A JPEG in cyan, magenta, yellow and black: each is a plane of the gray picture, scanned one after the other."""
    data = _encoded(".jpg", _noise(rng)[:, :, :1])
    frame, scan = data.index(b"\xff\xc0"), data.index(b"\xff\xda")
    start, end = scan + 2 + int.from_bytes(data[scan + 2 : scan + 4], "big"), data.rindex(b"\xff\xd9")
    tables = data[frame + 2 + int.from_bytes(data[frame + 2 : frame + 4], "big") : scan]
    size = data[frame + 4 : frame + 9]
    head = b"\xff\xc0" + struct.pack(">H", 20) + size + b"\x04" + b"".join(bytes((n, 0x11, 0)) for n in range(1, 5))
    scans = b"".join(b"\xff\xda\0\x08\x01" + bytes((n, 0, 0, 63, 0)) + data[start:end] for n in range(1, 5))
    adobe = b"\xff\xee\0\x0eAdobe\0\x64\0\0\0\0" + bytes((rng.choice((0, 2)),))
    return data[:2] + adobe + data[2:frame] + head + tables + scans + b"\xff\xd9"


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _animated(rng: Random) -> bytes:
    """An animated PNG that announces many frames; or a GIF, which is none of the kinds that are read."""
    if rng.random() < 0.2:
        return b"GIF89a" + rng.randbytes(200)
    data = _encoded(".png", _noise(rng)[:, :, :3])
    control = _chunk(b"acTL", struct.pack(">II", rng.choice((1, 2, 2**31 - 1)), rng.choice((0, 1))))
    height, width = struct.unpack(">II", data[16:24])[::-1]
    frame = struct.pack(">IIIIIHHBB", 0, rng.choice((width, 2**31 - 1)), height, 0, 0, 1, 10, 0, 0)
    return data[:33] + control + _chunk(b"fcTL", frame) + data[33:]


def _lying(rng: Random) -> bytes:
    """The header names another size than the data has."""
    height, width = rng.choice(SIDES), rng.choice(SIDES)
    if rng.random() < 0.5:
        data = _encoded(".png", _noise(rng))
        return data[:8] + _chunk(b"IHDR", struct.pack(">II", width, height) + data[24:29]) + data[33:]
    data = bytearray(_encoded(".jpg", _noise(rng)[:, :, :1]))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", height, width)
    return bytes(data)


def _bomb(rng: Random) -> bytes:
    """A few kilobytes that unpack to very much: rows of nothing, or a text chunk of nothing."""
    side = rng.choice((4000, 5000, 8192, 30000, 2**31 - 1))
    rows = zlib.compress(bytes(min(side, 5000) * 1000), 9)
    text = _chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(30_000_000), 1)) if rng.random() < 0.3 else b""
    head = _chunk(
        b"IHDR", struct.pack(">IIBBBBB", side, side, rng.choice((1, 8, 16)), rng.choice((0, 2, 3, 6)), 0, 0, 0)
    )
    return PNG + head + text + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")
