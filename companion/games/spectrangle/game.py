"""Spectrangle as the contract's `Game`: it starts games, and reads and writes events and positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.core.capabilities import ChanceEvents, Heuristics, HiddenInformation, Horizon, Proposer
from companion.core.contract import Chance, Drawn, Event, Shown, ToDraw
from companion.core.foundation.errors import BadEvent, BadOptions
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.core.pieces import TILES, Piece, Tile
from companion.games.shared.forms.player_lines import written_out
from companion.games.shared.search.bit_sets import bits, nth
from companion.games.spectrangle import moves as notation
from companion.games.spectrangle import observation
from companion.games.spectrangle.board import ALL_BITS, EMPTY_BOARD, LIE_OF, NUMBER, SPOTS
from companion.games.spectrangle.moves import EXCHANGES, PLACES, Exchange, Pass, PlaceTile, SpectrangleEvent
from companion.games.spectrangle.options import Options as SpectrangleOptions
from companion.games.spectrangle.position import check, set_out, turns
from companion.games.spectrangle.position import read as read_position
from companion.games.spectrangle.situation import HAND
from companion.games.spectrangle.state import SpectrangleState

# Writes events in the words of a recording, which `companion watch` prints.
#
# Draws have no words here: a recording's events are what a player does to the board, and the tile that follows from the
# bag belongs to the same turn (TRI-17).


def words(state: SpectrangleState, event: Event) -> dict[str, Any] | None:
    """Returns the event in the words of a recording; None for an event that recordings leave out.

    Args:
        state: The position before the event. A placement that breaks rules scores 0 (TRI-13).
    """
    match event:
        case PlaceTile(cell=cell, tile=tile):
            lies = {"left": tile.left, "right": tile.right, "flat": tile.flat, "value": tile.value}
            points = 0 if state.violations(event) else state.line(event).points
            return {"player": state.turn, "type": "place", "cell": cell, "tile": lies, "points": points}
        case Exchange(tile=tile):
            return {"player": state.turn, "type": "exchange", "tile": None if tile is None else tile.name}
        case Pass():
            return {"player": state.turn, "type": "pass"}
    return None


def unseen(state: SpectrangleState) -> Mapping[Piece, int]:
    """Returns the tiles in the bag and the hidden ones of the hands."""
    return {TILES[number]: 1 for number in bits(state.pool)}


def outcomes(state: SpectrangleState) -> Iterable[tuple[Chance, int]]:
    """Yields the next single tile from the bag: all unseen tiles are equally likely."""
    expected = state.expects()
    if isinstance(expected, ToDraw):
        for number in bits(state.pool):
            yield Drawn(expected.seat, (TILES[number],)), 1


def determinize(state: SpectrangleState, rng: Random) -> SpectrangleState:
    """Returns the position with the hidden tiles of hands filled in from the unseen ones, all equally likely."""
    numbers = list(bits(state.pool))
    rng.shuffle(numbers)
    hands, pool = [], state.pool
    for hand, count in zip(state.hands, state.hidden, strict=True):
        filled = [numbers.pop() for _ in range(count)]
        for number in filled:
            pool &= ~(1 << number)
        hands.append(tuple(sorted((*hand, *filled))))
    return replace(state, hands=tuple(hands), hidden=(0,) * len(hands), pool=pool)


_DRAWN = tuple(tuple(Drawn(seat, (tile,)) for tile in TILES) for seat in range(4))
"""The draws of one tile, by seat and number."""


def sample(state: SpectrangleState, rng: Random) -> Chance:
    """Returns a random tile from the bag: all unseen tiles are equally likely.

    Raises:
        BadEvent: No draw is due.
    """
    due = state.expects()
    if not isinstance(due, ToDraw):
        raise BadEvent("No tile is drawn now. Make a move.")
    pool = state.pool
    return _DRAWN[due.seat][nth(pool, int(rng.random() * pool.bit_count()))]


_EVENTS_PER_TILE = 2000
"""The factor of the bound. Exchanges may go on while the only fitting tile stays in the bag. A thousand fair draws miss
one tile of 28 with a probability below 1e-15, and each exchange is two events.
"""


def _fit(seats: int, options: SpectrangleOptions) -> None:
    if options.teams and seats != 4:
        raise BadOptions(f"Teams need four players, not {seats} (TRI-6). Leave teams off.")


def _begin(seats: int, options: SpectrangleOptions) -> SpectrangleState:
    """Returns the position before the first event: the draw for the start, or the first turn if hands are unseen
    (TRI-7).
    """
    if options.hands == "unseen":
        hidden = (HAND,) * seats
        return SpectrangleState(options, EMPTY_BOARD, ((),) * seats, hidden, ALL_BITS, len(TILES) - sum(hidden), turn=0)
    return SpectrangleState(
        options, EMPTY_BOARD, ((),) * seats, (0,) * seats, ALL_BITS, len(TILES), turn=0, lots=((),) * seats
    )


def _words_of(state: SpectrangleState, event: Event) -> dict[str, Any] | None:
    """Returns the event in the words of a recording; None for a draw, which belongs to the turn before it."""
    return words(state, event)


def _bound(state: SpectrangleState) -> int:
    """Returns an upper bound for the number of events until the game ends, as long as the draws are fair."""
    return len(TILES) * (_EVENTS_PER_TILE + 2)


def _cell(data: Any) -> Any:
    """Returns the number of a cell; "c21" is also read."""
    return SPOTS.index(data) if data in SPOTS else data


def _tile(data: Any) -> Any:
    """Returns a tile object; "GYG4" gives the tile in that orientation, "??" gives None."""
    if data == notation.HIDDEN:
        return None
    if isinstance(data, str):
        tile = TILES[notation.tile_number(data)]
        edges = data.strip().upper()
        return {"type": "tile", "left": edges[0], "right": edges[1], "flat": edges[2], "value": tile.value}
    return {"type": "tile", **data} if isinstance(data, Mapping) else data


def _as_printed(event: SpectrangleEvent) -> SpectrangleEvent:
    """Returns the event with tiles off the board written as TRI-1 prints them."""
    match event:
        case PlaceTile():
            return PLACES[event.cell][event.tile.edges]
        case Exchange(tile=Tile() as tile):
            return EXCHANGES[LIE_OF[tile].number]
        case Drawn():
            return Drawn(event.seat, tuple(None if piece is None else _printed(piece) for piece in event.pieces))
        case Shown():
            return Shown(event.seat, tuple(_printed(piece) for piece in event.pieces))
    return event


def _printed(piece: Piece) -> Piece:
    return TILES[NUMBER[piece]]


SPECTRANGLE: Game[SpectrangleState] = Game.of(
    GameInfo("spectrangle", "Spectrangle", rules=1, seats=range(2, 5), seats_rule="TRI-6", Options=SpectrangleOptions),
    Positions(SpectrangleState, _begin, read_position, check, fit=_fit, bound=_bound),
    EventCodec(
        SpectrangleEvent,
        notation.text_of,
        notation.read,
        _words_of,
        plain=written_out({"cell": _cell, "tile": _tile, "pieces": _tile}),
        canonical=_as_printed,
    ),
    Capabilities(
        proposer=Proposer(infer_event=observation.infer_event, set_out=set_out, turns=turns),
        chance=ChanceEvents(outcomes=outcomes, sample=sample),
        hidden=HiddenInformation(unseen=unseen, determinize=determinize),
        heuristics=Heuristics(horizon=Horizon(turns=3)),
    ),
)
"""The game object of Spectrangle."""
