"""Everything that a house remembers in one file: made while a game is played, checked whole before it is put back."""

from __future__ import annotations

from companion.backup.automatic import AutomaticBackups
from companion.backup.making import back_up
from companion.backup.members import LONE
from companion.backup.restoring import restore

__all__ = ["LONE", "AutomaticBackups", "back_up", "restore"]
