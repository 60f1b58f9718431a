"""Random drawn games through the whole pipeline: `python -m tests.drawn.games --game spectra --games 300`.

Prints one line a failure, with seed and turn, and the sums. The same game, seed and number of steps give the same
pictures again; `--dump` writes those that failed, with what was read drawn over them.
"""

from __future__ import annotations

from pathlib import Path

import click
import cv2

from tests.drawn.alone import Alone
from tests.drawn.refereed import Failure, Refereed, Setting
from tests.drawn.tabletop import SURFACES
from tests.drawn.tally import Tally
from vision.overlay import draw


@click.command()
@click.option("--game", type=click.Choice(("spectra", "ice-stalks")), required=True)
@click.option("--games", "count", type=click.IntRange(1), default=20, show_default=True, help="How many.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the first game; the next ones count up.")
@click.option("--steps", type=click.IntRange(1), default=10, show_default=True, help="Steady pictures a game.")
@click.option(
    "--eyes",
    type=click.Choice(("reader", "truth", "doubting")),
    default="reader",
    show_default=True,
    help="truth: no pictures, every layout is exact; what fails then is matching. doubting: with mistakes as of a reader.",
)
@click.option(
    "--faults",
    type=click.FloatRange(0),
    default=1.0,
    show_default=True,
    help="How often doubting eyes err: 1 is one in 50.",
)
@click.option("--alone", is_flag=True, help="Nobody answers or corrects: see whether the referee finds back.")
@click.option("--calibrated", is_flag=True, help="The table is shown empty first, as the page's set-up asks.")
@click.option("--table", type=click.Choice(tuple(SURFACES)), help="One surface instead of any.")
@click.option("--tilt", "tilt_deg", type=click.FloatRange(0, 55), help="One camera angle from straight above.")
@click.option("--seats", type=click.IntRange(2, 4), help="So many players instead of two to four.")
@click.option(
    "--looks", type=click.IntRange(1), default=1, show_default=True, help="Pictures before it counts as silent."
)
@click.option("--dump", type=click.Path(path_type=Path), help="Write pictures and notes of failures into this folder.")
@click.option("--quiet", is_flag=True, help="Only the sums.")
def main(
    game: str,
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
    dump: Path | None,
    quiet: bool,
) -> None:
    """Referee random drawn games and print what became of them."""
    setting = Setting(game, steps, eyes, table, tilt_deg, seats, looks, faults, calibrated)
    total = Tally()
    for number in range(seed, seed + count):
        played = (Alone if alone else Refereed)(setting, number)
        played.run()
        total.merge(played.tally)
        for failure in played.failures:
            if not quiet:
                click.echo(failure.line)
            if dump is not None:
                write(failure, game, dump)
    for line in total.lines():
        click.echo(line)


def write(failure: Failure, game: str, folder: Path) -> None:
    """Write the picture of a failure, the one before it, and a note."""
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
