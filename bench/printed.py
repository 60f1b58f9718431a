"""`python -m bench.printed`: how much of a printed game is read, on drawn tables by chance."""

from __future__ import annotations

import click

from simulation.printed.bystanders import BYSTANDERS
from simulation.printed.readings import READINGS

KINDS = {**READINGS, **BYSTANDERS}


@click.command()
@click.option("--kind", "kinds", multiple=True, type=click.Choice(list(KINDS)), help="Only these.")
@click.option("--tables", type=click.IntRange(1), default=20, show_default=True, help="Tables of each kind.")
@click.option("--seed", type=int, default=1000, show_default=True, help="Of the first one.")
def main(kinds: tuple[str, ...], tables: int, seed: int) -> None:
    """Print the share of printed pieces that are read right, and those that are not."""
    for kind in kinds or tuple(KINDS):
        laid = wrong = whole = 0
        for number in range(seed, seed + tables):
            compared = KINDS[kind](number)
            laid += compared.laid
            wrong += len(compared.wrong)
            whole += not compared.wrong
            for sentence in compared.wrong:
                click.echo(f"  {kind} {number}: {sentence}")
        click.echo(f"{kind}: {1 - wrong / laid:.4f} of {laid} right, {whole} of {tables} tables whole")


if __name__ == "__main__":
    main()
