"""The card games on the page, each to its end: two phones with a hand each, and a table screen that shows none of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.contract import Over
from companion.games.shared.cards.deck import CODES, LETTERS
from companion.referee.session.croupier import prove
from tests.browser.card_player import PHONE, Player
from tests.browser.conftest import LIVE, House, Pictures, Tabs
from tests.browser.test_accessibility import violations
from tests.browser.test_game import rows_shown

Open = Callable[..., tuple[Player, Player, Player]]


@pytest.fixture
def seated(house: House, tabs: Tabs, table_page: Callable[..., Any]) -> Open:
    """Begins a game, unless one was set up, and opens a phone each for Ada and Ben, and the table's screen.

    In a game that was set up by tapping, they sit down by tapping, too.
    """

    def open_(
        game: str,
        position: dict[str, Any] | None,
        *,
        names: tuple[str, ...] = ("Ada", "Ben"),
        draws: str = "told",
        **options: Any,
    ) -> tuple[Player, Player, Player]:
        if game:
            house.sessions.start(game, names, options, position=position, draws=draws)  # type: ignore[arg-type]
        screen = Player(tabs.open("/screen"), house, -1)
        screen.page.wait_for_selector(LIVE)
        if game:
            ada, ben = (Player(tabs.open(seat=seat, **PHONE), house, seat).there() for seat in (0, 1))
        else:
            ada, ben = (Player(table_page(**PHONE), house, seat).sit() for seat in (0, 1))
        return ada, ben, screen

    return open_


def over(house: House, *pages: Player) -> None:
    """The game is over, and every page says so."""
    assert isinstance(house.table.session.state.expects(), Over)
    outcome = house.table.session.state.outcome()
    assert outcome is not None
    for player in pages:
        player.page.wait_for_selector("text=/ (wins|share first place|is over)\\./")


def test_casino_to_its_end(house: House, seated: Open, tabs: Tabs, pictures: Pictures, checker: str) -> None:
    tabs.allow("409")
    position = {
        "hands": [["R9", "GB11"], ["BP6", "P8"]], "board": ["G4", "Y5", "O6"], "chosen": "red", "deal": 11,
        "won": [["R1", "R2"], ["RO3", "G12"]],
    }  # fmt: skip
    ada, ben, screen = seated("casino", position)
    assert ada.knows("R9") and ben.knows("BP6")
    assert not ada.knows("BP6", "P8") and not ben.knows("R9", "GB11") and not screen.knows("R9", "GB11", "BP6", "P8")
    ada.hand("GB11")
    assert ada.page.locator("#told .count").count() == 0, "while hints are off nothing advises"
    ada.table("board.O6")
    ada.page.wait_for_selector("#verdicts .forbidden .rule-line >> text=CAS-3")
    ada.table("board.Y5")
    ada.page.wait_for_selector("#verdicts .allowed")
    pictures(ada.page, "casino-phone")
    assert violations(ada.page, checker) == []
    ada.hand("R9")
    ada.table("board.O6", "board.G4")
    ada.do("take")
    assert house.table.session.rows()[-1].text == "player 1 takes Y5, G4 with R9"
    ben.hand("P8")
    assert ben.page.locator("#verdicts .forbidden").count() == 0, "one card is half of a take, and no move yet"
    ben.refused("put", "CAS-6")
    house.table.session.allow_hints(True, source="page")
    ben.page.click('#told [data-key="count-player 2 takes O6 with BP6"]')
    rows_shown(ben.page, 3)
    ada.hand("GB11")
    ada.do("put")
    ben.hand("P8")
    ben.do("put")
    over(house, ada, ben, screen)
    assert tabs.errors == []
    pictures(screen.page, "casino-wall")


def test_cribbage_to_its_end(house: House, seated: Open, tabs: Tabs, pictures: Pictures, checker: str) -> None:
    tabs.allow("409")
    position = {
        "dealer": 1, "hands": [["R5"], ["B6"]], "laid": [["Y1", "Y2", "G3"], ["G1", "P2", "O3"]], "starter": "G9",
        "played": [["R6", "R7", "R8", "Y6", "Y7"], ["O9", "O12", "B1", "B2", "P4"]], "scores": [100, 90],
    }  # fmt: skip
    ada, ben, screen = seated("cribbage", position)
    hidden = ("Y1", "Y2", "G3", "G1", "P2", "O3")
    assert (
        not ada.knows("B6", "G1", "P2", "O3")
        and not ben.knows("R5", "Y1", "Y2", "G3")
        and not screen.knows("R5", "B6", *hidden)
    )
    ada.refused("go", "CRB-4")
    ada.hand("R5")
    ada.page.wait_for_selector("#verdicts .allowed")
    ada.do("play")
    ben.hand("B6")
    ben.do("play")
    assert not screen.knows(*hidden), "the crib lies face down until both hands are counted (CRB-6)"
    ada.page.fill("#field-count-own-0-points", "12")
    ada.page.wait_for_selector("#verdicts .forbidden >> text=The hand counts")
    lines = ada.page.inner_text("#told .count >> nth=0")
    assert lines.count("= 18") >= 4 and lines.count("pair") == 2 and lines.count("run of 5") == 4
    assert violations(ada.page, checker) == []
    pictures(ada.page, "cribbage-phone")
    ada.do("count")
    over(house, ada, ben, screen)
    pictures(screen.page, "cribbage-wall")


def test_five_hundred_to_its_end(house: House, seated: Open, pictures: Pictures, checker: str) -> None:
    position = {
        "hands": [["R5", "RO6", "R7", "PR8", "B1"], ["G3", "P7"]], "discards": ["O7", "RO4"], "dealer": 1,
    }  # fmt: skip
    ada, ben, screen = seated("five-hundred", position)
    assert not ben.knows("PR8", "B1") and not ada.knows("G3", "P7") and not screen.knows("PR8", "B1", "G3", "P7")
    assert ada.page.locator("#told .count").count() == 0, "while hints are off nobody is told what to meld"
    house.table.session.allow_hints(True, source="page")
    ada.page.wait_for_selector("#told .count >> text=sequence: R5")
    ada.table("stock")
    ada.page.wait_for_selector("#due-picker")
    ada.draw("B12")
    assert not screen.knows("B12") and not ben.knows("B12")
    ada.hand("R5", "RO6", "R7", "PR8")
    ada.page.wait_for_selector("#verdicts .allowed")
    ada.do("meld")
    ada.hand("B12")
    ada.do("discard")
    ben.page.wait_for_selector("#told .count >> text=Spectrum!")
    assert "open until Ben draws" in ben.page.inner_text("#told")
    assert violations(ben.page, checker) == []
    pictures(ben.page, "five-hundred-phone")
    ben.table("discards.RO4")
    ben.do("call")
    ben.page.wait_for_selector('[data-key="hand-hand.RO4"][aria-pressed="true"]')
    ben.table("meld.1.R5")
    ben.do("lay-off")
    ben.hand("B12")
    ben.do("discard")
    ben.table("stock")
    ben.page.wait_for_selector("#due-picker")
    ben.draw("P9")
    ben.hand("P9")
    ben.do("discard")
    ada.table("stock")
    ada.page.wait_for_selector("#due-picker")
    ada.draw("R9")
    ada.hand("R9")
    ada.table("meld.1.R7")
    ada.do("lay-off")
    ada.hand("B1")
    ada.do("discard")
    over(house, ada, ben, screen)
    pictures(screen.page, "five-hundred-wall")


def test_poker_from_the_set_up_to_the_next_hand(
    house: House, tabs: Tabs, seated: Open, pictures: Pictures, checker: str
) -> None:
    """Dealt by the program, sealed and shown; then another hand with the same players on the same phones."""
    page = tabs.open("/setup")
    page.check('input[name="game"][value="poker"]')
    page.fill('[aria-label="Name of player 1"]', "Ada")
    page.fill('[aria-label="Name of player 2"]', "Ben")
    page.click("#options-line > summary")
    page.fill("#option-exchanges", "1")
    assert page.is_checked('input[name="draws"][value="dealt"]')
    page.click("text=Start the game")
    page.wait_for_selector("#told")
    table = house.table
    assert table.session.header.draws == "dealt" and table.session.rows()[0].kind == "commitment"
    ada, ben, screen = seated("", None)
    hands = [[CODES[card] for card in table.session.state.hands.known[seat]] for seat in (0, 1)]
    assert ada.knows(hands[0][0]) and not ada.knows(*hands[1]) and not screen.knows(*hands[0], *hands[1])
    ada.hand(*hands[0][:2])
    ada.do("exchange")
    ben.do("exchange")
    assert table.session.rows()[-1].text == "player 2 exchanges nothing"
    assert ben.page.locator(".own-hand .card-piece.unplayable").count() == 0, "a hand that waits is not grayed"
    ada.do("turn-up")
    title = table.session.state.strength(1).category.title
    wrong = "five of a kind" if title != "five of a kind" else "pair"
    ben.page.select_option("#field-call-1-called", wrong)
    ben.page.wait_for_selector("#verdicts .forbidden .rule-line >> text=POK-1")
    ben.page.select_option("#field-call-1-called", title)
    ben.page.wait_for_selector("#verdicts .allowed")
    assert violations(ben.page, checker) == []
    pictures(ben.page, "poker-phone")
    ben.do("call")
    over(house, screen)
    ben.page.click('[data-key="part-deal"]')
    assert table.session.rows()[-1].more["seed"] in ben.page.inner_text("#told")
    proof = prove(table.session.game, table.session.header, table.session.rows())
    assert proof is not None and (proof.fault, proof.seed) == (None, "record")
    ben.page.click('[data-key="next-hand"]')
    ben.page.wait_for_selector("#told >> text=Proof of the deal, sealed")
    assert house.table is not table
    fresh = [CODES[card] for card in house.table.session.state.hands.known[1]]
    ben.page.wait_for_selector(f'[data-key="hand-hand.{fresh[0]}"]')
    assert ben.page.inner_text('[data-key="seat"]') == "You are Ben"
    ada.page.wait_for_selector(f'[data-key="hand-hand.{CODES[house.table.session.state.hands.known[0][0]]}"]')
    assert not ada.knows(*set(fresh) - set(hands[0]))


def test_spectrump_to_its_end(house: House, seated: Open, pictures: Pictures, checker: str) -> None:
    position = {
        "hands": [["", "R5 B2"], ["", "R6 G1"]], "session": 2, "set": 2, "bid": "player 1 bids red 1", "played": 1,
        "leader": 0, "won": ["R1 RO1", "O3 PR2"], "broken": {"trump": False, "scoring": False},
    }  # fmt: skip
    ada, ben, screen = seated("spectrump", position, deck=72, rounds=1)
    assert not ben.knows("R5", "B2") and not ada.knows("R6", "G1") and not screen.knows("R5", "B2", "R6", "G1")
    ada.hand("R5", zone="hand.2")
    ada.page.wait_for_selector("#verdicts .forbidden .rule-line >> text=UMP-10")
    ada.hand("B2", zone="hand.2")
    ada.page.wait_for_selector("#verdicts .allowed")
    assert violations(ada.page, checker) == []
    pictures(ada.page, "spectrump-phone")
    ada.do("play")
    ben.hand("R6", zone="hand.2")
    ben.do("play")
    for player in (ada, ben):
        player.page.wait_for_selector("#told .count >> text=is the highest card of the trump color red")
    ben.hand("G1", zone="hand.2")
    ben.do("play")
    ada.hand("R5", zone="hand.2")
    ada.do("play")
    over(house, ada, ben, screen)


def test_spectrumo_to_its_end(house: House, seated: Open, tabs: Tabs, pictures: Pictures, checker: str) -> None:
    tabs.allow("409")
    position = {"table": "O3", "hands": ["B3, B9", "GB7, draw, YG5"]}
    ada, ben, screen = seated("spectrumo", position, limit=20)
    assert not ben.knows("B9") and not ada.knows("GB7", "YG5") and not screen.knows("B9", "GB7", "YG5")
    ada.hand("B9")
    ada.page.wait_for_selector("#verdicts .forbidden .rule-line >> text=UMO-2")
    ada.page.click('[data-key="leave"]')
    ada.refused("draw", "UMO-4")
    ada.hand("B3")
    ada.do("play")
    assert violations(ben.page, checker) == []
    pictures(ben.page, "spectrumo-phone")
    ben.hand("GB7")
    ben.do("play")
    ada.hand("B9")
    ada.do("play")
    over(house, ada, ben, screen)
    ada.page.wait_for_selector("#told .count >> text=Hand 1")
    assert house.table.session.state.scores()[1].total == 25


def test_solitaire_to_its_end(
    house: House, table_page: Callable[..., Any], tabs: Tabs, pictures: Pictures, checker: str
) -> None:
    done = dict.fromkeys(LETTERS, 12) | {"R": 10, "O": 11}
    position = {"piles": ["R12", "R11"], "foundations": done, "stock": ["O12"]}
    house.sessions.start("solitaire", ("Ada",), {}, position=position)
    ada = Player(table_page(**PHONE), house, 0)
    screen = Player(tabs.open("/screen"), house, -1)
    ada.page.wait_for_selector('[data-key="act-turn-0"]')
    ada.table("pile1.R12", "pile2.R11")
    ada.page.wait_for_selector("#verdicts .forbidden .rule-line >> text=SOL-3")
    ada.page.click('[data-key="leave"]')
    ada.table("pile2.R11", "pile1.R12")
    ada.page.wait_for_selector("#verdicts .allowed")
    ada.do("put")
    ada.table("stock")
    rows_shown(ada.page, 2)
    ada.table("waste.O12")
    ada.do("home")
    assert "12 on foundations" not in ada.page.inner_text("#told") and "face down on piles" in ada.page.inner_text(
        "#told"
    )
    pictures(ada.page, "solitaire-phone")
    assert violations(ada.page, checker) == []
    ada.table("pile1.R11")
    ada.do("home")
    ada.table("pile1.R12")
    ada.do("home")
    over(house, ada, screen)
    assert house.table.session.state.scores()[0].total == 720


def test_solitaire_that_the_program_deals_is_given_up(
    house: House, table_page: Callable[..., Any], pictures: Pictures
) -> None:
    table = house.sessions.start("solitaire", ("Ada",), {"draw": 3}, draws="dealt")
    ada = Player(table_page(), house, 0)
    ada.page.wait_for_selector('[data-key="act-turn-0"]')
    before = table.session.seq
    ada.table("stock")
    rows_shown(ada.page, before + 2)
    assert len(table.session.state.waste) == 3
    pictures(ada.page, "solitaire-table")
    ada.page.click('[data-key="undo"]')
    ada.page.wait_for_selector("dialog >> text=What the program dealt after it goes back, too.")
    ada.page.click("dialog >> button:has-text('Undo')")
    rows_shown(ada.page, before + 3)
    assert table.session.state.waste == ()
    ada.table("stock")
    rows_shown(ada.page, before + 5)
    before += 3
    ada.page.click('[data-key="act-concede-0"]')
    ada.page.click('[data-key="sure-concede"]')
    rows_shown(ada.page, before + 4)
    over(house, ada)
    assert table.session.rows()[-1].kind == "reveal"


def test_real_cards_are_dealt_by_naming_them(house: House, seated: Open, pictures: Pictures, tabs: Tabs) -> None:
    """Everybody names the own cards on the own phone; what lies open is named by anybody, and nobody's hand is seen."""
    tabs.allow("409")
    ada, ben, screen = seated("casino", None)
    ben.draw("R1")
    ben.page.fill("#due-typed", "G2, G5 B7, P9, OY11")
    ben.page.press("#due-typed", "Enter")
    ben.page.wait_for_selector("text=is no card")
    ben.page.fill("#due-typed", "G2 G5 B7 P9 OY11")
    ben.page.press("#due-typed", "Enter")
    ben.page.click('[data-key="due-tell"]')
    rows_shown(ada.page, 2)
    ben.page.wait_for_selector("text=Ada enters them on their own phone.")
    assert ben.page.locator("#due-picker").count() == 0
    ada.draw("R3", "R4", "R5", "R6", "R7", "R8")
    rows_shown(ben.page, 3)
    ben.draw("B12")
    ben.page.click('[data-key="due-hidden"]')
    rows_shown(ben.page, 5)
    ben.page.wait_for_selector("#due-picker", state="detached")
    ada.page.wait_for_selector('[data-key="hand-hand.R3"]')
    assert not ben.knows("R3", "R4", "R6", "R8") and not screen.knows("R3", "B12") and not ada.knows("B12")
    pictures(ada.page, "casino-told")
    ada.hand("R5")
    ada.table("board.G5")
    ada.do("take")
    ben.page.click('[data-key^="name-hand-1"]')
    ben.page.click('#picker [data-key="named-color-GB"]')
    ben.page.click('#picker [data-key="named-rank-12"]')
    ben.page.click('#picker [data-key="named-tell"]')
    ben.refused("put", "CAS-6")
    ben.table("board.R1", "board.OY11")
    ben.page.wait_for_selector("#verdicts .allowed")
    ben.do("take")
    assert house.table.session.rows()[-1].text == "player 2 takes R1, OY11 with GB12"


