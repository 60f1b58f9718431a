"""Setting a table up over HTTP: what may be asked, what is refused, and that no request names a place on disk."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.foundation.errors import SeeError
from companion.core.pieces import PYRAMID_COLORS, WHEEL, Die, Pyramid
from companion.core.protocols.calibration import (
    CalibrationStatus,
    CardSign,
    Notice,
    Row,
    SetupStep,
    Standing,
    StillStanding,
)
from companion.referee.session_manager import SessionManager
from tests.web.conftest import Browser

CLOSED = CalibrationStatus(True, "Reading is surer.", False, "no", colors=PYRAMID_COLORS)
OPEN = replace(
    CLOSED,
    open=True,
    steps=(
        SetupStep(True, "All four markers are seen."),
        SetupStep(False, "Take everything off."),
        SetupStep(False, "Later."),
    ),
    markers=(0, 1, 3),
)


class Learner:
    """A calibrator that notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[object] = []
        self.is_open = False
        self.error: SeeError | None = None
        self.dice = self.cards = False

    def status(self) -> CalibrationStatus:
        status = OPEN if self.is_open else CLOSED
        if self.cards:
            return replace(status, row_of="cards", colors=("R", "GB", "12"))
        return replace(status, row_of="dice", colors=WHEEL) if self.dice else status

    def notice(self) -> Notice:
        return Notice(self.is_open, None if self.is_open else "Set the table up.")

    def open(self) -> None:
        self.is_open = True

    def close(self) -> None:
        self.is_open = False

    def remember(self, standing: Standing | None = None) -> None:
        self._note(standing)

    def set_out(self, row: Row) -> None:
        self._note(tuple(row))

    def forget(self) -> None:
        self._note("forget")

    def keep_taught(self, keep: bool) -> None:
        self._note(("keep", keep))

    def later(self) -> None:
        self._note("later")

    def _note(self, asked: object) -> None:
        if self.error is not None:
            raise self.error
        self.asked.append(asked)


@pytest.fixture
def learner(sessions: SessionManager) -> Learner:
    sessions.calibrator = learner = Learner()
    return learner


def test_a_table_without_a_camera_says_so(reader: Browser, phone: Browser) -> None:
    status = reader.get("/api/calibration").json
    assert (status["useful"], status["open"], status["known"]) == (False, False, "no")
    refused = phone.post("/api/calibration/empty", {"standing": None})
    assert refused.status_code == 422 and "--camera" in refused.json["error"]


@pytest.mark.usefixtures("learner")
def test_the_set_up_is_begun_and_ended(phone: Browser, reader: Browser) -> None:
    assert reader.get("/api/table").json["eyes"]["setup"] == {"open": False, "offer": "Set the table up."}
    begun = phone.post("/api/calibration/open", {}).json
    assert begun["open"] and [step["done"] for step in begun["steps"]] == [True, False, False]
    assert reader.get("/api/eyes").json["setup"] == {"open": True, "offer": None}
    assert not phone.post("/api/calibration/close", {}).json["open"]


@pytest.mark.parametrize("standing", [None, "none", "game"])
def test_the_table_is_remembered_with_what_people_say_of_it(
    phone: Browser, learner: Learner, standing: str | None
) -> None:
    assert phone.post("/api/calibration/empty", {"standing": standing}).status_code == 200
    assert learner.asked == [standing]


def test_pieces_that_still_stand_are_a_conflict_and_other_faults_are_not(phone: Browser, learner: Learner) -> None:
    learner.error = StillStanding("3 pieces still stand on the table.")
    refused = phone.post("/api/calibration/empty", {})
    assert (refused.status_code, refused.json) == (409, {"error": "3 pieces still stand on the table."})
    learner.error = SeeError("A hand is in view.")
    assert phone.post("/api/calibration/empty", {}).status_code == 422


def test_a_row_is_handed_on_from_left_to_right(phone: Browser, learner: Learner) -> None:
    row = [{"color": "red"}, {"color": "blue", "size": "small"}]
    assert phone.post("/api/calibration/colors", {"row": row}).status_code == 200
    assert learner.asked == [(Pyramid("red", "large"), Pyramid("blue", "small"))]


def test_dice_are_handed_on_by_the_color_that_is_up(phone: Browser, learner: Learner) -> None:
    row = [{"color": "red", "kind": "die"}, {"color": "red-orange", "kind": "die"}]
    assert phone.post("/api/calibration/colors", {"row": row}).status_code == 200
    assert learner.asked == [(Die("spectrum-d6", "red"), Die("spectrum-d12", "red-orange"))]
    row[1]["color"] = "pink"
    refused = phone.post("/api/calibration/colors", {"row": row})
    assert refused.status_code == 400 and "no color of a die" in refused.json["error"]


