"""Scores as bars and as digits of seven lights."""

from __future__ import annotations

import pytest

from hardware.die_faces import Color
from hardware.led_board import LedBoard
from hardware.lights import LEGAL, SCORE, SEGMENTS, bar, digits
from hardware.picture import DARK
from simulation.firmware.peer import Board, board
from simulation.hardware.virtual_wire import NOISES, VirtualWire

SEVEN = (10, 11, 12, 13, 14, 15, 16)
DRAWN = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": ("  #", "  #", "  #", "  #", "  #"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", "  #", "  #"),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    "-": ("   ", "   ", "###", "   ", "   "),
    " ": ("   ", "   ", "   ", "   ", "   "),
}
"""What people read, three columns and five rows."""
STROKES = {
    "a": {(0, 0), (0, 1), (0, 2)},
    "b": {(0, 2), (1, 2), (2, 2)},
    "c": {(2, 2), (3, 2), (4, 2)},
    "d": {(4, 0), (4, 1), (4, 2)},
    "e": {(2, 0), (3, 0), (4, 0)},
    "f": {(0, 0), (1, 0), (2, 0)},
    "g": {(2, 0), (2, 1), (2, 2)},
}
"""Row and column of the squares that each light stands for."""


@pytest.mark.parametrize("character", DRAWN)
def test_every_character_looks_as_people_write_it(character: str) -> None:
    strokes = [STROKES[segment] for segment in SEGMENTS[character]]
    lit = set().union(*strokes)
    assert tuple("".join(" #"[(row, column) in lit] for column in range(3)) for row in range(5)) == DRAWN[character]


@pytest.mark.parametrize(
    ("score", "highest", "lights"),
    [
        (0, 0, 0),
        (0, 5, 0),
        (3, 5, 3),
        (7, 7, 7),  # one light a point, as long as the highest score fits
        (8, 8, 7),
        (4, 8, 3),  # rounded down: only the leader fills the bar
        (79, 80, 6),
        (80, 80, 7),
        (1, 80, 1),  # something is more than nothing
        (-4, 80, 0),
        (0.5, 2.5, 1),
    ],
)
def test_a_bar_shows_points_or_shares_of_the_highest_score(score: float, highest: float, lights: int) -> None:
    assert bar(SEVEN, score, highest) == SEVEN[:lights]


def test_a_player_without_lights_has_no_bar() -> None:
    assert bar((), 5, 9) == ()


@pytest.mark.parametrize(
    ("score", "room", "text"),
    [(0, 2, " 0"), (7, 1, "7"), (42, 3, " 42"), (-5, 2, "-5"), (12.5, 2, "12"), (100, 2, "--"), (-10, 2, "--")],
)
def test_digits_are_right_aligned_and_dashes_where_a_score_does_not_fit(score: float, room: int, text: str) -> None:
    lights = range(100, 100 + 7 * room)
    wanted = {
        100 + 7 * place + "abcdefg".index(segment)
        for place, character in enumerate(text)
        for segment in SEGMENTS[character]
    }
    assert set(digits(lights, score)) == wanted


PLACES = {
    **{f"c{cell}": (cell,) for cell in range(36)},
    "seat0.score": tuple(range(36, 43)),
    "seat1.score": tuple(range(43, 50)),
    "seat1.digits": tuple(range(50, 64)),
}


@pytest.mark.parametrize("kind", ["simulated", "native", "uno"])
@pytest.mark.parametrize("noise", ["clean", "all-1e-3"])
def test_scores_and_legal_places_are_on_the_strip(kind: str, noise: str) -> None:
    """Through the real link, on the Python device, on the C core, and read off the pin of the emulated Uno."""
    lights = LedBoard(PLACES, clock=lambda: wire.now_s)
    device: Board = board(kind)
    wire = VirtualWire(lights, device, noise=NOISES[noise], step_s=0.005)
    wire.ready()

    def lit() -> dict[int, Color]:
        strip = device.strip()
        colors = [(strip[at], strip[at + 1], strip[at + 2]) for at in range(0, len(strip), 3)]
        return {light: color for light, color in enumerate(colors) if color != DARK}

    lights.legal(["c3", "c4"], [21, 6])
    wire.until(lambda: lights.settled, limit_s=8)
    six = {57, 59, 60, 61, 62, 63}
    scored = {*range(36, 43), *range(43, 45), *six}
    assert lit() == {3: LEGAL, 4: LEGAL, **dict.fromkeys(scored, SCORE)}
    lights.legal([], [21, 30])
    wire.until(lambda: lights.settled, limit_s=8)
    three, nought = {50, 51, 52, 53, 56}, {57, 58, 59, 60, 61, 62}
    assert lit() == dict.fromkeys({*range(36, 40), *range(43, 50), *three, *nought}, SCORE)


def test_players_beyond_the_lights_are_left_out() -> None:
    lights = LedBoard(PLACES)
    lights.legal([], [1, 2, 3, 4])
    assert lights._wanted[36] == SCORE


def test_a_place_that_shares_a_light_with_a_score_wins() -> None:
    lights = LedBoard({"c0": (0,), "seat0.score": (0, 1)})
    lights.legal(["c0"], [2])
    assert lights._wanted == (LEGAL, SCORE)
