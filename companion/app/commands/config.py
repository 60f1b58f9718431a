"""`companion config`: prints the configuration in force, and the source of each value."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from copy import copy
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from companion.app.commands.configuration import CONFIGURED, FILE, TABLES, default_path, defaults, keys, read, tables_of
from companion.app.commands.options import PATH
from companion.app.commands.served_table import PAUSE, TableOptions, wanted_tables
from companion.core.foundation.errors import CompanionError
from companion.core.foundation.secrecy import Secret, SecretAddress

_VALUES = (bool, int, float, str, Path, Secret, SecretAddress, tuple)
"""The types of option values; values of other types count as missing."""
_FROM = {ParameterSource.DEFAULT_MAP: "file", ParameterSource.DEFAULT: "default"}


@click.group("config", invoke_without_command=True, short_help="Print and check the configuration.")
@click.pass_context
def config_command(ctx: click.Context) -> None:
    """Print the configuration in force as TOML, with the source of each value. Secrets are not printed."""
    if ctx.invoked_subcommand is None:
        click.echo(effective(ctx.find_root()))


@config_command.command("check", short_help="Check a configuration file.")
@click.argument("path", metavar="FILE", type=PATH)
@click.pass_context
def check_command(ctx: click.Context, path: Path) -> None:
    """Check FILE: every table, key and value. Exit status 0: FILE can be used; 1: it cannot."""
    commands = commands_of(ctx.find_root())
    for name, table in read(path).items():
        defaults(path, name, commands[name], table)
    wanted_tables(path, commands["serve"])
    click.echo(f"{path} can be used.")


def commands_of(root: click.Context) -> dict[str, click.Command]:
    """Returns every command that can be configured."""
    group = root.command
    assert isinstance(group, click.Group)
    found = {name: group.get_command(root, name) for name in CONFIGURED}
    return {name: command for name, command in found.items() if command is not None}


def effective(root: click.Context) -> str:
    """Returns the configuration in force as TOML; a key without a value is in a comment.

    Raises:
        BadConfiguration: The file in force cannot be used.
    """
    path: Path | None = root.meta.get(FILE)
    commands = commands_of(root)
    tables = {} if path is None else read(path)
    lines = [f"# File: {path or f'none; it would be {default_path()}'}"]
    for name, command in commands.items():
        values = defaults(path, name, command, tables[name]) if path is not None and name in tables else {}
        lines += ["", f"[{name}]"]
        context = click.Context(command, info_name=name, default_map=values)
        for key, option in keys(command).items():
            lines.append(_line(context, key, option))
    if path is not None:
        lines += _tables(path, commands["serve"])
    return "\n".join(lines)


def printable(root: click.Context) -> str | None:
    """Returns the file in force as TOML without its secrets; None if there is no file.

    Every value passes through its option, so that secrets have types that do not print them.
    """
    path: Path | None = root.meta.get(FILE)
    if path is None:
        return None
    try:
        commands, lines = commands_of(root), [f"# {path.name}, without its secrets and its comments"]
        for name, table in read(path).items():
            lines += ["", f"[{name}]", *_said(path, name, commands[name], table)]
        for name, table in tables_of(path).items():
            said = {key: value for key, value in table.items() if key != PAUSE}
            lines += ["", f"[{TABLES}.{name}]", *_said(path, f"{TABLES}.{name}", commands["serve"], said)]
            lines += [f"{PAUSE} = {_toml(table[PAUSE])}"] if isinstance(table.get(PAUSE), bool) else []
    except CompanionError as error:
        return f"# {path.name} cannot be used, so it is left out: {error}\n"
    return "\n".join(lines) + "\n"


def _said(path: Path, part: str, command: click.Command, table: Mapping[str, Any]) -> Iterator[str]:
    """Yields the keys of one part of the file, printed by the types of their options.

    Raises:
        BadConfiguration: A key or a value cannot be used.
    """
    defaults(path, part, command, table)
    known, context = keys(command), click.Context(command)
    for key, value in table.items():
        yield f"{key} = {_toml(known[key].type_cast_value(context, value))}"


def _tables(path: Path, serve: click.Command) -> list[str]:
    """Returns lines for every table that the file names, with the keys that concern a single table.

    Raises:
        CompanionError: A table cannot be used.
    """
    wanted, lines = wanted_tables(path, serve), []
    for name, table in tables_of(path).items():
        values = defaults(path, f"tables.{name}", serve, {key: value for key, value in table.items() if key != PAUSE})
        context = click.Context(serve, default_map=values)
        lines += ["", f"[tables.{name}]"]
        lines.append(f"{PAUSE} = true  # file" if wanted[name] is None else f"# {PAUSE} is not set")
        for key, option in keys(serve).items():
            if option.name in TableOptions._fields:
                # Environment variables apply to the only table of a server, not to one of several.
                lines.append(_line(context, key, _without_variable(option)))
    return lines


def _without_variable(option: click.Option) -> click.Option:
    alone = copy(option)
    alone.envvar = None
    return alone


def _line(context: click.Context, key: str, option: click.Option) -> str:
    """Returns one key with its value and the source of the value.

    Raises:
        click.BadParameter: The environment has a value that cannot be used.
    """
    assert option.name is not None
    try:
        option.handle_parse_result(context, {}, [])
    except click.MissingParameter:
        return f"# {key} is not set, and needed"
    value, source = context.params[option.name], context.get_parameter_source(option.name)
    # Versions of click differ in how they represent a missing value.
    if not isinstance(value, _VALUES) or value == () or source is None:
        return f"# {key} is not set"
    said = f"environment, {option.envvar}" if source is ParameterSource.ENVIRONMENT else _FROM[source]
    return f"{key} = {_toml(value)}  # {said}"


def _toml(value: Any) -> str:
    """Returns a value as TOML writes it; the type of a secret does not print it."""
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if isinstance(value, tuple | list):
        return f"[{', '.join(_toml(one) for one in value)}]"
    return json.dumps(str(value), ensure_ascii=False)
