"""The state of dice tower and LED board: the link, a sentence, and counters."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response

from web.http.answers import json_answer
from web.views.table_view import TableView


def routes(view: TableView) -> Blueprint:
    """Returns the route `/api/devices`."""
    blueprint = Blueprint("devices", __name__, url_prefix="/api")

    @blueprint.get("/devices")
    def statuses() -> Response:
        """Returns the devices that belong to this table; the list may be empty."""
        return json_answer({"devices": msgspec.to_builtins(view.sessions.devices.statuses())})

    return blueprint
