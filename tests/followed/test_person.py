"""Who answers truly, and who leaves a question open."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulation.followed.played import Played, Setting


@pytest.mark.parametrize(("unanswered", "left_open"), [(0.0, False), (1.0, True)])
def test_the_share_of_questions_that_are_never_answered(unanswered: float, left_open: bool) -> None:
    asked = ignored = 0
    for seed in range(5):
        game = Played(Setting("spectra", unanswered=unanswered), seed)
        game.run()
        asked, ignored = asked + game.counts["asked"], ignored + game.counts["left open"]
    assert asked > 0
    assert (ignored > 0) is left_open


def test_the_same_setting_and_seed_give_the_same_outcomes(tmp_path: Path) -> None:
    games = [Played(Setting("ice-stalks"), 3) for _ in range(2)]
    for game in games:
        game.run()
    assert games[0].outcomes == games[1].outcomes
    assert [one.line for one in games[0].failures] == [one.line for one in games[1].failures]


@pytest.mark.parametrize(
    ("game", "seed"),
    [
        ("spectra", 160),  # a draw out of sight, while an illegal exchange was all that was asked about
        ("spectra", 231),
        ("spectra", 467),  # a whole turn out of sight came before a row of the other player
        ("spectra", 753),
        ("spectra", 30217),
        ("ice-stalks", 9),  # the turn before lay under a cloth
        ("ice-stalks", 42),
        ("ice-stalks", 156),  # an illegal move lay on top of what was asked
        ("ice-stalks", 808),
        ("spectrangle", 131),  # the draw that was due went under what lay over the hand
        ("spectrangle", 343),
        ("spectrangle", 531),  # a tile was placed while the last player's draw was still due
        ("spectrangle", 735),
        ("regenbogen", 450),  # one of two moves ended where the other one began
        ("spectrum", 470),  # a pawn went out and back by another usage than the one that was written
    ],
)
def test_exact_eyes_accuse_nobody_in_games_in_which_they_once_did(game: str, seed: int) -> None:
    played = Played(Setting(game), seed)
    played.run()
    assert not [failure.line for failure in played.failures if failure.outcome in ("accused", "crashed")]
