"""The host's half of the link, without a port, a thread or a clock.

Bytes and the time go in, bytes come out. So the same code runs against a real port, a simulated device, and an emulated
Uno in virtual time, and a test of five lost seconds takes a millisecond. `firmware_protocol/SPEC.md` has the rules.
"""

from __future__ import annotations

from enum import Enum
from random import Random
from typing import Protocol

from msgspec import Struct

from companion.core.foundation.errors import DeviceError, DeviceRestarted, LinkDown, RequestRefused, WrongDevice
from firmware_protocol import messages
from firmware_protocol.frame import REPLY_BIT, Decoder, LinkFrame
from firmware_protocol.messages import IdentifyReply, Kind, StatsReply, Status
from firmware_protocol.payload import BadPayload, Payload

# The driver of a device on a link: of a dice tower or an LED board.
#
# The link pulls. When no request is outstanding it asks the driver for the next one, so a driver holds the wanted state
# of the device and no queue of commands: after a reset it is asked again, and the latest state wins.


class Driver(Protocol):
    """One kind of device. The link makes all calls from one thread; they must not block."""

    kind: Kind
    """The kind of device that must answer on the port."""

    def greet(self, identity: IdentifyReply) -> None:
        """Begins a session; the device may have forgotten everything."""

    def next(self, now_s: float) -> Payload | None:
        """Returns the next request, or None. The request is outstanding until one of the next two methods is called."""

    def answered(self, request: Payload, reply: Payload, status: Status) -> None:
        """Takes the reply to a request that the device carried out, with status OK or OVER_POWER."""

    def failed(self, request: Payload, why: DeviceError) -> None:
        """Takes the failure of a request. After RequestRefused the device has done nothing; after LinkDown and
        DeviceRestarted the outcome is unknown, and `greet` follows later.
        """

    def told(self, event: Payload) -> None:
        """Takes a numbered event; each comes exactly once and in order."""

    def missed(self, count: int) -> None:
        """Takes the number of events that are lost for ever."""


class Patience(Struct, frozen=True):
    """The time limits of a link in seconds."""

    first_s: float = 0.05
    """The time before a request is sent again. Full frames both ways take 12 ms, USB adapters add up to 16."""
    growth: float = 1.25
    """The factor from one wait to the next, so that a busy device is not flooded."""
    longest_s: float = 0.4
    """The longest wait."""
    tries: int = 18
    """The number of times that a request is sent. With the waits above: about five seconds until the caller gets an
    error."""
    struggling: int = 4
    """The number of tries after which the page shows that the link is retrying."""
    probe_s: float = 0.25
    """The time between two IDENTIFY frames: opening a port resets an Uno, whose boot loader swallows the first ones."""
    probing_s: float = 4.0
    """The time before a silent port is given up. An Uno's boot loader takes up to two seconds."""
    quiet_s: float = 1.0
    """The time without traffic after which the link asks for the counters, to check that the device is there."""

    def wait_s(self, tries: int) -> float:
        """Returns the time to wait after `tries` sendings (1 or more) before the next."""
        return min(self.first_s * self.growth ** (tries - 1), self.longest_s)


PATIENCE = Patience()
"""The default time limits; tests use others."""


class Counters(Struct):
    """Counts of one link, all from the host's side except `device`."""

    requests: int = 0
    """The number of requests that were answered."""
    refused: int = 0
    """The number of requests that the device could not carry out."""
    retries: int = 0
    """The number of frames sent again because no answer came in time."""
    bad: int = 0
    """The number of byte sequences that were not frames."""
    sessions: int = 0
    """The number of sessions; more than one means resets or lost connections."""
    restarts: int = 0
    """The number of resets of the device that the link noticed."""
    failures: int = 0
    """The number of requests that were given up."""
    events: int = 0
    """The number of events delivered."""
    events_lost: int = 0
    """The number of events that the device reported as lost."""
    rtt_ms: float | None = None
    """Milliseconds from the last request to its answer; None before the first."""
    device: StatsReply | None = None
    """The device's own counters, updated about once a second while the line is quiet."""


class Phase(Enum):
    """The phase of a link."""

    PROBING = "probing"
    """The link asks which device is there."""
    GREETING = "greeting"
    """The link begins a session."""
    READY = "ready"
    """There is a session."""
    SILENT = "silent"
    """No device answered the probes."""
    WRONG = "wrong"
    """The wrong device answered."""


class Outstanding(Struct):
    """The one request that waits for its answer."""

    request: Payload
    session: int
    seq: int
    first_sent_s: float
    sent_s: float
    tries: int
    own: bool
    """True if the link itself asked, and not the driver."""


def refusal(request: Payload, status: int) -> RequestRefused:
    """Returns the error for a request that was not carried out; a later minor version may have other numbers."""
    known = status in messages.Status.__members__.values()
    reason = messages.Status(status).name.lower().replace("_", " ") if known else f"status {status}"
    return RequestRefused(f"The device refused {request.NAME}: {reason}.")


