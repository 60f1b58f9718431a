"""The bench of live films: time that passes while a look is taken, and what a true person knows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bench.live_films import FilmState, LabeledFilm, LiveFilm, Played, Truth
from bench.recordings import comparable
from companion.core.pieces import Pyramid
from companion.core.recording import RecordedMat
from companion.games import RECORDED

MAT = RecordedMat(600, 400, 40)
SETUP: dict[str, Any] = {
    "players": [
        {"color": "red", "trees": [110, 212, 490, 282], "stash": [70, 298, 530, 390]},
        {"color": "blue", "trees": [110, 118, 490, 188], "stash": [70, 10, 530, 102]},
    ]
}


def did(player: int, kind: str, **more: Any) -> dict[str, Any]:
    return {"player": player, "type": kind, "legal": True, **more}


def film(*events: dict[str, Any], standing: tuple[dict[str, Any], ...] = ()) -> LabeledFilm:
    """A film in which the table rests each second after one of these events."""
    states = (FilmState(0.0, None), *(FilmState(1.0 + n, event) for n, event in enumerate(events)))
    return LabeledFilm(Path("film.avi"), RECORDED["spectra"](MAT, SETUP), states, standing)


@pytest.mark.parametrize(
    ("number", "turn"),
    [
        (0, "player 1 is on turn and has not drawn yet"),
        (1, "player 1 is on turn and has drawn"),
        (2, "player 2 is on turn and has not drawn yet"),
        (3, "player 2 is on turn and has drawn"),
    ],
)
def test_a_person_knows_how_the_turn_stands(number: int, turn: str) -> None:
    events = did(0, "draw"), did(0, "exchange"), did(1, "draw"), did(1, "add")
    assert Truth(film(*events)).turn(number) == turn


def test_a_person_knows_what_stands_in_each_zone() -> None:
    red, blue = {"color": "red", "size": "large"}, {"color": "blue", "size": "small"}
    labels = {"stacks": [{"x": 200, "y": 250, "pieces": [red, blue]}, {"x": 5, "y": 5, "pieces": [blue]}], "lying": []}
    known = Truth(film(standing=(labels,)))
    assert known.pieces(0) == {
        "seat0.trees": [Pyramid("red", "large"), Pyramid("blue", "small")],
        "seat0.supply": [],
        "seat1.trees": [],
        "seat1.supply": [],
    }
    assert known.pieces(1) is None


def test_a_film_shows_a_state_from_its_second_on() -> None:
    known = Truth(film(did(0, "draw"), did(1, "draw")))
    assert [known.state(t_s) for t_s in (0.0, 0.9, 1.0, 1.5, 2.0, 9.0)] == [0, 0, 1, 1, 2, 2]


def test_what_is_not_looked_at_in_time_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10, (64, 48))
    for _ in range(20):
        writer.write(np.zeros((48, 64, 3), np.uint8))
    writer.release()
    live = LiveFilm(path, 0.5)
    shot = live.next(0.1)
    assert shot is not None and shot.t_s == pytest.approx(0.5, abs=0.06)
    live.spend(0.5)
    shot = live.next(0.1)
    assert shot is not None and shot.t_s == pytest.approx(1.0, abs=0.11)
    assert live.now_s == pytest.approx(shot.t_s)
    while live.next(0.1) is not None:
        pass
    assert live.ended


def test_what_was_told_is_held_against_what_happened() -> None:
    drew, wrong, ghost = (
        comparable(one) for one in (did(0, "draw"), {**did(1, "add"), "legal": False}, did(1, "draw"))
    )
    accused = comparable({**did(0, "draw"), "legal": False})
    played = Played(0, Counter([drew, ghost, accused]), Counter([drew, wrong]), Counter([drew, wrong]), Counter())
    assert (played.right, played.invented, played.accused, played.missed) == (1, 2, 1, 1)
