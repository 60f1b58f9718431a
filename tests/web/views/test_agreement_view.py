"""Every game that a camera referees is begun from what is seen, over HTTP: its zones, its pieces, its turns."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.layout import Candidate, Detection, Layout
from companion.core.pieces import Pyramid
from companion.core.plan import DiceTray, PawnBoard, Plan, PyramidBoard, TileBoard
from companion.games import GAMES, PLANS
from companion.referee.session_manager import SessionManager
from companion.testing.cases import Case, played
from tests.web.conftest import Browser
from tests.web.doubles import PaintedEyes

WATCHED = ("spectra", "ice-stalks", "regenbogen", "spectrangle", "spectrum", "escape")
LATER = {"regenbogen": 3}
"""So many events has a game gone on when the camera first sees it; of more moves tops alone say too little (RGB-29)."""


def in_view(table: Layout, plan: Plan) -> Layout:
    """What of a position a camera sees: the boards and heaps of a plan."""
    boards = any(isinstance(zone, TileBoard | PawnBoard | PyramidBoard) for zone in plan.zones)
    spots = {zone.spot for zone in plan.zones if not isinstance(zone, TileBoard | PawnBoard | PyramidBoard | DiceTray)}
    heaps = {spot: heap for spot, heap in table.heaps.items() if spot in spots}
    followed = {
        spot: tuple(Detection(one.candidates, f"{spot}-{n}") for n, one in enumerate(heap))
        for spot, heap in heaps.items()
    }
    return Layout(table.cells if boards else {}, followed)


@pytest.mark.parametrize("game", WATCHED)
def test_a_game_begins_from_what_is_seen_of_a_later_position(
    game: str, sessions: SessionManager, eyes: PaintedEyes, phone: Browser
) -> None:
    seats = GAMES[game].seats[0] if game != "spectrum" else 2
    plan, options = PLANS[game](seats), GAMES[game].Options()
    later = played(Case(GAMES[game], seats, options)).steps[LATER.get(game, 12)].state
    sessions.watch(eyes)
    table = sessions.start(game, [f"Player {n}" for n in range(1, seats + 1)], {}, plan=plan)
    seen = in_view(later.layout(), plan)
    for frame in range(3):
        sessions.see(seen, frame)
    shown = phone.get("/api/table").json
    agreement = shown["agreement"]
    assert not shown["judged"] and shown["alert"]["kind"] == "out-of-step" and not agreement["begun"]
    for spot in agreement["spots"]:
        assert spot["name"]
        for thing in spot["things"]:
            assert thing["piece"] is None or (thing["piece"]["code"] and thing["piece"]["picture"])
        pieces = phone.get(f"/api/table/pieces?spot={spot['spot']}").json["pieces"]
        assert pieces, "each place can be corrected"
    assert agreement["problem"] == "", agreement["problem"]
    answer = phone.post("/api/table/as-seen", {"expected": 0, "number": agreement["number"]})
    assert answer.status_code == 200, answer.json
    assert table.apart is None and not table.session.state.layout().differences(seen)
    assert phone.get("/api/table").json["judged"]
    for turn in agreement["turns"]:
        assert turn["text"]


def test_roll_and_color_begins_with_whatever_dice_lie_there(
    sessions: SessionManager, eyes: PaintedEyes, phone: Browser
) -> None:
    later = played(Case(GAMES["roll-and-color"], 1, GAMES["roll-and-color"].Options())).steps[12].state
    sessions.watch(eyes)
    table = sessions.start("roll-and-color", ["Ada"], {}, plan=PLANS["roll-and-color"](1))
    for frame in range(3):
        sessions.see(Layout(heaps={"dice": later.layout().heaps["dice"]}), frame)
    assert table.apart is None and table.session.rows() == ()


def spectra(sessions: SessionManager, eyes: PaintedEyes, **heaps: Any) -> None:
    """A live game of Spectra whose table shows other heaps."""
    sessions.watch(eyes)
    table = sessions.start("spectra", ["Ann", "Ben"], {}, plan=PLANS["spectra"](2))
    seen = table.session.state.layout().heaps
    for frame in range(3):
        sessions.see(Layout(heaps={**seen, **{spot.replace("_", "."): heap for spot, heap in heaps.items()}}), frame)


def test_doubtful_pieces_carry_their_other_readings(
    sessions: SessionManager, eyes: PaintedEyes, phone: Browser
) -> None:
    red, orange, nothing = Pyramid("red", "small"), Pyramid("orange", "small"), None
    doubtful = Detection((Candidate(red, 0.6), Candidate(orange, 0.3), Candidate(nothing, 0.05)), "p1")
    spectra(sessions, eyes, seat0_supply=(doubtful,))
    spots = {one["spot"]: one for one in phone.get("/api/table").json["agreement"]["spots"]}
    (thing,) = spots["seat0.supply"]["things"]
    assert (thing["id"], thing["piece"]["name"], thing["doubtful"], thing["recorded"]) == (
        "p1",
        "red small",
        True,
        False,
    )
    assert [other and other["name"] for other in thing["others"]] == ["orange small", None]
    assert not spots["seat1.trees"]["things"][0]["doubtful"] and spots["seat1.trees"]["things"][0]["recorded"]


def test_what_is_rather_nothing_is_no_piece_and_what_is_missing_is_named(
    sessions: SessionManager, eyes: PaintedEyes, phone: Browser
) -> None:
    shadow = Detection((Candidate(None, 0.7), Candidate(Pyramid("black", "small"), 0.3)), "p1")
    spectra(sessions, eyes, seat0_supply=(shadow,), seat0_trees=())
    spots = {one["spot"]: one for one in phone.get("/api/table").json["agreement"]["spots"]}
    assert spots["seat0.supply"]["things"] == [] and not spots["seat0.supply"]["differs"]
    assert spots["seat0.trees"]["missing"] == ["red large"]


def test_pieces_that_may_stand_inside_others_are_kept(
    sessions: SessionManager, eyes: PaintedEyes, phone: Browser
) -> None:
    sessions.watch(eyes)
    trees = [["red large", "red medium"], ["orange large"]]
    table = sessions.start("spectra", ["Ann", "Ben"], {}, plan=PLANS["spectra"](2), position={"trees": trees})
    large, green = Detection.sure(Pyramid("red", "large")), Detection.sure(Pyramid("green", "small"))
    heaps = {"seat0.trees": (large,), "seat0.supply": (green,)}
    for frame in range(3):
        sessions.see(Layout(heaps=heaps), frame)
    spots = {one["spot"]: one for one in phone.get("/api/table").json["agreement"]["spots"]}
    assert [piece["name"] for piece in spots["seat0.trees"]["unseen"]] == ["red medium"]
    assert "seat1.trees" not in spots, "the picture does not show it"
    assert phone.post("/api/table/as-seen", {"expected": 0}).status_code == 200
    held = {spot: [one.piece for one in heap] for spot, heap in table.session.state.layout().heaps.items()}
    assert Pyramid("red", "medium") in held["seat0.trees"] and held["seat0.supply"] == [Pyramid("green", "small")]


def test_a_dealt_game_offers_no_position(sessions: SessionManager, eyes: PaintedEyes, phone: Browser) -> None:
    sessions.watch(eyes)
    table = sessions.start("casino", ["Ann", "Ben"], {}, draws="dealt")
    assert phone.get("/api/table").json["agreement"] is None
    refused = phone.post("/api/table/as-seen", {"expected": table.session.seq})
    assert refused.status_code == 422 and "no position can be set up" in refused.json["error"]