def test_hands_that_nobody_tells_are_played_from_one_page(
    house: House, table_page: Callable[..., Any], tabs: Tabs, pictures: Pictures
) -> None:
    """Real cards, no phones: the cut, the starter and what is played are told, and Go is believed."""
    tabs.allow("409")
    table = house.sessions.start("cribbage", ("Ada", "Ben"), {}, draws="unseen")
    ada, ben = (Player(table_page(**PHONE), house, seat) for seat in (0, 1))
    ben.page = ada.page
    ada.page.wait_for_selector("#due-picker")
    ada.draw("R9")
    ada.draw("B2")
    for player in (ada, ben):
        for number in range(1, 4):
            ada.page.click(f'[data-key="unseen-hand-{player.seat}"]')
            ada.page.wait_for_function(
                "n => document.querySelectorAll('[data-key^=\"named-hand\"]').length === n", arg=number
            )
        player.do("lay-away")
    assert table.session.rows()[-2].text == "player 1 lays away ??, ??, ??"
    ada.draw("G12")
    ada.page.click('[data-key="name-hand-0"]')
    ada.page.fill("#named-typed", "R7")
    ada.page.press("#named-typed", "Enter")
    ada.page.click('[data-key="named-tell"]')
    ada.page.wait_for_selector("#verdicts .allowed")
    pictures(ada.page, "cribbage-one-page")
    ada.do("play")
    assert table.session.rows()[-1].text == "player 1 plays R7" and table.session.state.hands.hidden == (5, 6)


