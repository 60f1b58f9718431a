"""Memory of a program that runs for weeks with many threads.

The C library (glibc) gives each thread a heap of its own, eight for each core, and memory that is freed in one of them
stays there: pictures that threads decode in turn leave a hole in each. Two heaps are enough for our threads, and
buffers of the size of a picture go back to the system as soon as they are freed (mallopt(3)).
"""

from __future__ import annotations

import ctypes
import platform

_ARENA_MAX, _MMAP_THRESHOLD = -8, -3
"""Names of settings in malloc.h."""
HEAPS = 2
PICTURE_BYTES = 256 * 1024
"""Buffers from this size on are taken from the system one by one; a fixed bound, since glibc's own rises with use."""


def bound_heaps() -> bool:
    """Bound the heaps of this process, before its threads begin; whether the C library can do that."""
    if platform.libc_ver()[0] != "glibc":
        return False
    mallopt = ctypes.CDLL(None).mallopt
    return bool(mallopt(_ARENA_MAX, HEAPS) and mallopt(_MMAP_THRESHOLD, PICTURE_BYTES))
