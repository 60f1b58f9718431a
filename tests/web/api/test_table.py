"""Playing, asking and correcting over HTTP."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.core.contract import ToDraw
from companion.referee.table.table import Table
from tests.web.conftest import Browser
from tests.web.doubles import PaintedEyes, best
from tests.web.views.test_alert_view import TILE, disturb, mover, refuse, wonder
from web.boards import PRESENTERS

LOOK = PRESENTERS["spectrangle"]


def placed(table: Table) -> tuple[int, str]:
    """The last row that laid a tile, and its cell."""
    row = next(row for row in reversed(table.session.rows()) if row.event and row.event["type"] == "place")
    return row.n, f"c{row.event['cell']}"  # type: ignore[index]


def test_before_the_first_game_there_is_nothing_to_show(reader: Browser, phone: Browser) -> None:
    assert reader.get("/api/table").json["game"] is None
    assert phone.post("/api/table/play", {"expected": 0, "text": "pass"}).status_code == 409


def test_the_snapshot_shows_the_whole_table(table: Table, reader: Browser) -> None:
    shown = reader.get("/api/table").json
    assert shown["game"]["id"] == table.session.header.id
    assert shown["seq"] == 22
    assert [seat["name"] for seat in shown["seats"]] == ["Ann", "Ben"]
    assert [seat["total"] for seat in shown["seats"]] == [score.total for score in table.session.state.scores()]
    for seat in shown["seats"]:
        assert seat["total"] == sum(line["points"] for line in seat["lines"])
        assert len(seat["hand"]["pieces"]) == 4
    assert shown["turn"]["legal"] == len(table.session.legal())
    assert shown["turn"]["text"] == f"{table.session.names[mover(table)]}'s turn"
    assert shown["board"][0] == "svg"
    assert shown["alert"] is None and shown["choices"] == []
    assert shown["last"]["n"] == 22


def test_the_snapshot_follows_the_table(table: Table, reader: Browser) -> None:
    before = reader.get("/api/table").json
    table.play(best(table), source="page")
    after = reader.get("/api/table").json
    assert after["seq"] == 23 and after["board"] != before["board"]


def test_moves_of_a_tile_are_those_that_the_rules_allow(table: Table, reader: Browser) -> None:
    for piece in {LOOK.aim(move).piece for move in table.session.legal() if LOOK.aim(move).spot}:
        found = reader.get(f"/api/table/moves?piece={piece}").json
        expected = {LOOK.aim(move).spot for move in table.session.legal() if LOOK.aim(move).piece == piece}
        assert {spot["spot"] for spot in found["spots"]} == expected
        assert [spot["spot"] for spot in found["spots"]] == sorted(expected), "no place is put first"
    everything = reader.get("/api/table/moves").json
    assert everything["ways"] == sum(LOOK.aim(move).spot is not None for move in table.session.legal())
    table.session.allow_hints(True, source="page")
    ranked = [spot["points"] for spot in reader.get("/api/table/moves").json["spots"]]
    assert ranked == sorted(ranked, reverse=True) and len(set(ranked)) > 1, "where the table allows hints"


def test_every_way_explains_its_points(table: Table, reader: Browser) -> None:
    move = best(table)
    code, spot = LOOK.aim(move)
    found = reader.get(f"/api/table/why?spot={spot}&piece={code}").json
    assert found["breaches"] == []
    top = found["ways"][0]
    assert top["points"] == max(way["points"] for way in found["ways"])
    assert top["reason"].endswith(f"= {top['points']}")
    assert "edge" in top["reason"] and top["lines"][0]["rule"] == "TRI-19"
    assert f"may lay {code} here" in found["sentence"]


def test_why_not_gives_the_rule_for_every_empty_cell(table: Table, reader: Browser) -> None:
    allowed = {LOOK.aim(move).spot for move in table.session.legal()}
    for cell in range(36):
        spot = f"c{cell}"
        found = reader.get(f"/api/table/why?spot={spot}").json
        if LOOK.holds(table.session.state, spot) is not None:
            assert found["holds"]["picture"][0] == "svg" and found["row"] is not None
        elif spot in allowed:
            assert found["ways"] and not found["breaches"], spot
        else:
            assert not found["ways"] and found["breaches"], spot
            assert found["breaches"][0]["link"].startswith("/rules/spectrangle#TRI-")


def test_a_move_is_told_as_text_or_as_an_event(table: Table, phone: Browser) -> None:
    text = table.session.game.text(best(table))
    answer = phone.post("/api/table/play", {"expected": 22, "text": text})
    assert answer.status_code == 200
    assert answer.json["row"]["text"] == text and answer.json["row"]["source"] == "page"
    draw = table.session.state.expects()
    assert isinstance(draw, ToDraw)
    tile = msgspec.to_builtins(next(iter(table.session.game.unseen(table.session.state))))
    answer = phone.post(
        "/api/table/play", {"expected": 23, "event": {"type": "drawn", "seat": draw.seat, "pieces": [tile]}}
    )
    assert answer.status_code == 200 and table.session.seq == 24


@pytest.mark.parametrize("body", [{}, {"text": "pass", "event": {"type": "pass"}}])
def test_a_move_is_told_in_one_way(table: Table, phone: Browser, body: dict) -> None:
    assert phone.post("/api/table/play", {"expected": 22, **body}).status_code == 400


def test_a_move_after_an_unseen_row_is_refused(table: Table, phone: Browser) -> None:
    text = table.session.game.text(best(table))
    assert phone.post("/api/table/play", {"expected": 22, "text": text}).status_code == 200
    again = phone.post("/api/table/play", {"expected": 22, "text": text})
    assert again.status_code == 409 and "row 23" in again.json["error"]


def test_two_phones_that_press_undo_at_once_undo_once(table: Table, phone: Browser, host: Browser) -> None:
    answers = [browser.post("/api/table/undo", {"expected": 22, "to": 21, "why": ""}) for browser in (phone, host)]
    assert [answer.status_code for answer in answers] == [200, 409]
    assert table.session.undone() == {22}


def test_an_illegal_move_that_the_table_agrees_to_stands(table: Table, phone: Browser) -> None:
    refuse(table)
    answer = phone.post("/api/table/agree", {"expected": table.session.seq})
    assert answer.status_code == 200
    row = answer.json["row"]
    assert row["kind"] == "agreed" and row["breaches"][0]["rule"] == "TRI-9"
    assert "the table agrees" in row["sentence"]
    assert phone.get("/api/table").json["alert"] is None


def test_a_misread_alert_goes_away(table: Table, phone: Browser, eyes: PaintedEyes) -> None:
    refuse(table)
    looks = eyes.looks
    assert phone.post("/api/table/misread", {"expected": table.session.seq}).status_code == 200
    assert table.session.alert is None and eyes.looks > looks
    assert phone.post("/api/table/misread", {"expected": table.session.seq}).status_code == 422


def test_putting_it_back_asks_the_eyes_to_look(table: Table, phone: Browser, eyes: PaintedEyes) -> None:
    refuse(table)
    looks = eyes.looks
    assert phone.post("/api/eyes/look", {}).status_code == 200
    assert eyes.looks == looks + 1
    table.see(table.session.state.layout(), 20)
    assert phone.get("/api/table").json["alert"] is None


def test_a_question_is_answered_with_one_of_its_choices(table: Table, phone: Browser) -> None:
    wonder(table)
    alert = phone.get("/api/table").json["alert"]
    assert phone.post("/api/table/answer", {"expected": table.session.seq, "choice": 9}).status_code == 422
    answer = phone.post("/api/table/answer", {"expected": table.session.seq, "choice": 1})
    assert answer.json["row"]["text"] == alert["choices"][1]["text"]
    assert table.session.alert is None


def test_a_turn_that_was_misread_is_corrected_in_its_row(table: Table, phone: Browser) -> None:
    before = table.session.state.scores()
    changes = [
        phone.get("/api/table/correction", query_string={"spot": spot, "piece": LOOK.piece_code(piece)}).json
        for spot in (f"c{cell}" for cell in range(36))
        if (lying := LOOK.holds(table.session.state, spot)) is not None
        for piece in LOOK.orientations(spot, LOOK.piece_code(lying))
        if piece != lying
    ]
    assert all("TRI-" in change["problem"] for change in changes if "problem" in change)
    change = next(change for change in changes if change.get("kind") == "correct")
    n, spot = change["request"]["n"], change["spot"]
    assert table.session.rows()[n - 1].event["cell"] == int(spot[1:]) and change["board"][0] == "svg"
    assert table.session.state.scores() == before, "asking changes nothing"
    answer = phone.post("/api/table/correct", {**change["request"], "expected": change["seq"], "why": "misread"})
    assert answer.status_code == 200
    assert LOOK.piece_code(LOOK.holds(table.session.state, spot)) == change["piece"]
    assert answer.json["row"]["sentence"].startswith(f"Row {n} corrected from ")
    assert answer.json["row"]["why"] == "misread"


def test_a_missed_move_is_played(table: Table, phone: Browser) -> None:
    move = best(table)
    spot = LOOK.aim(move).spot
    change = phone.get("/api/table/correction", query_string={"spot": spot, "piece": LOOK.piece_code(move.tile)}).json
    assert change["kind"] == "play" and "a move that the camera missed" in change["does"]
    assert any("becomes" in text for text in change["changes"])
    assert phone.post("/api/table/play", {**change["request"], "expected": change["seq"]}).status_code == 200


def test_a_last_tile_that_never_lay_there_is_undone(table: Table, phone: Browser) -> None:
    table.undo(next(row.n for row in reversed(table.session.rows()) if row.kind == "move"), "", source="page")
    n, spot = placed(table)
    change = phone.get("/api/table/correction", query_string={"spot": spot, "piece": ""}).json
    assert change["kind"] == "undo"
    assert (
        phone.post("/api/table/undo", {**change["request"], "expected": change["seq"], "why": "x"}).status_code == 200
    )
    assert LOOK.holds(table.session.state, spot) is None and n in table.session.undone()


def test_an_earlier_tile_that_never_lay_there_sets_the_position_up(table: Table, phone: Browser) -> None:
    spot = next(f"c{row.event['cell']}" for row in table.session.rows() if row.event and row.event["type"] == "place")  # type: ignore[index]
    change = phone.get("/api/table/correction", query_string={"spot": spot, "piece": ""}).json
    assert change["kind"] == "position" and change["changes"][0] == "No score changes."
    answer = phone.post("/api/table/position", {**change["request"], "expected": change["seq"], "why": "x"})
    assert answer.status_code == 200 and answer.json["row"]["kind"] == "position"
    assert LOOK.holds(table.session.state, spot) is None


def test_what_the_rules_refuse_may_be_set_up_all_the_same(table: Table, phone: Browser) -> None:
    query = {"spot": "c30", "piece": LOOK.hand(table.session.state, mover(table)).pieces[0].name}
    refused = phone.get("/api/table/correction", query_string=query).json
    assert "TRI-9" in refused["problem"] and "request" not in refused
    change = phone.get("/api/table/correction", query_string={**query, "how": "position"}).json
    assert change["kind"] == "position"
    assert phone.post("/api/table/position", {**change["request"], "expected": change["seq"]}).status_code == 200


def test_what_lies_there_already_is_no_correction(table: Table, phone: Browser) -> None:
    _, spot = placed(table)
    code = LOOK.piece_code(LOOK.holds(table.session.state, spot))
    assert phone.get(f"/api/table/correction?spot={spot}&piece={code}").status_code == 400
    assert phone.get("/api/table/correction?spot=c99&piece=RRR6").status_code == 404


def test_a_table_out_of_step_is_brought_into_step_cell_by_cell(table: Table, phone: Browser) -> None:
    disturb(table)
    alert = phone.get("/api/table").json["alert"]
    assert alert["kind"] == "out-of-step"
    difference = next(one for one in alert["differences"] if one["seen"] == "nothing")
    change = phone.get(f"/api/table/correction?spot={difference['spot']}&piece=&how=position").json
    assert change["kind"] == "position"
    before = len(alert["differences"])
    assert phone.post("/api/table/position", {**change["request"], "expected": change["seq"]}).status_code == 200
    assert len(phone.get("/api/table").json["alert"]["differences"]) == before - 1, "what is left still differs"


def test_pieces_to_choose_from(table: Table, reader: Browser) -> None:
    assert len(reader.get("/api/table/pieces?spot=c0").json["pieces"]) == 36
    turns = reader.get("/api/table/pieces?spot=c0&piece=RGY3").json["pieces"]
    assert len({piece["code"] for piece in turns}) == 6
    unseen = reader.get("/api/table/pieces?unseen=1").json["pieces"]
    assert len(unseen) == len(table.session.game.unseen(table.session.state))
    assert all(table.session.game.event({"type": "drawn", "seat": 0, "pieces": [piece["json"]]}) for piece in unseen)


def test_the_game_goes_on_from_what_is_seen(table: Table, phone: Browser) -> None:
    assert phone.post("/api/table/as-seen", {"expected": 22}).status_code == 422, "they are not apart"
    disturb(table)
    shown = phone.get("/api/table").json
    assert shown["alert"]["answers"] == ["as-seen", "misread"]
    agreement = shown["agreement"]
    assert agreement["begun"] and agreement["settable"] and agreement["problem"] == ""
    by_spot = {one["spot"]: one for one in agreement["spots"]}
    assert by_spot["c35"]["things"][0]["piece"]["code"] == "GGG6" and not by_spot["c35"]["things"][0]["recorded"]
    assert by_spot["c0"]["things"][0]["piece"] is None and by_spot["c0"]["missing"] == by_spot["c0"]["record"]
    assert not by_spot["seat0.hand"]["differs"]
    stale = {"expected": 22, "number": agreement["number"] - 1}
    assert phone.post("/api/table/as-seen", stale).status_code == 409
    assert phone.post("/api/table/as-seen", {"expected": 22, "number": agreement["number"]}).status_code == 200
    cells = table.session.state.layout().cells
    assert (cells["c0"].piece, cells["c35"].piece) == (None, TILE["GGG6"])
    assert (table.session.rows()[-1].kind, table.session.rows()[-1].more["why"]) == (
        "position",
        "gone on from what is seen",
    )
    after = phone.get("/api/table").json
    assert after["agreement"] is None and after["alert"] is None
    assert phone.post("/api/table/undo", {"expected": 23, "to": 22}).status_code == 200
    assert table.session.state == table.session.state_at(22)
    assert table.apart is not None, "it is asked again"


def test_what_is_seen_may_be_corrected_piece_by_piece(table: Table, phone: Browser) -> None:
    disturb(table)
    corrected = {"expected": 22, "seen": {"c35": [], "c0": ["RRR6"]}, "turn": "player 2 is on turn"}
    assert phone.post("/api/table/as-seen", corrected).status_code == 200
    cells = table.session.state.layout().cells
    assert (cells["c35"].piece, cells["c0"].piece) == (None, TILE["RRR6"])
    assert table.session.state.turn == 1
    assert table.session.rows()[-1].more["why"] == "gone on from what is seen, as corrected"


@pytest.mark.parametrize(
    ("told", "status", "says"),
    [
        ({"seen": {"c35": ["GGG6"], "c0": ["GGG6"]}}, 400, "the set has it once"),
        ({"seen": {"c99": ["GGG6"]}}, 422, "Nothing is seen at c99"),
        ({"seen": {"c35": ["XYZ9"]}}, 404, "no such tile"),
        ({"turn": "player 7 is on turn"}, 422, "Choose one of the turns"),
        ({"seen": {"c35": "GGG6"}}, 400, "does not fit"),
    ],
)
def test_what_cannot_be_begun_from_changes_nothing_and_says_why(
    table: Table, phone: Browser, told: dict[str, Any], status: int, says: str
) -> None:
    disturb(table)
    answer = phone.post("/api/table/as-seen", {"expected": 22, **told})
    assert answer.status_code == status and says in answer.json["error"]
    assert table.session.seq == 22 and table.apart is not None


def test_it_should_be_as_recorded_overrules_what_is_seen(table: Table, phone: Browser) -> None:
    disturb(table)
    assert phone.post("/api/table/misread", {"expected": 22}).status_code == 200
    assert table.apart is None and table.session.alert is None and table.session.seq == 22
    disturb(table)
    assert table.apart is None, "what was overruled says nothing for as long as it stays so"
