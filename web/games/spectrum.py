"""The presenter of Spectrum.

Spots: "red.1" to "red.9" are the spaces of a path from the rim to its star, "red stock" is a stock as moves name it,
and "seat0.stock", "dice", "cards" and so on are the heaps beside the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.contract import Drawn, Event, Move, Rolled, Seat, seats_to_move
from companion.core.foundation.errors import BadEvent
from companion.core.layout import Spot
from companion.core.pieces import PRIMARIES, Card, Pawn, Piece, Special
from companion.games.shared.cards.deck import NUMBER
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum.board import ORIGIN, RINGS, SPACE, SPOTS, STOCK, STOCKS, name_of
from companion.games.spectrum.game import written
from companion.games.spectrum.moves import Activate, Go, PlacePawn, Send, SpectrumEvent, Swap, TakeOff
from companion.games.spectrum.notation import text as line_of
from companion.games.spectrum.secrets import SECRET, space_on_card
from companion.games.spectrum.situation import COLOR_OF_LETTER, EMPTY
from companion.referee.journal.timeline import Timeline
from web.boards.parts.pieces import DicePieces, piece_of
from web.boards.parts.presenter import Aim, NoSuchPiece, NoSuchSpot, ShownHand, UsualOffers
from web.scene.boards.wheel import WheelPawn, WheelSpace, board
from web.scene.marks import Marks
from web.scene.pieces.number_cards import NUMBER_CODES, card_code, card_words, single_card
from web.scene.shape import BoardFrame, Shape

_HEAPS = {
    "dice": "the dice",
    "declared": "the dice or cards in use",
    "cards": "the drawn cards",
    "discards": "the discards",
    "portal discards": "the portal discards",
    "captured": "the captured pawn",
}
_OWN_HEAPS = {"stock": "the stock", "missions": "the missions"}


class SpectrumPresenter(UsualOffers, DicePieces):
    """The round board. A pawn's code is "pawn" and its color's letter, a card's its letters and number: "RO3"."""

    example = (
        "rolled d6 red blue, player 1 uses red + red, player 1 moves red stock to R1, "
        "player 2 moves B4 to B6, player 1 puts blue on G1"
    )

    def board(self, state: Any, marks: Marks, frame: BoardFrame) -> Shape:
        """Returns the wheel; while a roll is in use, its paths are lit."""
        opened = frozenset(state.used.colors) if state.phase == "move" else None
        spaces = [_space(state, space, frame.names, marks) for space in range(len(SPOTS))]
        signs = {color: marks.sign(seat).shape for color, seat in state.owner.items()}
        return board(spaces, opened, marks, frame, signs=signs)

    def hand(self, state: Any, seat: Seat) -> ShownHand | None:
        """Returns None, because secret cards are shown beside the board."""
        return None

    def piece_code(self, piece: Piece) -> str:
        """Returns the kind and letters of dice and pawns, or the letters and number of a card."""
        return card_code(piece) if isinstance(piece, Card | Special) else super().piece_code(piece)

    def piece(self, code: str) -> Any:
        """Returns the piece with a code.

        Raises:
            NoSuchPiece: No piece has this code.
        """
        return NUMBER_CODES[code] if code in NUMBER_CODES else piece_of(code)

    def aim_code(self, code: str) -> str:
        """Returns the code itself, because pawns have no orientation."""
        return self.piece_code(self.piece(code))

    def piece_name(self, piece: Piece) -> str:
        """Returns the name in words: "red 3", "d12 red-orange" or "red pawn"."""
        return card_words(piece) if isinstance(piece, Card | Special) else super().piece_name(piece)

    def picture(self, piece: Piece, *, name: str, spot: Spot | None = None) -> Shape:
        """Returns the piece seen from above."""
        if isinstance(piece, Card | Special):
            return single_card(piece)
        return super().picture(piece, name=name)

    def spot_name(self, spot: Spot) -> str:
        """Returns a space as the board names it, "YG2", or the name of a heap beside the board."""
        if spot in SPACE:
            return name_of(spot)
        if spot in STOCKS or spot in _HEAPS:
            return _HEAPS.get(spot, f"the {spot}")
        seat, _, heap = spot.partition(".")
        if heap not in _OWN_HEAPS or not seat.removeprefix("seat").isdecimal():
            raise NoSuchSpot('There is no such place. A space is named by color and number, such as "red.4".')
        return f"{_OWN_HEAPS[heap]} of player {int(seat.removeprefix('seat')) + 1}"

    def holds(self, state: Any, spot: Spot) -> Pawn | None:
        """Returns the pawn on a space."""
        if spot not in SPACE:
            self.spot_name(spot)
            return None
        letter = state.board[SPACE[spot]]
        return None if letter == EMPTY else Pawn(COLOR_OF_LETTER[letter])

    def aim(self, event: Event) -> Aim:
        """Returns the destination of a pawn; the dice for an event with dice or without pawns."""
        if isinstance(event, Go | PlacePawn):
            return Aim(None, event.to)
        if isinstance(event, TakeOff):
            return Aim(None, event.pawn)
        if isinstance(event, Swap):
            return Aim(None, event.one)
        if isinstance(event, Activate | Send):
            number = NUMBER[event.card]
            return Aim(None, SPOTS[space_on_card(number)] if number in SECRET else None)
        return Aim(None, "dice")

    def trace(self, event: Event) -> Spot | None:
        """Returns the same space as `aim`; other pieces leave no trace on the board."""
        spot = self.aim(event).spot
        return spot if spot in SPACE else None

    def sentence(self, event: Event) -> str:
        """Returns the action of the player in the words of the notation."""
        if not isinstance(event, SpectrumEvent):
            raise TypeError(f"not an event of Spectrum: {event!r}")
        if isinstance(event, Drawn) and not any(event.pieces):
            return f"draws {len(event.pieces)} hidden {'card' if len(event.pieces) == 1 else 'cards'}"
        line = line_of(event)
        if isinstance(event, Rolled):
            return f"rolls {line.removeprefix('rolled ')}"
        return line.split(" ", 2)[2]

    def laid(self, event: Event) -> Pawn | None:
        """Returns the pawn, if the event states its color."""
        if isinstance(event, PlacePawn) and event.pawn in PRIMARIES:
            return Pawn(event.pawn)
        if isinstance(event, Go) and event.pawn in STOCKS:
            return Pawn(PRIMARIES[ORIGIN[event.pawn] - STOCK])
        return None

    def ghosts(self, state: Any, events: Sequence[Event]) -> dict[Spot, Pawn | None]:
        """Returns the contents of every space that these events would change, legal or not."""
        found: dict[Spot, Pawn | None] = {}

        def at(spot: Spot) -> Pawn | None:
            return found[spot] if spot in found else self.holds(state, spot)

        for event in events:
            if isinstance(event, Go) and event.to in SPACE and event.pawn in ORIGIN:
                pawn = self.laid(event) or at(event.pawn)
                if event.pawn in SPACE:
                    found[event.pawn] = None
                found[event.to] = pawn
            elif isinstance(event, PlacePawn) and event.to in SPACE:
                found[event.to] = self.laid(event)
            elif isinstance(event, TakeOff) and event.pawn in SPACE:
                found[event.pawn] = None
            elif isinstance(event, Swap) and event.one in SPACE and event.other in SPACE:
                found[event.one], found[event.other] = at(event.other), at(event.one)
        return found

    def trials(self, state: Any, spot: Spot, code: str | None) -> Sequence[Move]:
        """Returns every pawn of the seat to move that may come to a space, or the captured pawn that may be put
        there.
        """
        if spot not in SPACE:
            self.spot_name(spot)
            return []
        seats = seats_to_move(state.expects())
        if state.phase == "place":
            return [PlacePawn(state.held.seat, state.held.color, spot)]
        if state.phase == "off":
            return [TakeOff(seat, spot) for seat in seats]
        if state.phase == "move" and state.used.exchange is not None:
            others = [SPOTS[space] for space in bits(state.occupied) if SPOTS[space] != spot]
            return [Swap(seat, spot, other) for seat in seats for other in others]
        return [go for seat in seats for go in goes_to(state, seat, spot) if _is_of(state, go, code)]

    def orientations(self, spot: Spot, code: str | None) -> Sequence[Any]:
        """Returns the piece with a code, or a pawn of every color."""
        return [self.piece(code)] if code is not None else [Pawn(color) for color in PRIMARIES]

    def origin(self, timeline: Timeline, spot: Spot) -> int | None:
        """Returns the row that brought the pawn on a space."""
        space = SPACE.get(spot)
        if space is None:
            return None
        for step in reversed(timeline.steps()):
            before = timeline.book.start if step.parent is None else step.parent.state
            if before.board[space] != step.state.board[space]:
                return step.n
        return None

    def moved(self, event: Event, spot: Spot, piece: Piece) -> Event | None:
        """Returns None, because a move names the pawn's origin, which determines its color."""
        return None

    def placing(self, state: Any, spot: Spot, piece: Piece) -> Event:
        """Returns the one legal move that brings a pawn of this color to a space.

        Raises:
            BadEvent: No move does, or several do.
        """
        pawn = _pawn(piece)
        if state.phase == "place" and state.held.color == pawn.color:
            return PlacePawn(state.held.seat, pawn.color, spot)
        found = [move for move in state.legal_moves() if isinstance(move, Go) and move.to == spot]
        found = [move for move in found if _color_of(state, move.pawn) == pawn.color]
        if not found:
            raise BadEvent(
                f"No allowed move brings a {pawn.color} pawn to {name_of(spot)} now. Set the position up instead."
            )
        if len({move.pawn for move in found}) > 1:
            raise BadEvent(
                f"Several {pawn.color} pawns may have come to {name_of(spot)}. Tap the one that moved, then the space."
            )
        return found[0]

    def position(self, state: Any, spot: Spot, piece: Piece | None) -> dict[str, Any]:
        """Returns the position with another pawn, or none, on a space.

        Raises:
            BadEvent: The spot is not a space, the piece is not a pawn, or a turn is half done.
        """
        if spot not in SPACE:
            raise BadEvent("Only a space of the board can be set up. Choose one.")
        found = written(state)
        pawns = {at: color for at, color in found["pawns"].items() if at != spot}
        found["pawns"] = pawns if piece is None else {**pawns, spot: _pawn(piece).color}
        if "walked" in found:
            found["walked"] = {at: color for at, color in found["walked"].items() if at in found["pawns"]}
        return found


