"""The PIN by which a phone comes in: six digits, drawn by chance or chosen by the host."""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Callable
from math import inf
from typing import NamedTuple, TypeVar

from companion.core.foundation.errors import CompanionError

# The brake on wrong PINs: a guesser waits, and locks out no other visitor.
#
# Strangers are counted by their address, so that a guesser slows down no other address, and all
# strangers together by a ceiling, so that many addresses guess no faster than a few. A device that was let in before
# brings a secret of its own by which it is known; it waits for none of them.

T = TypeVar("T")

SLOWEST_S = 30.0
"""One address waits this long at most after a wrong PIN; after the first one a second, then twice as long each time."""
BURST = 20
"""So many wrong PINs of all strangers together are taken at once, before the ceiling holds."""
EACH_S = 10.0
"""Under the ceiling one more is taken every so many seconds: to try half of all PINs takes 58 days."""
SLIPS = 10
"""So many wrong PINs in a row a known device may enter without a wait; then it is a stranger until it is right."""
REMEMBERED = 1024
"""So many addresses, and so many devices, are remembered; those that were wrong longest ago are forgotten first."""
_PREFIX = 64
"""The owner of one IPv6 address of a network of this size has all of them."""


class Visitor(NamedTuple):
    """Somebody at the door."""

    address: str = ""
    """Where the request comes from."""
    device: str | None = None
    """The id of a device that was let in before, or None."""


class _Slow(NamedTuple):
    """An address after wrong PINs."""

    wrong: int
    not_before: float


class PinBrake:
    """The visitors that must wait, and for how long. For one thread at a time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """
        Args:
            clock: Seconds, never going back.
        """
        self._clock = clock
        self._addresses: dict[str, _Slow] = {}
        self._slips: dict[str, int] = {}
        self._left = float(BURST)
        self._counted_s = clock()

    def wait_s(self, visitor: Visitor) -> float:
        """Seconds until this visitor may try; 0: now."""
        if self._is_known(visitor):
            return 0.0
        now = self._clock()
        slow = self._addresses.get(_place(visitor.address))
        alone = 0.0 if slow is None else slow.not_before - now
        together = (1.0 - self._allowed(now)) * EACH_S
        return max(0.0, alone, together)

    def wrong(self, visitor: Visitor) -> None:
        """This visitor has entered a wrong PIN."""
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
        """This visitor has entered the PIN."""
        if not self._is_known(visitor):
            self._addresses.pop(_place(visitor.address), None)
        if visitor.device is not None:
            self._slips.pop(visitor.device, None)

    def _is_known(self, visitor: Visitor) -> bool:
        return visitor.device is not None and self._slips.get(visitor.device, 0) < SLIPS

    def _allowed(self, now: float) -> float:
        """So many wrong PINs of strangers would be taken now."""
        return min(float(BURST), self._left + (now - self._counted_s) / EACH_S)


def _remember(held: dict[str, T], key: str, value: T) -> None:
    held.pop(key, None)
    held[key] = value
    if len(held) > REMEMBERED:
        del held[next(iter(held))]


def _place(address: str) -> str:
    """The part of an address that counts as one visitor."""
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
    """The chosen text is no PIN; the previous one holds."""


def is_pin(text: str) -> bool:
    """True if a text is exactly six digits."""
    return _PIN.fullmatch(text) is not None


def draw_pin() -> str:
    """Six digits by chance, each as likely as any other."""
    return f"{secrets.randbelow(10**6):06d}"


def chosen_pin(text: str) -> str:
    """A PIN as somebody has typed it, without blanks around it.

    Raises:
        BadPin: It is not exactly six digits.
    """
    pin = text.strip()
    if not is_pin(pin):
        raise BadPin("A PIN has exactly six digits, as 246810. Choose one of six digits, or draw another.")
    return pin
