"""Games as environments of PettingZoo: its own test passes, and an observation holds what its seat may know."""

from __future__ import annotations

import warnings
from typing import Any

import msgspec
import numpy as np
import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, seed_test

    from companion.referee.players.aec import TableEnv, env

from companion.games import GAMES

NAMES = ["spectrangle", "spectra", "cribbage"]


def viewed(observation: dict[str, Any]) -> bytes:
    return bytes(observation["observation"]).rstrip(b"\0")


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_s_own_test_passes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env(name), num_cycles=150)
    assert "Passed API test" in capsys.readouterr().out


def test_the_same_seed_gives_the_same_game() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(lambda: env("cribbage"), num_cycles=40)


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game_is_the_game_s_own(name: str) -> None:
    table = TableEnv(name)
    table.reset(seed=4)
    rng = np.random.default_rng(1)
    steps = 0
    for agent in table.agent_iter():
        observation, reward, over, cut, info = table.last()
        if over or cut:
            table.step(None)
            continue
        count = int(observation["action_mask"].sum())
        assert count == len(info["moves"]) > 0 and observation["action_mask"][:count].all()
        table.step(int(rng.integers(count)))
        steps += 1
        assert not agent.startswith("x") and reward == 0
    assert steps > 10 and not table.agents


@pytest.mark.parametrize("name", NAMES)
def test_an_observation_is_what_the_seat_may_know(name: str) -> None:
    table = TableEnv(name)
    table.reset(seed=2)
    for _ in range(6):
        for seat, agent in enumerate(table.possible_agents):
            known = GAMES[name].view(table._state, seat)
            seen = table.observe(agent)
            assert viewed(seen) == msgspec.json.encode(known, order="deterministic")
            assert seen["action_mask"].any() == (agent == table.agent_selection)
            assert table.observation_space(agent).contains(seen)
        table.step(0)


def test_who_wins_gets_one_and_the_others_lose_one() -> None:
    table = TableEnv("cribbage")
    table.reset(seed=3)
    while not any(table.terminations.values()):
        table.step(0)
    outcome = table._state.outcome()
    assert outcome is not None
    (winner,) = outcome.places[0]
    assert table.rewards == {f"seat_{seat}": 1.0 if seat == winner else -1.0 for seat in range(2)}


def test_a_number_beyond_the_list_is_no_move() -> None:
    table = TableEnv("cribbage")
    table.reset(seed=3)
    with pytest.raises(IndexError, match="There is no move"):
        table.step(len(table.infos[table.agent_selection]["moves"]))
