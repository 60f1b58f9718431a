"""The tables of a journal in PostgreSQL, below a schema `companion` of their own.

They hold the same texts as a journal's file. The database itself keeps the promise of a journal: no row is changed or
deleted, and a row is accepted only if its number and hash follow from the one before it, from any writer.
"""

from __future__ import annotations

from companion.referee.journal.rows import FORMAT

LOCK = 0x54544331
"""Of `pg_advisory_xact_lock`, so that two machines that come first do not both make the tables."""

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
