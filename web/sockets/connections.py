"""Limits the connections of the page, and closes the idlest ones when more arrive.

Each connection is a file descriptor, and so is each file: a server that accepts connections until there are none left
can open neither a page's picture nor the journal's log. So the limit depends on this process's limit of descriptors, a
reserve stays for files, and idle connections, then those that do not read their answers, make room for new ones.
"""

from __future__ import annotations

import errno
import logging
import socket
import sys
import time
from contextlib import suppress
from typing import Any

from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer

from companion.core.foundation.logs import note

MOST = 1200
"""The largest number of connections; no table needs more, whatever the process may have."""
WANTED = 4096
"""The number of descriptors that the process requests from the system, as far as it allows; more would not help."""
RESERVE = 256
"""The number of descriptors that stay free for journals, cameras, devices, pipes and other programs."""
SELECTED = 1024
"""The descriptor number from which on `select` cannot wait, which libraries for serial lines and brokers use. So
connections, which are polled, are moved to higher numbers if possible, and lower ones stay free."""
FREED = 32
"""The number by which fewer connections are allowed for a while after the system ran out of descriptors, because files
need some, too."""
DEAF_S = 0.2
"""The number of seconds for which no connection is accepted then."""
FEWER_S = 60.0
"""The length of that while in seconds; it is logged once in that time."""

_LOG = logging.getLogger("companion.connections")


def allowed() -> int:
    """Raises this process's limit of descriptors as far as possible; returns the number of connections that it
    allows.
    """
    try:
        import resource
    except ImportError:  # Windows counts sockets in another way
        return MOST
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = WANTED if hard == resource.RLIM_INFINITY else min(hard, WANTED)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    if soft == resource.RLIM_INFINITY:
        soft = WANTED
    return max(8, min(MOST, soft - RESERVE))


class RoomyListener(TcpWSGIServer):  # type: ignore[misc]
    """A listening socket of waitress that makes room for new connections. All its methods are called on the server's
    loop.
    """

    def __init__(self, *arguments: Any, most: int, **more: Any) -> None:
        """
        Args:
            most: The largest number of connections, including those of other listeners on the same loop.
        """
        self._most = self._usual = most
        self._deaf_until_s = self._fewer_until_s = 0.0
        super().__init__(*arguments, **more)

    def readable(self) -> bool:
        """True while connections are accepted."""
        readable: bool = super().readable()
        return readable and time.monotonic() >= self._deaf_until_s

    def handle_accept(self) -> None:
        """Accepts a connection; if there are too many, it closes an idle one first."""
        try:
            found = self.accept()
            if found is None:
                return
            line, address = found
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                self._crowded()
            return
        if self._most < self._usual and time.monotonic() >= self._fewer_until_s:
            self._most = self._usual
        channels = self.channels()
        if len(channels) >= self._most and not _make_room(channels, 1):
            line.close()
            return
        try:
            self.set_socket_options(line)
            HTTPChannel(self, _out_of_the_way(line), self.fix_addr(address), self.adj, map=self._map)
        except OSError:  # the client has left already
            line.close()

    def pull_trigger(self) -> None:
        """Wakes the loop; after its end, a thread that still sends has no loop to wake."""
        with suppress(OSError):
            super().pull_trigger()

    def channels(self) -> list[HTTPChannel]:
        """Returns every connection on this loop."""
        return [one for one in self._map.values() if isinstance(one, HTTPChannel)]

    def _crowded(self) -> None:
        """Makes room, because the system has no descriptor left."""
        now_s, channels = time.monotonic(), self.channels()
        gone = _make_room(channels, FREED)
        self._deaf_until_s = now_s + DEAF_S
        self._most = max(1, len(channels) - gone)
        if now_s >= self._fewer_until_s:
            note(_LOG, logging.WARNING, "descriptors", left=0, closed=gone)
        self._fewer_until_s = now_s + FEWER_S


def _make_room(channels: list[HTTPChannel], count: int) -> int:
    """Closes up to `count` connections: idle ones first, the longest idle of them first, then those that do not read.

    Returns:
        The number of closed connections.
    """
    idle = [one for one in channels if not one.requests and not one.total_outbufs_len]
    slow = [one for one in channels if one.total_outbufs_len]
    gone = 0
    for one in (*sorted(idle, key=_quiet), *sorted(slow, key=_quiet)):
        if gone == count:
            break
        one.handle_close()
        gone += 1
    return gone


def _quiet(channel: HTTPChannel) -> float:
    """Returns the time of the last activity on a connection."""
    last: float = channel.last_activity
    return last


def _out_of_the_way(line: socket.socket) -> socket.socket:
    """Returns the same connection with a descriptor number for which `select` cannot wait, if this process may have
    one.
    """
    if sys.platform == "win32":
        return line
    import fcntl

    try:
        number = fcntl.fcntl(line.fileno(), fcntl.F_DUPFD_CLOEXEC, SELECTED)
    except OSError:  # this process may not use such numbers
        return line
    moved = socket.socket(fileno=number)
    moved.setblocking(False)
    line.close()
    return moved
