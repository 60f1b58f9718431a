"""Spectrum on the page: a whole game from the set-up to the last star, refusals, corrections, secret cards on phones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.contract import Over, Rolled
from companion.core.pieces import Die
from companion.games.spectrum.game import SPECTRUM
from tests.browser.conftest import LIVE, MIDDLE, SETTLED, House, Pictures, Tabs, still
from tests.browser.test_accessibility import violations
from tests.browser.test_game import rows_shown

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LETTERS = {
    "red": "R", "yellow": "Y", "green": "G", "blue": "B", "orange": "O", "purple": "P", "yellow-green": "YG",
}  # fmt: skip


class Player:
    """A person at one page: taps, and waits until the table has it."""

    def __init__(self, page: Any, house: House) -> None:
        self.page = page
        self.house = house

    @property
    def state(self) -> Any:
        return self.house.table.session.state

    def roll(self, colors: str) -> None:
        """Tell a roll die by die."""
        kind = self.house.table.session.options["dice"]
        for color in colors.split():
            self.page.click(f'[data-key="face-{kind}{LETTERS[color]}"]')
        self.told('[data-key="tell-roll"]')

    def told(self, button: str) -> None:
        """Tap what changes the table, and wait for its row; the first move of a roll tells the usage before."""
        rows = 2 if self.state.phase == "declare" else 1
        before = self.house.table.session.seq
        self.page.click(button)
        rows_shown(self.page, before + rows)

    def use(self, usage: str) -> None:
        """Light a usage, unless there is no other."""
        if self.state.phase == "declare":
            self.page.click(f'[data-key="usage-{usage}"]')
            self.page.wait_for_selector(f'[data-key="usage-{usage}"][aria-pressed="true"]')

    def move(self, pawn: str, to: str) -> None:
        """Tap the pawn, then the lit space."""
        if "." in pawn:
            self.page.click(f'.board [data-spot="{pawn}"]')
        else:
            self.page.click(f'[data-key="pawn-{pawn}"]')
        self.page.wait_for_selector(f'.board .allowed[data-spot="{to}"]')
        self.told(f'.board [data-spot="{to}"]')

    def meanwhile(self, *texts: str) -> None:
        """The table hears this from elsewhere: a tower, another phone."""
        session = self.house.table.session
        for text in texts:
            self.house.table.play(session.game.parse(session.state, text), source="page")
        rows_shown(self.page, session.seq)

    def anything(self) -> None:
        """Play the turn by what is offered first, keeping captured pawns out of the way."""
        turn = self.state.turn
        while self.state.turn == turn and self.state.phase not in ("roll", "over"):
            if self.state.phase == "place":
                starts = [f"{color}.1" for color in ("red", "green", "purple", "yellow")]
                free = next(spot for spot in starts if self.page.locator(f'[data-key="spot-{spot}"]').count())
                self.told(f'[data-key="spot-{free}"]')
            else:
                self.page.click(".movers .mover >> nth=0")
                self.told("#targets button >> nth=0")


@pytest.mark.timeout(400)
def test_a_whole_game_is_played_to_its_end(house: House, tabs: Tabs, pictures: Pictures, checker: str) -> None:
    """Five players, twelve-sided dice, the speed rule: red takes two stars in four turns, and the third in the sixth."""
    page = tabs.open("/setup")
    page.check('input[name="game"][value="spectrum"]')
    for number, name in enumerate(("Ada", "Ben", "Cleo", "Dan", "Eve"), 1):
        if page.locator(f'[aria-label="Name of player {number}"]').count() == 0:
            page.click("text=Add a player")
        page.fill(f'[aria-label="Name of player {number}"]', name)
    page.click("#options-line > summary")
    page.check('input[name="option-dice"][value="d12"]')
    page.check("#option-speed_rule")
    page.click("text=Start the game")
    page.wait_for_selector(".dice-slots")
    table, ada = house.table, Player(page, house)
    assert table.session.game is SPECTRUM and table.session.names == ("Ada", "Ben", "Cleo", "Dan", "Eve")

    for pawns in ((("red stock", "red.3"), ("red stock", "green.3")), (("red.3", "red.6"), ("green.3", "green.6"))):
        ada.roll("red red red")
        ada.use("red + red + red")
        for pawn, to in pawns:
            ada.move(pawn, to)
    others(ada, tapped=True)
    ada.roll("red red red")
    ada.use("red + red + red")
    ada.move("red.6", "red.9")
    page.wait_for_selector(".star-line.to-move >> text=1 of 3")
    ada.move("green.6", "green.9")
    blue = ("rolled d12 blue blue blue", "player 1 uses blue + blue + blue")
    ada.meanwhile(*blue, "player 1 moves red stock to blue.3", "player 1 moves red stock to orange.3")
    assert violations(page, checker) == []
    pictures(page, "game")
    others(ada)
    ada.meanwhile(*blue, "player 1 moves blue.3 to blue.6", "player 1 moves orange.3 to orange.6")
    ada.roll("blue blue blue")
    ada.use("blue + blue + blue")
    ada.move("blue.6", "blue.9")
    page.wait_for_selector("text=Ada wins.")
    page.wait_for_selector('.turn-hint a >> text="BRD-29"')
    assert isinstance(table.session.state.expects(), Over)
    assert [score.total for score in table.session.state.scores()] == [3, 0, 0, 0, 0]
    pictures(page, "end")


def others(player: Player, *, tapped: bool = False) -> None:
    """Four players roll and enter pawns on yellow and purple; the first of them by hand, the others as a tower tells it."""
    if tapped:
        player.roll("yellow purple yellow-green")
        player.use("yellow + purple")
        player.anything()
    table = player.house.table
    while table.session.state.turn != 0:
        seat = table.session.state.turn
        faces = tuple(Die("spectrum-d12", color) for color in ("yellow", "purple", "yellow-green"))
        table.play(Rolled(faces), source="tower")
        table.play(
            table.session.game.parse(table.session.state, f"player {seat + 1} uses yellow + purple"), source="page"
        )
        while table.session.state.turn == seat and table.session.state.phase != "roll":
            table.play(out_of_the_way(table.session.state), source="page")
    rows_shown(player.page, table.session.seq)
    player.page.wait_for_selector(".dice-slots")


def out_of_the_way(state: Any) -> Any:
    """A move that captures nobody if there is one, and keeps off the starts that red still needs."""
    cells = state.layout().cells

    def cost(move: Any) -> tuple[bool, bool]:
        return move.to in ("blue.1", "orange.1"), cells[move.to].piece is not None

    return min(state.legal_moves(), key=cost)


@pytest.fixture
def crowd(house: House) -> House:
    """Ada to move with red and blue; Ben stands on her way."""
    table = house.sessions.start("spectrum", ("Ada", "Ben"), {})
    pawns = {"red.4": "red", "blue.4": "red", "green.2": "red", "blue.5": "orange", "red-orange.4": "orange"}
    table.set_position({"pawns": pawns, "roll": ["red", "blue"]}, "", source="software")
    return house


def test_a_capture_a_jump_and_reasons(crowd: House, table_page: Callable[..., Any], checker: str) -> None:
    page = table_page()
    ada, table = Player(page, crowd), crowd.table
    page.wait_for_selector(".movers")
    lit = page.eval_on_selector_all(".wheel .path.open", "all => all.map(e => e.className.baseVal)")
    assert lit == ["path path-R open", "path path-B open"]
    page.click('.board [data-spot="blue.4"]')
    page.wait_for_selector('#targets >> text="jumps B5"')
    page.wait_for_selector('#targets >> text="captures orange"')
    assert page.locator(".lights .jumped").count() >= 1 and page.locator(".lights .capture").count() == 1
    page.click('.board [data-spot="green.4"]')
    page.wait_for_selector("#spot .forbidden .rule-line >> text=BRD-14")
    page.click('.board [data-spot="green.2"]')
    page.wait_for_selector("#spot .forbidden .rule-line >> text=BRD-14")
    assert violations(page, checker) == []
    page.click('.board [data-spot="blue.4"]')
    page.wait_for_selector("#targets")
    ada.told('.board [data-spot="blue.5"]')
    page.wait_for_selector('h3 >> text="Ada puts the captured orange pawn on a free start"')
    assert page.locator(".lights .target").count() == 6
    ada.told('.board [data-spot="yellow.1"]')
    page.wait_for_selector(".left-parts .done")
    ada.move("blue.5", "blue.6")
    assert table.session.state.turn == 1 and table.session.state.phase == "roll"

    page.click('.board [data-spot="blue.6"]')
    page.click('[data-key="wrong"]')
    page.click('[data-key="nothing"]')
    page.wait_for_selector("text=is undone")
    ada.told('[data-key="confirm"]')
    assert table.session.state.phase == "move" and table.session.state.turn == 0


def test_what_was_chosen_stays_when_news_change_nothing(house: House, table_page: Callable[..., Any]) -> None:
    """The page asks anew after a short loss of the network; nobody has played in between."""
    table = house.sessions.start("spectrum", ("Ada", "Ben", "Cleo", "Dan", "Eve"), {"dice": "d12"})
    page = table_page()
    ada = Player(page, house)
    ada.roll("red red red")
    ada.use("red + red + red")
    page.click('[data-key="pawn-red stock"]')
    page.wait_for_selector("#targets button")
    with page.expect_response("**/api/advice*") as asked:
        page.evaluate("dispatchEvent(new Event('online'))")
    assert "about=" in asked.value.url
    page.wait_for_selector(f"{SETTLED} #targets button")
    ada.told("#targets button >> nth=0")
    assert table.session.state.phase == "move"


def test_the_board_turns_to_the_player_and_keys_follow(crowd: House, table_page: Callable[..., Any]) -> None:
    page = table_page()
    page.wait_for_selector(".movers")
    cell = page.locator('.board [data-spot="red.1"] .ground')
    top = cell.bounding_box()["y"]
    page.click('[data-key="turn-right"]')
    page.click('[data-key="turn-right"]')
    page.click('[data-key="turn-right"]')
    page.wait_for_function(
        "() => getComputedStyle(document.querySelector('#board-place')).getPropertyValue('--turn') === '90deg'"
    )
    still(page)
    assert cell.bounding_box()["y"] > top + 100, "red is at the right now"
    page.focus('.board [data-spot="red.2"]')
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.spot") == "red.3", "toward the hub, which lies to the left"
    page.reload(wait_until="domcontentloaded")
    page.wait_for_selector(".movers")
    turned = "getComputedStyle(document.querySelector('#board-place')).getPropertyValue('--turn')"
    assert page.evaluate(turned) == "90deg"
    page.select_option('[data-key="side"]', label="Ben's side")
    assert page.evaluate(turned) == "180deg"
    still(page)
    assert cell.bounding_box()["y"] > top + 200, "red is at the bottom"
    page.evaluate("localStorage.clear()")


def test_a_turn_by_keyboard_alone(crowd: House, table_page: Callable[..., Any]) -> None:
    page = table_page()
    page.wait_for_selector(".movers")
    page.focus('[data-key="pawn-red.4"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("#targets")
    page.focus('[data-key="to-player 1 moves R4 to R5"]')
    page.keyboard.press("Enter")
    rows_shown(page, 2)
    page.focus('.board [data-spot="red.5"]')
    page.keyboard.press("Enter")
    page.wait_for_selector("#targets")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.spot") == "red.6"
    page.keyboard.press("Enter")
    rows_shown(page, 3)
    assert crowd.table.session.state.turn == 1


def test_secret_cards_are_on_their_owners_phone_alone(
    house: House, table_page: Callable[..., Any], tabs: Tabs, pictures: Pictures, checker: str
) -> None:
    table = house.sessions.start("spectrum", ("Ada", "Ben"), {"missions": True, "portals": True})
    ada, ben, wall = table_page(**PHONE), table_page(**PHONE), tabs.open("/screen")
    for phone, seat in ((ada, 0), (ben, 1)):
        phone.click('[data-key="seat"]')
        with phone.expect_navigation():
            phone.click(f'[data-key="sit-{seat}"]')
        phone.wait_for_selector(LIVE)
    for pile in ("R3 O4 Y5", "RO3 OY4 YG5"):
        for code in pile.split():
            ada.click(f'[data-key="card-{code}"]')
        Player(ada, house).told('[data-key="tell-cards"]')
    Player(ben, house).meanwhile("player 2 draws G3, B4, P5", "player 2 draws GB3, BP4, PR5")
    for phone, colors in ((ada, "R O Y"), (ben, "G B P")):
        for letters in colors.split():
            phone.click(f'[data-key="card-{letters}7"]')
        Player(phone, house).told('[data-key="tell-cards"]')
    rows_shown(ada, 6)
    ada.wait_for_selector(".secret-hand >> text=needs an own pawn on R3")
    ada.wait_for_selector(".secret-hand >> text=waits for a pawn on Y7")
    assert violations(ada, checker) == []
    pictures(ada, "secret")
    for page in (ben, wall):
        text = words(page)
        assert not any(secret in text for secret in ("red 3", "R3", "yellow 7", "Y7"))
    assert ben.locator(".secret-cards svg").count() == ada.locator(".secret-cards svg").count() == 9
    assert "on R3" in words(ada) and "on G3" in words(ben) and wall.locator(".secret-cards").count() == 0
    assert next(row.text for row in table.session.rows() if row.kind == "chance") == "player 1 draws R3, O4, Y5"
    assert house.table.session.state.phase == "start"


def test_a_portal_is_activated_on_its_owners_phone(house: House, table_page: Callable[..., Any]) -> None:
    table = house.sessions.start("spectrum", ("Ada", "Ben"), {"portals": True})
    position = {
        "pawns": {"red.4": "red", "green.5": "orange"},
        "portals": [["R4", "B4", "G3"], ["O3", "Y5", "P7"]],
        "after_moves": True,
    }
    table.set_position(position, "", source="software")
    page = table_page(**PHONE)
    page.wait_for_selector('[data-key="others-portals"]')
    assert page.locator("text=Your portals with a pawn on them").count() == 0
    page.click('[data-key="seat"]')
    with page.expect_navigation():
        page.click('[data-key="sit-0"]')
    ada = Player(page, house)
    page.wait_for_selector("text=Your portals with a pawn on them")
    ada.told('[data-key="player 1 activates R4"]')
    page.click('[data-key="card-Y6"]')
    page.click('[data-key="card-O6"]')
    ada.told('[data-key="tell-cards"]')
    ada.told('[data-key="player 1 sends to O6"]')
    assert table.session.rows()[-1].text == "player 1 sends to O6"
    page.wait_for_selector('.board [data-spot="orange.6"].filled')
    page.wait_for_selector(".secret-hand >> text=waits for a pawn on Y6")
    ada.told('[data-key="tell-EndTurn"]')
    assert table.session.state.turn == 1


def test_cards_replace_the_dice_and_a_part_is_chosen(house: House, table_page: Callable[..., Any]) -> None:
    table = house.sessions.start("spectrum", ("Ada", "Ben"), {"cards_as_dice": True})
    table.set_position({"pawns": {"red.4": "red"}}, "", source="software")
    page = table_page()
    ada = Player(page, house)
    page.click('[data-key="card-R1"]')
    page.click('[data-key="card-R3"]')
    ada.told('[data-key="tell-cards"]')
    ada.use("R1 + R3")
    page.click('.board [data-spot="red.4"]')
    page.wait_for_selector('#targets >> text="R5"')
    page.click('.board [data-spot="red.7"]')
    rows_shown(page, 4)
    page.wait_for_selector(".left-parts .done >> text=3 spaces")
    assert table.session.state.phase == "move" and table.session.rows()[-1].text == "player 1 moves R4 to R7 as part 2"


def words(page: Any) -> str:
    """All that a page says, but for its pictures: every board names its spaces."""
    return str(
        page.evaluate(
            """() => { const all = document.body.cloneNode(true); all.querySelectorAll('svg').forEach(e => e.remove());
            return all.textContent; }"""
        )
    )


def test_the_page_fits_a_phone(crowd: House, table_page: Callable[..., Any], pictures: Pictures) -> None:
    page = table_page(**PHONE)
    page.wait_for_selector(".movers")
    page.click('.board [data-spot="blue.4"]')
    page.wait_for_selector("#targets")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    small = page.eval_on_selector_all(
        "main button",
        """all => all.filter(e => e.checkVisibility()).map(e => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
        .filter(([, box]) => box.height < 40 || box.width < 40).map(([html]) => html)""",
    )
    assert small == []
    before = page.locator('.board [data-spot="red.8"] .ground').bounding_box()
    page.click('[data-key="large"]')
    still(page)
    after = page.locator('.board [data-spot="red.8"] .ground').bounding_box()
    assert min(after["width"], after["height"]) >= 24 > min(before["width"], before["height"])
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    pictures(page, "phone")
    page.evaluate("localStorage.clear()")


@pytest.mark.parametrize("size", ((390, 844), (360, 640)), ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_space_of_a_phone_offers_who_moves_there_or_the_way_back(
    crowd: House, table_page: Callable[..., Any], size: tuple[int, int]
) -> None:
    """Both in view at once: a tap on a space never leads to a panel where nothing leads on."""
    table = crowd.table
    while "Go" not in {type(move).__name__ for move in table.session.legal()}:
        table.play(table.session.legal()[0], source="page")
    seq, reached = table.session.seq, {getattr(move, "to", "") for move in table.session.legal()}
    page = table_page("/", viewport={"width": size[0], "height": size[1]})
    page.wait_for_selector(".movers")
    page.click('.board [data-spot="green.6"]')
    page.wait_for_selector("#spot .forbidden")
    page.mouse.click(*page.wait_for_function(MIDDLE, arg='#spot [data-key="close"]').json_value())
    page.wait_for_selector("#spot .forbidden", state="detached")
    there = min(spot for spot in reached if spot and spot not in ("red.4", "blue.4", "green.2"))
    page.click(f'.board [data-spot="{there}"]')
    page.mouse.click(*page.wait_for_function(MIDDLE, arg="#spot .target-button").json_value())
    rows_shown(page, seq + 1)


def test_after_a_space_was_looked_at_the_pawns_that_may_move_are_in_view(
    house: House, table_page: Callable[..., Any]
) -> None:
    table = house.sessions.start("spectrum", ("Ada", "Ben"), {})
    table.set_position({"pawns": {"red.4": "red", "blue.4": "red"}, "roll": ["red", "blue"]}, "", source="software")
    page = table_page("/", viewport={"width": 1280, "height": 720})
    page.wait_for_selector('[data-key="pawn-red.4"]')
    page.click('.board [data-spot="green.1"]')
    page.click('#spot [data-key="close"]')
    page.wait_for_function("() => document.getElementById('work').scrollTop === 0")
    page.wait_for_selector('[data-key="pawn-red.4"]')
