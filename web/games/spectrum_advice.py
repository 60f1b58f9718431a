"""The advice in Spectrum: the roll and its paths, moves with their ways, stars, stocks, and secret cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from companion.core.contract import Drawn, Seat, Shown, ToDraw, ToRoll
from companion.core.pieces import PRIMARIES, WHEEL, Die, Pawn, Piece
from companion.games.shared.cards.deck import LETTERS as COLOR_LETTERS
from companion.games.shared.cards.deck import NUMBER, NUMBER_CARDS, PIECES
from companion.games.spectrum import chance, opening, told
from companion.games.spectrum.board import SPOTS
from companion.games.spectrum.chance import KIND
from companion.games.spectrum.moves import Activate, EndTurn, Fulfil, Pass, PlacePawn, Roll, Send, Surrender, TakeOff
from companion.games.spectrum.secrets import SECRET, space_on_card
from companion.games.spectrum.situation import HIDDEN
from companion.games.spectrum.usages import SWAP_CARDS
from companion.referee.table.table import Table
from web.boards import Presenter
from web.boards.parts.pieces import DICE, code_of
from web.facts.options import OptionField, fields
from web.games import spectrum_moves
from web.games.escape import faces
from web.scene.pieces.dice import LETTERS
from web.scene.pieces.number_cards import NUMBER_CODES
from web.scene.pieces.pawns import single_board_pawn
from web.scene.svg import tree
from web.telling.parts.adviser import pictures, roll_data
from web.views.seat_view import signs_of

_CODES = list(NUMBER_CODES)
_DRAWABLE = range(NUMBER_CARDS + len(SWAP_CARDS))


def draw(state: Any) -> dict[str, Any] | None:
    """Returns the cards to be drawn now, or those that may be entered at once because earlier optional moves are
    declined.
    """
    ahead = told.advance(state)
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
    """Returns cards by their codes; None for a card that was not shown, or that the reader must not know."""
    return [None if number == HIDDEN else _CODES[number] for number in numbers]


def hand(state: Any, seat: Seat) -> dict[str, Any]:
    """Returns a seat's missions and portals; hidden ones are only counted."""
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
    """Returns a card, its space, and whether a pawn is there: the player's own for a mission, any for a portal."""
    if number == HIDDEN:
        return {"code": None, "spot": None, "met": False}
    return {"code": _CODES[number], "spot": SPOTS[space_on_card(number)], "met": met}


def _to_show(state: Any, seat: Seat) -> list[str]:
    """Returns the cards that the hidden missions of a seat may be."""
    return [
        _CODES[number]
        for number in _DRAWABLE[:NUMBER_CARDS]
        if not told.impossible(state, Shown(seat, (PIECES[number],)))
    ]


def activations(table: Table, state: Any) -> list[dict[str, Any]]:
    """Returns the portals that may be activated now, as far as the asking person may know; a hidden one may be any
    card.
    """
    return [_played(table, move) for move in state.legal_moves() if isinstance(move, Activate)]


def destinations(table: Table, state: Any) -> list[dict[str, Any]]:
    """Returns the cards that may be the destination of the activated portal."""
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


_PLAIN = (Roll, Surrender, Fulfil, Pass, EndTurn)
_WORDS = {
    Roll: "Go on to the roll",
    Surrender: "Surrender a pawn instead of rolling",
    Fulfil: "Declare the missions",
    Pass: "Pass: nothing can be moved",
    EndTurn: "Nobody activates a portal: next turn",
}


class SpectrumAdviser:
    """The roll, usages, moves, players and cards. `about` is a usage by its place, "2", or also a pawn, "2 red.4"."""

    def advice(self, table: Table, state: Any, presenter: Presenter, about: str) -> dict[str, Any]:
        """Returns all advice about the present position."""
        used = spectrum_moves.chosen(state, about)
        due = chance.expects(told.advance(state))
        return {
            "seq": table.session.seq,
            "about": about,
            "pieces": pictures(_pieces(state), presenter),
            "faces": faces(),
            "phase": state.phase,
            "turn": state.turn,
            "mover": None if state.phase == "over" else _mover(state, due),
            "needed": state.stars_needed,
            "taken": state.stars_taken,
            "goal": _goal(state),
            "solo": state.is_solo,
            "again": state.again,
            "dice_due": chance.dice_due(state),
            "roll": roll_data(due, [""] * len(due.dice)) if isinstance(due, ToRoll) else None,
            "draw": draw(state),
            "dice": [code_of(Die(_kind(state), color)) for color in state.roll],
            "cards": codes(state.extras.drawn),
            "cards_left": {"pile": len(state.extras.pile), "discards": len(state.extras.discards)},
            "usages": spectrum_moves.usages(table, state),
            "left": spectrum_moves.left(state),
            "moves": [] if used is None else spectrum_moves.moves(table, state, *used),
            "pawns": spectrum_moves.pawns(state),
            "why": spectrum_moves.why_not(table, state, about),
            "held": None if state.held is None else {"color": state.held.color, "code": _pawn(state.held.color)},
            "spots": _spots(table, state),
            "plain": _plain(table, state),
            "picks": _picks(state),
            "activations": activations(table, state),
            "destinations": destinations(table, state),
            "portal_deck": state.extras.deck if state.options.portals else None,
            "weights": _weights(state),
            "seats": [_seat(table, state, seat) for seat in range(state.seats)],
            "letters": dict(zip(WHEEL, COLOR_LETTERS, strict=True)),
            "options": [_option(field, state.options) for field in _shown_options(state)],
        }


