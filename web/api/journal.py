"""The record of the game in play: rows, any earlier position, scores over time, and files to download."""

from __future__ import annotations

from flask import Blueprint, Response

from web.admission.security import NotAllowed, role
from web.http.answers import NothingThere, json_answer, number
from web.language.catalog import chosen
from web.pages.current_seat import current_seat
from web.privacy.export import EXPORTS
from web.privacy.secrecy import keeps_secrets
from web.scene.chart import chart
from web.scene.marks import Marks
from web.scene.svg import tree
from web.views.seat_view import signs_of
from web.views.table_view import TableView

NOTES = ("refused", "asked", "hint", "commitment", "reveal", "seat", "clock")
"""The kinds of rows that do not change the position."""


def routes(view: TableView) -> Blueprint:
    """Returns the routes below `/api/journal`."""
    blueprint = Blueprint("journal", __name__, url_prefix="/api/journal")

    @blueprint.get("/rows")
    def rows() -> Response:
        """Returns the rows with a number above `?after=`, and the numbers of the undone rows."""
        table = view.table()
        after, seat = number("after", 0), current_seat(view)
        found = [view.row_of(table, row, seat) for row in table.session.rows()[max(0, after) :]]
        return json_answer({"game": table.session.header.id, "rows": found, "undone": sorted(table.session.undone())})

    @blueprint.get("/board/<int:n>")
    def board(n: int) -> Response:
        """Returns the position after row `n`; 0 is the start."""
        table = view.table()
        if n > table.session.seq:
            raise NothingThere(f"The game has rows 1 to {table.session.seq}. Choose one of them, or 0 for the start.")
        state, seat = table.session.state_at(n), current_seat(view)
        row = table.session.rows()[n - 1] if n else None
        marks = Marks(last=view.last_spots(table, table.session.timeline.at(n)))
        return json_answer(
            {
                "n": n,
                "row": None if row is None else view.row_of(table, row, seat),
                "scores": [score.total for score in state.scores()],
                "board": tree(view.board(table, state, marks, seat=seat)),
            }
        )

    @blueprint.get("/chart", endpoint="chart")
    def scores() -> Response:
        """Returns the scores after each row that counts, as numbers and as a scene."""
        table = view.table()
        undone = table.session.undone()
        kept = [row for row in table.session.rows() if row.n not in undone and row.kind not in NOTES]
        totals = [(0, (0,) * len(table.session.names)), *((row.n, row.scores) for row in kept)]
        scene = chart(table.session.names, signs_of(table), totals)
        return json_answer(
            {
                "names": table.session.names,
                "totals": [{"n": n, "scores": scores} for n, scores in totals],
                "chart": tree(scene),
            }
        )

    @blueprint.get("/export/<kind>")
    def export(kind: str) -> Response:
        """Returns the game as a file: `jsonl` (all rows, chained), `sheet` (notation and scores) or `csv` (scores)."""
        table = view.table()
        found = EXPORTS.get(kind)
        if found is None:
            raise NothingThere(f"There is no export of that kind. There are: {', '.join(EXPORTS)}.")
        if kind == "jsonl" and keeps_secrets(table) and role() != "host":
            raise NotAllowed("All rows together hold what players keep secret. Take it away on the host's machine.")
        name = f"{table.session.header.id}.{found.suffix}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(found.write(table, chosen().translate), headers=headers, content_type=found.content_type)

    return blueprint
