"""*Score a photo*: the page."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template

from companion.core.foundation.kept_file import decode_json
from companion.referee.photographs import DOMAINS
from web.admission.security import role
from web.views.table_view import TableView


def routes(view: TableView) -> Blueprint:
    """`/photo`."""
    blueprint = Blueprint("photographs", __name__)

    @blueprint.get("/photo")
    def photo() -> str:
        """A field for photos, and room for what they say."""
        games = [game for name, game in view.sessions.games.items() if name in DOMAINS]
        data = decode_json(view.snapshot(None), dict[str, Any])
        return render_template("photo.html", role=role(), data=data, games=games)

    return blueprint
