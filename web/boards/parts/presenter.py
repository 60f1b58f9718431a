"""The parts of a game that the page needs besides its rules: its look, and the words for its moves.

Every game has one presenter, listed by name in `web.boards`. Everything else on the page (alerts, history, scores,
undo) uses only the game contract.
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
    """The default words of a `Presenter`: a button shows the move as a sentence, no reminder comes before it, and no
    move must come before others.
    """

    @abstractmethod
    def sentence(self, event: Event) -> str:
        """Returns the action of a player, in words that follow the player's name."""

    def offer(self, move: Move) -> str:
        """Returns the move as the text of a button."""
        words = self.sentence(move)
        return words[:1].upper() + words[1:]

    def reminders(self, state: Any, move: Move) -> tuple[Violation, ...]:
        """Returns no reminders."""
        return ()

    def prompt(self, state: Any) -> str:
        """Returns no sentence."""
        return ""


class NoSuchSpot(CompanionError, status=404):
    """An error: the board of this game has no such spot."""


class NoSuchPiece(CompanionError, status=404):
    """An error: no piece of this game has this code."""


class Aim(NamedTuple):
    """The piece of a move (by code) and its destination; either may be missing."""

    piece: str | None
    spot: Spot | None


class ShownHand(NamedTuple):
    """The hand of a seat."""

    pieces: tuple[Piece, ...]
    unseen: int
    """The number of further pieces that are not visible."""


class Presenter(Protocol):
    """The look of one game. `state` is a position of that game."""

    example: str
    """Example moves in the game's notation, shown beside the field where moves are typed."""

    def board(self, state: Any, marks: Marks, frame: BoardFrame) -> Shape:
        """Returns the picture of the board."""

    def hand(self, state: Any, seat: Seat) -> ShownHand | None:
        """Returns the hand of a seat; None in a game without hands."""

    def piece_code(self, piece: Piece) -> str:
        """Returns a short code for a piece, and for its orientation if it is on the board."""

    def piece(self, code: str) -> Piece:
        """Returns the piece with a code.

        Raises:
            NoSuchPiece: No piece has this code.
        """

    def aim_code(self, code: str) -> str:
        """Returns the code that `aim` gives for this piece, whatever its orientation.

        Raises:
            NoSuchPiece: No piece has this code.
        """

    def piece_name(self, piece: Piece) -> str:
        """Returns the name of a piece in words."""

    def picture(self, piece: Piece, *, name: str, spot: Spot | None = None) -> Shape:
        """Returns the picture of a single piece, as it lies on `spot` or off the board."""

    def spot_name(self, spot: Spot) -> str:
        """Returns the name of a spot as the game's notation writes it, so that people can type it.

        Raises:
            NoSuchSpot: The board has no spot of that name.
        """

    def holds(self, state: Any, spot: Spot) -> Piece | None:
        """Returns the piece on a spot of the board, or None."""

    def aim(self, event: Event) -> Aim:
        """Returns the piece and the destination of an event."""

    def trace(self, event: Event) -> Spot | None:
        """Returns the spot on which an event is visible after it has happened; None if there is none."""

    def sentence(self, event: Event) -> str:
        """Returns the action of a player, in words that follow the player's name: "lays ... on c20"."""

    def laid(self, event: Event) -> Piece | None:
        """Returns the piece as it lies on the spot of `aim` after the event; None if there is none."""

    def offer(self, move: Move) -> str:
        """Returns a move as the text of a button: "Pass"."""

    def reminders(self, state: Any, move: Move) -> tuple[Violation, ...]:
        """Returns reminders that the player sees before this move is made; the move is legal nevertheless."""

    def prompt(self, state: Any) -> str:
        """Returns what the player to move must do before anything else; empty if nothing is due."""

    def trials(self, state: Any, spot: Spot, code: str | None) -> Sequence[Move]:
        """Returns every way to put a piece there, legal or not; without a code, for any piece that the seat to move may
        hold.
        """

    def orientations(self, spot: Spot, code: str | None) -> Sequence[Piece]:
        """Returns the orientations of a piece on a spot; without a code, one for each piece of the set."""

    def origin(self, timeline: Timeline, spot: Spot) -> int | None:
        """Returns the row that brought the piece on a spot; None if it is there since the start."""

    def moved(self, event: Event, spot: Spot, piece: Piece) -> Event | None:
        """Returns the event as it would have been with `piece` on `spot`; None if it puts no piece there."""

    def placing(self, state: Any, spot: Spot, piece: Piece) -> Event:
        """Returns the move that puts a piece in this orientation on an empty spot."""

    def position(self, state: Any, spot: Spot, piece: Piece | None) -> dict[str, Any]:
        """Returns the position with another piece, or none, on a spot, in the JSON form that `Game.position` reads."""