def test_a_card_that_was_misread_is_tapped_and_named(
    house: House, table_page: Callable[..., Any], pictures: Pictures
) -> None:
    """Somebody taps the card on the page, says which it is, reads what changes, and corrects its row."""
    table = house.sessions.start("spectrumo", ("Ada", "Ben"), {}, position={"table": "B8"}, draws="unseen")
    table.play(table.session.game.parse(table.session.state, "player 1 plays GB6"), source="camera")
    page = table_page(**PHONE)
    page.wait_for_selector(LIVE)
    rows_shown(page, 1)
    page.click('.board [data-spot="discard"]')
    page.click('[data-key="misread"]')
    page.wait_for_selector("text=Which card lies here?")
    page.click('[data-key="lying-color-R"]')
    page.click('[data-key="lying-rank-5"]')
    page.click('[data-key="lying-tell"]')
    page.wait_for_selector("#cell >> text=UMO-2")
    page.click("#cell [data-back]")
    page.click('[data-key="misread"]')
    page.click('[data-key="lying-color-GB"]')
    page.click('[data-key="lying-rank-9"]')
    page.click('[data-key="lying-tell"]')
    page.wait_for_selector("text=/plays GB9 instead of .*plays GB6/")
    pictures(page, "card-misread")
    page.click('[data-key="confirm"]')
    rows_shown(page, 2)
    assert house.table.session.rows()[-1].kind == "correct"
    page.wait_for_selector('.board [data-spot="discard"][aria-label*="green-blue 9"]')
    page.wait_for_selector('[data-key="misread"]', state="detached")


