"""The configuration file: TOML with a table for each command, checked against the options of the commands.

A key is the long name of an option; a repeatable option has the plural as its key. The environment variable of `port`
under `[serve]` is `COMPANION_SERVE_PORT`. The precedence is always: flag, environment, file, default.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click
from platformdirs import user_config_path

from companion.app.commands.options import journal_place, no_path
from companion.app.commands.runtime import journal_path
from companion.core.foundation.errors import BadConfiguration
from companion.core.foundation.kept_file import decode_toml, read_given
from companion.core.foundation.words import is_table_name

VARIABLE = "COMPANION_CONFIG"
"""The environment variable that names the file."""

FILE = "companion.app.commands.configuration"
"""The key under which click's context keeps the path of the file in force, or None."""

CONFIGURED = ("serve", "hub", "demo", "watch", "recognize")
"""The commands that have a table in the file and variables in the environment."""

TABLES = "tables"
"""The table of the file that contains one table for each game table: `[tables.blue]`."""

_MOST_BYTES = 1_000_000
"""The size limit of a configuration in bytes."""
_FOR_ONE_CALL = ("new", "help")
"""The options that are meant for a single call, and would do harm as a setting."""


def default_path() -> Path:
    """Returns the default path of the file: `companion.toml` in the user's configuration folder."""
    return user_config_path("companion", appauthor=False) / "companion.toml"


def find(named: Path | None) -> Path | None:
    """Returns the file in force: the named one, otherwise that of the environment, otherwise the user's own, if any.

    Raises:
        BadConfiguration: A file is named and does not exist.
    """
    said = named or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    if said is None:
        return default_path() if default_path().exists() else None
    wrong = no_path(str(said))
    if wrong is not None:
        raise BadConfiguration(f"The name of the configuration cannot be used. {wrong}")
    if not said.exists():
        raise BadConfiguration(f"There is no configuration {said}. Give the path of a file, or leave it out.")
    return said


def read(path: Path) -> dict[str, dict[str, Any]]:
    """Returns the tables of a file by their commands; their keys are not checked yet.

    Raises:
        BadConfiguration: The file cannot be read, is not TOML, or has a table for no command.
    """
    return {name: table for name, table in _parsed(path).items() if name != TABLES}


def tables_of(path: Path) -> dict[str, dict[str, Any]]:
    """Returns the game tables of one server by name, each with its keys, which are not checked yet.

    Raises:
        BadConfiguration: The file cannot be used, or a name cannot be used in an address.
    """
    found = _parsed(path).get(TABLES, {})
    for name, table in found.items():
        if not is_table_name(name):
            raise BadConfiguration(
                f'{path}: "{name}" cannot name a table. Take 1 to 32 of a-z, 0-9 and inner hyphens, as [tables.blue].'
            )
        if not isinstance(table, dict):
            raise BadConfiguration(f'{path}: "{name}" must be a table. Write [tables.{name}] on a line of its own.')
    return found


def _parsed(path: Path) -> dict[str, dict[str, Any]]:
    advice = "Fix it, or give another file with --config."
    found = read_given(
        path,
        decode_toml,
        BadConfiguration,
        called="The configuration",
        no="is no TOML",
        advice=advice,
        most=_MOST_BYTES,
    )
    for name, table in found.items():
        if name not in (*CONFIGURED, TABLES):
            raise BadConfiguration(f'{path}: there is no table "{name}".{_nearest(name, (*CONFIGURED, TABLES))}')
        if not isinstance(table, dict):
            raise BadConfiguration(f'{path}: "{name}" must be a table. Write [{name}] on a line of its own.')
    return found


def keys(command: click.Command) -> dict[str, click.Option]:
    """Returns the configurable options of a command by their keys in the file, in the order of its help."""
    found = {}
    for option in command.params:
        if isinstance(option, click.Option):
            flag = max(option.opts, key=len).removeprefix("--")
            if flag not in _FOR_ONE_CALL:
                found[f"{flag}s" if option.multiple else flag] = option
    return found


def variable(command: str, key: str) -> str:
    """Returns the environment variable of a key: `COMPANION_SERVE_TOWER_DICE`."""
    return f"COMPANION_{command}_{key}".upper().replace("-", "_")


