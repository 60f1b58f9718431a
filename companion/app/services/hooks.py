"""Sends news to addresses on the web: one signed request for each, repeated after growing waits, on a thread for each
address. Hooks never delay a verdict.

The signature is HMAC-SHA256, with a secret that both sides know, over the time of the request, a full stop and the
body; so strangers cannot forge news, and a receiver can refuse an old request. Redirects are not followed: news go only
to the configured address.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import threading
import time
from collections.abc import Callable, Sequence
from http.client import HTTPException
from typing import Any, Protocol
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec

from companion import __version__
from companion.core.foundation.errors import WrongUsage
from companion.core.foundation.logs import note
from companion.core.foundation.secrecy import Secret, SecretAddress
from companion.referee.news.bulletin import News
from companion.referee.news.news_publisher import NewsPublisher, Outbox

TIMEOUT_S = 10.0
WAITS_S = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
"""The numbers of seconds before the second, third, ... try; the last one repeats."""
GIVE_UP_S = 3600.0
"""The number of seconds after which undelivered news are dropped, counted and logged."""
_AGAIN = (408, 425, 429)
"""The refusals that mean "later"; after any other 4xx the same request would always be refused."""

_LOG = logging.getLogger("companion.hooks")


class SendRequest(Protocol):
    """A function that sends one request and returns the status of the answer."""

    def __call__(self, url: str, body: bytes, headers: dict[str, str]) -> int:
        """Sends a request. Raises OSError: There was no answer."""


def signature(secret: str, moment: str, body: bytes) -> str:
    """Returns the value of `Companion-Signature`."""
    return "sha256=" + hmac.new(secret.encode(), moment.encode() + b"." + body, hashlib.sha256).hexdigest()


def check_addresses(addresses: Sequence[SecretAddress], secret: Secret | None) -> None:
    """Checks the addresses of hooks before any news is sent.

    Raises:
        WrongUsage: One of them is no plain address on the web, or there is no secret for signatures.
    """
    for one in addresses:
        if one.scheme not in ("http", "https") or not one.host or one.port == 0 or one.user is not None:
            raise WrongUsage("A hook is an address such as https://HOST/PATH, without user and password. Fix it.")
    if addresses and (secret is None or not secret.reveal()):
        raise WrongUsage("Hooks need a secret to sign with. Set hook-secret in the configuration.")


class Hook:
    """The news for one address. As a context manager it ends its thread on leaving; waiting news are not sent."""

    def __init__(
        self,
        address: SecretAddress,
        secret: Secret,
        news: NewsPublisher,
        *,
        send: SendRequest | None = None,
        clock: Callable[[], float] = time.time,
        waits_s: Sequence[float] = WAITS_S,
        give_up_s: float = GIVE_UP_S,
    ) -> None:
        self._address, self._secret, self._news = address, secret, news
        self._send = send or _post
        self._clock = clock
        self._waits_s, self._give_up_s = waits_s, give_up_s
        self.outbox = Outbox(f"hook {address.host}")
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"hook {address.host}", daemon=True)

    def __enter__(self) -> Hook:
        self._news.listen(self.outbox)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self.outbox.wake()
        self._thread.join(timeout=TIMEOUT_S)

    def _run(self) -> None:
        while not self._closing.is_set():
            news = self.outbox.take(1.0)
            if news is not None:
                self._deliver(news)

    def _deliver(self, news: News) -> None:
        body = msgspec.json.encode(news)
        began_s, tries = self._clock(), 0
        while not self._closing.is_set():
            why = self._try(news, body)
            if why is None:
                self.outbox.sent += 1
                return
            last = self._clock() - began_s > self._give_up_s
            if (why.startswith("4") and int(why) not in _AGAIN) or last:
                self.outbox.dropped += 1
                note(_LOG, logging.WARNING, "given up", to=self.outbox.name, id=news.id, why=why, tries=tries + 1)
                return
            if tries == 0:
                note(_LOG, logging.WARNING, "away", to=self.outbox.name, id=news.id, why=why)
            self._closing.wait(self._waits_s[min(tries, len(self._waits_s) - 1)])
            tries += 1

    def _try(self, news: News, body: bytes) -> str | None:
        """Sends news once; returns None if they were accepted, otherwise the reason."""
        moment = str(int(self._clock()))
        headers = {
            "Content-Type": "application/json",
            "User-Agent": f"Companion/{__version__}",
            "Companion-Event": news.id,
            "Companion-Time": moment,
            "Companion-Dropped": str(self.outbox.dropped),
            "Companion-Signature": signature(self._secret.reveal(), moment, body),
        }
        try:
            status = self._send(self._address.reveal(), body, headers)
        except (OSError, HTTPException) as error:
            return type(error).__name__
        return None if 200 <= status < 300 else str(status)


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Follows no redirect."""


def _post(url: str, body: bytes, headers: dict[str, str]) -> int:
    try:
        with build_opener(_Stay).open(Request(url, body, headers), timeout=TIMEOUT_S) as answer:
            return int(answer.status)
    except HTTPError as error:
        with error:
            return error.code
