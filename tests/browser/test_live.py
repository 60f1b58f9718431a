"""What a page shows is live, or says that it is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.browser.conftest import LIVE, House, Tabs
from tests.web.doubles import best, play
from web.http.settings import WebSettings

HIDE = """hidden => {
  Object.defineProperty(document, 'hidden', {configurable: true, get: () => hidden});
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def test_a_move_reaches_every_screen(house: House, tabs: Tabs, table_page: Callable[..., Any]) -> None:
    table = house.begin()
    pages = [table_page(), tabs.open("/screen"), tabs.open(joined=False)]
    for page in pages:
        page.wait_for_selector(LIVE)
    table.play(best(table), source="camera")
    totals = [str(score.total) for score in table.session.state.scores()]
    for page in pages:
        page.wait_for_function("totals => totals.every(total => document.body.innerText.includes(total))", arg=totals)
    pages[1].wait_for_function("text => document.getElementById('wall-last').innerText.includes(text)", arg="lays")


def test_a_lost_server_is_said_within_5_s_and_all_is_well_when_it_is_back(
    house: House, tabs: Tabs, table_page: Callable[..., Any]
) -> None:
    tabs.allow("ERR_")
    table = house.begin()
    page = table_page()
    house.stop()
    page.wait_for_selector("#state.stale", timeout=6500)
    assert page.inner_text("#state") == "No news: reconnecting"
    assert page.evaluate("getComputedStyle(document.querySelector('.board-card')).filter") == "grayscale(1)"
    play(table, 2)
    house.again()
    page.wait_for_selector(LIVE)
    page.wait_for_selector(f'#history [data-key="row-{table.session.seq}"]')
    assert page.evaluate("getComputedStyle(document.querySelector('.board-card')).filter") == "none"


def test_a_hidden_page_holds_no_stream_and_catches_up(house: House, table_page: Callable[..., Any]) -> None:
    table = house.begin()
    page = table_page()
    live = house.live

    def listening(screens: int) -> bool:
        """Whether so many listen soon: what a page shows is live before its stream is open."""
        for _ in range(60):
            if live.screens == screens:
                return True
            page.wait_for_timeout(100)
        return False

    assert listening(1)
    page.evaluate(HIDE, True)
    assert listening(0)
    play(table, 3)
    page.evaluate(HIDE, False)
    page.wait_for_selector(f'#history [data-key="row-{table.session.seq}"]')
    assert page.locator("#history .row-number").count() == table.session.seq


def test_a_row_that_comes_after_its_position_is_shown(house: House, table_page: Callable[..., Any]) -> None:
    table = house.begin()
    page = table_page()
    page.wait_for_selector(LIVE)
    before = table.session.seq

    def answer(route: Any) -> None:
        """The position of a second row, which the stream is kept from telling until the position is shown."""
        house.live._changed.acquire()
        play(table, 1)
        route.fulfill(response=route.fetch())

    page.route("**/api/table", answer, times=1)
    play(table, 1)
    while table.session.seq < before + 2:
        page.wait_for_timeout(20)
    page.wait_for_timeout(500)
    shown = page.locator("#history .row-number").count()
    house.live._changed.release()
    assert shown == before + 1, "the page has the position of a row that it has not got"
    page.wait_for_selector(f'#history [data-key="row-{before + 2}"]')


def test_rows_are_patches_and_a_position_is_fetched_once(house: House, table_page: Callable[..., Any]) -> None:
    table = house.begin()
    page = table_page()
    page.wait_for_selector(LIVE)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url.partition("?")[0].rpartition("/api/")[2]))
    play(table, 10)
    page.wait_for_selector(f'#history [data-key="row-{table.session.seq}"]')
    wait_for_total(page, table)
    page.wait_for_timeout(500)
    assert 1 <= fetched.count("table") <= 5, "once for each version that it has not got, however many rows came"
    before = fetched.count("table")
    table.undo(table.session.seq - 6, "misplayed", source="page")
    wait_for_total(page, table)
    page.wait_for_selector(f'#history [data-key="row-{table.session.seq}"]')
    page.wait_for_timeout(500)
    page.wait_for_selector("#history details.fold")
    assert 1 <= fetched.count("table") - before <= 2
    assert "journal/rows" not in fetched, "rows are never fetched again while the stream holds"


