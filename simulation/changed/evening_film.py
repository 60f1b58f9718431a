"""Provides the film that a webcam would have taken of a recorded game, with added disturbances.

Steady pictures of the recording stay for some seconds each; between two of them the mover's arm reaches in from the
mover's side. Pictures are made on demand, each with its own sensor noise.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from simulation.changed.intruders import Intruder, MatInPicture, nothing, reaching
from vision.image.picture import Picture
from vision.sources.source import Shot

BEGIN_S = 3.0
"""The additional number of seconds for which the first state stays."""


class FilmPace(NamedTuple):
    """The pace of a film."""

    rate_hz: float = 10.0
    moving_s: float = 1.4
    """The number of seconds for which an arm is in view before each state but the first."""
    rest_s: float = 3.2


USUAL = FilmPace()


class RestingState(NamedTuple):
    """A steady picture of a recording, with the events before it."""

    file: str
    events: tuple[dict[str, Any], ...]
    """The events since the previous steady picture."""


class RecordedEvening(NamedTuple):
    """A recorded game with its labels."""

    folder: Path
    labels: dict[str, Any]
    states: tuple[RestingState, ...]

    @staticmethod
    def load(folder: Path, events: int | None = None) -> RecordedEvening:
        """Returns a recording up to a number of steady pictures after the first; None takes all."""
        labels = json.loads((folder / "sequence.json").read_text())
        states = [RestingState(one["file"], tuple(_events(one))) for one in labels["frames"] if one["stable"]]
        return RecordedEvening(folder, labels, tuple(states if events is None else states[: events + 1]))

    def events(self) -> list[dict[str, Any]]:
        """Returns all events of the recording."""
        return [event for state in self.states[1:] for event in state.events]


class EveningFilm:
    """A film of a recorded game; implements `vision.sources.source.Source`."""

    live = False
    stills = False

    def __init__(
        self,
        evening: RecordedEvening,
        intruder: Intruder = nothing,
        pace: FilmPace = USUAL,
        size_px: tuple[int, int] = (1280, 720),
        noise: float = 4.0,
    ) -> None:
        """Prepares the film.

        Args:
            noise: The standard deviation of a sensor's noise, in levels of 255.
        """
        self.label = evening.folder.name
        self._evening, self._intruder, self._pace, self._size_px = evening, intruder, pace, size_px
        mat, wide = evening.labels["mat"], evening.labels["size"][0]
        corners = np.array(mat["corners_px"]) * size_px[0] / wide
        self._ground = MatInPicture.of(corners, mat["width_mm"], mat["height_mm"], size_px)
        self._pictures: dict[int, Picture] = {}
        self._number = 0
        rng = np.random.default_rng(7)
        self._grain = rng.normal(0, noise, (4, size_px[1] + 64, size_px[0] + 64, 3)).round().astype(np.int16)
        self._roll = rng

    @property
    def seconds(self) -> float:
        """The length of the film in seconds."""
        return BEGIN_S + self._pace.rest_s + (len(self._evening.states) - 1) * (self._pace.moving_s + self._pace.rest_s)

    @property
    def ended(self) -> bool:
        """True once every picture was shown."""
        return self._number >= int(self.seconds * self._pace.rate_hz)

    def next(self, timeout_s: float) -> Shot | None:
        """Returns the next picture; None after the last one."""
        if self.ended:
            return None
        t_s, self._number = self._number / self._pace.rate_hz, self._number + 1
        clean = self._intruder(self._at(t_s), self._ground, t_s / self.seconds, t_s)
        width, height = self._size_px
        y, x = self._roll.integers(0, 64, 2)
        grain = np.ascontiguousarray(self._grain[self._number % 4, y : y + height, x : x + width])
        picture = np.asarray(cv2.add(clean, grain, dtype=cv2.CV_8U), np.uint8)
        return Shot(self._number, f"picture {self._number}", t_s, 0.0, 1 / self._pace.rate_hz, picture)

    def trouble(self) -> str | None:
        """Returns None: a film has no trouble."""
        return None

    def close(self) -> None:
        """Does nothing."""

    def _at(self, t_s: float) -> Picture:
        """Returns the table at a time, with the mover's arm during a move."""
        since_s = t_s - BEGIN_S - self._pace.rest_s
        if since_s < 0:
            return self._picture(0)
        turn, within_s = divmod(since_s, self._pace.moving_s + self._pace.rest_s)
        state = int(turn) + 1
        if within_s >= self._pace.moving_s:
            return self._picture(state)
        share = within_s / self._pace.moving_s
        return self._with_arm(self._picture(state - (share < 0.5)), state, float(np.sin(np.pi * share)), t_s)

    def _with_arm(self, picture: Picture, state: int, reach: float, t_s: float) -> Picture:
        """Returns the picture with the mover's arm, which reaches in by 0 to 1."""
        width, height = self._size_px
        events: Sequence[dict[str, Any]] = self._evening.states[state].events
        near = not events or events[0].get("player", 0) == 0
        y = height * (1.25 - 0.85 * reach) if near else height * (-0.25 + 0.85 * reach)
        tip = np.array([width * 0.5 + 60 * np.sin(2 * t_s), y])
        root = np.array([width * 0.6, height * 1.4]) if near else np.array([width * 0.4, -height * 0.4])
        return reaching(picture, tip, root, 0.09 * width)

    def _picture(self, state: int) -> Picture:
        if state not in self._pictures:
            path = str(self._evening.folder / self._evening.states[state].file)
            read = cv2.resize(np.asarray(cv2.imread(path)), self._size_px, interpolation=cv2.INTER_AREA)
            self._pictures = {**dict(list(self._pictures.items())[-1:]), state: np.asarray(read, np.uint8)}
        return self._pictures[state]


def _events(frame: dict[str, Any]) -> list[dict[str, Any]]:
    event = frame.get("event")
    return event if isinstance(event, list) else [event] if event else []
