"""Serves the same page by HTTPS on a port of its own, with `cheroot`, which speaks TLS, beside waitress, which does
not.

By default it serves only the camera page of a phone, so opening it does not expose a table.
"""

from __future__ import annotations

import logging
import ssl
import threading
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from companion.core.foundation.logs import note
from web.sockets.certificate import Certificate
from web.sockets.server import CannotListen

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

THREADS = 24
"""The number of threads; each live screen and each idle connection occupies one for a while."""
BODY_BYTES = 4 * 1024 * 1024
HEADER_BYTES = 64 * 1024
IDLE_S = 10
"""The number of seconds that a connection may take for its handshake or its next request."""
_LOG = logging.getLogger("companion.https")


class SecureServer:
    """HTTPS on one port. It answers from the start until `close`.

    Args:
        app: The page.
        host: An address of this machine.
        port: The port to take; if it is in use, any free one is taken instead. See `port`.
        serves: Returns true if this path may be served at present; other paths get 404.

    Raises:
        CannotListen: No port can be had at this address.
    """

    def __init__(
        self, app: WSGIApplication, certificate: Certificate, host: str, port: int, serves: Callable[[str], bool]
    ) -> None:
        from cheroot.ssl.builtin import BuiltinSSLAdapter
        from cheroot.wsgi import Server

        class Adapter(BuiltinSSLAdapter):
            """Leaves the handshake to the first read on the connection's own thread, so that no other connection waits
            for it.
            """

            def wrap(self, sock: Any) -> tuple[Any, dict[str, Any]]:
                line = self.context.wrap_socket(sock, do_handshake_on_connect=False, server_side=True)
                return line, {"wsgi.url_scheme": "https", "HTTPS": "on"}

        class Quiet(Server):
            """A server that does not report clients without TLS, or broken connections, as errors."""

            def error_log(self, msg: str = "", level: int = 20, traceback: bool = False) -> None:
                note(_LOG, logging.DEBUG, "https", said=msg.partition("\n")[0][:200])

        self.host = host
        self._app, self._serves = app, serves
        self._server = Quiet(
            (host, port),
            self._answer,
            numthreads=THREADS,
            server_name="",
            timeout=IDLE_S,
            shutdown_timeout=2,
            accepted_queue_size=THREADS,
            accepted_queue_timeout=1,
        )
        self._server.max_request_body_size, self._server.max_request_header_size = BODY_BYTES, HEADER_BYTES
        adapter = Adapter(str(certificate.chain), str(certificate.key))
        adapter.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._server.ssl_adapter = adapter
        try:
            self._prepare(port)
        except OSError as error:
            raise CannotListen(f"HTTPS is not available at {host} ({error.strerror or error}).") from error
        self.port: int = self._server.bind_addr[1]
        self._thread = threading.Thread(target=self._server.serve, name="https", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Releases the port and every connection. Safe to call twice."""
        self._server.stop()
        self._thread.join(5)

    def _prepare(self, port: int) -> None:
        try:
            self._server.prepare()
        except OSError:
            if port == 0:
                raise
            self._server.bind_addr = (self.host, 0)
            self._server.prepare()

    def _answer(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        if self._serves(environ.get("PATH_INFO", "")):
            return self._app(environ, start)
        nothing = HTTPStatus.NOT_FOUND
        start(f"{nothing.value} {nothing.phrase}", [("Content-Type", "text/plain"), ("Content-Length", "0")])
        return [b""]
