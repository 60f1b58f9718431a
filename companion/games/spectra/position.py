"""The options of Spectra, and positions read from their written form or from what a camera saw (docs/records.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core.contract import Seat
from companion.core.foundation.errors import BadEvent, BadOptions, BadRecord
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece, Pyramid
from companion.games.shared.forms.player_colors import colors_by_seat
from companion.games.shared.forms.position_form import reader
from companion.games.spectra.moves import piece
from companion.games.spectra.situation import OWN_KINDS
from companion.games.spectra.stash import (
    KIND,
    KINDS,
    NOTHING,
    SET,
    TREE_COLORS,
    TREES,
    Pile,
    name,
    pile_of,
    supply_spot,
    trees_spot,
)
from companion.games.spectra.state import SpectraState


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Spectra."""

    colors: Annotated[
        str,
        Meta(
            title="Who has which trees?",
            max_length=80,
            description="Tree colors by player, separated by commas: blue,purple. Empty: red, orange, yellow, green, "
            "blue, purple in the order of the seats. SPA-2.",
        ),
    ] = ""


def tree_colors(seats: int, options: Options) -> tuple[str, ...]:
    """Returns the tree color of each seat (SPA-2).

    Raises:
        BadOptions: Too few or too many players or colors, a color twice, or one that is no tree color.
    """
    if not 2 <= seats <= len(TREE_COLORS):
        raise BadOptions(f"Spectra has 2 to {len(TREE_COLORS)} players, not {seats} (SPA-2). Choose their number.")
    return colors_by_seat(options.colors, seats, TREE_COLORS, TREE_COLORS, "tree", "SPA-2")


