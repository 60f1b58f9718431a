"""The web server: waitress in this process, with measured limits.

Each live stream occupies a thread, so waitress's four default threads would freeze the page at the fourth screen, and
its default limit of 100 connections would stop accepting anything at all (`web.sockets.connections` sets the limit).
The buffer limit keeps a slow phone from seeing old pictures. A second address shares the loop, the threads and the
limits: it needs only one more socket.
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

# The memory of a program that runs for weeks with many threads.
#
# The C library (glibc) gives threads heaps of their own, up to eight for each core, and memory that is freed in one of
# them stays there: pictures that threads decode in turn leave a hole in each heap. Two heaps are enough for these
# threads, and buffers of the size of a picture return to the system as soon as they are freed (mallopt(3)).

_ARENA_MAX, _MMAP_THRESHOLD = -8, -3
"""The numbers of settings in malloc.h."""
HEAPS = 2
PICTURE_BYTES = 256 * 1024
"""The size in bytes from which on buffers are taken from the system one by one; it is fixed, because glibc's own limit
rises with use."""


def bound_heaps() -> bool:
    """Limits the number of heaps of this process, before its threads start; returns true if the C library supports
    this.

    Programs that serve for weeks call it. Reading a picture in the same process takes up to twice as long afterwards,
    because all its buffers come from the system one by one.
    """
    if platform.libc_ver()[0] != "glibc":
        return False
    mallopt = ctypes.CDLL(None).mallopt
    return bool(mallopt(_ARENA_MAX, HEAPS) and mallopt(_MMAP_THRESHOLD, PICTURE_BYTES))


THREADS = 160
_LOOP_S = 5.0
"""The number of seconds within which the server's own thread must carry out a request; it needs a millisecond."""


class CannotListen(CompanionError):
    """An error: the port is taken or forbidden, or the address does not belong to this machine."""


class Server:
    """The page on one port. The port is open from the start; `run` or `start` begin to answer.

    It may also answer on one more address of this machine (`listen_also`), which can change while it runs.
    """

    def __init__(self, app: Flask, host: str = "127.0.0.1", port: int = 8000, *, threads: int = THREADS) -> None:
        """
        Args:
                host: The name or address of this machine; `0.0.0.0` or `::` for all of them.
                port: The port; 0 takes any free one, see `port`.

        Raises:
                CannotListen: The port cannot be used; the message says why.
        """
        self.host = host
        self._closed_last: list[Any] = [app.extensions[name] for name in ("live", "lessons") if name in app.extensions]
        listener = _listen(host, port)
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
        """The URL under which a browser on this machine finds the page."""
        shown = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(self.host, self.host)
        return f"http://[{shown}]:{self.port}/" if ":" in shown else f"http://{shown}:{self.port}/"

    @property
    def also(self) -> str | None:
        """The other address on which the page answers; None: there is none."""
        return None if self._also is None else self._also[0]

    def listen_also(self, host: str) -> None:
        """Starts to answer on one more address of this machine on the same port; a previous one is released.

        Raises:
            CannotListen: The address cannot be used; the message says why, and nothing has changed.
        """
        listener = _listen(host, self.port)

        def begin() -> None:
            before = self._also
            also = _waitress(self._app, listener, self._server._map, self._server.task_dispatcher, self._most)
            # All listeners share one wake-up pipe: a request that ends after its address was released would otherwise
            # write into a closed pipe, whose number another file may have by then.
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
        """Stops answering on the other address: it accepts no more connections there, and ends open ones.

        Raises:
            CannotListen: The server is too busy; that address is still open.
        """

        def end() -> None:
            before, self._also = self._also, None
            _leave(before)

        self._on_loop(end)

    def run(self) -> None:
        """Serves until the process is interrupted, or `close` is called from another thread."""
        self.start()
        try:
            while (thread := self._thread) is not None and thread.is_alive():
                thread.join(timeout=0.5)
        except KeyboardInterrupt:
            self.close()

    def start(self) -> None:
        """Serves on a thread of its own."""
        self._thread = threading.Thread(target=self._server.run, name="page", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends every connection, the live streams and all threads. Closing twice is allowed."""
        if self._closed:
            return
        self._closed = True
        if self._thread is not None and self._thread.is_alive():
            # The server's own thread must close its sockets, because it polls them.
            try:
                self._server.trigger.pull_trigger(self._let_go)
            except OSError:
                self._let_go()  # the loop has ended meanwhile, and closed its wake-up pipe
            self._thread.join(timeout=5)
        else:
            self._let_go()
        # Streams end only now: a screen whose stream ended while the port still answered would reconnect and be
        # refused.
        for held in self._closed_last:
            held.close()
        self._server.task_dispatcher.shutdown(timeout=5)

    def _on_loop(self, change: Callable[[], None]) -> None:
        """Changes the sockets of the loop on its own thread, because that thread polls them.

        Raises:
            CannotListen: The loop was too busy, so the change will never be made, or the loop has ended.
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
            channel.handle_close()  # with its lock, because a thread may be sending there
        wasyncore.close_all(self._server._map, ignore_all=True)


def _waitress(
    app: Flask, listener: socket.socket, loop: dict[int, Any], dispatcher: ThreadedTaskDispatcher, most: int
) -> RoomyListener:
    """Returns a waitress server on an open port.

    Args:
        loop: The sockets of its loop; two servers on the same loop share them.
        dispatcher: The dispatcher with the threads.
    """
    settings = Adjustments(
        sockets=[listener],
        connection_limit=2**31,  # the listener has its own limit
        outbuf_high_watermark=256 * 1024,
        asyncore_use_poll=True,
        channel_timeout=120,
        channel_request_lookahead=1,  # so that the server notices when the other end of a live stream is gone
        ident=None,
        max_request_body_size=16 * 1024 * 1024,
        # The headers stay, so that `from_this_machine` recognizes a proxy; no code trusts them.
        clear_untrusted_proxy_headers=False,
    )
    at = (listener.family, listener.type, listener.proto, listener.getsockname())
    return RoomyListener(
        app, loop, True, listener, dispatcher=dispatcher, adj=settings, bind_socket=False, sockinfo=at, most=most
    )


def _leave(also: tuple[str, Any] | None) -> None:
    """Closes an address and every connection that came in there. Its threads notice this at their next write."""
    if also is not None:
        server = also[1]
        for channel in list(server.active_channels.values()):
            channel.handle_close()
        wasyncore.dispatcher.close(server)  # without its wake-up pipe, which all servers share


def is_own_address(host: str) -> bool:
    """True if an IPv4 address belongs to this machine now; networks come and go. It sends no packet."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((host, 0))
        except OSError:
            return False
    return True


def lan_address() -> str:
    """Returns the address under which the local network most likely knows this machine; loopback if there is no
    network.

    It sends no packet: a datagram socket only chooses the route that it would take.
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
