"""A runtime with a camera over a stage: the table is learned anew in the middle of a game, and the game goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.app.commands.runtime import Runtime, open_to
from companion.games import PLANS
from companion.referee.journal.timeline import options_of
from tests.vision.staged_table import Box, Stage, empty, marble, staged
from tests.web.doubles import Listener
from vision.setup.known_table import KnownTableReader
from web.admission.access import Access
from web.admission.phones import NO_NETWORK, Phones
from web.http.settings import WebSettings

PIECES: tuple[Box, Box, Box] = ((50, 50, 100, 160), (350, 50, 400, 165), (246, 240, 296, 330))
"""A red large, a purple large and a green small: those that stand nearest to the middle of a zone of the plan."""
LONG_S = 60.0
"""A machine may be busy."""


@pytest.fixture
def stage() -> Stage:
    return Stage(staged(*PIECES))


@pytest.fixture
def runtime(tmp_path: Path, stage: Stage) -> Iterator[Runtime]:
    """The marble table is known from an earlier evening."""
    marble().save(tmp_path / "journal.sqlite.calibration")
    with Runtime(tmp_path / "journal.sqlite", PLANS["spectra"](2)) as runtime:
        runtime.watch(stage)
        yield runtime


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LONG_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def begin(runtime: Runtime) -> None:
    """A game in its middle: what stands before the camera now."""
    game = runtime.sessions.game("spectra")
    layout = KnownTableReader(runtime.sessions.plan, marble()).read(staged(*PIECES)).layout
    position = game.proposer.seen_position(2, options_of(game, {}), layout)  # type: ignore[attr-defined]
    runtime.sessions.start("spectra", ["Ann", "Ben"], {}, position=position, begun=True)


def test_learning_the_table_anew_in_the_middle_of_a_game_loses_nothing(runtime: Runtime, stage: Stage) -> None:
    begin(runtime)
    before = runtime.sessions.table
    assert before is not None
    until(lambda: bool(before.seen.heaps) and before.session.alert is None)
    calibrator = runtime.sessions.calibrator
    calibrator.open()
    calibrator.remember("game")
    assert calibrator.status().known == "yes", "what is under the pieces was known before"
    calibrator.close()
    until(lambda: runtime.sessions.table is not before)
    after = runtime.sessions.table
    assert after is not None
    until(lambda: bool(after.seen.heaps))
    assert (after.session.header.id, after.session.seq, after.session.state) == (
        before.session.header.id,
        before.session.seq,
        before.session.state,
    )
    assert after.session.alert is None, "pieces that stand where they stood are no news under new names"
    stage.picture = staged(*PIECES[1:])
    until(lambda: after.session.alert is not None)


def test_while_the_set_up_is_open_a_cleared_table_is_no_event(runtime: Runtime, stage: Stage) -> None:
    begin(runtime)
    table = runtime.sessions.table
    assert table is not None
    until(lambda: bool(table.seen.heaps) and table.session.alert is None)
    runtime.sessions.calibrator.open()
    stage.picture = empty()
    looked = runtime.sessions.eyes.overlay()
    assert looked is not None
    until(lambda: runtime.sessions.eyes.overlay() != looked and not runtime.sessions.eyes.overlay().marks)  # type: ignore[union-attr]
    assert table.session.alert is None
    stage.picture = staged(*PIECES)
    until(lambda: len(runtime.sessions.eyes.overlay().marks) == 3)  # type: ignore[union-attr]
    runtime.sessions.calibrator.close()
    time.sleep(1.0)
    assert table.session.alert is None and runtime.sessions.table is table


def test_one_line_says_whom_a_page_is_open_to() -> None:
    def phones_of(settings: WebSettings, access: Access, find: str = "192.168.1.7") -> Phones:
        return Phones(access, settings, find=lambda: find, ours=lambda _: True)

    for settings, access, line in (
        (WebSettings(), Access(), "The page is closed to phones."),
        (WebSettings(lan=True), Access(pin="123456"), "On the local network: http://192.168.1.7:80/  PIN 123456"),
        (WebSettings(host="fd00::7"), Access(), "On the local network: http://[fd00::7]:80/"),
        (WebSettings(table="blue", lan=True), Access(), "On the local network: http://192.168.1.7:80/t/blue/"),
    ):
        assert open_to(phones_of(settings, access), 80) == line
    access = Access()
    phones = phones_of(WebSettings(), access)
    phones.attach(Listener())
    phones.open("246810")
    assert open_to(phones, 80) == "Open to phones, as chosen on the page: http://192.168.1.7:80/  PIN 246810"
    later = phones_of(WebSettings(), access, find="127.0.0.1")
    later.attach(Listener())
    assert open_to(later, 80) == f"Phones were let in on the page, but do not reach it: {NO_NETWORK}"
