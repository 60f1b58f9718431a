"""Open matters in words: what was seen, which rule, what to do."""

from __future__ import annotations

import re

import msgspec

from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import TILES
from companion.core.verdict import Pending, Refused, TakenBack, Unclear
from companion.referee.session.alert import Alert
from companion.referee.table.table import Table
from tests.web.conftest import Browser
from tests.web.doubles import seen
from web.boards import PRESENTERS
from web.views.alert_view import alert_data, pictures

TILE = {tile.name: tile for tile in TILES}
LOOK = PRESENTERS["spectrangle"]


def mover(table: Table) -> int:
    """The seat to move."""
    return table.session.state.expects().seats[0]


def held(table: Table, seat: int) -> list:
    """Tiles of a hand."""
    return [sighting.piece for sighting in table.session.state.layout().heaps[f"seat{seat}.hand"]]


def refuse(table: Table) -> None:
    """The first tile of the seat to move lies far from all others, in two steady pictures."""
    seat = mover(table)
    first, *rest = held(table, seat)
    layout = seen(table, ("c30", first), hands={f"seat{seat}.hand": rest})
    for frame in range(5, 12):
        if isinstance(table.see(layout, frame), Refused):
            break
    assert table.session.alert is not None and isinstance(table.session.alert.verdict, Refused)


def wonder(table: Table) -> None:
    """A tile of the seat to move that could lie in two legal ways, seen as surely in each."""
    seat = mover(table)
    by_cell: dict[tuple[int, str], list] = {}
    for move in table.session.legal():
        if hasattr(move, "cell"):
            by_cell.setdefault((move.cell, LOOK.aim(move).piece), []).append(move)
    ways = next(ways for ways in by_cell.values() if len(ways) > 1)[:2]
    name = LOOK.aim(ways[0]).piece
    layout = seen(table, hands={f"seat{seat}.hand": [tile for tile in held(table, seat) if tile.name != name]})
    doubt = Detection(tuple(Candidate(way.tile, 0.49) for way in ways))
    layout = Layout({**layout.cells, f"c{ways[0].cell}": doubt}, layout.heaps)
    for frame in range(5, 12):
        if isinstance(table.see(layout, frame), Unclear):
            break
    assert table.session.alert is not None and isinstance(table.session.alert.verdict, Unclear)


def disturb(table: Table) -> None:
    """Several tiles are somewhere else."""
    layout = seen(table, ("c0", None), ("c35", TILE["GGG6"]), ("c25", TILE["YYG5"]))
    for frame in range(5, 8):
        table.see(layout, frame)


def data_of(table: Table) -> dict:
    assert table.session.alert is not None
    return alert_data(table, table.session.alert, LOOK)


def plain(text: str) -> bool:
    """True if a text keeps to the tone: whole sentences, nobody addressed, nothing shouted."""
    return (
        not re.search(r"\byou\b|\byour\b|!", text, re.IGNORECASE) and text[:1].isupper() and text.endswith((".", "?"))
    )


def test_a_refusal_says_what_was_seen_which_rule_and_what_to_do(table: Table) -> None:
    refuse(table)
    data = data_of(table)
    assert data["kind"] == "refused"
    assert data["text"].startswith(f"{table.session.names[mover(table)]} lays ") and "on c30" in data["text"]
    assert data["breaches"][0]["rule"] == "TRI-9"
    assert data["breaches"][0]["link"] == "/rules/spectrangle#TRI-9"
    assert data["answers"] == ["put-back", "misread", "agree"]
    assert data["where"] == ["c30"]
    assert all(plain(text) for text in (data["text"], data["do"], data["breaches"][0]["text"]))


def test_a_refusal_is_shown_on_a_small_board(table: Table) -> None:
    refuse(table)
    assert table.session.alert is not None
    ((_, marks),) = pictures(table.session.alert, LOOK)
    assert marks.refused == {"c30"}
    assert set(marks.ghosts) == {"c30"}


def test_a_question_shows_each_choice_on_a_board_of_its_own(table: Table, reader: Browser) -> None:
    wonder(table)
    data = data_of(table)
    assert data["kind"] == "unclear"
    assert 2 <= len(data["choices"]) <= 3
    assert data["answers"] == ["choose", "misread"]
    assert all(plain(choice["sentence"]) for choice in data["choices"])
    shown = reader.get("/api/table").json
    assert len(shown["choices"]) == len(data["choices"])
    assert len({msgspec.json.encode(board) for board in shown["choices"]}) == len(data["choices"])


def test_a_table_out_of_step_is_told_spot_by_spot(table: Table) -> None:
    disturb(table)
    data = data_of(table)
    assert data["kind"] == "out-of-step"
    by_spot = {one["spot"]: one for one in data["differences"]}
    assert by_spot["c0"]["seen"] == "nothing"
    assert by_spot["c35"]["expected"] == "nothing" and by_spot["c35"]["seen"] == "green on all edges, value 6"
    assert by_spot["c35"]["name"] == "c35"
    assert plain(data["text"]) and plain(data["do"])


def test_differences_in_hands_are_told_by_whose_they_are(table: Table) -> None:
    layout = seen(table, ("c0", None), ("c35", TILE["GGG6"]), hands={"seat1.hand": []})
    for frame in range(5, 8):
        table.see(layout, frame)
    data = data_of(table)
    hand = next(one for one in data["differences"] if one["spot"] == "seat1.hand")
    assert hand["name"] == "the hand of player 2"


def test_pending_and_taken_back_in_words(table: Table) -> None:
    pending = alert_data(table, Alert(1, Pending("A tile has left the hand and not come yet."), None), LOOK)
    assert pending["kind"] == "pending" and pending["text"] == "A tile has left the hand and not come yet."
    back = alert_data(table, Alert(2, TakenBack(20), 7), LOOK)
    assert back["to"] == 20 and "row 20" in back["text"] and back["answers"] == ["undo", "misread"]
    assert "start" in alert_data(table, Alert(3, TakenBack(0), 7), LOOK)["text"]
