"""Motion-JPEG servers that do as they please: a picture, or one sentence, and soon; nothing stays open."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from random import Random

from companion.core.foundation.errors import CameraError
from companion.core.foundation.secrecy import SecretAddress
from tests.fuzz.spoiling import spoiled_bytes
from tests.fuzz.timing import now_s
from tests.vision.sources.mjpeg_server import BOUNDARY, jpeg, part
from vision.sources import stream, web_camera
from vision.sources.live import Limits
from vision.sources.opening import open_web

SILENT_S = 0.15
CONNECT_S = 0.4
"""The same limits as for a real camera, but shorter."""
LONGEST_S = 3.0
"""No camera is waited for longer, with these limits, but for what other programs of the machine take."""
_OK = f"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary={BOUNDARY}\r\n".encode()
PLACES = (
    "file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1:70/_x", "javascript:1", "//", "http://", "http:///x",
    "https://127.0.0.1:1/", "http://127.0.0.1:1/", "http://[::1", "http://[v1.x]/", "http://127.0.0.1:99999/", "http://:80/",
    "http://a b/", "http://\u2603.invalid/", "/" + "x" * 5000, "?" * 100, "\x01", "http://%00/", "http://u:p@127.0.0.1:1/",
)  # fmt: skip
"""Where a server may send a camera on; none of them is one."""


Script = Callable[[socket.socket, Random, threading.Event], None]
"""What a server does on a connection until the event is set."""


def one(rng: Random) -> None:
    """One connection to one server of any kind."""
    met(rng.choice(SCRIPTS), rng)


def met(script: Script, rng: Random) -> None:
    """One connection to a server that plays `script`; three reads at most."""
    before_s, web_camera.CONNECT_S, stream.WHOLE_S = web_camera.CONNECT_S, CONNECT_S, SILENT_S
    listener = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()
    server = threading.Thread(target=_serve, args=(listener, script, Random(rng.getrandbits(32)), over))
    server.start()
    begun = now_s()
    try:
        address = SecretAddress(f"http://ada:hush@127.0.0.1:{listener.getsockname()[1]}/")
        tap = open_web("stream", address, Limits(silent_s=SILENT_S))
        try:
            for _ in range(3):
                assert isinstance(tap.read().data, bytes)
        finally:
            tap.close()
    except CameraError as error:
        assert str(error).endswith("."), str(error)
    finally:
        took = now_s() - begun
        web_camera.CONNECT_S = before_s
        over.set()
        listener.close()
        server.join()
    assert took < LONGEST_S, (script.__name__, took)


def _serve(listener: socket.socket, script: Script, rng: Random, over: threading.Event) -> None:
    listener.settimeout(0.05)
    while not over.is_set():
        try:
            line, _ = listener.accept()
        except (TimeoutError, OSError):
            continue
        with line:
            line.settimeout(0.2)
            try:
                line.recv(4096)
                script(line, rng, over)
            except OSError:
                continue


def _endless_header(line: socket.socket, rng: Random, over: threading.Event) -> None:
    line.sendall(_OK)
    while not over.is_set():
        line.sendall(b"X-%d: %s\r\n" % (rng.randrange(10**6), b"x" * rng.choice((1, 1000, 70_000))))


def _slow_header(line: socket.socket, rng: Random, over: threading.Event) -> None:
    line.sendall(_OK)
    while not over.wait(0.02):
        line.sendall(b"x")


def _endless_part_header(line: socket.socket, rng: Random, over: threading.Event) -> None:
    line.sendall(_OK + b"\r\n--" + BOUNDARY.encode() + b"\r\n")
    while not over.is_set():
        line.sendall(b"X: y\r\n" * 100)


def _endless_frame(line: socket.socket, rng: Random, over: threading.Event) -> None:
    length = rng.choice(
        (b"", b"Content-Length: 5000000\r\n", b"Content-Length: 99999999999\r\n", b"Content-Length: -1\r\n")
    )
    line.sendall(_OK + b"\r\n--" + BOUNDARY.encode() + b"\r\n" + length + b"\r\n")
    while not over.is_set():
        line.sendall(b"\xff\xd8" + bytes(50_000))


def _no_boundary(line: socket.socket, rng: Random, over: threading.Event) -> None:
    kind = rng.choice((b"text/html", b"multipart/x", b"multipart/x; boundary=", b"multipart/x; boundary=\xff\xfe", b""))
    line.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: " + kind + b"\r\n\r\n")
    while not over.is_set():
        line.sendall(rng.randbytes(50_000))


def _drip(line: socket.socket, rng: Random, over: threading.Event) -> None:
    line.sendall(_OK + b"\r\n")
    for byte in part(jpeg(1)):
        if over.wait(0.01):
            return
        line.sendall(bytes((byte,)))


def _moved(line: socket.socket, rng: Random, over: threading.Event) -> None:
    moved_to(rng.choice((*PLACES, "/again")))(line, rng, over)


def moved_to(place: str) -> Script:
    """A server that sends whoever comes on to `place`."""

    def script(line: socket.socket, rng: Random, over: threading.Event) -> None:
        status = rng.choice((301, 302, 307, 308))
        line.sendall(b"HTTP/1.1 %d Moved\r\nLocation: %s\r\n\r\n" % (status, place.encode()))

    return script


def _spoiled(line: socket.socket, rng: Random, over: threading.Event) -> None:
    good = (
        _OK + rng.choice((b"\r\n", b"Transfer-Encoding: chunked\r\n\r\n")) + b"".join(part(jpeg(n)) for n in range(4))
    )
    line.sendall(spoiled_bytes(rng, good))


def _silence(line: socket.socket, rng: Random, over: threading.Event) -> None:
    line.sendall(rng.choice((b"", _OK, _OK + b"\r\n", b"\xff" * 100)))
    over.wait(1.0)


def _snapshot(line: socket.socket, rng: Random, over: threading.Event) -> None:
    """Sends a picture, or bytes that claim to be one, with a length that is true, false or missing."""
    data = rng.choice(
        (jpeg(1), b"RIFF....WEBPVP8 ", b"<html>no</html>", b"", rng.randbytes(500), spoiled_bytes(rng, jpeg(2)))
    )
    length = rng.choice((f"Content-Length: {len(data)}", "Content-Length: 99999999999", "Content-Length: -3", "X: y"))
    kind = rng.choice(("image/jpeg", "image/jpg; x=y", "IMAGE/JPEG", "image/gif", "image/jpeg\x00"))
    line.sendall(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n{length}\r\n\r\n".encode() + data)
    over.wait(rng.choice((0.0, 0.5)))


def _endless_snapshot(line: socket.socket, rng: Random, over: threading.Event) -> None:
    line.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n\r\n")
    while not over.is_set():
        line.sendall(b"\xff\xd8" + bytes(50_000))


def _challenge(line: socket.socket, rng: Random, over: threading.Event) -> None:
    """Asks for user and password for ever, in odd words."""
    words = (
        "Digest",
        "Basic",
        "realm=",
        'nonce="x"',
        'qop="auth"',
        'qop="',
        "algorithm=MD5-sess",
        ",",
        "stale=true",
        "\x7f",
        "=",
    )
    said = " ".join(rng.choice(words) for _ in range(rng.randrange(9)))
    status = rng.choice((b"401", b"403", b"407"))
    line.sendall(b"HTTP/1.1 %s No\r\nWWW-Authenticate: %s\r\nContent-Length: 0\r\n\r\n" % (status, said.encode()))


SCRIPTS = (
    _endless_header, _slow_header, _endless_part_header, _endless_frame, _no_boundary, _drip, _moved, _spoiled, _silence,
    _snapshot, _endless_snapshot, _challenge,
)  # fmt: skip
"""Every kind of server."""
