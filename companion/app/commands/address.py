"""The address on which a server listens, and the names by which browsers open its page."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import ip_address
from typing import Any, TypeVar

import click

from companion.core.foundation.secrecy import SecretAddress

F = TypeVar("F", bound=Callable[..., Any])

PORT = 8000
"""The default port of the page."""
_ALL_ADDRESSES = "0.0.0.0"
_HOST_NAME = re.compile(
    r"(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*"
)


def address_options(port: int) -> Callable[[F], F]:
    """Returns a decorator that adds the options `--host`, `--port` and `--name` to a command, with its default port."""

    def add(command: F) -> F:
        default = "127.0.0.1, with --lan 0.0.0.0"
        host = click.option("--host", metavar="H", help=f"Address to listen on.  [default: {default}]")
        number = click.option("--port", type=click.IntRange(0, 65535), default=port, show_default=True, metavar="P")
        name = click.option(
            "--name",
            "hosts",
            multiple=True,
            metavar="HOST",
            callback=lambda _, __, value: host_names(value),
            help="A name of this machine in the page's address, such as club-pi; repeatable.",
        )
        return host(number(name(command)))

    return add


def listening_address(host: str | None, *, lan: bool) -> str:
    """Returns the address to listen on: the given one, otherwise only this machine unless the local network is
    admitted.
    """
    return host or (_ALL_ADDRESSES if lan else "127.0.0.1")


def is_host(text: str) -> bool:
    """True for a name of a machine (RFC 1123) or an IP address."""
    try:
        ip_address(text.strip("[]"))
    except ValueError:
        return _HOST_NAME.fullmatch(text) is not None
    return True


def host_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the names of this machine in lower case.

    Raises:
        click.BadParameter: A text is not a host name (RFC 1123).
    """
    for name in names:
        if not _HOST_NAME.fullmatch(name):
            raise click.BadParameter(
                f'"{SecretAddress(name)}" is not the name of a machine.'
                " Write it without http:// and port, such as club-pi."
            )
    return tuple(name.lower() for name in names)
