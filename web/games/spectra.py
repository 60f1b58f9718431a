"""The page of Spectra: its presenter, and the advice beside its board.

Spots: "seat0.trees" and "seat0.supply" are zones; "seat0.trees.2" is a player's second tree, "seat0.trees.2.R2" its red
medium, "seat0.trees.more.G1" a piece that stands there by agreement, "seat0.supply.R1.2" the second red small of a
supply. "seat0.supply.new" and "seat0.trees.new" are the spots of pieces that were not seen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from companion.core.contract import Drawn, Event, Move, Seat, Violation, seats_to_move
from companion.core.foundation.errors import BadEvent
from companion.core.layout import Spot
from companion.core.pieces import Piece, Pyramid
from companion.games.spectra.advice import Make, bag, makes, wanted
from companion.games.spectra.moves import Add, Draw, EndTurn, Exchange, Withdraw
from companion.games.spectra.moves import text as line_of
from companion.games.spectra.position import trees_of
from companion.games.spectra.stash import KIND, KINDS, TREE_COLORS, changed, pieces_of, supply_spot, trees_spot
from companion.referee.journal.timeline import Timeline
from companion.referee.table.table import Table
from web.boards import Presenter
from web.boards.parts.pieces import PyramidPieces, player, pyramid_of
from web.boards.parts.presenter import Aim, NoSuchPiece, NoSuchSpot
from web.scene.boards.zones import Item, Section, Zone, board
from web.scene.marks import Marks
from web.scene.pieces.pyramids import LETTERS, spoken
from web.scene.pieces.pyramids import code as code_of
from web.scene.shape import BoardFrame, Shape
from web.telling.parts.adviser import pictures
from web.views.alert_view import breach_data

_SPOT = re.compile(r"seat([0-5])\.(trees|supply)(?:\.(new|more|[1-9]\d?))?(?:\.([A-Z][123])(?:\.([1-9]\d?))?)?")


class HeapPlace(NamedTuple):
    """A part of a player's trees or supply, as the name of a spot on the page gives it."""

    seat: Seat
    heap: str
    """"trees" or "supply"."""
    slot: str
    """The number of the tree, "new", "more", or empty."""
    piece: Pyramid | None


