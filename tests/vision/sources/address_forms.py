"""Addresses of cameras on the web as makers and programs document them, and a server that speaks as each of them does.

What differs: path and query, whether the answer is a stream or a picture, how the boundary is announced and sent, which
lengths and line ends there are, and how user and password are asked for.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import md5, sha256
from typing import Literal, NamedTuple

from tests.vision.sources.mjpeg_server import jpeg
from vision.sources.web_camera import parsed

Asks = Literal["nothing", "basic", "digest", "digest-sha256", "old-digest", "forbidden"]
USER, PASSWORD = "admin", "p@ss:w#rd/?"


class Form(NamedTuple):
    """Asks one kind of camera, and reads its answers."""

    maker: str
    target: str
    """Path and query."""
    kind: str
    """`Content-Type` of the answer."""
    boundary: str = ""
    """The line before each picture of a stream; empty: the answer is one picture."""
    asks: Asks = "nothing"
    length: bool = True
    """True if each part of a stream, or the picture, states its length."""
    end: bytes = b"\r\n"
    version: str = "HTTP/1.1"
    chunked: bool = False
    part: str = "image/jpeg"


FORMS = (
    Form("Android IP Webcam", "/video", "multipart/x-mixed-replace; boundary=Ba4oTvQMY8ew04N8dcnM", "--Ba4oTvQMY8ew04N8dcnM"),
    Form("Android IP Webcam, picture", "/shot.jpg", "image/jpeg", asks="basic"),
    Form("DroidCam", "/video?640x480", "multipart/x-mixed-replace;boundary=--dcMjpeg", "--dcMjpeg"),
    Form("mjpg-streamer", "/?action=stream", "multipart/x-mixed-replace;boundary=boundarydonotcross", "--boundarydonotcross", version="HTTP/1.0"),
    Form("mjpg-streamer, picture", "/?action=snapshot", "image/jpeg", version="HTTP/1.0", length=False),
    Form("Axis", "/axis-cgi/mjpg/video.cgi?resolution=1280x720&fps=10", "multipart/x-mixed-replace; boundary=myboundary", "--myboundary", asks="digest"),
    Form("Axis, picture", "/axis-cgi/jpg/image.cgi", "image/jpeg", asks="digest"),
    Form("Hikvision", "/ISAPI/Streaming/channels/102/httpPreview", "multipart/x-mixed-replace; boundary=boundarySample", "--boundarySample", asks="digest"),
    Form("Hikvision, picture", "/ISAPI/Streaming/channels/101/picture", "image/jpeg; charset=\"UTF-8\"", asks="digest-sha256"),
    Form("Dahua, Amcrest", "/cgi-bin/mjpg/video.cgi?channel=1&subtype=1", "multipart/x-mixed-replace; boundary=myboundary", "--myboundary", asks="digest"),
    Form("Dahua, Amcrest, picture", "/cgi-bin/snapshot.cgi?channel=1", "image/jpeg", asks="digest"),
    Form("Foscam", "/videostream.cgi?user=admin&pwd=secret", "multipart/x-mixed-replace;boundary=ipcamera", "--ipcamera"),
    Form("Foscam HD, picture", "/cgi-bin/CGIProxy.fcgi?cmd=snapPicture2&usr=admin&pwd=secret", "image/jpeg"),
    Form("Reolink, picture", "/cgi-bin/api.cgi?cmd=Snap&channel=0&rs=flsYJfZgM6RTB_os&user=admin&password=secret", "image/jpeg"),
    Form("ESP32-CAM", "/stream", "multipart/x-mixed-replace;boundary=123456789000000000000987654321", "--123456789000000000000987654321", chunked=True),
    Form("ESP32-CAM, picture", "/capture", "image/jpeg", chunked=True),
    Form("D-Link", "/video.cgi", "multipart/x-mixed-replace;boundary=--video boundary--", "--video boundary--", asks="basic", version="HTTP/1.0"),
    Form("D-Link, picture", "/image/jpeg.cgi", "image/jpeg", asks="basic", version="HTTP/1.0"),
    Form("Panasonic", "/cgi-bin/nphMotionJpeg?Resolution=640x480&Quality=Standard", "multipart/x-mixed-replace;boundary=--myboundary", "--myboundary", asks="old-digest"),
    Form("Vivotek", "/video.mjpg", "multipart/x-mixed-replace; boundary=\"--fbdr\"", "--fbdr", asks="basic", length=False),
    Form("Mobotix", "/control/faststream.jpg?stream=full&needlength", "multipart/x-mixed-replace; boundary=\"MOBOTIX_Fast_Serverpush\"", "--MOBOTIX_Fast_Serverpush", asks="digest"),
    Form("Trendnet", "/mjpg/video.mjpg", "multipart/x-mixed-replace;boundary=myboundary", "--ipcam", asks="basic"),
    Form("Raspberry Pi (picamera2)", "/stream.mjpg", "multipart/x-mixed-replace; boundary=FRAME", "--FRAME", version="HTTP/1.0"),
    Form("motion, motionEye", "/", "multipart/x-mixed-replace; boundary=BoundaryString", "--BoundaryString", part="image/jpeg", version="HTTP/1.0"),
    Form("go2rtc", "/api/stream.mjpeg?src=table", "multipart/x-mixed-replace; boundary=frame", "--frame"),
    Form("go2rtc, picture", "/api/frame.jpeg?src=table", "image/jpeg"),
    Form("Frigate", "/api/table", "multipart/x-mixed-replace; boundary=frame", "--frame", length=False),
    Form("Frigate, picture", "/api/table/latest.jpg?h=720", "image/jpeg"),
    Form("Home Assistant", "/api/camera_proxy_stream/camera.table?token=0123456789abcdef", "multipart/x-mixed-replace;boundary=--frameboundary", "--frameboundary"),
    Form("ZoneMinder", "/zm/cgi-bin/nph-zms?mode=jpeg&monitor=1&user=admin&pass=secret", "multipart/x-mixed-replace; boundary=ZoneMinderFrame", "--ZoneMinderFrame"),
    Form("Ubiquiti, picture", "/snap.jpeg", "image/jpeg", asks="forbidden"),
    Form("Yawcam", "/video.mjpg?q=30&fps=33&id=0.5", "multipart/x-mixed-replace", "--myboundary", end=b"\n"),
)  # fmt: skip
"""More than the 27 that people ask about most."""


class FormServer:
    """Answers as one form does, and keeps what it was asked for."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.asked: list[tuple[str, str]] = []
        """Target and `Authorization` of each request."""
        self._over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._count = 0
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        """Its address, with user and password where it wants some."""
        port = self._listener.getsockname()[1]
        who = "" if self.form.asks == "nothing" else "admin:p%40ss%3Aw%23rd%2F%3F@"
        return f"http://{who}127.0.0.1:{port}{self.form.target}"

    def close(self) -> None:
        self._over.set()
        self._listener.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        self._listener.settimeout(0.05)
        while not self._over.is_set():
            try:
                line, _ = self._listener.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            self._threads.append(threading.Thread(target=self._talk, args=(line,)))
            self._threads[-1].start()

    def _talk(self, line: socket.socket) -> None:
        with line:
            line.settimeout(0.1)
            data = b""
            while not self._over.is_set():
                try:
                    more = line.recv(65536)
                except TimeoutError:
                    continue
                except OSError:
                    return
                data += more
                if not more:
                    return
                while b"\r\n\r\n" in data:
                    head, _, data = data.partition(b"\r\n\r\n")
                    try:
                        if not self._answer(line, head.decode("latin-1")):
                            return
                    except OSError:
                        return

    def _answer(self, line: socket.socket, head: str) -> bool:
        """Answers one request, and returns True if the connection stays open."""
        first, *rest = head.split("\r\n")
        target = first.split(" ")[1]
        fields = {name.lower(): value.strip() for name, _, value in (one.partition(":") for one in rest)}
        self.asked.append((target, fields.get("authorization", "")))
        if target != self.form.target:
            line.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return True
        if not self._lets_in(fields.get("authorization", "")):
            status = "403 Forbidden" if self.form.asks == "forbidden" else "401 Unauthorized"
            asks = "".join(f"WWW-Authenticate: {one}\r\n" for one in self._challenges())
            line.sendall(
                f"{self.form.version} {status}\r\n{asks}Content-Type: text/html\r\nContent-Length: 5\r\n\r\nno...".encode()
            )
            return self.form.version == "HTTP/1.1"
        return self._stream(line) if self.form.boundary else self._picture(line)

    def _picture(self, line: socket.socket) -> bool:
        self._count += 1
        data = jpeg(self._count)
        length = f"Content-Length: {len(data)}\r\n" if self.form.length and not self.form.chunked else ""
        how = "Transfer-Encoding: chunked\r\n" if self.form.chunked else length
        line.sendall(f"{self.form.version} 200 OK\r\nContent-Type: {self.form.kind}\r\n{how}\r\n".encode())
        line.sendall(self._framed(data) + (b"0\r\n\r\n" if self.form.chunked else b""))
        return self.form.version == "HTTP/1.1" and (self.form.length or self.form.chunked)

    def _stream(self, line: socket.socket) -> bool:
        how = "Transfer-Encoding: chunked\r\n" if self.form.chunked else ""
        line.sendall(f"{self.form.version} 200 OK\r\nContent-Type: {self.form.kind}\r\n{how}\r\n".encode())
        end = self.form.end
        while not self._over.wait(0.02):
            self._count += 1
            data = jpeg(self._count)
            head = self.form.boundary.encode() + end + b"Content-Type: " + self.form.part.encode() + end
            if self.form.length:
                head += b"Content-Length: %d" % len(data) + end
            line.sendall(self._framed(head + end + data + end))
        return False

    def _framed(self, data: bytes) -> bytes:
        return b"%x\r\n%s\r\n" % (len(data), data) if self.form.chunked else data

    def _challenges(self) -> list[str]:
        digest = f'Digest realm="{self.form.maker}", nonce="n{len(self.asked)}"'
        return {
            "basic": [f'Basic realm="{self.form.maker}"'],
            "digest": [f'{digest}, qop="auth", algorithm="MD5"', 'Basic realm="old"'],
            "digest-sha256": [
                f'{digest}, qop="auth", algorithm=MD5',
                f'{digest}, qop="auth", algorithm=SHA-256, opaque="o"',
            ],
            "old-digest": [digest],
        }.get(self.form.asks, [])

    def _lets_in(self, said: str) -> bool:
        if self.form.asks == "nothing":
            return True
        if self.form.asks in ("basic", "forbidden"):
            return said == "Basic YWRtaW46cEBzczp3I3JkLz8="
        if not said.startswith("Digest "):
            return False
        ((_, fields),) = parsed([said])
        hashed = sha256 if fields.get("algorithm") == "SHA-256" else md5
        wanted = "SHA-256" if self.form.asks == "digest-sha256" else "MD5"

        def h(*parts: str) -> str:
            return hashed(":".join(parts).encode()).hexdigest()

        secret, request = h(USER, self.form.maker, PASSWORD), h("GET", self.form.target)
        middle = [fields["nonce"]]
        if self.form.asks != "old-digest":
            middle += [fields["nc"], fields["cnonce"], fields["qop"]]
        right = fields["response"] == h(secret, *middle, request) and fields.get("algorithm", "MD5") == wanted
        return right and fields["uri"] == self.form.target and fields["nonce"].startswith("n")


@contextmanager
def speaking(form: Form) -> Iterator[FormServer]:
    """A server that speaks as this form does."""
    server = FormServer(form)
    try:
        yield server
    finally:
        server.close()
