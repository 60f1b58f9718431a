"""The set-up: shotgun starts, weights, missions and portals, in this order (VAR-1 to VAR-5, VAR-17, VAR-19, VAR-22).

The next step follows from the table: before the first move, the pawns on the board are those of the shotgun start.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeVar

from msgspec.structs import replace

from companion.core.contract import Seat
from companion.core.pieces import WHEEL
from companion.games.shared.cards.deck import COLOR, RANK
from companion.games.shared.search.bit_sets import mask_of
from companion.games.spectrum import secrets, usages
from companion.games.spectrum.board import COLORS, space_of
from companion.games.spectrum.moves import Pick
from companion.games.spectrum.options import Options
from companion.games.spectrum.situation import LETTER, Extras, PortalHand, Situation
from companion.games.spectrum.turns import first_turn, with_pawn
from companion.games.spectrum.usages import PLACE

S = TypeVar("S", bound=Situation)
EACH_RING = 2
"""The number of pawns of a player on each of the first three rings of a shotgun start (VAR-1, VAR-2)."""
SHOTGUN_RINGS = 3
_RING = tuple(mask_of(space_of(path, ring) for path in range(COLORS)) for ring in range(SHOTGUN_RINGS))

Step = Literal["shotgun cards", "shotgun dice", "pick", "weights", "primary missions", "secondary missions", "portals"]


class Due(NamedTuple):
    """The next step of the set-up."""

    step: Step
    seat: Seat
    number: int
    """The number of cards to draw or dice to roll."""


def beginning(seats: int, options: Options) -> Extras:
    """Returns the start of the variants."""
    missions, portals = options.missions, options.portals
    secret = len(secrets.SECRET) - (2 * secrets.EACH * seats if missions else 0) - secrets.EACH * seats
    pile = usages.CARDS + (usages.SWAP_CARDS if options.swap_cards else ())
    return Extras(
        weights=(0,) * COLORS if options.weighted else (),
        missions=((),) * seats if missions else (),
        revealed=(False,) * seats if missions else (),
        portals=(PortalHand(),) * seats if portals else (),
        deck=secret if portals else 0,
        pile=pile if options.cards_as_dice else (),
    )


def due(situation: Situation) -> Due | None:
    """Returns the next draw, roll or pick; None if the first turn can begin. It is computed once for each position."""
    known = situation.__dict__
    if "due" not in known:
        known["due"] = _due(situation)
    found: Due | None = known["due"]
    return found


def _due(situation: Situation) -> Due | None:
    extras = situation.extras
    order = situation.starting_order()
    if situation.options.shotgun == "cards":
        for seat in order:
            placed = situation.masks[seat].bit_count()
            if placed < EACH_RING * SHOTGUN_RINGS:
                return Due("shotgun cards", seat, EACH_RING * SHOTGUN_RINGS - placed)
    if situation.options.shotgun == "d12":
        for ring in _RING:
            for seat in order:
                if (situation.masks[seat] & ring).bit_count() < EACH_RING:
                    return Due("pick", seat, 0) if extras.pick else Due("shotgun dice", seat, 1 if extras.kept else 2)
    if 0 in extras.weights:
        return Due("weights", order[0], extras.weights.count(0))
    for seat in order if extras.missions else ():
        drawn = len(extras.missions[seat])
        if drawn < secrets.EACH:
            return Due("primary missions", seat, secrets.EACH - drawn)
        if drawn < 2 * secrets.EACH:
            return Due("secondary missions", seat, 2 * secrets.EACH - drawn)
    for seat in order if extras.portals else ():
        drawn = len(extras.portals[seat].first)
        if drawn < secrets.EACH:
            return Due("portals", seat, secrets.EACH - drawn)
    return None


def go_on(state: S) -> S:
    """Returns the first turn, once the set-up is complete."""
    return first_turn(state) if due(state) is None else state


def ring_due(situation: Situation, seat: Seat) -> int:
    """Returns the ring on which a seat's next pawns of the shotgun start stand."""
    for ring, mask in enumerate(_RING):
        if (situation.masks[seat] & mask).bit_count() < EACH_RING:
            return ring
    return SHOTGUN_RINGS


