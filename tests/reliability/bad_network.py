"""A network that drops and delays packets: a namespace of its own, joined to this one by a wire that a thread carries.

Linux and root. Every frame goes through two packet sockets, so what is lost or late is real traffic of real TCP, in
both directions; for that the ends work out checksums and segments themselves instead of leaving them to the card.
"""

from __future__ import annotations

import fcntl
import heapq
import selectors
import socket
import struct
import subprocess
import threading
import time
from random import Random

NEAR, FAR = "10.213.7.1", "10.213.7.2"
"""The address on this side, and in the namespace."""

_ETH_P_ALL = 0x0003
_SIOCETHTOOL = 0x8946
_OFF = (0x17, 0x1F, 0x24, 0x2C)
"""ETHTOOL_STXCSUM, ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO."""


class BadNetwork:
    """One namespace and its wire. A context manager: leaving it takes both away."""

    def __init__(self, *, lost: float, delay_s: tuple[float, float], seed: int) -> None:
        """
        :param lost: the part of all packets that never arrive.
        :param delay_s: how late the others are, at least and at most.
        """
        self.namespace = "companion-test"
        self.cut = threading.Event()
        """While it is set, nothing arrives at all."""
        self.dropped = self.carried = 0
        self._lost, self._delay_s, self._rng = lost, delay_s, Random(seed)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._carry, name="wire", daemon=True)

    def __enter__(self) -> BadNetwork:
        self._run("netns", "add", self.namespace)
        # near0 is this side's card, far0 the other's; a frame on either comes out of near1 or far1, where the thread is.
        self._run("link", "add", "near0", "type", "veth", "peer", "name", "near1")
        self._run("link", "add", "far0", "netns", self.namespace, "type", "veth", "peer", "name", "far1")
        for name in ("near0", "near1", "far1"):
            _plain(name)
        self._run("address", "add", f"{NEAR}/24", "dev", "near0")
        subprocess.run(
            ["ip", "netns", "exec", self.namespace, "python3", "-c", _PLAIN_FAR], check=True, capture_output=True
        )
        self._run("-n", self.namespace, "address", "add", f"{FAR}/24", "dev", "far0")
        self._run("-n", self.namespace, "link", "set", "lo", "up")
        self._run("-n", self.namespace, "link", "set", "far0", "up")
        for name in ("near0", "near1", "far1"):
            self._run("link", "set", name, "up")
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        for name in ("near0", "far1"):
            self._run("link", "delete", name)
        self._run("netns", "delete", self.namespace)

    def _run(self, *words: str) -> None:
        subprocess.run(["ip", *words], check=True, capture_output=True)

    def _carry(self) -> None:
        ends = {name: _packets(name) for name in ("near1", "far1")}
        other = {ends["near1"]: ends["far1"], ends["far1"]: ends["near1"]}
        waiting: list[tuple[float, int, socket.socket, bytes]] = []
        with selectors.DefaultSelector() as selector:
            for end in ends.values():
                selector.register(end, selectors.EVENT_READ)
            while not self._over.is_set():
                due_s = waiting[0][0] - time.monotonic() if waiting else 0.05
                for key, _ in selector.select(min(0.05, max(0.0, due_s))):
                    end = key.fileobj
                    assert isinstance(end, socket.socket)
                    frame, about = end.recvfrom(65536)
                    # What this side sends itself is heard, too.
                    if about[2] == socket.PACKET_OUTGOING:
                        continue
                    if self.cut.is_set() or self._rng.random() < self._lost:
                        self.dropped += 1
                        continue
                    self.carried += 1
                    at = time.monotonic() + self._rng.uniform(*self._delay_s)
                    heapq.heappush(waiting, (at, self.carried, other[end], frame))
                while waiting and waiting[0][0] <= time.monotonic():
                    _, _, target, frame = heapq.heappop(waiting)
                    try:
                        target.send(frame)
                    except OSError:
                        # Frames that were put together on the way are too long for the wire: they are lost, too.
                        self.dropped += 1
        for end in ends.values():
            end.close()


def _packets(name: str) -> socket.socket:
    end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_ALL))
    end.bind((name, 0))
    return end


def _plain(name: str) -> None:
    """Let the system work out checksums and segments, which a card of this kind would leave open."""
    import array

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for what in _OFF:
            value = array.array("B", struct.pack("II", what, 0))
            request = struct.pack("16sP", name.encode(), value.buffer_info()[0])
            fcntl.ioctl(asking, _SIOCETHTOOL, request)


_PLAIN_FAR = f"""
import array, fcntl, socket, struct
asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for what in {_OFF}:
    value = array.array("B", struct.pack("II", what, 0))
    fcntl.ioctl(asking, {_SIOCETHTOOL}, struct.pack("16sP", b"far0", value.buffer_info()[0]))
"""
