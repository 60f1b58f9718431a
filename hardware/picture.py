"""Pictures on a strip of lights, sent in as few frames as possible."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence

from firmware_protocol.messages import LedFill, LedMask, LedPixels
from firmware_protocol.payload import Payload
from hardware.die_faces import Color

Picture = tuple[Color, ...]
"""The color of each light, in the order of the strip."""

DARK: Color = (0, 0, 0)
PIXELS_A_FRAME = 18
"""The number of lights in one LED_PIXELS frame."""
BITS_A_FRAME = 8 * 45
"""The number of lights that one mask can reach: 56 bytes of payload, less the 8 bytes of LED_EFFECT's other fields
(LED_MASK has 5).
"""


def dark(lights: int) -> Picture:
    """Returns a dark strip."""
    return (DARK,) * lights


def lit(lights: int, which: Iterable[int], color: Color, ground: Color = DARK) -> Picture:
    """Returns a picture with the lights `which` in `color`, the others in `ground`."""
    chosen = set(which)
    return tuple(color if at in chosen else ground for at in range(lights))


def packed(picture: Picture) -> bytes:
    """Returns three bytes a light."""
    return bytes(part for color in picture for part in color)


def digest(picture: Picture) -> int:
    """Returns the CRC-32 that LED_DIGEST answers for this picture."""
    return zlib.crc32(packed(picture))


def mask(which: Sequence[int]) -> tuple[int, bytes]:
    """Returns offset and bits for the lights `which`, not empty, within BITS_A_FRAME of each other."""
    offset = min(which)
    bits = bytearray((max(which) - offset) // 8 + 1)
    for light in which:
        bits[(light - offset) // 8] |= 1 << (light - offset) % 8
    return offset, bytes(bits)


def masks(which: Iterable[int]) -> list[tuple[int, bytes]]:
    """Returns offset and bits of as many masks as the lights `which` need."""
    rest = sorted(which)
    found = []
    while rest:
        reach = [light for light in rest if light < rest[0] + BITS_A_FRAME]
        found.append(mask(reach))
        rest = rest[len(reach) :]
    return found


def fitted(wanted: Picture, lights: int) -> Picture:
    """Returns the picture on a strip of another length: cut off, or dark at the end."""
    return wanted[:lights] + dark(max(0, lights - len(wanted)))


def requests(before: Picture, after: Picture) -> list[Payload]:
    """Returns the requests that turn a strip from `before` into `after`, of the same length, in the fewest frames."""
    if before == after:
        return []
    ways = (painted(before, after), afresh(after), one_by_one(before, after))
    return min(ways, key=len)


def painted(before: Picture, after: Picture) -> list[Payload]:
    """Returns the requests that set all changed lights: for each new color, the masks of the lights that get it."""
    wanted: dict[Color, list[int]] = {}
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new:
            wanted.setdefault(new, []).append(at)
    return [LedMask(bytes(color), *where) for color, which in wanted.items() for where in masks(which)]


def afresh(after: Picture) -> list[Payload]:
    """Returns the most frequent color over the whole strip, then the others."""
    ground = Counter(after).most_common(1)[0][0]
    return [LedFill(bytes(ground), 0, len(after)), *painted((ground,) * len(after), after)]


def one_by_one(before: Picture, after: Picture) -> list[Payload]:
    """Returns the requests that set light by light, from the first that changes to the last."""
    changed = [at for at in range(len(after)) if before[at] != after[at]]
    end = changed[-1] + 1
    starts = range(changed[0], end, PIXELS_A_FRAME)
    return [LedPixels(at, packed(after[at : min(at + PIXELS_A_FRAME, end)])) for at in starts]


# The current that a picture draws, and its largest brightness.
#
# A strip of 64 white lights would draw almost four amperes and a USB port gives half of one. The device never
# exceeds its compiled limit; this side keeps to the owner's limit, which may be lower, and reports when it had to dim.

CHANNEL_MA = 20.0
"""The current in milliamperes of one color of one WS2812 at full brightness; slightly above the data sheets."""
RESTING_MA = 1.0
"""The current in milliamperes of one dark WS2812."""
USB_MA = 400
"""The current in milliamperes that a USB port leaves for the lights: 500 minus the Uno's."""


def current_ma(picture: Picture, brightness: int = 255) -> float:
    """Returns the milliamperes that `picture` draws at `brightness`, 0 to 255."""
    full = sum(sum(color) for color in picture) * CHANNEL_MA / 255
    return len(picture) * RESTING_MA + full * brightness / 255


def allowed_brightness(picture: Picture, wanted: int, limit_ma: float) -> int:
    """Returns the brightness up to `wanted` with which `picture` stays within `limit_ma`."""
    resting = len(picture) * RESTING_MA
    full = current_ma(picture) - resting
    room = max(0.0, limit_ma - resting)
    return wanted if full * wanted / 255 <= room else int(room * 255 / full)