class _Piece(Struct, forbid_unknown_fields=True):
    color: str
    size: str
    type: str = "pyramid"


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in its written form; pieces are "red small" or {"color": "red", "size": "small"}."""

    trees: list[list[Any]]
    """The tree pieces of each seat."""
    supplies: list[list[Any]] | None = None
    """The supply of each seat. Default: all empty."""
    turn: Annotated[int, Meta(ge=0, le=5)] | None = None
    """Default: no player has begun, and any player may."""
    drawn: bool = False


def start(colors: tuple[str, ...]) -> SpectraState:
    """Returns the position before the first turn: one large each, everything else in the bag (SPA-2)."""
    trees = tuple(_one(OWN_KINDS[color][0]) for color in colors)
    return SpectraState(colors, trees, (NOTHING,) * len(colors), _rest(trees))


def _one(kind: int) -> Pile:
    return tuple(int(kind == other) for other in range(len(KINDS)))


def _rest(piles: Iterable[Pile]) -> Pile:
    """Returns the contents of the bag while these piles lie on the table.

    Raises:
        BadRecord: They hold more of a kind than the set has.
    """
    bag = list(SET)
    for pile in piles:
        for kind, count in enumerate(pile):
            bag[kind] -= count
    for kind, count in enumerate(bag):
        if count < 0:
            raise BadRecord(
                f"The position has {SET[kind] - count} {name(KINDS[kind])} pieces, and the set has {SET[kind]} "
                "(SPA-1). Correct the trees or supplies."
            )
    return tuple(bag)


def _state(seats: int, options: Options, record: PositionForm) -> SpectraState:
    """Returns the position; the bag holds whatever is not on the table.

    Trees may hold pieces that no rule let in: they may stand by agreement (SPA-28).
    """
    colors = tree_colors(seats, options)
    trees = tuple(_pile(pieces) for pieces in record.trees)
    supplies = tuple(_pile(pieces) for pieces in record.supplies or [[] for _ in colors])
    if len(trees) != len(colors) or len(supplies) != len(colors):
        raise BadRecord(f"{len(colors)} players need as many trees and supplies. Give each player one list of both.")
    if record.turn is not None and record.turn >= len(colors):
        raise BadRecord(f"It cannot be the turn of seat {record.turn}; seats are 0 to {len(colors) - 1}.")
    if record.drawn and record.turn is None:
        raise BadRecord("Somebody has drawn, so it is somebody's turn. Give the turn.")
    return SpectraState(colors, trees, supplies, _rest((*trees, *supplies)), record.turn, record.drawn)


def _pile(pieces: list[Any]) -> Pile:
    return pile_of(_piece(one) for one in pieces)


def _piece(one: Any) -> Pyramid:
    if isinstance(one, str):
        return piece(one)
    read = msgspec.convert(one, _Piece)
    return piece(f"{read.color} {read.size}")


def seen_position(colors: tuple[str, ...], seen: Layout) -> dict[str, list[list[str]]]:
    """Returns the position that the first steady picture shows, because a recording may begin in the middle of a game.

    Pieces are read by best candidate, the surest first, for as long as the set has such a piece; other readings are
    left out. No player is on turn yet.
    """
    spots = [spot(seat) for spot in (trees_spot, supply_spot) for seat in range(len(colors))]
    bag = list(SET)
    heaps: dict[Spot, list[int]] = {spot: [] for spot in spots}
    sightings = [(one, spot) for spot in spots for one in seen.heaps.get(spot, ())]
    for sighting, spot in sorted(sightings, key=lambda item: -item[0].confidence):
        kind = _left_in_set(sighting, bag)
        if kind is not None:
            bag[kind] -= 1
            heaps[spot].append(kind)
    named = [[name(KINDS[kind]) for kind in sorted(heaps[spot])] for spot in spots]
    return {"trees": named[: len(colors)], "supplies": named[len(colors) :]}


def set_out(state: SpectraState, seen: Mapping[Spot, Sequence[Piece]]) -> SpectraState:
    """Returns the position with these pieces in these trees and supplies; all other pieces are in the bag.

    Raises:
        BadEvent: The set has no such piece, or trees cannot hold it.

    Trees keep pieces that stand there by agreement (SPA-28); no others of another color come.

    Raises:
        BadEvent: The set has no such piece, or trees cannot hold it.
        BadRecord: The set has fewer pieces of a kind.
    """
    trees = tuple(_laid_out(seen, trees_spot(seat), state.trees[seat]) for seat in range(state.seats))
    supplies = tuple(_laid_out(seen, supply_spot(seat), state.supplies[seat]) for seat in range(state.seats))
    for seat, color in enumerate(state.colors):
        own = OWN_KINDS[color]
        for kind, count in enumerate(trees[seat]):
            if count > max(state.trees[seat][kind], TREES if kind in own else 0):
                raise BadEvent(
                    f"The trees of player {seat + 1} have {color} pieces alone, three of a size at most (SPA-8), and "
                    f"{count} {name(KINDS[kind])} stand there. Correct that piece, or move it to a supply."
                )
        if not trees[seat][own[0]]:
            raise BadEvent(
                f"The trees of player {seat + 1} lack the {color} large that everybody begins with (SPA-2). Add it."
            )
    return replace(state, trees=trees, supplies=supplies, bag=_rest((*trees, *supplies)))


def _laid_out(seen: Mapping[Spot, Sequence[Piece]], spot: Spot, pile: Pile) -> Pile:
    """Returns the pieces of a heap: those seen there, else those of the position."""
    if spot not in seen:
        return pile
    pieces = [one for one in seen[spot] if isinstance(one, Pyramid)]
    for one in pieces:
        if one not in KIND:
            raise BadEvent(f"Spectra has no {name(one)} (SPA-1). Choose another piece, or none.")
    return pile_of(pieces)


def turns(state: SpectraState) -> dict[str, SpectraState]:
    """Returns the position for each seat that may be to move, before and after its draw (SPA-5, SPA-6)."""
    found = {"nobody has begun": replace(state, turn=None, drawn=False, reach=None, exchanged=False, added=False)}
    for seat in range(state.seats):
        for drawn, done in ((False, "has not drawn yet"), (True, "has drawn")):
            fresh = replace(state, turn=seat, drawn=drawn, reach=None, exchanged=False, added=False)
            same = (state.turn, state.drawn, state.reach) == (seat, drawn, None)
            found[f"player {seat + 1} is on turn and {done}"] = state if same else fresh
    return found


def _left_in_set(sighting: Detection, bag: list[int]) -> int | None:
    """Returns the likeliest kind of a sighting of which a piece is left in the bag; None if there is no such kind."""
    likely = (KIND.get(one.piece) for one in sighting.candidates if isinstance(one.piece, Pyramid))
    return next((kind for kind in likely if kind is not None and bag[kind]), None)


def trees_of(state: SpectraState, seat: Seat) -> tuple[tuple[Pyramid, ...], ...]:
    """Returns a seat's tree pieces as three trees, largest first; the k-th piece of a size belongs to tree k.

    Which piece really stands on which makes no difference to any rule.
    """
    kinds = OWN_KINDS[state.colors[seat]]
    return tuple(tuple(KINDS[kind] for kind in kinds if state.trees[seat][kind] > tree) for tree in range(TREES))


def check(state: SpectraState) -> None:
    """Checks a state that was read against the set.

    Raises:
        BadRecord: Its parts contradict each other.
    """
    seats = len(state.colors)
    if not 2 <= seats <= 6 or len(set(state.colors)) != seats or not set(state.colors) <= set(OWN_KINDS):
        raise BadRecord("A state of Spectra has 2 to 6 players with different tree colors (SPA-2).")
    if len(state.trees) != seats or len(state.supplies) != seats or (state.turn or 0) >= seats:
        raise BadRecord("The state names more or fewer players than it has colors.")
    if _rest((*state.trees, *state.supplies)) != state.bag:
        raise BadRecord("Bag, trees and supplies together are not the set of 102 pieces (SPA-1).")


read = reader("Spectra", PositionForm, _state)
