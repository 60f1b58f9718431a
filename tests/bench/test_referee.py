"""The bench of the referee without pictures, in short."""

from __future__ import annotations

import pytest

from bench.referee import GAMES, main


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("eyes", ["exact", "erring"])
def test_every_turn_has_an_outcome(game: str, eyes: str, capsys: pytest.CaptureFixture[str]) -> None:
    main([game, "--eyes", eyes, "--games", "2", "--seed", "5", "-q"])
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("games 2, turns ")
    turns = int(first.split("turns ")[1].split(":")[0])
    outcomes = [int(part.rsplit(" ", 1)[1]) for part in first.split(": ", 1)[1].split(", ")]
    assert sum(outcomes) == turns > 8
