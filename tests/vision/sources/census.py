"""What a source may leave behind, and how it ends."""

from __future__ import annotations

import time
from pathlib import Path

from vision.sources.live import LiveSource


def open_files() -> int:
    """Files, sockets and pipes that this process holds (Linux)."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def trouble_of(source: LiveSource, *, wait_s: float = 0.02) -> str:
    """Why no more pictures come; until then they are taken."""
    until = time.monotonic() + 10
    while source.trouble() is None:
        assert time.monotonic() < until
        source.next(wait_s)
    return str(source.trouble())
