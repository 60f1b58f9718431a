"""Identifies the seat whose browser sent the present request.

A wall screen is treated as the public (`?public=1`), even if its browser has a seat. A browser without rights is
treated as the public, too, until it joins again: it no longer shows the hand of its seat.
"""

from __future__ import annotations

from flask import request

from companion.core.contract import Seat
from web.admission.cookies import kept
from web.admission.security import role
from web.views.table_view import TableView


def seat_token() -> str | None:
    """Returns the secret of the seat for which the browser asks; None for the public."""
    return None if request.args.get("public") or role() is None else kept("seat")


def current_seat(view: TableView) -> Seat | None:
    """Returns the seat of the browser in the game in play; None for the public."""
    return view.seat(seat_token())
