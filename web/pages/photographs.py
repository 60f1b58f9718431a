"""The page *Score a photo*."""

from __future__ import annotations

from flask import Blueprint, Response

from companion.referee.photographs import DOMAINS
from web.admission.access import Access
from web.pages.pages import rendered
from web.views.table_view import TableView


def routes(view: TableView, access: Access) -> Blueprint:
    """Returns the route `/photo`."""
    blueprint = Blueprint("photographs", __name__)

    @blueprint.get("/photo")
    def photo() -> Response:
        """Returns the page with a field for photos and space for their reports."""
        games = [game for name, game in view.sessions.games.items() if name in DOMAINS]
        return rendered(view, access, "photo.html", games=games)

    return blueprint
