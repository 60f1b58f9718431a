"""The web server: waitress, in this process, with limits that were measured.

Each live stream holds a thread, so its four default threads would freeze the page at the fourth screen, and its
default limit of 100 connections would stop accepting anything at all (`web.sockets.connections` has ours). The
buffer limit keeps a slow phone from seeing old pictures. A second address shares its loop, its threads and its
limits: it costs one socket.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import socket
import threading
from collections.abc import Callable
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.task import ThreadedTaskDispatcher

from companion.core.foundation.errors import CompanionError
from web.sockets.connections import RoomyListener, allowed

# Memory of a program that runs for weeks with many threads.
#
# The C library (glibc) gives each thread a heap of its own, eight for each core, and memory that is freed in one of
# them stays there: pictures that threads decode in turn leave a hole in each. Two heaps are enough for our threads, and
# buffers of the size of a picture go back to the system as soon as they are freed (mallopt(3)).

_ARENA_MAX, _MMAP_THRESHOLD = -8, -3
"""Names of settings in malloc.h."""
HEAPS = 2
PICTURE_BYTES = 256 * 1024
"""Buffers from this size on are taken from the system one by one; a fixed bound, since glibc's own rises with use."""


def bound_heaps() -> bool:
    """Bound the heaps of this process, before its threads begin; whether the C library can do that."""
    if platform.libc_ver()[0] != "glibc":
        return False
    mallopt = ctypes.CDLL(None).mallopt
    return bool(mallopt(_ARENA_MAX, HEAPS) and mallopt(_MMAP_THRESHOLD, PICTURE_BYTES))


THREADS = 160
_LOOP_S = 5.0
"""The server's own thread carries out within this time what it is asked for; it takes a millisecond."""


class CannotListen(CompanionError):
    """The port is taken, forbidden, or the address is not of this machine."""


