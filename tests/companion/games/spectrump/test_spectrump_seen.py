"""Spectrump as a camera sees it: each card before the seat that played it, and a trick that is gathered."""

from __future__ import annotations

from companion.core.layout import Detection, Layout
from companion.core.recording import RecordedMat
from companion.core.verdict import Accepted, Same
from companion.games.shared.cards.deck import PIECES, number_of
from companion.games.spectrump.game import SPECTRUMP, words
from companion.games.spectrump.manifest import plan, recorded
from companion.games.spectrump.moves import PLAYS
from companion.games.spectrump.options import Options
from companion.games.spectrump.state import SpectrumpState
from companion.referee.matching import match
from simulation.cards.played import Tally, play
from simulation.cards.spectrump import Played

BID = {"player": 0, "color": "purple-red", "number": 2}
SETUP = {"players": 4, "seats": ["bottom", "left", "top", "right"], "bid": BID, "trick": [190, 100, 410, 300]}
RECORDING = recorded(RecordedMat(600, 400, 40), SETUP)


def played(*codes: str) -> SpectrumpState:
    """The position after these cards, from the bidder's lead on."""
    state = SPECTRUMP.from_record(4, Options(), RECORDING.position or {})
    for code in codes:
        state = state.apply(PLAYS[state.mover][number_of(code)])
    return state


def lying(*codes: str) -> Layout:
    """Cards before seats 0, 1, ...; an empty word is an empty place."""
    places = [(Detection.sure(PIECES[number_of(code)]),) if code else () for code in (*codes, "", "", "", "")[:4]]
    return Layout(heaps={f"seat{seat}.trick": place for seat, place in enumerate(places)})


def test_ump_10_a_card_before_a_seat_is_that_seats_play() -> None:
    verdict = match(SPECTRUMP, played("YG10"), lying("YG10", "G6"), draws_unseen=True)
    assert isinstance(verdict, Accepted)
    assert verdict.events == (PLAYS[1][number_of("G6")],)


def test_a_complete_trick_may_lie_there_or_be_gathered() -> None:
    state = played("YG10", "G6", "YG6", "G7")
    assert isinstance(match(SPECTRUMP, state, lying("YG10", "G6", "YG6", "G7"), draws_unseen=True), Same)
    assert isinstance(match(SPECTRUMP, state, lying(), draws_unseen=True), Same)


def test_the_taker_leads_the_next_trick() -> None:
    state = played("YG10", "G6", "YG6", "G7")
    code = ["", "", "", ""]
    code[state.mover] = "OY1"
    verdict = match(SPECTRUMP, state, lying(*code), draws_unseen=True)
    assert isinstance(verdict, Accepted)
    assert verdict.events == (PLAYS[state.mover][number_of("OY1")],)


def test_places_of_the_trick_are_parts_of_its_zone() -> None:
    spots = [f"seat{seat}.trick" for seat in range(4)]
    assert [zone.spot for zone in RECORDING.plan.zones] == spots  # type: ignore[union-attr]
    assert [len(plan(seats).zones) for seats in (2, 4, 6, 8)] == [2, 4, 6, 8]


def test_exact_eyes_referee_tricks_and_cards_out_of_turn() -> None:
    tally = Tally()
    play(Played(), 0, tally, steps=40, illegal=0.3)
    assert tally.counts["right"] == 40 and tally.counts["named"] == tally.counts["put back"] > 5


def test_words_name_cards_by_their_codes() -> None:
    state = played()
    assert words(state, PLAYS[0][number_of("YG10")]) == {"type": "play", "player": 0, "card": "YG10"}