class Link:
    """Serves one driver over one stream of bytes."""

    def __init__(self, driver: Driver, random: Random, patience: Patience = PATIENCE) -> None:
        self.driver = driver
        self.counters = Counters()
        self.phase = Phase.SILENT
        self.identity: messages.IdentifyReply | None = None
        """The device that answered last."""
        self.trouble: DeviceError | None = None
        """Why the link is WRONG or was given up last."""
        self._patience = patience
        self._random = random
        self._decoder = Decoder()
        self._out = bytearray()
        self._session = random.randrange(255)
        self._nonce = 0
        self._seq = 0
        self._taken = 0
        self._lost: int | None = None
        self._boots: int | None = None
        self._outstanding: Outstanding | None = None
        self._probing_since_s = 0.0
        self._probed_s: float | None = None
        self._spoke_s = 0.0

    @property
    def struggling(self) -> bool:
        """True if the outstanding request has been sent several times without an answer."""
        return self._outstanding is not None and self._outstanding.tries >= self._patience.struggling

    def start(self, now_s: float) -> None:
        """Begins to ask which device is there, after a port was opened or a device was given up."""
        self._give_up(LinkDown("The connection to the device was begun anew."))
        self._decoder = Decoder()
        self._out.clear()
        self._probe(now_s)

    def stop(self, why: DeviceError) -> None:
        """Ends the link because the port is gone."""
        self._give_up(why)
        self._out.clear()
        self.phase = Phase.SILENT

    def receive(self, data: bytes, now_s: float) -> None:
        """Takes bytes from the port."""
        before = self._decoder.bad
        for frame in self._decoder.feed(data):
            if frame.type & REPLY_BIT:
                self._reply(frame, now_s)
            elif frame.type in messages.NUMBERED:
                self._event(frame)
            elif frame.type == messages.NoSession.TYPE:
                self._no_session(frame, now_s)
            elif frame.type == messages.Boot.TYPE and self.phase in (Phase.GREETING, Phase.READY):
                self._restarted(now_s)
        self.counters.bad += self._decoder.bad - before

    def due(self, now_s: float) -> bytes:
        """Returns the bytes to write now."""
        if self.phase is Phase.PROBING:
            self._keep_probing(now_s)
        elif self._outstanding is not None:
            self._keep_asking(now_s)
        if self.phase is Phase.READY and self._outstanding is None:
            request = self.driver.next(now_s)
            if request is not None:
                self._ask(request, now_s, own=False)
            elif now_s - self._spoke_s >= self._patience.quiet_s:
                self._ask(messages.Stats(), now_s, own=True)
        out = bytes(self._out)
        self._out.clear()
        return out

    def farewell(self, bye: messages.Bye) -> bytes:
        """Returns the last bytes of a standing session; no answer is awaited."""
        self._seq = (self._seq + 1) % 256
        return LinkFrame(bye.TYPE, self._session, self._seq, self._taken, bye.pack()).wire()

    def deadline_s(self) -> float:
        """Returns the time at which `due` may have something new without input and without a wish of the driver."""
        if self.phase is Phase.PROBING:
            return (self._probed_s if self._probed_s is not None else self._probing_since_s) + self._patience.probe_s
        if self._outstanding is not None:
            return self._outstanding.sent_s + self._patience.wait_s(self._outstanding.tries)
        return self._spoke_s + self._patience.quiet_s

    # ---- sending

    def _send(self, frame: LinkFrame) -> None:
        self._out += frame.wire()

    def _probe(self, now_s: float) -> None:
        self.phase = Phase.PROBING
        self._probing_since_s = now_s
        self._probed_s = None

    def _keep_probing(self, now_s: float) -> None:
        if now_s - self._probing_since_s >= self._patience.probing_s:
            self.phase = Phase.SILENT
            self.trouble = LinkDown(
                f"Nothing answered for {self._patience.probing_s:g} s: check that the port is the device's "
                "and that its firmware is installed."
            )
        elif self._probed_s is None or now_s - self._probed_s >= self._patience.probe_s:
            self._probed_s = now_s
            self._send(LinkFrame(messages.Identify.TYPE, 0, 0, 0))

    def _ask(self, request: Payload, now_s: float, *, own: bool) -> None:
        self._seq = (self._seq + 1) % 256
        self._outstanding = Outstanding(request, self._session, self._seq, now_s, now_s, 1, own)
        self._send_outstanding()
        self._spoke_s = now_s

    def _send_outstanding(self) -> None:
        asked = self._outstanding
        assert asked is not None
        self._send(LinkFrame(asked.request.TYPE, asked.session, asked.seq, self._taken, asked.request.pack()))

    def _keep_asking(self, now_s: float) -> None:
        asked = self._outstanding
        assert asked is not None
        if now_s - asked.sent_s < self._patience.wait_s(asked.tries):
            return
        if asked.tries >= self._patience.tries:
            self.counters.failures += 1
            self.trouble = LinkDown(
                f"{asked.request.NAME} was sent {asked.tries} times without an answer: check the cable and the power."
            )
            self._give_up(self.trouble)
            self._probe(now_s)
            self._keep_probing(now_s)
            return
        asked.tries += 1
        asked.sent_s = now_s
        self.counters.retries += 1
        self._send_outstanding()
        self._spoke_s = now_s

    def _give_up(self, why: DeviceError) -> None:
        asked, self._outstanding = self._outstanding, None
        if asked is not None and not asked.own:
            self.driver.failed(asked.request, why)

    # ---- answers

    def _reply(self, frame: LinkFrame, now_s: float) -> None:
        kind = frame.type & ~REPLY_BIT
        if kind == messages.Identify.TYPE:
            if self.phase is Phase.PROBING:
                self._identified(frame, now_s)
            return
        asked = self._outstanding
        if asked is None or (kind, frame.session, frame.seq) != (asked.request.TYPE, asked.session, asked.seq):
            return
        done = frame.ack in (messages.Status.OK, messages.Status.OVER_POWER)
        try:
            reply = messages.REPLIES[kind].unpack(frame.payload) if done else None
        except BadPayload:
            self.counters.bad += 1
            return
        if isinstance(reply, messages.HelloReply) and reply.nonce != self._nonce:
            return
        self._outstanding = None
        self.counters.rtt_ms = (now_s - asked.first_sent_s) * 1000
        self._spoke_s = now_s
        if reply is None:
            self.counters.refused += 1
            if not asked.own:
                self.driver.failed(asked.request, refusal(asked.request, frame.ack))
            return
        self.counters.requests += 1
        if isinstance(reply, messages.HelloReply):
            self._begun(reply)
        elif isinstance(reply, messages.StatsReply):
            self.counters.device = reply
            self._losses(reply.events_lost)
        if not asked.own:
            self.driver.answered(asked.request, reply, messages.Status(frame.ack))

    def _identified(self, frame: LinkFrame, now_s: float) -> None:
        try:
            who = messages.IdentifyReply.unpack(frame.payload)
        except BadPayload:
            self.counters.bad += 1
            return
        if who.magic != messages.MAGIC:
            return
        self.identity = who
        if who.major != messages.MAJOR:
            self._wrong(
                f"The device speaks version {who.major} of the protocol, this program version {messages.MAJOR}."
            )
        elif who.kind != self.driver.kind:
            here = {1: "a dice tower", 2: "an LED board"}
            found, wanted = here.get(who.kind, "another device"), here[self.driver.kind]
            self._wrong(f"The port holds {found}, not {wanted}: choose the other port.")
        else:
            self._greet(now_s)

    def _wrong(self, sentence: str) -> None:
        self.phase = Phase.WRONG
        self.trouble = WrongDevice(sentence)

    def _greet(self, now_s: float) -> None:
        self.phase = Phase.GREETING
        self._session = self._session % 255 + 1
        self._nonce = self._random.getrandbits(32)
        self._seq = 255
        self._ask(messages.Hello(self._nonce, self._session), now_s, own=True)

    def _begun(self, reply: messages.HelloReply) -> None:
        assert self.identity is not None
        self.phase = Phase.READY
        self.trouble = None
        self.counters.sessions += 1
        self._taken = 0
        # Events that waited when the last session ended are lost; after a reset nothing is known about them. A device
        # without a session was reset, even if a power cut made it forget how often.
        if self._lost is not None and self._boots == self.identity.boots and self.identity.session:
            self._losses(reply.events_lost)
        self._lost = reply.events_lost
        self._boots = self.identity.boots
        self.driver.greet(self.identity)

    # ---- unasked messages of the device

    def _event(self, frame: LinkFrame) -> None:
        if self.phase is not Phase.READY or frame.session != self._session:
            return
        if frame.seq == (self._taken + 1) % 256:
            self._taken = frame.seq
            try:
                event = messages.TOLD[frame.type].unpack(frame.payload)
            except BadPayload:
                self.counters.bad += 1
            else:
                self.counters.events += 1
                self._losses(event.lost)  # type: ignore[attr-defined]
                self.driver.told(event)
        if frame.seq == self._taken:
            self._send(LinkFrame(messages.EventAck.TYPE, self._session, 0, self._taken))

    def _losses(self, lost: int) -> None:
        """Counts lost events; `lost` is the device's count, which wraps at 65536; a repeated answer may hold an older
        one.
        """
        count = (lost - (self._lost or 0)) % 65536
        if 0 < count < 32768:
            self._lost = lost
            self.counters.events_lost += count
            self.driver.missed(count)

    def _no_session(self, frame: LinkFrame, now_s: float) -> None:
        try:
            refused = messages.NoSession.unpack(frame.payload)
        except BadPayload:
            self.counters.bad += 1
            return
        if self.phase is Phase.READY and refused.session == self._session:
            self._restarted(now_s)

    def _restarted(self, now_s: float) -> None:
        self.counters.restarts += 1
        self._give_up(DeviceRestarted("The device was reset while a request was on its way; its state is sent again."))
        self._probe(now_s)
