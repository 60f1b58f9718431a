"""The reading of the table while table and record disagree: spot by spot, with the ways to begin or go on from it.

The game's presenter names and draws the pieces; a piece that was read with low confidence shows its other readings.
People confirm or correct the list, and the game says whether its rules allow the position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.foundation.errors import BadEvent, BadRecord, MoveError
from companion.core.game import Game
from companion.core.layout import Detection, Spot
from companion.core.pieces import Piece
from companion.core.plan import PyramidZone
from companion.referee.journal import timeline
from companion.referee.table.agreement import Apart
from companion.referee.table.table import Table
from web.boards import NoSuchSpot, Presenter
from web.views.seat_view import piece_data

DOUBTFUL = 0.9
"""The probability below which a reading is marked and shown with its other candidates."""
POSSIBLE = 0.02
"""The probability below which another reading is not offered."""
OTHERS = 3
"""The largest number of other readings that are offered for a piece."""

Shown = Mapping[Spot, Sequence[Piece]]
"""By spot: the pieces that are there."""


def agreement_data(table: Table, presenter: Presenter) -> dict[str, Any] | None:
    """Returns the reading of the table while table and record disagree; None while they agree, or were not compared
    yet.

    Args:
        presenter: The presenter of the game.
    """
    apart = table.apart
    if apart is None or apart.seen is None or table.session.state.outcome() is not None:
        return None
    shown, problem = seen_pieces(table), ""
    state = table.session.state
    try:
        state = set_out(table, presenter, shown)
    except (MoveError, BadRecord) as error:
        problem = str(error)
    turns = turns_of(table.session.game, state)
    return {
        "number": apart.number,
        "begun": bool(table.session.steps()),
        "spots": [_spot_data(table, spot, presenter) for spot in _spots(table, apart)],
        "problem": problem,
        "turns": [{"text": text, "now": then == state} for text, then in turns.items()],
        "settable": may_be_set(table),
    }


def may_be_set(table: Table) -> bool:
    """True if a position can be set up; false if software deals."""
    return table.session.header.draws != "dealt"


def seen_pieces(table: Table) -> dict[Spot, tuple[Piece, ...]]:
    """Returns the pieces in the reading: in every heap, and in the cells that differ from the record.

    They include recorded pieces that cannot be seen, as in a nest.
    """
    apart = table.apart
    if apart is None or apart.seen is None:
        return {}
    found = {}
    for spot in _spots(table, apart):
        held = [one.piece for one in _things(apart, spot) if one.piece is not None]
        found[spot] = (*held, *apart.found.unseen.get(spot, ()))
    return found


def set_out(table: Table, presenter: Presenter, shown: Shown) -> Any:
    """Returns the position with these pieces, and everything else as in the record.

    Raises:
        MoveError: The rules do not allow the position.
        BadRecord: The position contradicts itself.
    """
    game, state = table.session.game, table.session.state
    proposer = game.proposer
    if proposer is not None and proposer.set_out is not None:
        return proposer.set_out(state, shown)
    cells = state.layout().cells
    for spot, pieces in shown.items():
        if spot not in cells or len(pieces) > 1:
            raise BadEvent("Only cells can be set up as they are seen in this game. Correct all else by hand.")
        position = presenter.position(state, spot, pieces[0] if pieces else None)
        state = table.session.timeline.book.position(position)
    return state


def position_as_seen(table: Table, presenter: Presenter, told: Shown, turn: str) -> dict[str, Any]:
    """Returns the position from which to begin or go on, in the form of a record.

    Args:
        told: The pieces that a person has corrected, by spot; all other spots are as they were read.
        turn: One of the offered `turns`; empty: the turn follows from the pieces.

    Raises:
        BadEvent: The position cannot be set up, or no such turn was offered.
        MoveError: The rules do not allow the position.
        BadRecord: The position contradicts itself.
    """
    if not may_be_set(table):
        raise BadEvent("In a game that the program deals, no position can be set up. Put the pieces as recorded.")
    shown = seen_pieces(table)
    if unknown := [spot for spot in told if spot not in table.session.state.layout().cells and spot not in shown]:
        raise BadEvent(f"Nothing is seen at {unknown[0]}. Choose a place that the picture shows.")
    state = set_out(table, presenter, {**shown, **told})
    if turn:
        turns = turns_of(table.session.game, state)
        if turn not in turns:
            raise BadEvent("It cannot be so. Choose one of the turns that are offered.")
        state = turns[turn]
    return timeline.written(state)


def turns_of(game: Game[Any], state: Any) -> Mapping[str, Any]:
    """Returns the positions by whose turn it may be, in words; empty if the table shows the turn."""
    turns = None if game.proposer is None else game.proposer.turns
    return {} if turns is None else turns(state)


def _spots(table: Table, apart: Apart) -> list[Spot]:
    """Returns the spots to show: every heap that both sides know, without dice, and each differing or doubted cell."""
    assert apart.seen is not None
    layout, found = table.session.state.layout(), apart.found
    asked = {one.spot for one in found.differences} | set(found.doubted)
    heaps = [spot for spot in layout.heaps if spot in apart.seen.heaps and spot not in found.dice]
    cells = [spot for spot in layout.cells if spot in asked]
    return [*sorted(heaps, key=lambda spot: spot not in asked), *cells]


def _things(apart: Apart, spot: Spot) -> tuple[Detection, ...]:
    """Returns the readings of a spot, without things of heaps that are probably no pieces."""
    assert apart.seen is not None
    if spot in apart.seen.cells:
        return (apart.seen.cells[spot],)
    return tuple(one for one in apart.seen.heaps[spot] if one.piece is not None)


def _spot_data(table: Table, spot: Spot, presenter: Presenter) -> dict[str, Any]:
    """Returns the data of one spot: its contents in the record and in the picture, and the difference."""
    apart, layout = table.apart, table.session.state.layout()
    assert apart is not None
    is_cell = spot in layout.cells
    expected = [layout.cells[spot].piece] if is_cell else [one.piece for one in layout.heaps[spot]]
    left = Counter(piece for piece in expected if piece is not None)
    things = []
    for number, sighting in enumerate(_things(apart, spot)):
        things.append(_thing_data(sighting, number, spot, is_cell, left, presenter))
    unseen = apart.found.unseen.get(spot, ())
    return {
        "spot": spot,
        "name": _name(spot, presenter),
        "cell": is_cell,
        "stacks": _holds_stacks(table, spot),
        "differs": any(one.spot == spot for one in apart.found.differences),
        "doubted": spot in apart.found.doubted,
        "record": [presenter.piece_name(piece) for piece in expected if piece is not None],
        "things": things,
        "unseen": [
            _piece_data(piece, presenter, f"unseen-{spot}-{i}", spot, is_cell) for i, piece in enumerate(unseen)
        ],
        "missing": [presenter.piece_name(piece) for piece in (left - Counter(unseen)).elements()],
    }


def _holds_stacks(table: Table, spot: Spot) -> bool:
    """True if each thing of a heap is a stack of pyramids."""
    zones = () if table.session.plan is None else table.session.plan.zones
    return any(isinstance(zone, PyramidZone) and zone.spot == spot and zone.kind == "stalks" for zone in zones)


def _thing_data(
    sighting: Detection, number: int, spot: Spot, is_cell: bool, left: Counter[Piece], presenter: Presenter
) -> dict[str, Any]:
    """Returns the data of one detected piece.

    Args:
        left: The recorded pieces of the spot that were not matched yet; the one that matches this piece is removed.
    """
    piece = sighting.piece
    recorded = piece is None or left[piece] > 0
    if piece is not None and recorded:
        left[piece] -= 1
    key = f"seen-{spot}-{number}"
    others = [one for one in sighting.candidates[1:] if one.probability >= POSSIBLE][:OTHERS]
    return {
        "id": sighting.place or f"{spot}#{number}",
        "piece": None if piece is None else _piece_data(piece, presenter, key, spot, is_cell),
        "doubtful": sighting.confidence < DOUBTFUL,
        "recorded": recorded,
        "others": [
            None if one.piece is None else _piece_data(one.piece, presenter, f"{key}-{i}", spot, is_cell)
            for i, one in enumerate(others)
        ],
    }


def _piece_data(piece: Piece, presenter: Presenter, name: str, spot: Spot, is_cell: bool) -> dict[str, Any]:
    return piece_data(piece, presenter, name, spot if is_cell else None)


def _name(spot: Spot, presenter: Presenter) -> str:
    try:
        return presenter.spot_name(spot)
    except NoSuchSpot:
        return spot
