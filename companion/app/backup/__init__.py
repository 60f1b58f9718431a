"""Everything that a house remembers in one file: made while a game is played, checked whole before it is put back."""

from __future__ import annotations

from companion.app.backup.making import AutomaticBackups, back_up
from companion.app.backup.members import LONE
from companion.app.backup.restoring import restore

__all__ = ["LONE", "AutomaticBackups", "back_up", "restore"]
