"""Spectrumo as a camera sees it: plays on the pile, a card that goes back with its penalty, and draws nobody sees."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.commands.watch import RecordingReferee
from companion.core.layout import Candidate, Detection, Layout
from companion.core.recording import RecordedMat
from companion.core.verdict import Accepted, Refused
from companion.games.shared.cards.deck import PIECES, number_of
from companion.games.spectrumo.game import SPECTRUMO, words
from companion.games.spectrumo.manifest import plan, recorded
from companion.games.spectrumo.moves import DRAWS, PLAYS
from companion.games.spectrumo.observation import STOCK, visit
from companion.games.spectrumo.options import Options
from companion.referee.journal import Journal
from companion.referee.matching import match
from simulation.cards.played import Tally, play
from simulation.cards.spectrumo import Played
from vision.table_reader import Reading

SETUP = {"players": 2, "table_card": "B8", "discard": [308, 153, 388, 257], "stock": [212, 153, 292, 257]}
RECORDING = recorded(RecordedMat(600, 400, 40), SETUP)


class PileReader:
    """A reader that is told what lies on the pile, and whether a hand was over the stock."""

    plan = RECORDING.plan
    over_stock = False
    before = "B8"
    hands = 1
    """How often a hand is over the pile before its next card is read."""

    def read(self, top: str) -> Reading:
        """What lies on the pile: one card, or several words for one that is read as likely as each of them."""
        visits = {STOCK: 1} if self.over_stock else {} if top == self.before else {"discard": self.hands}
        self.over_stock, self.hands, self.before = False, 1, top
        codes = top.split()
        candidates = tuple(Candidate(PIECES[number_of(code)], 0.99 / len(codes)) for code in codes)
        heaps = {"discard": (Detection(candidates),)}
        corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
        return Reading(Layout(heaps=heaps, visits=visits), (), (0, 1, 2, 3), corners)

    def read_again(self, top: str) -> Reading:
        return self.read(top)

    def set_plan(self, plan: object) -> None: ...

    def set_stirred(self, stirred: object) -> None:
        self.over_stock = True

    def confirm_position(self, position: Layout) -> None: ...


@pytest.fixture
def reader() -> PileReader:
    return PileReader()


@pytest.fixture
def referee(tmp_path: Path, reader: PileReader) -> Iterator[RecordingReferee]:
    journal = Journal.open(tmp_path / "journal.sqlite")
    yield RecordingReferee("spectrumo", RECORDING, journal, reader=reader)  # type: ignore[arg-type]
    journal.close()


def said(referee: RecordingReferee, number: int, top: str, *, over_stock: bool = False) -> list[tuple]:
    """What there is to say about a steady picture, looked at as often as the referee asks."""
    told = [*referee.take(top, number, stirred=over_stock or None)]  # type: ignore[arg-type]
    for _ in range(3):
        if referee.wants_look():
            told += referee.take(top, number, again=True)  # type: ignore[arg-type]
    events = [one.words for one in told if one.words is not None]
    return [(event["player"], event["type"], event.get("card"), event["legal"]) for event in events]


def test_umo_2_a_shade_and_an_equal_number_are_played(referee: RecordingReferee) -> None:
    assert said(referee, 1, "B8") == []
    assert said(referee, 2, "GB12") == [(0, "play", "GB12", True)]
    assert said(referee, 3, "G12") == [(1, "play", "G12", True)]


def test_umo_5_an_illegal_card_goes_back_and_a_hand_over_the_stock_takes_the_penalty(referee: RecordingReferee) -> None:
    said(referee, 1, "B8")
    assert said(referee, 2, "R5") == [(0, "play", "R5", False)]
    assert said(referee, 3, "B8") == [(0, "take_back", "R5", True)]
    assert said(referee, 4, "B8", over_stock=True) == [(0, "penalty", "R5", True)]
    assert said(referee, 5, "BP9") == [(1, "play", "BP9", True)]


def test_a_card_that_two_hands_may_have_left_is_no_breach(referee: RecordingReferee, reader: PileReader) -> None:
    said(referee, 1, "B8")
    reader.hands = 2
    assert said(referee, 2, "R5") == []
    assert said(referee, 3, "RO5") == []


def test_umo_4_a_hand_over_the_stock_draws_for_the_seat_on_turn(referee: RecordingReferee) -> None:
    said(referee, 1, "B8")
    assert said(referee, 2, "B8", over_stock=True) == [(0, "draw", None, True)]
    assert said(referee, 3, "GB7") == [(0, "play", "GB7", True)]


def test_exact_eyes_referee_a_hand_with_refused_plays_and_their_penalties() -> None:
    tally = Tally()
    play(Played(), 0, tally, steps=30, illegal=0.3)
    assert tally.counts["right"] == 30 and tally.counts["named"] > 5
    assert not {"wrong", "accused", "missed", "misnamed"} & set(tally.counts)


def test_the_same_table_again_is_no_play(referee: RecordingReferee) -> None:
    said(referee, 1, "B8")
    assert said(referee, 2, "B8") == []


def test_after_a_card_that_was_not_read_nobody_is_accused(referee: RecordingReferee) -> None:
    said(referee, 1, "B8")
    assert said(referee, 2, "GB1 GB2 GB3 GB4 GB5 GB6") == []
    assert all(legal for _, _, _, legal in said(referee, 3, "R5"))


def test_a_hand_elsewhere_draws_nothing() -> None:
    state = SPECTRUMO.from_record(2, Options(), {"table": "B8"})
    assert visit(state, frozenset({"discard"})) is None
    assert visit(state, frozenset({STOCK})) == DRAWS[0]


def test_words_name_cards_by_their_codes() -> None:
    state = SPECTRUMO.from_record(2, Options(), {"table": "B8"})
    assert words(state, PLAYS[0][number_of("B9")]) == {"type": "play", "player": 0, "card": "B9"}


def test_the_printed_mat_has_a_pile_and_a_stock() -> None:
    assert {zone.spot: zone.kind for zone in plan(4).zones} == {"discard": "pile", "stock": "stock"}  # type: ignore[union-attr]


@pytest.mark.parametrize("code", ["GB12", "R5"])
def test_a_card_that_seems_to_lie_there_twice_is_a_question_and_no_move(code: str) -> None:
    """Each of two equal cards has a probability of at most one half, so the referee neither accepts nor refuses a play."""
    state = SPECTRUMO.from_record(2, Options(), {"table": "B8"})
    one = Detection((Candidate(PIECES[number_of(code)], 0.5),))
    verdict = match(SPECTRUMO, state, Layout(heaps={"discard": (one,)}, visits={"discard": 1}), draws_unseen=True)
    assert not isinstance(verdict, Accepted | Refused)
    sure = Layout(heaps={"discard": (Detection.sure(PIECES[number_of(code)]),)}, visits={"discard": 1})
    assert isinstance(match(SPECTRUMO, state, sure, draws_unseen=True), Accepted if code == "GB12" else Refused)
