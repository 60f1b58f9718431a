"""Random players keep the rules that they claim to keep, and their pieces stand where their games say."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from companion.core.foundation.errors import MoveError
from companion.core.pieces import Pyramid
from companion.games import PLANS
from companion.games.ice_stalks.game import ICE_STALKS
from simulation.drawn.camera import camera_over
from simulation.drawn.demo import GAME
from simulation.drawn.refereed import Setting, player_of
from simulation.drawn.spread import Spread
from simulation.drawn.standing import Upright

GAMES = ("spectra", "ice-stalks")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(6))
def test_what_stands_on_the_table_is_what_the_position_says(game: str, seed: int) -> None:
    player, _ = player_of(Setting(game), seed)
    kinds = set()
    for _ in range(25):
        step = player.step()
        if step is None:
            break
        kinds.add(step.kind)
        assert not step.after.layout().differences(player.spread.layout())
        assert step.after == player.state
        if step.kind == "legal":
            here = step.before
            for event in step.events:
                here = here.apply(event)
            assert here == step.after
        elif step.kind == "illegal":
            assert step.breaches
            with pytest.raises(MoveError):
                step.before.apply(step.events[0])
    assert "legal" in kinds


@pytest.mark.parametrize("game", GAMES)
def test_mistakes_are_made_and_taken_back(game: str) -> None:
    kinds = []
    for seed in range(5):
        player, _ = player_of(Setting(game), seed)
        for _ in range(12):
            step = player.step()
            kinds += [] if step is None else [step.kind]
    assert {"legal", "illegal", "back", "nothing"} == set(kinds)


def test_the_same_seed_plays_the_same_game() -> None:
    one, other = (player_of(Setting("spectra"), 5)[0] for _ in range(2))
    for _ in range(8):
        assert one.step() == other.step()
    assert one.spread.everything() == other.spread.everything()


def test_pieces_stand_apart_and_in_their_zone() -> None:
    plan = PLANS["spectra"](2)
    spread = Spread(plan, Random(2), camera_over(plan.mat, 45))
    for _ in range(14):
        spread.put("seat0.supply", (Pyramid("red", "large"),))
    places = np.array([stand.place_mm for stand in spread.everything()])
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 1e3 * np.eye(len(places))
    assert apart.min() > 25.4
    assert (places > (40, 298)).all() and (places < (560, 390)).all()


def test_a_nudge_moves_little_and_a_reorder_keeps_the_pieces() -> None:
    spread = Spread(PLANS["spectra"](2), Random(4))
    for color in ("red", "blue", "green"):
        spread.put("seat1.supply", (Pyramid(color, "small"),))
    before = {stand.pieces: np.array(stand.place_mm) for stand in spread.everything()}
    spread.nudge(1.0)
    for stand in spread.everything():
        assert 0 < np.abs(before[stand.pieces] - stand.place_mm).max() <= 4
    spread.reorder("seat1.supply")
    assert {stand.pieces for stand in spread.everything()} == set(before)


def test_a_stand_is_taken_by_its_pieces() -> None:
    spread = Spread(PLANS["ice-stalks"](2), Random(4))
    pieces = (Pyramid("red", "large"), Pyramid("orange", "medium"))
    stand = spread.put("stalks", pieces)
    assert isinstance(stand, Upright)
    with pytest.raises(LookupError):
        spread.take("stalks", pieces[:1])
    assert spread.take("stalks", pieces) == stand
    assert spread.everything() == []


def test_the_bundled_game_of_ice_stalks_breaks_the_rules_exactly_where_it_says() -> None:
    state = ICE_STALKS.start(2, ICE_STALKS.Options())
    broken = []
    for line in GAME:
        event = ICE_STALKS.parse(state, line.removeprefix("not: "))
        found = state.violations(event)
        assert bool(found) == line.startswith("not: ")
        broken += [breach.rule for breach in found[:1]]
        state = state if found else state.apply(event)
    assert broken == ["ICE-6", "ICE-11"]
    assert [score.total for score in state.scores()] == [0, 6]
