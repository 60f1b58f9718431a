"""A person's own sign: chosen on the page, shown wherever the person is named."""

from __future__ import annotations

import pytest

from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table
from tests.web.conftest import Browser
from web.scene.signs import SIGN_PATHS, own_sign
from web.views.seat_view import signs_of

STAR = {"name": "Ann", "shape": "star", "color": 3}


@pytest.mark.usefixtures("table")
def test_every_shape_is_offered_and_what_others_have(host: Browser) -> None:
    told = host.get("/api/people/signs?name=ann").json
    assert [one["shape"] for one in told["shapes"]] == list(SIGN_PATHS)
    first, second = own_sign(0, None), own_sign(1, None)
    assert told["now"] == {"shape": first.shape, "color": first.color}
    assert told["taken"] == [{"name": "Ben", "shape": second.shape, "color": second.color}]


def test_a_chosen_sign_is_shown_at_the_table_and_among_the_results(host: Browser, table: Table) -> None:
    assert host.post("/api/people/signs", STAR).status_code == 200
    shown = host.get("/api/table").json["seats"][0]["sign"]
    assert shown == {"path": SIGN_PATHS["star"], "color": 3}
    assert host.get("/api/people/signs?name=Ann").json["now"] == {"shape": "star", "color": 3}
    assert SIGN_PATHS["star"] in host.get(f"/results/{table.session.header.id}").text


def test_who_chose_keeps_it_beside_whom_it_would_have_been_usual_for(
    host: Browser, table: Table, sessions: SessionManager
) -> None:
    ann = own_sign(0, None)
    assert host.post("/api/people/signs", {"name": "Ben", "shape": ann.shape, "color": 5}).status_code == 200
    signs = signs_of(table)
    assert (signs[1].shape, signs[1].color) == (ann.shape, 5)
    assert signs[0].shape != ann.shape and signs[0].color == ann.color
    assert sessions.signs.of("Ann") is None


@pytest.mark.usefixtures("table")
def test_nobody_takes_what_another_person_has(host: Browser) -> None:
    ben = own_sign(1, None)
    refused = host.post("/api/people/signs", {"name": "Ann", "shape": ben.shape, "color": ben.color})
    assert refused.status_code == 409 and refused.json["error"].startswith("Ben has this sign.")


@pytest.mark.usefixtures("table")
def test_a_phone_with_a_seat_chooses_for_its_player_alone(host: Browser, phone: Browser) -> None:
    assert phone.post("/api/door/seat", {"seat": 1}).status_code == 200
    assert phone.post("/api/people/signs", STAR).status_code == 403
    assert phone.post("/api/people/signs", {**STAR, "name": "Ben"}).status_code == 200
    assert host.get("/api/people/signs?name=Ben").json["now"]["shape"] == "star"


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("change", "status"), [({"shape": "heart"}, 400), ({"color": 10}, 400), ({"name": "Nobody"}, 404)]
)
def test_what_there_is_not_cannot_be_chosen(host: Browser, change: dict[str, object], status: int) -> None:
    assert host.post("/api/people/signs", {**STAR, **change}).status_code == status
