"""Where the journals of `companion serve` lie by the command line or the configuration."""

from __future__ import annotations

from pathlib import Path

from companion.app.commands.configuration import told_journals
from companion.app.commands.runtime import journal_path


def served_journals(configuration: Path | None, journal: Path | None = None) -> dict[str, Path]:
    """Where the journal of each table lies that `companion serve` would open; the empty name where there is but one.

    Args:
        journal: The one that the command line names; then it is of the only table.

    Raises:
        BadConfiguration: The configuration cannot be read.
    """
    if journal is not None:
        return {"": journal}
    return {table: path or journal_path(table) for table, path in told_journals(configuration).items()}
