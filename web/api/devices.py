"""How dice tower and LED board are: link state, a sentence, and counters."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response

from web.http.answers import json_answer
from web.views.table_view import TableView


def routes(view: TableView) -> Blueprint:
    """`/api/devices`."""
    blueprint = Blueprint("devices", __name__, url_prefix="/api")

    @blueprint.get("/devices")
    def statuses() -> Response:
        """The devices that hang on this table; none is an empty list."""
        return json_answer({"devices": msgspec.to_builtins(view.sessions.devices.statuses())})

    return blueprint
