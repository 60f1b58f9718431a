"""`companion mat`: prints the markers and the play mat at true size."""

from __future__ import annotations

from pathlib import Path

import click

from companion.app.commands.options import PathType, print_language_option
from companion.app.printing.mat_pdf import mat_pdf
from companion.core.foundation.errors import WrongUsage
from companion.core.foundation.kept_file import write_whole
from companion.core.plan import PAPERS_MM, Plan
from companion.games import GAMES, MANIFESTS, PLANS
from companion.games.shared import color_dice

MATS: dict[str, tuple[str, Plan]] = {
    "dice-tray": ("Dice tray", color_dice.plan()),
    **{name: one.printed for name, one in MANIFESTS.items() if one.printed is not None},
}
"""The printed sheets that are not simply the plan of a game: their titles and plans by name, for any number of
seats."""


@click.command("mat")
@click.argument("game")
@click.option(
    "--paper", type=click.Choice(list(PAPERS_MM)), default="a4", show_default=True, help="Size of the sheets."
)
@click.option("--seats", type=int, default=2, show_default=True, help="Number of players at the table.")
@click.option("-o", "--output", "path", type=PathType(dir_okay=False), required=True, help="PDF to write.")
@print_language_option
def mat_command(game: str, paper: str, seats: int, path: Path, language: str) -> None:
    """Write a printable mat for GAME: four markers and the zones, over as many sheets as it needs."""
    from vision.registration.markers import marker_cells
    from web.language.catalog import CATALOGS

    title, plan = titled(game, seats)
    data = mat_pdf(plan, title, paper, marker_cells, CATALOGS[language].translate)
    sheets = write_pdf(path, data)
    click.echo(f"{path}: {sheets} sheets of {paper.upper()}. Print at 100 %, check the 50 mm line, cut and glue.")


def write_pdf(path: Path, data: bytes) -> int:
    """Writes a PDF and returns the number of its pages.

    Raises:
        WrongUsage: The file cannot be written.
    """
    try:
        write_whole(path, data, shared=True)
    except OSError as error:
        raise WrongUsage(f"{path} cannot be written ({error.strerror}). Choose another place with -o.") from error
    return data.count(b"/Type /Page\n") or data.count(b"/Type /Page ")


def titled(name: str, seats: int) -> tuple[str, Plan]:
    """Returns the title and the plan of a game's mat.

    Raises:
        WrongUsage: The game has no mat, or none for this number of players.
    """
    if name in MATS:
        return MATS[name]
    if name not in PLANS:
        raise WrongUsage(f'There is no mat for "{name}". Choose one of: {", ".join(dict.fromkeys((*PLANS, *MATS)))}.')
    possible = GAMES[name].seats
    if seats not in possible:
        raise WrongUsage(f"{GAMES[name].title} has {possible.start} to {possible.stop - 1} players, not {seats}.")
    return GAMES[name].title, PLANS[name](seats)
