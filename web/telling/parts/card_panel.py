"""The advice of the page in games with cards: the hand, the actions with chosen cards, counts, and unseen cards.

A move is written as a line of notation with gaps. The page fills them with the cards that a person has tapped, and asks
the rules before it enters the move. So each game lists its moves, not how they are composed.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Literal

from msgspec import Struct, to_builtins

from companion.core.contract import Points, ScoreLine, Seat, ToDraw, seats_to_move
from companion.core.layout import Spot
from companion.core.pieces import Piece, Special
from companion.games.shared.cards.deck import CODES, LETTERS, NUMBER_CARDS, PIECES, RANKS
from companion.referee.session.croupier import revealed, sealed
from companion.referee.table.table import Table
from web.boards import Presenter
from web.privacy.secrecy import locked
from web.telling.parts.adviser import pictures

_HAND = re.compile(r"seat(\d+)\.hand")
_CODE = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(CODES, key=len, reverse=True)))})(?!\w)")
_LISTED = 400
"""The number of legal moves above which a hand does not show which cards can be played, because nearly all can."""


class PanelPick(Struct, frozen=True, omit_defaults=True):
    """A gap of a move: the cards that must be chosen, in the order of the gaps."""

    zones: tuple[str, ...]
    """The places whose cards fit: "hand", "board", "meld" (and so "meld.2")."""
    least: int = 1
    most: int = 1
    says: Literal["cards", "number", "set"] = "cards"
    """The filling of the gap: the chosen cards, or the number in the name of their place."""
    none: str = "nothing"
    """The filling of the gap if no card is chosen."""


class PanelField(Struct, frozen=True, omit_defaults=True):
    """Another part of a move: a number, or one of several words."""

    name: str
    label: str
    kind: Literal["number", "choice"]
    value: str = ""
    least: int = 0
    most: int = 200
    choices: tuple[tuple[str, str], ...] = ()
    """The values and their displayed words."""


class Act(Struct, frozen=True, omit_defaults=True):
    """An action of a player: a line of notation with gaps, `{0}` for the first pick, `{name}` for a field."""

    key: str
    seat: Seat
    label: str
    text: str
    picks: tuple[PanelPick, ...] = ()
    fields: tuple[PanelField, ...] = ()
    main: bool = False
    """True if the button stands out."""
    tap: str = ""
    """The pile that carries out the action when it is tapped."""
    sure: str = ""
    """The question before an action that cannot be taken back."""


class HeldCards(Struct, frozen=True, omit_defaults=True):
    """The cards of a hand, as far as the reader may know them."""

    cards: tuple[str, ...]
    hidden: int = 0
    title: str = ""
    zone: str = "hand"
    """The name of this zone in picks."""


class PanelCount(Struct, frozen=True, omit_defaults=True):
    """A count, line by line."""

    title: str
    lines: tuple[ScoreLine, ...]
    total: Points | None = None
    note: str = ""
    tell: str = ""
    """A line of notation that carries the counted event out, if that is possible."""
    seat: Seat | None = None
    """The seat that can act."""
    button: str = ""


class CardAdviser(ABC):
    """The advice of one card game; it answers no questions about single cards."""

    draws_text = "player {player} draws {cards}"
    """The line for cards that are drawn from a face-down place."""

    @abstractmethod
    def acts(self, table: Table, state: Any, seat: Seat) -> Iterable[Act]:
        """Yields the possible actions of a seat that is to move."""

    def hand(self, state: Any, seat: Seat) -> Sequence[HeldCards]:
        """Returns the hand of a seat."""
        return [held(state.hands.known[seat], state.hands.hidden[seat])]

    def counts(self, table: Table, state: Any) -> Iterable[PanelCount]:
        """Yields counts that people often get wrong, and chances that they overlook."""
        return ()

    def facts(self, table: Table, state: Any) -> Iterable[tuple[str, str]]:
        """Yields counts that everybody may know, each with its title."""
        return ()

    def help(self, table: Table, state: Any) -> str:
        """Returns a sentence on which cards to tap."""
        return "Tap cards of the hand, then say what is done with them."

    def first(self, state: Any) -> int | None:
        """Returns the card that is in every possible move, so that it is chosen from the beginning; usually None."""
        return None

    def goes(self, state: Any) -> Iterable[tuple[int, Spot]]:
        """Yields each card of the hand with each place of the table that takes it, beyond the cards in `moves`."""
        return ()

    def moved_by(self, state: Any) -> tuple[Seat, ...]:
        """Returns the seats that can act now."""
        return seats_to_move(state.expects())

    def advice(self, table: Table, state: Any, presenter: Presenter, about: str) -> dict[str, Any]:
        """Returns all advice about the present position."""
        hands = {seat: list(self.hand(state, seat)) for seat in range(state.seats)}
        shown = {code for sets in hands.values() for one in sets for code in one.cards}
        counts = list(self.counts(table, state))
        moves = self._moves(table, state, hands)
        first = self.first(state)
        return {
            "seq": table.session.seq,
            "pieces": pictures([presenter.piece(code) for code in sorted(shown)], presenter),
            "seats": [
                {"seat": seat, "name": table.session.names[seat], "sets": to_builtins(sets)}
                for seat, sets in hands.items()
            ],
            "movers": list(self.moved_by(state)),
            "locked": list(locked(table)),
            "playable": None if moves is None else sorted(moves["hand"]),
            "moves": None if moves is None else moves["cards"],
            "first": None if first is None else CODES[first],
            "goes": [[CODES[card], place] for card, place in self.goes(state)],
            "acts": [to_builtins(act) for seat in self.moved_by(state) for act in self.acts(table, state, seat)],
            "due": self._due(table, state),
            "help": self.help(table, state),
            "counts": [{**to_builtins(one), "lines": [_line(line, table) for line in one.lines]} for one in counts],
            "facts": [list(fact) for fact in self.facts(table, state)],
            "unseen": _unseen(table.session.game.unseen(state)),
            "deal": _deal(table),
        }

    def _moves(self, table: Table, state: Any, hands: dict[Seat, list[HeldCards]]) -> dict[str, Any] | None:
        """Returns the cards in legal moves of the seat to move: those of its hand, and all cards, move by move.

        Returns:
            None if the legal moves are unknown or too many.
        """
        movers = self.moved_by(state)
        if len(movers) != 1 or any(one.hidden for one in hands[movers[0]]):
            return None
        moves = list(islice(state.legal_moves(), _LISTED + 1))
        if len(moves) > _LISTED:
            return None
        mine = {code for one in hands[movers[0]] for code in one.cards}
        named = {frozenset(_CODE.findall(table.session.game.text(move))) for move in moves}
        return {"hand": {code for move in named for code in move} & mine, "cards": sorted(sorted(one) for one in named)}

    def _due(self, table: Table, state: Any) -> dict[str, Any] | None:
        """Returns the cards that must be entered now; None if none are due, or if the program deals."""
        due = state.expects()
        if not isinstance(due, ToDraw) or table.session.header.draws == "dealt":
            return None
        return {
            "seat": due.seat,
            "name": table.session.names[due.seat],
            "count": due.count,
            "source": _HAND.sub(lambda found: f"hand of {table.session.names[int(found[1])]}", due.source),
            "shown": due.shown,
            "text": self.draws_text.format(player=due.seat + 1, cards="{cards}"),
            "specials": any(isinstance(piece, Special) for piece in table.session.game.unseen(state)),
        }


def held(known: Iterable[int], hidden: int = 0, title: str = "", zone: str = "hand") -> HeldCards:
    """Returns one row of cards for a panel, from their numbers in the deck and the number of hidden ones."""
    return HeldCards(tuple(CODES[number] for number in known), hidden, title, zone)


def _line(line: ScoreLine, table: Table) -> dict[str, Any]:
    link = f"/rules/{table.session.game.name}#{line.rule}"
    return {"points": line.points, "rule": line.rule, "text": line.text, "link": link}


def _unseen(left: Mapping[Piece, int]) -> dict[str, Any]:
    """Returns the cards that the reader has not seen, as a multiset: by color and rank, and specials by name."""
    rows = [
        {"letters": LETTERS[color], "counts": [left.get(PIECES[color * RANKS + rank], 0) for rank in range(RANKS)]}
        for color in range(len(LETTERS))
    ]
    specials = [
        {"name": piece.kind, "count": left.get(piece, 0)}
        for piece in PIECES[NUMBER_CARDS:]
        if isinstance(piece, Special) and piece in left
    ]
    return {"rows": rows, "specials": specials, "total": sum(left.values())}


def _deal(table: Table) -> dict[str, Any] | None:
    """Returns the commitment of a deal by the program, and its seed once it is shown."""
    if table.session.header.draws != "dealt":
        return None
    rows = table.session.rows()
    seed = revealed(rows)
    return {"commitment": sealed(rows), "seed": None if seed is None else seed.hex()}


def player(seat: Seat) -> str:
    """Returns the name of a seat in notation."""
    return f"player {seat + 1}"
