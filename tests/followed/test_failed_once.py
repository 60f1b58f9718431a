"""Games in which the referee once wrote a wrong row, accused wrongly, or passed an illegal move over, played again."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from simulation.followed.played import Played, Setting


class FailedGame(NamedTuple):
    """A game as `bench.referee` plays it, up to the picture after the failure."""

    game: str
    seed: int
    steps: int
    kind: str
    """The situation that was judged wrongly."""
    faults: float = 0.0
    """How often eyes err; who errs may write a wrong row, but accuses nobody who broke no rule."""


def failed_games() -> list[FailedGame]:
    """All of them."""
    kept = msgspec.json.decode((Path(__file__).parent / "failed_once.json").read_bytes())
    return [FailedGame(**one) for one in kept]


@pytest.mark.parametrize(
    "failed", [one for one in failed_games() if not one.faults], ids=lambda one: f"{one.game} {one.seed}: {one.kind}"
)
def test_exact_eyes_lead_to_no_wrong_row_and_no_illegal_move_is_passed_over(failed: FailedGame) -> None:
    played = Played(Setting(failed.game, failed.steps), failed.seed)
    played.run()
    assert not [failure.line for failure in played.failures]


@pytest.mark.parametrize(
    "failed", [one for one in failed_games() if one.faults], ids=lambda one: f"{one.game} {one.seed}: {one.kind}"
)
def test_erring_eyes_accuse_nobody_who_broke_no_rule(failed: FailedGame) -> None:
    played = Played(Setting(failed.game, failed.steps, failed.faults, unanswered=0.5), failed.seed)
    played.run()
    assert not [failure.line for failure in played.failures if failure.outcome == "accused"]
