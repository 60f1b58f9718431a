"""Makes the bundled demos: `python -m simulation.drawn.demo GAME FOLDER` draws one, `record` copies one.

Each command writes a folder in the format of `companion.app.demos`: pictures in name order and a `demo.json` with the
places of mat and zones and the names of the players, but without the content of the pictures.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import click
import cv2
from msgspec import to_builtins

from companion.core.contract import Drawn
from companion.core.layout import Layout
from companion.games import PLANS
from companion.games.ice_stalks.game import ICE_STALKS
from simulation.drawn.camera import Camera, camera_over
from simulation.drawn.hand import Hand
from simulation.drawn.lamp import Lamp
from simulation.drawn.roll_demo import roll_pictures, roll_setup
from simulation.drawn.scene import Scene
from simulation.drawn.sensor import Sensor
from simulation.drawn.spectrum_demo import spectrum_pictures, spectrum_setup
from simulation.drawn.spread import Spread, box_of
from simulation.drawn.stalks import carry_out, take_back
from simulation.drawn.standing import Stand
from simulation.drawn.things import Thing
from vision.image.picture import Picture, read_picture

QUALITY = 85
NAMES = ("Ada", "Ben")
WRONG = "not: "
"""The beginning of a line whose move breaks a rule and is put back."""
_KEPT = ("players", "table_card", "discard", "stock")
"""The keys of a recording's setup that a demo needs."""

GAME = (
    "player 1 draws red rock",
    "player 1 places red large on the table",
    "player 2 draws orange rock",
    "player 2 places orange medium on red large",
    "player 1 draws blue rock",
    "player 1 places blue large on the table",
    "player 2 draws yellow rock",
    "not: player 2 places yellow large on the table",
    "player 2 places yellow small on red large, orange medium",
    "player 2 takes the stalk",
    "player 1 draws cyan rock",
    "player 1 places cyan medium on blue large",
    "player 2 draws purple rock",
    "player 2 places purple large on the table",
    "player 1 draws blue rock",
    "not: player 1 places blue medium on blue large, cyan medium",
    "player 1 places blue medium on purple large",
    "player 2 draws green rock",
    "player 2 places green small on blue large, cyan medium",
    "player 2 takes the stalk",
)
"""A short game of Ice Stalks; lines that begin with "not" break a rule (ICE-6, ICE-11), and their pieces are put back.

"""


class Moment(NamedTuple):
    """One picture of the demo."""

    stands: tuple[Stand, ...]
    hand: Hand | None
    layout: Layout
    """The layout of the table; in a picture of a hand that makes a move, the layout after the move."""


def ice_stalks_moments(camera: Camera) -> Iterator[Moment]:
    """Yields the moments of `GAME`, with a hand before every change."""
    spread = Spread(PLANS["ice-stalks"](2), Random(6), camera)
    state = ICE_STALKS.start(2, ICE_STALKS.Options())

    def now(hand: Hand | None = None, stands: list[Stand] | None = None) -> Moment:
        return Moment(tuple(spread.everything() if stands is None else stands), hand, spread.layout())

    yield now()
    for line in GAME:
        event = ICE_STALKS.parse(state, line.removeprefix(WRONG))
        if isinstance(event, Drawn):
            state = state.apply(event)
            continue
        before = spread.everything()
        place = carry_out(spread, state, event)
        assert place is not None
        yield now(_hand(event.seat, place), before)
        yield now()
        if line.startswith(WRONG):
            yield now(_hand(event.seat, place))
            take_back(spread, state, event)
            yield now()
        else:
            state = state.apply(event)


def ice_stalks_pictures() -> Iterator[Picture]:
    """Yields the pictures of the moments, as seen by a webcam beside a lamp."""
    mat = PLANS["ice-stalks"](2).mat
    camera = camera_over(mat, 38, 12, 2, 980, (643.0, 356.0), (-0.04, 0.004, 1e-4, -1e-4), 0.97)
    lamp = Lamp((-500.0, 900.0, 1300.0), (0.36, 0.38, 0.39), (0.22, 0.22, 0.21), (320.0, 240.0), 0.16)
    mug = Thing("mug", 735.0, 60.0, 200.0, (0.30, 0.12, 0.06))
    scene = Scene(mat, camera, lamp, Sensor(0.12, 0.5, 1.2, 0), "oak", 4, things=(mug,))
    for moment in ice_stalks_moments(camera):
        yield scene.picture(moment.stands, moment.hand)


