"""Reads any position from the JSON form of docs/records.md.

Everything has a default, so `{"hands": [["GGY4", ...], ...], "to_move": 0}` is a fresh board with known hands. Tiles
that are named neither on the board nor in a hand are in the bag.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core.foundation.errors import BadNotation, BadRecord
from companion.core.layout import Spot
from companion.core.pieces import TILES, Piece, Tile
from companion.games.shared.forms.position_form import reader
from companion.games.shared.search.bit_sets import mask_of
from companion.games.spectrangle.board import (
    ALL_BITS,
    CELLS,
    EMPTY,
    EMPTY_BOARD,
    LIES,
    NAMES,
    SPOTS,
    UNKNOWN,
    letters_on,
    with_tile,
)
from companion.games.spectrangle.moves import HIDDEN, tile_number
from companion.games.spectrangle.options import Options
from companion.games.spectrangle.situation import HAND, Situation
from companion.games.spectrangle.state import SpectrangleState

# Checks that play can lead to a state from JSON.
#
# Decoding has checked the types; here the fields are compared with each other, so that no later code meets a tile twice
# or a seat that does not exist.


def check(state: Situation) -> None:
    """Checks that the fields agree with each other.

    Raises:
        BadRecord: They do not; the message names the first field.
    """
    fault = _seats(state) or _board_soundness(state) or _tiles(state)
    if fault:
        raise BadRecord(f"This is not a state of Spectrangle: {fault}")


def _seats(state: Situation) -> str:
    seats = state.seats
    if not 2 <= seats <= 4:
        return f"it has {seats} hands."
    if len(state.hidden) != seats or len(state.lots) not in (0, seats) or len(state.brought) not in (0, seats):
        return "hands, hidden, lots and brought are of different lengths."
    if state.turn >= seats or any(laid.seat >= seats for laid in state.laid):
        return "it names a seat that nobody has."
    if state.options.teams and seats != 4:
        return "teams need four seats."
    if any(state.size(seat) > HAND for seat in range(seats)):
        return f"a hand holds more than {HAND} tiles."
    return ""


def _board_soundness(state: Situation) -> str:
    if len(state.board) != len(EMPTY_BOARD):
        return f"its board has {len(state.board)} letters, not {len(EMPTY_BOARD)}."
    for cell in range(CELLS):
        letters = letters_on(state.board, cell)
        if letters not in LIES and letters != EMPTY * 3:
            return f"c{cell} holds {letters}, which is no tile."
    if len({laid.cell for laid in state.laid}) != len(state.laid):
        return "a cell scores twice."
    if any(letters_on(state.board, laid.cell) == EMPTY * 3 for laid in state.laid):
        return "an empty cell scores."
    return ""


def _tiles(state: Situation) -> str:
    known = [number for hand in (*state.hands, *state.lots) for number in hand]
    if state.aside not in (None, UNKNOWN):
        known.append(state.aside)
    on_board = {LIES[letters_on(state.board, cell)].number for cell in range(CELLS) if state.board[3 * cell] != EMPTY}
    if len(set(known)) != len(known) or on_board & set(known):
        return "a tile is in two places."
    if state.pool & mask_of((*on_board, *known)):
        return "a tile is in two places."
    if any(list(hand) != sorted(hand) for hand in state.hands):
        return "the tiles of a hand are not in rising order."
    if state.bag + sum(state.hidden) > state.pool.bit_count():
        return "bag and hidden tiles are more than the tiles that are unseen."
    return ""


_CellTile = str | Mapping[str, Any] | None


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in its written form."""

    board: Mapping[str, _CellTile] | tuple[_CellTile, ...] = ()
    """Tiles by cell name ("c21"), or all 36 in order: the three letters left, right, flat, or a tile object; null is
    empty.
    """
    hands: tuple[tuple[str, ...] | None, ...] = ()
    """For each seat, names of tiles, "??" for an unknown one; null is a hand that is not known."""
    to_move: Annotated[int, Meta(ge=0, le=3)] = 0
    bag: Annotated[int, Meta(ge=0, le=36)] | tuple[str, ...] | None = None
    """The number of tiles in the bag, or the tiles; in the second case unnamed tiles are out of the game."""
    scores: tuple[int, ...] = ()
    """The scores of each seat, or of each team."""
    passes: Annotated[int, Meta(ge=0, le=100)] = 0
    """The number of passes in a row just before."""


