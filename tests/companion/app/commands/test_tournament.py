"""`companion tournament`."""

from __future__ import annotations

import json

import pytest

from tests.companion.app.commands.running import run


def test_players_compete_in_a_game_with_options(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("poker", "--players", "random,greedy,search", "--games", "6", "--playouts", "9", "--processes", "1")
    code, out, err = run(capsys, "tournament", *asked, "--option", "exchanges=1", "--json")
    assert "poker greedy-random 4/6" in err and " s left" in err, "progress, with the time left"
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [(row["player"], row["against"]) for row in rows] == [
        ("greedy", "random"), ("search", "random"), ("search", "greedy"),
    ]  # fmt: skip
    for row in rows:
        assert row["games"] == 6 and row["low"] <= row["share"] <= row["high"]


def test_strengths_are_printed_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(
        capsys, "tournament", "poker", "--players", "random,greedy", "--games", "6", "--processes", "1"
    )
    assert code == 0 and "greedy   against random" in out and "95 % interval" in out
    assert "6/6" in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("chess",), "no game"),
        (("poker", "--players", "greedy"), "two or more"),
        (("poker", "--option", "exchanges"), "is not an option"),
        (("poker", "--option", "exchanges=9"), "out of its bounds"),
        (("casino", "poker", "--option", "exchanges=1"), "has no option"),
    ],
)
def test_what_cannot_be_played_is_said(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    code, _, err = run(capsys, "tournament", *arguments)
    assert code != 0 and sentence in err