class Server:
    """The page on one port. The port is open from the start; `run` or `start` answers.

    It may answer at one more address of this machine as well (`listen_also`), which comes and goes while it runs.
    """

    def __init__(self, app: Flask, host: str = "127.0.0.1", port: int = 8000, *, threads: int = THREADS) -> None:
        """
        Args:
                host: A name or address of this machine; `0.0.0.0` or `::` for all of them.
                port: 0 takes any free one; see `port`.

        Raises:
                CannotListen: The port cannot be had, with the reason.
        """
        self.host = host
        self._closed_last: list[Any] = [app.extensions[name] for name in ("live", "lessons") if name in app.extensions]
        listener = _listen(host, port)
        bound_heaps()
        self._most = allowed()
        self.port: int = listener.getsockname()[1]
        self._app = app
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(threads)
        self._server = _waitress(app, listener, {}, dispatcher, self._most)
        self._also: tuple[str, Any] | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    @property
    def url(self) -> str:
        """Where a browser on this machine finds the page."""
        shown = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://[{shown}]:{self.port}/" if ":" in shown else f"http://{shown}:{self.port}/"

    @property
    def also(self) -> str | None:
        """The other address at which the page answers; None: there is none."""
        return None if self._also is None else self._also[0]

    def listen_also(self, host: str) -> None:
        """Answer at one more address of this machine too, on the same port; the one before it, if any, is left.

        Raises:
            CannotListen: It cannot be had, with the reason; everything is as it was.
        """
        listener = _listen(host, self.port)

        def begin() -> None:
            before = self._also
            also = _waitress(self._app, listener, self._server._map, self._server.task_dispatcher, self._most)
            # One wake-up for all: a request that ends after its address was left would write into a pipe of its own
            # that is closed, whose number another file may have by then.
            also.trigger.close()
            also.trigger = self._server.trigger
            self._also = host, also
            _leave(before)

        try:
            self._on_loop(begin)
        except CannotListen:
            listener.close()
            raise

    def listen_no_more(self) -> None:
        """Leaves the other address: it accepts no more connections there, and open ones end.

        Raises:
            CannotListen: The server does not come to it; that address is still open.
        """

        def end() -> None:
            before, self._also = self._also, None
            _leave(before)

        self._on_loop(end)

    def run(self) -> None:
        """Serve until the process is interrupted, or `close` is called from another thread."""
        self.start()
        try:
            while (thread := self._thread) is not None and thread.is_alive():
                thread.join(timeout=0.5)
        except KeyboardInterrupt:
            self.close()

    def start(self) -> None:
        """Serve on a thread of its own."""
        self._thread = threading.Thread(target=self._server.run, name="page", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Let go of every connection, end the live streams and all threads. Closing twice is allowed."""
        if self._closed:
            return
        self._closed = True
        if self._thread is not None and self._thread.is_alive():
            # The server's own thread must close its sockets: another one would pull them from under its poll.
            try:
                self._server.trigger.pull_trigger(self._let_go)
            except OSError:
                self._let_go()  # it has ended by itself meanwhile, and closed what wakes it up
            self._thread.join(timeout=5)
        else:
            self._let_go()
        # Only now: a screen whose stream ended while the port still answered would come back and be sent away.
        for held in self._closed_last:
            held.close()
        self._server.task_dispatcher.shutdown(timeout=5)

    def _on_loop(self, change: Callable[[], None]) -> None:
        """Change what the loop listens to on its own thread: another one would pull it from under its poll.

        Raises:
            CannotListen: The loop does not come to it in time, and never will, or it has ended.
        """
        if self._thread is None and not self._closed:
            change()
            return
        turn, over = threading.Lock(), threading.Event()
        done = withdrawn = False

        def carry_out() -> None:
            nonlocal done
            try:
                with turn:
                    if not withdrawn:
                        change()
                        done = True
            finally:
                over.set()

        try:
            self._server.trigger.pull_trigger(carry_out)
        except OSError as error:
            raise CannotListen("The page is being closed. Start it again.") from error
        over.wait(_LOOP_S)
        with turn:
            withdrawn = not done
        if withdrawn:
            raise CannotListen("The page does not come to it now. Try again in a few seconds.")

    def _let_go(self) -> None:
        for channel in self._server.channels():
            channel.handle_close()  # with its lock, for a thread may be sending there
        wasyncore.close_all(self._server._map, ignore_all=True)


def _waitress(
    app: Flask, listener: socket.socket, loop: dict[int, Any], dispatcher: ThreadedTaskDispatcher, most: int
) -> RoomyListener:
    """Waitress on an open port.

    Args:
        loop: What its loop listens to; shared with another one that is on the same loop.
        dispatcher: Has the threads.
    """
    settings = Adjustments(
        sockets=[listener],
        connection_limit=2**31,  # the listener has a bound of its own
        outbuf_high_watermark=256 * 1024,
        asyncore_use_poll=True,
        channel_timeout=120,
        channel_request_lookahead=1,  # so that it notices when the other end of a live stream is gone
        ident=None,
        max_request_body_size=16 * 1024 * 1024,
        # Left in place so that `from_this_machine` sees that a proxy stands between; nothing believes them.
        clear_untrusted_proxy_headers=False,
    )
    at = (listener.family, listener.type, listener.proto, listener.getsockname())
    return RoomyListener(
        app, loop, True, listener, dispatcher=dispatcher, adj=settings, bind_socket=False, sockinfo=at, most=most
    )


def _leave(also: tuple[str, Any] | None) -> None:
    """Close an address and every connection that came in there. Its threads notice at their next word."""
    if also is not None:
        server = also[1]
        for channel in list(server.active_channels.values()):
            channel.handle_close()
        wasyncore.dispatcher.close(server)  # and not its wake-up, which is everybody's


def is_own_address(host: str) -> bool:
    """True if an IPv4 address is one of this machine now: networks come and go. It sends no packet."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((host, 0))
        except OSError:
            return False
    return True


def lan_address() -> str:
    """The address under which the local network most likely knows this machine; loopback if there is no network.

    It sends no packet: a datagram socket only picks the way that it would take.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise CannotListen(f"There is no port {port}. Choose one from 0 to 65535 with --port.")
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host or "0.0.0.0", port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        raise CannotListen(
            f"{host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 with --lan."
        ) from error
    try:
        return socket.create_server(address[:2], family=family)
    except OSError as error:
        raise CannotListen(_sentence(error, host, port)) from error


def _sentence(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use already. Stop the other program, or choose another port with --port."
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"Port {port} may not be opened by this user. Choose one above 1023 with --port."
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 with --lan."
    return f"The page cannot listen on {host}, port {port} ({error.strerror}). Choose another with --host and --port."