class SpectraPresenter(PyramidPieces):
    """The trees and the supply of every player. A piece's code is its letter and pips: "R3"."""

    example = (
        "player 1 draws red small, player 1 adds red medium, player 1 passes the bag, "
        "player 1 gives red small + yellow small for orange small from bag"
    )

    def board(self, state: Any, marks: Marks, frame: BoardFrame) -> Shape:
        """Returns one strip for each player: three trees, and the supply beside them."""
        sections = [_section(state, seat, player(frame.names, seat), frame.live) for seat in range(state.seats)]
        return board(sections, marks, frame)

    def spot_name(self, spot: Spot) -> str:
        """Returns the owner of the trees or the supply, and the piece."""
        place = _place(spot)
        whose = f"player {place.seat + 1}"
        if place.piece is not None:
            return f"{spoken(place.piece)} in the {place.heap} of {whose}"
        if place.heap == "trees" and place.slot.isdecimal():
            return f"tree {place.slot} of {whose}"
        return f"the {place.heap} of {whose}"

    def holds(self, state: Any, spot: Spot) -> Pyramid | None:
        """Returns the piece that a spot names, if it is there."""
        place = _place(spot)
        if place.piece is None or place.seat >= state.seats:
            return None
        return place.piece if _pile(state, place)[KIND[place.piece]] else None

    def aim(self, event: Event) -> Aim:
        """Returns the added piece, and the heap to which it is added."""
        if isinstance(event, Drawn):
            piece = event.pieces[0] if event.pieces else None
            return Aim(code_of(piece) if isinstance(piece, Pyramid) else None, supply_spot(event.seat))
        if isinstance(event, Exchange):
            return Aim(code_of(event.took), supply_spot(event.seat))
        if isinstance(event, Add):
            return Aim(code_of(event.piece), trees_spot(event.owner))
        if isinstance(event, Withdraw):
            return Aim(code_of(event.piece), supply_spot(event.seat))
        return Aim(None, supply_spot(event.seat) if isinstance(event, Draw) else None)

    def trace(self, event: Event) -> Spot | None:
        """Returns the same heap as `aim`."""
        return self.aim(event).spot

    def sentence(self, event: Event) -> str:
        """Returns the action of the player in the words of the notation."""
        if not isinstance(event, Drawn | Draw | Exchange | Add | Withdraw | EndTurn):
            raise TypeError(f"not an event of Spectra: {event!r}")
        _, _, words = line_of(event).partition(" ")
        return words.partition(" ")[2]

    def laid(self, event: Event) -> Pyramid | None:
        """Returns the added piece."""
        aimed = self.aim(event).piece
        return None if aimed is None else pyramid_of(aimed)

    def offer(self, move: Move) -> str:
        """Returns the move as the text of a button."""
        return "Pass the bag on" if isinstance(move, EndTurn) else self.sentence(move).capitalize()

    def reminders(self, state: Any, move: Move) -> tuple[Violation, ...]:
        """Returns the reminders before the bag moves on (SPA-9)."""
        found: tuple[Violation, ...] = state.reminders() if isinstance(move, EndTurn) else ()
        return found

    def trials(self, state: Any, spot: Spot, code: str | None) -> Sequence[Move]:
        """Returns, for trees, every addition by the seat to move; for a supply, every legal exchange that fills it."""
        place = _place(spot)
        seats = seats_to_move(state.expects())
        if place.heap == "trees":
            pieces = KINDS if code is None else (pyramid_of(code),)
            return [Add(seat, piece, place.seat) for seat in seats for piece in pieces if _has(state, seat, piece)]
        return [
            move
            for move in state.legal_moves()
            if isinstance(move, Exchange) and move.seat == place.seat and (code is None or code_of(move.took) == code)
        ]

    def orientations(self, spot: Spot, code: str | None) -> Sequence[Pyramid]:
        """Returns the piece with a code, or the whole set."""
        _place(spot)
        return list(KINDS) if code is None else [pyramid_of(code)]

    def origin(self, timeline: Timeline, spot: Spot) -> int | None:
        """Returns the row that last brought a piece of this kind to this heap."""
        place = _place(spot)
        if place.piece is None:
            return None
        kind = KIND[place.piece]
        for step in reversed(timeline.steps()):
            before = timeline.book.start if step.parent is None else step.parent.state
            if _pile(step.state, place)[kind] > _pile(before, place)[kind]:
                return step.n
        return None

    def moved(self, event: Event, spot: Spot, piece: Piece) -> Event | None:
        """Returns the event with another piece in place of the one that the spot names."""
        place, really = _place(spot), _pyramid(piece)
        if isinstance(event, Drawn):
            return Drawn(event.seat, (really,))
        if isinstance(event, Add):
            return Add(event.seat, really, event.to)
        if isinstance(event, Exchange) and place.piece is not None:
            if event.seat == place.seat:
                return Exchange(event.seat, event.gave, really, event.source, event.from_trees)
            rest = list(event.gave)
            if place.piece in rest:
                rest[rest.index(place.piece)] = really
                return Exchange(event.seat, tuple(rest), event.took, event.source, event.from_trees)
        return None

    def placing(self, state: Any, spot: Spot, piece: Piece) -> Event:
        """Returns a draw that was not seen, or an addition."""
        place = _place(spot)
        if place.heap == "trees":
            return Add(place.seat, _pyramid(piece))
        return Drawn(place.seat, (_pyramid(piece),))

    def position(self, state: Any, spot: Spot, piece: Piece | None) -> dict[str, Any]:
        """Returns the position with another piece, or none, in place of the one that the spot names.

        Raises:
            BadEvent: The set has no such piece.
        """
        place = _place(spot)
        piles = {"trees": list(state.trees), "supply": list(state.supplies)}
        pile = piles[place.heap][place.seat]
        if place.piece is not None and pile[KIND[place.piece]]:
            pile = changed(pile, KIND[place.piece], -1)
        if piece is not None:
            really = _pyramid(piece)
            if really not in KIND:
                raise BadEvent(f"Spectra has no {spoken(really)} (SPA-1). Choose another piece.")
            pile = changed(pile, KIND[really], 1)
        piles[place.heap][place.seat] = pile
        words = {heap: [[spoken(one) for one in pieces_of(pile)] for pile in all_] for heap, all_ in piles.items()}
        drawn = state.drawn and state.turn is not None
        return {"trees": words["trees"], "supplies": words["supply"], "turn": state.turn, "drawn": drawn}


