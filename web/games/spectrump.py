"""The page of Spectrump: its presenter, and the advice beside its board.

Places: "trick0" to "trick7" for the cards of the trick by seat, "last" for the previous trick, and "seat0.won".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.core.contract import Event, ScoreLine, Seat, ToMove, seats_to_move
from companion.core.layout import Spot
from companion.core.pieces import WHEEL
from companion.games.shared.cards.deck import CODES, LETTERS, NUMBER
from companion.games.spectrump import trick
from companion.games.spectrump.game import SPECTRUMP
from companion.games.spectrump.moves import Bid, Play, order_of
from companion.games.spectrump.scoring import goal
from companion.games.spectrump.situation import COLOR_NUMBER
from companion.games.spectrump.trick import SCORING
from companion.referee.table.table import Table
from web.boards.parts.card_presenter import CardPresenter, cards_of
from web.scene.boards.card_table import CardPlace
from web.telling.parts.card_panel import Act, CardAdviser, HeldCards, PanelCount, PanelField, PanelPick, held, player


class SpectrumpPresenter(CardPresenter):
    """The trick with the player of each card, the previous trick, and the players."""

    game = SPECTRUMP
    example = "player 1 bids blue 4; player 1 passes; player 1 plays R7; player 1 swaps R7 for B3; player 1 is ready"

    def bands(self, state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
        """Returns the trump, the trick in the order of play, the previous trick, and bids, cards and tricks by seat."""
        movers = seats_to_move(state.expects())
        bands = [[CardPlace("trump", trump_words(state), form="line")]]
        if state.trick:
            bands += _trick(state, names)
        elif state.phase == "play":
            bands.append([CardPlace("trick", "Trick", empty="nobody has led yet")])
        if state.last and any(state.won):
            led = f"{names[state.last_leader]} led"
            bands.append([CardPlace("last", "The trick before", cards_of(state.last), note=led, size="small")])
        return [*bands, *([_player(state, seat, names[seat], seat in movers)] for seat in range(state.seats))]

    def trace(self, event: Event) -> Spot | None:
        """Returns the spot on which a card was played."""
        return f"trick{event.seat}.{CODES[NUMBER[event.card]]}" if isinstance(event, Play) else None


def trump_words(state: Any) -> str:
    """Returns the trump and the letters of the scoring colors, the stronger first; during the bidding, the highest
    bid.
    """
    if state.bid is None:
        return "No bid yet"
    if state.phase == "bid":
        return f"Highest bid: {state.bid.color} {state.bid.number}"
    stronger, weaker = SCORING[state.trump]
    return f"Trump {WHEEL[state.trump]} costs; {LETTERS[stronger]}, then {LETTERS[weaker]} score"


def _trick(state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
    places = []
    for at, card in enumerate(state.trick):
        seat = (state.leader + at) % state.seats
        title = f"{names[seat]}{' leads' if at == 0 else ''}"
        places.append(CardPlace(f"trick{seat}", title, cards_of([card]), span=3))
    return [places[at : at + 4] for at in range(0, len(places), 4)]


def _player(state: Any, seat: int, name: str, to_move: bool) -> CardPlace:
    sets = [len(cards) + hidden for cards, hidden in zip(state.sets[seat], state.hidden[seat], strict=True)]
    parts = [f"holds {' + '.join(map(str, sets))}"]
    if state.phase == "bid" and state.passed >> seat & 1:
        parts.append("has passed")
    if state.bid is not None and state.bid.seat == seat:
        parts.append(f"bids {state.bid.color} {state.bid.number}")
    if state.won[seat]:
        parts.append(f"won {len(state.won[seat])} cards")
    return CardPlace(f"seat{seat}.won", name, note=", ".join(parts), form="line", strong=to_move)


class SpectrumpAdviser(CardAdviser):
    """Advice for Spectrump: players bid a color and a number, play by tapping the hand, and see the reason for every
    trick.
    """

    def hand(self, state: Any, seat: Seat) -> Sequence[HeldCards]:
        """Returns both sets of a seat; the title says which one is in play."""
        sets = []
        for place, (cards, hidden) in enumerate(zip(state.sets[seat], state.hidden[seat], strict=True)):
            playing = state.phase == "play" and place == state.playing
            title = f"Set {place + 1}{', in play' if playing else ''}"
            if cards or hidden:
                sets.append(held(cards, hidden, title, f"hand.{place + 1}"))
        return sets

    def acts(self, table: Table, state: Any, seat: Seat) -> Iterable[Act]:
        """Yields the actions of this phase."""
        who, phase = player(seat), state.phase
        if phase == "bid":
            bids = _bids(state, seat)
            if bids:
                field = PanelField("bid", "A color and how many cards of it", "choice", bids[0][0], choices=bids)
                yield Act("bid", seat, "Bid", f"{who} bids {{bid}}", fields=(field,), main=True)
            yield Act("pass", seat, "Pass", f"{who} passes")
        elif phase == "load":
            one, other = PanelPick(("hand.1",)), PanelPick(("hand.2",))
            yield Act("swap", seat, "Exchange these two", f"{who} swaps {{0}} for {{1}}", (one, other))
            yield Act("ready", seat, "Ready: exchange nothing more", f"{who} is ready", main=True)
        elif phase == "play":
            pick = PanelPick((f"hand.{state.playing + 1}",))
            yield Act("play", seat, "Play it", f"{who} plays {{0}}", (pick,), main=True)

    def help(self, table: Table, state: Any) -> str:
        """Returns a sentence on which cards to tap."""
        if not isinstance(state.expects(), ToMove):
            return ""
        if state.phase == "bid":
            return (
                "A bid names a color and the fewest cards of it that will be played. Each bid is higher than the last."
            )
        if state.phase == "load":
            return "A card of each set may change places. Then say that you are ready."
        return "Tap a card of the set in play."

    def counts(self, table: Table, state: Any) -> Iterable[PanelCount]:
        """Yields the present trick, the previous one, and violations that came to light."""
        if state.phase == "play" and state.trick:
            yield _judged(table, state, state.trick, state.leader, "would win as it stands")
        if state.phase == "play" and (judged := state.last_trick()) is not None:
            winner = table.session.names[(state.last_leader + judged.winner) % state.seats]
            lines = (ScoreLine(0, judged.rule, judged.reason), *judged.lines)
            yield PanelCount(f"The trick before: {winner} wins it.", lines, judged.points)
        late = state.late_breaches()
        if late:
            yield PanelCount("Came to light", tuple(ScoreLine(0, breach.rule, breach.text) for breach in late))

    def facts(self, table: Table, state: Any) -> Iterable[tuple[str, str]]:
        """Yields the bid and how far it is kept, the round, and the condition that ends the match."""
        shape = state.shape
        if state.bid is not None:
            bidder = table.session.names[state.bid.seat]
            yield "Bid", f"{bidder}: {state.bid.color} {state.bid.number}"
            if state.phase == "play" and not state.session:
                yield "Trump still to be played", str(state.still_to_play)
        yield "Round", str(len(state.rounds) + state.earlier + 1)
        yield "Session", f"{state.session + 1} of {shape.sessions}"
        options = state.options
        yield (
            "Match",
            f"{options.rounds} round{'s' * (options.rounds != 1)}"
            if options.match == "rounds"
            else f"to {goal(options)} points",
        )


def _bids(state: Any, seat: Seat) -> tuple[tuple[str, str], ...]:
    """Returns every bid above the highest one for which the seat can have the cards, the lowest first."""
    found = [move for move in state.legal_moves() if isinstance(move, Bid) and move.seat == seat]
    found.sort(key=lambda bid: order_of(COLOR_NUMBER[bid.color], bid.number))
    return tuple((f"{bid.color} {bid.number}", f"{bid.number} × {bid.color}") for bid in found)


def _judged(table: Table, state: Any, cards: Sequence[int], leader: Seat, what: str) -> PanelCount:
    judged = trick.judge(state.trump, cards)
    winner = table.session.names[(leader + judged.winner) % state.seats]
    lines = (ScoreLine(0, judged.rule, judged.reason), *judged.lines)
    return PanelCount(f"This trick: {winner} {what}.", lines, judged.points)
