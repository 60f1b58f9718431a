"""Determines the winner of a trick with the reason, which players often get wrong (UMP-5, UMP-7 to UMP-9).

Every card has one strength for each trump and each color led: the highest strength wins, among equal ones the first.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from companion.core.contract import ScoreLine
from companion.core.pieces import WHEEL
from companion.games.shared.cards.deck import CODES, COLOR, COLORS, NUMBER_CARDS, RANK, SHADES, SHADES_MASK

SCORING: tuple[tuple[int, int], ...] = tuple(
    SHADES[trump] if trump % 2 else SHADES[trump][::-1] for trump in range(COLORS)
)
"""The stronger and the weaker scoring color for each trump. A primary's stronger one is the color whose name begins
with it (red: red-orange); a secondary's is the color that its own name begins with (red-orange: red). UMP-7.
"""

_TIE = 3
"""The number of steps below each rank for the order of UMP-9: lead color, shade of it, any other."""
_CLASS = 100
"""A number above any rank with its steps."""


def _strength(trump: int, lead: int, card: int) -> int:
    color = COLOR[card]
    if color == trump:
        return 3 * _CLASS + RANK[card]
    if color in SCORING[trump]:
        return (2 - SCORING[trump].index(color)) * _CLASS + RANK[card]
    return RANK[card] * _TIE + (2 if color == lead else SHADES_MASK[lead] >> color & 1)


STRENGTH: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple(_strength(trump, lead, card) for card in range(NUMBER_CARDS)) for lead in range(COLORS))
    for trump in range(COLORS)
)
"""The strength by trump, color led and card (UMP-7 to UMP-9)."""

POINTS: tuple[tuple[int, ...], ...] = tuple(
    tuple(
        -RANK[card] if COLOR[card] == trump else RANK[card] if COLOR[card] in SCORING[trump] else 0
        for card in range(NUMBER_CARDS)
    )
    for trump in range(COLORS)
)
"""The points by trump and card for the player who takes it (UMP-5)."""


def winner(trump: int, cards: Sequence[int]) -> int:
    """Returns the index of the winning card in the trick; 0 is the lead (UMP-8, UMP-9)."""
    strength = STRENGTH[trump][COLOR[cards[0]]]
    worth = [strength[card] for card in cards]
    return worth.index(max(worth))


class Judged(Struct, frozen=True):
    """A trick with its reasons."""

    winner: int
    """The index of the winning card in the trick; 0 is the lead."""
    rule: str
    reason: str
    """The reason why that card wins."""
    lines: tuple[ScoreLine, ...]
    """The points of each card, in the order of play."""

    @property
    def points(self) -> float:
        """The points of the trick for its winner."""
        return sum(line.points for line in self.lines)


def judge(trump: int, cards: Sequence[int]) -> Judged:
    """Returns a complete trick line by line.

    >>> from companion.games.shared.cards.deck import numbers_of
    >>> judged = judge(0, [*numbers_of("B3 BP7 PR6 R1")])
    >>> judged.winner, judged.rule, judged.reason, judged.points
    (3, 'UMP-8', 'R1 is the highest card of the trump color red.', 5)

    Args:
        trump: Number of the trump color.
        cards: In the order of play.
    """
    place = winner(trump, cards)
    rule, reason = _reason(trump, cards, cards[place])
    return Judged(
        place, rule, reason, tuple(ScoreLine(POINTS[trump][card], "UMP-5", _worth(trump, card)) for card in cards)
    )


def _reason(trump: int, cards: Sequence[int], best: int) -> tuple[str, str]:
    code, color, lead = CODES[best], COLOR[best], COLOR[cards[0]]
    stronger, weaker = SCORING[trump]
    if color == trump:
        return "UMP-8", f"{code} is the highest card of the trump color {WHEEL[trump]}."
    if color == stronger:
        return (
            "UMP-8",
            f"No trump was played, and {code} is the highest card of {WHEEL[stronger]}, the stronger scoring color.",
        )
    if color == weaker:
        none = f"Neither trump nor {WHEEL[stronger]} was played"
        return "UMP-8", f"{none}, and {code} is the highest card of {WHEEL[weaker]}, the weaker scoring color."
    tied = [card for card in cards if RANK[card] == RANK[best]]
    if len(tied) == 1:
        return "UMP-8", f"No trump and no scoring color was played, and {code} has the highest rank."
    others = ", ".join(CODES[card] for card in tied if card != best)
    if color == lead:
        return "UMP-9", f"{code} and {others} have the same highest rank, and {code} has the color led."
    shades = [card for card in tied if SHADES_MASK[lead] >> COLOR[card] & 1]
    if shades == [best]:
        return "UMP-9", f"{code} and {others} have the same highest rank, and only {code} is a shade of the color led."
    if shades:
        return (
            "UMP-9",
            f"{code} and {others} have the same highest rank; of the shades of the color led {code} came first.",
        )
    return "UMP-9", f"{code} and {others} have the same highest rank, none near the color led, and {code} came first."


def _worth(trump: int, card: int) -> str:
    if COLOR[card] == trump:
        return f"{CODES[card]}: trump costs its rank"
    return f"{CODES[card]}: scoring color" if COLOR[card] in SCORING[trump] else f"{CODES[card]}: no value"
