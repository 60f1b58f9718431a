"""Ten thousand pictures of a phone take no more memory than the first thousand."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.commands.phone_camera import PhoneSource
from companion.core.foundation.secrecy import SecretAddress
from companion.referee.session_manager import SessionManager
from tests.web.api.test_phone_camera import Door, joined, jpeg, send, started
from tests.web.conftest import ORIGIN, Browser
from vision.sources.phone import PhoneMailbox
from web.admission.access import Access
from web.admission.phone_camera import PhoneCamera
from web.app import create_app

GROWS_BYTES = 6 * 1024 * 1024


class Watched:
    """A table whose reader takes each third picture."""

    def __init__(self, folder: Path) -> None:
        self._mailbox = PhoneMailbox(folder / "table.phone")

    def phone_mailbox(self) -> PhoneMailbox:
        return self._mailbox

    def watch_apart(self, camera: SecretAddress) -> None:
        """The reader is this test."""

    def watch_nothing(self) -> None:
        """The reader is this test."""


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    yield Watched(tmp_path)


@pytest.mark.parametrize("count", [1500, pytest.param(10_000, marks=[pytest.mark.sweep, pytest.mark.timeout(600)])])
def test_memory_stays_flat(sessions: SessionManager, access: Access, watched: Watched, count: int) -> None:
    camera = PhoneCamera(access.keys, Door())
    app = create_app(sessions, access=access, phone_camera=camera, phone_pictures=PhoneSource(watched))
    host = Browser(app, access.token("host"))
    phone = joined(app, host)
    session, frames = started(phone), [jpeg(640, 360, seed) for seed in range(8)]
    warm = 0
    for number in range(count):
        assert send(phone, session, frames[number % 8], origin=ORIGIN).status_code == 200
        if number % 3 == 0:
            watched.phone_mailbox().take()
        if number == 1000:
            warm = resident_bytes()
    assert resident_bytes() - warm < GROWS_BYTES
    app.extensions["lessons"].close()
