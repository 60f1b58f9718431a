"""Lights on the table: where the piece in play may go, the scores, and a flash where a move was refused.

A thread of its own follows the game, so that neither a long list of moves nor a dead board ever delays a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, Protocol

from companion.app.peripherals.destinations import Held, destinations, lifted
from companion.app.peripherals.follower import Follower
from companion.core.contract import Event, Expect, Over, seats_due
from companion.core.layout import Spot
from companion.core.verdict import Pending, Refused, Verdict
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table

PATIENCE_S = 0.5
"""The interval at which the thread checks for its end."""


LAMP: Spot = "lamp"
"""Where the lamp stands that calls people."""
Call = Literal["illegal", "question", "turn", "end"]
"""The calls of the lamp; the pages make sounds for the same."""


class LightBoard(Protocol):
    """A board of lights. Every method returns at once, whatever the device does."""

    @property
    def spots(self) -> frozenset[Spot]:
        """Every spot that has lights."""

    def arrange(self, places: Mapping[Spot, Sequence[int]]) -> None:
        """Say which lights stand at which spot from now on."""

    def legal(self, spots: Iterable[Spot], scores: Sequence[float]) -> None:
        """Lights up these places, the scores by seat, and no other place."""

    def refused(self, spots: Iterable[Spot]) -> None:
        """Flash these places over the picture, which stays."""

    def call(self, event: Call) -> None:
        """Flash the lamp that calls people, if there is one, over the picture, which stays."""

    def dark(self) -> None:
        """All lights off."""


class LightBoardUpdater(Follower):
    """Keeps the lights in step with the game. `step` does the work; `start` runs it in a thread."""

    thread_name = "lights"

    def __init__(
        self,
        sessions: SessionManager,
        board: LightBoard,
        trace: Callable[[str, Event], Spot | None],
        places: Callable[[str], Mapping[Spot, Sequence[int]]] | None = None,
    ) -> None:
        """
        :param trace: name of the game and an event to the place where it can be seen once it has happened.
        :param places: name of a game to its lights; None: the board knows its lights, whatever is played.
        """
        super().__init__()
        self._sessions = sessions
        self._board = board
        self._trace = trace
        self._places = places
        self._arranged = ""
        """The name of the game for which the lights are arranged."""
        self._shown: tuple[Any, ...] | None = None
        self._flashed: tuple[str, int] | None = None
        self._turn: tuple[Any, ...] | None = None

    def step(self) -> None:
        """Show what holds now; when a game is over its scores stay."""
        table = self._sessions.table
        if table is None:
            return
        game = table.session.game.name
        if self._places is not None and self._arranged != game:
            self._arranged = game
            self._board.arrange(self._places(game))
        alert = table.session.alert
        # Everybody sees the lights, so they tell what everybody may know.
        seq, state, held = table.session.seq, table.session.game.view(table.session.state, None), Held()
        if alert is not None and isinstance(alert.verdict, Pending):
            held = lifted(state, table.seen)
        key = table.session.header.id, seq, held
        if key != self._shown:
            self._shown = key
            legal = destinations(state, self._board.spots, partial(self._trace, table.session.game.name), held)
            self._board.legal(legal, [score.total for score in state.scores()])
        if alert is not None and not isinstance(alert.verdict, Pending):
            matter = table.session.header.id, alert.number
            if matter != self._flashed:
                self._flashed = matter
                self._ask(table, alert.verdict)
        elif alert is None:
            self._pass_on(table, state.expects())

    def _ask(self, table: Table, verdict: Verdict) -> None:
        """Something is open: a refusal flashes where it was made, too."""
        if isinstance(verdict, Refused):
            self._board.refused((*self._refused(table, verdict), LAMP))
        else:
            self._board.call("question")

    def _pass_on(self, table: Table, due: Expect) -> None:
        """The turn has passed on, or the game is over."""
        now = table.session.header.id, seats_due(due)
        if self._turn is not None and self._turn[0] == now[0] and self._turn != now:
            self._board.call("end" if isinstance(due, Over) else "turn")
        self._turn = now

    def close(self) -> None:
        """End the thread; the lights go out."""
        super().close()
        self._board.dark()

    def _run(self) -> None:
        version = -1
        while not self._stop.is_set():
            now = self._sessions.wait(version, PATIENCE_S)
            if now != version:
                version = now
                self.step()

    def _refused(self, table: Table, refused: Refused) -> tuple[Spot, ...]:
        """Where the refused move was made, and the places that the broken rules name."""
        own = self._trace(table.session.game.name, refused.event)
        where = [spot for breach in refused.breaches for spot in breach.where]
        return tuple(dict.fromkeys([*([own] if own is not None else []), *where]))
