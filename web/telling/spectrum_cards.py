"""Spectrum's cards as the page shows them: which may be drawn now, secret hands as far as who asks may know them."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.contract import Drawn, Seat, Shown, ToDraw
from companion.games.shared.cards.deck import NUMBER, NUMBER_CARDS, PIECES
from companion.games.spectrum import chance, told
from companion.games.spectrum.board import SPOTS
from companion.games.spectrum.card_usages import SWAP_CARDS
from companion.games.spectrum.moves import Activate, Send
from companion.games.spectrum.secrets import space_on_card
from companion.games.spectrum.situation import HIDDEN
from companion.referee.table.table import Table
from web.scene.pieces.number_cards import NUMBER_CODES

_CODES = list(NUMBER_CODES)
_DRAWABLE = range(NUMBER_CARDS + len(SWAP_CARDS))


def draw(state: Any) -> dict[str, Any] | None:
    """The cards to be drawn now, or those that may be entered at once because earlier optional moves are declined."""
    ahead = told.ahead(state)
    due = chance.expects(ahead)
    if not isinstance(due, ToDraw):
        return None
    cards = [number for number in _DRAWABLE if not told.impossible(state, Drawn(due.seat, (PIECES[number],)))]
    return {
        "seat": due.seat,
        "count": min(due.count, len(cards)),
        "source": due.source,
        "shown": due.shown,
        "ahead": ahead is not state,
        "cards": [_CODES[number] for number in cards],
    }


def codes(numbers: tuple[int, ...]) -> list[str | None]:
    """Cards by their codes; None for one that the reader must not know, or that was not shown."""
    return [None if number == HIDDEN else _CODES[number] for number in numbers]


def hand(state: Any, seat: Seat) -> dict[str, Any]:
    """A seat's missions and portals; hidden ones are only counted."""
    extras = state.extras
    missions = extras.missions[seat] if extras.missions else ()
    portals = (*extras.portals[seat].first, *extras.portals[seat].later) if extras.portals else ()
    pawns = state.masks[seat]
    return {
        "missions": [
            _card(number, bool(number != HIDDEN and pawns >> space_on_card(number) & 1)) for number in missions
        ],
        "portals": [
            _card(number, bool(number != HIDDEN and state.occupied >> space_on_card(number) & 1)) for number in portals
        ],
        "revealed": bool(extras.revealed and extras.revealed[seat]),
        "show": _to_show(state, seat) if HIDDEN in missions else [],
    }


def _card(number: int, met: bool) -> dict[str, Any]:
    """A card, its space, and whether a pawn stands there: an own one for a mission, any for a portal."""
    if number == HIDDEN:
        return {"code": None, "spot": None, "met": False}
    return {"code": _CODES[number], "spot": SPOTS[space_on_card(number)], "met": met}


def _to_show(state: Any, seat: Seat) -> list[str]:
    """Cards that the hidden missions of a seat may be."""
    return [
        _CODES[number]
        for number in _DRAWABLE[:NUMBER_CARDS]
        if not told.impossible(state, Shown(seat, (PIECES[number],)))
    ]


def activations(table: Table, state: Any) -> list[dict[str, Any]]:
    """Portals that may be activated now, as far as who asks may know; hidden ones may be any."""
    return [_played(table, move) for move in state.legal_moves() if isinstance(move, Activate)]


def destinations(table: Table, state: Any) -> list[dict[str, Any]]:
    """Cards that may be the destination of the activated portal."""
    return [_played(table, move) for move in state.legal_moves() if isinstance(move, Send)]


def _played(table: Table, move: Activate | Send) -> dict[str, Any]:
    number = NUMBER[move.card]
    return {
        "seat": move.seat,
        "code": _CODES[number],
        "spot": SPOTS[space_on_card(number)],
        "text": table.session.game.text(move),
        "event": msgspec.to_builtins(move),
    }