def _goal(state: Any) -> str:
    """Returns a sentence on the end of the game and its winner."""
    needed = state.stars_needed
    if state.is_solo:
        return "The goal is all twelve; a roll that leaves nothing to move loses (BRD-35)."
    if state.options.weighted and state.options.weighted_end == "all":
        return "Once all twelve colors are captured, the highest sum of weights wins (VAR-18)."
    if state.options.weighted:
        return f"With {needed} stars of one player the game ends, and the highest sum of weights wins (VAR-18)."
    return f"Who has {needed} stars first wins (BRD-5)."


def _kind(state: Any) -> str:
    """Returns the kind of the dice in use: a shotgun start has twelve-sided ones (VAR-2)."""
    return KIND["d12" if state.phase == "set-up" else state.options.dice]


def _mover(state: Any, due: Any) -> Seat:
    seat: Seat = due.seat if isinstance(due, ToRoll | ToDraw) else chance.mover(state)
    return seat


def _pieces(state: Any) -> Iterator[Piece]:
    """Yields every piece that this game may name: dice, pawns, and the cards that its options include."""
    yield from DICE
    yield from (Pawn(color) for color in PRIMARIES)
    options = state.options
    cards: set[str] = set()
    if options.cards_as_dice or options.shotgun == "cards":
        cards |= {f"{letters}{number}" for letters in COLOR_LETTERS for number in (1, 2, 3)}
    if options.swap_cards:
        cards |= {code for code in NUMBER_CODES if code.startswith("swap ") and "/" in code}
    if options.secret_cards or options.weighted:
        codes = list(NUMBER_CODES)
        cards |= {codes[number] for number in SECRET}
    if options.weights == "deck":
        cards |= {f"{letters}{number}" for letters in COLOR_LETTERS for number in range(1, 13)}
    yield from (piece for code, piece in NUMBER_CODES.items() if code in cards)


def _pawn(color: str) -> str:
    return f"pawn{LETTERS[color]}"


def _spots(table: Table, state: Any) -> list[dict[str, Any]]:
    """Returns the moves that are a single place: a start for the captured pawn, or the pawn that is surrendered."""
    found = []
    for move in state.legal_moves() if state.phase in ("place", "off") else ():
        spot = move.to if isinstance(move, PlacePawn) else move.pawn if isinstance(move, TakeOff) else None
        if spot is not None:
            found.append({"spot": spot, "text": table.session.game.text(move), "event": msgspec.to_builtins(move)})
    return found


def _plain(table: Table, state: Any) -> list[dict[str, Any]]:
    """Returns the moves without a place, as buttons."""
    return [
        {
            "kind": type(move).__name__,
            "seat": move.seat,
            "words": _WORDS[type(move)],
            "text": table.session.game.text(move),
            "event": msgspec.to_builtins(move),
        }
        for move in (state.legal_moves() if state.phase in ("start", "pass", "end") else ())
        if isinstance(move, _PLAIN)
    ]


def _picks(state: Any) -> dict[str, Any] | None:
    """Returns the colors of which two are picked after doubles in a shotgun start (VAR-4); None if this is not due."""
    due = opening.due(state) if state.phase == "set-up" else None
    if due is None or due.step != "pick":
        return None
    free = [WHEEL[color] for color in opening.free_colors(state, due.seat)]
    return {"seat": due.seat, "number": opening.ring_due(state, due.seat) + 1, "colors": free}


def _weights(state: Any) -> dict[str, int] | None:
    """Returns the weight of each color, 0 before it is drawn; None without weighted colors."""
    return dict(zip(WHEEL, state.extras.weights, strict=True)) if state.extras.weights else None


def _seat(table: Table, state: Any, seat: Seat) -> dict[str, Any]:
    pawns = [
        {
            "color": color,
            "code": _pawn(color),
            "picture": tree(single_board_pawn(Pawn(color), signs_of(table)[seat].shape)),
            "stock": state.stock(color),
        }
        for color in state.teams[seat]
    ]
    return {
        "seat": seat,
        "name": table.session.names[seat],
        "pawns": pawns,
        "stock": sum(one["stock"] for one in pawns),
        "board": state.pawns_on_paths(seat).bit_count(),
        "stars": [WHEEL[color] for color in state.taken_by(seat)],
        "turn": state.phase != "over" and state.turn == seat,
        **hand(state, seat),
    }


def _shown_options(state: Any) -> list[OptionField]:
    """Returns the options of this game to show: the dice, and every option that is not at its default."""
    found = []
    for field in fields(type(state.options)):
        value = getattr(state.options, field.name)
        is_dice = field.name == "dice" and not state.options.cards_as_dice
        if is_dice or (value != field.default and field.name not in ("colors", "first")):
            found.append(field)
    return found


def _option(field: OptionField, options: Any) -> dict[str, Any]:
    value = getattr(options, field.name)
    return {"title": field.title, "value": "on" if value is True else str(value), "sentence": field.sentence}
