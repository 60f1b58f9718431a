"""The command line: `companion COMMAND ...`.

Commands are loaded only when they are called, so `companion rules` never waits for OpenCV. Every refusal is one
sentence on standard error. Exit status 0: done; 1: some input could not be read or was refused; 2: wrong usage.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click

from companion import __version__
from companion.app.commands.configuration import CONFIGURED, FILE, defaults, find, keys, read, variable
from companion.app.commands.options import PATH
from companion.core.foundation.errors import CompanionError
from companion.core.printable import one_line

COMMANDS = {
    "demo": "Referee a bundled recorded game, on the page or headless.",
    "serve": "Referee a live table and show it on a page.",
    "hub": "Show the tables of a club and lead an evening of rounds.",
    "recognize": "Read photographs.",
    "score": "Score photographs of a game by its rules.",
    "calibrate": "Learn a table from its empty picture.",
    "watch": "Referee a recording or a stream in the terminal.",
    "judge": "Judge a written record of a game.",
    "replay": "Replay and check a journal; export it.",
    "journal": "Copy a journal to another place, as to a database.",
    "games": "What can be refereed, with its options.",
    "rules": "The numbered rules of a game.",
    "odds": "Exact odds of poker hands, for both rankings.",
    "tournament": "Let players compete, with 95 percent intervals.",
    "mat": "Write a printable mat with markers at true size.",
    "print": "Write a printable game: board, pieces, cards, at true size.",
    "config": "Print and check the configuration.",
    "backup": "Pack journal, results and calibration into one file.",
    "restore": "Check a backup and put it back.",
    "support": "Pack what helps to find a fault into one file, without secrets.",
    "doctor": "Check camera, light, markers, ports and permissions.",
}
"""The commands in the order of `--help`, with a sentence each."""


class Lazy(click.Group):
    """A group that imports `companion.app.commands.NAME` when NAME is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the names of all commands, without importing any."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns a command, which is imported now."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"companion.app.commands.{cmd_name}"), f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        if cmd_name in CONFIGURED:
            for key, option in keys(command).items():
                option.envvar = variable(cmd_name, key)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Returns the called command, with the values from the configuration file as its defaults.

        Raises:
            BadConfiguration: The file cannot be used for this command.
        """
        name, command, rest = super().resolve_command(ctx, args)
        path: Path | None = ctx.meta.get(FILE)
        if path is not None and command is not None and name in CONFIGURED:
            table = read(path).get(name, {})
            ctx.default_map = {name: defaults(path, name, command, table)}
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the list for `--help`, from `COMMANDS` alone."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
@click.option(
    "--config",
    type=PATH,
    metavar="FILE",
    expose_value=False,
    callback=lambda ctx, _, path: ctx.meta.update({FILE: find(path)}),
    help="Read the configuration here.",
)
def cli() -> None:
    """A referee for real tabletop games: a camera sees the table, numbered rules decide."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line and exits with its status."""
    try:
        code = cli.main(arguments, prog_name="companion", standalone_mode=False)
    except CompanionError as error:
        click.echo(f"companion: {error}", err=True)
        sys.exit(error.exit_code)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "companion"
        click.echo(f"{where}: {one_line(error.format_message())} See `{where} --help`.", err=True)
        sys.exit(2)
    except click.ClickException as error:
        click.echo(f"companion: {one_line(error.format_message())}", err=True)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("companion: stopped.", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)


if __name__ == "__main__":
    main()
