"""The LED board on a serial line: keeps the wanted picture and makes the strip show it.

Only the wanted picture is stored, not a queue of commands: after a reset, a lost cable or any doubt the whole picture
is sent again. The board is asked for its digest from time to time, so that a strip that differs for any reason is
corrected.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence

from companion.core.foundation.errors import DeviceError, RequestRefused
from firmware_protocol import messages
from firmware_protocol.payload import Payload
from hardware import picture
from hardware.die_faces import Color
from hardware.lights import Flash, Lights
from hardware.picture import Picture

CHECK_S = 5.0
"""The number of seconds between two checks of the digest."""
REFUSED_PAUSE_S = 1.0
"""The number of seconds after a refusal before the next request, because an immediate one would be refused, too."""
STALE_S = 1.0
"""A flash older than this number of seconds is dropped, because its move is long past."""


class LedBoard(Lights):
    """A board for the line's driver. Any thread may call `show` and `flash`; the line's thread calls the rest.

    Args:
        brightness: 0 to 255.
        limit_ma: Milliamperes that the lights may draw; the picture is dimmed to keep to it.
    """

    kind = messages.Kind.BOARD

    def __init__(
        self,
        places: Mapping[str, Sequence[int]],
        count: int | None = None,
        *,
        brightness: int = 255,
        limit_ma: float = picture.USB_MA,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(places, count)
        self._brightness = brightness
        self._limit_ma = limit_ma
        self._clock = clock
        self._lock = threading.Lock()
        self._wanted: Picture = picture.dark(self.count)
        self._flash: tuple[Flash, float] | None = None
        # Only the line's thread uses the following attributes.
        self._room = 0
        self._held: list[Color] | None = None
        self._shown: Picture | None = None
        self._generation = 0
        self._checked_s = 0.0
        self._not_before_s = 0.0
        self._dimmed = False
        self._current_ma: int | None = None
        self._healed = 0

    @property
    def settled(self) -> bool:
        """True if the strip shows the wanted picture, as far as is known."""
        with self._lock:
            return self._shown is not None and self._shown == picture.fitted(self._wanted, self._room)

    @property
    def dimmed(self) -> bool:
        """True if the last picture had to be dimmed to stay within the current limit."""
        return self._dimmed

    @property
    def current_ma(self) -> int | None:
        """The board's own estimate of its current in milliamperes; None before the first picture."""
        return self._current_ma

    @property
    def healed(self) -> int:
        """The number of times that the board held another picture than the one sent."""
        return self._healed

    @property
    def sentence(self) -> str:
        """A sentence for people on what the strip shows and draws, as far as it is known."""
        shown = self._shown
        if shown is None:
            return "No picture is on the strip yet."
        lit = sum(any(color) for color in shown)
        draws = "" if self._current_ma is None else f", about {self._current_ma} mA"
        dimmed = " They are dimmed to stay within the limit." if self._dimmed else ""
        return f"{lit} of {len(shown)} lights are lit{draws}.{dimmed}"

    def show(self, wanted: Picture) -> None:
        """See Lights."""
        if len(wanted) != self.count:
            raise ValueError(f"A picture of {len(wanted)} lights for a strip of {self.count}.")
        with self._lock:
            self._wanted = wanted

    def flash(self, wanted: Flash) -> None:
        """See Lights."""
        with self._lock:
            self._flash = (wanted, self._clock())

    # ---- called by the link

    def greet(self, identity: messages.IdentifyReply) -> None:
        """See Driver."""
        self._room = identity.leds
        self._held = None
        self._shown = None
        self._checked_s = self._clock()

    def next(self, now_s: float) -> Payload | None:
        """Returns the next step toward the wanted picture: change lights, show, then flash, then look whether it
        holds.
        """
        if self._room == 0 or self._clock() < self._not_before_s:
            return None
        with self._lock:
            wanted, flash = picture.fitted(self._wanted, self._room), self._flash
            self._flash = None
        if self._shown != wanted:
            if flash is not None:
                self._put_back(flash)
            return self._towards(wanted)
        lights = [light for light in flash[0].lights if light < self._room] if flash is not None else []
        if flash is not None and lights and self._clock() - flash[1] <= STALE_S:
            offset, bits = picture.masks(lights)[0]
            return messages.LedEffect(messages.Effect.FLASH, bytes(flash[0].color), flash[0].duration_ms, offset, bits)
        if self._clock() - self._checked_s >= CHECK_S:
            self._checked_s = self._clock()
            return messages.LedDigest()
        return None

    def answered(self, request: Payload, reply: Payload, status: messages.Status) -> None:
        """See Driver."""
        match request:
            case messages.LedFill(color, offset, count):
                self._hold(dict.fromkeys(range(offset, offset + count), color))
            case messages.LedMask(color, offset, bits):
                which = (at for at in range(8 * len(bits)) if bits[at // 8] >> at % 8 & 1)
                self._hold({offset + at: color for at in which})
            case messages.LedPixels(offset, colors):
                self._hold({offset + at: colors[3 * at : 3 * at + 3] for at in range(len(colors) // 3)})
            case messages.LedShow():
                assert isinstance(reply, messages.LedShowReply)
                self._shown = tuple(self._held) if self._held is not None else None
                self._dimmed = status is messages.Status.OVER_POWER or request.brightness < self._brightness
                self._current_ma = reply.current_ma
            case messages.LedDigest():
                assert isinstance(reply, messages.LedDigestReply)
                self._compare(reply)

    def failed(self, request: Payload, why: DeviceError) -> None:
        """Sends the whole picture again, because the board's picture is unknown now; after a refusal it waits a
        little.
        """
        if isinstance(why, RequestRefused):
            self._not_before_s = self._clock() + REFUSED_PAUSE_S
        if not isinstance(request, messages.LedEffect | messages.LedDigest):
            self._held = None
            self._shown = None

    def told(self, event: Payload) -> None:
        """Does nothing: a board has no events."""

    def missed(self, count: int) -> None:
        """Does nothing: a board has no events."""

    # ---- internal

    def _put_back(self, flash: tuple[Flash, float]) -> None:
        with self._lock:
            self._flash = self._flash or flash

    def _towards(self, wanted: Picture) -> Payload:
        if self._held is None:
            return messages.LedFill(bytes(picture.DARK), 0, self._room)
        steps = picture.requests(tuple(self._held), wanted)
        if steps:
            return steps[0]
        self._generation = self._generation % 65535 + 1
        return messages.LedShow(self._generation, picture.allowed_brightness(wanted, self._brightness, self._limit_ma))

    def _hold(self, colors: Mapping[int, bytes]) -> None:
        """Notes that the board has taken these colors. An unknown picture becomes known by the first fill."""
        if self._held is None:
            self._held = list(picture.dark(self._room))
        for at, color in colors.items():
            self._held[at] = (color[0], color[1], color[2])

    def _compare(self, reply: messages.LedDigestReply) -> None:
        if self._held is None:
            return
        if (reply.generation, reply.digest) != (self._generation, picture.digest(tuple(self._held))):
            self._healed += 1
            self._held = None
            self._shown = None
