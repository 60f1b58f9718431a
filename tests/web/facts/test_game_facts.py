"""What the choice of a game says of it."""

from __future__ import annotations

from statistics import median

import pytest

from companion.games import GAMES, MANIFESTS
from web.facts.options import GAMES_PLAYED, length, moves, ways


@pytest.mark.parametrize("name", ["spectrangle", "ice-stalks", "spectra", "cribbage", "poker", "casino"])
def test_a_game_is_as_long_as_its_card_says(name: str) -> None:
    assert MANIFESTS[name].length == length(median(moves(GAMES[name], seed) for seed in range(GAMES_PLAYED)))


def test_every_game_says_how_its_moves_reach_the_referee() -> None:
    assert ways("spectra") == ("camera", "phones", "hand")
    assert ways("cribbage") == ("phones", "hand") and ways("solitaire") == ("hand",)