def test_the_picture_of_the_row_shows_dice_where_dice_are_read(reader: Browser, learner: Learner) -> None:
    learner.dice = True
    answer = reader.get("/api/calibration?colors=red,green-blue").json
    assert [color["name"] for color in answer["colors"]][:2] == ["red", "red-orange"]
    assert "red, green-blue" in str(answer["pictures"][2])


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"row": []},
        {"row": [{"color": "red"}]},
        {"row": [{"color": "red"}] * 25},
        {"row": [{"color": "red"}, {"color": "pink"}]},
        {"row": [{"color": "red"}, {"color": "blue", "size": "huge"}]},
        {"row": [{"color": "red"}, {"color": "blue"}], "file": "/etc/passwd"},
    ],
)
def test_what_is_no_row_is_refused(phone: Browser, learner: Learner, body: dict) -> None:
    assert phone.post("/api/calibration/colors", body).status_code == 400
    assert learner.asked == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("empty", {"standing": "everything"}),
        ("empty", {"path": "/tmp/calibration"}),
        ("open", {"path": "/tmp/calibration"}),
        ("close", {"x": 1}),
        ("forget", {"path": "../journal.sqlite"}),
        ("later", {"x": 1}),
    ],
)
def test_no_request_names_a_place_on_disk(phone: Browser, learner: Learner, path: str, body: dict) -> None:
    assert phone.post(f"/api/calibration/{path}", body).status_code == 400
    assert learner.asked == [] and not learner.is_open


def test_it_is_forgotten_and_an_offer_is_declined(phone: Browser, learner: Learner) -> None:
    assert phone.post("/api/calibration/forget", {}).status_code == 200
    assert phone.post("/api/calibration/later", {}).status_code == 200
    assert learner.asked == ["forget", "later"]


def test_each_step_has_a_picture_that_tells_more_than_color(reader: Browser, learner: Learner) -> None:
    learner.is_open = True
    markers, empty, row = reader.get("/api/calibration?colors=blue,red").json["pictures"]
    assert markers[1]["aria-label"] == "Picture: marker 0 seen, marker 1 seen, marker 2 not seen, marker 3 seen."
    assert str(markers).count("✓") == 3 and str(markers).count("✗") == 1
    assert "nothing else" in empty[1]["aria-label"]
    assert row[1]["aria-label"] == "Picture: one row, from the left: red, blue."
    assert "'R'" in str(row) and "'B'" in str(row), "letters stand beside the colors"


def test_before_it_was_looked_at_no_marker_is_called_missing(reader: Browser, learner: Learner) -> None:
    learner.is_open = False
    assert "✗" not in str(reader.get("/api/calibration").json["pictures"])


def test_colors_that_are_none_are_ignored_in_the_picture(reader: Browser, learner: Learner) -> None:
    row = reader.get("/api/calibration?colors=pink,,<script>").json["pictures"][2]
    assert row[1]["aria-label"].count(",") == len(PYRAMID_COLORS)
    assert reader.get(f"/api/calibration?colors={'x' * 300}").status_code == 400
    assert learner.asked == []


def test_the_host_says_whether_corrections_are_kept(phone: Browser, reader: Browser, learner: Learner) -> None:
    assert not reader.get("/api/calibration").json["keeps_taught"]
    assert phone.post("/api/calibration/taught", {"keep": True}).status_code == 200
    assert phone.post("/api/calibration/taught", {"keep": False}).status_code == 200
    assert learner.asked == [("keep", True), ("keep", False)]
    assert reader.post("/api/calibration/taught", {"keep": True}).status_code in (401, 403)


def test_cards_are_handed_on_by_color_and_by_number(phone: Browser, learner: Learner) -> None:
    row = [{"color": code, "kind": "card"} for code in ("R", "GB", "7", "RO12")]
    assert phone.post("/api/calibration/colors", {"row": row}).status_code == 200
    assert learner.asked == [(CardSign("R"), CardSign("GB"), CardSign("7"), CardSign("RO12"))]
    row[0]["color"] = "13"
    refused = phone.post("/api/calibration/colors", {"row": row})
    assert refused.status_code == 400 and "none of the deck" in refused.json["error"]


def test_the_picture_of_the_row_shows_cards_where_cards_are_read(reader: Browser, learner: Learner) -> None:
    learner.cards = True
    answer = reader.get("/api/calibration?colors=R,12").json
    assert [card["name"] for card in answer["colors"]] == ["R", "GB", "12"]
    assert "row by row: R, 12" in str(answer["pictures"][2])
