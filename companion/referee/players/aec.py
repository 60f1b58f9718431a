"""Any game as a PettingZoo environment (agent environment cycle), for programs that learn to play; an optional extra.

An action is an index into the list of legal moves, whose notation is in `infos[agent]["moves"]`; the mask shows how
long that list is. An observation is the position as its seat may know it, as JSON bytes padded with zeros: complete,
but without hidden information. The environment itself rolls dice and draws.
"""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import msgspec
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv

from companion.core.contract import Event, Over, Seat, ToMove
from companion.core.game import Game
from companion.games import GAMES
from companion.referee.players.player import mover, moves_of

MOST_MOVES = 1024
"""The largest number of moves from which an action can choose. From a longer list, a fair sample is offered."""
MOST_BYTES = 16_384
"""The size of an observation in bytes; no view of a position of these games is longer."""
MOST_EVENTS = 5_000
"""The number of events after which an unfinished game is truncated."""


class TableEnv(AECEnv[str, dict[str, npt.NDArray[Any]], int]):  # type: ignore[misc]
    """One game. Its agents are `seat_0`, `seat_1`, ..."""

    metadata = {"render_modes": ["ansi"], "name": "companion_v0", "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        game: str = "spectrangle",
        seats: int = 2,
        options: dict[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        """
        Args:
                game: The name from `companion games`.

        Raises:
                KeyError: There is no such game.
                BadOptions: The game has no such number of seats, or an option is out of its bounds.
        """
        super().__init__()
        self._game: Game[Any] = GAMES[game]
        self._options = msgspec.convert(options or {}, self._game.Options)
        self._state = self._game.start(seats, self._options)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self._actions = {agent: gymnasium.spaces.Discrete(MOST_MOVES) for agent in self.possible_agents}
        self._random = Random()
        self._moves: list[Event] = []
        self._events = 0
        self._last = ""

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Returns the observation space, the same for every agent: the bytes of the view, and the mask of actions."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """Returns the action space, the same for every agent: an index into the list of legal moves."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game; a seed makes dice and draws repeatable."""
        if seed is not None:
            self._random = Random(seed)
            for agent in self.possible_agents:
                self._actions[agent].seed(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, list[str]]] = {agent: {"moves": []} for agent in self.agents}
        self._state = self._game.start(len(self.possible_agents), self._options)
        self._events, self._last = 0, ""
        self.agent_selection = self.agents[0]
        self._go_on()

    def step(self, action: int | None) -> None:
        """Plays a move of the selected agent.

        Raises:
            IndexError: No legal move has this index.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < len(self._moves):
            raise IndexError(f"There is no move {action}: {agent} has {len(self._moves)}.")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._apply(self._moves[action])
        self._go_on()
        self._accumulate_rewards()
        if self.render_mode == "ansi":
            self.render()

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """Returns the position as a seat may know it, and the mask of its legal moves if the seat is to move.

        Raises:
            ValueError: The position takes more bytes than any of these games should.
        """
        seat = self.possible_agents.index(agent)
        data = msgspec.json.encode(self._game.view(self._state, seat), order="deterministic")
        if len(data) > MOST_BYTES:
            raise ValueError(f"The view takes {len(data)} bytes, more than {MOST_BYTES}.")
        view = np.zeros(MOST_BYTES, np.uint8)
        view[: len(data)] = np.frombuffer(data, np.uint8)
        mask = np.zeros(MOST_MOVES, np.int8)
        if agent == self.agent_selection and not (self.terminations.get(agent) or self.truncations.get(agent)):
            mask[: len(self._moves)] = 1
        return {"observation": view, "action_mask": mask}

    def render(self) -> str:
        """Returns the last event in the game's notation, and the scores."""
        return f"{self._last}  {' : '.join(str(score.total) for score in self._state.scores())}"

    def close(self) -> None:
        """Does nothing, because there are no resources to release."""

    @staticmethod
    def _observation_space() -> gymnasium.spaces.Space[Any]:
        return gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(0, 255, (MOST_BYTES,), np.uint8),
                "action_mask": gymnasium.spaces.Box(0, 1, (MOST_MOVES,), np.int8),
            }
        )

    def _apply(self, event: Event) -> None:
        self._last = self._game.text(event)
        self._state = self._state.apply(event)
        self._events += 1

    def _go_on(self) -> None:
        """Rolls dice and draws until a move is due or the game is over."""
        while True:
            due = self._state.expects()
            if isinstance(due, Over):
                self._end()
                return
            if self._events >= MOST_EVENTS:
                self.truncations = dict.fromkeys(self.agents, True)
                return
            if isinstance(due, ToMove):
                seat = mover(self._state, self._random)
                self._offer(seat)
                return
            assert self._game.chance is not None
            self._apply(self._game.chance.sample(self._state, self._random))

    def _offer(self, seat: Seat) -> None:
        moves = moves_of(self._state, seat)
        if len(moves) > MOST_MOVES:
            chosen = sorted(self._random.sample(range(len(moves)), MOST_MOVES))
            moves = [moves[n] for n in chosen]
        self._moves = moves
        self.agent_selection = self.possible_agents[seat]
        self.infos = {agent: {"moves": []} for agent in self.agents}
        self.infos[self.agent_selection] = {"moves": [self._game.text(move) for move in moves]}

    def _end(self) -> None:
        """Sets the final rewards: 1 for a sole first place, 0 for a shared one, -1 for all others."""
        outcome = self._state.outcome()
        assert outcome is not None
        first = outcome.places[0]
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = -1.0 if seat not in first else 1.0 if len(first) == 1 else 0.0
        if len(self.possible_agents) == 1:
            self.rewards[self.possible_agents[0]] = float(self._state.scores()[0].total)
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"moves": []} for agent in self.agents}


def env(game: str = "spectrangle", **more: Any) -> AECEnv[str, Any, int]:
    """Returns a game with PettingZoo's usual wrappers: an illegal action ends the game, and a call out of order is
    refused.
    """
    from pettingzoo.utils import wrappers

    wrapped = wrappers.TerminateIllegalWrapper(TableEnv(game, **more), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrapped)
