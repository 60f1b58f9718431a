"""Journals in PostgreSQL: the games of many tables and machines in one place, with the same rows and chains as their
files.

A table never writes its moves to a database directly: it writes its own file, and `companion.referee.journal.delivery`
copies the rows, so no network delays a verdict. A broken connection is renewed by the next call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from companion.core.foundation.errors import BrokenChain, DatabaseAway, JournalError, WrongUsage
from companion.referee.journal.chained import ChainedGames, Tip
from companion.referee.journal.file import Stored
from companion.referee.journal.places import Database
from companion.referee.journal.rows import FORMAT, Header

if TYPE_CHECKING:
    import psycopg


# The tables of a journal in PostgreSQL, in a schema of their own, `companion`.
#
# They store the same texts as a journal's file. The database itself enforces the rules of a journal: no row is changed
# or deleted, and a row is accepted only if its number and hash follow from the one before it, from any writer.

LOCK = 0x54544331
"""The key of `pg_advisory_xact_lock`, so that two machines that connect first do not both create the tables."""

STATEMENTS = (
    "CREATE SCHEMA IF NOT EXISTS companion",
    "CREATE TABLE companion.journal (format integer NOT NULL)",
    f"INSERT INTO companion.journal VALUES ({FORMAT})",
    "CREATE TABLE companion.games"
    " (id text PRIMARY KEY, header text NOT NULL, entered bigint GENERATED ALWAYS AS IDENTITY)",
    "CREATE TABLE companion.rows (game text NOT NULL REFERENCES companion.games (id), n bigint NOT NULL,"
    " entry text NOT NULL, hash text NOT NULL, PRIMARY KEY (game, n))",
    "CREATE TABLE companion.seeds (game text PRIMARY KEY REFERENCES companion.games (id), seed text NOT NULL)",
    """
    CREATE FUNCTION companion.only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a journal only grows';
    END $$
    """,
    """
    CREATE FUNCTION companion.follows() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      last bigint;
      before text;
    BEGIN
      SELECT n, hash INTO last, before FROM companion.rows WHERE game = NEW.game ORDER BY n DESC LIMIT 1;
      IF last IS NULL THEN
        last := 0;
        SELECT encode(sha256(convert_to(header, 'UTF8')), 'hex') INTO before FROM companion.games WHERE id = NEW.game;
      END IF;
      IF NEW.n <> last + 1 OR NEW.hash <> encode(sha256(convert_to(before || NEW.entry, 'UTF8')), 'hex') THEN
        RAISE EXCEPTION 'row % does not follow', NEW.n;
      END IF;
      RETURN NEW;
    END $$
    """,
    "CREATE TRIGGER follows BEFORE INSERT ON companion.rows FOR EACH ROW EXECUTE FUNCTION companion.follows()",
    *(
        f"CREATE TRIGGER only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON companion.{table}"
        " FOR EACH STATEMENT EXECUTE FUNCTION companion.only_grows()"
        for table in ("games", "rows", "seeds")
    ),
)


_PATIENCE: dict[str, Any] = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": "companion",
}
"""Connection settings that limit how long the network may be silent; an address may override them."""
_SETTINGS = (
    "SET synchronous_commit = on",
    "SET statement_timeout = '30s'",
    "SET lock_timeout = '5s'",
    "SET idle_in_transaction_session_timeout = '60s'",
)


class DatabaseJournal(ChainedGames):
    """The journal in one database. Every method may be called from any thread."""

    def __init__(self, database: Database, *, writes: bool) -> None:
        """Makes an unconnected journal; use `DatabaseJournal.open` or `DatabaseJournal.read` instead."""
        super().__init__(str(database))
        self._database = database
        self._writes = writes
        self._closed = False
        self._connection: psycopg.Connection[Any] | None = None

    @classmethod
    def open(cls, database: Database) -> DatabaseJournal:
        """Connects to a journal for writing, and creates its tables if there are none.

        Raises:
            DatabaseAway: The database does not answer.
            JournalError: The journal is from a newer program, or this user may not write there.
        """
        return cls(database, writes=True)._opened()

    @classmethod
    def read(cls, database: Database) -> DatabaseJournal:
        """Connects to a journal for reading only.

        Raises:
            DatabaseAway: The database does not answer.
            JournalError: There is no journal, or it is from a newer program.
        """
        return cls(database, writes=False)._opened()

    def close(self) -> None:
        """Closes the connection. Closing twice is allowed."""
        with self._lock:
            self._closed = True
            self._let_go()

    def _opened(self) -> DatabaseJournal:
        check_address(self._database)
        with self._lock, self._plainly():
            self._connected()
        return self

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock, self._plainly(), self._connected().transaction():
            yield

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock, self._plainly():
            if not self._writes:
                raise JournalError(f"{self.name} was opened to be read. Nothing was changed.")
            self._due = []
            with self._connected().transaction():
                yield
            self._settle()

    def _headers(self) -> Iterable[tuple[str, str]]:
        return self._all("SELECT id, header FROM companion.games ORDER BY entered")

    def _in_order(self, headers: list[Header]) -> list[Header]:
        """Returns the headers in the order of entry: each machine numbers its own games, so these numbers do not order
        them.
        """
        uncounted = sorted((one for one in headers if not one.order), key=lambda one: (one.started, one.id))
        return [*uncounted, *(one for one in headers if one.order)]

    def _header_text(self, game: str) -> str | None:
        found = self._all("SELECT header FROM companion.games WHERE id = %s", game)
        return found[0][0] if found else None

    def _last(self, game: str) -> Tip | None:
        found = self._all("SELECT n, hash FROM companion.rows WHERE game = %s ORDER BY n DESC LIMIT 1", game)
        return Tip(*found[0]) if found else None

    def _standings(self) -> list[tuple[str, int | None, str | None, bool]]:
        return self._all(
            "SELECT games.id, last.n, last.hash, seeds.game IS NOT NULL FROM companion.games"
            " LEFT JOIN LATERAL (SELECT n, hash FROM companion.rows WHERE game = games.id ORDER BY n DESC LIMIT 1) last"
            " ON true LEFT JOIN companion.seeds ON seeds.game = games.id"
        )

    def _stored(self, game: str, after: int, most: int | None) -> list[Stored]:
        return self._all(
            "SELECT n, entry, hash FROM companion.rows WHERE game = %s AND n > %s ORDER BY n LIMIT %s",
            game,
            after,
            most,
        )

    def _enter(self, game: str, header: str) -> None:
        self._connected().execute("INSERT INTO companion.games (id, header) VALUES (%s, %s)", (game, header))

    def _add(self, game: str, rows: Sequence[Stored]) -> None:
        with self._connected().cursor() as cursor:
            cursor.executemany("INSERT INTO companion.rows VALUES (%s, %s, %s, %s)", [(game, *row) for row in rows])

    def _keep_seed(self, game: str, seed: bytes) -> None:
        self._connected().execute("INSERT INTO companion.seeds VALUES (%s, %s)", (game, seed.hex()))

    def _seed(self, game: str) -> bytes | None:
        found = self._all("SELECT seed FROM companion.seeds WHERE game = %s", game)
        return bytes.fromhex(found[0][0]) if found else None

    def _entered(self, game: str, header: str) -> None:
        """Does nothing, because no listener follows a database."""

    def _added(self, game: str, rows: Sequence[Stored]) -> None:
        """Does nothing, because no listener follows a database."""

    def _seeded(self, game: str, seed: bytes) -> None:
        """Does nothing, because no listener follows a database."""

    def _checked(self, game: str, header: str, rows: list[Stored]) -> None:
        """Does nothing, because the server keeps the rows."""

    def _all(self, statement: str, *values: Any) -> list[Any]:
        return self._connected().execute(statement, values).fetchall()

    def _connected(self) -> psycopg.Connection[Any]:
        """Returns the connection, and makes a new one if the last one broke."""
        import psycopg

        if self._closed:
            raise JournalError(f"The journal {self.name} was closed. Open it again.")
        if self._connection is None:
            connection = psycopg.connect(self._database.url, autocommit=True, **self._patience())
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _patience(self) -> dict[str, Any]:
        from psycopg.conninfo import conninfo_to_dict

        said = conninfo_to_dict(self._database.url)
        return {key: value for key, value in _PATIENCE.items() if key not in said}

    def _prepare(self, connection: psycopg.Connection[Any]) -> None:
        """Checks that the database has a journal, and creates one if there is none."""
        connection.execute("; ".join(_SETTINGS))
        connection.read_only = not self._writes
        (encoding,) = connection.execute("SHOW server_encoding").fetchone() or ("",)
        if encoding != "UTF8":
            raise JournalError(f"The database {self.name} keeps texts as {encoding}. Make one that keeps them as UTF8.")
        with connection.transaction():
            if self._writes:
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
            there = connection.execute("SELECT to_regclass('companion.journal') IS NOT NULL").fetchone()
            if there == (False,) and not self._writes:
                raise JournalError(f"There is no journal in {self.name}. Give the address of another database.")
            if there == (False,):
                for statement in STATEMENTS:
                    connection.execute(statement)
            (version,) = connection.execute("SELECT max(format) FROM companion.journal").fetchone() or (None,)
        if version is None or version > FORMAT:
            raise JournalError(
                f"The journal in {self.name} was written by a newer program (format {version}; this one knows"
                f" {FORMAT}). Update it."
            )

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        """Turns PostgreSQL's errors into one sentence each."""
        import psycopg

        try:
            yield
        except psycopg.errors.UniqueViolation as error:
            raise JournalError(
                f"Another program has added to {self.name} at the same time. Nothing was changed; try again."
            ) from error
        except psycopg.errors.InsufficientPrivilege as error:
            raise JournalError(
                f"{self.name} may not be written by this user ({_first_line(error)}). Nothing was changed."
            ) from error
        except psycopg.errors.RaiseException as error:
            raise BrokenChain(f"{self.name} refused what came: {_first_line(error)}. Nothing was changed.") from error
        except psycopg.OperationalError as error:
            self._let_go()
            raise DatabaseAway(f"The database {self.name} does not answer ({_why_away(error)}).") from None
        except psycopg.Error as error:
            self._let_go()
            raise JournalError(f"{self.name} could not be used ({_first_line(error)}). Nothing was changed.") from error

    def _let_go(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.close()


def check_address(database: Database) -> None:
    """Checks that the address of a database can be used, without connecting.

    Raises:
        WrongUsage: The package psycopg is missing, or the address cannot be read.
    """
    if find_spec("psycopg") is None:
        raise WrongUsage(
            'A journal in PostgreSQL needs the package psycopg: pip install "tabletop-companion[postgresql]".'
        )
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    if database.fault is not None:
        raise WrongUsage(f"The database's address cannot be used. {database.fault}")
    try:
        conninfo_to_dict(database.url)
    except psycopg.Error:
        raise WrongUsage(
            f"{database} is not the address of a database. Write postgresql://USER@HOST/DATABASE."
        ) from None


_AWAY = (
    ("authentication failed", "it refuses the user or the password"),
    ("no password supplied", "it wants a password"),
    ("refused", "connection refused"),
    ("timeout", "no answer in time"),
    ("timed out", "no answer in time"),
    ("translate host name", "there is no such machine"),
    ("does not exist", "there is no such database or user"),
    ("too many", "it has too many connections"),
    ("certificate", "its certificate is not trusted"),
    ("SSL", "no encrypted connection"),
    ("starting up", "it is starting"),
    ("shutting down", "it is being ended"),
    ("terminat", "the connection was ended there"),
    ("closed", "the connection was ended there"),
)
"""Parts of PostgreSQL's messages, and the sentences that replace them: the messages repeat the user and the address."""


def _why_away(error: Exception) -> str:
    said = str(error)
    return next((why for sign, why in _AWAY if sign in said), "no connection")


def _first_line(error: Exception) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__).rstrip(".")