def _state(seats: int, options: Options, form: PositionForm) -> SpectrangleState:
    if form.to_move >= seats:
        raise BadRecord(f"to_move is {form.to_move}, but the seats are 0 to {seats - 1}.")
    board, where = _board(form.board)
    hands, hidden = _hands(form, seats, where)
    rest = ALL_BITS & ~mask_of(tuple(where))
    inside = rest
    if isinstance(form.bag, tuple):
        inside = mask_of(tuple(_numbered(name, where, "the bag") for name in form.bag))
    bag = inside.bit_count() if isinstance(form.bag, tuple) else form.bag
    hidden = _filled(form, options, hands, hidden, rest.bit_count() - (bag or 0))
    if bag is None:
        bag = rest.bit_count() - sum(hidden)
    elif bag + sum(hidden) > rest.bit_count():
        raise BadRecord(
            f"The bag cannot hold {bag} tiles: {rest.bit_count()} lie neither on the board nor in a known hand, and "
            f"{sum(hidden)} of them are in hands. Check board, hands and bag."
        )
    elif not any(hidden) and bag == 0:
        inside = 0
    elif not any(hidden) and bag < inside.bit_count():
        raise BadRecord(f"The bag holds {bag} of {rest.bit_count()} tiles that lie nowhere else; name them in a list.")
    return SpectrangleState(
        options,
        board,
        hands,
        hidden,
        rest if any(hidden) else inside,
        bag,
        form.to_move,
        form.passes,
        form.passes,
        brought=_scores(form.scores, seats, options),
    )


def _numbered(name: str, where: dict[int, str], place: str) -> int:
    """Returns the tile's number, noted as lying at `place`."""
    try:
        tile = tile_number(name)
    except BadNotation as error:
        raise BadRecord(f"In {place}: {error}") from error
    if tile in where:
        raise BadRecord(f"{NAMES[tile]} is in {where[tile]} and in {place}; the set has it once.")
    where[tile] = place
    return tile


def _board(cells: Mapping[str, _CellTile] | tuple[_CellTile, ...]) -> tuple[str, dict[int, str]]:
    if not isinstance(cells, Mapping):
        if cells and len(cells) != CELLS:
            raise BadRecord(f"The board has {len(cells)} entries; give all {CELLS} cells, or name them as in c21.")
        cells = {SPOTS[cell]: tile for cell, tile in enumerate(cells)}
    board = EMPTY_BOARD
    where: dict[int, str] = {}
    for spot, tile in cells.items():
        if spot not in SPOTS:
            raise BadRecord(f'"{spot}" is no cell; the cells are c0 to c{CELLS - 1}.')
        if tile is None:
            continue
        text = tile if isinstance(tile, str) else _letters(spot, tile)
        _numbered(text, where, f"cell {spot}")
        board = with_tile(board, SPOTS.index(spot), LIES[text.strip().upper()[:3]].letters)
    return board, where


def _letters(spot: str, tile: Mapping[str, Any]) -> str:
    try:
        seen = msgspec.convert({"type": "tile", **tile}, Tile)
    except msgspec.ValidationError as error:
        raise BadRecord(f"On {spot}: {error}. A tile has left, right, flat and value.") from error
    return seen.name