@pytest.mark.parametrize(("draws", "corrections"), [("dealt", 0), ("told", 1)])
def test_only_a_card_that_the_program_has_not_dealt_may_be_another_one(
    house: House, seated: Open, draws: str, corrections: int
) -> None:
    position = None if draws == "dealt" else {
        "hands": [["R9", "GB11"], ["BP6", "P8"]], "board": ["G4", "Y5", "O6"], "chosen": "red", "deal": 11,
    }  # fmt: skip
    ada, _, _ = seated("casino", position, draws=draws)
    ada.page.locator('.board [data-spot^="board."]').first.click()
    ada.page.wait_for_selector('[data-key="leave"]')
    assert ada.page.locator('[data-key="misread"]').count() == corrections


RAISED = """async () => {
  const { revealDecisions } = await import('/static/js/lib/reveal.js');
  const { h, fill } = await import('/static/js/lib/dom.js');
  const panel = document.body.appendChild(h('div', {}));
  panel.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: 200px; height: 300px; overflow-y: auto; z-index: 9';
  const card = (raised) => {
    const one = h('button', { type: 'button', class: raised ? 'playable' : 'unplayable' }, 'card');
    one.style.cssText = 'display: block; height: 60px';
    return one;
  };
  revealDecisions(panel);
  const found = [];
  for (const raised of [[6, 7], [0], [0, 8]]) {
    fill(panel, ...Array.from({ length: 9 }, (_, n) => card(raised.includes(n))), h('div', { class: 'acts' }, h('button', { type: 'button', disabled: true }, 'Meld these')));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const foot = panel.querySelector('.acts').getBoundingClientRect().top;
    const boxes = [...panel.querySelectorAll('.playable')].map((one) => one.getBoundingClientRect());
    found.push(boxes.every((box) => box.top >= 0 && box.bottom <= foot));
  }
  return found;
}"""
"""Cards that are raised in a panel with a row of buttons at its foot: true if all are in view."""


def test_raised_cards_are_scrolled_into_view_if_there_is_room_for_all(
    house: House, table_page: Callable[..., Any]
) -> None:
    house.sessions.start("five-hundred", ("Ada", "Ben"), {}, draws="dealt")
    assert table_page().evaluate(RAISED) == [True, True, False]
