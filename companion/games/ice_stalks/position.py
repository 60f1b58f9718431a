"""Reads positions of Ice Stalks from their written form and checks states that come from files (docs/records.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core.foundation.errors import BadEvent, BadNotation, BadRecord
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import Piece, a_color
from companion.games.ice_stalks.growth import (
    EACH,
    KINDS,
    RAINBOW,
    SIZES,
    STALKS_SPOT,
    Stalk,
    describe,
    is_complete,
    kinds_of,
    name,
    pieces_of,
    stalk_of,
    taken_spot,
)
from companion.games.ice_stalks.moves import piece
from companion.games.ice_stalks.observation import stalk_in
from companion.games.ice_stalks.options import Options
from companion.games.ice_stalks.situation import UNKNOWN
from companion.games.ice_stalks.state import IceStalksState
from companion.games.shared.forms.position_form import reader


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in its written form; a stalk is the list of its pieces, bottom to top: ["red large", "red medium"]."""

    stalks: list[list[Any]]
    taken: list[list[list[Any]]] | None = None
    """The stalks that each seat took. Default: none."""
    rocks: dict[str, Annotated[int, Meta(ge=0, le=EACH)]] | None = None
    """The number of rocks in the bag by color. Default: as many as the placed pieces leave."""
    turn: Annotated[int, Meta(ge=0, le=7)] | None = None
    """Default: the player that the options let begin."""
    hand: str | None = None
    """The color of the rock that is drawn and not used yet."""


class _Piece(Struct, forbid_unknown_fields=True):
    color: str
    size: str
    type: str = "pyramid"


def start(seats: int, options: Options) -> IceStalksState:
    """Returns the position before the first rock (ICE-2, ICE-21)."""
    return IceStalksState(options, (), ((),) * seats, (EACH,) * len(RAINBOW), options.first - 1)


def _state(seats: int, options: Options, record: PositionForm) -> IceStalksState:
    stalks = tuple(sorted(_stalk(pieces) for pieces in record.stalks))
    piles = record.taken if record.taken is not None else [[] for _ in range(seats)]
    taken = tuple(tuple(_stalk(pieces) for pieces in pile) for pile in piles)
    if len(taken) != seats:
        raise BadRecord(f"{seats} players need as many lists of taken stalks, not {len(taken)}.")
    for color in (*(record.rocks or {}), *([] if record.hand is None else [record.hand])):
        if color not in RAINBOW:
            raise BadRecord(f'There are no "{color}" rocks (ICE-1). Choose from: {", ".join(RAINBOW)}.')
    rocks = _rocks((*stalks, *[stalk for pile in taken for stalk in pile]), record)
    turn = options.first - 1 if record.turn is None else record.turn
    state = IceStalksState(options, stalks, taken, rocks, turn, record.hand)
    check(state)  # more pieces than the set has are named before rocks that are missing
    _check_colors(_colors_placed(state))
    return state


def _stalk(pieces: list[Any]) -> Stalk:
    if not pieces:
        raise BadNotation("A stalk has at least one piece.")
    return stalk_of(piece(one) if isinstance(one, str) else _object(one) for one in pieces)


def _object(one: Any) -> Any:
    plain = msgspec.convert(one, _Piece)
    return piece(f"{plain.color} {plain.size}")


def seen_position(seats: int, seen: Layout) -> dict[str, list[Any]]:
    """Returns the position that the first steady picture shows, because a recording may begin in the middle of a game.

    Stalks are read by best candidate, the surest first, for as long as the set has their pieces; other readings are
    left out. A completed stalk in the middle is still to be taken, so it is left out too. The player whom the options
    name begins.
    """
    spots = [STALKS_SPOT, *[taken_spot(seat) for seat in range(seats)]]
    left: Counter[int] = Counter(dict.fromkeys(range(len(KINDS)), EACH))
    heaps: dict[Spot, list[Stalk]] = {spot: [] for spot in spots}
    sightings = [(one, spot) for spot in spots for one in seen.heaps.get(spot, ())]
    for sighting, spot in sorted(sightings, key=lambda item: -item[0].confidence):
        stalk = _left_in_set(sighting, left)
        if stalk is not None and (len(stalk) == 2 or is_complete(stalk) == (spot != STALKS_SPOT)):
            left.subtract(kinds_of(stalk))
            heaps[spot].append(stalk)
    named = [[_named(stalk) for stalk in sorted(heaps[spot])] for spot in spots]
    return {"stalks": named[0], "taken": named[1:]}


