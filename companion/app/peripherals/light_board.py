"""Lights on the table: they show where the piece in play may go, the scores, and a flash where a move was refused.

A separate thread follows the game, so that neither a long list of moves nor a broken board ever delays a verdict.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, Protocol

from companion.core.contract import Event, Expect, Move, Over, ToMove, seats_due
from companion.core.layout import Layout, Spot
from companion.core.pieces import Piece
from companion.core.verdict import Pending, Refused, Verdict
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table


class Follower(ABC):
    """A base class for work in a thread: `_run` works from `start` to `close`, and must check `_stop` often."""

    thread_name: str

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @abstractmethod
    def _run(self) -> None:
        """Works until `_stop` is set."""

    def start(self) -> None:
        """Starts the thread."""
        self._thread = threading.Thread(target=self._run, name=self.thread_name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=2.0)
            self._thread = None


# The destinations of the piece in play: the places to which some legal move leads.
#
# A game's presenter knows where a move is visible; everything else is the same for all games. A move that is visible
# nowhere (stating a roll's usage, BRD-8) leads to the places of the moves after it. A piece that was lifted from the
# table is the one in play: then only moves that take it away count.

Held = Counter[tuple[Spot, Piece]]
"""The pieces that a person has lifted, by their spots."""

Trace = Callable[[Event], Spot | None]
"""Returns the place where an event is visible after it has happened."""

TRIED_MOST = 500
"""The number of moves above which lifted pieces are ignored, because trying every move would slow down the reader."""


def lifted(state: Any, seen: Layout) -> Held:
    """Returns the pieces that are missing in a reading if there is no other change; none if a piece was added."""
    held: Held = Counter()
    for spot, expected, there in state.layout().differences(seen):
        gone, come = Counter(expected), Counter(there)
        if any(piece is not None for piece in come - gone):
            return Counter()
        held.update({(spot, piece): count for piece, count in (gone - come).items() if piece is not None})
    return held


def destinations(state: Any, places: Container[Spot], trace: Trace, held: Held) -> tuple[Spot, ...]:
    """Returns those of `places` to which a legal move may bring the held pieces, or any piece if none is held, in order
    of the moves. If there are too many moves to try, the held pieces are ignored.
    """
    moves = state.legal_moves()
    tried = held if len(moves) <= TRIED_MOST else Counter()
    found: dict[Spot, None] = {}
    for before, move, spot in _led(state, moves, trace):
        if spot in places and spot not in found and (not tried or tried <= _lost(before, move)):
            found[spot] = None
    return tuple(found)


def _led(state: Any, moves: Sequence[Move], trace: Trace) -> Iterator[tuple[Any, Move, Spot]]:
    """Yields every visible move, also one that follows an invisible move, with the position before it and its place."""
    due = state.expects()
    for move in moves:
        spot = trace(move)
        if spot is not None:
            yield state, move, spot
        elif isinstance(due, ToMove):
            after = state.apply(move)
            if after.expects() == due:
                traced = ((following, trace(following)) for following in after.legal_moves())
                yield from ((after, following, there) for following, there in traced if there is not None)


def _lost(state: Any, move: Move) -> Held:
    """Returns the pieces that a move takes from their places."""
    lost: Held = Counter()
    for spot, was, now in state.layout().differences(state.apply(move).layout()):
        gone = Counter(was) - Counter(now)
        lost.update({(spot, piece): count for piece, count in gone.items() if piece is not None})
    return lost


PATIENCE_S = 0.5
"""The interval in seconds at which the thread checks for its end."""


LAMP: Spot = "lamp"
"""The spot of the lamp that calls people."""
Call = Literal["illegal", "question", "turn", "end"]
"""The calls of the lamp; the pages make sounds for the same events."""


class LightBoard(Protocol):
    """A board of lights. Every method returns at once, whatever the device does."""

    @property
    def spots(self) -> frozenset[Spot]:
        """Every spot that has lights."""

    def arrange(self, places: Mapping[Spot, Sequence[int]]) -> None:
        """Sets the lights of each spot from now on."""

    def legal(self, spots: Iterable[Spot], scores: Sequence[float]) -> None:
        """Lights up these places, the scores by seat, and no other place."""

    def refused(self, spots: Iterable[Spot]) -> None:
        """Flashes these places over the picture, which stays."""

    def call(self, event: Call) -> None:
        """Flashes the lamp that calls people, if there is one, over the picture, which stays."""

    def dark(self) -> None:
        """Turns all lights off."""


class LightBoardUpdater(Follower):
    """Updates the lights with the game. `step` does the work; `start` runs it in a thread."""

    thread_name = "lights"

    def __init__(
        self,
        sessions: SessionManager,
        board: LightBoard,
        trace: Callable[[str, Event], Spot | None],
        places: Callable[[str], Mapping[Spot, Sequence[int]]] | None = None,
    ) -> None:
        """
        Args:
            trace: Returns the place where an event of the named game is visible after it has happened.
            places: Returns the lights of the named game; None: the board's lights are the same for every game.
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
        """Shows the present state of the table; the scores stay when the game is over."""
        table = self._sessions.table
        if table is None:
            return
        game = table.session.game.name
        if self._places is not None and self._arranged != game:
            self._arranged = game
            self._board.arrange(self._places(game))
        alert = table.session.alert
        # All players see the lights, so they show public information.
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
        """Signals an open matter; a refusal also flashes at the place of the move."""
        if isinstance(verdict, Refused):
            self._board.refused((*self._refused(table, verdict), LAMP))
        else:
            self._board.call("question")

    def _pass_on(self, table: Table, due: Expect) -> None:
        """Signals that the turn has passed on, or that the game is over."""
        now = table.session.header.id, seats_due(due)
        if self._turn is not None and self._turn[0] == now[0] and self._turn != now:
            self._board.call("end" if isinstance(due, Over) else "turn")
        self._turn = now

    def close(self) -> None:
        """Ends the thread and turns the lights off."""
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
        """Returns the place of the refused move, and the places that the broken rules name."""
        own = self._trace(table.session.game.name, refused.event)
        where = [spot for breach in refused.breaches for spot in breach.where]
        return tuple(dict.fromkeys([*([own] if own is not None else []), *where]))
