"""`companion print`: prints all flat parts of a game at true size."""

from __future__ import annotations

from pathlib import Path

import click

from companion.app.commands.mat import write_pdf
from companion.app.commands.options import PathType, print_language_option
from companion.app.printing.kit import print_kit
from companion.core.plan import PAPERS_MM


@click.command("print", short_help="Write a printable game.")
@click.argument("game")
@click.option(
    "--paper", type=click.Choice(list(PAPERS_MM)), default="a4", show_default=True, help="Size of the sheets."
)
@click.option("--seats", type=int, default=None, help="Number of players at the table; usually two.")
@click.option("-o", "--output", "path", type=PathType(dir_okay=False), required=True, help="PDF to write.")
@print_language_option
def print_command(game: str, paper: str, seats: int | None, path: Path, language: str) -> None:
    """Write everything flat that GAME needs: mat, board, tiles, cards, sheets, nets of dice and pyramids.

    GAME is a game, "deck" (the 168 cards) or "markers".
    """
    from companion.games import GAMES
    from web.language.catalog import CATALOGS
    from web.pages.printing import usual_seats

    data = print_kit(
        game, usual_seats(GAMES.get(game)) if seats is None else seats, paper, CATALOGS[language].translate
    )
    sheets = write_pdf(path, data)
    click.echo(f"{path}: {sheets} pages of {paper.upper()}. Print at 100 %, check the 50 mm line, cut and glue.")