def goes_to(state: Any, seat: Seat, spot: Spot) -> list[Go]:
    """Returns every way to name a move of the seat's pawns to a space, legal or not."""
    parts = range(1, len(state.used.parts) + 1) if state.phase == "move" and state.used.free else (0,)
    origins = [SPOTS[space] for space in bits(state.pawns_on_paths(seat)) if SPOTS[space] != spot]
    origins += [f"{color} stock" for color in state.teams[seat] if state.stock(color)]
    return [Go(seat, origin, spot, part) for origin in origins for part in parts]


def _is_of(state: Any, go: Go, code: str | None) -> bool:
    return code is None or _color_of(state, go.pawn) == _pawn(piece_of(code)).color


def _color_of(state: Any, origin: str) -> str | None:
    if origin in STOCKS:
        return PRIMARIES[ORIGIN[origin] - STOCK]
    letter = state.board[SPACE[origin]]
    return None if letter == EMPTY else COLOR_OF_LETTER[letter]


def _pawn(piece: Piece) -> Pawn:
    if not isinstance(piece, Pawn):
        raise NoSuchPiece("That is not a pawn. Choose a pawn's color.")
    return piece


def _space(state: Any, space: int, names: Sequence[str], marks: Marks) -> WheelSpace:
    path, ring = divmod(space, RINGS)
    letter = state.board[space]
    standing = None
    if letter != EMPTY:
        color = COLOR_OF_LETTER[letter]
        seat = state.owner[color]
        owner = names[seat] if seat < len(names) else f"player {seat + 1}"
        standing = WheelPawn(Pawn(color), marks.sign(seat).shape, owner)
    return WheelSpace(SPOTS[space], path, ring + 1, standing)
