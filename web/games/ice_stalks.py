"""The page of Ice Stalks: its presenter, and the advice beside its board.

Spots: "stalks" is the middle, "seat0.stalks" a player's side, "rocks" the rocks that lie aside. A stalk is named by its
pieces from the bottom up, "stalks.C3B2", because stalks have no fixed places; "stalks.C3.2" is the second of two equal
stalks, and "stalks.C3B2/2" the second piece of a stalk. A new base goes to "table".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from companion.core.contract import Drawn, Event, Move, Seat
from companion.core.foundation.errors import BadEvent, MoveError
from companion.core.layout import Spot
from companion.core.pieces import Piece, Pyramid, Rock
from companion.games.ice_stalks.advice import Addition, Future, additions, base, futures, killers, rocks_left, why_dead
from companion.games.ice_stalks.growth import (
    KIND,
    KINDS,
    RAINBOW,
    ROCKS,
    ROCKS_SPOT,
    STALKS_SPOT,
    describe,
    pieces_of,
    stalk_of,
)
from companion.games.ice_stalks.moves import Pass, PlacePiece, Take
from companion.games.ice_stalks.moves import text as line_of
from companion.games.ice_stalks.scoring import line as worth
from companion.games.ice_stalks.situation import UNKNOWN
from companion.referee.journal.timeline import Timeline
from companion.referee.table.table import Table
from web.boards import Presenter
from web.boards.parts.pieces import PyramidPieces, player, pyramid_of
from web.boards.parts.presenter import Aim, NoSuchPiece, NoSuchSpot, UsualOffers
from web.scene.boards.zones import Item, Section, Zone, board
from web.scene.marks import Marks
from web.scene.pieces.pyramids import code as code_of
from web.scene.pieces.pyramids import single, spoken
from web.scene.shape import BoardFrame, Shape
from web.scene.svg import tree
from web.telling.parts.adviser import pictures
from web.views.alert_view import breach_data

TABLE: Spot = "table"
"""The spot of a new base."""

_SPOT = re.compile(r"(stalks|seat([0-7])\.stalks)\.((?:[A-Z][123]){1,20})(?:\.([1-9]\d?))?(?:/([1-9]\d?))?")
_ZONE = re.compile(r"seat([0-7])\.stalks")


class StalkSpot(NamedTuple):
    """The stalk that a spot names."""

    seat: Seat | None
    """The player's seat; None in the middle."""
    stalk: str
    copy: int
    level: int | None
    """The number of one of its pieces, 1 at the bottom; None: the whole stalk."""


