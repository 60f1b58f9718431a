"""Who asks: the seat whose browser sent the present request."""

from __future__ import annotations

from flask import request

from companion.contract import Seat
from web.desk_view import DeskView
from web.seats import SEAT_COOKIE


def asker(view: DeskView) -> Seat | None:
    """The seat of the browser that asks, in the game in play; None for the public."""
    return view.seat(request.cookies.get(SEAT_COOKIE))
