"""Draws tables and writes the reader's guesses at each place into a file, beside the true things there.

`python -m simulation.drawn.places FILE --seed 60000 --games 2000` draws three pictures of each game and reads each by
itself. The correction of the guesses' probabilities is fitted to such files (`simulation.drawn.sureness`) and measured
on them (`bench.reliability`), so the file has the reader's probabilities before that correction.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import click
import cv2
import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from companion.core.foundation.errors import SeeError
from companion.core.pieces import PYRAMID_COLORS, Pyramid
from companion.core.plan import Plan, PyramidZone
from simulation.drawn.reel import Moment, moments_of
from simulation.drawn.refereed import EMPTIES, Setting, player_of
from simulation.drawn.scene import random_scene
from simulation.drawn.standing import Lying, Stand
from vision.calibration.calibration import Calibration
from vision.image.picture import Picture
from vision.image.pose import Floats, Pose
from vision.readers.pyramids.hypothesis import StackHypothesis
from vision.readers.pyramids.joint_assignment import ConfirmedColors, named_jointly
from vision.readers.pyramids.reader import kind_of_zone, read, trained
from vision.readers.pyramids.scene import FoundPieces, Rival
from vision.readers.pyramids.sureness import Circumstances, Sureness, view_of
from vision.registration.registered_image import RegisteredImage, find_table
from vision.setup.calibrating import calibrate

TURNS = (2, 6, 10)
"""The turns whose pictures are read; the table changes much from one to the next."""
NEAR_MM = 12.0
"""A guess within this distance of a thing is that thing; no two things are closer than 11 mm."""
FILM_NOISE, FILM_QUALITY = 4.0, 70
"""The standard deviation of noise in levels of 255 and the JPEG quality of a frame from a webcam's film."""
GAMES = ("spectra", "ice-stalks")
NEVER = -30.0
"""The log likelihood of a color that the game lacks."""
_POSE = Pose((1280, 720), 1000.0, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 1000.0), 0.0)
"""An arbitrary pose for outlines that are never used."""


class GuessRead(Struct, frozen=True):
    """One guess at a place."""

    sizes: tuple[str, ...]
    lies: bool
    confidence: float
    color_logs: tuple[tuple[float, ...], ...]
    """The ten log likelihoods of the colors for each level."""

    def rival(self) -> Rival:
        """Returns the guess in the reader's form, at an arbitrary place."""
        return Rival(StackHypothesis(0.0, 0.0, 0.0, self.sizes, self.lies), self.confidence, np.array(self.color_logs))


class StandRead(Struct, frozen=True):
    """The true stack or lying piece at a place; of a nest only the visible pieces."""

    pieces: tuple[Pyramid, ...]
    lies: bool

    def is_guessed(self, guess: GuessRead | Rival) -> bool:
        """True if a guess has the right sizes, and is standing or lying as the piece is."""
        place = guess.place if isinstance(guess, Rival) else guess
        return (place.sizes, place.lies) == (tuple(piece.size for piece in self.pieces), self.lies)


class PlaceRead(Struct, frozen=True):
    """A place at which something was found."""

    here: Circumstances
    guesses: tuple[GuessRead, ...]
    """The guesses with the reader's probabilities, likeliest first."""
    stand: StandRead | None
    """The true stand; None if nothing is there."""


class PictureRead(Struct, frozen=True):
    """The reading of one picture."""

    game: str
    seed: int
    turn: int
    film: bool
    """True if it is a frame of a film, which is noisier than a photograph."""
    colors: tuple[str, ...]
    """The colors of the game's pieces."""
    places: tuple[PlaceRead, ...]
    missed: tuple[StandRead, ...]
    """The stands at places where nothing was found."""


def pictures_of(files: Sequence[Path]) -> Iterator[PictureRead]:
    """Yields the pictures in files."""
    decoder = msgspec.json.Decoder(PictureRead)
    for path in files:
        with path.open("rb") as lines:
            yield from map(decoder.decode, lines)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--seed", type=int, required=True, help="The seed of the first game; the next ones count up.")
@click.option("--games", "count", type=click.IntRange(1), default=20, show_default=True, help="The number of games.")
@click.option("--game", type=click.Choice(GAMES), help="The game; chosen by the seed if left out.")
@click.option("--tilt", "tilts_deg", type=(float, float), help="The range of the camera's tilt in degrees.")
def main(file: Path, seed: int, count: int, game: str | None, tilts_deg: tuple[float, float] | None) -> None:
    """Append the readings of drawn games to FILE.

    Of eight seeds in a row, four are Spectra and four Ice Stalks, half of each on tables that were shown empty first.
    """
    for number in range(seed, seed + count):
        with file.open("ab") as lines:
            for picture in read_game(number, game, tilts_deg):
                lines.write(msgspec.json.encode(picture) + b"\n")


