"""A backup after each game, into one folder; old ones go by number and age."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from companion.app.backup.making import back_up
from companion.app.backup.members import LONE
from companion.core.foundation.errors import CompanionError

_NAME = re.compile(r"companion-\d{8}-\d{6}(-\d+)?\.zip")
_DAY_S = 86400.0


class AutomaticBackups:
    """The backups of one journal in one folder."""

    def __init__(
        self,
        journal: Path,
        folder: Path,
        *,
        kept: int = 20,
        days: float | None = None,
        configuration: Callable[[], str | None] = lambda: None,
        say: Callable[[str], None] = print,
    ) -> None:
        """
        Args:
            kept: The number of backups to keep, at least 1; the newest is never deleted.
            days: Older ones are deleted; None: of any age are kept.
            configuration: Gives the configuration in force as a text without secrets.
            say: Gets a sentence if a backup failed; no game waits for it.
        """
        self._journal, self._folder, self._configuration = journal, folder, configuration
        self._kept, self._days, self._say = kept, days, say

    def make(self) -> Path | None:
        """Make a backup now and delete those that are too many or too old.

        Returns:
            The new one; None if it could not be made, which was said.
        """
        try:
            self._folder.parent.mkdir(parents=True, exist_ok=True)
            self._folder.mkdir(mode=0o700, exist_ok=True)
            path = self._new_path()
            back_up({LONE: self._journal}, path, self._configuration())
            self._tidy()
        except CompanionError as error:
            self._say(f"No backup after this game: {error}")
            return None
        except OSError as error:
            self._say(f"No backup after this game: {self._folder} cannot be used ({error.strerror}).")
            return None
        return path

    def all(self) -> tuple[Path, ...]:
        """Every backup in the folder, the newest first; other files are none of them."""
        found = [path for path in self._folder.glob("companion-*.zip") if _NAME.fullmatch(path.name)]
        return tuple(sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name), reverse=True))

    def _new_path(self) -> Path:
        stem = f"companion-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}"
        path, number = self._folder / f"{stem}.zip", 1
        while path.exists():
            number += 1
            path = self._folder / f"{stem}-{number}.zip"
        return path

    def _tidy(self) -> None:
        oldest = None if self._days is None else time.time() - self._days * _DAY_S
        for place, path in enumerate(self.all()):
            if place and (place >= self._kept or (oldest is not None and path.stat().st_mtime < oldest)):
                path.unlink(missing_ok=True)
