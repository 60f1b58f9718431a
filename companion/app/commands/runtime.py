"""The running parts: journal, session manager, eyes and page, connected with each other and closed again.

`serve` and `demo` differ only in the source of pictures and in how the game begins.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
from flask import Flask
from platformdirs import user_data_path

from companion.app.commands.phone_camera import (
    CERTIFICATE_END,
    PHONE,
    HttpsDoor,
    PhoneSource,
    TlsOptions,
    is_camera_page,
    private_folder,
    remove_folder,
)
from companion.app.commands.recording_starter import RecordingStarter, TranscriptPlayer
from companion.app.commands.services import RunningServices
from companion.app.photographs import Photographs
from companion.app.printing.kit import print_kit
from companion.app.printing.mat_pdf import mat_pdf
from companion.core.foundation.errors import CameraError, CompanionError, JournalError
from companion.core.foundation.secrecy import SecretAddress
from companion.core.foundation.words import Words
from companion.core.plan import Plan
from companion.core.protocols.eyes import Cameras
from companion.core.recording import Recording
from companion.games import GAMES
from companion.referee.journal.opening import open_or_set_aside
from companion.referee.journal.places import Database
from companion.referee.results.store import Keeper, Results
from companion.referee.session_manager import SessionManager
from web.admission.access import Access
from web.admission.keys import Keys
from web.admission.phone_camera import PhoneCamera, SecureDoor
from web.admission.phones import Phones
from web.app import TABLE, create_app
from web.departure import Departure
from web.http.settings import WebSettings
from web.sockets.server import Server

if TYPE_CHECKING:
    from companion.referee.journal.delivery import Delivery
    from vision.reader_process.reader_process import ReaderProcess
    from vision.setup.known_table import KnownTableReader
    from vision.sources.phone import PhoneMailbox
    from vision.sources.source import Source
    from vision.table_reader import TableReader
import threading


class RepeatedLook:
    """A function that is called again and again on a thread. As a context manager it ends the thread on leaving."""

    def __init__(self, name: str, look: Callable[[], object], every_s: float) -> None:
        """
        Args:
            name: The name of the thread.
            look: The function to call.
            every_s: The number of seconds from the end of one call to the next.
        """
        self._look, self._every_s = look, every_s
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._repeat, name=name, daemon=True)

    def __enter__(self) -> RepeatedLook:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(30)

    def _repeat(self) -> None:
        while not self._over.wait(self._every_s):
            self._look()


BREAK_LOOK_S = 1.0
"""The number of seconds between two checks of whether the eyes still see the table; a check needs neither camera nor
process."""
NETWORK_LOOK_S = 5.0
"""The number of seconds between two checks of the machine's address; a check takes less than a millisecond and sends no
packet."""


def usual_journal(table: str = "") -> Path:
    """Returns the default path of a journal; it makes no file.

    Args:
        table: The name of one of several tables; empty: the only table.
    """
    return user_data_path("companion", appauthor=False) / (f"table-{table}.sqlite" if table else "journal.sqlite")


def journal_path(table: str = "") -> Path:
    """Returns the default path of a journal, and makes its folder if necessary, readable only by its owner.

    Raises:
        JournalError: The folder cannot be made.
    """
    path = usual_journal(table)
    try:
        path.parent.parent.mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise JournalError(
            f"The folder {path.parent} cannot be made ({error.strerror}). Name a file with --journal."
        ) from error
    return path


def mat(game: str, seats: int, paper: str, words: Words) -> bytes:
    """Returns the printable mat of a game as PDF, with translated words.

    Raises:
        WrongUsage: The game has no mat, or none for this number of players.
    """
    from companion.app.commands.mat import titled
    from vision.registration.markers import marker_cells

    title, plan = titled(game, seats)
    return mat_pdf(plan, title, paper, marker_cells, words)


class Runtime:
    """A journal, a session manager and, after `watch`, eyes. As a context manager it closes all of them on leaving."""

    def __init__(self, path: Path, plan: Plan, *, read_apart: Callable[..., ReaderProcess] | None = None) -> None:
        """
        Args:
                read_apart: Starts eyes in a separate process; None: `vision.reader_process.ReaderProcess`.

        Raises:
                JournalError: The journal cannot be opened.
        """
        self._journal = open_or_set_aside(path)
        self._kept = path.with_name(path.name + ".calibration")
        self._reader: TableReader | KnownTableReader | ReaderProcess | None = None
        self._own_reader = read_apart
        self.sessions = SessionManager(self._journal, GAMES, plan, use_plan=self._use_plan)
        self._running = ExitStack()
        self._mailbox: PhoneMailbox | None = None

    def phone_mailbox(self) -> PhoneMailbox:
        """Returns the mailbox for pictures of a phone; it is made on the first call, and removed when the runtime is
        left.
        """
        from vision.sources.phone import SUFFIX, PhoneMailbox

        if self._mailbox is None:
            folder = private_folder()
            self._running.callback(remove_folder, folder)
            self._mailbox = PhoneMailbox(folder / f"camera{SUFFIX}")
        return self._mailbox

    def deliver(self, database: Database) -> Delivery:
        """Also copies the journal to a database while the returned context is active.

        Raises:
            WrongUsage: The package psycopg is missing.
        """
        from companion.referee.journal.delivery import Delivery

        self.sessions.delivery = Delivery(self._journal, database)
        return self.sessions.delivery

    def watch(self, source: Source, game: str | None = None, recording: Recording | None = None) -> None:
        """Gives the session manager eyes on `source`; the eyes close the source.

        Args:
            recording: Begins `game` as this recording says.
        """
        from vision.gate.watcher import Watcher
        from vision.setup.calibrator import TableCalibrator
        from vision.setup.known_table import KnownTableReader
        from vision.table_reader import TableReader

        if game is None or recording is None:
            known = KnownTableReader(self.sessions.plan)
            calibrator = TableCalibrator(known, self._kept, self.sessions.see, self.sessions.look_afresh)
            calibrator.load()
            self._reader = known
            watcher = Watcher(source, known, calibrator.see)
            calibrator.attach(watcher)
            self.sessions.watch(watcher, calibrator)
            return
        reader = TableReader(self.sessions.plan)
        self._reader = reader
        opened = RecordingStarter(reader, self.sessions, game, recording)
        self.sessions.eyes = Watcher(source, opened, TranscriptPlayer(self.sessions, recording.said).see)

    def watch_apart(
        self,
        camera: SecretAddress,
        calibration: Path | None = None,
        opened: Callable[[str], object] = lambda sentence: None,
    ) -> None:
        """Gives the session manager eyes on a camera in a separate process, at once.

        A camera that is not there is tried again as long as the eyes run, because it may start more slowly than this
        machine.

        Args:
            camera: The camera in the form of `--camera`.
            calibration: A calibration file; None: the one beside the journal, if any.
            opened: Is called with one sentence on how the camera was opened, or why it is not there yet.
        """
        self._look_through(self._read_apart(camera, calibration, opened))

    def change_camera(self, camera: SecretAddress) -> None:
        """Watches the table with another camera from now on.

        Raises:
            CameraError: The camera cannot be opened; the previous eyes go on.
        """
        eyes = self._read_apart(camera, None, lambda sentence: None)
        try:
            eyes.await_opening()
        except CameraError:
            eyes.close()
            raise
        self._look_through(eyes)

    def _look_through(self, eyes: ReaderProcess) -> None:
        before, self._reader = self.sessions.eyes, eyes
        self.sessions.watch(eyes, eyes.calibrator)
        eyes.start()
        before.close()

    def watch_nothing(self) -> None:
        """Releases the camera."""
        before, self._reader = self.sessions.eyes, None
        self.sessions.watch(None)
        before.close()

    def _read_apart(
        self, camera: SecretAddress, calibration: Path | None, opened: Callable[[str], object]
    ) -> ReaderProcess:
        from vision.reader_process.reader_process import ReaderProcess

        if camera.reveal() == PHONE:
            camera = SecretAddress(str(self.phone_mailbox().folder))
        return (self._own_reader or ReaderProcess)(
            camera,
            self.sessions.plan,
            self.sessions.see,
            self.sessions.look_afresh,
            kept=self._kept,
            calibration=calibration,
            opened=opened,
        )

    def _use_plan(self, plan: Plan) -> None:
        if self._reader is not None:
            self._reader.set_plan(plan)

    def __enter__(self) -> Runtime:
        self._running.enter_context(RepeatedLook("breaks", self.sessions.mind_break, BREAK_LOOK_S))
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()
        self.sessions.eyes.close()
        self._journal.close()


class Page(NamedTuple):
    """The application of one table, and the parts from which it was made."""

    app: Flask
    results: Results
    phones: Phones
    phone_camera: PhoneCamera


def page_of(
    sessions: SessionManager,
    settings: WebSettings,
    cameras: Cameras | None = None,
    outside: RunningServices | None = None,
    phones_changed: Callable[[Phones], object] = lambda _: None,
    departure: Departure | None = None,
    phone_source: PhoneSource | None = None,
) -> Page:
    """Returns the page of a table; browsers that joined before are recognized, and results are stored beside the
    journal.

    Args:
        outside: The log and the receivers of news about the table; None: there are none.
        departure: The removal of the table by the configuration; None: it is never removed.
        phones_changed: A function that is called whenever phones are let in, let in differently, or shut out.
        phone_source: The source of pictures from a phone; None: no phone can be the camera.
    """
    path = sessions.journal.path
    keys = Keys(path.with_name(path.name + ".keys"))
    access = Access.with_pin(keys) if settings.lan else Access(keys=keys)
    results = Results(path.with_name(path.name + ".results"))
    news = None if outside is None else outside.news
    hide = (lambda _: None) if outside is None else outside.log.hide
    for secret in (access.pin, keys.kept.pin, access.token("host"), access.token("table")):
        hide(secret)
    phones = Phones(access, settings, changed=phones_changed, hide=hide)
    phone_camera = PhoneCamera(keys)
    app = create_app(
        sessions,
        settings=settings,
        access=access,
        cameras=cameras,
        mats=mat,
        kits=print_kit,
        photographs=Photographs(),
        results=results,
        news=news,
        phones=phones,
        departure=departure,
        phone_camera=phone_camera,
        phone_pictures=phone_source,
    )
    if outside is not None:
        outside.news.follow(settings.table or TABLE, sessions)
    return Page(app, results, phones, phone_camera)


def open_to(phones: Phones, port: int) -> str:
    """Returns one line for the terminal that says who can open the page."""
    if phones.by is None:
        return "The page is closed to phones."
    if phones.address is None:
        return f"Phones were let in on the page, but do not reach it: {phones.trouble}"
    at = phones.url(f"localhost:{port}") + ("" if phones.pin is None else f"  PIN {phones.pin}")
    return f"Open to phones, as chosen on the page: {at}" if phones.by == "page" else f"On the local network: {at}"


def let_phone_in(phone: PhoneCamera, door: SecureDoor, where: str = "") -> None:
    """Lets a phone be the camera by this door, or prints why it cannot be now.

    Args:
        where: The beginning of the printed sentence: the table.
    """
    try:
        phone.attach(door)
    except CompanionError as error:
        say_while_serving(f"{where}The phone cannot be the camera now. {error}")


def say_while_serving(line: str) -> None:
    """Prints a line in the terminal, which may have been closed in the meantime."""
    with suppress(OSError):
        click.echo(line)


def show(
    sessions: SessionManager,
    host: str,
    port: int,
    settings: WebSettings,
    cameras: Cameras | None = None,
    after_game: Callable[[], object] | None = None,
    outside: RunningServices | None = None,
    phone_source: PhoneSource | None = None,
    tls: TlsOptions = TlsOptions(),  # noqa: B008
) -> None:
    """Serves the page until interrupted; browsers that joined before are recognized.

    Args:
        after_game: A function that is called whenever a game has ended, on a thread for which no move waits.
        outside, phone_source: See `page_of`.
        tls: The settings of the command line for HTTPS.
    """

    def changed(phones: Phones) -> None:
        say_while_serving(open_to(phones, server.port))

    page = page_of(sessions, settings, cameras, outside, changed, phone_source=phone_source)
    server = Server(page.app, host, port)
    path = sessions.journal.path

    def serves(path: str) -> bool:
        return page.phones.by is not None or is_camera_page(path)

    door = HttpsDoor(page.app, path.with_name(path.name + CERTIFICATE_END), tls, serves, host)

    def follow() -> None:
        page.phones.follow()
        with suppress(CompanionError):
            door.follow()

    try:
        click.echo(f"The page is at {server.url}")
        if settings.lan:
            click.echo(open_to(page.phones, server.port))
        page.phones.attach(server)
        if tls.chain is not None:
            click.echo(f"By HTTPS it is at {door.open()}")
        if phone_source is not None:
            let_phone_in(page.phone_camera, door)
        click.echo("Ctrl+C ends it; the journal keeps the game.")
        network = RepeatedLook("network", follow, NETWORK_LOOK_S)
        with Keeper(sessions, page.results, after_game), network:
            server.run()
    finally:
        door.leave()
        server.close()
