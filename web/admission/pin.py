"""The PIN by which a phone is admitted: six digits, drawn at random or chosen by the host."""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Callable
from math import inf
from typing import NamedTuple, TypeVar

from companion.core.foundation.errors import CompanionError

# The brake on wrong PINs makes a guesser wait, but locks out no other visitor.
#
# Unknown visitors are counted by their address, so that a guesser slows down no other address. A common limit for all
# unknown visitors ensures that many addresses guess no faster than a few. A device that was admitted before is
# recognized by its own secret, and is subject to neither limit.

T = TypeVar("T")

SLOWEST_S = 30.0
"""The longest wait in seconds of one address after a wrong PIN. The first wait is one second, and each further one is
twice as long."""
BURST = 20
"""The number of wrong PINs of all unknown visitors together that are accepted before the common limit applies."""
EACH_S = 10.0
"""The number of seconds per wrong PIN under the common limit; trying half of all PINs then takes 58 days."""
SLIPS = 10
"""The number of wrong PINs in a row that a known device may enter without waiting; then it counts as unknown until it
enters the right one."""
REMEMBERED = 1024
"""The number of addresses, and of devices, that are remembered; those whose last wrong PIN is oldest are forgotten
first."""
_PREFIX = 64
"""The prefix length of an IPv6 network that counts as one visitor, because its owner has all of its addresses."""


class Visitor(NamedTuple):
    """A visitor who enters a PIN."""

    address: str = ""
    """The address from which the request comes."""
    device: str | None = None
    """The id of a device that was admitted before, or None."""


class _Slow(NamedTuple):
    """An address after wrong PINs."""

    wrong: int
    not_before: float


class PinBrake:
    """Decides which visitors must wait, and for how long. Use it from one thread at a time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """
        Args:
            clock: Returns the time in seconds, which never goes back.
        """
        self._clock = clock
        self._addresses: dict[str, _Slow] = {}
        self._slips: dict[str, int] = {}
        self._left = float(BURST)
        self._counted_s = clock()

    def wait_s(self, visitor: Visitor) -> float:
        """Returns the number of seconds until this visitor may try; 0 if now."""
        if self._is_known(visitor):
            return 0.0
        now = self._clock()
        slow = self._addresses.get(_place(visitor.address))
        alone = 0.0 if slow is None else slow.not_before - now
        together = (1.0 - self._allowed(now)) * EACH_S
        return max(0.0, alone, together)

    def wrong(self, visitor: Visitor) -> None:
        """Records that this visitor has entered a wrong PIN."""
        if self._is_known(visitor):
            assert visitor.device is not None
            _remember(self._slips, visitor.device, self._slips.get(visitor.device, 0) + 1)
            return
        now, place = self._clock(), _place(visitor.address)
        wrong = self._addresses.get(place, _Slow(0, -inf)).wrong
        _remember(self._addresses, place, _Slow(min(wrong + 1, 10), now + min(SLOWEST_S, 2.0**wrong)))
        self._left = self._allowed(now) - 1.0
        self._counted_s = now

    def right(self, visitor: Visitor) -> None:
        """Records that this visitor has entered the right PIN."""
        if not self._is_known(visitor):
            self._addresses.pop(_place(visitor.address), None)
        if visitor.device is not None:
            self._slips.pop(visitor.device, None)

    def _is_known(self, visitor: Visitor) -> bool:
        return visitor.device is not None and self._slips.get(visitor.device, 0) < SLIPS

    def _allowed(self, now: float) -> float:
        """Returns the number of wrong PINs of unknown visitors that would be accepted now."""
        return min(float(BURST), self._left + (now - self._counted_s) / EACH_S)


def _remember(held: dict[str, T], key: str, value: T) -> None:
    held.pop(key, None)
    held[key] = value
    if len(held) > REMEMBERED:
        del held[next(iter(held))]


def _place(address: str) -> str:
    """Returns the part of an address that counts as one visitor."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, _PREFIX), strict=False))
    return str(found)


_PIN = re.compile(r"[0-9]{6}")


class BadPin(CompanionError, status=400):
    """An error: the chosen text is not a PIN; the previous one stays valid."""


def is_pin(text: str) -> bool:
    """True if a text is exactly six digits."""
    return _PIN.fullmatch(text) is not None


def draw_pin() -> str:
    """Returns six random digits, each PIN with equal probability."""
    return f"{secrets.randbelow(10**6):06d}"


def chosen_pin(text: str) -> str:
    """Returns a typed PIN without blanks around it.

    Raises:
        BadPin: The text is not exactly six digits.
    """
    pin = text.strip()
    if not is_pin(pin):
        raise BadPin("A PIN has exactly six digits, as 246810. Choose one of six digits, or draw another.")
    return pin
