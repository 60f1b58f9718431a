"""Cards on the board game's table, through the referee: cards as dice, weights, portals and a shotgun start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.contract import ToDraw
from companion.core.layout import Detection, Layout
from companion.core.pieces import Pawn, Piece
from companion.core.recording import RecordedMat
from companion.games.shared.cards.deck import PIECES, number_of
from companion.games.spectrum.board import SPOTS
from companion.games.spectrum.plan import recorded
from companion.referee.telling import ToldVerdict
from simulation.cards.table import CardReferee

SETUP: dict[str, Any] = {
    "players": [{"name": "Ada"}, {"name": "Ben"}],
    "cards": [600, 20, 900, 120],
    "weights": [600, 260, 900, 560],
    "portals": [700, 140, 780, 240],
}


class Table:
    """Pawns and cards on a table, and the referee that looks at them."""

    def __init__(self, folder: Path, **setup: Any) -> None:
        self.recording = recorded(RecordedMat(560, 560, 40), {**SETUP, **setup})
        self.referee = CardReferee("spectrum", self.recording, folder)
        self.pawns: dict[str, str] = {}
        self.heaps: dict[str, list[str]] = {"cards": [], "weights": [], "portal discards": []}

    def look(self) -> list[ToldVerdict]:
        """What the referee says of the table as it is now."""
        cells = {spot: Detection.sure(Pawn(self.pawns[spot]) if spot in self.pawns else None) for spot in SPOTS}
        heaps = {spot: tuple(Detection.sure(piece(code)) for code in codes) for spot, codes in self.heaps.items()}
        return self.referee.shown(Layout(cells, heaps))


def piece(code: str) -> Piece:
    return PIECES[number_of(code)]


def lines(told: list[ToldVerdict]) -> list[str]:
    return [f"{one.verdict}: {one.text}" for one in told]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Any]:
    opened: list[Table] = []

    def begin(**setup: Any) -> Table:
        opened.append(Table(tmp_path, **setup))
        return opened[-1]

    yield begin
    for one in opened:
        one.referee.close()


def with_pawns(found: Any, pawns: dict[str, str], options: dict[str, Any], **more: Any) -> Table:
    by_seat = [[spot for spot, color in pawns.items() if color == name] for name in ("red", "orange")]
    made: Table = found(options=options, position={"pawns": by_seat, **more})
    made.pawns = dict(pawns)
    return made


CARDS = {"cards_as_dice": True}


def with_cards(table: Any) -> Any:
    """A table on which R2 and G1 were drawn and seen, with a red and an orange pawn on the board."""
    here = with_pawns(table, {"red.4": "red", "blue.3": "orange"}, CARDS)
    here.look()
    here.heaps["cards"] = ["R2", "G1"]
    here.look()
    return here


def test_cards_as_dice_are_told_where_they_are_laid_open(table: Any) -> None:
    here = with_pawns(table, {"red.4": "red", "blue.3": "orange"}, CARDS)
    assert here.look() == []
    here.heaps["cards"] = ["R2", "B1"]
    assert here.look() == []
    assert set(here.referee.state.extras.drawn) == {number_of("R2"), number_of("B1")}


def test_a_move_by_a_card_is_named_by_the_card_that_it_uses(table: Any) -> None:
    here = with_cards(table)
    here.pawns = {"red.6": "red", "blue.3": "orange"}
    told = here.look()
    assert lines(told) == ["accepted: Ada: uses R2.", "accepted: Ada: moves R4 to R6."]
    here.heaps["cards"] = []
    assert here.look() == []
    here.heaps["cards"] = ["B1", "Y2"]
    assert here.look() == []
    assert here.referee.state.extras.drawn == tuple(sorted((number_of("B1"), number_of("Y2"))))


def test_a_move_that_no_card_allows_is_named_with_its_rule(table: Any) -> None:
    here = with_cards(table)
    here.pawns = {"red.8": "red", "blue.3": "orange"}
    told = here.look()
    assert [one.verdict for one in told] == ["refused"], lines(told)
    here.pawns = {"red.4": "red", "blue.3": "orange"}
    assert all(one.verdict in ("taken_back", "accepted") for one in here.look())


def test_more_cards_than_are_due_are_a_question_and_no_draw(table: Any) -> None:
    here = with_pawns(table, {"red.4": "red", "blue.3": "orange"}, CARDS)
    here.look()
    here.heaps["cards"] = ["R2", "G1", "B3", "P1"]
    assert all(one.verdict not in ("accepted", "refused") for one in here.look())
    assert here.referee.state.extras.drawn == ()


def test_weights_are_read_as_they_are_laid_out(table: Any) -> None:
    here: Table = table(options={"weighted": True}, from_start=True)
    here.look()
    weights = ["R3", "RO4", "O5", "OY6", "Y7", "YG3", "G4", "GB5", "B6", "BP7", "P3", "PR4"]
    here.heaps["weights"] = weights[:5]
    assert here.look() == []
    assert here.referee.state.extras.weights == (3, 4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0)
    here.heaps["weights"] = weights
    assert here.look() == []
    assert here.referee.state.extras.weights == (3, 4, 5, 6, 7, 3, 4, 5, 6, 7, 3, 4)


def test_a_weight_that_no_pile_has_is_no_weight(table: Any) -> None:
    here: Table = table(options={"weighted": True}, from_start=True)
    here.look()
    here.heaps["weights"] = ["R12"]
    assert all(one.verdict != "accepted" for one in here.look())
    assert not any(here.referee.state.extras.weights)


def test_a_shotgun_start_is_read_from_the_pawns_that_stand_where_the_cards_say(table: Any) -> None:
    here: Table = table(options={"shotgun": "cards"}, from_start=True)
    here.look()
    here.heaps["cards"] = ["R1", "RO1", "O2", "Y2", "G3", "B3"]
    here.pawns = dict.fromkeys(("red.1", "red-orange.1", "orange.2", "yellow.2", "green.3", "blue.3"), "red")
    assert here.look() == []
    due = here.referee.state.expects()
    assert isinstance(due, ToDraw) and due.seat == 1


def test_a_portal_is_known_when_it_lies_on_the_discards_and_its_destination_with_the_pawn(table: Any) -> None:
    hidden = [["??"] * 3] * 2
    here = with_pawns(table, {"red.3": "red", "blue.3": "orange"}, {"portals": True}, portals=hidden)
    assert here.look() == []
    here.heaps["portal discards"] = ["R3"]
    here.look()
    assert here.referee.state.extras.spent == (number_of("R3"),)
    due = here.referee.state.expects()
    assert isinstance(due, ToDraw) and (due.source, due.shown) == ("portal deck", False)
    here.pawns = {"blue-purple.6": "red", "blue.3": "orange"}
    here.heaps["portal discards"] = ["R3", "BP6"]
    here.look()
    assert here.referee.state.extras.spent == (number_of("R3"), number_of("BP6"))


def test_a_portal_card_of_a_space_where_nobody_stands_is_no_portal(table: Any) -> None:
    hidden = [["??"] * 3] * 2
    here = with_pawns(table, {"red.3": "red", "blue.3": "orange"}, {"portals": True}, portals=hidden)
    here.look()
    here.heaps["portal discards"] = ["G5"]
    assert all(one.verdict != "accepted" for one in here.look())
    assert here.referee.state.extras.spent == ()
