"""The messages of the protocol, as Python types.

Generated from `messages.toml` by `python -m firmware_protocol.generate`; edit that file, not this one.
"""

from __future__ import annotations

import struct
from enum import IntEnum, IntFlag

from firmware_protocol.payload import DieReading, Payload

MAGIC = b"TTP"
"""How an IDENTIFY reply begins."""
MAJOR = 1
"""Protocol version; another major is refused."""
MINOR = 0
"""Protocol version; minors only append."""


DICE_MAX = 6
"""Dice in one event at most."""


EVENTS_MAX = 8
"""Events that a device keeps until they are acknowledged."""


EVENT_RESEND_MS = 40
"""Milliseconds until an unacknowledged event is sent again."""


SILENCE_MS = 5000
"""Milliseconds without a frame until a device falls back to its idle policy."""


class Status(IntEnum):
    """The outcome of a request; it travels in the reply's `ack` byte."""

    OK = 0
    """Done."""
    UNKNOWN_TYPE = 1
    """This device has no such request."""
    BAD_RANGE = 2
    """A length, offset or number out of its range; nothing was changed."""
    BUSY = 3
    """Not now; ask again."""
    NOT_SUPPORTED = 4
    """The hardware for it is missing."""
    OVER_POWER = 5
    """Done, but dimmed to stay inside the current limit."""


class Kind(IntEnum):
    """The kind of a device."""

    TOWER = 1
    """A dice tower."""
    BOARD = 2
    """An LED board."""


class Capability(IntFlag):
    """Bits of `caps`: what a device can do."""

    LEDS = 1
    """A strip of lights."""
    GATE = 2
    """A light gate that sees dice fall."""
    COLOR = 4
    """Color sensors under the dice."""
    BUTTONS = 8
    """Push buttons."""


class Policy(IntEnum):
    """The lights' behavior while the host is silent or has said BYE."""

    OFF = 0
    """Dark."""
    DIM = 1
    """The last picture at a quarter of its brightness."""
    KEEP = 2
    """The last picture as it is."""


class Effect(IntEnum):
    """A short animation that the device runs by itself."""

    NONE = 0
    """Stop the running effect."""
    FLASH = 1
    """On and off, 125 ms each."""
    PULSE = 2
    """Swelling and fading, 512 ms a round."""


class Outcome(IntEnum):
    """How a roll came to rest."""

    SETTLED = 0
    """Every die lies still and its face is known."""
    COCKED = 1
    """The dice lie still, but at least one shows no face."""
    MOVED = 2
    """A die that lay still shows another face, without a throw through the gate."""
    TIMEOUT = 3
    """The readings did not become steady in three seconds."""


class Identify(Payload, frozen=True):
    """Who is there? Session 0, without effect; the only frame that may be sent to a port that is not known yet."""

    TYPE = 0x01
    NAME = "IDENTIFY"
    HEAD = struct.Struct("<")
    TAIL = ""


class IdentifyReply(Payload, frozen=True):
    """The answer to IDENTIFY."""

    TYPE = 0x01
    NAME = "IDENTIFY"
    HEAD = struct.Struct("<3sBBB3sHBHIHB")
    TAIL = ""

    magic: bytes
    """The letters TTP."""
    major: int
    """Protocol version; another major is refused."""
    minor: int
    """Protocol version; minors only append."""
    kind: int
    """See Kind."""
    firmware: bytes
    """Firmware version, three numbers."""
    caps: int
    """See Capability."""
    max_payload: int
    """Longest payload that the device takes."""
    leds: int
    """Lights on the strip."""
    uid: int
    """Number burnt into this device; 0: none."""
    boots: int
    """Resets since power came on."""
    session: int
    """The session that the device is in; 0: none."""


class Hello(Payload, frozen=True):
    """Begins a session: the last reply and the waiting events are forgotten. The same nonce again has no effect."""

    TYPE = 0x02
    NAME = "HELLO"
    HEAD = struct.Struct("<IB")
    TAIL = ""

    nonce: int
    """A random number of the host."""
    session: int
    """The new session, 1 to 255."""


