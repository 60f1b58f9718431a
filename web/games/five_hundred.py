"""The page of 500: its presenter, and the advice beside its board.

Places: "stock", "discards", "meld.1" and so on by their numbers in notation, and "seat0.seen" for the cards that all
players saw a player take.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from companion.core.contract import Event, ScoreLine, Seat, ToMove, seats_to_move
from companion.core.layout import Spot
from companion.games.five_hundred.advice import hand_melds, lay_offs, ways, window
from companion.games.five_hundred.game import FIVE_HUNDRED
from companion.games.five_hundred.moves import TAKES, Discard, DrawStock, LayOff, text
from companion.games.five_hundred.possible_melds import PossibleMelds
from companion.games.five_hundred.scoring import value_of
from companion.games.shared.cards.deck import CODES, NUMBER, RANK, written
from companion.games.shared.search.bit_sets import bits
from companion.referee.table.table import Table
from web.boards.parts.card_presenter import CardPresenter, cards_of
from web.scene.boards.card_table import CardPlace, card_count
from web.telling.parts.card_panel import Act, CardAdviser, PanelCount, PanelPick, player

LARGE_PILE = 12
"""The number of discards from which on they are shown small."""


class FiveHundredPresenter(CardPresenter):
    """The stock and the discards, the melds, and what each player has melded and holds."""

    game = FIVE_HUNDRED
    example = (
        "player 1 takes from the stock; player 1 takes discards down to R5; player 2 calls Spectrum down to R5; "
        "player 1 melds R5, RO6, R7, PR8; player 1 lays off R9 on meld 2; player 1 discards B3"
    )

    def bands(self, state: Any, names: Sequence[str]) -> list[list[CardPlace]]:
        """Returns the piles, then the melds two by two, then the players."""
        many = len(state.discards) > LARGE_PILE
        stock = CardPlace("stock", "Stock", (None,) if state.stock else (), form="pile", count=state.stock, span=2)
        discards = CardPlace(
            "discards", "Discards", cards_of(state.discards), note="the top one last", span=10,
            size="small" if many else "large", empty="no discard",
        )  # fmt: skip
        melds = [_meld(number, meld) for number, meld in enumerate(state.melds, 1)]
        pairs = [melds[at : at + 2] for at in range(0, len(melds), 2)]
        movers = seats_to_move(state.expects())
        players = [
            [_player(state, seat, names[seat], seat == state.turn and seat in movers)] for seat in range(state.seats)
        ]
        return [[stock, discards], *pairs, *players]

    def prompt(self, state: Any) -> str:
        """Returns how the card that must be melded at once can be melded."""
        return "" if state.due is None else _due_words(state, state.due)

    def trace(self, event: Event) -> Spot | None:
        """Returns the spot of a discard or of a card that was laid off, or the stock for a draw."""
        if isinstance(event, Discard):
            return f"discards.{CODES[NUMBER[event.card]]}"
        if isinstance(event, LayOff):
            return f"meld.{event.meld + 1}.{CODES[NUMBER[event.card]]}"
        return "stock" if isinstance(event, DrawStock) else None


def _meld(number: int, mask: int) -> CardPlace:
    cards = sorted(bits(mask), key=lambda card: (RANK[card], card))
    kind = "group" if RANK[cards[0]] == RANK[cards[-1]] else "sequence"
    return CardPlace(
        f"meld.{number}", f"Meld {number}: {kind}", cards_of(cards), note=str(value_of(mask)), span=6, size="small"
    )


def _player(state: Any, seat: int, name: str, to_move: bool) -> CardPlace:
    seen = tuple(bits(state.opened[seat]))
    melded = f"melded {value_of(state.laid[seat])}"
    note = f"holds {state.hands.size(seat)}, {melded}"
    if seen:
        return CardPlace(
            f"seat{seat}.seen", f"{name}, known to hold", cards_of(seen), note=note, size="small", strong=to_move
        )
    return CardPlace(f"seat{seat}.seen", name, note=note, form="line", strong=to_move)


SHOWN = 12
"""The number of melds of a hand that are listed, the best first."""
_HAND = PanelPick(("hand",))


class FiveHundredAdviser(CardAdviser):
    """Advice for 500: players draw by tapping stock or discards, and meld by tapping the hand."""

    def acts(self, table: Table, state: Any, seat: Seat) -> Iterable[Act]:
        """Yields the actions of this step; before a draw other players may call."""
        who = player(seat)
        discard = PanelPick(("discards",))
        if state.step == "draw":
            if seat == state.turn:
                if state.stock:
                    yield Act(
                        "draw", seat, "Take from the stock", f"{who} takes from the stock", main=True, tap="stock"
                    )
                else:
                    sure = "The stock is empty. Stopping ends the hand for everybody."
                    yield Act("stop", seat, "Stop: take no discards", f"{who} stops", sure=sure)
                if state.discards:
                    yield Act(
                        "take", seat, "Take the discards down to it", f"{who} takes discards down to {{0}}", (discard,)
                    )
            if state.calls and seat != state.window:
                yield Act(
                    "call",
                    seat,
                    "Call “Spectrum!” down to it",
                    f"{who} calls Spectrum down to {{0}}",
                    (discard,),
                    main=True,
                )
            return
        most = state.hands.size(seat)
        yield Act(
            "meld",
            seat,
            "Meld these",
            f"{who} melds {{0}}",
            (PanelPick(("hand",), state.options.min_meld, most),),
            main=True,
        )
        if state.melds:
            meld = PanelPick(("meld",), says="number")
            yield Act("lay-off", seat, "Lay it off", f"{who} lays off {{0}} on meld {{1}}", (_HAND, meld), main=True)
        if state.due is None:
            yield Act("discard", seat, "Discard it", f"{who} discards {{0}}", (_HAND,))

    def help(self, table: Table, state: Any) -> str:
        """Returns a sentence on which cards to tap."""
        if not isinstance(state.expects(), ToMove):
            return ""
        if state.step == "draw":
            return "Take from the stock, or tap a discard to take it and every card on top of it."
        if state.due is not None:
            return ""  # the bar says what comes first
        return "Tap cards in your hand to meld them, a card and a meld to lay it off, or one card to discard it."

    def first(self, state: Any) -> int | None:
        """Returns the card that must be melded at once, unless other cards must be laid off before it."""
        due = state.due
        return due if due is not None and (_is_in_a_meld(state, due) or state.table.fits_anywhere >> due & 1) else None

    def goes(self, state: Any) -> Iterable[tuple[int, Spot]]:
        """Yields each card of the hand with each meld on which it can be laid off now."""
        if state.step != "play":
            return
        for number, fits in enumerate(state.table.fits):
            for card in bits(fits & state.held.known):
                if state.due in (None, card) or state.is_on_the_way(card, number):
                    yield card, f"meld.{number + 1}"

    def counts(self, table: Table, state: Any) -> Iterable[PanelCount]:
        """Yields the possible calls, the discards that can be taken, and the melds of a hand if hints are allowed."""
        due = state.expects()
        if not isinstance(due, ToMove):
            return
        yield from _window(table, state)
        turn = state.turn
        if state.step == "draw" and turn in due.seats and not state.hands.hidden[turn]:
            yield from _takes(state, turn)
        for seat in range(state.seats) if table.session.hints else ():
            if not state.hands.hidden[seat] and state.hands.known[seat]:
                yield from _hand(table, state, seat)

    def facts(self, table: Table, state: Any) -> Iterable[tuple[str, str]]:
        """Yields the sizes of the piles and the target."""
        yield "Stock", card_count(state.stock)
        yield "Discards", card_count(len(state.discards))
        yield "Match to", str(state.options.target)
        yield "Melds of at least", f"{state.options.min_meld} cards"


def _due_words(state: Any, due: int) -> str:
    """Returns what to tap so that a card is melded at once; for a hand that is not shown, only that it comes first."""
    card = written([due])
    if state.hands.hidden[state.turn]:
        return f"{card} must be melded or laid off first."
    fits, melds = state.table.fits_anywhere >> due & 1, _is_in_a_meld(state, due)
    if fits and melds:
        return f"Meld {card} with other cards, or tap a marked meld to lay it off."
    if fits:
        return f"Lay off {card} first: tap a marked meld, then “Lay it off”."
    if melds:
        return f"Meld {card} first: tap the cards that go with it, then “Meld these”."
    return f"Another card leads to {card}: tap a raised card, then a marked meld."


def _is_in_a_meld(state: Any, due: int) -> bool:
    """True if the cards of the turn hold a meld with this card."""
    return len(PossibleMelds(state.held, state.options.min_meld, due)) > 0


def _window(table: Table, state: Any) -> Iterable[PanelCount]:
    """Yields the players who may call "Spectrum!", how long, and for which cards."""
    found = window(state)
    if found is None:
        return
    order = ", ".join(table.session.names[seat] for seat in found.callers)
    for chance in found.chances:
        title = f"“Spectrum!” down to {written([chance.card])}, taking {written(chance.taken)}"
        note = (
            f"open until {table.session.names[found.closes_with]} draws; of calls at once the first counts of: {order}"
        )
        yield PanelCount(title, chance.ways, note=note)


def _takes(state: Any, seat: Seat) -> Iterable[PanelCount]:
    """Yields the discards below the top one that can be melded at once."""
    pile = state.discards
    for card in state.takes:
        taken = pile[pile.index(card) :]
        if len(taken) > 1:
            found = ways(state, card, (*state.hands.known[seat], *taken))
            title = f"Discards down to {written([card])}: {written(taken)}"
            yield PanelCount(title, found, tell=text(TAKES[seat][card]), seat=seat, button="Take them")


def _hand(table: Table, state: Any, seat: Seat) -> Iterable[PanelCount]:
    melds, offs = hand_melds(state, seat), lay_offs(state, seat)
    if melds:
        more = f"the best {SHOWN} of {len(melds)}" if len(melds) > SHOWN else ""
        yield PanelCount(f"Melds in the hand of {table.session.names[seat]}", melds[:SHOWN], note=more)
    if offs:
        yield PanelCount(f"Cards of {table.session.names[seat]} that can be laid off", offs)
    if not melds and not offs:
        yield PanelCount(
            f"The hand of {table.session.names[seat]} holds no meld.", (ScoreLine(0, "500-2", _why(state)),)
        )


def _why(state: Any) -> str:
    least = state.options.min_meld
    return (
        f"A group is {least} or more cards of one rank, a sequence {least} or more ranks in a row with a common shade."
    )