class IceStalksPresenter(UsualOffers, PyramidPieces):
    """The growing stalks, and the stalks that each player took. A piece's code is its letter and pips: "R3"."""

    example = (
        "player 1 draws cyan rock, player 1 places cyan large on the table, "
        "player 1 places blue medium on cyan large, player 1 takes the stalk"
    )

    def board(self, state: Any, marks: Marks, frame: BoardFrame) -> Shape:
        """Returns the middle, then one strip for each player."""
        dead = {future.stalk for future in futures(state) if future.is_dead}
        fits: dict[str, list[str]] = {}
        for move in state.legal_moves():
            if isinstance(move, PlacePiece):
                fits.setdefault(_stalk(move.on), []).append(code_of(move.piece))
        growing = [
            _growing(spot, stalk, fits, pieces_of(stalk) in dead) for spot, stalk in _spots("stalks", state.stalks)
        ]
        if state.done is not None:
            words = "completed, still to be taken"
            growing.append(Item(f"stalks.{state.done}", words, pieces_of(state.done), note="done", kind="done"))
        note = f"+{fits[''][0]}" if "" in fits else ""
        about = f"base allowed: {spoken(pyramid_of(fits[''][0]))}" if "" in fits else ""
        growing.append(Item(TABLE, "the table, for a base", hint="base", note=note, about=about))
        rock = _in_hand(state)
        heading = "Growing stalks" + (f", {rock} in hand" if rock else "")
        sections = [Section(heading, (Zone(STALKS_SPOT, "stalks", 10, tuple(growing)),))]
        turn = state.turn if state.outcome() is None else None
        for seat, taken in enumerate(state.taken):
            items = tuple(
                Item(spot, worth(stalk).text, pieces_of(stalk), note=str(worth(stalk).points), about="points")
                for spot, stalk in _spots(f"seat{seat}.stalks", taken)
            )
            items = items or (Item(f"seat{seat}.stalks", "no completed stalk", hint="–"),)
            move = "  ◀ plays now" if seat == turn else ""
            zone = Zone(f"seat{seat}.stalks", "completed stalks", 10, items)
            sections.append(
                Section(f"{player(frame.names, seat)}: completed{move}", (zone,), "to-move" if move else "")
            )
        return board(sections, marks, frame)

    def spot_name(self, spot: Spot) -> str:
        """Returns the name of a stalk by its pieces, or the name of a place."""
        if zone := _ZONE.fullmatch(spot):
            return f"the completed stalks of player {int(zone[1]) + 1}"
        named = {STALKS_SPOT: "the growing stalks", ROCKS_SPOT: "the rocks aside", TABLE: "the table"}.get(spot)
        if named is not None:
            return named
        place = _place(spot)
        if place.level is not None:
            return f"piece {place.level} of the stalk {describe(place.stalk)}"
        return f"the stalk {describe(place.stalk)}"

    def holds(self, state: Any, spot: Spot) -> Pyramid | None:
        """Returns the piece that a spot names; for a whole stalk, its top."""
        if _SPOT.fullmatch(spot) is None:
            self.spot_name(spot)
            return None
        place = _place(spot)
        if place.stalk not in _pile(state, place.seat):
            return None
        pieces = pieces_of(place.stalk)
        return pieces[-1 if place.level is None else place.level - 1]

    def aim(self, event: Event) -> Aim:
        """Returns the piece, and the stalk on which it goes."""
        if isinstance(event, PlacePiece):
            return Aim(code_of(event.piece), f"stalks.{_stalk(event.on)}" if event.on else TABLE)
        return Aim(None, None)

    def trace(self, event: Event) -> Spot | None:
        """Returns the stalk that the piece now tops, or the side of the player who took a stalk."""
        if isinstance(event, PlacePiece):
            return f"stalks.{_stalk((*event.on, event.piece))}"
        return f"seat{event.seat}.stalks" if isinstance(event, Take) else None

    def sentence(self, event: Event) -> str:
        """Returns the action of the player in the words of the notation."""
        if not isinstance(event, Drawn | PlacePiece | Take | Pass):
            raise TypeError(f"not an event of Ice Stalks: {event!r}")
        return line_of(event).split(" ", 2)[2]

    def laid(self, event: Event) -> Pyramid | None:
        """Returns the piece of a placement."""
        return event.piece if isinstance(event, PlacePiece) else None

    def offer(self, move: Move) -> str:
        """Returns the move as the text of a button."""
        words = self.sentence(move)
        return words.replace("takes", "Take").replace("places", "Place")

    def trials(self, state: Any, spot: Spot, code: str | None) -> Sequence[Move]:
        """Returns placements of a piece, or of every piece of the rock's color, on a stalk or as a base."""
        on: tuple[Pyramid, ...] = ()
        if spot != TABLE:
            place = _place(spot)
            if place.seat is not None or place.stalk not in state.stalks:
                return []
            on = pieces_of(place.stalk)
        if code is not None:
            pieces: Sequence[Pyramid] = (_of_set(pyramid_of(code)),)
        else:
            pieces = [piece for piece in KINDS if KIND[piece] // 3 in state.drawable]
        return [PlacePiece(state.turn, piece, on) for piece in pieces]

    def orientations(self, spot: Spot, code: str | None) -> Sequence[Piece]:
        """Returns one piece or one stack, or the whole set."""
        self.spot_name(spot)
        return list(KINDS) if code is None else [self.piece(code)]

    def origin(self, timeline: Timeline, spot: Spot) -> int | None:
        """Returns the row that placed the piece that the spot names, as long as it is on top."""
        if _SPOT.fullmatch(spot) is None:
            return None
        place = _place(spot)
        if place.level is not None and place.level != len(place.stalk) // 2:
            return None
        for step in reversed(timeline.steps()):
            if isinstance(step.event, PlacePiece) and _stalk((*step.event.on, step.event.piece)) == place.stalk:
                return step.n
        return None

    def moved(self, event: Event, spot: Spot, piece: Piece) -> Event | None:
        """Returns the placement of another piece on the same stalk."""
        return PlacePiece(event.seat, _pyramid(piece), event.on) if isinstance(event, PlacePiece) else None

    def placing(self, state: Any, spot: Spot, piece: Piece) -> Event:
        """Returns the placement of a base that was not seen."""
        return PlacePiece(state.turn, _pyramid(piece))

    def position(self, state: Any, spot: Spot, piece: Piece | None) -> dict[str, Any]:
        """Returns the position with another piece, or none, in place of the one that the spot names.

        Rocks are counted from the placed pieces. A completed stalk that waits to be taken is taken.

        Raises:
            BadEvent: No such piece can be set up there.
        """
        taken = [list(pile) for pile in state.taken]
        stalks = list(state.stalks)
        turn = state.turn
        if state.done is not None:
            taken[turn].append(state.done)
            turn = state.next_seat
        if spot == TABLE:
            if piece is None:
                raise BadEvent("No piece is there. Choose a stalk.")
            stalks.append(code_of(_pyramid(piece)))
        else:
            place = _place(spot)
            pile = stalks if place.seat is None else taken[place.seat]
            seat = place.seat
            if place.stalk not in pile and place.stalk == state.done:
                pile, seat = taken[state.turn], state.turn
            if place.stalk not in pile:
                raise BadEvent("That stalk is not on the table any more. Look again.")
            parts = [code_of(one) for one in pieces_of(place.stalk)]
            level = (place.level or len(parts)) - 1
            parts[level : level + 1] = [] if piece is None else [code_of(_pyramid(piece))]
            pile.remove(place.stalk)
            if parts:
                pile.append("".join(parts))
            _settle(stalks, taken, seat if seat is not None else state.turn)
        position: dict[str, Any] = {
            "stalks": [[spoken(one) for one in pieces_of(stalk)] for stalk in stalks],
            "taken": [[[spoken(one) for one in pieces_of(stalk)] for stalk in pile] for pile in taken],
            "turn": turn,
        }
        if state.hand in RAINBOW:
            position["hand"] = state.hand
        return position


def _settle(stalks: list[str], taken: list[list[str]], seat: Seat) -> None:
    """Moves stalks with a small on top to a player, and all others to the middle."""
    for pile in taken:
        for stalk in [one for one in pile if not one.endswith("1")]:
            pile.remove(stalk)
            stalks.append(stalk)
    for stalk in [one for one in stalks if one.endswith("1") and len(one) > 2]:
        stalks.remove(stalk)
        taken[seat].append(stalk)


def _growing(spot: Spot, stalk: str, fits: dict[str, list[str]], dead: bool) -> Item:
    pieces = pieces_of(stalk)
    mark = f"stalks.{stalk}"
    if stalk in fits:
        sizes = " or ".join(spoken(pyramid_of(code)) for code in fits[stalk])
        note = "+" + "/".join(code if i == 0 else code[1] for i, code in enumerate(fits[stalk]))
        return Item(spot, "stalk", pieces, note=note, about=f"allowed: {sizes}", kind="fits", mark=mark)
    if dead:
        return Item(spot, "stalk", pieces, note="dead", about="can never be completed", kind="dead", mark=mark)
    return Item(spot, "stalk", pieces, mark=mark)


def _spots(zone: Spot, stalks: Sequence[str]) -> list[tuple[Spot, str]]:
    """Returns the stalks, each with a spot of its own."""
    seen: dict[str, int] = {}
    found = []
    for stalk in stalks:
        seen[stalk] = seen.get(stalk, 0) + 1
        copy = f".{seen[stalk]}" if seen[stalk] > 1 else ""
        found.append((f"{zone}.{stalk}{copy}", stalk))
    return found


def _in_hand(state: Any) -> str | None:
    if state.hand is None:
        return None
    return "a rock that was not shown" if state.hand == UNKNOWN else f"{state.hand} rock"


def _stalk(pieces: Sequence[Pyramid]) -> str:
    return "".join(code_of(piece) for piece in pieces)


def _pile(state: Any, seat: Seat | None) -> Sequence[str]:
    if seat is not None:
        if seat >= len(state.taken):
            raise NoSuchSpot("There is no such player.")
        taken: Sequence[str] = state.taken[seat]
        return taken
    return (*state.stalks, *([state.done] if state.done else []))


def _place(spot: Spot) -> StalkSpot:
    found = _SPOT.fullmatch(spot)
    if found is None:
        raise NoSuchSpot('There is no such place. A stalk is named by its pieces, such as "stalks.C3B2".')
    stalk = found[3]
    for at in range(0, len(stalk), 2):
        _of_set(pyramid_of(stalk[at : at + 2]))
    level = None if found[5] is None else int(found[5])
    if level is not None and level > len(stalk) // 2:
        raise NoSuchSpot("That stalk has fewer pieces.")
    return StalkSpot(None if found[2] is None else int(found[2]), stalk, int(found[4] or 1), level)


def _of_set(piece: Pyramid) -> Pyramid:
    if piece not in KIND:
        raise NoSuchPiece(f"Ice Stalks has no {spoken(piece)} (ICE-2).")
    return piece


def _pyramid(piece: Piece) -> Pyramid:
    if isinstance(piece, Rock) or not isinstance(piece, Pyramid):
        raise NoSuchPiece("That is not a pyramid.")
    return _of_set(piece)


SHOWN = 3
"""The number of completions of a stalk that are shown; the others are only counted."""


class IceStalksAdviser:
    """Rocks, futures of stalks, and placements. `about` is the color of a rock; empty: the rock in the hand."""

    def advice(self, table: Table, state: Any, presenter: Presenter, about: str) -> dict[str, Any]:
        """Returns all advice about the present position."""
        left = rocks_left(state)
        known = state.hand if state.hand in RAINBOW else None
        color = about if about in RAINBOW and (known is None or about != known) else known
        return {
            "seq": table.session.seq,
            "pieces": pictures([*KINDS, *ROCKS.values()], presenter),
            "hand": state.hand,
            "turn": state.turn,
            "rocks": [{"color": one, "left": count} for one, count in left.items()],
            "stalks": [_future(state, future) for future in futures(state)],
            "color": color,
            "with": None if color is None else _with(table, state, color),
            "seats": [_seat(table, state, seat) for seat in range(state.seats)],
        }


def _future(state: Any, future: Future) -> dict[str, Any]:
    heights = [len(end) for end in future.completions]
    return {
        "spot": f"stalks.{stalk_of(future.stalk)}",
        "stalk": [code_of(piece) for piece in future.stalk],
        "picture": tree(single(future.stalk)),
        "words": ", ".join(spoken(piece) for piece in future.stalk),
        "dead": future.is_dead,
        "why": "; ".join(why_dead(state, stalk_of(future.stalk))) + "." if future.is_dead else "",
        "ends": len(future.completions),
        "lowest": min(heights, default=0),
        "highest": max(heights, default=0),
        "points": max(future.points, default=0),
        "shown": [
            {"stalk": [code_of(piece) for piece in end], "picture": tree(single(end)), "points": points}
            for end, points in _best(future)
        ],
    }


def _best(future: Future) -> list[tuple[tuple[Pyramid, ...], int]]:
    """Returns the completions with the most points; of equal ones, the shorter first."""
    ends = list(zip(future.completions, future.points, strict=True))
    return sorted(ends, key=lambda pair: (-pair[1], len(pair[0])))[:SHOWN]


def _with(table: Table, state: Any, color: str) -> dict[str, Any]:
    """Returns the placements for a rock of this color; if it is not in the hand, the placements as if it were drawn
    now.
    """
    here = state.hand in (color, UNKNOWN)
    if not here:
        try:
            state = state.apply(Drawn(state.turn, (ROCKS[color],)))
        except MoveError as error:
            return {"color": color, "drawn": False, "problem": str(error), "add": [], "kill": [], "base": None}
    on_table = base(state, color)
    return {
        "color": color,
        "drawn": here,
        "problem": "",
        "add": [_addition(table, state, one) for one in additions(state, color)],
        "kill": [_addition(table, state, one) for one in killers(state, color)],
        "base": {
            "piece": code_of(on_table.piece),
            "allowed": on_table.allowed,
            "rule": on_table.rule,
            "link": f"/rules/{table.session.game.name}#{on_table.rule}",
            "text": on_table.text,
            "event": msgspec.to_builtins(PlacePiece(state.turn, on_table.piece)),
        },
    }


def _addition(table: Table, state: Any, one: Addition) -> dict[str, Any]:
    event = PlacePiece(state.turn, one.piece, one.stalk)
    return {
        "piece": code_of(one.piece),
        "stalk": [code_of(piece) for piece in one.stalk],
        "words": ", ".join(spoken(piece) for piece in one.stalk),
        "completes": one.piece.size == "small",
        "breaches": [breach_data(breach, table.session.game.name) for breach in state.violations(event)],
        "event": msgspec.to_builtins(event),
        "text": table.session.game.text(event),
    }


def _seat(table: Table, state: Any, seat: Seat) -> dict[str, Any]:
    return {
        "seat": seat,
        "name": table.session.names[seat],
        "stalks": [
            {
                "stalk": [code_of(piece) for piece in pieces_of(stalk)],
                "picture": tree(single(pieces_of(stalk))),
                **msgspec.to_builtins(worth(stalk)),
            }
            for stalk in state.taken[seat]
        ],
    }