class HelloReply(Payload, frozen=True):
    """The answer to HELLO."""

    TYPE = 0x02
    NAME = "HELLO"
    HEAD = struct.Struct("<IBH")
    TAIL = ""

    nonce: int
    """As asked."""
    session: int
    """As asked."""
    events_lost: int
    """Events lost since power-on, when this session began."""


class Ping(Payload, frozen=True):
    """Send the same bytes back."""

    TYPE = 0x03
    NAME = "PING"
    HEAD = struct.Struct("<")
    TAIL = "rest"

    data: bytes
    """Up to 56 bytes."""


class PingReply(Payload, frozen=True):
    """The answer to PING."""

    TYPE = 0x03
    NAME = "PING"
    HEAD = struct.Struct("<")
    TAIL = "rest"

    data: bytes
    """The same bytes."""


class Stats(Payload, frozen=True):
    """Counters since power-on; all wrap."""

    TYPE = 0x04
    NAME = "STATS"
    HEAD = struct.Struct("<")
    TAIL = ""


class StatsReply(Payload, frozen=True):
    """The answer to STATS."""

    TYPE = 0x04
    NAME = "STATS"
    HEAD = struct.Struct("<HHHHHHHHI")
    TAIL = ""

    good: int
    """Frames received whole."""
    bad: int
    """Frames dropped: checksum, length or coding."""
    ring_over: int
    """Bytes lost because the receive ring was full."""
    hardware_over: int
    """Bytes lost because the receiver was not emptied in time."""
    repeated: int
    """Requests answered from memory, not executed again."""
    events_made: int
    """Events that happened."""
    events_lost: int
    """Of these, the ones that no host will ever get."""
    executed: int
    """Requests executed in this session."""
    chain: int
    """31 * chain + byte over type, seq and payload of each executed request of this session, in order."""


class EventAck(Payload, frozen=True):
    """Only carries `ack`, the number of the last event that the host has taken. No reply, no seq."""

    TYPE = 0x05
    NAME = "EVENT_ACK"
    HEAD = struct.Struct("<")
    TAIL = ""


class Bye(Payload, frozen=True):
    """The host leaves: apply this policy now and whenever the host is silent. The session stays."""

    TYPE = 0x06
    NAME = "BYE"
    HEAD = struct.Struct("<B")
    TAIL = ""

    policy: int
    """See Policy."""


class ByeReply(Payload, frozen=True):
    """The answer to BYE."""

    TYPE = 0x06
    NAME = "BYE"
    HEAD = struct.Struct("<")
    TAIL = ""


class LedPixels(Payload, frozen=True):
    """Set lights one by one in the picture that the next LED_SHOW will show."""

    TYPE = 0x10
    NAME = "LED_PIXELS"
    HEAD = struct.Struct("<H")
    TAIL = "rest"

    offset: int
    """First light."""
    colors: bytes
    """Three bytes a light, 18 lights at most."""


class LedPixelsReply(Payload, frozen=True):
    """The answer to LED_PIXELS."""

    TYPE = 0x10
    NAME = "LED_PIXELS"
    HEAD = struct.Struct("<")
    TAIL = ""


class LedMask(Payload, frozen=True):
    """Give one color to every light whose bit is set; the others stay."""

    TYPE = 0x11
    NAME = "LED_MASK"
    HEAD = struct.Struct("<3sH")
    TAIL = "rest"

    color: bytes
    """The color."""
    offset: int
    """The light of the first bit."""
    bits: bytes
    """One bit a light, lowest bit first."""


class LedMaskReply(Payload, frozen=True):
    """The answer to LED_MASK."""

    TYPE = 0x11
    NAME = "LED_MASK"
    HEAD = struct.Struct("<")
    TAIL = ""


class LedFill(Payload, frozen=True):
    """Give one color to a run of lights."""

    TYPE = 0x12
    NAME = "LED_FILL"
    HEAD = struct.Struct("<3sHH")
    TAIL = ""

    color: bytes
    """The color."""
    offset: int
    """First light."""
    count: int
    """The number of lights."""


class LedFillReply(Payload, frozen=True):
    """The answer to LED_FILL."""

    TYPE = 0x12
    NAME = "LED_FILL"
    HEAD = struct.Struct("<")
    TAIL = ""