def _section(state: Any, seat: Seat, title: str, live: bool) -> Section:
    color = state.colors[seat]
    trees = trees_of(state, seat)
    here, there = trees_spot(seat), supply_spot(seat)
    stacks = [Item(f"{here}.{i}", f"tree {i}", tree, mark=f"{here}.{i}", hint="·") for i, tree in enumerate(trees, 1)]
    counted = list(state.trees[seat])
    for tree in trees:
        for piece in tree:
            counted[KIND[piece]] -= 1
    more = [
        Item(f"{here}.more.{code_of(piece)}.{i}", "stands by agreement", (piece,), note="?", about="SPA-28")
        for i, piece in enumerate(pieces_of(tuple(counted)), 1)
    ]
    loose = []
    seen: dict[Pyramid, int] = {}
    for piece in pieces_of(state.supplies[seat]):
        seen[piece] = seen.get(piece, 0) + 1
        loose.append(Item(f"{there}.{code_of(piece)}.{seen[piece]}", "", (piece,)))
    new = [Item(f"{there}.new", "a piece that the camera missed", hint="+")] if live else []
    zones = (Zone(here, "trees", 3, (*stacks, *more)), Zone(there, "supply", 7, (*loose, *new)))
    turn = "  ◀ plays now" if state.turn == seat and state.outcome() is None else ""
    return Section(f"{title}: {color} trees, supply{turn}", zones, "to-move" if turn else "")


def _pile(state: Any, place: HeapPlace) -> tuple[int, ...]:
    piles = state.trees if place.heap == "trees" else state.supplies
    if place.seat >= len(piles):
        raise NoSuchSpot("There is no such player.")
    pile: tuple[int, ...] = piles[place.seat]
    return pile


def _has(state: Any, seat: Seat, piece: Pyramid) -> bool:
    return bool(state.supplies[seat][KIND[piece]])


def _place(spot: Spot) -> HeapPlace:
    found = _SPOT.fullmatch(spot)
    if found is None:
        raise NoSuchSpot("There is no such place. Each player has trees and a supply.")
    piece = None if found[4] is None else pyramid_of(found[4])
    if piece is not None and piece not in KIND:
        raise NoSuchPiece(f"Spectra has no {spoken(piece)} (SPA-1).")
    return HeapPlace(int(found[1]), found[2], found[3] or "", piece)


def _pyramid(piece: Piece) -> Pyramid:
    if not isinstance(piece, Pyramid):
        raise NoSuchPiece("That is not a pyramid.")
    return piece


class SpectraAdviser:
    """Exchanges, additions and the bag. `about` is a seat; empty: the seat to move."""

    def advice(self, table: Table, state: Any, presenter: Presenter, about: str) -> dict[str, Any]:
        """Returns all advice about the present position."""
        expects = state.expects()
        movers = seats_to_move(expects)
        seat = int(about) if about.isdecimal() and int(about) < state.seats else (state.turn or 0)
        return {
            "seq": table.session.seq,
            "pieces": pictures(KINDS, presenter),
            "seat": seat,
            "movers": list(movers),
            "makes": _makes(table, state, seat),
            "adds": [
                {"seat": move.seat, "piece": code_of(move.piece), "event": msgspec.to_builtins(move)}
                for move in table.session.legal()
                if isinstance(move, Add)
            ],
            "reminders": [breach_data(breach, table.session.game.name) for breach in state.reminders()],
            "seats": [_seat(table, state, other) for other in range(state.seats)],
            "bag": [
                {"color": left.color, "letter": LETTERS[left.color], "counts": [left.large, left.medium, left.small]}
                for left in bag(state)
            ],
            "colors": list(TREE_COLORS),
        }


def _makes(table: Table, state: Any, seat: Seat) -> list[dict[str, Any]]:
    """Returns, for each piece that can be made, every pair that makes it, and the sources of the piece."""
    found: dict[str, dict[str, Any]] = {}
    for make in makes(state, seat):
        entry = found.setdefault(code_of(make.took), {"took": code_of(make.took), "grows": make.grows, "ways": []})
        entry["ways"].append({"gave": [code_of(piece) for piece in make.gave], "sources": _sources(table, seat, make)})
    return list(found.values())


def _sources(table: Table, seat: Seat, make: Make) -> list[dict[str, Any]]:
    found = []
    for source in make.sources:
        event = Exchange(seat, make.gave, make.took, source)
        found.append(
            {
                "source": source,
                "name": "the bag" if source == "bag" else table.session.names[source],
                "event": msgspec.to_builtins(event),
                "text": table.session.game.text(event),
            }
        )
    return found


def _seat(table: Table, state: Any, seat: Seat) -> dict[str, Any]:
    return {
        "seat": seat,
        "name": table.session.names[seat],
        "color": state.colors[seat],
        "supply": [code_of(piece) for piece in pieces_of(state.supplies[seat])],
        "wanted": [{"piece": code_of(piece), "count": count} for piece, count in Counter(wanted(state, seat)).items()],
        "complete": state.complete(seat),
    }
