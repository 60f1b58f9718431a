"""The table as the page shows it: every answer is computed once for each version, for any number of screens.

Only the knowledge of the requesting browser is sent (`Game.view`): everybody who can reach the page may read public
information, and a browser with a seat also sees that seat's hand (`web.privacy.seats`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from companion.core.contract import Drawn, Move, Over, Seat, ToDraw, ToMove, ToRoll
from companion.core.foundation.errors import MoveError
from companion.core.game import Game
from companion.core.pieces import Piece
from companion.core.protocols.eyes import BLIND
from companion.referee.journal import Header, Row
from companion.referee.journal.timeline import Timeline
from companion.referee.matching import Doubt
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from web.boards import PRESENTERS, Presenter
from web.http.answers import NoTableYet, NothingThere
from web.privacy.seats import Seats
from web.privacy.secrecy import held_in_hands, keeps_secrets
from web.privacy.secrecy import legal as legal_of
from web.scene.marks import Marks
from web.scene.shape import BoardFrame
from web.scene.svg import tree
from web.views.agreement_view import agreement_data
from web.views.alert_view import alert_data, breach_data, pictures
from web.views.row_view import row_data
from web.views.seat_view import leads, outcome_data, seat_data, signs_of


def turn_data(table: Table, state: Any, presenter: Presenter) -> dict[str, Any]:
    """Returns the event that must come next.

    Args:
        state: The position as the reader may know it.
    """
    expects = state.expects()
    names = table.session.names
    if isinstance(expects, ToMove):
        who = " or ".join(names[seat] for seat in expects.seats)
        if held_in_hands(table):
            # An unknown hand may have more moves than can be listed; the panel asks about one at a time.
            prompt = presenter.prompt(state)
            many = len(state.legal_moves())
            return {**_moving(expects, who), "hint": prompt, "legal": many, "others": [], "draw": None}
        legal = legal_of(table, state)
        return {
            **_moving(expects, who),
            "hint": _hint(state, expects.seats, len(legal), presenter),
            "legal": len(legal),
            "others": _others(table, state, presenter),
            "playable": _playable(state, expects.seats, legal, presenter),
            "draw": _open_draw(table, state),
        }
    if isinstance(expects, ToDraw):
        kind = "card" if table.session.game.dealer is not None else "piece"
        what = f"1 {kind}" if expects.count == 1 else f"{expects.count} {kind}s"
        return {
            "kind": "draw",
            "seats": [expects.seat],
            "count": expects.count,
            "text": f"{names[expects.seat]}'s turn to draw",
            "hint": f"{what} from the {expects.source}.",
            "draw": {"seats": [expects.seat], "count": expects.count, "hidden": _may_hide(state, expects)},
        }
    if isinstance(expects, ToRoll):
        return {
            "kind": "roll",
            "seats": [expects.seat],
            "dice": list(expects.dice),
            "text": f"{names[expects.seat]}'s turn to roll",
            "hint": "1 die." if len(expects.dice) == 1 else f"{len(expects.dice)} dice.",
        }
    assert isinstance(expects, Over)
    return {"kind": "over", "seats": [], "text": "The game is over", "hint": ""}


def _moving(expects: ToMove, who: str) -> dict[str, Any]:
    return {"kind": "move", "seats": list(expects.seats), "text": f"{who}'s turn", "hint": ""}


def _hint(state: Any, seats: tuple[Seat, ...], count: int, presenter: Presenter) -> str:
    hands = [presenter.hand(state, seat) for seat in seats]
    if any(hand is not None and hand.unseen for hand in hands):
        return "The hand is not shown: whatever the rules allow is taken."
    return "No allowed move is known." if count == 0 else ""


def _playable(state: Any, seats: tuple[Seat, ...], legal: Sequence[Move], presenter: Presenter) -> list[str] | None:
    """Returns the pieces of the hand to move that a legal move uses; None in a game without hands."""
    hands = [hand for seat in seats if (hand := presenter.hand(state, seat)) is not None]
    if not hands:
        return None
    aims = {aim.piece for move in legal if (aim := presenter.aim(move)).spot is not None}
    codes = [presenter.piece_code(piece) for hand in hands for piece in hand.pieces]
    return [code for code in codes if presenter.aim_code(code) in aims]


def _others(table: Table, state: Any, presenter: Presenter) -> list[dict[str, Any]]:
    """Returns at most 40 legal moves that go to no spot of the board, such as passing."""
    found: list[dict[str, Any]] = []
    for move in legal_of(table, state):
        aim = presenter.aim(move)
        if aim.spot is None and len(found) < 40:
            reminders = [breach_data(breach, table.session.game.name) for breach in presenter.reminders(state, move)]
            found.append(
                {
                    "text": table.session.game.text(move),
                    "offer": presenter.offer(move),
                    "piece": aim.piece,
                    "reminders": reminders,
                }
            )
    return found


def _open_draw(table: Table, state: Any) -> dict[str, Any] | None:
    """Returns the seats that may enter a draw while a move is due, as when a draw may come at any time of the turn."""
    seats = sorted({chance.seat for chance, _ in table.session.game.outcomes(state) if isinstance(chance, Drawn)})
    return {"seats": seats, "count": 1, "hidden": False} if seats else None


def _may_hide(state: Any, due: ToDraw) -> bool:
    """True if a draw may be entered without naming the pieces."""
    try:
        state.apply(Drawn(due.seat, (None,) * due.count))
    except MoveError:
        return False
    return True


def doubts_data(table: Table, presenter: Presenter) -> list[dict[str, Any]]:
    """Returns each doubt with its place in words and its answers; the referee goes on with the first answer."""
    return [_doubt(doubt, presenter) for doubt in table.doubts]


def _doubt(doubt: Doubt, presenter: Presenter) -> dict[str, Any]:
    def words(piece: Piece | None) -> str:
        return "nothing of the game" if piece is None else presenter.piece_name(piece)

    held, where = doubt.options[0], presenter.spot_name(doubt.belief.spot)
    question = f"Is this {_article(words(held))}?" if held is not None else "Does something of the game stand here?"
    return {
        "place": doubt.key,
        "spot": doubt.belief.spot,
        "where": where,
        "text": question,
        "options": [words(piece) for piece in doubt.options],
    }


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


T = TypeVar("T")


class TableView:
    """The page's view of one session manager. Every method may be called from any thread."""

    def __init__(
        self,
        sessions: SessionManager,
        lesson: Callable[[], dict[str, Any]] | None = None,
        departure: Callable[[], str | None] = lambda: None,
    ) -> None:
        """
        Args:
            lesson: Returns the state of the lesson that the session manager serves; None: it serves no lesson.
            departure: Returns the sentence on a table that the configuration removes, or None.
        """
        self.sessions = sessions
        self._departure = departure
        self._lesson = lesson
        self.seats = Seats(sessions.journal.path.with_name(sessions.journal.path.name + ".seats"))
        sessions.before_shown = self._stay_seated
        self._kept: dict[tuple[str, ...], tuple[tuple[object, ...], Any]] = {}
        self._lock = threading.Lock()

    def table(self) -> Table:
        """Returns the game in play.

        Raises:
            NoTableYet: No game is in play.
        """
        table = self.sessions.table
        if table is None:
            raise NoTableYet
        return table

    def presenter(self, game: Game[Any]) -> Presenter:
        """Returns the presenter of a game.

        Raises:
            NothingThere: The game has no presenter.
        """
        presenter = PRESENTERS.get(game.name)
        if presenter is None:
            raise NothingThere(f"{game.title} cannot be shown on the page yet. Use the terminal.")
        return presenter

    def kept(self, name: tuple[str, ...], key: tuple[object, ...], work: Callable[[], T]) -> T:
        """Returns the value of `work`, computed again only if `key` differs from last time by identity and by value."""
        found = self._kept.get(name)
        if found is not None and all(a is b or a == b for a, b in zip(found[0], key, strict=True)):
            value: T = found[1]
            return value
        value = work()
        with self._lock:
            if len(self._kept) > 512:
                self._kept.clear()
            self._kept[name] = key, value
        return value

    def moment(self) -> tuple[str, int, dict[str, Any] | None, dict[str, Any]]:
        """Returns the id of the game, the number of its last row, the open alert, and the position's version; no id
        before the first game.

        The version comes with the rows that are undone in it, so that a history needs no further request.
        """
        table = self.sessions.table
        if table is None:
            return "", 0, None, {"version": 0, "undone": []}
        # The version is read first: a later change has another version, and is looked at again.
        version = table.session.version
        position = {"version": version, "undone": sorted(table.session.undone())}
        return table.session.header.id, table.session.seq, self.alert(table), position

    def alert(self, table: Table) -> dict[str, Any] | None:
        """Returns the open alert, without pictures."""
        alert = table.session.alert
        if alert is None:
            return None
        return self.kept(("alert",), (alert,), lambda: alert_data(table, alert, self.presenter(table.session.game)))

    def _stay_seated(self, before: Header | None, after: Header) -> None:
        """Keeps people's seats when a new game begins, so that no page asks again whose it is."""
        if before is not None:
            self.seats.follow(before.id, before.names, after.id, after.names)

    def seat(self, token: str | None) -> Seat | None:
        """Returns the seat of the browser with this secret in the game in play; None for the public."""
        table = self.sessions.table
        return None if table is None else self.seats.seat(table.session.header.id, token)

    def row(self, game: str, n: int, seat: Seat | None = None) -> dict[str, Any] | None:
        """Returns one row of the game in play as a seat, or the public, may read it; None if another game is in play by
        now.
        """
        table = self.sessions.table
        if table is None or table.session.header.id != game or not 1 <= n <= table.session.seq:
            return None
        return self.row_of(table, table.session.rows()[n - 1], seat)

    def row_of(self, table: Table, row: Row, seat: Seat | None = None) -> dict[str, Any]:
        """Returns one row as the history shows it to a seat or the public."""
        before = table.session.rows()[row.n - 2].scores if row.n > 1 else (0,) * len(row.scores)
        return self.kept(
            ("row", str(row.n), str(seat)),
            (table, row),
            lambda: row_data(table, row, before, self.presenter(table.session.game), seat),
        )

    def eyes(self) -> dict[str, Any]:
        """Returns the state of the eyes and their last reading, without the picture's number and age, which change all
        the time.
        """
        status = self.sessions.eyes.status()
        overlay, playback = self.sessions.eyes.overlay(), self.sessions.playback
        return {
            "state": status.state,
            "text": status.text,
            "blind": BLIND.get(status.state),
            "trouble": self.sessions.trouble or self.sessions.journal.notice or status.notice,
            "markers": status.markers,
            "corners_px": status.corners_px,
            "size_px": status.size_px,
            "mode": msgspec.to_builtins(status.mode),
            "setup": msgspec.to_builtins(self.sessions.calibrator.notice()),
            "overlay": msgspec.to_builtins(overlay),
            "playback": None if playback is None else msgspec.to_builtins(playback.status()),
            "lesson": None if self._lesson is None else self._lesson(),
            "departure": self._departure(),
        }

    def snapshot(self, seat: Seat | None = None) -> bytes:
        """Returns everything that the table's page shows to a seat or the public, as JSON."""
        table = self.sessions.table
        if table is None:
            return msgspec.json.encode({"game": None, "eyes": self.eyes()})
        version = table.session.version
        fixed = self.kept(("snapshot", str(seat)), (table, version), lambda: self._snapshot(table, version, seat))
        left = msgspec.to_builtins(table.session.time_left())
        fresh = {"secrecy": self._secrecy(table, seat), "clock": left, "eyes": self.eyes()}
        return fixed[:-1] + b"," + msgspec.json.encode(fresh)[1:]

    def _secrecy(self, table: Table, seat: Seat | None) -> dict[str, Any]:
        """Returns whether cards are hidden, the seat whose hidden cards this browser shows, and the seats with a
        browser.
        """
        return {"kept": keeps_secrets(table), "me": seat, "taken": self.seats.taken(table.session.header.id)}

    def _snapshot(self, table: Table, version: int, seat: Seat | None) -> bytes:
        presenter = self.presenter(table.session.game)
        state = table.session.game.view(table.session.state, seat)
        rows = table.session.rows()
        alert = self.alert(table)
        data = {
            "game": {
                "id": table.session.header.id,
                "name": table.session.game.name,
                "title": table.session.game.title,
                "scored": table.session.game.lead != "nothing",
                "options": dict(table.session.options),
            },
            "version": version,
            "seq": table.session.seq,
            "seats": seat_data(table, state, presenter),
            "turn": turn_data(table, state, presenter),
            "last": self.row_of(table, rows[-1], seat) if rows else None,
            "alert": alert,
            "judged": table.apart is None,
            "agreement": agreement_data(table, presenter),
            "doubts": doubts_data(table, presenter),
            "hints": table.session.hints,
            "outcome": outcome_data(table, state),
            "leads": leads(table, state),
            "board": tree(
                self.board(
                    table,
                    state,
                    Marks(last=self.last_spots(table, table.session.timeline), **alert_marks(alert)),
                    seat=seat,
                )
            ),
            "choices": self._choice_boards(table, presenter, seat),
        }
        return msgspec.json.encode(data)

    def board(
        self,
        table: Table,
        state: Any,
        marks: Marks,
        *,
        name: str = "board",
        title: str | None = None,
        live: bool = True,
        seat: Seat | None = None,
    ) -> Any:
        """Returns the scene of a position as a seat, or the public, may see it."""
        title = title or f"{table.session.game.title} board"
        shown, names = table.session.game.view(state, seat), table.session.names
        marks = replace(marks, signs=signs_of(table))
        return self.presenter(table.session.game).board(shown, marks, BoardFrame(name, title, live, names))

    def last_spots(self, table: Table, timeline: Timeline) -> frozenset[str]:
        """Returns the spot of the last move that counts on a timeline of this game."""
        presenter = self.presenter(table.session.game)
        for step in reversed(timeline.steps()):
            if step.event is not None:
                spot = presenter.trace(step.event)
                if spot is not None:
                    return frozenset((spot,))
        return frozenset()

    def _choice_boards(self, table: Table, presenter: Presenter, seat: Seat | None) -> list[Any]:
        """Returns a small board for each answer to the open question, or for the refused move."""
        alert = table.session.alert
        if alert is None:
            return []
        return [
            tree(self.board(table, table.session.state, marks, name=f"choice{i}", title=title, live=False, seat=seat))
            for i, (title, marks) in enumerate(
                pictures(alert, presenter, table.session.game.view(table.session.state, seat))
            )
        ]


def alert_marks(alert: dict[str, Any] | None) -> dict[str, Any]:
    """Returns the spots that an open matter highlights on the board."""
    if alert is None:
        return {}
    refused = frozenset(alert["refused"])
    return {"refused": refused, "about": frozenset(alert["where"]) - refused}
