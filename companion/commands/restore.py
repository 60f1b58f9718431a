"""`companion restore`: put a backup back, after all of it was checked."""

from __future__ import annotations

from pathlib import Path

import click

from companion.backup import restore
from companion.commands.configuration import FILE, served_journal
from companion.commands.runtime import journal_path


@click.command("restore", short_help="Check a backup and put it back.")
@click.argument("backup", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--journal", type=click.Path(path_type=Path), metavar="FILE", help="The journal, if not that of serve.")
@click.pass_context
def restore_command(ctx: click.Context, backup: Path, journal: Path | None) -> None:
    """Put the backup FILE in the place of journal, results and calibration. End the server first.

    What is replaced is set aside beside it. The configuration is not put back, since its secrets are not in FILE.
    """
    target = journal or served_journal(ctx.meta.get(FILE)) or journal_path()
    for path in restore(backup, target):
        click.echo(f"Set aside: {path}")
    click.echo(f"{backup} was restored to {target}.")