def set_out(state: IceStalksState, seen: Mapping[Spot, Sequence[Piece]]) -> IceStalksState:
    """Returns the position with these stalks in the middle and at the players' sides.

    A completed stalk that is gone from the middle was taken by the one on turn, unless the players' sides are seen. A
    rock is out of the bag for each piece that has come, and back in it for each that is gone (ICE-4).

    Raises:
        BadEvent: The set has no such pieces or rocks, or a stalk stands where it cannot be.
    """
    growing = _stalks_at(seen, STALKS_SPOT, (*state.stalks, *([] if state.done is None else [state.done])))
    taken = [_stalks_at(seen, taken_spot(seat), pile) for seat, pile in enumerate(state.taken)]
    done, turn = state.done, state.turn
    if done is not None and done in growing:
        growing.remove(done)
    elif done is not None:
        if not any(taken_spot(seat) in seen for seat in range(state.seats)):
            taken[turn].append(done)
        done, turn = None, state.next_seat
    for stalk in growing:
        if len(stalk) > 2 and is_complete(stalk):
            raise BadEvent(
                f"The stalk {describe(stalk)} is complete, so a player took it (ICE-16). Put it at that player's side, "
                "or correct its pieces."
            )
    for pile in taken:
        for stalk in pile:
            if not is_complete(stalk):
                raise BadEvent(
                    f"The stalk {describe(stalk)} has no small on top, so nobody took it (ICE-16). Put it among the "
                    "growing stalks, or correct its pieces."
                )
    then = replace(state, stalks=tuple(sorted(growing)), taken=tuple(map(tuple, taken)), turn=turn, done=done)
    return _with_rocks_for(then, state)


def _stalks_at(seen: Mapping[Spot, Sequence[Piece]], spot: Spot, stalks: Sequence[Stalk]) -> list[Stalk]:
    """Returns the stalks of a heap: those seen there, else those of the position."""
    if spot not in seen:
        return list(stalks)
    found = [stalk_in(piece) for piece in seen[spot]]
    if None in found:
        raise BadEvent("A piece that is seen there is none of the set (ICE-2). Choose another piece, or none.")
    return [stalk for stalk in found if stalk is not None]


def _with_rocks_for(then: IceStalksState, state: IceStalksState) -> IceStalksState:
    """Returns the position with the rocks in the bag adjusted for the pieces that came and went."""
    rocks, hand = [], then.hand
    before, after = (_colors_placed(one) for one in (state, then))
    for color, left in zip(RAINBOW, state.rocks, strict=True):
        more = after[color] - before[color]
        if more > 0 and hand == color:
            hand, more = None, more - 1
        if left < more:
            raise BadEvent(f"More {color} pieces are placed than there are {color} rocks (ICE-2). Correct the pieces.")
        rocks.append(min(EACH, left - more))
    return replace(then, rocks=tuple(rocks), hand=hand)


