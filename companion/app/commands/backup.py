"""`companion backup`: packs the data of all tables into one file, while games go on."""

from __future__ import annotations

from pathlib import Path

import click

from companion.app.backup.making import back_up
from companion.app.commands.config import printable
from companion.app.commands.configuration import FILE, served_journals
from companion.app.commands.options import PATH


@click.command("backup", short_help="Pack journal, results and calibration into one file.")
@click.argument("target", metavar="FILE", type=PATH)
@click.option("--journal", type=PATH, metavar="FILE", help="Pack this journal instead of those of serve.")
@click.pass_context
def backup_command(ctx: click.Context, target: Path, journal: Path | None) -> None:
    """Pack journal, results, calibration and the configuration without its secrets into the zip FILE.

    If the configuration names several tables, the backup holds all of them, paused ones too. A server may run
    meanwhile, and games may go on. The backup holds hands and seeds of dealt games: keep it secret.
    """
    configuration = ctx.meta.get(FILE)
    manifest = back_up(served_journals(configuration, journal), target, printable(ctx.find_root()))
    click.echo(f"{target} holds {', '.join(manifest.files)}.")