def _hand(seat: int, place_mm: tuple[float, float]) -> Hand:
    """Returns the hand of a player over a place: Ada reaches in from below, Ben from above."""
    x, y = place_mm
    if seat == 0:
        return Hand((x + 12, y + 26), (x + 130, y + 620), (214, 160, 128), (60, 70, 120), 0.4)
    return Hand((x - 10, y - 30), (x - 60, y - 640), (140, 92, 66), (70, 100, 80), 0.3)


def ice_stalks_setup() -> dict[str, Any]:
    """Returns the places of mat and zones in the format of a recording."""
    plan = PLANS["ice-stalks"](2)
    zones = Spread(plan, Random(0)).zones
    boxes = {spot: list(box_of(zone)) for spot, zone in zones.items()}
    players = [{"name": name, "taken": boxes[f"seat{seat}.stalks"]} for seat, name in enumerate(NAMES)]
    return {"mat": to_builtins(plan.mat), "setup": {"players": players, "stalks": boxes["stalks"]}}


@click.group()
def main() -> None:
    """Write the folder of a demo."""


@main.command("ice-stalks")
@click.argument("folder", type=click.Path(path_type=Path))
def ice_stalks_command(folder: Path) -> None:
    """Draw a short game of Ice Stalks into FOLDER."""
    write_about(folder, "ice-stalks", "Ice Stalks, two players", ice_stalks_setup())
    write_pictures(folder, ice_stalks_pictures())


@main.command("spectrum")
@click.argument("folder", type=click.Path(path_type=Path))
def spectrum_command(folder: Path) -> None:
    """Draw a few turns of Spectrum into FOLDER."""
    write_about(folder, "spectrum", "Spectrum, two players", spectrum_setup())
    write_pictures(folder, spectrum_pictures())


@main.command("roll-and-color")
@click.argument("folder", type=click.Path(path_type=Path))
def roll_command(folder: Path) -> None:
    """Draw two rounds of Roll & Color into FOLDER."""
    write_about(folder, "roll-and-color", "Roll & Color, two players", roll_setup())
    write_pictures(folder, roll_pictures())


@main.command("record")
@click.argument("recording", type=click.Path(path_type=Path, exists=True))
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--game", required=True)
@click.option("--title", required=True)
@click.option("--pictures", help="Numbers of the pictures to copy, separated by commas; all if left out.")
@click.option("--quality", type=click.IntRange(1, 100), help="Compress the pictures to this JPEG quality.")
@click.option("--table-card", help="The card that lies open in the first copied picture, in a game that has one.")
def record_command(
    recording: Path,
    folder: Path,
    game: str,
    title: str,
    pictures: str | None,
    quality: int | None,
    table_card: str | None,
) -> None:
    """Copy the pictures of a RECORDING (a folder with a JSON file that holds "mat" and "setup") into FOLDER."""
    about = json.loads(next(recording.glob("sequence.json"), next(recording.glob("*.json"))).read_text())
    mat = {key: about["mat"][key] for key in ("width_mm", "height_mm", "marker_mm", "dictionary")}
    setup = {key: about["setup"][key] for key in _KEPT if key in about["setup"]}
    if table_card is not None:
        setup["table_card"] = table_card
    write_about(folder, game, title, {"mat": mat, "setup": setup})
    paths = sorted(recording.glob("*.jpg"))
    chosen = paths if pictures is None else [paths[int(number)] for number in pictures.split(",")]
    if quality is not None:
        write_pictures(folder, map(read_picture, chosen), quality)
        return
    for number, path in enumerate(chosen):
        _frame(folder, number).write_bytes(path.read_bytes())


def write_about(folder: Path, game: str, title: str, where: dict[str, Any], names: Sequence[str] = NAMES) -> None:
    """Writes the description of a demo, and removes the pictures of an earlier one."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("frame-*.jpg"):
        old.unlink()
    about = {"game": game, "title": title, "names": list(names), **where}
    (folder / "demo.json").write_text(json.dumps(about, indent=1) + "\n")


def write_pictures(folder: Path, pictures: Iterable[Picture], quality: int = QUALITY) -> None:
    """Writes pictures as JPEG files of a quality from 0 to 100."""
    for number, picture in enumerate(pictures):
        coded = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_OPTIMIZE, 1]
        cv2.imwrite(str(_frame(folder, number)), picture, coded)


def _frame(folder: Path, number: int) -> Path:
    return folder / f"frame-{number:04d}.jpg"


if __name__ == "__main__":
    main()
