"""The settings of the page: its reach, and the number of listeners.

The defaults are safe: reading is open to all that reach the port, the port is on this machine alone, and writing needs
the table's token.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.core.foundation.texts import TABLE_NAME


class WebSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of one page."""

    table: Annotated[str, Meta(pattern=f"^({TABLE_NAME})?$")] = ""
    """The name of the table where one server has several; empty: it has one, at the root."""
    names: tuple[str, ...] = ()
    """Host names that the page answers to besides IP literals, `localhost` and `*.local`; lower case, without port."""
    scheme: Literal["http", "https"] = "http"
    """The scheme in the browser's address: `https` if a proxy on this machine adds TLS."""
    language: Literal["", "en", "de"] = ""
    """Of browsers whose user has chosen none; empty: what each browser asks for."""
    host: str = "127.0.0.1"
    """The address that the server listens on from its start."""
    lan: bool = False
    """True if the command line lets the local network in; links for others then name this machine's address there."""
    camera_for_all: bool = True
    """True if people without the table's token may see the live picture."""
    subscriptions: Annotated[int, Meta(ge=1, le=140)] = 120
    """Live streams held at once; each holds one of the server's 160 threads."""
    held_pictures: Annotated[int, Meta(ge=1, le=100)] = 24
    """Picture requests that may wait for the next picture at once; others get the newest one without waiting."""
    beat_s: Annotated[float, Meta(gt=0, le=10)] = 2.0
    """Seconds between heartbeats of a live stream: the page turns gray after 5 s without one."""
    stream_s: Annotated[float, Meta(gt=0)] = 600.0
    """A live stream ends after this long, so that half-open connections cannot hold threads; browsers come back."""

    @property
    def root(self) -> str:
        """The path before every address of the table: "/t/blue", or empty."""
        return f"/t/{self.table}" if self.table else ""
