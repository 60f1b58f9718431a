"""Predicts the reading of a position.

Dice may be in a hand, in the box or in a tower at any time, so those of the last roll are `covered`: missing dice are
no evidence, other faces are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import PRIMARIES, Pawn, Piece
from companion.games.shared import color_dice
from companion.games.shared.cards.deck import PIECES, card
from companion.games.shared.search.ways import once_a_picture
from companion.games.spectrum.board import SPACE, SPOTS
from companion.games.spectrum.chance import KIND
from companion.games.spectrum.situation import EMPTY, LETTER, LETTERS, Situation
from companion.games.spectrum.usages import PLACE, PLUS, cards_of

POSSIBLE = 0.05
"""Readings less likely than this are ignored."""
CAME = 0.35
"""The share of the best reading's probability that a pawn needs to have come to a space that reads as before, if a pawn
left and is visible nowhere, perhaps in a hand.
"""


class PawnChange(NamedTuple):
    """The possible differences between a seen board and the position, as masks by letter of the pawns' color."""

    came: dict[str, int]
    """The spaces where a pawn may stand that the position does not have there."""
    gone: dict[str, int]
    """The spaces where a pawn of the position may no longer stand."""
    changed: int
    """All spaces that may differ."""
    unseen: int = 0
    """The spaces that were not looked at; `came` has all of them, for every color."""


def change(situation: Situation, seen: Layout, least: float = POSSIBLE) -> PawnChange:
    """Returns the difference to `seen`; to a space that was not looked at any pawn may have come.

    Args:
        least: Readings that are at least so likely count beside the best one.
    """
    unseen, spaces = letters_of(seen)
    came, gone = dict.fromkeys(LETTERS, unseen), dict.fromkeys(LETTERS, 0)
    changed = 0
    for space, best, readings in spaces:
        here = situation.board[space]
        if readings is None and best == here:
            continue
        for place, (letter, probability) in enumerate(readings or ((best, 1.0),)):
            if place and probability < least:
                break
            if letter == here:
                continue
            faint = CAME * (readings[0][1] if readings else 1.0) if best == here else 0.0
            if here != EMPTY:
                gone[here] |= 1 << space
            if letter != EMPTY and probability >= faint:
                came[letter] |= 1 << space
            if here != EMPTY or probability >= faint:
                changed |= 1 << space
    return PawnChange(came, gone, changed, unseen)


class BoardLetters(NamedTuple):
    """A reading of the board in the letters of a position."""

    unseen: int
    """The mask of the spaces that were not looked at."""
    spaces: tuple[tuple[int, str, tuple[tuple[str, float], ...] | None], ...]
    """Each space that was looked at, its best reading, and all readings with probabilities; None if the best is
    certain.
    """


@once_a_picture
def letters_of(seen: Layout) -> BoardLetters:
    """Returns the reading of the board."""
    unseen = sum(1 << space for spot, space in SPACE.items() if spot not in seen.cells) if seen.cells else 0
    spaces = []
    for spot, sighting in seen.cells.items():
        space = SPACE.get(spot)
        if space is None:
            continue
        readings = tuple([(_letter(one.piece), one.probability) for one in sighting.candidates])
        sure = len(readings) == 1 and readings[0][1] == 1.0
        spaces.append((space, _letter(sighting.piece), None if sure else readings))
    return BoardLetters(unseen, tuple(spaces))


def _letter(piece: Piece | None) -> str:
    return LETTER.get(piece.color, EMPTY) if isinstance(piece, Pawn) else EMPTY


DICE: Spot = "dice"
"""The tray, where the dice of the last roll lie until the next one."""
MOVED: Spot = "dice.moved"
"""The heap in which a reader repeats the dice that were rolled since the position was last confirmed."""
DECLARED = "declared"
"""The dice or cards in use, if the table sets them apart; they show which usage of a roll is played."""
CARDS = "cards"
"""Cards that replace the dice, of this turn; those that were played may be laid aside. Cards of a shotgun start."""
WEIGHTS = "weights"
"""The cards that give the colors their weights."""
SPENT = "portal discards"
CAPTURED = "captured"
"""The captured pawn that must be put on a start."""

_SIGHTINGS = {LETTER[color]: Detection.sure(Pawn(color)) for color in PRIMARIES} | {EMPTY: Detection.sure(None)}
_CARD_SIGHTINGS = tuple(Detection.sure(piece) for piece in PIECES)
_DICE = {
    (kind, color): color_dice.die(name, place)
    for kind, name in KIND.items()
    for color, place in PLACE.items()
    if kind == "d12" or color in PRIMARIES
}
_DICE_SIGHTINGS = {which: Detection.sure(die) for which, die in _DICE.items()}


def stock_spot(seat: int) -> Spot:
    """Returns the name of the heap of a seat's stock."""
    return f"seat{seat}.stock"


def layout(situation: Situation) -> Layout:
    """Returns the layout of every space, every stock, the last roll, and the open cards."""
    cells = dict(zip(SPOTS, [_SIGHTINGS[letter] for letter in situation.board], strict=True))
    heaps: dict[Spot, tuple[Detection, ...]] = {}
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
        laid_aside = situation.extras.discards
        heaps[CARDS] = _cards((*situation.extras.drawn, *laid_aside))
        covered[CARDS] = tuple([PIECES[number] for number in (*played, *laid_aside)])
    if options.weighted:
        weights = enumerate(situation.extras.weights)
        heaps[WEIGHTS] = _cards([card(color, weight) for color, weight in weights if weight])
        covered[WEIGHTS] = tuple([one.candidates[0].piece for one in heaps[WEIGHTS] if one.candidates[0].piece])
    if options.portals:
        heaps[SPENT] = _cards(situation.extras.spent)
        covered[SPENT] = tuple([PIECES[number] for number in situation.extras.spent[:-1]])
    for seat, shown in enumerate(situation.extras.revealed):
        if shown:
            heaps[f"seat{seat}.missions"] = _cards(situation.extras.missions[seat])
    return Layout(cells, heaps, covered)


def _cards(numbers: Iterable[int]) -> tuple[Detection, ...]:
    return tuple([_CARD_SIGHTINGS[number] for number in numbers])
