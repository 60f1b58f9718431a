"""The settings of the page: who can reach it, and how many may listen.

The defaults are safe: everybody who reaches the port may read, the port is open on this machine only, and writing needs
the table's token.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.core.foundation.words import TABLE_NAME


class WebSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of one page."""

    table: Annotated[str, Meta(pattern=f"^({TABLE_NAME})?$")] = ""
    """The name of the table if the server has several; empty: the server has one, at the root."""
    names: tuple[str, ...] = ()
    """The host names to which the page answers besides IP addresses, `localhost` and `*.local`; lower case, without
    port."""
    scheme: Literal["http", "https"] = "http"
    """The scheme in the browser's address: `https` if a proxy on this machine adds TLS."""
    language: Literal["", "en", "de"] = ""
    """The language of browsers whose user has chosen none; empty: the language that each browser requests."""
    host: str = "127.0.0.1"
    """The address on which the server listens from its start."""
    lan: bool = False
    """True if the command line admits the local network; links for others then use this machine's address there."""
    camera_for_all: bool = True
    """True if people without the table's token may see the live picture."""
    subscriptions: Annotated[int, Meta(ge=1, le=140)] = 120
    """The largest number of live streams at the same time; each occupies one of the server's 160 threads."""
    held_pictures: Annotated[int, Meta(ge=1, le=100)] = 24
    """The number of picture requests that may wait for the next picture at the same time; others get the newest picture
    at once."""
    beat_s: Annotated[float, Meta(gt=0, le=10)] = 2.0
    """The number of seconds between heartbeats of a live stream; the page turns gray after 5 s without one."""
    stream_s: Annotated[float, Meta(gt=0)] = 600.0
    """The number of seconds after which a live stream ends, so that half-open connections cannot occupy threads;
    browsers reconnect."""

    @property
    def root(self) -> str:
        """The path before every address of the table: "/t/blue", or empty."""
        return f"/t/{self.table}" if self.table else ""
