"""Written records of games, judged without a camera.

A record names the game, the players, the options and perhaps a position, and then lists the events. Events are lines of
the game's notation or JSON objects. An illegal event leaves the position unchanged, and judging goes on with the next,
so one slip of the pen does not spoil the rest. Only the penalty of an illegal play, if the rules have one, is due then.
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

# Replaying a game: do these rules still say what the journal says?
#
# At each row scores, count of legal moves and digest are worked out again and compared. A journal that older rules
# wrote is never refused: it is shown as it was recorded, and the first row where today's rules differ is named.


class ReplayDifference(Struct, frozen=True):
    """The first row where today's rules say something else than the journal."""

    n: int
    """0 is the start of the game."""
    what: str
    """"scores", "legal", "digest", or "event" if the rules refuse it."""
    recorded: Any
    now: Any
    """The value by today's rules, or the reason why they refuse it."""

    @property
    def sentence(self) -> str:
        """For people."""
        if self.what == "event":
            return f"Row {self.n} would be refused by today's rules: {self.now}"
        names = {"scores": "the scores are", "legal": "the count of legal moves is", "digest": "the position is"}
        return f"After row {self.n} {names[self.what]} {self.now} by today's rules; the journal says {self.recorded}."


class Replayed(Struct, frozen=True, eq=False):
    """A game, replayed."""

    header: Header
    rows: tuple[Row, ...]
    timeline: Timeline | None
    """Where it stands, as far as today's rules can follow; None if they cannot even begin."""
    change: ReplayDifference | None
    """None: today's rules agree with every row."""
    rules: int
    """Today's version of the rules."""


def replay(
    game: Game[Any], header: Header, rows: tuple[Row, ...], *, progress: Callable[[Iterable[Row]], Iterable[Row]] = iter
) -> Replayed:
    """Work every row out again and compare.

    Args:
        progress: Wraps the rows, to show how far it is.
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
"""A larger file is no record of a game."""


class GameRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """The form of a record; `docs/records.md` shows each game's position and events."""

    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any] = {}
    position: Mapping[str, Any] | None = None
    events: tuple[str | Mapping[str, Any], ...] = ()


class JudgedRecord(Struct, frozen=True):
    """One event of a record and what the rules say."""

    n: int
    """1 is the first event."""
    event: str | Mapping[str, Any]
    """As the record has it."""
    legal: bool
    breaches: tuple[Violation, ...]
    scores: tuple[Points, ...]
    """By seat, after the event if it is legal."""
    outcome: Outcome | None
    text: str | None
    """The event in the game's notation; None if it cannot be read."""
    error: str | None = None
    """The reason why an event that breaks no numbered rule was not carried out: it cannot be read, or it is not due."""


def load_record(path: Path) -> GameRecord:
    """Read a record.

    Raises:
        BadRecord: It is not there, too large, not JSON, or not a record; the message says where.
    """
    advice = "Give the path of a JSON file with one game in the form of docs/records.md."
    no = "is not a record of a game"
    return read_json(path, GameRecord, BadRecord, called="The record", no=no, advice=advice, most=LARGEST_BYTES)


def opening(game: Game[Any], record: GameRecord) -> Any:
    """The position that a record begins with.

    Raises:
        BadOptions: A number of players or an option that the game does not have.
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
    """One verdict an event, in order.

    Raises:
        BadOptions: Before the first: the record's players or options are none of the game's.
        BadRecord: Before the first: its position contradicts itself.
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
    """Rules that an event breaks which is not due at all; games explain what they can."""
    breaches: tuple[Violation, ...] = state.violations(event)
    return breaches
