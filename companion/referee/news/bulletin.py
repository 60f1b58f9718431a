"""The public state of a table, and the news about changes between two states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct

from companion.core.contract import Expect, Over, Points, ToDraw, ToMove, ToRoll, Violation
from companion.core.protocols.eyes import BLIND, EyesState
from companion.core.verdict import Desynchronized, Pending, Refused, TakenBack, Unclear
from companion.referee.redaction import text_of
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table

NewsKind = Literal["game", "row", "alert", "camera", "over"]


class DueTurn(Struct, frozen=True):
    """The kind of event that is due, and the players who must act."""

    due: Literal["move", "draw", "roll", "nothing"] = "nothing"
    seats: tuple[int, ...] = ()
    names: tuple[str, ...] = ()


class BrokenRule(Struct, frozen=True):
    """A rule that a move breaks."""

    rule: str
    text: str


class OpenMatter(Struct, frozen=True):
    """An open question or problem that waits for people."""

    number: int
    kind: Literal["refused", "unclear", "pending", "taken-back", "out-of-step"]
    text: str
    """The observation, in the game's notation or as a sentence."""
    rules: tuple[BrokenRule, ...] = ()


class CameraNews(Struct, frozen=True):
    """The state of the camera. States that change all the time, such as `moving` and `reading`, all become `seeing`."""

    state: Literal["off", "seeing", "lost", "dark", "no-table", "ended"] = "off"
    text: str = "No camera"

    @property
    def healthy(self) -> bool:
        """True if the camera has no trouble."""
        return self.state in ("off", "seeing")


class Bulletin(Struct, frozen=True):
    """The public state of a table at one moment."""

    table: str
    game: str = ""
    """The id of the game; empty before the first game."""
    title: str = ""
    """The title of the game."""
    row: int = 0
    """The number of the last row."""
    names: tuple[str, ...] = ()
    scores: tuple[Points, ...] = ()
    turn: DueTurn = DueTurn()
    alert: OpenMatter | None = None
    winners: tuple[str, ...] = ()
    """The winners, once the game is over."""
    over: bool = False
    camera: CameraNews = CameraNews()
    trouble: str | None = None
    """A sentence about a problem with the journal; None if there is none."""


class News(Struct, frozen=True):
    """One event that is reported."""

    id: str
    """The id of the event; it is the same for every receiver and every attempt."""
    table: str
    kind: NewsKind
    at: float
    """The time in seconds since the epoch."""
    game: str
    row: int
    """The number of the last row at that time."""
    data: dict[str, Any]


def bulletin(name: str, sessions: SessionManager, table: Table | None) -> Bulletin:
    """Returns the present state of a table.

    Args:
        table: The game in play, which the caller looked up once, because another game may begin meanwhile.
    """
    camera, trouble = _camera(sessions.eyes.status().state), sessions.trouble or sessions.journal.notice
    if table is None:
        return Bulletin(name, camera=camera, trouble=trouble)
    session = table.session
    with session.lock:
        state, row, matter = session.state, session.seq, _matter(table)
    seen, outcome = session.game.view(state, None), state.outcome()
    return Bulletin(
        table=name,
        game=session.header.id,
        title=session.game.title,
        row=row,
        names=session.names,
        scores=tuple(score.total for score in seen.scores()),
        turn=_turn(seen.expects(), session.names),
        alert=matter,
        winners=() if outcome is None else tuple(session.names[seat] for seat in outcome.places[0]),
        over=outcome is not None,
        camera=camera,
        trouble=trouble,
    )


def rows_since(name: str, table: Table, row: int) -> Iterator[News]:
    """Yields the rows after `row` as public news. A row always has the same id, however often it is sent."""
    session = table.session
    for one in session.rows()[row:]:
        data: dict[str, Any] = {
            "kind": one.kind,
            "seat": one.seat,
            "name": None if one.seat is None else session.names[one.seat],
            "text": "" if one.kind in ("commitment", "reveal") else text_of(table, one, None),
            "source": one.source,
            "scores": list(one.scores),
        }
        if one.kind in ("refused", "agreed"):
            data["rules"] = [breach["rule"] for breach in one.more.get("breaches", [])]
        yield News(f"{session.header.id}:{one.n}", name, "row", one.at, session.header.id, one.n, data)


def _camera(state: EyesState) -> CameraNews:
    if state == "off":
        return CameraNews()
    if state in BLIND:
        return CameraNews(state, BLIND[state])  # type: ignore[arg-type]
    return CameraNews("seeing", "Sees the table")


def _turn(due: Expect, names: tuple[str, ...]) -> DueTurn:
    match due:
        case ToMove(seats=seats):
            return DueTurn("move", tuple(seats), tuple(names[seat] for seat in seats))
        case ToDraw(seat=seat):
            return DueTurn("draw", (seat,), (names[seat],))
        case ToRoll(seat=seat):
            return DueTurn("roll", (seat,), (names[seat],))
        case Over():
            return DueTurn()


def _matter(table: Table) -> OpenMatter | None:
    """Returns the open matter without hidden cards. An alert comes from a picture, which is public."""
    alert = table.session.alert
    if alert is None:
        return None
    match alert.verdict:
        case Refused(event=event, seat=seat, breaches=breaches):
            did = table.session.game.text(event).removeprefix(f"player {seat + 1} ")
            return OpenMatter(alert.number, "refused", f"{table.session.names[seat]}: {did}", _rules(breaches))
        case Unclear(choices=choices):
            return OpenMatter(alert.number, "unclear", " or ".join(choice.text for choice in choices))
        case Pending(text=text):
            return OpenMatter(alert.number, "pending", text)
        case TakenBack(to=to):
            return OpenMatter(alert.number, "taken-back", f"The table is as it was after row {to}.")
        case Desynchronized(differences=differences):
            where = ", ".join(difference.spot for difference in differences)
            said = f"Table and record differ at {where}." if where else "The table may not be as recorded."
            return OpenMatter(alert.number, "out-of-step", said)


def _rules(breaches: tuple[Violation, ...]) -> tuple[BrokenRule, ...]:
    return tuple(BrokenRule(breach.rule, breach.text) for breach in breaches)