class LedShow(Payload, frozen=True):
    """Show the picture. The reply leaves after the strip has latched it."""

    TYPE = 0x13
    NAME = "LED_SHOW"
    HEAD = struct.Struct("<HB")
    TAIL = ""

    generation: int
    """The host's number for this picture."""
    brightness: int
    """255: as bright as the colors say."""


class LedShowReply(Payload, frozen=True):
    """The answer to LED_SHOW."""

    TYPE = 0x13
    NAME = "LED_SHOW"
    HEAD = struct.Struct("<HHB")
    TAIL = ""

    generation: int
    """As asked."""
    current_ma: int
    """Estimate of what the strip draws now, in milliamperes."""
    brightness: int
    """The brightness in use; less than asked with status OVER_POWER."""


class LedDigest(Payload, frozen=True):
    """The request for the digest of the device's picture."""

    TYPE = 0x14
    NAME = "LED_DIGEST"
    HEAD = struct.Struct("<")
    TAIL = ""


class LedDigestReply(Payload, frozen=True):
    """The answer to LED_DIGEST."""

    TYPE = 0x14
    NAME = "LED_DIGEST"
    HEAD = struct.Struct("<HI")
    TAIL = ""

    generation: int
    """Of the last LED_SHOW; 0: none since reset."""
    digest: int
    """CRC-32 of the picture, three bytes a light."""


class LedEffect(Payload, frozen=True):
    """Lay a short animation over the picture; no traffic while it runs, the picture comes back by itself."""

    TYPE = 0x15
    NAME = "LED_EFFECT"
    HEAD = struct.Struct("<B3sHH")
    TAIL = "rest"

    effect: int
    """See Effect."""
    color: bytes
    """The color."""
    duration_ms: int
    """The duration."""
    offset: int
    """The light of the first bit."""
    bits: bytes
    """One bit a light, lowest bit first."""


class LedEffectReply(Payload, frozen=True):
    """The answer to LED_EFFECT."""

    TYPE = 0x15
    NAME = "LED_EFFECT"
    HEAD = struct.Struct("<")
    TAIL = ""


class TowerConfig(Payload, frozen=True):
    """The number of sensors to read, and the time for which the gate must be quiet."""

    TYPE = 0x20
    NAME = "TOWER_CONFIG"
    HEAD = struct.Struct("<BH")
    TAIL = ""

    sensors: int
    """0 to 6; 0: the camera reads the dice."""
    quiet_ms: int
    """Milliseconds without a die in the gate until reading begins."""


class TowerConfigReply(Payload, frozen=True):
    """The answer to TOWER_CONFIG."""

    TYPE = 0x20
    NAME = "TOWER_CONFIG"
    HEAD = struct.Struct("<")
    TAIL = ""


class TowerState(Payload, frozen=True):
    """The dice in the tower now; asked after every HELLO and whenever events were lost."""

    TYPE = 0x21
    NAME = "TOWER_STATE"
    HEAD = struct.Struct("<")
    TAIL = ""


class TowerStateReply(Payload, frozen=True):
    """The answer to TOWER_STATE."""

    TYPE = 0x21
    NAME = "TOWER_STATE"
    HEAD = struct.Struct("<BH")
    TAIL = "dice"

    rolling: int
    """1 while dice fall or are being read."""
    roll: int
    """Number of the last roll; 0: none since reset."""
    dice: tuple[DieReading, ...]
    """The last steady reading."""


class TowerColor(Payload, frozen=True):
    """The look of a face to the sensors. Face 0 forgets all faces."""

    TYPE = 0x22
    NAME = "TOWER_COLOR"
    HEAD = struct.Struct("<B3s")
    TAIL = ""

    face: int
    """1 to 12; 0: forget all."""
    color: bytes
    """The sensor's red, green and blue, a quarter of TOWER_RAW."""


class TowerColorReply(Payload, frozen=True):
    """The answer to TOWER_COLOR."""

    TYPE = 0x22
    NAME = "TOWER_COLOR"
    HEAD = struct.Struct("<")
    TAIL = ""


class TowerRaw(Payload, frozen=True):
    """Read one sensor now, for calibration."""

    TYPE = 0x23
    NAME = "TOWER_RAW"
    HEAD = struct.Struct("<B")
    TAIL = ""

    die: int
    """Sensor, 0 to 5."""


