"""What happens is heard as each device has chosen: by sounds, by speech where a voice is installed, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.referee.table.table import Table
from tests.browser.conftest import House
from tests.browser.situations import refuse
from tests.browser.test_accessibility import violations
from tests.web.doubles import play

LISTEN = """() => {
  window.tones = []; window.spoken = []; window.speakers = new Set();
  const make = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    window.speakers.add(this);
    const tone = make.call(this);
    const start = tone.start;
    tone.start = function (...at) { window.tones.push(Math.round(tone.frequency.value)); return start.apply(tone, at); };
    return tone;
  };
}"""
VOICE = """() => {
  speechSynthesis.getVoices = () => [{ name: 'Somebody' }];
  speechSynthesis.speak = (said) => window.spoken.push(said.text);
}"""


def heard(page: Any) -> tuple[list[int], list[str]]:
    """Tones and spoken sentences since the last call."""
    found = page.evaluate(
        "() => { const all = [window.tones, window.spoken]; window.tones = []; window.spoken = []; return all; }"
    )
    return found[0], found[1]


def settle(table: Table) -> None:
    """What is open is settled without a word."""
    with table.session.lock:
        table.session.show(None)


def choose(page: Any, *selectors: str) -> None:
    page.click("#heard")
    for selector in selectors:
        page.click(f"dialog {selector}")
    page.click("dialog >> text=Done")


def test_each_event_is_heard_as_the_device_has_chosen(
    house: House, table_page: Callable[..., Any], checker: str
) -> None:
    table = house.begin(0)
    page = table_page()
    page.evaluate(LISTEN)
    page.click("#turn")
    play(table, 1)
    page.wait_for_selector('#history [data-key="row-1"]')
    page.wait_for_function("() => window.tones.length")
    assert heard(page) == ([523], []), "whose turn it is"
    page.wait_for_function("() => [...speakers].every((one) => one.state === 'suspended')")
    play(table, 21)
    page.wait_for_selector('#history [data-key="row-22"]')
    heard(page)
    refuse(table)
    page.wait_for_selector("#alert.refused")
    tones, spoken = heard(page)
    # A position is fetched after its row is shown, so whose turn it is may be heard just before.
    assert (tones[-2:], spoken) == ([392, 262], []) and set(tones[:-2]) <= {523}

    page.evaluate("speechSynthesis.getVoices = () => []")
    page.click("#heard")
    page.click('dialog [value="speech"]')
    page.wait_for_selector("dialog >> text=No voice is installed on this device, so sounds stand in for it.")
    assert violations(page, checker) == []
    page.click("dialog >> text=Done")
    page.evaluate(VOICE)
    settle(table)
    page.wait_for_selector("#alert[hidden]", state="attached")
    refuse(table)
    page.wait_for_selector("#alert.refused")
    tones, spoken = heard(page)
    assert tones == [] and spoken[0].startswith("Not allowed. ") and "touch" in spoken[0]

    choose(page, '[name="illegal"]')
    settle(table)
    page.wait_for_selector("#alert[hidden]", state="attached")
    refuse(table)
    page.wait_for_selector("#alert.refused")
    assert heard(page) == ([], []), "switched off"
    page.reload()
    page.wait_for_selector("#alert.refused")
    page.click("#heard")
    assert page.is_checked('dialog [value="speech"]') and not page.is_checked('dialog [name="illegal"]'), "remembered"
    page.evaluate("localStorage.clear()")


def test_the_end_is_told(house: House, table_page: Callable[..., Any]) -> None:
    table = house.begin(0)
    page = table_page()
    page.evaluate(LISTEN)
    page.evaluate(VOICE)
    choose(page, '[value="speech"]', '[name="turn"]')
    play(table, 200)
    page.wait_for_selector("#turn >> text=/ wins\\./")
    assert heard(page)[1][-1].startswith(str(page.inner_text("#turn .turn-text")))
    page.evaluate("localStorage.clear()")


def test_a_clock_is_set_runs_and_stands_while_something_is_open(house: House, table_page: Callable[..., Any]) -> None:
    table = house.begin(22)
    page = table_page()
    page.click('[data-key="clock"]')
    page.fill("#clock-game", "10")
    page.click('[data-key="clock-on"]')
    page.wait_for_selector('.clock-left[data-clock="1"] >> text=10:00')
    mover = table.session.state.expects().seats[0]
    page.wait_for_selector(f'.clock-left[data-clock="{mover}"] >> text=9:59')
    refuse(table)
    page.wait_for_selector(f'.clock-left[data-clock="{mover}"] >> text=(stands)')
    page.click('[data-key="answer-misread"]')
    page.click('[data-key="clock"]')
    page.click('[data-key="clock-off"]')
    page.wait_for_selector(".clock-left:not(:empty)", state="detached")
    assert table.session.time_left() is None
