"""A WLED controller as an LED board over the network.

WLED takes pictures as UDP datagrams (its realtime protocol DNRGB, port 21324) and does not answer. So the picture is
sent repeatedly while it stands. When the referee leaves, WLED returns to its own effects after the timeout in each
datagram.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from hardware import picture
from hardware.lights import Flash, Lights
from hardware.picture import Picture

PORT = 21324
"""WLED's UDP port for realtime pictures."""
DNRGB = 4
"""The datagram's first byte: timeout, first light (two bytes, high byte first), three bytes a light."""
LIGHTS_A_DATAGRAM = 489
"""The number of lights in one DNRGB datagram of WLED."""
TIMEOUT_S = 3
"""The number of seconds without a datagram after which WLED returns to its own effects."""
AGAIN_S = 1.0
"""The number of seconds between two transmissions of the same picture: two may be lost before the timeout."""
BLINK_S = 0.125
"""The number of seconds for which a flash is on, and off."""


def datagrams(shown: Picture) -> list[bytes]:
    """Returns the datagrams for one picture."""
    starts = range(0, len(shown), LIGHTS_A_DATAGRAM)
    return [
        bytes((DNRGB, TIMEOUT_S)) + at.to_bytes(2, "big") + picture.packed(shown[at : at + LIGHTS_A_DATAGRAM])
        for at in starts
    ]


class WledBoard(Lights):
    """The board at `host`. The sending thread resolves a name, so that a dead network does not delay callers.

    Args:
        send: For tests; takes one datagram and may raise OSError.
    """

    def __init__(
        self,
        places: Mapping[str, Sequence[int]],
        count: int | None = None,
        *,
        host: str = "wled.local",
        send: Callable[[bytes], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(places, count)
        self._host = host
        self._socket: socket.socket | None = None
        self._send = send or self._send_by_udp
        self._clock = clock
        self._news = threading.Condition()
        self._wanted = picture.dark(self.count)
        self._flash: Flash | None = None
        self._flash_s = 0.0
        self._stopped = False
        self._thread: threading.Thread | None = None
        self._trouble = ""

    @property
    def trouble(self) -> str:
        """The reason why no picture can be sent; empty if the last datagram was sent."""
        return self._trouble

    @property
    def sentence(self) -> str:
        """A sentence for people on whether datagrams can be sent. WLED does not confirm their arrival."""
        return self._trouble or f"Pictures are sent to {self._host}; WLED does not confirm them."

    def show(self, wanted: Picture) -> None:
        """See Lights."""
        if len(wanted) != self.count:
            raise ValueError(f"A picture of {len(wanted)} lights for a strip of {self.count}.")
        with self._news:
            self._wanted = wanted
            self._news.notify()

    def flash(self, wanted: Flash) -> None:
        """See Lights."""
        with self._news:
            self._flash, self._flash_s = wanted, self._clock()
            self._news.notify()

    def frame(self, now_s: float) -> tuple[Picture, float]:
        """Returns the picture to show now, and the seconds until it changes or must be repeated."""
        with self._news:
            flash, age_s = self._flash, now_s - self._flash_s
            if flash is None or age_s * 1000 >= flash.duration_ms:
                self._flash = None
                return self._wanted, AGAIN_S
            wait_s = BLINK_S - age_s % BLINK_S
            if int(age_s / BLINK_S) % 2:
                return self._wanted, wait_s
            shown = list(self._wanted)
            for light in flash.lights:
                shown[light] = flash.color
            return tuple(shown), wait_s

    def step(self) -> float:
        """Sends the pending datagrams; returns the number of seconds until the next ones."""
        shown, wait_s = self.frame(self._clock())
        try:
            for datagram in datagrams(shown):
                self._send(datagram)
            self._trouble = ""
        except OSError as why:
            self._trouble = (
                f"Nothing can be sent to {self._host} ({why.strerror or why}): check its name and the network."
            )
        return wait_s

    def start(self) -> None:
        """Starts a thread that sends until `close`."""
        self._thread = threading.Thread(target=self._run, name="wled", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread; WLED then returns to its own effects."""
        with self._news:
            self._stopped = True
            self._news.notify()
        if self._thread is not None:
            self._thread.join(timeout=2.0)
        if self._socket is not None:
            self._socket.close()

    def _run(self) -> None:
        while not self._stopped:
            wait_s = self.step()
            with self._news:
                if not self._stopped:
                    self._news.wait(wait_s)

    def _send_by_udp(self, datagram: bytes) -> None:
        if self._socket is None:
            self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.sendto(datagram, (self._host, PORT))
