"""The successful answer of every address: its content type and the keys that it always has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class RouteAnswer(NamedTuple):
    """The successful answer of a route."""

    kind: str
    text: str
    keys: tuple[str, ...] = ()
    """The keys that a JSON answer always has."""
    status: int = 200


_ROW = ("seq", "row")
_EYES = (
    "state",
    "text",
    "blind",
    "trouble",
    "markers",
    "corners_px",
    "size_px",
    "mode",
    "setup",
    "overlay",
    "playback",
    "lesson",
    "departure",
)
_PHONES = ("by", "may_open", "may_change_pin", "at", "pin", "kept", "fresh", "trouble")
_PHONE_CAMERA = ("available", "device", "fingerprint")
_EVENING = ("version", "evening", "standings", "open", "over", "trouble")
_CALIBRATION = (
    "useful",
    "why",
    "open",
    "known",
    "steps",
    "markers",
    "words",
    "colors",
    "remembered_s",
    "view",
    "pictures",
)
_ENTERED = RouteAnswer("application/json", "The row that was entered.", _ROW)
_LOOKING = RouteAnswer("application/json", "The state of the eyes.", _EYES)
_GATHERED = RouteAnswer("application/json", "The evening.", _EVENING)
PAGE = RouteAnswer("text/html", "A page.")
ANSWERS: Mapping[str, RouteAnswer] = {
    "static": RouteAnswer("*/*", "A file of the page."),
    "stream.stream": RouteAnswer("text/event-stream", "Events `game`, `row`, `alert`, `eyes` and `beat`."),
    "camera.next_picture": RouteAnswer("image/jpeg", "A picture; `X-Frame` is its number, `X-Frame-At` its time."),
    "camera.still": RouteAnswer("image/jpeg", "A picture."),
    "camera.motion": RouteAnswer("multipart/x-mixed-replace", "Pictures until the stream ends after two minutes."),
    "table.snapshot": RouteAnswer(
        "application/json", "The table; `game` is null before the first game.", ("game", "eyes")
    ),
    "table.moves": RouteAnswer(
        "application/json", "Spots with their best points, and a board.", ("seq", "spots", "board")
    ),
    "table.why": RouteAnswer(
        "application/json",
        "Legal ways, or broken rules.",
        ("seq", "spot", "name", "holds", "ways", "breaches", "sentence"),
    ),
    "table.pieces": RouteAnswer("application/json", "Pieces with code, name, JSON and picture.", ("pieces",)),
    "table.correction": RouteAnswer(
        "application/json", "The change and the request that makes it, or `problem`.", ("seq", "spot", "name")
    ),
    "table.play": _ENTERED,
    "table.let_chance_decide": _ENTERED,
    "table.agree": _ENTERED,
    "table.misread": RouteAnswer("application/json", "The alert is gone.", ("seq",)),
    "table.doubt": RouteAnswer("application/json", "The doubt is settled.", ("seq",)),
    "table.answer": _ENTERED,
    "table.undo": _ENTERED,
    "table.as_seen": _ENTERED,
    "table.set_clock": _ENTERED,
    "table.correct": _ENTERED,
    "table.set_position": _ENTERED,
    "advice.advice": RouteAnswer("application/json", "The advice of a game.", ("seq", "pieces", "seats")),
    "advice.verdict": RouteAnswer(
        "application/json", "The verdict of the rules.", ("seq", "event", "text", "legal", "breaches", "problem")
    ),
    "hint.ask": RouteAnswer(
        "application/json", "A legal move and its picture.", ("seq", "seat", "event", "text", "sentence", "board")
    ),
    "hint.allow": RouteAnswer("application/json", "The row that was entered.", (*_ROW, "allow")),
    "setup.games": RouteAnswer("application/json", "Games with seats and options.", ("games",)),
    "setup.start": RouteAnswer("application/json", "The new game's id.", ("game",), 201),
    "setup.go_on": RouteAnswer("application/json", "The new game's id.", ("game",), 201),
    "setup.again": RouteAnswer("application/json", "The new game's id.", ("game",), 201),
    "setup.saved": RouteAnswer("application/json", "Games of the journal, the newest first.", ("saved",)),
    "setup.resume": RouteAnswer("application/json", "The game's id.", ("game",)),
    "pages.panel": RouteAnswer("text/javascript", "The panel that another package brings for its game."),
    "language.messages": RouteAnswer("application/json", "English to translated text.", ("messages",)),
    "lessons.begin": RouteAnswer("application/json", "The address of the lesson.", ("at",), 201),
    "lessons.step": RouteAnswer("application/json", "The state of the lesson.", ("lesson",)),
    "choosing.board": RouteAnswer("application/json", "A picture of the game's board.", ("board",)),
    "choosing.mat": RouteAnswer("application/pdf", "The mat, over as many sheets as it needs."),
    "photographs.photo": PAGE,
    "photos.read": RouteAnswer(
        "application/json", "The pieces in the photo.", ("reading", "marks", "doubtful", "candidates", "size_px")
    ),
    "photos.score": RouteAnswer(
        "application/json", "The report of the rules.", ("notes", "turns", "totals", "position", "options")
    ),
    "photos.go_on": RouteAnswer("application/json", "The new game's id.", ("game",), 201),
    "printing.overview": PAGE,
    "printing.kit": RouteAnswer("application/pdf", "The game, part by part, at true size."),
    "choosing.look": RouteAnswer("application/json", "Cameras with their pictures.", ("cameras",)),
    "choosing.use": _LOOKING,
    "remembered.overview": PAGE,
    "remembered.one": PAGE,
    "remembered.export": RouteAnswer("*/*", "A file, or a link to BG Stats."),
    "devices.statuses": RouteAnswer("application/json", "Dice tower and LED board.", ("devices",)),
    "health.health": RouteAnswer("application/json", "The health of the server.", ("ok", "version", "tables")),
    "health.metrics": RouteAnswer("text/plain", "Numbers for Prometheus."),
    "eyes.status": RouteAnswer("application/json", "The state of the eyes.", (*_EYES, "frame", "age_s")),
    "eyes.readings": RouteAnswer("application/json", "The last readings, the newest last.", ("readings",)),
    "eyes.plan": RouteAnswer("application/json", "The plan.", ("plan",)),
    "eyes.set_plan": RouteAnswer("application/json", "The plan.", ("plan",)),
    "eyes.set_corners": _LOOKING,
    "eyes.look_again": _LOOKING,
    "departure.agree": _LOOKING,
    "eyes.control_playback": _LOOKING,
    "calibration.status": RouteAnswer("application/json", "The state of the set-up.", _CALIBRATION),
    "calibration.begin": RouteAnswer("application/json", "The set-up is open.", _CALIBRATION),
    "calibration.end": RouteAnswer("application/json", "The set-up is over.", _CALIBRATION),
    "calibration.remember": RouteAnswer("application/json", "The table is remembered.", _CALIBRATION),
    "calibration.set_out": RouteAnswer("application/json", "The colors are known.", _CALIBRATION),
    "calibration.keep_taught": RouteAnswer("application/json", "Corrections are kept, or not.", _CALIBRATION),
    "calibration.forget": RouteAnswer("application/json", "The table is forgotten.", _CALIBRATION),
    "calibration.later": RouteAnswer("application/json", "The offer is withdrawn.", _CALIBRATION),
    "rules.rules": RouteAnswer("application/json", "Rules.", ("game", "rules")),
    "rules.rule": RouteAnswer("application/json", "One rule.", ("rule", "title", "text")),
    "journal.rows": RouteAnswer("application/json", "Rows.", ("game", "rows", "undone")),
    "journal.board": RouteAnswer("application/json", "A position.", ("n", "row", "scores", "board")),
    "journal.chart": RouteAnswer("application/json", "Scores over time.", ("names", "totals", "chart")),
    "journal.export": RouteAnswer("text/plain", "A file."),
    "people.signs": RouteAnswer("application/json", "The available signs.", ("shapes", "colors", "now", "taken")),
    "people.choose": RouteAnswer("application/json", "The person's sign from now on.", ("sign",)),
    "door.me": RouteAnswer("application/json", "This browser's role and seat.", ("role", "pin", "seat")),
    "door.sit": RouteAnswer("application/json", "The seat, and the cookie.", ("seat",)),
    "door.free": RouteAnswer("application/json", "The seats that are taken.", ("taken",)),
    "door.send_away": RouteAnswer("application/json", "Every browser but the host's must join again."),
    "door.join": RouteAnswer("application/json", "The role, and the cookie.", ("role",)),
    "door.invite": RouteAnswer(
        "application/json",
        "An invitation; its link is null once all places are taken.",
        ("known", "link", "square", "left", "joined", "seats", "pin", "lan"),
    ),
    "phone_camera.status": RouteAnswer("application/json", "The phone that is the camera.", _PHONE_CAMERA),
    "phone_camera.invite": RouteAnswer(
        "application/json", "A link for one phone.", (*_PHONE_CAMERA, "link", "square", "valid_s")
    ),
    "phone_camera.remove": RouteAnswer("application/json", "No phone is the camera.", _PHONE_CAMERA),
    "phone_camera.join": RouteAnswer("application/json", "The cookie makes this device the camera."),
    "phone_camera.start": RouteAnswer("application/json", "The word that the pictures carry.", ("session",)),
    "phone_camera.take": RouteAnswer(
        "application/json",
        "The wait until the next picture, and the state of the eyes.",
        ("wait_ms", "quiet_ms", "seen"),
    ),
    "phones.status": RouteAnswer("application/json", "The access of phones.", _PHONES),
    "phones.let_in": RouteAnswer("application/json", "Phones are let in.", _PHONES),
    "phones.close": RouteAnswer("application/json", "The table is closed to phones.", _PHONES),
    "phones.change_pin": RouteAnswer("application/json", "The present PIN.", _PHONES),
    "tables": RouteAnswer("application/json", "All tables of the server.", ("tables",)),
    "hub.tables": RouteAnswer("application/json", "All tables of the club.", ("tables",)),
    "hub.health": RouteAnswer("application/json", "All is well.", ("ok", "version", "journals")),
    "hub.me": RouteAnswer("application/json", "This browser's role.", ("role", "pin")),
    "hub.enter": RouteAnswer("application/json", "The role, and the cookie.", ("role",)),
    "hub.still": RouteAnswer("image/jpeg", "A picture."),
    "evening.now": RouteAnswer("application/json", "The evening; null before the first.", _EVENING),
    "evening.begin": _GATHERED,
    "evening.pair": RouteAnswer("application/json", "The evening with its next round.", _EVENING),
    "evening.withdraw": _GATHERED,
    "evening.export": RouteAnswer("*/*", "A file."),
    "evening.ratings": RouteAnswer("application/json", "The ratings of all players.", ("ratings",)),
}
"""The answers by endpoint; every page answers with HTML."""
