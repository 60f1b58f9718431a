"""The advice in Casino: takes and puts, every capture of the own hand with its sums, the state of the round."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.core.contract import ScoreLine, Seat, ToMove
from companion.games.casino.advice import Capture, captures
from companion.games.casino.game import CASINO
from companion.games.casino.scoring import TWELVES
from companion.games.shared.cards.deck import CODES, NUMBER, written
from companion.referee.table.table import Table
from web.telling.parts.card_panel import Act, CardAdviser, PanelCount, PanelPick, player

SHOWN = 40
"""So many captures are listed, the best first; the others are only counted."""


class CasinoAdviser(CardAdviser):
    """Takes by tapping a card of the hand and cards of the board."""

    def acts(self, table: Table, state: Any, seat: Seat) -> Iterable[Act]:
        """Taking, and putting a card on the board."""
        who, card = player(seat), PanelPick(("hand",))
        board = PanelPick(("board",), 1, max(len(state.board), 1))
        yield Act("take", seat, "Take", f"{who} takes {{1}} with {{0}}", (card, board), main=True)
        yield Act("put", seat, "Put it on the board", f"{who} puts {{0}}", (card,))

    def help(self, table: Table, state: Any) -> str:
        """The cards to tap."""
        if not isinstance(state.expects(), ToMove):
            return ""
        return (
            "Tap a card of the hand and the cards of the board that it takes: groups that add up to it, or, laid on"
            " some of them, to what it makes."
        )

    def counts(self, table: Table, state: Any) -> Iterable[PanelCount]:
        """The captures of a hand that is known, where the table allows hints: they are easily overlooked."""
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
        """The cards to come, and the state of the six points for most cards and most twelves."""
        if not state.ended:
            yield "Deal", f"{state.deal} of 11"
            yield "Board pile", f"{state.pile} cards"
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
    note = f"wins {capture.cards} cards"
    return PanelCount(title, lines, capture.points, note, tell=CASINO.text(take), seat=seat, button="Take these")


def _leads(table: Table, counts: list[int]) -> str:
    best = max(counts)
    if not best:
        return "nobody yet"
    who = " and ".join(name for name, count in zip(table.session.names, counts, strict=True) if count == best)
    return f"{who}, {best}"
