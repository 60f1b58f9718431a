"""The effect of a move that is not made: where a piece may go, why not elsewhere, and the changes of a correction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from companion.core.contract import Move, Seat, ToMove, Violation, seats_due
from companion.core.layout import Spot
from companion.core.pieces import Piece
from companion.referee.journal.timeline import Timeline
from companion.referee.matching import seat_of
from companion.referee.table.table import Table
from web.boards import Presenter
from web.http.answers import BadBody
from web.privacy.secrecy import held_in_hands, legal
from web.scene.marks import Marks
from web.scene.shape import BoardFrame
from web.scene.svg import tree
from web.views.alert_view import breach_data
from web.views.row_view import new_lines
from web.views.seat_view import piece_data, signs_of


def way_data(table: Table, state: Any, move: Move, presenter: Presenter, name: str) -> dict[str, Any]:
    """Returns a legal move with the points that it would bring, and their reasons."""
    seat = seat_of(state, move)
    points, lines = _gain(state, state.apply(move), seat)
    aim = presenter.aim(move)
    piece = presenter.laid(move)
    return {
        "event": msgspec.to_builtins(move),
        "text": table.session.game.text(move),
        "piece": aim.piece,
        "spot": aim.spot,
        "points": points,
        "reason": " ".join(line["text"] for line in lines),
        "lines": lines,
        "lies": None if piece is None else piece_data(piece, presenter, name, aim.spot),
    }


def _gain(before: Any, after: Any, seat: Seat) -> tuple[int, list[dict[str, Any]]]:
    gained = after.scores()[seat].total - before.scores()[seat].total
    lines = new_lines(before, after, seat)
    return gained, [{"points": line.points, "rule": line.rule, "text": line.text} for line in lines]


def moves_data(
    table: Table, state: Any, code: str | None, presenter: Presenter, last: frozenset[Spot]
) -> dict[str, Any]:
    """Returns where the seat to move may put a piece, with the best points by spot, and a board that shows them.

    Args:
        state: The position as the asking person may know it.
    """
    if code is not None:
        code = presenter.aim_code(code)
    best: dict[Spot, int] = {}
    ways = 0
    # An unknown hand may have more moves than can be listed, and cards of a hand go to no spot.
    for move in () if held_in_hands(table) else legal(table, state):
        aim = presenter.aim(move)
        if aim.spot is None or (code is not None and aim.piece != code):
            continue
        ways += 1
        seat = seat_of(state, move)
        gained = state.apply(move).scores()[seat].total - state.scores()[seat].total
        best[aim.spot] = max(gained, best.get(aim.spot, gained))
    marks = Marks(legal={spot: str(points) for spot, points in best.items()}, last=last, signs=signs_of(table))
    title = f"{table.session.game.title} board"
    board = presenter.board(state, marks, BoardFrame(name="board", title=title, names=table.session.names))
    # The list begins with the best place only if the table allows hints.
    ranked = sorted(best.items(), key=lambda pair: (-pair[1] if table.session.hints else 0, pair[0]))
    return {
        "seq": table.session.seq,
        "piece": code,
        "ways": ways,
        "spots": [{"spot": spot, "name": presenter.spot_name(spot), "points": points} for spot, points in ranked],
        "board": tree(board),
    }


def why_data(table: Table, state: Any, spot: Spot, code: str | None, presenter: Presenter) -> dict[str, Any]:
    """Judges whether a piece may go on a spot: returns every legal way with its points, or the rules against it.

    Args:
        state: The position as the asking person may know it.
    """
    lying = presenter.holds(state, spot)
    data: dict[str, Any] = {
        "seq": table.session.seq,
        "spot": spot,
        "name": presenter.spot_name(spot),
        "holds": None if lying is None else piece_data(lying, presenter, "holds", spot),
        "row": presenter.origin(table.session.timeline, spot),
        "ways": [],
        "breaches": [],
        "sentence": "",
    }
    expects = state.expects()
    if not isinstance(expects, ToMove):
        data["sentence"] = "No move is due now."
        return data
    trials = presenter.trials(state, spot, code)
    allowed = [move for move in trials if not state.violations(move)]
    ways = [way_data(table, state, move, presenter, f"way{i}") for i, move in enumerate(allowed[:60])]
    ways.sort(key=lambda way: -way["points"])
    data["ways"] = ways
    who = " or ".join(table.session.names[seat] for seat in expects.seats)
    what = f"lay {code}" if code else "play"
    if allowed:
        count = "1 way" if len(allowed) == 1 else f"{len(allowed)} ways"
        data["sentence"] = f"{who} may {what} here: {count}."
    else:
        data["sentence"] = f"{who} may not {what} here."
        data["breaches"] = [
            breach_data(breach, table.session.game.name)
            for breach in _distinct(state.violations(move) for move in trials)
        ]
    return data


def _distinct(found: Iterable[tuple[Violation, ...]]) -> list[Violation]:
    """Returns the first reason of each trial, each rule once, in the order of the trials."""
    first: dict[str, Violation] = {}
    for breaches in found:
        for breach in breaches[:1]:
            first.setdefault(breach.rule, breach)
    return list(first.values())


def correction_data(
    table: Table,
    timeline: Timeline,
    spot: Spot,
    piece: Piece | None,
    presenter: Presenter,
    *,
    set_up: bool = False,
    seat: Seat | None = None,
) -> dict[str, Any]:
    """Returns the change if `piece` (or nothing) really is on `spot`, and the request that would make it.

    There are three cases: a move was read wrongly (its row is corrected), a move was missed (it is played now), or a
    piece is gone or has been there from the start (the position is set up).

    Args:
        set_up: True to set the position up in any case.
        seat: The asking seat; None: the public.

    Raises:
        BadBody: The record already has that on the spot.
        MoveError: The rules refuse the change; the message says which row no longer fits.
    """
    state = timeline.state
    lying = presenter.holds(table.session.game.view(state, seat), spot)
    if lying == piece:
        raise BadBody("The record has that on this spot already. Choose something else.")
    row = presenter.origin(timeline, spot) if lying is not None else None
    step = next((step for step in timeline.steps() if step.n == row), None)
    event = presenter.moved(step.event, spot, piece) if step is not None and step.event and piece is not None else None
    if event is not None and row is not None and not set_up:
        then = timeline.correct(row, event)
        does = (
            f"Row {row} is corrected: {table.session.game.text(event)} instead of {table.session.rows()[row - 1].text}."
        )
        request = {"n": row, "event": msgspec.to_builtins(event)}
        return _change(table, state, then.state, spot, piece, presenter, "correct", does, request, seat)
    if lying is None and piece is not None and isinstance(state.expects(), ToMove) and not set_up:
        event = presenter.placing(state, spot, piece)
        who = table.session.names[seat_of(state, event)]
        does = f"{who} {presenter.sentence(event)}: a move that the camera missed."
        return _change(
            table,
            state,
            state.apply(event),
            spot,
            piece,
            presenter,
            "play",
            does,
            {"event": msgspec.to_builtins(event)},
            seat,
        )
    if piece is None and row is not None and row == _last_counting(timeline) and not set_up:
        before = timeline.at(row).before
        to = 0 if before is None else before.n
        does = f"Row {row} is undone: {table.session.rows()[row - 1].text}."
        return _change(table, state, timeline.undo(to).state, spot, piece, presenter, "undo", does, {"to": to}, seat)
    position = presenter.position(state, spot, piece)
    then_state = timeline.book.position(position)
    does = "The position is set up with this change. Points of earlier moves stay as they are."
    # The request does not have the whole position, which could reveal what the asking person must not know.
    request = {"spot": spot, "piece": "" if piece is None else presenter.piece_code(piece)}
    return _change(table, state, then_state, spot, piece, presenter, "position", does, request, seat)


def _last_counting(timeline: Timeline) -> int | None:
    return timeline.tip.n if timeline.tip is not None else None


def _change(
    table: Table,
    before: Any,
    after: Any,
    spot: Spot,
    piece: Piece | None,
    presenter: Presenter,
    kind: str,
    does: str,
    request: dict[str, Any],
    seat: Seat | None,
) -> dict[str, Any]:
    scores = [
        f"{name}: {was.total} becomes {now.total}"
        for name, was, now in zip(table.session.names, before.scores(), after.scores(), strict=True)
        if was.total != now.total
    ]
    turn = _turn(table, after)
    marks = Marks(changed=frozenset((spot,)), signs=signs_of(table))
    frame = BoardFrame("correction", "The board after it", live=False, names=table.session.names)
    board = presenter.board(table.session.game.view(after, seat), marks, frame)
    return {
        "seq": table.session.seq,
        "spot": spot,
        "name": presenter.spot_name(spot),
        "piece": None if piece is None else presenter.piece_code(piece),
        "kind": kind,
        "does": does,
        "changes": [*(scores or ["No score changes."]), *([turn] if turn != _turn(table, before) else [])],
        "request": request,
        "board": tree(board),
    }


def _turn(table: Table, state: Any) -> str:
    seats = seats_due(state.expects())
    if not seats:
        return "The game is over."
    return "Next: " + " or ".join(table.session.names[seat] for seat in seats) + "."
