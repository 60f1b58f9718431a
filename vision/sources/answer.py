"""What a camera's child process and its parent say to each other: first the camera's name, then one byte asks and one
header with a picture answers.
"""

from __future__ import annotations

import struct

ANSWER = struct.Struct("!?IIdI")
"""Whether all is well, width and height in pixels, seconds since the picture before, bytes that follow.

A picture's bytes are BGR rows; without a picture they are a sentence in UTF-8. The first answer has none: the camera is
open, in a mode of this width and height, and the seconds are pictures a second. All zero: there is no mode.
"""
NAME = struct.Struct("!I")
"""How many bytes the name has that follows: an index, a device path or an address, in UTF-8."""
ASK = b"n"
"""The byte that asks for one picture."""
