"""The protocol between a camera's child process and its parent."""

from __future__ import annotations

import struct

ANSWER = struct.Struct("!?IIdI")
"""True for success, width and height in pixels, seconds since the previous picture, number of bytes that follow.

A picture's bytes are BGR rows; without a picture they are a sentence in UTF-8. The first answer has none: the camera is
open, in a mode of this width and height, and the seconds are pictures a second. All zero: there is no mode.
"""
NAME = struct.Struct("!I")
"""The number of bytes of the name that follows: an index, a device path or an address, in UTF-8."""
ASK = b"n"
"""The byte that asks for one picture."""
