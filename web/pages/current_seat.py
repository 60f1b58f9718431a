"""The seat whose browser sent the present request.

A wall screen asks as the public (`?public=1`), even if its browser has a seat. A browser that was sent away is the
public, too, until it joins again: the hand of its seat is no longer shown there.
"""

from __future__ import annotations

from flask import request

from companion.core.contract import Seat
from web.admission.cookies import kept
from web.admission.security import role
from web.views.table_view import TableView


def seat_token() -> str | None:
    """The secret of the seat that the browser which asks wants to be; None for the public."""
    return None if request.args.get("public") or role() is None else kept("seat")


def current_seat(view: TableView) -> Seat | None:
    """The seat of the browser that asks, in the game in play; None for the public."""
    return view.seat(seat_token())
