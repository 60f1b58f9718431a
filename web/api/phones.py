"""Letting phones in, which only the host may do: the present state, the PIN, and closing the table to them again."""

from __future__ import annotations

from typing import Annotated, Any

from flask import Blueprint, Response, request
from msgspec import Meta, Struct

from web.admission.phones import Phones
from web.admission.pin import draw_pin
from web.api.setup import Nothing
from web.http.answers import body, json_answer


class ChosenPin(Struct, forbid_unknown_fields=True):
    """Six digits; null: draw a new PIN."""

    pin: Annotated[str, Meta(max_length=64)] | None = None


def routes(phones: Phones) -> Blueprint:
    """Returns the routes below `/api/phones`."""
    blueprint = Blueprint("phones", __name__, url_prefix="/api/phones")

    def now() -> dict[str, Any]:
        return {
            "by": phones.by,
            "may_open": phones.may_open,
            "may_change_pin": phones.may_change_pin,
            "at": None if phones.address is None else phones.url(request.host),
            "pin": phones.pin,
            "kept": phones.kept_pin,
            "fresh": draw_pin(),
            "trouble": phones.trouble,
        }

    @blueprint.get("")
    def status() -> Response:
        """Returns whether phones are let in, by whom and by which PIN, and a new PIN to choose."""
        return json_answer(now())

    @blueprint.post("/open")
    def let_in() -> Response:
        """Opens this table to the local network, and lets phones in by this PIN until it is closed again."""
        phones.open(body(ChosenPin).pin)
        return json_answer(now())

    @blueprint.post("/close")
    def close() -> Response:
        """Closes the table to phones; open connections in the local network end."""
        body(Nothing)
        phones.close()
        return json_answer(now())

    @blueprint.post("/pin")
    def change_pin() -> Response:
        """Sets another PIN from now on; the previous one expires."""
        phones.change_pin(body(ChosenPin).pin)
        return json_answer(now())

    return blueprint