def test_a_beat_while_a_position_is_on_its_way_fetches_no_rows(house: House, table_page: Callable[..., Any]) -> None:
    table = house.begin()
    page = table_page()
    page.wait_for_selector(LIVE)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url.partition("?")[0].rpartition("/api/")[2]))
    beats_ms = 1000 * WebSettings().beat_s

    def answer(route: Any) -> None:
        """The position, when the stream has told another beat."""
        page.wait_for_timeout(beats_ms + 500)
        route.fulfill(response=route.fetch())

    page.route("**/api/table", answer, times=1)
    play(table, 1)
    page.wait_for_selector(f'#history [data-key="row-{table.session.seq}"]')
    wait_for_total(page, table)
    assert fetched == ["table"]


def wait_for_total(page: Any, table: Any) -> None:
    """Until the page shows the points of the first player."""
    text = str(table.session.state.scores()[0].total)
    page.wait_for_function("text => document.querySelector('.totals').innerText.includes(text)", arg=text)


def test_a_new_game_replaces_the_old_one_everywhere(house: House, table_page: Callable[..., Any]) -> None:
    house.begin()
    page = table_page()
    house.begin(3, ("Cid", "Dora", "Eve"))
    page.wait_for_selector(".totals >> text=Dora")
    assert page.locator(".totals tr").count() == 3
    page.wait_for_function("() => document.querySelectorAll('#history .row-number').length === 3")


def test_a_page_without_a_game_waits_for_one(house: House, tabs: Tabs) -> None:
    page = tabs.open()
    page.wait_for_selector("text=No game is on the table yet")
    page.wait_for_selector(LIVE)
    house.begin()
    page.wait_for_selector(".board .cell.filled >> nth=0")


def test_a_phone_that_opens_the_page_before_a_game_is_on_it_may_join(house: House, tabs: Tabs) -> None:
    page = tabs.open(joined=False)
    page.wait_for_selector("main a.primary >> text=Join this table")
    assert page.locator("text=Set up a game").count() == 0, "that is the table's to do"


def test_a_phone_that_has_not_joined_can_only_look(house: House, tabs: Tabs) -> None:
    house.begin()
    page = tabs.open(joined=False)
    page.wait_for_selector(LIVE)
    assert page.get_attribute("body", "data-role") == "reader"
    assert page.locator("#tab-type").count() == page.locator('[data-key="undo"]').count() == 0
    page.click("#hands button.piece >> nth=0")
    page.click("#board-c25")
    page.wait_for_selector("#cell h3")
    assert page.locator('[data-key="another"]').count() == 0
    tabs.allow("403")
    tabs.allow("429")
    page.goto(house.url + "join")
    page.fill("#pin", "000000")
    page.click("#join button")
    page.wait_for_selector("#join-answer.bad >> text=not the PIN")
    page.wait_for_timeout(1100)
    page.fill("#pin", "123456")
    page.click("#join button")
    page.wait_for_selector("#tab-type")
    assert page.get_attribute("body", "data-role") == "table"


def test_a_scanned_link_lets_a_phone_in_and_leaves_no_trace(house: House, tabs: Tabs) -> None:
    house.begin()
    host = tabs.open()
    host.click("text=Invite a phone")
    host.wait_for_selector("dialog svg.square")
    link = host.inner_text("dialog code")
    host.keyboard.press("Escape")
    host.wait_for_selector("dialog", state="detached")
    phone = tabs.open("join#" + link.partition("#")[2], joined=False)
    phone.wait_for_selector("#tab-type", state="attached")
    assert phone.url == house.url
    assert "#" not in phone.evaluate("history.length > 0 ? location.href : ''")


def test_names_of_players_are_text(house: House, table_page: Callable[..., Any], tabs: Tabs) -> None:
    hostile = ("<img src=x onerror=alert(1)>", "'\"><script>alert(1)</script>")
    house.begin(names=hostile)
    page = table_page()
    for path in ("", "screen", "sheet", "camera", "setup"):
        page.goto(house.url + path, wait_until="domcontentloaded")
        page.wait_for_selector("main")
        page.wait_for_timeout(150)
        assert page.locator("main img, main script").count() == 0, path
    page.goto(house.url, wait_until="domcontentloaded")
    page.wait_for_selector(LIVE)
    assert page.inner_text(".totals .seat-name >> nth=0") == hostile[0]


def test_a_seventh_tab_with_a_camera_is_live_and_follows(house: House, tabs: Tabs) -> None:
    """A browser opens six connections to a host, and each tab would hold one."""
    house.begin(0)
    tabs.allow("503")
    pages = [tabs.open("/") for _ in range(7)]
    for page in pages:
        page.wait_for_selector(LIVE)
    play(house.table, 1)
    for page in pages:
        page.wait_for_selector('#history [data-key="row-1"]')
    pages[6].click("#tab-camera")
    pages[6].wait_for_selector("#picture .picture:not([hidden])")
