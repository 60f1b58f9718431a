"""Opens the page to phones in the local network, and closes it: by the host on the page, or by the command line.

Until then only this machine can reach the page. The host's choice is stored with the keys, so the next start of the
same command opens the page again. A choice on the command line can only be changed there.
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
"""The place where the table was opened to phones."""

NO_NETWORK = "This machine is in no network now. Connect it to one, and try again."
_EVERY_ADDRESS = ("", "0.0.0.0", "::")


class NotOpened(CompanionError, status=409):
    """An error: the table cannot be opened or closed to phones. Nothing has changed."""


class Listener(Protocol):
    """The server that listens for requests; `web.sockets.server.Server` implements it."""

    @property
    def also(self) -> str | None:
        """The address in the local network on which it also answers; None: it answers on no such address."""

    def listen_also(self, host: str) -> None:
        """Starts to answer on this address, too.

        Raises:
            CannotListen: The address cannot be used.
        """

    def listen_no_more(self) -> None:
        """Ends open connections on that address, and accepts no more.

        Raises:
            CannotListen: The server is too busy to do so.
        """


class Phones:
    """The access of phones to one table. Every method may be called from any thread."""

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
            changed: A function that is called whenever phones are let in, let in differently, or shut out.
            hide: A function that is called with each PIN before it is used, so that no log contains it.
            find: Returns the address of this machine in the local network, or a loopback address if it is in none.
            ours: Returns true if an address is one of this machine now.
        """
        self._access, self._settings = access, settings
        self._changed, self._hide, self._find, self._ours = changed, hide, find, ours
        # `--lan` alone names no address; it stands for every address of this machine.
        told = "" if settings.lan and is_loopback(settings.host) else settings.host
        self._told = None if is_loopback(told) else told
        self._listener: Listener | None = None
        self._lock = threading.RLock()
        self.trouble: str | None = None
        """A sentence on why phones do not reach the table although the host has let them in; None if all is well."""

    def attach(self, listener: Listener) -> None:
        """Allows the page to open the table from now on, and carries out what the host decided in an earlier run.

        Args:
            listener: The server of this table.
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
        """The place where the table was opened to phones, or None if it is closed."""
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
        """The PIN by which phones are admitted; None: no PIN is accepted."""
        return None if self.by is None else self._access.pin

    @property
    def kept_pin(self) -> str | None:
        """The PIN that was last stored, even if it admits nobody now."""
        return self._access.keys.kept.pin or None

    @property
    def address(self) -> str | None:
        """The address of this machine on which the page answers phones, without the port, or None.

        While this machine is in no network, this is its last address, and `trouble` says that it cannot be reached.
        """
        if self._told is not None:
            return self._find() if self._told in _EVERY_ADDRESS else self._told
        return None if self._listener is None else self._listener.also

    def url(self, host: str) -> str:
        """Returns the URL under which other devices find the page: "http://192.168.1.7:8000/".

        Args:
            host: The host and port of the present request; a loopback name is replaced by `address`.
        """
        address = self.address
        if address is not None and is_loopback(host_name(host)):
            port = host.rpartition(":")[2]
            shown = f"[{address}]" if ":" in address else address
            host = f"{shown}:{port}" if port.isdigit() else shown
        return f"{self._settings.scheme}://{host}{self._settings.root}/"

    def open(self, pin: str | None = None) -> None:
        """Lets phones in by this PIN or a new one. If they are already let in, only the PIN changes.

        Raises:
            BadPin: The PIN is not six digits.
            NotOpened: The page cannot open this table, there is no network, or its port is taken there.
            KeysNotKept: The choice could not be saved.
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
                    # People read why the table was not opened. If the address cannot be released now, `follow` releases
                    # it later.
                    with suppress(CannotListen):
                        listener.listen_no_more()
                raise
            self.trouble = None
            self._changed(self)

    def close(self) -> None:
        """Shuts phones out: open connections in the local network end, while this machine goes on.

        Raises:
            NotOpened: The command line has opened it, or the page cannot open this table.
            CannotListen: The server is too busy now; phones are still let in.
            KeysNotKept: The table is closed, but the next start opens it again.
        """
        with self._lock:
            self._changeable().listen_no_more()
            self.trouble = None
            try:
                self._access.close_to_phones()
            finally:
                self._changed(self)

    def change_pin(self, pin: str | None = None) -> None:
        """Changes the PIN to this one or to a new one; the previous PIN expires. Admitted phones stay admitted.

        Raises:
            BadPin: The PIN is not six digits.
            NotOpened: The table takes no PIN.
            KeysNotKept: The PIN could not be saved; the previous one stays valid.
        """
        with self._lock:
            if not self.may_change_pin:
                raise NotOpened("This table takes no PIN now. Let phones in first.")
            chosen = draw_pin() if pin is None else chosen_pin(pin)
            self._hide(chosen)
            self._access.take_pin(chosen, phones=self._access.keys.kept.phones)
            self._changed(self)

    def follow(self) -> None:
        """Follows this machine into another network: opens the table on the new address, if the host has let phones in.

        An address is used as long as the machine has it, so a second network does not take over the table. If phones
        are shut out, an address that could not be released before is released now.
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