def ring_counts(situation: Situation, seat: Seat) -> tuple[int, ...]:
    """Returns the number of pawns of a seat on each of the first three rings."""
    return tuple((situation.masks[seat] & mask).bit_count() for mask in _RING)


def is_free(situation: Situation, color: int, ring: int) -> bool:
    """True if a color's space of a ring holds no pawn (VAR-3)."""
    return not situation.occupied >> space_of(color, ring) & 1


def free_colors(situation: Situation, seat: Seat) -> tuple[int, ...]:
    """Returns colors that may be picked after doubles (VAR-4)."""
    ring = ring_due(situation, seat)
    return tuple(color for color in range(COLORS) if is_free(situation, color, ring))


def picks(situation: Situation, seat: Seat) -> tuple[Pick, ...]:
    """Returns every pair that may be picked after doubles (VAR-4)."""
    free = free_colors(situation, seat)
    return tuple(Pick(seat, WHEEL[one], WHEEL[other]) for at, one in enumerate(free) for other in free[at + 1 :])


def _with_pawns(state: S, seat: Seat, spaces: tuple[int, ...], extras: Extras, roll: tuple[str, ...]) -> S:
    board = state.board
    letter = LETTER[state.teams[seat][0]]
    for space in spaces:
        board = with_pawn(board, space, letter)
    return go_on(replace(state, board=board, extras=extras, roll=roll))


def cards_dealt(state: S, seat: Seat, cards: tuple[int, ...]) -> S:
    """Returns the position after each card put a pawn on the space that it names (VAR-1)."""
    spaces = tuple(space_of(COLOR[number], RANK[number] - 1) for number in cards)
    return _with_pawns(state, seat, spaces, state.extras, ())


def dice_rolled(state: S, seat: Seat, roll: tuple[str, ...]) -> S:
    """Returns the position after two dice, or the one that had to be rolled again; doubles are handled before occupied
    spaces (VAR-2 to VAR-4).
    """
    extras = state.extras
    colors = [*roll, extras.kept] if extras.kept else list(roll)
    shown = tuple(sorted(colors, key=PLACE.__getitem__))
    ring = ring_due(state, seat)
    if colors[0] == colors[1]:
        return replace(state, roll=shown, extras=replace(extras, kept="", pick=True))
    free = [color for color in colors if is_free(state, PLACE[color], ring)]
    if len(free) == len(colors):
        spaces = tuple(space_of(PLACE[color], ring) for color in colors)
        return _with_pawns(state, seat, spaces, replace(extras, kept=""), shown)
    return replace(state, roll=shown, extras=replace(extras, kept=free[0] if free else ""))


def picked(state: S, pick: Pick) -> S:
    """Returns the position with pawns on the two colors that were picked after doubles (VAR-4)."""
    ring = ring_due(state, pick.seat)
    spaces = tuple(space_of(PLACE[color], ring) for color in (pick.one, pick.other))
    return _with_pawns(state, pick.seat, spaces, replace(state.extras, pick=False), state.roll)


def weights_drawn(state: S, cards: tuple[int, ...]) -> S:
    """Returns the position after cards for weights; the first card of a color is its weight (VAR-17)."""
    weights = list(state.extras.weights)
    for number in cards:
        weights[COLOR[number]] = RANK[number]
    return go_on(replace(state, extras=replace(state.extras, weights=tuple(weights))))


def missions_drawn(state: S, seat: Seat, cards: tuple[int, ...]) -> S:
    """Returns the position after a player has drawn some or all mission cards of one pile (VAR-19)."""
    extras = state.extras
    held = extras.missions[seat]
    first = held[: secrets.EACH] if len(held) >= secrets.EACH else ()
    hand = first + secrets.in_order((*held[len(first) :], *cards))
    missions = (*extras.missions[:seat], hand, *extras.missions[seat + 1 :])
    return go_on(replace(state, extras=replace(extras, missions=missions)))


def portals_drawn(state: S, seat: Seat, cards: tuple[int, ...]) -> S:
    """Returns the position after a player has drawn some or all portals of the primary pile (VAR-22)."""
    extras = state.extras
    hand = PortalHand(secrets.in_order((*extras.portals[seat].first, *cards)))
    return go_on(
        replace(state, extras=replace(extras, portals=(*extras.portals[:seat], hand, *extras.portals[seat + 1 :])))
    )
