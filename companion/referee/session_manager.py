"""The session manager: it knows which game is on the table now, which plan the eyes use, and how they are.

The page and the command line talk to it; it starts games, resumes them from the journal and hands every reading to the
current table. It imports neither eyes nor page: both are passed in.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from companion import __version__
from companion.core.foundation.errors import BadOptions, JournalError
from companion.core.game import Game
from companion.core.layout import Layout
from companion.core.plan import Plan
from companion.core.protocols.calibration import Calibrator, NoCalibrator
from companion.core.protocols.devices import Devices, NoDevices
from companion.core.protocols.eyes import BLIND, Eyes, NoEyes, Playback
from companion.core.verdict import Verdict
from companion.games.shared.cards.dealing import new_seed
from companion.referee.journal import Draws, Header, Journal
from companion.referee.journal.timeline import begin, options_of
from companion.referee.last_game import LastGame
from companion.referee.matching import match
from companion.referee.meter import Meter, MeteredReading
from companion.referee.session.chosen_signs import ChosenSign, ChosenSigns
from companion.referee.session.croupier import Croupier
from companion.referee.table.table import Table

if TYPE_CHECKING:
    from companion.referee.journal.delivery import Delivery

NAME_LETTERS = 40
"""The largest length of a name; a longer one would push the scores off a phone's screen."""
BREAK_S = 5.0
"""The number of seconds without sight of the table after which a single picture cannot show what happened meanwhile."""