def _hands(
    form: PositionForm, seats: int, where: dict[int, str]
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    if form.hands and len(form.hands) != seats:
        raise BadRecord(f"The position has {len(form.hands)} hands for {seats} players.")
    hands, hidden = [], []
    for seat, hand in enumerate(form.hands or (None,) * seats):
        names = hand or ()
        if len(names) > HAND:
            raise BadRecord(f"Hand {seat} has {len(names)} tiles; a hand has at most {HAND}.")
        known = [_numbered(name, where, f"hand {seat}") for name in names if name.strip() != HIDDEN]
        hands.append(tuple(sorted(known)))
        hidden.append(len(names) - len(known))
    return tuple(hands), tuple(hidden)


def _filled(
    form: PositionForm, options: Options, hands: tuple[tuple[int, ...], ...], hidden: tuple[int, ...], spare: int
) -> tuple[int, ...]:
    """Returns the number of hidden tiles of each seat: unnamed and unseen hands are full.

    `spare` is the number of tiles that may lie in hands unseen; the seat to move is filled up first.
    """
    seats = len(hands)
    given = form.hands or (None,) * seats
    filled = list(hidden)
    for step in range(seats):
        seat = (form.to_move + step) % seats
        if given[seat] is None or options.hands == "unseen":
            filled[seat] += max(min(HAND - len(hands[seat]) - filled[seat], spare - sum(filled)), 0)
    return tuple(filled)


def _scores(scores: tuple[int, ...], seats: int, options: Options) -> tuple[int, ...]:
    if options.teams and len(scores) == 2:
        return scores * 2
    if scores and len(scores) != seats:
        raise BadRecord(f"The position has {len(scores)} scores for {seats} players.")
    if options.teams and scores and scores[:2] != scores[2:]:
        raise BadRecord("Partners (seats 0 and 2, seats 1 and 3) share one score; give both the same, or two scores.")
    return scores if any(scores) else ()


read = reader("Spectrangle", PositionForm, _state)


def set_out(state: SpectrangleState, seen: Mapping[Spot, Sequence[Piece]]) -> SpectrangleState:
    """Returns the position with these tiles on these cells and in these hands; all other tiles are in the bag.

    A tile that lies on the board leaves the hand that held it. Points of earlier moves stay as they are.

    Raises:
        BadRecord: A tile would lie in two places, or a hand would hold too many.
    """
    board: dict[str, str] = {}
    for cell, spot in enumerate(SPOTS):
        letters = letters_on(state.board, cell)
        tiles = [one.edges for one in seen[spot] if isinstance(one, Tile)] if spot in seen else [letters]
        if tiles and tiles[0] != EMPTY * 3:
            board[spot] = tiles[0]
    laid = {LIES[letters].number for letters in board.values()}
    hands: list[list[str]] = []
    for seat, held in enumerate(state.lots or state.hands):
        shown = seen.get(f"seat{seat}.hand")
        numbers = held if shown is None else [LIES[one.edges].number for one in shown if isinstance(one, Tile)]
        hands.append([NAMES[number] for number in numbers if number not in laid or shown is not None])
    spare = len(TILES) - len(laid) - sum(map(len, hands))
    for seat, hidden in enumerate(state.hidden):
        unseen = 0 if f"seat{seat}.hand" in seen else max(0, min(hidden, spare))
        hands[seat] += [HIDDEN] * unseen
        spare -= unseen
    return _written_back(state, {"board": board, "hands": hands})


def turns(state: SpectrangleState) -> dict[str, SpectrangleState]:
    """Returns the position for each seat that may be to move (TRI-15); only itself while the start is drawn for
    (TRI-7).
    """
    seats = [state.turn] if state.lots else range(state.seats)
    return {
        f"player {seat + 1} is on turn": state
        if seat == state.turn
        else replace(state, turn=seat, passes=0, aside=None)
        for seat in seats
    }


def _written_back(state: SpectrangleState, changed: Mapping[str, Any]) -> SpectrangleState:
    """Returns the position with parts of its written form changed."""
    scores = [score.total for score in state.scores()]
    form = {"to_move": state.turn, "scores": scores, "passes": state.passes, **changed}
    return read(state.seats, state.options, form).checked(check)
