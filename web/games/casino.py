"""The page of Casino: its presenter, and the advice beside its board.

Places: "board", and "seat0.won" for the cards that a player has won.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.core.contract import Event, ScoreLine, Seat, ToMove, seats_to_move
from companion.core.layout import Spot
from companion.core.pieces import WHEEL
from companion.games.casino.advice import Capture, captures
from companion.games.casino.game import CASINO
from companion.games.casino.moves import Put, Take
from companion.games.casino.scoring import OF_COLOR, OF_SHADES, TWELVES
from companion.games.shared.cards.deck import CODES, NUMBER, SHADES, written
from companion.referee.table.table import Table
from web.boards.parts.card_presenter import CardPresenter, cards_of
from web.scene.boards.card_table import CardPlace, card_count
from web.telling.parts.card_panel import Act, CardAdviser, PanelCount, PanelPick, player


class CasinoPresenter(CardPresenter):
    """The board sorted by rank, and the cards that each player has won."""

    game = CASINO
    example = (
        "player 1 takes B2, Y7 with R9; player 1 takes Y9, G9 with R7 on B2; player 1 puts R9; player 1 draws R7, ??"
    )

    def bands(self, state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
        """Returns the board, then the won cards by seat with their points."""
        due = state.expects()
        movers = seats_to_move(due)
        board = CardPlace("board", "Board", cards_of(state.board), note=_worth(state), empty="no card lies here")
        return [[board], *([_player(state, seat, names[seat], seat in movers)] for seat in range(state.seats))]

    def sentence(self, event: Event) -> str:
        """Returns the action of a player in the words of the notation, and where a card was put."""
        return f"{super().sentence(event)} on the board" if isinstance(event, Put) else super().sentence(event)

    def trace(self, event: Event) -> Spot | None:
        """Returns the spot of a card that was put on the board, or the won cards of the player who took cards."""
        if isinstance(event, Put):
            return f"board.{CODES[NUMBER[event.card]]}"
        return f"seat{event.seat}.won" if isinstance(event, Take) else None


def _worth(state: Any) -> str:
    """Returns which colors count; before they are chosen, which deal it is."""
    if state.chosen is None:
        return f"deal {state.deal} of 11"
    one, other = (WHEEL[color] for color in SHADES[state.chosen])
    return f"{WHEEL[state.chosen]} counts 2, {one} and {other} 1"


def _player(state: Any, seat: int, name: str, to_move: bool) -> CardPlace:
    """Returns a player's hand and won cards; won cards are face down."""
    won = state.won[seat]
    parts = [f"holds {state.hands.size(seat)}", f"won {won.bit_count()}"]
    if state.chosen is not None:
        worth = 2 * (won & OF_COLOR[state.chosen]).bit_count() + (won & OF_SHADES[state.chosen]).bit_count()
        parts.append(f"{worth} {'point' if worth == 1 else 'points'}")
        twelves = (won & TWELVES).bit_count()
        parts.append(f"{twelves} {'twelve' if twelves == 1 else 'twelves'}")
    return CardPlace(f"seat{seat}.won", name, note=", ".join(parts), form="line", strong=to_move)


SHOWN = 40
"""The number of captures that are listed, the best first; the others are only counted."""


class CasinoAdviser(CardAdviser):
    """Advice for Casino: players take cards by tapping a card of the hand and cards of the board."""

    def acts(self, table: Table, state: Any, seat: Seat) -> Iterable[Act]:
        """Yields the actions: taking cards, and putting a card on the board."""
        who, card = player(seat), PanelPick(("hand",))
        board = PanelPick(("board",), 1, max(len(state.board), 1))
        yield Act("take", seat, "Take", f"{who} takes {{1}} with {{0}}", (card, board), main=True)
        yield Act("put", seat, "Put it on the board", f"{who} puts {{0}}", (card,))

    def help(self, table: Table, state: Any) -> str:
        """Returns a sentence on which cards to tap."""
        if not isinstance(state.expects(), ToMove):
            return ""
        return (
            "Tap a card in your hand and the cards on the board that it takes: groups that add up to it, or, laid on"
            " some of them, to what it makes."
        )

    def counts(self, table: Table, state: Any) -> Iterable[PanelCount]:
        """Yields the captures of a known hand, because they are easily overlooked, if the table allows hints."""
        due = state.expects()
        if not table.session.hints or not isinstance(due, ToMove):
            return
        (seat,) = due.seats
        found = captures(state, seat)
        for capture in found[:SHOWN]:
            yield _count(seat, capture)
        if len(found) > SHOWN:
            yield PanelCount(f"{len(found) - SHOWN} more captures are worth less.", ())

    def facts(self, table: Table, state: Any) -> Iterable[tuple[str, str]]:
        """Yields the cards to come, and the leaders in cards and in twelves, which bring six points each."""
        if not state.ended:
            yield "Deal", f"{state.deal} of 11"
            yield "Board pile", card_count(state.pile)
        won = [cards.bit_count() for cards in state.won]
        twelves = [(cards & TWELVES).bit_count() for cards in state.won]
        yield "Most cards, 6 points", _leads(table, won)
        yield "Most twelves, 6 points", _leads(table, twelves)
        if state.last is not None:
            yield "Took last", table.session.names[state.last]


def _count(seat: Seat, capture: Capture) -> PanelCount:
    take = capture.take
    built = [way for way in capture.ways if way.rule == "CAS-4" or "+" in way.text]
    lines = (*built, *capture.lines)
    if capture.twelves:
        lines = (*lines, ScoreLine(0, "CAS-8", f"{capture.twelves} of the won cards are twelves"))
    taken = written(NUMBER[card] for card in take.taken)
    title = f"{CODES[NUMBER[take.card]]} takes {taken}"
    note = f"wins {card_count(capture.cards)}"
    return PanelCount(title, lines, capture.points, note, tell=CASINO.text(take), seat=seat, button="Take these")


def _leads(table: Table, counts: list[int]) -> str:
    best = max(counts)
    if not best:
        return "nobody yet"
    who = " and ".join(name for name, count in zip(table.session.names, counts, strict=True) if count == best)
    return f"{who}, {best}"
