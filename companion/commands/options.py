"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from companion.journal.places import Database, is_database
from companion.secrecy import Secret, SecretAddress, looks_like_address


class AddressType(click.ParamType[SecretAddress]):
    """An address, or a path or name in its place, as something that prints without its secrets."""

    name = "address"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> SecretAddress:
        """:raises click.BadParameter: it is an address that cannot be read for sure."""
        address = value if isinstance(value, SecretAddress) else SecretAddress(str(value))
        if address.fault is not None:
            self.fail(address.fault, param, ctx)
        return address


class SecretType(click.ParamType[Secret]):
    """A password, as something that prints as ***."""

    name = "secret"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Secret:
        """Any text is one."""
        return value if isinstance(value, Secret) else Secret(str(value))


ADDRESS, SECRET = AddressType(), SecretType()


def journal_place(said: str | Path | Database) -> Path | Database:
    """A path, or what begins by postgresql://.

    :raises click.BadParameter: it cannot be read, or looks like the address of something else.
    """
    if not isinstance(said, str):
        return said
    if is_database(said):
        database = Database(said)
        if database.fault is not None:
            raise click.BadParameter(database.fault)
        return database
    if looks_like_address(said) or said.lower().startswith("postgres"):
        # It is not repeated: a password may be in it.
        raise click.BadParameter(
            "This is no place for a journal. Give a file, as ./games.sqlite, or postgresql://USER@HOST/DATABASE."
        )
    return Path(said)


calibration_option = click.option(
    "--calibration",
    "calibration_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="What `companion calibrate` has learned of this table.",
)
marker_option = click.option(
    "--marker",
    "marker_mm",
    required=True,
    type=float,
    metavar="MM",
    help="Side of a marker's black square in millimeters.",
)
corners_option = click.option(
    "--corners", metavar='"x,y x,y x,y x,y"', help="Centers of markers 0 1 2 3 in pixels; then no marker is needed."
)
_LANGUAGES = click.Choice(["en", "de"])
language_option = click.option(
    "--language", type=_LANGUAGES, help="Of browsers that chose none.  [default: as each browser asks]"
)
print_language_option = click.option(
    "--language", type=_LANGUAGES, default="en", show_default=True, help="Of the words that are printed."
)
