"""Written records of games, judged without a camera.

A record names the game, the players, the options and perhaps a position, and then lists the events, each a line of the
game's notation or a JSON object. An illegal event leaves the position unchanged and judging goes on with the next one,
so a single mistake does not spoil the rest. Only the penalty of an illegal play, if the rules have one, is charged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.core.contract import Event, Outcome, Points, Violation
from companion.core.foundation.errors import BadFile, BadOptions, BadRecord, IllegalMove, MoveError, WrongUsage
from companion.core.foundation.kept_file import read_json
from companion.core.game import Game
from companion.referee.journal import Header, Row, digest
from companion.referee.journal.timeline import Timeline, begin, options_of, read

# Replaying a game shows whether the present rules still agree with the journal.
#
# After each row the scores, the number of legal moves and the digest are computed again and compared. A journal of
# older rules is never refused: it is shown as it was recorded, with the first row that differs under the present rules.


class ReplayDifference(Struct, frozen=True):
    """The first row at which the present rules disagree with the journal."""

    n: int
    """The number of the row; 0 is the start of the game."""
    what: str
    """The part that differs: "scores", "legal", "digest", or "event" if the rules refuse the event."""
    recorded: Any
    now: Any
    """The value by the present rules, or the reason why they refuse the event."""

    @property
    def sentence(self) -> str:
        """The difference as a sentence for people."""
        if self.what == "event":
            return f"Row {self.n} would be refused by today's rules: {self.now}"
        names = {"scores": "the scores are", "legal": "the count of legal moves is", "digest": "the position is"}
        return f"After row {self.n} {names[self.what]} {self.now} by today's rules; the journal says {self.recorded}."


class Replayed(Struct, frozen=True, eq=False):
    """The result of replaying a game."""

    header: Header
    rows: tuple[Row, ...]
    timeline: Timeline | None
    """The game as far as the present rules can follow it; None if they cannot even begin it."""
    change: ReplayDifference | None
    """The first difference; None if the present rules agree with every row."""
    rules: int
    """The present version of the rules."""


def replay(
    game: Game[Any], header: Header, rows: tuple[Row, ...], *, progress: Callable[[Iterable[Row]], Iterable[Row]] = iter
) -> Replayed:
    """Applies every row again and compares the results.

    Args:
        progress: Wraps the rows, for a progress bar.
    """
    try:
        timeline = begin(game, header)
    except (BadFile, MoveError, WrongUsage) as error:
        return Replayed(header, rows, None, ReplayDifference(0, "event", "start", str(error)), game.rules)
    for row in progress(rows):
        try:
            following = timeline.read(row)
        except (BadRecord, MoveError) as error:
            return Replayed(header, rows, timeline, ReplayDifference(row.n, "event", row.text, str(error)), game.rules)
        timeline = following
        change = _compare(row, timeline.state)
        if change is not None:
            return Replayed(header, rows, timeline, change, game.rules)
    return Replayed(header, rows, timeline, None, game.rules)


def _compare(row: Row, state: Any) -> ReplayDifference | None:
    now = digest(state)
    scores = tuple(score.total for score in state.scores())
    legal = len(state.legal_moves())
    for what, recorded, found in (
        ("scores", row.scores, scores),
        ("legal", row.legal, legal),
        ("digest", row.digest, now),
    ):
        if recorded != found:
            return ReplayDifference(row.n, what, recorded, found)
    return None


LARGEST_BYTES = 5 * 1024 * 1024
"""The size limit of a record in bytes."""


class GameRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """The form of a record; `docs/records.md` shows each game's position and events."""

    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any] = {}
    position: Mapping[str, Any] | None = None
    events: tuple[str | Mapping[str, Any], ...] = ()


class JudgedRecord(Struct, frozen=True):
    """One event of a record, and what the rules say about it."""

    n: int
    """The number of the event, from 1."""
    event: str | Mapping[str, Any]
    """The event as it was written in the record."""
    legal: bool
    breaches: tuple[Violation, ...]
    scores: tuple[Points, ...]
    """The scores by seat, after the event if it is legal."""
    outcome: Outcome | None
    text: str | None
    """The event in the game's notation; None if it cannot be read."""
    error: str | None = None
    """The reason why an event that breaks no numbered rule was not carried out: it cannot be read, or the position does
    not expect it."""


def load_record(path: Path) -> GameRecord:
    """Reads a record from a JSON file.

    Raises:
        BadRecord: The file is missing, too large, not JSON, or not a record; the message says where.
    """
    advice = "Give the path of a JSON file with one game in the form of docs/records.md."
    no = "is not a record of a game"
    return read_json(path, GameRecord, BadRecord, called="The record", no=no, advice=advice, most=LARGEST_BYTES)


def opening(game: Game[Any], record: GameRecord) -> Any:
    """Returns the position with which a record begins.

    Raises:
        BadOptions: The game does not have this number of players, or an option.
        BadRecord: The position contradicts itself.
    """
    seats = len(record.players)
    if seats not in game.seats:
        raise BadOptions(game.refusal(seats))
    options = options_of(game, record.options)
    if record.position is None:
        return game.start(seats, options)
    return read(game, seats, options, record.position)


def judge(game: Game[Any], record: GameRecord) -> Iterator[JudgedRecord]:
    """Yields the verdict on each event, in order.

    Raises:
        BadOptions: Before the first verdict: the game does not have this number of players, or an option.
        BadRecord: Before the first verdict: the position contradicts itself.
    """
    state = opening(game, record)
    for n, written in enumerate(record.events, 1):
        text: str | None = None
        breaches: tuple[Violation, ...] = ()
        error: str | None = None
        legal = False
        try:
            event = game.parse(state, written) if isinstance(written, str) else game.event(written)
            text = game.text(event)
            state = state.apply(event)
            legal = True
        except IllegalMove as refused:
            breaches = refused.breaches
            state = state if game.penalties is None else game.penalties.after_refusal(state, event)
        except MoveError as refused:
            breaches = () if text is None else _reasons(state, event)
            error = None if breaches else str(refused)
        totals = tuple(score.total for score in state.scores())
        yield JudgedRecord(n, written, legal, breaches, totals, state.outcome(), text, error)


def _reasons(state: Any, event: Event) -> tuple[Violation, ...]:
    """Returns the rules that an event breaks although no such event is due, as far as the game explains it."""
    breaches: tuple[Violation, ...] = state.violations(event)
    return breaches