class SessionManager:
    """Starts and resumes the games of one table. Every method may be called from any thread."""

    def __init__(
        self,
        journal: Journal,
        games: Mapping[str, Game[Any]],
        plan: Plan,
        *,
        eyes: Eyes | None = None,
        clock: Callable[[], float] = time.time,
        use_plan: Callable[[Plan], None] = lambda plan: None,
        judge: Callable[..., Verdict] = match,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        trusting: bool = False,
    ) -> None:
        """
        Args:
            eyes: May also be set later, because eyes need `see`; `watch` attaches the eyes of a real table.
            use_plan: Is called with every new plan, so that readers can use it.
            judge: `companion.referee.matching.match`, or another function for comparison.
            random_bytes: Draws the seeds by which software deals.
            trusting: See `Table`.
        """
        self.games = games
        self.eyes: Eyes = eyes or NoEyes()
        self.devices: Devices = NoDevices()
        """The devices of the table besides the camera."""
        self.calibrator: Calibrator = NoCalibrator()
        """The calibrator of the empty table."""
        self.playback: Playback | None = None
        """The recording that takes the camera's place, if any."""
        self.journal = journal
        self.delivery: Delivery | None = None
        """The delivery of the journal to a database, if any."""
        self.last_game = LastGame(journal)
        """The note on which game was on the table last, which survives a restart."""
        self.signs = ChosenSigns(journal.path.with_name(journal.path.name + ".signs"))
        """The signs that people have chosen."""
        self.trouble: str | None = None
        """A sentence on why the last reading could not be saved; None if all is well."""
        self.meter = Meter()
        """The counters of readings and verdicts."""
        self.before_shown: Callable[[Header | None, Header], object] = lambda before, after: None
        """A function that is called with the previous game, if any, and a new game before any screen shows it."""
        self._clock = clock
        self._use_plan = use_plan
        self._judge = judge
        self._random_bytes = random_bytes
        self._trusting = trusting
        self._live = False
        """True if real eyes watch a real table, so that people must confirm the start of a game."""
        self._sighted_s: float | None = None
        """The last time at which the eyes saw the table, in seconds of the clock; None: not checked yet."""
        self._plan = plan
        self._table: Table | None = None
        self._version = 0
        self._lock = threading.Condition()

    @property
    def plan(self) -> Plan:
        """The present plan of the table."""
        return self._plan

    @property
    def table(self) -> Table | None:
        """The game in play; None before the first."""
        return self._table

    @property
    def version(self) -> int:
        """A number that rises with every change of the table, the plan, or the game in play."""
        return self._version

    def game(self, name: str) -> Game[Any]:
        """Returns a game by its name.

        Raises:
            BadOptions: There is no such game; the message lists the games.
        """
        if name not in self.games:
            raise BadOptions(f'There is no game "{name[:NAME_LETTERS]}". Choose one of: {", ".join(self.games)}.')
        return self.games[name]

    def start(
        self,
        game: str,
        names: Sequence[str],
        options: Mapping[str, Any],
        *,
        plan: Plan | None = None,
        position: Mapping[str, Any] | None = None,
        draws: Draws = "told",
        begun: bool = False,
        recorded: bool = False,
    ) -> Table:
        """Begins a game; the previous one stays in the journal.

        A running recording ends here, unless it begins this game: its pictures must never add a row to another game.

        Args:
            names: One name for each seat, in clockwise order.
            position: The first position, in the form of `docs/records.md`; None: the usual start.
            draws: `unseen` if neither camera nor people report draws, so that draws never delay the game. `dealt` if
                software deals.
            begun: The position comes from a picture.
            recorded: The game belongs to the recording in `playback`.

        Raises:
            BadOptions: There is no such game, number of players or option, a name cannot be shown, or software does not
                deal this game.
            BadRecord: The position contradicts itself.
            JournalError: The game could not be written.
        """
        chosen = self.game(game)
        if len(names) not in chosen.seats:
            raise BadOptions(chosen.refusal(len(names)))
        plan = plan or self._plan
        header = Header(
            game=game,
            rules=chosen.rules,
            seats=len(names),
            names=tuple(_name(name) for name in names),
            options=msgspec.to_builtins(options_of(chosen, options)),
            plan=plan,
            draws=draws,
            position=None if position is None else dict(position),
            started=self._clock(),
            software=__version__,
        )
        line = begin(chosen, header)
        seed = None
        if draws == "dealt":
            seed = new_seed(self._random_bytes)
            Croupier(chosen, seed)
            begun_now = chosen.start(len(names), options_of(chosen, options))
            if chosen.unseen(line.state) != chosen.unseen(begun_now):
                raise BadOptions("The program deals from the beginning of a hand on, not in its middle.")
        if not recorded:
            self._end_playback()
        header = self.journal.begin(header)
        if seed is not None:
            self.journal.keep_seed(header.id, seed)
        if plan != self._plan:
            self.set_plan(plan)
        self.before_shown(None if self._table is None else self._table.session.header, header)
        return self._take(chosen, header, begun)

    def resume(self, game_id: str) -> Table:
        """Continues a game of the journal.

        Raises:
            JournalError: The game is missing, its chain is broken, or its rules have changed since.
        """
        header = self.journal.header(game_id)
        game = self.game(header.game)
        if header.rules != game.rules:
            raise JournalError(
                f"The game {game_id} was played by rules {header.rules} of {game.title}; this program has rules"
                f" {game.rules}. It can be shown with `companion replay`, but not continued."
            )
        self._end_playback()
        if header.plan is not None and header.plan != self._plan:
            self.set_plan(header.plan)
        return self._take(game, header)

    def _end_playback(self) -> None:
        """Detaches a recording from the table."""
        playback, self.playback = self.playback, None
        if playback is not None:
            playback.detach()

    def see(self, layout: Layout, frame: int, *, further: Sequence[Layout] = ()) -> Verdict | None:
        """Hands a steady reading to the table. Returns None if there is no game, or if the reading could not be saved
        (see `trouble`).
        """
        table = self._table
        if table is None:
            return None
        self._have_in_sight()
        began_s = time.perf_counter()
        try:
            verdict = table.see(layout, frame, further=further)
        except JournalError as error:
            self._trouble(str(error))
            return None
        self._trouble(None)
        self.meter.note(self._reading(table, layout, frame, verdict, time.perf_counter() - began_s))
        return verdict

    def choose_sign(self, name: str, sign: ChosenSign) -> None:
        """Gives a person this sign from now on, also in the game on the table.

        Raises:
            SignTaken: Another person has already chosen it.
            SignNotKept: The choice could not be saved.
        """
        self.signs.choose(name, sign)
        if self._table is not None:
            self._show_signs(self._table)

    def _show_signs(self, table: Table) -> None:
        table.session.use_signs(tuple(self.signs.of(name) for name in table.session.names))

    def watch(self, eyes: Eyes | None, calibrator: Calibrator | None = None) -> None:
        """Uses these eyes for the real table from now on; the caller closes the previous ones.

        The eyes judge no event until table and record are known to agree, in this game and in each later one.

        Args:
            eyes: The new eyes; None: there is no camera.
            calibrator: The calibrator of these eyes, or None.
        """
        self._live, self._sighted_s = eyes is not None, None
        self.eyes, self.calibrator = eyes or NoEyes(), calibrator or NoCalibrator()
        if self._table is not None and not self._live:
            self._table.rely_on_people()
        self.compare_afresh()
        self.touch()

    def compare_afresh(self) -> None:
        """Stops judging until table and record agree, because the eyes may have missed an event."""
        if self._table is not None and self._live:
            self._table.compare_afresh()

    def mind_break(self) -> None:
        """Notices when the eyes lose sight of the table; when they see it again, table and record are compared afresh.

        Call it about once a second. A long time without a call also counts as a break, because the machine was asleep.
        """
        if self.eyes.status().state not in BLIND:
            self._have_in_sight()
            self._sighted_s = self._clock()

    def _have_in_sight(self) -> None:
        """Records that the eyes see the table; compares afresh if they did not for so long that much may have
        happened.
        """
        if self._sighted_s is not None and self._clock() - self._sighted_s >= BREAK_S:
            self._sighted_s = self._clock()
            self.compare_afresh()

    def look_afresh(self) -> None:
        """Judges the next reading as after a restart, because the eyes identify pieces by new keys from now on."""
        table = self._table
        if table is not None:
            self._take(table.session.game, table.session.header, table.begun)

    def set_plan(self, plan: Plan) -> None:
        """Uses another plan from the next picture on."""
        self._plan = plan
        self._use_plan(plan)
        self.compare_afresh()
        self.touch()

    def touch(self) -> None:
        """Announces that something in the session manager has changed."""
        with self._lock:
            self._version += 1
            self._lock.notify_all()

    def wait(self, version: int, timeout_s: float) -> int:
        """Waits until the version differs from `version`, or `timeout_s` has passed; returns the present version."""
        with self._lock:
            self._lock.wait_for(lambda: self._version != version, timeout_s)
            return self._version

    def _take(self, game: Game[Any], header: Header, begun: bool = False) -> Table:
        table = Table(
            game,
            header,
            self.journal,
            clock=self._clock,
            changed=self.touch,
            look_again=lambda: self.eyes.look_again(),
            settled=lambda position: self.eyes.confirm_position(position),
            judge=self._judge,
            trusting=self._trusting,
            begun=begun,
            agreed=not self._live,
            random_bytes=self._random_bytes,
        )
        self._show_signs(table)
        self._table = table
        self.last_game.note(header.id)
        self.trouble = None
        self.touch()
        self.eyes.look_again()
        return table

    def _reading(self, table: Table, layout: Layout, frame: int, verdict: Verdict, judged_s: float) -> MeteredReading:
        seen = self.eyes.status()
        return MeteredReading(
            at=self._clock(),
            frame=frame,
            verdict=str(type(verdict).__struct_config__.tag),
            game=table.session.header.id,
            row=table.session.seq,
            pieces=sum(one.piece is not None for one in layout.cells.values()) + sum(map(len, layout.heaps.values())),
            judged_s=judged_s,
            latency_s=seen.age_s if seen.frame == frame else None,
        )

    def _trouble(self, sentence: str | None) -> None:
        if sentence != self.trouble:
            self.trouble = sentence
            self.touch()


def _name(name: str) -> str:
    """Returns a player's name as it is displayed, without surrounding spaces.

    Raises:
        BadOptions: The name is empty, too long, or has letters that cannot be shown.
    """
    trimmed = name.strip()
    if not 1 <= len(trimmed) <= NAME_LETTERS:
        raise BadOptions(f"A player's name has 1 to {NAME_LETTERS} letters, not {len(trimmed)}.")
    if not trimmed.isprintable():
        raise BadOptions("A player's name has a letter that cannot be shown. Leave it out.")
    return trimmed