def read_game(
    seed: int, game: str | None = None, tilts_deg: tuple[float, float] | None = None
) -> Iterator[PictureRead]:
    """Draws the pictures of one game and yields their readings, without those in which the table is not found or not
    learned.

    Args:
        tilts_deg: The range of the camera's tilt from straight above; None takes the game's usual range.
    """
    game = game or GAMES[seed // 4 % 2]
    calibrated = bool(seed // 2 % 2)
    tilt_deg = None if tilts_deg is None else Random(seed).uniform(*tilts_deg)
    player, camera = player_of(Setting(game, max(TURNS), tilt_deg=tilt_deg, calibrated=calibrated), seed)
    plan = player.recording().plan
    outlines = [zone.outline_mm for zone in player.spread.zones.values()]
    scene = random_scene(Random(f"{game} {seed} scene"), plan.mat, camera=camera, outlines=outlines)
    known = None
    if calibrated:
        try:
            known = calibrate("pyramids", plan.mat, [scene.picture(()) for _ in range(EMPTIES)]).calibration
        except SeeError:
            return
    for moment, _ in moments_of(player, max(TURNS)):
        if moment.turn not in TURNS:
            continue
        picture = scene.picture(moment.stands)
        views = [(False, picture)]
        if seed % 6 < 2:
            views.append((True, filmed(picture, seed * 100 + moment.turn)))
        for film, view in views:
            try:
                table = find_table(view, plan.mat, None, None, known)
            except SeeError:
                continue
            yield _picture_read(game, seed, moment, film, plan, table, known)


def filmed(picture: Picture, seed: int) -> Picture:
    """Returns a picture (H, W, 3) uint8, BGR, with the noise and compression of a webcam's film."""
    noise = np.random.default_rng(seed).normal(0, FILM_NOISE, picture.shape)
    noisy = np.clip(picture.astype(np.float32) + noise, 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, FILM_QUALITY])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


def _picture_read(
    game: str, seed: int, moment: Moment, film: bool, plan: Plan, table: RegisteredImage, known: Calibration | None
) -> PictureRead:
    zones = [zone for zone in plan.zones if isinstance(zone, PyramidZone)]
    memory = read(
        table.picture,
        table.pose,
        table.light,
        table.mat,
        nets=replace(trained(), sureness=None),
        colors=ConfirmedColors() if known is None else ConfirmedColors(known.colors, known.tones),
        empty=None if known is None else known.empty,
    )
    found = memory.scene.found
    there = _paired(found, moment.stands)
    seen = "plain" if known is None else "beside"
    places = tuple(
        PlaceRead(
            Circumstances(kind_of_zone(one.place, zones), view_of(one.place, table.pose), seen),
            tuple(_guess(guess) for guess in sorted((one.as_rival(), *one.rivals), key=lambda x: -x.confidence)),
            None if at is None else _stand(moment.stands[at]),
        )
        for one, at in zip(found, there, strict=True)
    )
    missed = tuple(_stand(stand) for at, stand in enumerate(moment.stands) if at not in there)
    return PictureRead(game, seed, moment.turn, film, plan.pyramid_colors or (), places, missed)


def named_at(place: PlaceRead, colors: Sequence[str], sureness: Sureness | None) -> FoundPieces:
    """Returns the pieces that a reader names at a place, without outlines and table places.

    Args:
        colors: The colors of the game's pieces; empty for any.
        sureness: The correction of the guesses' probabilities; None keeps the reader's.
    """
    first, *others = [guess.rival() for guess in place.guesses]
    outline = np.zeros((len(first.place.sizes), 5, 2))
    found = FoundPieces(first.place, first.confidence, tuple(others), (), first.color_logs, outline, (0, 0, 1, 1))
    if sureness is not None:
        found = sureness.under(found, place.here, _POSE)
    without = lacking(colors)
    found = replace(
        found,
        color_logs=found.color_logs + without,
        rivals=tuple(replace(one, color_logs=one.color_logs + without) for one in found.rivals),
    )
    return named_jointly([found], _POSE)[0]


def lacking(colors: Sequence[str]) -> Floats:
    """Returns (10,): the terms to add to log likelihoods of colors, so that only the game's colors remain likely; all
    zero if `colors` is empty.
    """
    return np.array([NEVER if colors and color not in colors else 0.0 for color in PYRAMID_COLORS])


def _guess(guess: Rival) -> GuessRead:
    logs = tuple(tuple(round(float(log), 2) for log in level) for level in guess.color_logs)
    return GuessRead(guess.place.sizes, guess.place.lies, round(guess.confidence, 6), logs)


def _stand(stand: Stand) -> StandRead:
    return StandRead(stand.seen, isinstance(stand, Lying))


def _paired(found: Sequence[FoundPieces], stands: Sequence[Stand]) -> list[int | None]:
    """Returns for each found place the index of the nearest stand, each at most once; None if there is none near."""
    there: list[int | None] = [None] * len(found)
    ways = sorted(
        (distance, at, number)
        for at, one in enumerate(found)
        for number, stand in enumerate(stands)
        if (distance := math.dist((one.place.x_mm, one.place.y_mm), (stand.x_mm, stand.y_mm))) < NEAR_MM
    )
    for _, at, number in ways:
        if there[at] is None and number not in there:
            there[at] = number
    return there


if __name__ == "__main__":
    main()
