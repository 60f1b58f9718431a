"""Games with cards write positions in one form, lists of codes; the older form of Spectrump and Spectrumo is read, too."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.foundation.errors import BadRecord
from companion.games import GAMES

LISTS: dict[str, dict[str, Any]] = {
    "casino": {"hands": [["R3", "??"], ["B4", "B5"]], "board": ["R9"], "won": [["G1", "G2"], []]},
    "cribbage": {"hands": [["R10", "R7"], ["B8", "B9"]], "starter": "GB3", "played": [["R12"], ["B12"]]},
    "spectrumo": {"table": "O3", "hands": [["swap O/B", "B4", "??"], ["GB7", "draw"]], "discard": ["R5", "G2"]},
}
"""One position of each game, for two players."""


def read(game: str, seats: int, position: dict[str, Any]) -> Any:
    return GAMES[game].from_record(seats, GAMES[game].Options(), position)


def older(value: Any) -> Any:
    """Each innermost list of codes as one text."""
    if isinstance(value, dict):
        return {name: older(one) for name, one in value.items()}
    if isinstance(value, list):
        return ", ".join(value) if all(isinstance(one, str) for one in value) else [older(one) for one in value]
    return value


def test_every_game_reads_lists_of_codes() -> None:
    for game, position in LISTS.items():
        assert read(game, 2, position).seats == 2
    four = {"hands": [[["B3", "R9"]], [["BP7", "??"]], [["PR6", "Y1"]], None], "turn": 0}
    assert read("spectrump", 4, four).hidden == ((0, 0), (1, 0), (0, 0), (2, 0))


@pytest.mark.parametrize(
    ("game", "seats", "position"),
    [
        ("spectrump", 4, {"hands": [[["B3", "R9"]], [["BP7", "??"]], [["PR6", "Y1"]], None], "turn": 0}),
        (
            "spectrump",
            4,
            {
                "hands": [[["R9"]], [["BP7"]], [["PR6", "Y1"]], [["R1", "P10"]]],
                "bid": "player 1 bids blue 4",
                "leader": 0,
                "trick": ["B3", "BP3"],
                "won": [["G1", "G2", "G3", "G4"], [], [], []],
            },
        ),
        ("spectrump", 2, {"hands": [[["B3", "R9"], ["G1", "??"]], [["BP7", "Y8"], None]], "turn": 0}),
        ("spectrump", 2, {"hands": [[["B3"], ["R9"]], [["BP7"], ["Y8"]]], "turn": 0}),
        ("spectrumo", 2, LISTS["spectrumo"]),
        ("spectrumo", 2, {**LISTS["spectrumo"], "discard": [], "hands": [["B4"], None]}),
    ],
)
def test_the_older_form_means_the_same(game: str, seats: int, position: dict[str, Any]) -> None:
    assert older(position) != position
    assert read(game, seats, older(position)) == read(game, seats, position)


def test_a_list_of_codes_is_the_only_set_of_a_session() -> None:
    options = GAMES["spectrump"].Options(deck=72)
    flat = {"hands": [["B3", "R6"], ["BP5", "??"], ["PR6", "Y1"], None, None, None], "turn": 0}
    old = {"hands": ["B3 R6", "BP5 ??", "PR6 Y1", None, None, None], "turn": 0}
    assert GAMES["spectrump"].from_record(6, options, flat) == GAMES["spectrump"].from_record(6, options, old)


@pytest.mark.parametrize(
    ("game", "position", "said"),
    [
        ("spectrumo", {"table": "O3", "hands": [["B4 B5"], ["G7"]]}, '"B4 B5" is not one card'),
        ("spectrumo", {"table": "O3", "hands": [["B4, B5"], ["G7"]]}, '"B4, B5" is not one card'),
        ("spectrumo", {"table": "O3", "hands": [["B44"], ["G7"]]}, "In hand 0"),
        ("spectrump", {"hands": [["B3", "R9", "G1"], None], "turn": 0}, "a session has 2"),
    ],
)
def test_a_list_of_something_else_is_refused(game: str, position: dict[str, Any], said: str) -> None:
    with pytest.raises(BadRecord, match=said):
        read(game, 2, position)
