"""Nothing is judged before table and record agree: on recorded readings, on made-up ones, and look by look."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.core.layout import Candidate, Detection, Difference, Layout
from companion.core.pieces import Die, Pyramid, PyramidSize
from companion.core.protocols.eyes import EyesStatus, NoEyes
from companion.core.verdict import Desynchronized, Pending, Same
from companion.games import GAMES, PLANS
from companion.games.spectra.position import start
from companion.referee.journal import Journal
from companion.referee.journal.timeline import options_of
from companion.referee.session_manager import BREAK_S, SessionManager
from companion.referee.table.agreement import KEPT, RESTLESS, Agreement, Comparison, Looks, compare
from companion.referee.table.table import Table
from tests.web.doubles import HandClock

EVENING = Path(__file__).parents[3] / "data" / "spectra" / "evening-readings.json"


class Evening(msgspec.Struct):
    """Recorded readings of the first pictures of an evening."""

    about: str
    colors: str
    layouts: list[Layout]


def piece(color: str, size: PyramidSize) -> Pyramid:
    return Pyramid(color, size)


def stands(piece: Pyramid, place: str, probability: float = 0.99) -> Detection:
    return Detection((Candidate(piece, probability),), place)


class Watching(NoEyes):
    """Eyes whose state the test sets, and that count how often they are asked to look."""

    def __init__(self) -> None:
        self.looks = 0
        self.state = EyesStatus("looking", "")

    def look_again(self) -> None:
        self.looks += 1

    def status(self) -> EyesStatus:
        return self.state


class House:
    """A session manager with real eyes, and a clock that a test moves."""

    def __init__(self, folder: Path) -> None:
        self.clock = HandClock()
        self.eyes = Watching()
        self.journal = Journal.open(folder / "journal.sqlite")
        self.sessions = SessionManager(self.journal, GAMES, PLANS["spectra"](2), clock=self.clock)
        self.sessions.watch(self.eyes)
        self.frame = 0

    def begin(self, game: str = "spectra", **options: object) -> Table:
        return self.sessions.start(game, ("Ada", "Bea"), options)

    @property
    def table(self) -> Table:
        assert self.sessions.table is not None
        return self.sessions.table

    def see(self, layout: Layout, times: int = 1, every_s: float = 0.4) -> object:
        """The same reading so many times."""
        verdict: object = None
        for _ in range(times):
            self.frame += 1
            verdict = self.sessions.see(layout, self.frame)
            self.clock.pass_(every_s)
        return verdict


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.journal.close()


@pytest.fixture(scope="module")
def evening() -> Evening:
    return msgspec.json.decode(EVENING.read_bytes(), type=Evening)


LARGES = Layout(
    heaps={
        "seat0.trees": (stands(piece("red", "large"), "p1"),),
        "seat0.supply": (),
        "seat1.trees": (stands(piece("orange", "large"), "p2"),),
        "seat1.supply": (),
    }
)
"""How the table looks when a game of Spectra for two begins."""


def with_supply(*sightings: Detection) -> Layout:
    return Layout(heaps={**LARGES.heaps, "seat0.supply": sightings})


# A recorded evening


def test_a_recorded_evening_begun_from_the_records_beginning_writes_no_row_until_a_person_chooses(
    house: House, evening: Evening
) -> None:
    table = house.begin(colors=evening.colors)
    for layout in evening.layouts:
        for _ in range(4):
            house.see(layout)
            assert table.session.rows() == ()
            assert table.apart is not None
            assert table.session.alert is None or isinstance(table.session.alert.verdict, Pending | Desynchronized)
        assert isinstance(table.session.alert and table.session.alert.verdict, Desynchronized)


def test_begun_from_what_is_seen_the_evenings_next_picture_is_a_draw(house: House, evening: Evening) -> None:
    table = house.begin(colors=evening.colors)
    house.see(evening.layouts[0], times=3)
    assert table.apart is not None and table.apart.seen is not None
    proposer = table.session.game.proposer
    assert proposer is not None and proposer.seen_position is not None
    options = options_of(table.session.game, table.session.options)
    position = proposer.seen_position(2, options, table.apart.seen)
    row = table.begin_from(position, "begun from what is seen", number=table.apart.number, source="page", expected=0)
    assert (row.n, row.kind, row.more["why"]) == (1, "position", "begun from what is seen")
    assert table.apart is None and table.session.alert is None
    house.see(evening.layouts[1])
    assert [one.text for one in table.session.rows()[1:]] == ["player 1 draws green small"]
    table.undo(0, "not so", source="page")
    assert table.apart is not None, "who undoes the position that was agreed on is asked again"


# The beginning


def test_a_table_as_the_record_begins_is_agreed_on_by_itself(house: House) -> None:
    table = house.begin()
    assert isinstance(house.see(LARGES), Pending)
    assert isinstance(house.see(LARGES), Pending)
    assert house.eyes.looks == 1 + 2, "the session manager asks once, the table for each further look"
    assert isinstance(house.see(LARGES), Same)
    assert table.apart is None and table.session.alert is None and table.session.rows() == ()
    house.see(with_supply(stands(piece("green", "small"), "p3")))
    assert [row.text for row in table.session.rows()] == ["player 1 draws green small"]


def test_two_looks_a_second_apart_are_enough(house: House) -> None:
    table = house.begin()
    house.see(LARGES, times=2, every_s=1.0)
    assert table.apart is None


def test_a_table_that_does_not_stand_so_is_shown_after_three_looks_and_never_guessed(house: House) -> None:
    table = house.begin()
    drawn = with_supply(stands(piece("green", "small"), "p3"))
    house.see(drawn)
    assert table.session.alert is not None and isinstance(table.session.alert.verdict, Pending)
    house.see(drawn, times=9)
    assert table.session.alert is not None
    assert table.session.alert.verdict == Desynchronized((Difference("seat0.supply", (), (piece("green", "small"),)),))
    assert table.session.rows() == () and house.eyes.looks == 1 + 2, "once it is known, nobody looks on"
    assert table.doubts == ()


def test_pieces_put_as_the_record_has_them_are_enough(house: House) -> None:
    table = house.begin()
    house.see(with_supply(stands(piece("green", "small"), "p3")), times=3)
    house.see(LARGES, times=3)
    assert table.apart is None and table.session.alert is None and table.session.rows() == ()


def test_it_is_as_recorded_says_a_person_and_what_reads_otherwise_is_silent(house: House) -> None:
    table = house.begin()
    ghost = stands(piece("green", "small"), "p3")
    house.see(with_supply(ghost), times=3)
    table.misread(source="page", expected=0)
    assert table.apart is None
    assert isinstance(house.see(with_supply(ghost)), Same)
    house.see(with_supply(ghost, stands(piece("blue", "small"), "p4")))
    assert [row.text for row in table.session.rows()] == ["player 1 draws blue small"]


def test_a_piece_that_is_rather_something_else_is_not_agreed_on_by_itself(house: House) -> None:
    table = house.begin()
    doubtful = Detection(
        (Candidate(piece("red", "large"), 0.22), Candidate(piece("red", "medium"), 0.2)),
        LARGES.heaps["seat0.trees"][0].place,
    )
    house.see(Layout(heaps={**LARGES.heaps, "seat0.trees": (doubtful,)}), times=3)
    assert table.apart is not None and table.apart.found == Comparison(doubted=("seat0.trees",))
    assert isinstance(table.session.alert and table.session.alert.verdict, Desynchronized)


def test_spots_that_no_picture_shows_hold_nothing_up(house: House) -> None:
    table = house.begin()
    house.see(Layout(heaps={"seat0.trees": LARGES.heaps["seat0.trees"]}), times=3)
    assert table.apart is None


def test_dice_that_lie_there_before_the_first_roll_are_none(house: House) -> None:
    table = house.begin("roll-and-color")
    dice = tuple(Detection.sure(Die("d6", "red")) for _ in range(3)) + tuple(
        Detection.sure(Die("d12", "red")) for _ in range(6)
    )
    house.see(Layout(heaps={"dice": dice}), times=3)
    assert table.apart is None
    house.see(Layout(heaps={"dice": dice}), times=3)
    assert table.session.rows() == ()


def test_what_is_told_while_they_are_apart_is_taken_and_compared(house: House) -> None:
    table = house.begin()
    house.see(with_supply(stands(piece("green", "small"), "p3")), times=3)
    table.play(table.session.game.parse(table.session.state, "player 1 draws blue small"), source="page")
    assert table.apart is not None, "another piece is seen than was told"
    table.undo(0, "", source="page")
    table.play(table.session.game.parse(table.session.state, "player 1 draws green small"), source="page")
    assert table.apart is None and table.session.alert is None


def test_a_table_that_trusts_its_first_picture_never_comes_apart(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.sqlite")
    sessions = SessionManager(journal, GAMES, PLANS["spectra"](2), trusting=True)
    sessions.watch(Watching())
    table = sessions.start("spectra", ("Ada", "Bea"), {})
    for frame in range(9):
        sessions.see(with_supply(*(stands(piece("green", "small"), f"p{n}") for n in range(3, 9))), frame)
        assert table.apart is None
    journal.close()


# In the middle of a game


@pytest.fixture
def playing(house: House) -> Table:
    """A game that goes on: player 1 has drawn green small."""
    table = house.begin()
    house.see(LARGES, times=3)
    house.see(with_supply(stands(piece("green", "small"), "p3")))
    assert len(table.session.rows()) == 1
    return table


MESS = with_supply(
    stands(piece("green", "small"), "p3"), *(stands(piece("white", "large"), f"p{n}") for n in range(4, 9))
)
"""Five more pieces in the supply: no event explains them."""


def test_a_table_that_nothing_explains_is_apart_after_three_looks(house: House, playing: Table) -> None:
    house.see(MESS, times=2)
    assert playing.apart is None and isinstance(playing.session.alert and playing.session.alert.verdict, Pending)
    house.see(MESS)
    assert playing.apart is not None
    assert isinstance(playing.session.alert and playing.session.alert.verdict, Desynchronized)


def test_one_glance_that_nothing_explains_is_no_matter(house: House, playing: Table) -> None:
    house.see(MESS)
    house.see(with_supply(stands(piece("green", "small"), "p3")), times=3)
    assert playing.apart is None and playing.session.alert is None


def test_no_later_picture_settles_it_but_the_recorded_one(house: House, playing: Table) -> None:
    house.see(MESS, times=3)
    explained = Layout(
        heaps={
            **LARGES.heaps,
            "seat0.supply": (stands(piece("green", "small"), "p3"),),
            "seat1.supply": (stands(piece("blue", "small"), "p9"),),
        }
    )
    house.see(explained, times=6)
    assert len(playing.session.rows()) == 1 and playing.apart is not None
    house.see(with_supply(stands(piece("green", "small"), "p3")), times=3)
    assert playing.apart is None and playing.session.alert is None
    house.see(explained)
    assert playing.session.rows()[-1].text == "player 2 draws blue small"


def test_while_they_are_apart_tower_and_camera_dispute_nothing(house: House, playing: Table) -> None:
    house.see(MESS, times=3)
    playing.contradict(1, (Die("d6", "red"),))
    assert isinstance(playing.session.alert and playing.session.alert.verdict, Desynchronized)


# Breaks


def test_eyes_that_were_blind_for_a_while_compare_afresh(house: House, playing: Table) -> None:
    house.sessions.mind_break()
    house.eyes.state = EyesStatus("lost", "")
    house.clock.pass_(BREAK_S)
    house.sessions.mind_break()
    assert playing.apart is None, "nobody knows yet what they will see"
    house.eyes.state = EyesStatus("looking", "")
    drawn = with_supply(stands(piece("green", "small"), "p3"), stands(piece("blue", "small"), "p4"))
    house.see(drawn, times=4)
    assert playing.apart is not None and len(playing.session.rows()) == 1


def test_a_moment_without_a_picture_is_no_break(house: House, playing: Table) -> None:
    for _ in range(3):
        house.sessions.mind_break()
        house.eyes.state = EyesStatus("dark", "")
        house.clock.pass_(BREAK_S / 2)
        house.sessions.mind_break()
        house.eyes.state = EyesStatus("looking", "")
    house.sessions.mind_break()
    assert playing.apart is None


def test_a_machine_that_was_asleep_compares_afresh(house: House, playing: Table) -> None:
    house.sessions.mind_break()
    house.clock.pass_(3600.0)
    house.sessions.mind_break()
    assert playing.apart is not None


def test_other_eyes_another_plan_and_a_resumed_game_compare_afresh(house: House, playing: Table) -> None:
    seen = with_supply(stands(piece("green", "small"), "p3"))
    house.sessions.watch(Watching())
    assert playing.apart is not None
    house.see(seen, times=3)
    assert playing.apart is None
    house.sessions.set_plan(PLANS["spectra"](3))
    assert playing.apart is not None
    resumed = house.sessions.resume(playing.session.header.id)
    assert resumed.apart is not None
    house.sessions.watch(None)
    assert house.sessions.resume(playing.session.header.id).apart is None, "nobody looks, so people tell everything"


# Looks


def test_a_thing_that_reads_differently_is_shown_with_the_mean_of_its_readings() -> None:
    one, other = piece("yellow", "large"), piece("yellow", "medium")
    looks = Looks()
    for at, share in enumerate((0.9, 0.3, 0.3)):
        sighting = Detection((Candidate(one, share), Candidate(other, 1 - share)), "p1")
        looks = looks.followed_by(Layout(heaps={"seat0.trees": (sighting,)}), float(at))
    assert looks.are_steady
    folded = looks.folded().heaps["seat0.trees"][0]
    assert (folded.place, folded.piece, round(folded.confidence, 3)) == ("p1", one, 0.5)
    assert round(folded.probability(other), 3) == 0.5


def test_looks_begin_anew_when_something_moves_and_only_the_last_ones_count() -> None:
    looks = Looks()
    for at in range(KEPT + 3):
        looks = looks.followed_by(LARGES, at * 0.1)
    assert len(looks.taken) == KEPT and looks.are_steady
    moved = looks.followed_by(with_supply(stands(piece("red", "small"), "p3")), 9.0)
    assert len(moved.taken) == 1 and not moved.are_enough


def test_a_table_that_does_not_come_to_rest_is_shown_after_a_while_and_never_agreed_on() -> None:
    clock = HandClock()
    agreement = Agreement(agreed=False, clock=clock)
    flickering = [LARGES, with_supply(stands(piece("red", "small"), "p3"))]

    def compared(seen: Layout) -> Comparison:
        return compare(LARGES, seen, {})

    shown = [agreement.look(flickering[n % 2], compared) is not None for n in range(1, RESTLESS + 1)]
    assert shown == [False] * (RESTLESS - 1) + [True]
    assert agreement.apart is not None and agreement.apart.seen is not None


def test_number_rises_with_what_is_shown_alone() -> None:
    agreement = Agreement(agreed=False, clock=HandClock())
    numbers = []
    for layout in (with_supply(stands(piece("red", "small"), "p3")), with_supply(stands(piece("red", "medium"), "p4"))):
        for _ in range(6):
            agreement.look(layout, lambda seen: compare(LARGES, seen, {}))
        assert agreement.apart is not None
        numbers.append(agreement.apart.number)
    assert numbers[1] == numbers[0] + 1


# What differs


def test_pieces_that_may_stand_unseen_are_no_difference() -> None:
    nested = start(("red", "orange")).layout()
    small = piece("red", "small")
    table = Layout(
        heaps={"seat0.trees": (*nested.heaps["seat0.trees"], Detection.sure(small))}, covered={"seat0.trees": (small,)}
    )
    seen = Layout(heaps={"seat0.trees": (stands(piece("red", "large"), "p1"),)})
    assert compare(table, seen, {}).agrees
    uncovered = Layout(heaps=table.heaps)
    assert not compare(uncovered, seen, {}).agrees
    assert compare(uncovered, seen, {"seat0.trees": (small,)}).agrees, "it lies under a cloth"
    cut = Layout(heaps=seen.heaps, partial=frozenset(("seat0.trees",)))
    assert compare(uncovered, cut, {}).agrees, "the heap reaches out of the picture"


def test_what_is_rather_nothing_is_no_piece() -> None:
    shadow = Detection((Candidate(None, 0.6), Candidate(piece("black", "small"), 0.4)), "p9")
    assert compare(LARGES, with_supply(shadow), {}).agrees


def test_cells_are_compared_one_by_one() -> None:
    tile = piece("red", "small")
    table = Layout({"a1": Detection.sure(tile), "a2": Detection.sure(None)})
    seen = Layout({"a1": Detection((Candidate(tile, 0.2), Candidate(None, 0.1))), "a2": Detection.sure(tile)})
    assert compare(table, seen, {}) == Comparison((Difference("a2", (None,), (tile,)),), ("a1",))
