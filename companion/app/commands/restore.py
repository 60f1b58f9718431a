"""`companion restore`: restores a backup, after all of it was checked."""

from __future__ import annotations

from pathlib import Path

import click

from companion.app.backup.members import LONE
from companion.app.backup.restoring import restore
from companion.app.commands.configuration import FILE, served_journals
from companion.app.commands.options import PATH


@click.command("restore", short_help="Check a backup and put it back.")
@click.argument("backup", metavar="FILE", type=PATH)
@click.option("--journal", type=PATH, metavar="FILE", help="Restore the journal to this file, not to the one of serve.")
@click.option("--table", metavar="NAME", help="Restore only this one of several tables.")
@click.pass_context
def restore_command(ctx: click.Context, backup: Path, journal: Path | None, table: str | None) -> None:
    """Put the backup FILE in the place of journal, results and calibration. End the server first.

    If FILE holds several tables, each one goes where the configuration keeps it. Replaced files are kept beside the
    new ones. The configuration is not restored, because FILE does not hold its secrets.
    """
    from vision.calibration.calibration import load_calibration

    journals = served_journals(ctx.meta.get(FILE)) if journal is None else {table or LONE: journal}
    restored = restore(backup, journals, table, check_calibration=load_calibration)
    for sentence in restored.left_out:
        click.echo(sentence, err=True)
    for path in restored.aside:
        click.echo(f"Set aside: {path}")
    click.echo(f"{backup} was restored to {', '.join(map(str, restored.journals))}.")
