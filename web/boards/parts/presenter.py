"""The parts of a game that the page needs besides its rules: its look, and the words for its moves.

One presenter a game, registered by name in `web.boards`. Everything else about the page (alerts, history, scores, undo)
works from the game contract alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from companion.core.contract import Event, Move, Seat, Violation
from companion.core.foundation.errors import CompanionError
from companion.core.layout import Spot
from companion.core.pieces import Piece
from companion.referee.journal.timeline import Timeline
from web.scene.marks import Marks
from web.scene.shape import BoardFrame, Shape


class UsualOffers:
    """`web.boards.parts.presenter.Presenter`: a button names the move as a sentence, without a question before it."""

    @abstractmethod
    def sentence(self, event: Event) -> str:
        """The action of a player, in words that follow the player's name."""

    def offer(self, move: Move) -> str:
        """The move as a button says it."""
        words = self.sentence(move)
        return words[:1].upper() + words[1:]

    def reminders(self, state: Any, move: Move) -> tuple[Violation, ...]:
        """There are none."""
        return ()


class NoSuchSpot(CompanionError, status=404):
    """A spot that the board of this game does not have."""


class NoSuchPiece(CompanionError, status=404):
    """A code that names no piece of this game."""


class Aim(NamedTuple):
    """The subject of a move: a piece (by code) and its destination; either may be missing."""

    piece: str | None
    spot: Spot | None


class ShownHand(NamedTuple):
    """The hand of a seat."""

    pieces: tuple[Piece, ...]
    unseen: int
    """The number of further unseen ones."""


class Presenter(Protocol):
    """How one game looks. `state` is a position of that game."""

    example: str
    """Moves in the game's notation, as an example beside the field where they are typed."""

    def board(self, state: Any, marks: Marks, frame: BoardFrame) -> Shape:
        """The board."""

    def hand(self, state: Any, seat: Seat) -> ShownHand | None:
        """The hand of a seat; None in a game without hands."""

    def piece_code(self, piece: Piece) -> str:
        """A few letters that stand for a piece, and for how it lies if it lies on the board."""

    def piece(self, code: str) -> Piece:
        """The piece of a code.

        Raises:
            NoSuchPiece: There is none.
        """

    def aim_code(self, code: str) -> str:
        """The code that `aim` gives for this piece, however it lies.

        Raises:
            NoSuchPiece: There is none.
        """

    def piece_name(self, piece: Piece) -> str:
        """A piece in words."""

    def picture(self, piece: Piece, *, name: str, spot: Spot | None = None) -> Shape:
        """A piece alone, as it lies on `spot` or off the board."""

    def spot_name(self, spot: Spot) -> str:
        """A spot in words: what the notation of the game calls it, so that people read what they may type.

        Raises:
            NoSuchSpot: The board has none of that name.
        """

    def holds(self, state: Any, spot: Spot) -> Piece | None:
        """The piece on a spot of the board."""

    def aim(self, event: Event) -> Aim:
        """The subject of an event."""

    def trace(self, event: Event) -> Spot | None:
        """Where an event can be seen once it has happened."""

    def sentence(self, event: Event) -> str:
        """The action of a player, in words that follow the player's name: "lays ... on c20"."""

    def laid(self, event: Event) -> Piece | None:
        """The piece as it lies on the spot of `aim` after the event."""

    def offer(self, move: Move) -> str:
        """A move as a button says it: "Pass"."""

    def reminders(self, state: Any, move: Move) -> tuple[Violation, ...]:
        """Reminders for a player before this legal move is taken; it stays legal."""

    def trials(self, state: Any, spot: Spot, code: str | None) -> Sequence[Move]:
        """Every way to put a piece there, legal or not; without a code, any piece that the seat to move may hold."""

    def orientations(self, spot: Spot, code: str | None) -> Sequence[Piece]:
        """Ways in which pieces can lie on a spot; without a code, one for each piece of the set."""

    def origin(self, timeline: Timeline, spot: Spot) -> int | None:
        """The row that brought what lies on a spot; None if it lies there since the start."""

    def moved(self, event: Event, spot: Spot, piece: Piece) -> Event | None:
        """The event as it would have been had `piece` come to lie on `spot`; None if it has no such place."""

    def placing(self, state: Any, spot: Spot, piece: Piece) -> Event:
        """The move that puts a piece, lying so, on an empty spot."""

    def position(self, state: Any, spot: Spot, piece: Piece | None) -> dict[str, Any]:
        """The position with another piece, or none, on a spot: the JSON form that `Game.position` reads."""
