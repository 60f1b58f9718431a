"""A slow disk that forgets what was not synced: a library that is loaded into the process that writes (Linux only)."""

from __future__ import annotations

import shutil
from pathlib import Path

from simulation.firmware.toolchain import build_folder, need, run

HERE = Path(__file__).parent


class SlowDisk:
    """The disk of one folder, and what a power cut would leave of it."""

    def __init__(self, folder: Path, delay_us: int) -> None:
        """
        :param delay_us: how long each write waits, in microseconds.
        """
        need("cc", "gcc")
        self._folder, self._mirror = folder, folder.with_name(f"{folder.name}-kept")
        self._library = build_folder() / "slow_disk.so"
        run("cc", "-shared", "-fPIC", "-O2", HERE / "slow_disk.c", "-ldl", "-o", self._library)
        self._delay_us = delay_us
        folder.mkdir()

    def environment(self) -> dict[str, str]:
        """What the process that writes is started with; what lies in the folder now is on disk."""
        shutil.rmtree(self._mirror, ignore_errors=True)
        shutil.copytree(self._folder, self._mirror)
        return {
            "LD_PRELOAD": str(self._library),
            "SLOW_FOLDER": f"{self._folder.resolve()}/",
            "SLOW_US": str(self._delay_us),
            "MIRROR": str(self._mirror.resolve()),
        }

    def cut(self) -> int:
        """The power is cut: what was not synced is gone. How many bytes of what was written that were."""
        before = sum(one.stat().st_size for one in self._folder.iterdir() if not one.name.endswith("-shm"))
        shutil.rmtree(self._folder)
        self._folder.mkdir()
        kept = [one for one in self._mirror.iterdir() if not one.name.endswith((".new", "-shm"))]
        for one in kept:
            shutil.copy(one, self._folder / one.name)
        return before - sum(one.stat().st_size for one in kept)
