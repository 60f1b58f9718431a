"""The device's half of the link in Python, as `firmware_protocol/core/ttp_link.c` implements it in C.

Bytes and the time go in, bytes come out. A tower or a board adds the effects of its own requests. The tests run the
same examples against this class, against the C core, and against the firmware in an emulated Uno.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from companion.core.foundation.errors import PortError
from firmware_protocol import messages
from firmware_protocol.frame import PAYLOAD_MAX, REPLY_BIT, Decoder, LinkFrame
from firmware_protocol.payload import BadPayload, Payload

Answer = tuple[messages.Status, bytes]
"""The status and payload of a reply."""


@dataclass(frozen=True)
class Waiting:
    """An event that the host has not taken yet; `data` is without `lost`."""

    type: int
    data: bytes


class SimulatedDevice(ABC):
    """A device with power on. `reset` presses its button, `power_on` plugs its cable in."""

    kind: messages.Kind
    caps: int
    leds = 0

    def __init__(self, uid: int = 0) -> None:
        self._uid = uid
        self._boots = 0
        self._now_s = 0.0
        self.reset()

    def reset(self) -> None:
        """Forgets everything but the number of resets, and reports the reset."""
        self._boots += 1
        self._decoder = Decoder()
        self._out = bytearray()
        self._session = 0
        self._nonce = 0
        self._last: LinkFrame | None = None
        self._queue: deque[Waiting] = deque()
        self._event_seq = 1
        self._event_sent_s: float | None = None
        self._made = self._lost = self._lost_before = 0
        self._repeated = self._executed = self._chain = 0
        self._policy = messages.Policy.DIM
        self._idle = False
        self._heard_s = self._now_s
        self.restarted()
        self._send(LinkFrame(messages.Boot.TYPE, 0, 0, 0, self._identity()))

    def power_on(self) -> None:
        """Plugs the cable in after a while: even the number of resets is forgotten."""
        self._boots = 0
        self.reset()

    # ---- what stands at the ends of the wire

    def feed(self, data: bytes) -> None:
        """Takes bytes from the host."""
        for frame in self._decoder.feed(data):
            self._receive(frame)

    def run(self, now_s: float) -> None:
        """Advances the time to `now_s`, which never falls."""
        self._now_s = max(self._now_s, now_s)
        self.tick(self._now_s)
        self._send_event()
        if self._session and not self._idle and self._now_s - self._heard_s >= messages.SILENCE_MS / 1000:
            self._idle = True
            self.idled(self._policy)

    def take(self) -> bytes:
        """Returns the bytes for the host since the last call."""
        out = bytes(self._out)
        self._out.clear()
        return out

    # ---- what a tower or a board adds

    @abstractmethod
    def restarted(self) -> None:
        """Restores the state after power-on."""

    @abstractmethod
    def tick(self, now_s: float) -> None:
        """Does everything that is pending at a time."""

    @abstractmethod
    def execute(self, request: Payload) -> Answer | None:
        """Carries out a request; returns None if the device does not know the request."""

    @abstractmethod
    def idled(self, policy: messages.Policy) -> None:
        """Reacts to a host that is silent or has left."""

    @abstractmethod
    def awoken(self) -> None:
        """Reacts to a host that is back."""

    def happen(self, event: Payload) -> None:
        """Queues an event; its `lost` is filled in when it is sent."""
        self._made += 1
        if self._session == 0 or len(self._queue) == messages.EVENTS_MAX:
            self._lost += 1
        else:
            self._queue.append(Waiting(event.TYPE, event.pack()[2:]))

    # ---- inside

    def _send(self, frame: LinkFrame) -> None:
        self._out += frame.wire()

    def _identity(self) -> bytes:
        return messages.IdentifyReply(
            magic=messages.MAGIC,
            major=messages.MAJOR,
            minor=messages.MINOR,
            kind=self.kind,
            firmware=bytes((1, 0, 0)),
            caps=self.caps,
            max_payload=PAYLOAD_MAX,
            leds=self.leds,
            uid=self._uid,
            boots=self._boots % 65536,
            session=self._session,
        ).pack()

    def _receive(self, frame: LinkFrame) -> None:
        if frame.type >= min(messages.NUMBERED):
            return  # a device's own words, come back over a looped line
        if frame.type == messages.Identify.TYPE:
            self._send(
                LinkFrame(messages.Identify.TYPE | REPLY_BIT, 0, frame.seq, messages.Status.OK, self._identity())
            )
            return
        if frame.type == messages.Hello.TYPE:
            self._hello(frame)
        elif self._session == 0 or frame.session != self._session:
            refused = messages.NoSession(frame.session, frame.seq, frame.type).pack()
            self._send(LinkFrame(messages.NoSession.TYPE, self._session, 0, 0, refused))
            return
        self._heard_s = self._now_s
        if self._idle and frame.type != messages.Bye.TYPE:
            self._idle = False
            self.awoken()
        if frame.type == messages.Hello.TYPE:
            return
        self._acknowledge(frame.ack)
        if frame.type == messages.EventAck.TYPE:
            return
        if self._last is not None and frame.seq == self._last.seq:
            self._repeated += 1
        else:
            self._last = self._answer(frame)
        self._send(self._last)

    def _hello(self, frame: LinkFrame) -> None:
        try:
            hello = messages.Hello.unpack(frame.payload)
        except BadPayload:
            hello = messages.Hello(0, 0)
        if hello.session == 0:
            self._send(LinkFrame(messages.Hello.TYPE | REPLY_BIT, self._session, frame.seq, messages.Status.BAD_RANGE))
            return
        if (hello.nonce, hello.session) != (self._nonce, self._session):
            self._nonce, self._session = hello.nonce, hello.session
            self._last = None
            self._executed = self._chain = 0
            self._lost += len(self._queue)
            self._lost_before = self._lost
            self._queue.clear()
            self._event_seq = 1
            self._event_sent_s = None
        reply = messages.HelloReply(hello.nonce, hello.session, self._lost_before % 65536).pack()
        self._send(LinkFrame(messages.Hello.TYPE | REPLY_BIT, self._session, frame.seq, messages.Status.OK, reply))

    def _answer(self, frame: LinkFrame) -> LinkFrame:
        self._executed += 1
        for byte in bytes((frame.type, frame.seq)) + frame.payload:
            self._chain = (31 * self._chain + byte) % 2**32
        status, payload = self._carry_out(frame)
        return LinkFrame(frame.type | REPLY_BIT, self._session, frame.seq, status, payload)

    def _carry_out(self, frame: LinkFrame) -> Answer:
        if frame.type not in messages.REQUESTS:
            return messages.Status.UNKNOWN_TYPE, b""
        try:
            request = messages.REQUESTS[frame.type].unpack(frame.payload)
        except BadPayload:
            return messages.Status.BAD_RANGE, b""
        if isinstance(request, messages.Ping):
            return messages.Status.OK, request.data
        if isinstance(request, messages.Stats):
            return messages.Status.OK, self._stats()
        if isinstance(request, messages.Bye):
            if request.policy not in messages.Policy.__members__.values():
                return messages.Status.BAD_RANGE, b""
            self._policy = messages.Policy(request.policy)
            self._idle = True
            self.idled(self._policy)
            return messages.Status.OK, b""
        answer = self.execute(request)
        return answer if answer is not None else (messages.Status.UNKNOWN_TYPE, b"")

    def _stats(self) -> bytes:
        return messages.StatsReply(
            good=self._decoder.good % 65536,
            bad=self._decoder.bad % 65536,
            ring_over=0,
            hardware_over=0,
            repeated=self._repeated % 65536,
            events_made=self._made % 65536,
            events_lost=self._lost % 65536,
            executed=self._executed % 65536,
            chain=self._chain,
        ).pack()

    def _acknowledge(self, ack: int) -> None:
        if self._queue and self._event_sent_s is not None and ack == self._event_seq:
            self._queue.popleft()
            self._event_seq = (self._event_seq + 1) % 256
            self._event_sent_s = None

    def _send_event(self) -> None:
        if not self._queue:
            return
        if self._event_sent_s is not None and self._now_s - self._event_sent_s < messages.EVENT_RESEND_MS / 1000:
            return
        event = self._queue[0]
        payload = (self._lost % 65536).to_bytes(2, "little") + event.data
        self._send(LinkFrame(event.type, self._session, self._event_seq, 0, payload))
        self._event_sent_s = self._now_s


Fault = Callable[[bytes], bytes]
"""A fault of a wire: a function from written bytes to arriving bytes."""

STEP_S = 0.002
"""The interval in seconds at which a waiting reader checks the device."""


def clean(data: bytes) -> bytes:
    """Returns a wire without faults."""
    return data


class SimulatedPort:
    """A port (see `hardware.ports.Port`). Any thread may call `unplug`, and use the device while it holds `lock`."""

    def __init__(
        self,
        device: SimulatedDevice,
        *,
        lock: threading.RLock | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        to_device: Fault = clean,
        from_device: Fault = clean,
    ) -> None:
        self.device = device
        self.lock = lock or threading.RLock()
        self._clock = clock
        self._sleep = sleep
        self._to_device = to_device
        self._from_device = from_device
        self._gone = False

    def unplug(self) -> None:
        """Pulls the cable."""
        self._gone = True

    def read(self, timeout_s: float) -> bytes:
        """See Port."""
        until_s = self._clock() + timeout_s
        while True:
            self._check()
            with self.lock:
                self.device.run(self._clock())
                data = self._from_device(self.device.take())
            if data or self._clock() >= until_s:
                return data
            self._sleep(STEP_S)

    def write(self, data: bytes) -> None:
        """See Port."""
        self._check()
        with self.lock:
            self.device.run(self._clock())
            self.device.feed(self._to_device(data))

    def close(self) -> None:
        """See Port."""
        self._gone = True

    def _check(self) -> None:
        if self._gone:
            raise PortError("The simulated port is gone: the test or the demonstration pulled its cable.")
