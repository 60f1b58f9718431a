"""The page's reach in the local network: opened and closed by the host on the page, or by the command line.

The page is on this machine alone until then. The host's choice is kept with the keys, so the next start of the same
command opens it again; only the command line takes back its own choice.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, Protocol

from companion.core.foundation.errors import CompanionError
from web.admission.access import Access
from web.admission.pin import chosen_pin, draw_pin
from web.admission.security import host_name, is_loopback
from web.http.settings import WebSettings
from web.sockets.server import CannotListen, is_own_address, lan_address

By = Literal["page", "command"]
"""The opener of the table to phones."""

NO_NETWORK = "This machine is in no network now. Connect it to one, and try again."
_EVERY_ADDRESS = ("", "0.0.0.0", "::")


class NotOpened(CompanionError, status=409):
    """The table cannot be opened to phones, or closed to them. Nothing has changed."""


class Listener(Protocol):
    """The listener for the page, as `web.sockets.server.Server` is."""

    @property
    def also(self) -> str | None:
        """The address in the local network at which it answers; None: at none."""

    def listen_also(self, host: str) -> None:
        """Answer at this address too.

        Raises:
            CannotListen: It cannot be had.
        """

    def listen_no_more(self) -> None:
        """Ends open connections at that address, and accepts no more.

        Raises:
            CannotListen: The server does not come to it.
        """


class Phones:
    """The way of phones to one table. Every method may be called from any thread."""

    def __init__(
        self,
        access: Access,
        settings: WebSettings,
        *,
        changed: Callable[[Phones], object] = lambda _: None,
        hide: Callable[[str], object] = lambda _: None,
        find: Callable[[], str] = lan_address,
        ours: Callable[[str], bool] = is_own_address,
    ) -> None:
        """
        Args:
            settings: The choice of the command line, and the page's address.
            changed: Is called whenever phones are let in, in another way, or no longer.
            hide: Gets each PIN before it is used, so that no log holds it.
            find: The address of this machine in the local network; loopback: it is in none.
            ours: Returns true if an address is one of this machine now.
        """
        self._access, self._settings = access, settings
        self._changed, self._hide, self._find, self._ours = changed, hide, find, ours
        # Who says `--lan` alone names no address: any of this machine's, then.
        told = "" if settings.lan and is_loopback(settings.host) else settings.host
        self._told = None if is_loopback(told) else told
        self._listener: Listener | None = None
        self._lock = threading.RLock()
        self.trouble: str | None = None
        """Why phones do not reach the table although the host has let them in; None: they do, or were not let in."""

    def attach(self, listener: Listener) -> None:
        """The page may open the table from now on. What the host decided before an earlier end is carried out.

        Args:
            listener: Of this table alone.
        """
        with self._lock:
            if self._told is not None:
                return
            self._listener = listener
            if self._access.keys.kept.phones:
                self._access.pin = self._access.keys.kept.pin
                self.follow()
                if self.trouble is not None:
                    self._changed(self)

    @property
    def by(self) -> By | None:
        """The opener of the table to phones, or None."""
        if self._told is not None:
            return "command"
        return "page" if self._listener is not None and self._access.keys.kept.phones else None

    @property
    def may_open(self) -> bool:
        """True if the page can open and close the table to phones."""
        return self._listener is not None

    @property
    def may_change_pin(self) -> bool:
        """True if there is a PIN to change."""
        return self.pin is not None

    @property
    def pin(self) -> str | None:
        """The PIN by which phones come in; None: by none."""
        return None if self.by is None else self._access.pin

    @property
    def kept_pin(self) -> str | None:
        """The PIN that was kept the last time, whether or not it lets anybody in now."""
        return self._access.keys.kept.pin or None

    @property
    def address(self) -> str | None:
        """The address of this machine at which the page answers phones, without the port, or None.

        While this machine is in no network it is the last one, and `trouble` says that it cannot be reached.
        """
        if self._told is not None:
            return self._find() if self._told in _EVERY_ADDRESS else self._told
        return None if self._listener is None else self._listener.also

    def url(self, host: str) -> str:
        """The page as others find it, "http://192.168.1.7:8000/".

        Args:
            host: Host and port under which it was found; what names this machine alone gives way to `address`.
        """
        address = self.address
        if address is not None and is_loopback(host_name(host)):
            port = host.rpartition(":")[2]
            shown = f"[{address}]" if ":" in address else address
            host = f"{shown}:{port}" if port.isdigit() else shown
        return f"{self._settings.scheme}://{host}{self._settings.root}/"

    def open(self, pin: str | None = None) -> None:
        """Let phones in, by this PIN or a fresh one; where they are in, by this one from now on.

        Raises:
            BadPin: It is not six digits.
            NotOpened: The page cannot open this table, there is no network, or its port is taken there.
            KeysNotKept: It could not be written down.
        """
        with self._lock:
            listener = self._changeable()
            chosen = draw_pin() if pin is None else chosen_pin(pin)
            fresh = listener.also is None or not self._ours(listener.also)
            if fresh:
                address = self._find()
                if is_loopback(address):
                    raise NotOpened(NO_NETWORK)
                try:
                    listener.listen_also(address)
                except CannotListen as error:
                    raise NotOpened(f"The table cannot be opened to phones at {address}. {error}") from error
            self._hide(chosen)
            try:
                self._access.take_pin(chosen, phones=True)
            except CompanionError:
                if fresh:
                    # People are told why nothing was opened; an address that cannot be left now is left by `follow`.
                    with suppress(CannotListen):
                        listener.listen_no_more()
                raise
            self.trouble = None
            self._changed(self)

    def close(self) -> None:
        """Let no phone in any more: open connections in the local network end, and this machine goes on.

        Raises:
            NotOpened: The command line has opened it, or the page cannot open this table.
            CannotListen: The server does not come to it now; phones are still in.
            KeysNotKept: It is closed, but the next start opens it again.
        """
        with self._lock:
            self._changeable().listen_no_more()
            self.trouble = None
            try:
                self._access.close_to_phones()
            finally:
                self._changed(self)

    def change_pin(self, pin: str | None = None) -> None:
        """Let phones in by this PIN from now on, or by a fresh one, and by no other. Phones that are in stay in.

        Raises:
            BadPin: It is not six digits.
            NotOpened: The table takes no PIN.
            KeysNotKept: It could not be saved; the previous PIN holds.
        """
        with self._lock:
            if not self.may_change_pin:
                raise NotOpened("This table takes no PIN now. Let phones in first.")
            chosen = draw_pin() if pin is None else chosen_pin(pin)
            self._hide(chosen)
            self._access.take_pin(chosen, phones=self._access.keys.kept.phones)
            self._changed(self)

    def follow(self) -> None:
        """Go with this machine from one network to another: open where it is now, if the host has let phones in.

        An address is kept for as long as the machine has it, so that no second network takes the table from the first.
        If the host has let no phones in, an address that could not be left before is left now.
        """
        with self._lock:
            listener = self._listener
            if listener is None:
                return
            if not self._access.keys.kept.phones:
                if listener.also is not None:
                    with suppress(CannotListen):
                        listener.listen_no_more()
                return
            if listener.also is not None and self._ours(listener.also):
                self.trouble = None
                return
            address = self._find()
            if is_loopback(address):
                self.trouble = NO_NETWORK
                return
            try:
                listener.listen_also(address)
            except CannotListen as error:
                self.trouble = str(error)
                return
            self.trouble = None
            self._changed(self)

    def _changeable(self) -> Listener:
        if self._told is not None:
            raise NotOpened("The command line has opened this page to phones. Start it without --lan and --host first.")
        if self._listener is None:
            raise NotOpened("This table cannot be opened to phones on its page. Start the server with --lan.")
        return self._listener
