"""The current that a picture draws, and its largest brightness.

A strip of 64 white lights would draw almost four amperes and a USB port gives half of one. The device never exceeds its
compiled limit; this side keeps to the owner's limit, which may be lower, and reports when it had to dim.
"""

from __future__ import annotations

from hardware.picture import Picture

CHANNEL_MA = 20.0
"""One color of one WS2812 at full brightness, milliamperes; somewhat more than data sheets say."""
RESTING_MA = 1.0
"""One dark WS2812."""
USB_MA = 400
"""The current that a USB port leaves for the lights: 500 less the Uno."""


def current_ma(picture: Picture, brightness: int = 255) -> float:
    """Milliamperes that `picture` draws at `brightness` 0 to 255."""
    full = sum(sum(color) for color in picture) * CHANNEL_MA / 255
    return len(picture) * RESTING_MA + full * brightness / 255


def allowed_brightness(picture: Picture, wanted: int, limit_ma: float) -> int:
    """The brightness up to `wanted` with which `picture` stays within `limit_ma`."""
    resting = len(picture) * RESTING_MA
    full = current_ma(picture) - resting
    room = max(0.0, limit_ma - resting)
    return wanted if full * wanted / 255 <= room else int(room * 255 / full)
