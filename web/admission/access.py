"""The rights to change the table: tokens, one-time tickets and the PIN.

The house's own store (`web.admission.keys`) keeps two secrets of 128 bits, the host's and the table's; people never
type them. A browser receives one in a cookie: on this machine by opening the page, elsewhere by a one-time ticket or by
the PIN on the host's screen, which changes at each start until the host chooses one. A wrong PIN slows down the browser
that entered it (`web.admission.pin`) and locks out no other browser: bans would lock out the owner's own phone. So
every admitted browser also receives a third secret, which identifies it later as a known device, even after the other
two have changed.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable
from hashlib import sha256
from math import ceil
from typing import Literal

from companion.core.foundation.errors import CompanionError
from web.admission.invitations import Invitations, Invited
from web.admission.keys import Keys
from web.admission.pin import PinBrake, Visitor, draw_pin
from web.http.answers import TryLater

Role = Literal["host", "table"]

STRANGER = Visitor()
"""A visitor without any secret."""

NO_PIN = "This page takes no PIN now. Open it on the machine that runs it, or ask there to be let in."
"""The message where no PIN is accepted, instead of the form for a PIN and as the answer to a PIN."""

_DEVICE_DIGITS = 16
"""The number of hexadecimal digits of a device's id."""
_TICKETS = 64


class NotAdmitted(CompanionError, status=403):
    """An error: a wrong or used ticket or PIN."""


class TooSoon(TryLater, status=429):
    """An error: another attempt before the waiting time after a wrong PIN is over."""

    def __init__(self, wait_s: float) -> None:
        whole_s = max(1, ceil(wait_s))
        super().__init__(
            f"A wrong PIN was entered shortly before. Try again in {whole_s} s, or come in by a link from the host's"
            " page.",
            whole_s,
        )


class Access:
    """The rights of browsers during one run of the page. Every method may be called from any thread."""

    def __init__(
        self,
        *,
        pin: str | None = None,
        clock: Callable[[], float] = time.monotonic,
        token: Callable[[], str] = lambda: secrets.token_hex(16),
        keys: Keys | None = None,
    ) -> None:
        """
        Args:
            pin: The digits that admit a browser on another machine; None: no PIN is accepted.
            clock: Returns the time in seconds, which never goes back.
            token: Draws a random secret of 128 bits.
            keys: The store of the secrets; by default new secrets for this run only.
        """
        self.pin = pin
        self._draw = token
        self._keys = keys or Keys(token=token)
        self._tickets: dict[str, Role] = {}
        self._invitations = Invitations(clock, token)
        self._brake = PinBrake(clock)
        self._lock = threading.Lock()

    @staticmethod
    def with_pin(keys: Keys | None = None) -> Access:
        """Returns rights with a PIN, the stored one or a new one, for a page that the local network may reach."""
        return Access(pin=keys.kept.pin if keys is not None and keys.kept.pin else draw_pin(), keys=keys)

    @property
    def keys(self) -> Keys:
        """The store of secrets and PIN."""
        return self._keys

    def take_pin(self, pin: str, *, phones: bool) -> None:
        """Makes this the only PIN from now on, also after a restart. Admitted browsers stay admitted.

        Args:
            pin: Six digits.
            phones: True if the host has let phones in on the page; this is saved with the PIN.

        Raises:
            KeysNotKept: The PIN could not be saved; nothing has changed.
        """
        with self._lock:
            self._keys.keep_pin(pin, phones=phones)
            self.pin = pin

    def close_to_phones(self) -> None:
        """Closes the table to phones: no PIN is accepted any more.

        Raises:
            KeysNotKept: The change could not be saved, and is valid only until this run ends.
        """
        with self._lock:
            self.pin = None
            self._keys.close_to_phones()

    def token(self, role: Role) -> str:
        """Returns the secret that stands for a role."""
        kept = self._keys.kept
        return kept.host if role == "host" else kept.table

    def send_away(self) -> None:
        """Withdraws the rights of every browser but the host's, and invalidates all links.

        Raises:
            KeysNotKept: The change could not be saved; nothing has changed.
        """
        with self._lock:
            self._keys.renew_table()
            self._tickets.clear()
        self._invitations.close()

    def role(self, token: str | None) -> Role | None:
        """Returns the role of a presented token, or None. Tokens are compared in constant time."""
        if not token:
            return None
        given = token.encode("utf-8", "surrogatepass")
        kept = self._keys.kept
        if hmac.compare_digest(given, kept.host.encode()):
            return "host"
        if hmac.compare_digest(given, kept.table.encode()):
            return "table"
        return None

    def device(self) -> str:
        """Returns a new secret that identifies an admitted browser from now on, as long as the host's key is valid."""
        name = secrets.token_hex(_DEVICE_DIGITS // 2)
        return name + self._seal(name)

    def known_device(self, secret: str | None) -> str | None:
        """Returns the id of the device with this secret; None if the secret is not genuine. It is compared in constant
        time.
        """
        if not secret or not secret.isascii():
            return None
        name, seal = secret[:_DEVICE_DIGITS], secret[_DEVICE_DIGITS:]
        return name if hmac.compare_digest(seal, self._seal(name)) else None

    def _seal(self, name: str) -> str:
        return hmac.new(self._keys.kept.host.encode(), b"device:" + name.encode(), sha256).hexdigest()

    def ticket(self, role: Role = "table") -> str:
        """Returns a secret that admits one browser once. It follows the `#` of `/join`, so no log ever contains it."""
        ticket = self._draw()
        with self._lock:
            while len(self._tickets) >= _TICKETS:
                del self._tickets[next(iter(self._tickets))]
            self._tickets[ticket] = role
        return ticket

    def invite(self, places: int, known: str | None = None) -> Invited:
        """Returns an open invitation for a screen; see `Invitations.show`."""
        return self._invitations.show(places, known)

    def join_by_ticket(self, ticket: str) -> Role:
        """Uses up a ticket, or takes a place of an invitation by one of its codes. Returns the role.

        Raises:
            NotAdmitted: The text is not a ticket, or was used before.
        """
        with self._lock:
            role = self._tickets.pop(ticket, None)
        if role is None and self._invitations.use(ticket):
            role = "table"
        if role is None:
            raise NotAdmitted(
                "This link was used before or is of an earlier start. Ask for a new one on the host's page."
            )
        return role

    def join_by_pin(self, pin: str, visitor: Visitor = STRANGER) -> Role:
        """Admits a browser by PIN. A wrong PIN makes its visitor wait; `web.admission.pin` says how it affects others.

        Raises:
            NotAdmitted: The PIN is wrong, or this page has none.
            TooSoon: The visitor must wait; the PIN was not checked.
        """
        with self._lock:
            if self.pin is None:
                raise NotAdmitted(NO_PIN)
            wait_s = self._brake.wait_s(visitor)
            if wait_s > 0:
                raise TooSoon(wait_s)
            if hmac.compare_digest(pin.encode("utf-8", "surrogatepass"), self.pin.encode()):
                self._brake.right(visitor)
                return "table"
            self._brake.wrong(visitor)
        raise NotAdmitted("That is not the PIN. It is on the host's page and in the terminal that started it.")