def _colors_placed(state: IceStalksState) -> Counter[str]:
    return Counter(RAINBOW[kind // len(SIZES)] for stalk in _all(state) for kind in kinds_of(stalk))


def turns(state: IceStalksState) -> dict[str, IceStalksState]:
    """Returns the position for each possible seat to move; another player draws a rock next (ICE-4, ICE-21).

    If a completed stalk is still to be taken, the only entry is the position itself (ICE-16).
    """
    seats = range(state.seats) if state.done is None else [state.turn]
    return {
        f"player {seat + 1} is on turn": state if seat == state.turn else replace(state, turn=seat, hand=None)
        for seat in seats
    }


def _left_in_set(sighting: Detection, left: Counter[int]) -> Stalk | None:
    """Returns the likeliest stalk of a sighting whose pieces are all left in the set; None if there is no such
    stalk.
    """
    for candidate in sighting.candidates:
        stalk = stalk_in(candidate.piece)
        if stalk is not None and all(left[kind] >= count for kind, count in Counter(kinds_of(stalk)).items()):
            return stalk
    return None


def _named(stalk: Stalk) -> list[str]:
    return [name(piece) for piece in pieces_of(stalk)]


def _rocks(stalks: tuple[Stalk, ...], record: PositionForm) -> tuple[int, ...]:
    """Returns the number of rocks in the bag: as given, else less one for each placed piece and for the rock in the
    hand.
    """
    if record.rocks is not None:
        return tuple(record.rocks.get(color, 0) for color in RAINBOW)
    drawn = Counter(RAINBOW[kind // len(SIZES)] for stalk in stalks for kind in kinds_of(stalk))
    if record.hand is not None:
        drawn[record.hand] += 1
    _check_colors(drawn)
    return tuple(EACH - drawn[color] for color in RAINBOW)


def _check_colors(pieces: Counter[str]) -> None:
    """Raises `BadRecord` if a color has more pieces than rocks, because each placed piece needs a rock."""
    for color, count in pieces.items():
        if count > EACH:
            raise BadRecord(f"{count} {color} pieces need as many {color} rocks, and there are {EACH} (ICE-2).")


def check(state: IceStalksState) -> None:
    """Checks a state that was read against the set and the players.

    Raises:
        BadRecord: Its parts contradict each other.
    """
    seats = state.seats
    if not 2 <= seats <= max(2, state.options.max_players):
        raise BadRecord(f"{seats} players are not 2 to {state.options.max_players} (ICE-2).")
    if state.turn >= seats:
        raise BadRecord(f"It cannot be the turn of seat {state.turn}; seats are 0 to {seats - 1}.")
    placed = Counter(kind for stalk in _all(state) for kind in kinds_of(stalk))
    for kind, count in placed.items():
        if count > EACH:
            raise BadRecord(f"The position has {count} {name(KINDS[kind])} pieces, and the set has {EACH} (ICE-2).")
    for stalk in state.stalks:
        if len(stalk) > 2 and is_complete(stalk):
            raise BadRecord(f"{stalk} has a small on top, so a player took it (ICE-16). Put it into taken.")
    for stalk in (*[one for pile in state.taken for one in pile], *([state.done] if state.done else [])):
        if not is_complete(stalk):
            raise BadRecord(f"{stalk} has no small on top, so nobody took it (ICE-16). Put it into stalks.")
    if list(state.stalks) != sorted(state.stalks):
        raise BadRecord("The stalks are not in the order of their texts. Start from a journal or a position.")
    if state.hand is not None and (state.done is not None or state.hand not in (*RAINBOW, UNKNOWN)):
        raise BadRecord("The rock in the hand is none of the set, or its stalk is completed already.")
    if state.hand == UNKNOWN and not any(state.rocks):
        raise BadRecord("A rock is in the hand, and none is left that it could be.")
    if state.hand in RAINBOW and state.rocks[RAINBOW.index(str(state.hand))] >= EACH:
        held = a_color(str(state.hand)).capitalize()
        raise BadRecord(f"{held} rock is in the hand, so the bag holds at most {EACH - 1} (ICE-2).")


def _all(state: IceStalksState) -> list[Stalk]:
    return [*state.stalks, *[stalk for pile in state.taken for stalk in pile], *([state.done] if state.done else [])]


read = reader("Ice Stalks", PositionForm, _state)
