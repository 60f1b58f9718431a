"""The expected reading of a position.

Dice may be in a hand, in the box or in a tower at any time, so those of the last roll are `covered`: missing dice are
no evidence, other faces are.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.layout import Layout, Sighting, Spot
from companion.core.pieces import PRIMARIES, Pawn, Piece
from companion.games.shared import color_dice
from companion.games.shared.cards.deck import PIECES
from companion.games.spectrum.board import SPOTS
from companion.games.spectrum.card_usages import cards_of
from companion.games.spectrum.chance import KIND
from companion.games.spectrum.situation import EMPTY, LETTER, Situation
from companion.games.spectrum.usages import PLACE, PLUS

DICE: Spot = "dice"
"""The tray: the dice of the last roll lie there until they are rolled again."""
MOVED: Spot = "dice.moved"
"""The heap in which a reader repeats the dice that were rolled since the position was last confirmed."""
DECLARED = "declared"
"""The dice or cards in use, if a table sets them apart. They distinguish one usage of a roll from another."""
CARDS = "cards"
"""Cards that replace the dice, of this turn."""
DISCARDS = "discards"
SPENT = "portal discards"
CAPTURED = "captured"
"""The pawn that is to be put on a start."""

_SIGHTINGS = {LETTER[color]: Sighting.sure(Pawn(color)) for color in PRIMARIES} | {EMPTY: Sighting.sure(None)}
_CARD_SIGHTINGS = tuple(Sighting.sure(piece) for piece in PIECES)
_DICE = {
    (kind, color): color_dice.die(name, place)
    for kind, name in KIND.items()
    for color, place in PLACE.items()
    if kind == "d12" or color in PRIMARIES
}
_DICE_SIGHTINGS = {which: Sighting.sure(die) for which, die in _DICE.items()}


def stock_spot(seat: int) -> Spot:
    """Where a seat's stock lies."""
    return f"seat{seat}.stock"


def layout(situation: Situation) -> Layout:
    """Every space, every stock, the last roll, and the cards that lie open."""
    cells = dict(zip(SPOTS, [_SIGHTINGS[letter] for letter in situation.board], strict=True))
    heaps: dict[Spot, tuple[Sighting, ...]] = {}
    covered: dict[Spot, tuple[Piece, ...]] = {}
    for seat, colors in enumerate(situation.teams):
        heaps[stock_spot(seat)] = tuple(
            [_SIGHTINGS[LETTER[color]] for color in colors for _ in range(situation.stock(color))]
        )
    held = situation.held
    heaps[CAPTURED] = () if held is None else (_SIGHTINGS[LETTER[held.color]],)
    options = situation.options
    if situation.phase == "set-up" or not options.cards_as_dice:
        kind = "d12" if situation.phase == "set-up" else options.dice
        heaps[DICE] = tuple([_DICE_SIGHTINGS[kind, color] for color in situation.roll])
        if situation.roll:
            covered[DICE] = tuple([_DICE[kind, color] for color in situation.roll])
        if situation.usage:
            heaps[DECLARED] = tuple([_DICE_SIGHTINGS[kind, color] for color in situation.usage.split(PLUS)])
    if options.cards_as_dice:
        played = cards_of(situation.usage)
        heaps[CARDS] = _cards(number for number in situation.extras.drawn if number not in played)
        heaps[DECLARED] = _cards(played)
        heaps[DISCARDS] = _cards(situation.extras.discards)
    if options.portals:
        heaps[SPENT] = _cards(situation.extras.spent)
    for seat, shown in enumerate(situation.extras.revealed):
        if shown:
            heaps[f"seat{seat}.missions"] = _cards(situation.extras.missions[seat])
    return Layout(cells, heaps, covered)


def _cards(numbers: Iterable[int]) -> tuple[Sighting, ...]:
    return tuple([_CARD_SIGHTINGS[number] for number in numbers])
