"""Admission: the rights of this browser, joining, and inviting others."""

from __future__ import annotations

from typing import Annotated

import segno
from flask import Blueprint, Response, request
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.core.contract import Seat
from companion.referee.table.table import Table
from web.admission.access import Access
from web.admission.cookies import keep, kept
from web.admission.phones import Phones
from web.admission.security import admit, role, visitor
from web.api.setup import Nothing
from web.http.answers import BadBody, body, json_answer
from web.pages.current_seat import current_seat
from web.privacy.secrecy import keeps_secrets
from web.scene.shape import Shape, shape
from web.scene.svg import tree
from web.views.table_view import TableView

_PLACES = 10
"""The number of phones that an invitation admits while no game is on the table."""


class Join(Struct, forbid_unknown_fields=True):
    """A one-time ticket, or the PIN."""

    ticket: Annotated[str, Meta(max_length=64)] | UnsetType = UNSET
    pin: Annotated[str, Meta(max_length=16)] | UnsetType = UNSET


class Sit(Struct, forbid_unknown_fields=True):
    """The seat to take, counted from 0; null: leave the seat."""

    seat: Annotated[int, Meta(ge=0, le=20)] | None


class Free(Struct, forbid_unknown_fields=True):
    """The seat to free."""

    seat: Annotated[int, Meta(ge=0, le=20)]


class Invite(Struct, forbid_unknown_fields=True):
    """The invitation that a screen already shows; without it, a new one."""

    known: Annotated[str, Meta(max_length=64)] | None = None


def let_in(access: Access) -> Response:
    """Admits a browser with a ticket or a PIN; the answer sets the cookie."""
    told = body(Join)
    if isinstance(told.ticket, str) and told.pin is UNSET:
        admitted = access.join_by_ticket(told.ticket)
    elif isinstance(told.pin, str) and told.ticket is UNSET:
        admitted = access.join_by_pin(told.pin.strip(), visitor(access))
    else:
        raise BadBody("Give either the ticket or the PIN.")
    response = json_answer({"role": admitted})
    admit(response, access, admitted)
    return response


def routes(access: Access, view: TableView, phones: Phones) -> Blueprint:
    """Returns the routes below `/api/door`."""
    blueprint = Blueprint("door", __name__, url_prefix="/api/door")

    @blueprint.get("")
    def me() -> Response:
        """Returns the role and the seat of this browser, and whether a PIN is accepted."""
        return json_answer({"role": role(), "pin": access.pin is not None, "seat": current_seat(view)})

    @blueprint.post("")
    def join() -> Response:
        """Joins by ticket or PIN; the answer sets the cookie."""
        return let_in(access)

    @blueprint.post("/seat")
    def sit() -> Response:
        """Gives this browser the seat of a player, so that it shows that player's hand; null leaves the seat."""
        told = body(Sit)
        table = view.table()
        token = kept("seat")
        if told.seat is None:
            left = view.seats.leave(table.session.header.id, token)
            _note(table, left, "no longer shows their cards on that device")
            return json_answer({"seat": None})
        _check_seat(told.seat, len(table.session.names))
        before = view.seats.seat(table.session.header.id, token)
        taken = view.seats.take(table.session.header.id, told.seat, token)
        if before != told.seat:
            _note(table, before, "no longer shows their cards on that device")
            _note(table, told.seat, "now has a device for their own cards")
        response = json_answer({"seat": told.seat})
        keep(response, "seat", taken)
        return response

    @blueprint.post("/free")
    def free() -> Response:
        """Takes the seat away from a browser, because the phone is gone or has the wrong seat."""
        told = body(Free)
        table = view.table()
        _check_seat(told.seat, len(table.session.names))
        if view.seats.free(table.session.header.id, told.seat):
            _note(table, told.seat, "has lost the browser that showed the cards: the host freed the seat")
        return json_answer({"taken": view.seats.taken(table.session.header.id)})

    @blueprint.post("/away")
    def send_away() -> Response:
        """Makes every browser but the host's join again."""
        body(Nothing)
        access.send_away()
        return json_answer({})

    @blueprint.post("/invite")
    def invite() -> Response:
        """Returns an invitation for phones: a link, a QR code, the places left, and the players with a phone."""
        told = body(Invite)
        table = view.sessions.table
        taken = () if table is None else view.seats.taken(table.session.header.id)
        names = () if table is None else table.session.names
        found = access.invite(len(names) - len(taken) if names else _PLACES, told.known)
        link = None if found.code is None else f"{phones.url(request.host)}join#{found.code}"
        return json_answer(
            {
                "known": found.id,
                "link": link,
                "square": None if link is None else tree(square(link)),
                "left": found.left,
                "joined": found.joined,
                "seats": [{"name": name, "taken": seat in taken} for seat, name in enumerate(names)],
                "pin": access.pin,
                "lan": phones.address is not None,
            }
        )

    return blueprint


def _note(table: Table, seat: Seat | None, text: str) -> None:
    """Records who takes and leaves a seat, if the game has hands that others must not see."""
    if seat is not None and keeps_secrets(table):
        table.session.note_seat(seat, text, source="page")


def _check_seat(seat: int, seats: int) -> None:
    if seat >= seats:
        raise BadBody(f"The game has seats 0 to {seats - 1}. Choose one of them.")


def square(text: str) -> Shape:
    """Returns a QR code as a scene."""
    code = segno.make(text, error="m", micro=False)
    rows = [list(row) for row in code.matrix]
    size = len(rows) + 8
    path = "".join(f"M{x + 4} {y + 4}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return shape(
        "svg",
        {
            "viewBox": f"0 0 {size} {size}",
            "class": "square",
            "role": "img",
            "aria-label": "Square to scan with a phone",
        },
        shape("rect", {"x": 0, "y": 0, "width": size, "height": size, "fill": "#fff"}),
        shape("path", {"d": path, "fill": "#000"}),
    )
