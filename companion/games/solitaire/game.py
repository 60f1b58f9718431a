"""The game object of Solitaire, its first position, and positions read from their written form (docs/records.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from companion.core.capabilities import HiddenInformation, Proposer, Unseen
from companion.core.contract import Drawn, Event, ScoreLine
from companion.core.foundation.errors import BadRecord
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.core.pieces import Piece
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import drawn_from
from companion.games.shared.cards.dealing import shuffled
from companion.games.shared.cards.deck import CODES, COLORS, NUMBER_CARDS, PIECES, RANKS, color_of
from companion.games.shared.forms.position_form import cards_in, reader
from companion.games.shared.search.bit_sets import bits
from companion.games.solitaire import moves as notation
from companion.games.solitaire import observation, scoring
from companion.games.solitaire.moves import PILES, SolitaireEvent
from companion.games.solitaire.situation import UNKNOWN, Options
from companion.games.solitaire.state import SolitaireState

_Cards = str | tuple[str, ...]


def start(seats: int, options: Options) -> SolitaireState:
    """Returns the position after the deal: pile i holds i cards, and its top card is turned up next (SOL-1, SOL-4)."""
    stock = (UNKNOWN,) * (NUMBER_CARDS - PILES * (PILES + 1) // 2)
    return SolitaireState(options, ((),) * PILES, tuple(range(1, PILES + 1)), (0,) * COLORS, stock, ())


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in its written form."""

    piles: tuple[_Cards, ...] = ((),) * PILES
    """The cards of each pile from below, "??" for each face-down one: "?? ?? B9 GB8"."""
    foundations: Mapping[str, Annotated[int, Meta(ge=0, le=RANKS)]] = {}
    """Color to the highest rank on its foundation: {"R": 3}."""
    waste: _Cards = ()
    """The waste, the top card last."""
    stock: _Cards | None = None
    """The stock, the next card first, "??" for an unseen one. Default: all other cards."""
    passes: Annotated[int, Meta(ge=1, le=1_000_000)] = 1


def _state(seats: int, options: Options, form: PositionForm) -> SolitaireState:
    if len(form.piles) > PILES:
        raise BadRecord(f"The position has {len(form.piles)} piles; there are {PILES}.")
    heights = {color_of(name): rank for name, rank in form.foundations.items()}
    foundations = tuple(heights.get(color, 0) for color in range(COLORS))
    piles = [_cards(pile, "the piles") for pile in (*form.piles, *((),) * (PILES - len(form.piles)))]
    downs = tuple(cards.count(UNKNOWN) for cards in piles)
    ups = tuple(cards[down:] for cards, down in zip(piles, downs, strict=True))
    for number, cards in enumerate(ups, 1):
        if UNKNOWN in cards:
            raise BadRecord(f"In pile {number} a face-down card lies on a face-up one. Name face-up cards last.")
    waste = _cards(form.waste, "the waste")
    rest = NUMBER_CARDS - sum(map(len, piles)) - sum(foundations) - len(waste)
    stock = (UNKNOWN,) * rest if form.stock is None else _cards(form.stock, "the stock")[::-1]
    return SolitaireState(options, ups, downs, foundations, stock, waste, passes=form.passes)


def _cards(cards: _Cards, where: str) -> tuple[int, ...]:
    """Returns the numbers of cards that are written as one text or as a list."""
    numbers = cards_in(cards if isinstance(cards, str) else ", ".join(cards), where)
    return tuple(UNKNOWN if card is None else card for card in numbers)


def check(state: SolitaireState) -> None:
    """Checks that a position is possible.

    Raises:
        BadRecord: It has a card twice, a special, or more or fewer than 144 cards.
    """
    if any(not 0 <= card < NUMBER_CARDS for card in state.lying):
        raise BadRecord("Solitaire is played with the 144 number cards alone (SOL-1, DEK-4).")
    twice = sorted(CODES[card] for card, count in Counter(state.lying).items() if count > 1)
    if twice:
        raise BadRecord(f"{', '.join(twice)} lies in two places; the deck has each card once.")
    cards = len(state.lying) + sum(state.downs) + state.stock.count(UNKNOWN)
    if cards != NUMBER_CARDS:
        raise BadRecord(f"The position has {cards} cards; Solitaire is played with {NUMBER_CARDS} (SOL-1).")
    most = state.options.max_passes
    if most and state.passes > most:
        raise BadRecord(f"The position is in pass {state.passes}; there are passes 1 to {most} (SOL-8).")
    if state.turning > min(len(state.stock), state.options.draw):
        raise BadRecord(f"{state.turning} cards cannot be turned from a stock of {len(state.stock)} (SOL-7).")


read = reader("Solitaire", PositionForm, _state)


def unseen(state: SolitaireState) -> Mapping[Piece, int]:
    """Returns the face-down cards, including the cards of the stock that were seen before."""
    known = [card for card in state.stock if card != UNKNOWN]
    return dict.fromkeys([PIECES[card] for card in (*bits(state.unknown), *known)], 1)


def _words(state: SolitaireState, event: Event) -> dict[str, Any]:
    """Returns the event as a recording names it."""
    return deck_events.card_words(event)


class SolitaireDeal(Struct, frozen=True):
    """A deal by software in which every face-down card has a fixed place, in whatever order the cards are turned up."""

    order: tuple[int, ...]
    """The cards of pile after pile from below, then the stock, the next card first."""

    @staticmethod
    def of(seed: bytes) -> SolitaireDeal:
        """Returns the deal that a seed gives (`companion.games.shared.cards.dealing`).

        Raises:
            BadRecord: The seed is not 32 bytes long.
        """
        return SolitaireDeal(shuffled(seed, range(NUMBER_CARDS)))

    def follow(self, state: SolitaireState, event: Event) -> SolitaireDeal:
        """Returns the deal unchanged: no card leaves its place before it is named."""
        return self

    def serve(self, state: SolitaireState, unseen: Unseen) -> tuple[tuple[Drawn, ...], SolitaireDeal]:
        """Returns the cards that were turned up in this position, if any, and the deal."""
        due = state.due
        if due is None:
            return (), self
        if state.turning:
            first = NUMBER_CARDS - state.stock.count(UNKNOWN)
            cards = self.order[first : first + due.count]
        else:
            cards = tuple(self.order[pile * (pile + 1) // 2 + state.downs[pile] - 1] for pile in state.uncovered)
        return (Drawn(0, tuple(PIECES[card] for card in cards)),), self


def _score_breakdown(state: SolitaireState, event: SolitaireEvent) -> tuple[ScoreLine, ...]:
    """Returns the points of the next event as lines; the event that ends the game has the whole score (SOL-10,
    SOL-11).
    """
    after = state if state.violations(event) else state.apply(event)
    return scoring.lines(after) if after.is_over and not state.is_over else ()


SOLITAIRE: Game[SolitaireState] = Game.of(
    GameInfo("solitaire", "Solitaire", rules=1, seats=range(1, 2), seats_rule="SOL-1", Options=Options),
    Positions(SolitaireState, start, read, check),
    EventCodec(SolitaireEvent, notation.text_of, notation.parse, _words, plain=deck_events.plain),
    Capabilities(
        dealer=SolitaireDeal.of,
        proposer=Proposer(infer_event=observation.infer_event, seen_position=observation.seen_position),
        chance=drawn_from(lambda state: state.unknown),
        hidden=HiddenInformation(unseen=unseen),
        score_breakdown=_score_breakdown,
    ),
)
"""The game object of Spectrum Solitaire."""
