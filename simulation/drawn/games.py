"""Plays random drawn games through the whole pipeline: `python -m simulation.drawn.games --game spectra --games 300`.

Prints one line per failure, with seed and turn, and the sums. The same game, seed and number of steps give the same
pictures again; `--dump` writes the pictures of failures, and copies with the reading drawn over them.
"""

from __future__ import annotations

from pathlib import Path

import click
import cv2

from simulation.drawn.alone import Alone
from simulation.drawn.readings import GameRead, games_of
from simulation.drawn.refereed import Failure, Refereed, Setting
from simulation.drawn.tabletop import SURFACES
from simulation.drawn.tally import Tally
from vision.overlay import draw


@click.command()
@click.option(
    "--game", type=click.Choice(("spectra", "ice-stalks")), help="The game; with --readings, only games of this kind."
)
@click.option("--games", "count", type=click.IntRange(1), default=20, show_default=True, help="The number of games.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="The seed of the first game; the next ones count up."
)
@click.option(
    "--steps", type=click.IntRange(1), default=10, show_default=True, help="The number of steady pictures per game."
)
@click.option(
    "--eyes",
    type=click.Choice(("reader", "truth", "doubting")),
    default="reader",
    show_default=True,
    help="reader: pictures are drawn and read; truth: exact layouts without pictures; doubting: layouts with mistakes.",
)
@click.option(
    "--faults",
    type=click.FloatRange(0),
    default=1.0,
    show_default=True,
    help="The rate of mistakes of doubting eyes; 1 is one in 50 pieces.",
)
@click.option("--alone", is_flag=True, help="Nobody answers or corrects the referee.")
@click.option("--calibrated", is_flag=True, help="Show the table empty first, as in the page's set-up.")
@click.option("--table", type=click.Choice(tuple(SURFACES)), help="The surface of the table; random if left out.")
@click.option(
    "--tilt", "tilt_deg", type=click.FloatRange(0, 55), help="The camera's tilt from straight above in degrees."
)
@click.option("--seats", type=click.IntRange(2, 4), help="The number of players; random if left out.")
@click.option(
    "--looks",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Pictures per turn before the referee is silent.",
)
@click.option("--record", type=click.Path(path_type=Path), help="Append the readings of each game to this file.")
@click.option(
    "--readings",
    type=click.Path(path_type=Path, exists=True),
    multiple=True,
    help="Judge the recorded readings of such a file anew instead of drawing pictures; may be repeated.",
)
@click.option("--dump", type=click.Path(path_type=Path), help="Write pictures and notes of failures into this folder.")
@click.option("--quiet", is_flag=True, help="Print only the sums.")
def main(
    game: str | None,
    count: int,
    seed: int,
    steps: int,
    eyes: str,
    faults: float,
    alone: bool,
    calibrated: bool,
    table: str | None,
    tilt_deg: float | None,
    seats: int | None,
    looks: int,
    record: Path | None,
    readings: tuple[Path, ...],
    dump: Path | None,
    quiet: bool,
) -> None:
    """Referee random drawn games and print the outcomes."""
    kind = Alone if alone else Refereed
    if readings:
        known = (one for path in readings for one in games_of(path) if game in (None, one.game))
        played_games = (kind(_setting_of(one), one.seed, read=one) for one in known)
    elif game is None:
        raise click.UsageError("Say which --game, or give --readings.")
    else:
        setting = Setting(game, steps, eyes, table, tilt_deg, seats, looks, faults, calibrated)
        played_games = (kind(setting, number, record=record) for number in range(seed, seed + count))
    total = Tally()
    for played in played_games:
        played.run()
        total.merge(played.tally)
        for failure in played.failures:
            if not quiet:
                click.echo(failure.line)
            if dump is not None:
                write(failure, played.setting.game, dump)
    for line in total.lines():
        click.echo(line)


def _setting_of(read: GameRead) -> Setting:
    return Setting(
        read.game, read.steps, table=read.table, tilt_deg=read.tilt_deg, seats=read.seats, calibrated=read.calibrated
    )


def write(failure: Failure, game: str, folder: Path) -> None:
    """Writes the picture of a failure, the picture before it, and a note into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{game}-{failure.seed}-{failure.turn}-{failure.outcome}"
    notes = [failure.line, "", "What was done:", *(f"  {event}" for event in failure.step.events)]
    notes += ["", "Where the reading differs from the table:"]
    if failure.seen is not None:
        for difference in failure.truth.differences(failure.seen):
            notes += [f"  {difference.spot}", f"    there {difference.expected}", f"    read  {difference.seen}"]
    (folder / f"{stem}.txt").write_text("\n".join(notes) + "\n")
    if failure.picture is not None:
        cv2.imwrite(str(folder / f"{stem}.jpg"), failure.picture)
        cv2.imwrite(str(folder / f"{stem}-read.jpg"), draw(failure.picture, failure.marks))
    if failure.before is not None:
        cv2.imwrite(str(folder / f"{stem}-before.jpg"), failure.before)


if __name__ == "__main__":
    main()
