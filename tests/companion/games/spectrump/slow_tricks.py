"""Tricks of Spectrump once more, slowly and by names, as a reader of UMP-7 to UMP-12 would go through them at the table."""

from __future__ import annotations

from typing import NamedTuple

SECONDARIES = ("red-orange", "orange-yellow", "yellow-green", "green-blue", "blue-purple", "purple-red")


class Lying(NamedTuple):
    """A card by its name."""

    color: str
    rank: int


def shades(color: str) -> list[str]:
    """A primary's two secondaries, a secondary's two primaries in the order in which it names them."""
    if "-" in color:
        return color.split("-")
    return [secondary for secondary in SECONDARIES if color in secondary.split("-")]


def scoring(trump: str) -> list[str]:
    """The stronger scoring color, then the weaker one."""
    if "-" in trump:
        return shades(trump)
    return sorted(shades(trump), key=lambda secondary: secondary.split("-").index(trump))


def worth(trump: str, card: Lying) -> int:
    if card.color == trump:
        return -card.rank
    return card.rank if card.color in scoring(trump) else 0


def winner(trump: str, trick: list[Lying]) -> int:
    """The place in the trick that takes it."""
    for color in (trump, *scoring(trump)):
        of_color = [card for card in trick if card.color == color]
        if of_color:
            return trick.index(max(of_color, key=lambda card: card.rank))
    highest = max(card.rank for card in trick)
    tied = [card for card in trick if card.rank == highest]
    lead = trick[0].color
    for card in tied:
        if card.color == lead:
            return trick.index(card)
    for card in tied:
        if card.color in shades(lead):
            return trick.index(card)
    return trick.index(tied[0])


def may_be_led(trump: str, seen: list[Lying], hand: list[Lying]) -> list[Lying]:
    """What may be led after the cards `seen` in this set."""
    special = scoring(trump)
    trump_played = any(card.color == trump for card in seen)
    scoring_played = any(card.color in special for card in seen)
    free = [
        card
        for card in hand
        if not (card.color == trump and not trump_played) and not (card.color in special and not scoring_played)
    ]
    return free or hand


def may_follow(trump: str, trick: list[Lying], hand: list[Lying]) -> list[Lying]:
    """What may be played to a trick that has begun."""
    lead = trick[0]
    if lead.color == trump and any(card.color == trump for card in hand):
        return [card for card in hand if card.color == trump]
    opened = {lead.color, *shades(lead.color)}
    for card in trick[1:]:
        if card.color != trump and card.color not in scoring(trump):
            opened |= {card.color, *shades(card.color)}
    bound = opened - {lead.color} if lead.color in scoring(trump) else opened
    if any(card.color in bound for card in hand):
        return [card for card in hand if card.color in opened]
    return hand
