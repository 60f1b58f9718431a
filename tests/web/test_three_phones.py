"""Three phones and a host do whatever the page lets them do, in any order: nobody ever sees a hand that is not theirs.

What each phone has seen is compared with what its seats may know. Seats are counted here by the plainest book: who took
one has it until that phone leaves it or the host frees it.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from companion.core.contract import ToMove
from companion.core.plan import Mat, Plan
from companion.games import GAMES
from companion.games.shared.cards.deck import CODES, NUMBER_CARDS
from companion.referee.journal import Journal
from companion.referee.session_manager import SessionManager
from tests.web.conftest import ORIGIN, Browser
from web.admission.access import Access
from web.app import create_app

DEALT = ("casino", "poker", "five-hundred", "spectrumo")
PHONES = 3
PLAN = Plan(Mat(440, 400, 40))
ALWAYS = ("/api/table", "/api/advice", "/api/journal/rows", "/api/table/moves")
"""What every phone looks at after each step."""
IN_TURN = (
    "/api/table/pieces?unseen=0", "/api/journal/export/jsonl", "/api/journal/export/csv", "/api/journal/export/sheet",
)  # fmt: skip
"""One of these it looks at, too."""


class House:
    """A machine with a page, three phones, and the book of who sits where."""

    def __init__(self, folder: Path) -> None:
        self.journal = Journal.open(folder / "evening.journal")
        self.dealer = Random(1)
        self.sessions = SessionManager(self.journal, GAMES, PLAN, random_bytes=self.dealer.randbytes)
        self.phones: list[Browser] = []
        self.owners: dict[tuple[str, int], int] = {}
        self.people: dict[int, int] = {}
        """By seat, and so by name: the phone that had it last."""
        self.told = 0
        """Times that somebody took, left or lost a seat of a game with private hands."""
        self.open_page()

    def open_page(self) -> None:
        """Start the program: phones come back with their cookies, and are let in anew."""
        access = Access()
        app = create_app(self.sessions, access=access)
        self.host = Browser(app, access.token("host"), "127.0.0.1")
        seats = [phone.flask.get_cookie("companion_seat", domain="localhost") for phone in self.phones]
        self.phones = [Browser(app, access.token("table"), f"192.168.1.{n}") for n in range(PHONES)]
        for phone, seat in zip(self.phones, seats or [None] * PHONES, strict=True):
            if seat is not None:
                phone.flask.set_cookie("companion_seat", seat.value, domain="localhost")

    def restart(self) -> None:
        """End the program and start it again; the game goes on."""
        game = self.game
        self.sessions = SessionManager(self.journal, GAMES, PLAN, random_bytes=self.dealer.randbytes)
        if game:
            self.sessions.resume(game)
        self.people = {}
        self.open_page()

    @property
    def game(self) -> str:
        return "" if self.sessions.table is None else self.sessions.table.session.header.id

    @property
    def private(self) -> bool:
        return self.sessions.table is not None and self.sessions.table.session.game.name in DEALT

    def mine(self, phone: int) -> int | None:
        """The seat that a phone has in the game in play, by the book."""
        return next((seat for (game, seat), who in self.owners.items() if (game, who) == (self.game, phone)), None)


def one_evening(rng: Random) -> None:
    """Forty things that somebody does; after each of them every phone looks."""
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder))
        try:
            for _ in range(40):
                something(rng, house)
                check(house)
        finally:
            house.journal.close()


def something(rng: Random, house: House) -> None:
    who = rng.randrange(PHONES)
    match rng.randrange(14):
        case 0 | 1:
            begin(rng, house, rng.choice((None, None, who)))
        case 2 | 3:
            go_back(rng, house, rng.choice((None, who, who)))
        case 4 | 5 | 6 | 7:
            sit(rng, house, who)
        case 8:
            leave(house, who)
        case 9:
            free(rng, house)
        case 10 | 11:
            play(rng, house)
        case 12:
            take_back(rng, house, rng.choice((None, who)))
        case _:
            if rng.random() < 0.4:
                house.restart()


def begin(rng: Random, house: House, who: int | None) -> None:
    game = rng.choice((*DEALT, "spectrangle"))
    body = {"game": game, "names": ["Ada", "Ben", "Cyd"], "draws": "dealt" if game in DEALT else "told"}
    body["instead"] = house.game
    running = (
        house.private and house.sessions.table is not None and house.sessions.table.session.state.outcome() is None
    )
    before = house.game
    answer = asked(house, who).post("/api/games", body)
    assert answer.status_code == (403 if running and who is not None else 201), answer.text
    if answer.status_code == 201:
        stay_seated(house, before)


def stay_seated(house: House, before: str) -> None:
    """Everybody has the seat of the same name in the next game, which says so where hands are hidden."""
    for (game, seat), who in sorted(house.owners.items()):
        if game == before:
            house.people = {one: other for one, other in house.people.items() if other != who} | {seat: who}
    house.owners |= {(house.game, seat): who for seat, who in house.people.items()}
    house.told += house.private * len(house.people)


def go_back(rng: Random, house: House, who: int | None) -> None:
    saved = house.journal.games()
    if saved:
        answer = asked(house, who).post("/api/saved", {"game": rng.choice(saved).id})
        assert answer.status_code in ((200,) if who is None else (200, 403))


def sit(rng: Random, house: House, who: int) -> None:
    if not house.game:
        return
    seat, before = rng.randrange(3), house.mine(who)
    owner = house.owners.get((house.game, seat))
    answer = house.phones[who].post("/api/door/seat", {"seat": seat})
    assert answer.status_code == (200 if owner in (None, who) else 409), (owner, who, answer.text)
    if answer.status_code == 200 and before != seat:
        if before is not None:
            del house.owners[house.game, before]
            house.told += house.private
        house.owners[house.game, seat] = who
        house.told += house.private


def leave(house: House, who: int) -> None:
    if house.game:
        before = house.mine(who)
        assert house.phones[who].post("/api/door/seat", {"seat": None}).status_code == 200
        if before is not None:
            del house.owners[house.game, before]
            house.people = {one: other for one, other in house.people.items() if other != who}
            house.told += house.private


def free(rng: Random, house: House) -> None:
    if house.game:
        seat = rng.randrange(3)
        assert house.phones[0].post("/api/door/free", {"seat": seat}).status_code == 403
        assert house.host.post("/api/door/free", {"seat": seat}).status_code == 200
        gone = house.owners.pop((house.game, seat), None)
        if gone is not None:
            house.people = {one: other for one, other in house.people.items() if other != gone}
            house.told += house.private


def play(rng: Random, house: House) -> None:
    """Whoever is on turn plays with the own phone; nobody else can."""
    table = house.sessions.table
    if table is None or not house.private or not isinstance(table.session.state.expects(), ToMove):
        return
    seat = table.session.state.expects().seats[0]
    moves = table.session.state.legal_moves()
    line = table.session.game.text(moves[rng.randrange(min(len(moves), 30))])
    for phone in rng.sample(range(PHONES), PHONES):
        answer = house.phones[phone].post("/api/table/play", {"expected": table.session.seq, "text": line})
        assert answer.status_code == (200 if house.mine(phone) == seat else 403), answer.text
        if answer.status_code == 200:
            return


def take_back(rng: Random, house: House, who: int | None) -> None:
    """Undo, or put another event in the place of an earlier one: whatever the answer is, it tells nobody more."""
    table = house.sessions.table
    if table is None or not house.private:
        return
    seq, before = table.session.seq, house.told
    if rng.random() < 0.5:
        asked(house, who).post("/api/table/undo", {"expected": seq, "to": rng.randrange(seq + 1)})
    else:
        event = {"type": "drawn", "seat": rng.randrange(3), "pieces": [rng.choice(CODES[:NUMBER_CARDS])]}
        asked(house, who).post("/api/table/correct", {"expected": seq, "n": rng.randrange(1, seq + 1), "event": event})
    assert house.told == before


def asked(house: House, who: int | None) -> Browser:
    return house.host if who is None else house.phones[who]


def check(house: House) -> None:
    """Every phone shows its own seat or none, and no card that only others know; each change of a seat is a row."""
    rows = [row for header in house.journal.games() for row in house.journal.rows(header.id)]
    assert sum(row.kind == "seat" for row in rows) == house.told
    table = house.sessions.table
    if table is None:
        return
    # What was played and taken back was seen by all.
    played = {word for row in table.session.rows() if row.kind == "move" for word in re.findall(r"\w+", row.text)}
    for phone, browser in enumerate(house.phones):
        seat = house.mine(phone)
        assert browser.get("/api/door").json["seat"] == seat
        if not house.private or table.session.state.outcome() is not None:
            continue
        secret = {CODES[card] for card in hidden_from(table.session.state, seat)} - played
        last = table.session.seq
        for path in (*ALWAYS, IN_TURN[last % len(IN_TURN)], f"/api/journal/board/{last - last % 3}"):
            shown = words(browser.get(path))
            assert not shown & secret, (path, phone, seat, shown & secret)


def hidden_from(state: Any, seat: int | None) -> set[int]:
    """The cards of all other hands, but for those that were taken from the discards or turned up for all to see."""
    found = set()
    hands = getattr(state.hands, "known", state.hands)
    for other, hand in enumerate(hands):
        if other != seat and not getattr(state, "shown", 0) >> other & 1:
            opened = getattr(state, "opened", (0,) * len(hands))[other]
            found |= {card for card in hand if card < NUMBER_CARDS and not opened >> card & 1}
    return found


def words(answer: TestResponse) -> set[str]:
    """Every card that an answer names by itself, as hands are shown; of a file, every word. Files may be kept back."""
    assert answer.status_code in (200, 403)
    if answer.mimetype != "application/json":
        return set(re.findall(r"\w+", answer.text))
    found, within = set(), [answer.json]
    while within:
        data = within.pop()
        if isinstance(data, str):
            found.add(data)
        elif isinstance(data, dict | list):
            within += data.values() if isinstance(data, dict) else data
    return found


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
@given(st.randoms(use_true_random=False))
def test_nobody_sees_a_hand_that_is_not_theirs(rng: Random) -> None:
    one_evening(rng)


def test_the_way_around_the_host_is_closed() -> None:
    """Begin another game, sit there, come back, take Ada's seat: what once showed her cards to anybody."""
    assert ORIGIN
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder))
        ada, thief = house.phones[:2]
        body = {"game": "casino", "names": ["Ada", "Ben", "Cyd"], "draws": "dealt"}
        assert house.host.post("/api/games", body).status_code == 201
        first = house.game
        assert ada.post("/api/door/seat", {"seat": 0}).status_code == 200
        assert thief.post("/api/games", body).status_code == 403, "the host alone changes games now"
        other = {"game": "spectrangle", "names": ["Ada", "Ben"], "instead": first}
        assert house.host.post("/api/games", {**other, "instead": ""}).status_code == 409, "Ada has looked at her hand"
        assert house.host.post("/api/games", other).status_code == 201
        assert thief.post("/api/door/seat", {"seat": 0}).status_code == 409, "Ada stays seated, whatever is played"
        assert thief.post("/api/saved", {"game": first}).status_code == 403
        house.host.post("/api/saved", {"game": first})
        assert thief.post("/api/door/seat", {"seat": 0}).status_code == 409, "it is Ada's still"
        assert ada.get("/api/door").json["seat"] == 0
        house.journal.close()
