"""The page of Spectrumo: its presenter, and the advice beside its board.

Places: "draw" and "discard" for the two decks, "seat0.hand", and "trade" for cards that are laid aside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.core.contract import Event, ScoreLine, Seat, ToMove, seats_to_move
from companion.core.layout import Spot
from companion.core.pieces import WHEEL
from companion.games.shared.cards.deck import COLOR, NUMBER_CARDS, written
from companion.games.spectrumo.fitting import ANYTHING
from companion.games.spectrumo.game import SPECTRUMO
from companion.games.spectrumo.moves import Give, Play
from companion.games.spectrumo.scoring import line_of
from companion.referee.table.table import Table
from web.boards.parts.card_presenter import CardPresenter, cards_of
from web.scene.boards.card_table import CardPlace, card_count
from web.telling.parts.card_panel import Act, CardAdviser, HeldCards, PanelCount, PanelField, PanelPick, held, player


class SpectrumoPresenter(CardPresenter):
    """Both decks with the table card, and the number of cards that each player holds."""

    game = SPECTRUMO
    example = (
        "player 1 plays R7; player 1 cannot play; player 1 gives R7 to player 2; player 1 trades; "
        "player 1 takes the penalty for R7; player 1 draws R7"
    )

    def bands(self, state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
        """Returns the decks, a trade in progress, and the players in clockwise order."""
        draw = CardPlace("draw", "Draw deck", (None,) if state.draw else (), form="pile", count=state.draw, span=4)
        top = cards_of(state.discard[-1:])
        count = len(state.discard) + state.buried
        table = CardPlace(
            "discard",
            "Table card",
            top,
            form="pile",
            count=count,
            note=table_words(state),
            span=8,
            empty="not turned up",
        )
        bands = [[draw, table]]
        if state.swapping is not None and (state.swapping.given or state.swapping.unknown):
            backs = (None,) * (len(state.swapping.given) + state.swapping.unknown)
            to = names[state.swapping.to] if state.swapping.to is not None else ""
            bands.append([CardPlace("trade", f"Laid aside for {to}", backs, size="small")])
        movers = seats_to_move(state.expects())
        return [*bands, *([_player(state, seat, names[seat], seat in movers)] for seat in range(state.seats))]

    def trace(self, event: Event) -> Spot | None:
        """Returns the discard deck for a played card."""
        return "discard" if isinstance(event, Play) else None

    def sentence(self, event: Event) -> str:
        """Returns the action of a player; a hidden card is called "a card"."""
        if isinstance(event, Give) and event.card is None:
            return f"gives a card to player {event.to + 1}"
        return super().sentence(event)


def table_words(state: Any) -> str:
    """Returns the card as which the table card counts, if it differs, and the direction of play."""
    way = "clockwise" if state.way == 1 else "the other way around"
    if not state.discard:
        return way
    if state.color == ANYTHING:
        return f"any number card goes on it, {way}"
    top = state.discard[-1]
    if top >= NUMBER_CARDS or COLOR[top] != state.color:
        return f"counts as {WHEEL[state.color]} {state.rank}, {way}"
    return way


def _player(state: Any, seat: int, name: str, to_move: bool) -> CardPlace:
    if not state.is_in(seat):
        return CardPlace(f"seat{seat}.hand", name, note="dropped out", form="line")
    note = f"holds {state.count(seat)}"
    if state.owed[seat]:
        note += f", draws {state.owed[seat]}"
    return CardPlace(f"seat{seat}.hand", name, note=note, form="line", strong=to_move)


_HAND = PanelPick(("hand",))


class SpectrumoAdviser(CardAdviser):
    """Advice for Spectrumo: players play by tapping the hand."""

    def hand(self, state: Any, seat: Seat) -> Sequence[HeldCards]:
        """Returns the one hand of a seat."""
        return [held(state.hands[seat], state.hidden[seat])]

    def acts(self, table: Table, state: Any, seat: Seat) -> Iterable[Act]:
        """Yields the actions: a play or a draw; in a trade, laying cards aside."""
        who = player(seat)
        if state.swapping is not None:
            partners = [(str(other + 1), table.session.names[other]) for other in state.partners(state.swapping)]
            to = PanelField("to", "For", "choice", partners[0][0], choices=tuple(partners))
            give = f"{who} gives {{0}} to player {{to}}"
            yield Act("give", seat, "Lay it aside for the trade", give, (_HAND,), (to,), main=True)
            yield Act("trade", seat, "Trade what is laid aside", f"{who} trades")
            return
        yield Act("play", seat, "Play it", f"{who} plays {{0}}", (_HAND,), main=True)
        if state.available:
            yield Act("draw", seat, "No card can be played: draw one", f"{who} cannot play", tap="draw")
        else:
            yield Act("pass", seat, "Pass: nothing is left to draw", f"{who} passes")
        sure = "For a play that was not allowed and was taken back: two cards are drawn, and the turn ends."
        yield Act("penalty", seat, "Take the penalty for it", f"{who} takes the penalty for {{0}}", (_HAND,), sure=sure)

    def help(self, table: Table, state: Any) -> str:
        """Returns a sentence on which cards to tap."""
        if not isinstance(state.expects(), ToMove):
            return ""
        if state.swapping is not None:
            return "Tap own cards, one after the other, and say for whom; then trade as many for as many."
        return "Tap a card in your hand to play it. Draw only if none fits."

    def counts(self, table: Table, state: Any) -> Iterable[PanelCount]:
        """Yields the playable cards of a known hand, and the hands that are over."""
        due = state.expects()
        if isinstance(due, ToMove) and state.swapping is None and not state.hidden[state.turn]:
            able = state.playable
            text = written(able) if able else "no card: one must be drawn"
            yield PanelCount(f"{table.session.names[state.turn]} can play: {text}", ())
        for number, hand in reversed(list(enumerate(state.over, 1))):
            lines = [
                ScoreLine(line.points, line.rule, f"{table.session.names[seat]}: {line.text.partition(': ')[2]}")
                for seat in range(state.seats)
                for line in (line_of(hand, seat, number),)
            ]
            yield PanelCount(f"Hand {number}", tuple(lines), note="low is good")

    def facts(self, table: Table, state: Any) -> Iterable[tuple[str, str]]:
        """Yields the sizes of the decks and the condition that ends the game."""
        yield "Draw deck", card_count(state.draw)
        yield "Play goes", table_words(state).rpartition(", ")[2]
        yield "Game to", f"{state.options.limit} points"
        yield "Hand", str(len(state.over) + 1)