class TowerRawReply(Payload, frozen=True):
    """The answer to TOWER_RAW."""

    TYPE = 0x23
    NAME = "TOWER_RAW"
    HEAD = struct.Struct("<HHH")
    TAIL = ""

    red: int
    """Lit minus dark, 0 to 1023."""
    green: int
    """Lit minus dark, 0 to 1023."""
    blue: int
    """Lit minus dark, 0 to 1023."""


class RollStarted(Payload, frozen=True):
    """The first die fell through the gate."""

    TYPE = 0x40
    NAME = "ROLL_STARTED"
    HEAD = struct.Struct("<HHI")
    TAIL = ""

    lost: int
    """Events lost since power-on, when this was sent."""
    roll: int
    """Number of the roll."""
    at_ms: int
    """The device's clock."""


class RollSettled(Payload, frozen=True):
    """The dice came to rest, or one that had come to rest was moved."""

    TYPE = 0x41
    NAME = "ROLL_SETTLED"
    HEAD = struct.Struct("<HHIB")
    TAIL = "dice"

    lost: int
    """Events lost since power-on, when this was sent."""
    roll: int
    """Number of the roll."""
    at_ms: int
    """The device's clock."""
    outcome: int
    """See Outcome."""
    dice: tuple[DieReading, ...]
    """The readings of the sensors."""


class Button(Payload, frozen=True):
    """A button went down (edge 1) or up (edge 0)."""

    TYPE = 0x42
    NAME = "BUTTON"
    HEAD = struct.Struct("<HBB")
    TAIL = ""

    lost: int
    """Events lost since power-on, when this was sent."""
    button: int
    """Which one, from 0."""
    edge: int
    """1 down, 0 up."""


class Boot(Payload, frozen=True):
    """Sent once after a reset, in session 0, with the payload of an IDENTIFY reply. Hosts must not rely on it."""

    TYPE = 0x5E
    NAME = "BOOT"
    HEAD = struct.Struct("<")
    TAIL = "rest"

    data: bytes
    """The payload of an IDENTIFY reply."""


class Log(Payload, frozen=True):
    """A line of text for people. Not numbered; it may be lost."""

    TYPE = 0x5F
    NAME = "LOG"
    HEAD = struct.Struct("<")
    TAIL = "rest"

    text: bytes
    """ASCII."""


class NoSession(Payload, frozen=True):
    """The device refused a frame because it is not in that session. The host says HELLO."""

    TYPE = 0x7F
    NAME = "NO_SESSION"
    HEAD = struct.Struct("<BBB")
    TAIL = ""

    session: int
    """Of the refused frame."""
    seq: int
    """Of the refused frame."""
    type: int
    """Of the refused frame."""


REQUESTS: dict[int, type[Payload]] = {
    0x01: Identify,
    0x02: Hello,
    0x03: Ping,
    0x04: Stats,
    0x05: EventAck,
    0x06: Bye,
    0x10: LedPixels,
    0x11: LedMask,
    0x12: LedFill,
    0x13: LedShow,
    0x14: LedDigest,
    0x15: LedEffect,
    0x20: TowerConfig,
    0x21: TowerState,
    0x22: TowerColor,
    0x23: TowerRaw,
}
"""The messages of a host, by type."""


REPLIES: dict[int, type[Payload]] = {
    0x01: IdentifyReply,
    0x02: HelloReply,
    0x03: PingReply,
    0x04: StatsReply,
    0x06: ByeReply,
    0x10: LedPixelsReply,
    0x11: LedMaskReply,
    0x12: LedFillReply,
    0x13: LedShowReply,
    0x14: LedDigestReply,
    0x15: LedEffectReply,
    0x20: TowerConfigReply,
    0x21: TowerStateReply,
    0x22: TowerColorReply,
    0x23: TowerRawReply,
}
"""The replies of a device, by the type of the request."""


TOLD: dict[int, type[Payload]] = {
    0x40: RollStarted,
    0x41: RollSettled,
    0x42: Button,
    0x5E: Boot,
    0x5F: Log,
    0x7F: NoSession,
}
"""The unasked messages of a device, by type."""


NUMBERED = frozenset({0x40, 0x41, 0x42})
"""Types of the events that are numbered and acknowledged."""
