"""What can be played in Spectrumo once more, slowly and by names, as a reader of UMO-2 to UMO-14 would go through a hand."""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.core.pieces import Card


class Table(NamedTuple):
    """The table card as it counts; a special that takes anything has no color."""

    color: str | None
    rank: int


def related(one: str, other: str) -> bool:
    """Whether one color names the other: one is a primary, the other a secondary that contains it."""
    return one != other and (one in other.split("-") or other in one.split("-")) and ("-" in one) != ("-" in other)


def number_goes(card: Card, table: Table, last: bool, same_color: bool) -> bool:
    if table.color is None or related(card.color, table.color):
        return True
    if card.color == table.color:
        return last or same_color
    return card.rank == table.rank


def swapped(kind: str, table: Table) -> Table | None:
    """The virtual card after a color swap; None if it does not go on the table card."""
    one, other = kind.removeprefix("swap ").split("/")
    if table.color not in (one, other):
        return None
    return Table(other if table.color == one else one, table.rank)


def goes(piece: Any, hand: list[Any], table: Table, specials: int, same_color: bool) -> bool:
    """Whether a card of the hand can be played now, `specials` having been played in this turn."""
    last = len(hand) == 1
    if isinstance(piece, Card):
        return not (last and specials) and number_goes(piece, table, last, same_color)
    if last:
        return False
    if "/" not in piece.kind:
        return True
    virtual = swapped(piece.kind, table)
    if virtual is None:
        return False
    rest = list(hand)
    rest.remove(piece)
    return any(goes(other, rest, virtual, specials + 1, same_color) for other in rest)


def playable(hand: list[Any], table: Table, specials: int, same_color: bool, drawn: Any) -> set[Any]:
    """The cards that may be played; a drawn card that can be played is the only one."""
    if drawn is not None and goes(drawn, hand, table, specials, same_color):
        return {drawn}
    return {piece for piece in hand if goes(piece, hand, table, specials, same_color)}
