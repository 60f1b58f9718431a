"""Files that are replaced as a whole: after a power cut there is the old one or the new one, never a part."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, data: bytes, *, durable: bool = False, shared: bool = False) -> None:
    """Replaces or creates a file. Only its owner may read it, from its first byte on.

    Args:
        durable: It is on disk when this returns.
        shared: Others may read it too, as the system usually lets them.

    Raises:
        OSError: It cannot be written; the earlier file stands.
    """
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    with open(part, "xb", opener=None if shared else _for_owner) as file:
        file.write(data)
        if durable:
            file.flush()
            os.fsync(file.fileno())
    part.replace(path)


def name_aside(path: Path) -> Path:
    """The first free name of the row `FILE.aside-1`, `FILE.aside-2`, ... for a file that must make room."""
    number = 1
    while path.with_name(f"{path.name}.aside-{number}").exists():
        number += 1
    return path.with_name(f"{path.name}.aside-{number}")


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