def defaults(path: Path, name: str, command: click.Command, table: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the checked values of one table by click's names of the options.

    Raises:
        BadConfiguration: The command does not have a key (the message names the most similar one), or a value has the
            wrong type or is out of its bounds.
    """
    known = keys(command)
    found = {}
    for key, value in table.items():
        if key not in known:
            raise BadConfiguration(f'{path}: [{name}] has no key "{key}".{_nearest(key, known)}')
        wrong = _wrong(command, known[key], value)
        if wrong is not None:
            raise BadConfiguration(f'{path}: "{key}" in [{name}] {wrong}')
        parameter = known[key].name
        assert parameter is not None
        found[parameter] = value
    return found


def told_journals(path: Path | None) -> dict[str, Path | None]:
    """Returns the journal file of each table that `companion serve` would open, by the environment or the file in
    force.

    Returns:
        The file of each table, paused ones included, by the table's name (empty for a single table); None: the default
            file.

    Raises:
        BadConfiguration: The file cannot be read, or a journal is not a text.
    """
    several = {} if path is None else tables_of(path)
    if not several:
        return {"": _journal_file(path, "serve", _served(path, "journal"))}
    return {name: _journal_file(path, f"tables.{name}", table.get("journal")) for name, table in several.items()}


def _journal_file(path: Path | None, part: str, said: Any) -> Path | None:
    """Returns the journal file that a part of the configuration names; None if it names none, or a database."""
    if said is not None and not isinstance(said, str):
        raise BadConfiguration(f'{path}: "journal" in [{part}] must be a text in quotation marks.')
    try:
        place = journal_place(said) if said else None
    except click.BadParameter as error:
        raise BadConfiguration(f'{path}: "journal" in [{part}] cannot be used: {error.message}') from None
    return place if isinstance(place, Path) else None


def _served(path: Path | None, key: str) -> Any:
    """Returns the value of a key of `serve` from the environment, otherwise from the file, or None."""
    return os.environ.get(variable("serve", key), None if path is None else read(path).get("serve", {}).get(key))


def told_port(path: Path | None) -> int | None:
    """Returns the port of `companion serve` by the environment or the file in force; None: the default port.

    Raises:
        BadConfiguration: The file cannot be read, or the port is not an integer.
    """
    said = _served(path, "port")
    if said is None:
        return None
    if not str(said).isdecimal():
        raise BadConfiguration(f'The port "{said}" of serve is not a whole number. Write it as port = 8000.')
    return int(said)


def _wrong(command: click.Command, option: click.Option, value: Any) -> str | None:
    """Returns what is wrong with a value, as the end of a sentence, or None."""
    if option.multiple and not isinstance(value, list):
        return 'must be a list, as ["..."].'
    values = value if option.multiple else [value]
    wanted, kinds = _kinds(option)
    if any(not isinstance(one, kinds) or (isinstance(one, bool) and bool not in kinds) for one in values):
        return f"must be {wanted}." if not option.multiple else f"must be a list of which each is {wanted}."
    context = click.Context(command)
    try:
        converted = option.type_cast_value(context, value)
        if option.callback is not None:
            option.callback(context, option, converted)
    except click.BadParameter as error:
        return f"cannot be used: {error.message}"
    except OverflowError:
        return "is too large."
    return None


def _kinds(option: click.Option) -> tuple[str, tuple[type, ...]]:
    """Returns how TOML writes a value of an option, in words and as types."""
    if option.is_flag:
        return "true or false", (bool,)
    if isinstance(option.type, click.types.IntParamType):
        return "a whole number", (int,)
    if isinstance(option.type, click.types.FloatParamType):
        return "a number", (int, float)
    if option.name == "camera":
        return "a camera's number or a text in quotation marks", (int, str)
    return "a text in quotation marks", (str,)


def _nearest(word: str, known: Collection[str]) -> str:
    near = get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f' Did you mean "{near[0]}"?' if near else f" Known are: {', '.join(known)}."


def served_journals(configuration: Path | None, journal: Path | None = None) -> dict[str, Path]:
    """Returns the path of the journal of each table that `companion serve` would open, by name (empty for a single
    table).

    Args:
        journal: The journal that the command line names; it then belongs to the only table.

    Raises:
        BadConfiguration: The configuration cannot be read.
    """
    if journal is not None:
        return {"": journal}
    return {table: path or journal_path(table) for table, path in told_journals(configuration).items()}
