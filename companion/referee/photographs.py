"""Judges photographs by the rules: it makes a report for each kind of pieces, from readings that people may have
corrected.

A reading is the answer of a photograph reader, in the words of the labeled picture set. It comes back from the page
after corrections, so it is checked like any input from outside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

from msgspec import Struct

from companion.core.foundation.errors import BadRecord, CompanionError
from companion.core.pieces import PRIMARIES, PYRAMID_COLORS, PYRAMID_SIZES, WHEEL, Pyramid
from companion.games import GAMES
from companion.games.ice_stalks.growth import KIND, RAINBOW, is_complete, is_solid, shape, stalk_of
from companion.games.ice_stalks.scoring import SOLID_SET, line
from companion.games.ice_stalks.violations import misfits
from companion.games.roll_and_color.moves import DICE
from companion.games.roll_and_color.sheet import ROWS, met
from companion.games.shared.search.bit_sets import bits
from companion.games.spectra.exchanges import yields
from companion.games.spectra.stash import KINDS, TREE_COLORS, TREES
from companion.games.spectrangle.board import BONUS, LIES, SPOTS
from companion.games.spectrangle.moves import PlaceTile
from companion.games.spectrangle.options import Options
from companion.games.spectrum.board import JUMPS, NAMES, SPACE, STARS, STEP
from companion.games.spectrum.options import PAWNS


class Note(Struct, frozen=True):
    """One sentence about a photograph."""

    text: str
    rule: str = ""
    where: str = ""
    """The spot to which the sentence refers; empty: the whole photograph."""
    broken: bool = False
    """True if the photograph breaks the rule."""
    points: int | None = None


class Turn(Struct, frozen=True):
    """The turn between two photographs."""

    seat: int
    text: str
    points: int | None
    """The points of the turn; None if the photographs do not show them."""


class PhotoReport(Struct, frozen=True):
    """The notes, turns and totals of a series of photographs."""

    notes: tuple[Note, ...]
    """The notes on the last photograph."""
    turns: tuple[Turn, ...] = ()
    totals: tuple[int, ...] = ()
    """The totals of the turns by seat; empty if there are no turns."""
    position: Mapping[str, Any] | None = None
    """The last photograph as a position from which a game can go on; None if there is none."""
    options: Mapping[str, Any] = {}
    """The options of a game from that position."""


def dice_report(readings: Sequence[Mapping[str, Any]], seats: int) -> PhotoReport:
    """Returns the best cell of each row for the last roll, the most points first."""
    faces = [str(die["face"]) for die in readings[-1]["dice"] if die["kind"] != "pips-d6"]
    if any(face not in WHEEL for face in faces):
        raise BadRecord("A die shows none of the twelve colors. Correct it.")
    shown = ", ".join(sorted(faces, key=WHEEL.index)) or "no dice"
    if len(faces) != DICE:
        text = (
            f"{len(faces)} color dice are seen ({shown}); a roll has nine. Correct the reading or take another photo."
        )
        return PhotoReport((Note(text, "ROL-1", broken=True),))
    notes = []
    for row, cells in zip(ROWS, met(tuple(WHEEL.index(face) for face in faces)), strict=True):
        if cells:
            best = max(cells, key=lambda cell: row.points[cell - 1])
            points = row.points[best - 1]
            notes.append(Note(f"{row.name}, {row.cells[best - 1]}: {points}", row.rule, row.name, points=points))
    notes.sort(key=lambda note: -(note.points or 0))
    return PhotoReport((Note(f"The roll: {shown}.", "ROL-1"), *notes))


def pawn_report(readings: Sequence[Mapping[str, Any]], seats: int) -> PhotoReport:
    """Returns each pawn of the last photograph with its next spaces; the roll decides which of them are open
    (BRD-14).
    """
    pawns: dict[str, str] = {}
    for pawn in readings[-1]["pawns"]:
        spot = f"{pawn['path']}.{int(pawn['space'])}"
        if spot not in SPACE or pawn["color"] not in PRIMARIES:
            raise BadRecord("A pawn is not on the board, or does not have one of the six colors. Correct it.")
        if spot in pawns:
            raise BadRecord(f"Two pawns stand on {NAMES[SPACE[spot]]}. Correct one of them (BRD-16).")
        pawns[spot] = pawn["color"]
    taken = {SPACE[spot]: color for spot, color in pawns.items()}
    notes = [_note(spot, color, taken) for spot, color in pawns.items()]
    stars = Counter(color for space, color in taken.items() if STARS >> space & 1)
    notes += [Note(f"{color} holds {count} of the color stars.", "BRD-25") for color, count in stars.items()]
    colors = tuple(sorted(set(pawns.values()), key=PRIMARIES.index))
    for color, count in Counter(pawns.values()).items():
        if count > PAWNS:
            notes.append(Note(f"There are {count} {color} pawns; a color has ten.", "BRD-5", broken=True))
    playing = (*colors, *(color for color in PRIMARIES if color not in colors))[: max(seats, len(colors), 2)]
    sound = len(playing) == seats and not any(note.broken for note in notes)
    return PhotoReport(
        tuple(notes), position={"pawns": pawns} if sound else None, options={"colors": ",".join(playing)}
    )


def _note(spot: str, color: str, taken: Mapping[int, str]) -> Note:
    space = SPACE[spot]
    if STARS >> space & 1:
        return Note(f"{color} has captured {NAMES[space]}.", "BRD-25", spot)
    steps = sorted(NAMES[to] for to in bits(STEP[space]) if taken.get(to) != color)
    jumps = {
        NAMES[to]
        for over, landings in JUMPS[space]
        if (jumped := over.bit_length() - 1) in taken and taken[jumped] != color
        for to in bits(landings)
        if taken.get(to) != color
    }
    text = f"{color} on {NAMES[space]}: by one step to {', '.join(steps) or 'nowhere'}"
    if jumps:
        text += f"; by a jump to {', '.join(sorted(jumps))}"
    return Note(f"{text}.", "BRD-14", spot)


def stalk_report(readings: Sequence[Mapping[str, Any]], seats: int) -> PhotoReport:
    """Returns the points of every complete stalk in the last photograph, and their sum (ICE-18, ICE-19)."""
    notes, points = [], 0
    solids = set()
    for stack in _stacks(readings[-1]):
        named = " ".join(f"{piece.color} {piece.size}" for piece in stack)
        fault = _stalk_fault(stack)
        if fault is not None:
            rule, why = fault
            notes.append(Note(f"{named}: {why}", rule, broken=True))
            continue
        stalk = stalk_of(stack)
        if not is_complete(stalk):
            notes.append(Note(f"{named}: not complete, no points.", "ICE-17", points=0))
            continue
        scored = line(stalk)
        points += int(scored.points)
        if is_solid(stalk):
            solids.add(stack[0].color)
        notes.append(Note(f"{named}: {scored.points}.", scored.rule, points=int(scored.points)))
    if len(solids) == len(RAINBOW):
        points += SOLID_SET - len(RAINBOW)
        notes.append(Note("Solid stalks of all seven colors: 15 in all.", "ICE-19"))
    return PhotoReport((Note(f"All complete stalks together: {points} points.", "ICE-18", points=points), *notes))


def _stalk_fault(stack: Sequence[Pyramid]) -> tuple[str, str] | None:
    """Returns the rule and the reason why a stack is not a stalk (ICE-2, ICE-5, ICE-7 to ICE-11); None if it is one."""
    if any(piece not in KIND for piece in stack):
        return "ICE-2", "The set has no such piece."
    if stack[0].size != "large":
        return "ICE-5", "A base is a large."
    for number, piece in enumerate(stack[1:], 1):
        wrong = misfits(shape(stalk_of(stack[:number])), piece)
        if wrong:
            return wrong[0]
    return None


def tree_report(readings: Sequence[Mapping[str, Any]], seats: int) -> PhotoReport:
    """Returns, by color, the complete trees and a possible win, and the exchanges that pieces of other colors allow."""
    pieces = [piece for stack in _stacks(readings[-1]) for piece in stack]
    pieces += [Pyramid(str(one["color"]), str(one["size"])) for one in readings[-1].get("lying", ())]
    counts = Counter(piece for piece in pieces if piece in KINDS)
    notes = [
        Note(f"{piece.color} {piece.size}: Spectra has no such piece.", "SPA-1", piece.color, broken=True)
        for piece in dict.fromkeys(pieces)
        if piece not in KINDS
    ]
    for color in TREE_COLORS:
        sizes = [counts[Pyramid(color, size)] for size in PYRAMID_SIZES]
        if any(sizes):
            trees = min(sizes)
            won = trees >= TREES
            text = f"{color}: {trees} complete trees of three" + (", which wins." if won else ".")
            notes.append(Note(text, "SPA-25", color, points=trees))
    return PhotoReport((*notes, *_exchanges(counts)))


def _exchanges(counts: Mapping[Pyramid, int]) -> list[Note]:
    """Returns the exchanges that two different visible pieces allow by their colors and sizes (SPA-14 to SPA-17)."""
    found: dict[str, set[str]] = {}
    there = sorted((piece for piece in counts if counts[piece]), key=lambda piece: (piece.color, piece.size))
    for one, other in combinations(there, 2):
        for gained in yields(one, other):
            found.setdefault(f"{gained.color} {gained.size}", set()).add(
                f"{one.color} {one.size} and {other.color} {other.size}"
            )
    return [
        Note(f"{gained} for {'; or '.join(sorted(given)[:3])}.", "SPA-14", gained)
        for gained, given in sorted(found.items())
    ]


def _stacks(reading: Mapping[str, Any]) -> list[list[Pyramid]]:
    stacks = [[Pyramid(str(one["color"]), str(one["size"])) for one in stack["pieces"]] for stack in reading["stacks"]]
    for piece in (piece for stack in stacks for piece in stack):
        if piece.color not in PYRAMID_COLORS or piece.size not in PYRAMID_SIZES:
            raise BadRecord(f"There is no {piece.color[:20]} {piece.size[:20]} pyramid. Correct it.")
    return [stack for stack in stacks if stack]


_GAME = GAMES["spectrangle"]
_OPTIONS = {"hands": "unseen"}
_AT_ONCE = 3
"""The largest number of new tiles in one photograph for which every order is tried."""

Board = dict[int, str]
"""The letters of the tiles by cell."""


def tile_report(readings: Sequence[Mapping[str, Any]], seats: int) -> PhotoReport:
    """Returns the notes on the last board, the turns between the boards, and the totals."""
    boards = [_board(reading) for reading in readings]
    notes = _notes(boards[-1], seats)
    turns: list[Turn] = []
    seat, before = 0, Board()
    for number, board in enumerate(boards):
        if number == 0 and len(board) != 1:
            before = board  # a game that is under way: the tiles that are already there score for no player
            continue
        turn = _turn(before, board, seat, seats)
        turns.append(turn)
        seat, before = (seat + 1) % seats, board
    totals = [0] * seats
    for turn in turns:
        totals[turn.seat] += turn.points or 0
    position = {
        "board": {SPOTS[cell]: letters for cell, letters in boards[-1].items()},
        "to_move": seat,
        "scores": totals,
    }
    sound = _position(boards[-1], seats) is not None
    return PhotoReport(
        tuple(notes), tuple(turns), tuple(totals) if turns else (), position if sound else None, dict(_OPTIONS)
    )


def _board(reading: Mapping[str, Any]) -> Board:
    cells = reading["cells"]
    if len(cells) != len(SPOTS):
        raise BadRecord(f"A board has {len(SPOTS)} cells, not {len(cells)}. Take the photograph again.")
    board = Board()
    for cell, tile in enumerate(cells):
        if tile is not None:
            letters = f"{tile['left']}{tile['right']}{tile['flat']}"
            if letters not in LIES:
                raise BadRecord(f"{SPOTS[cell]} cannot hold {letters[:9]}, which is no tile. Correct it.")
            board[cell] = LIES[letters].letters
    return board


def _position(board: Board, seats: int) -> Any | None:
    """Returns the state with this board and unseen hands; None if the board is impossible."""
    plain = {"board": {SPOTS[cell]: letters for cell, letters in board.items()}, "to_move": 0}
    try:
        return _GAME.from_record(seats, Options(hands="unseen"), plain)
    except CompanionError:
        return None


def _notes(board: Board, seats: int) -> list[Note]:
    """Returns a sentence for each tile, or only for the tiles that are there twice."""
    notes = []
    where: dict[int, int] = {}
    for cell, letters in board.items():
        tile = LIES[letters].number
        if tile in where:
            text = f"{LIES[letters].name} lies on {SPOTS[where[tile]]} and on {SPOTS[cell]}; the set has it once."
            notes.append(Note(text, "TRI-1", SPOTS[cell], broken=True))
        where[tile] = cell
    if notes:
        return notes
    for cell, letters in board.items():
        rest = {other: there for other, there in board.items() if other != cell}
        state = _position(rest, seats)
        name = f"{LIES[letters].name} on {SPOTS[cell]}"
        # The first tile of the game had no neighbors; it is judged as if it came last.
        broken = () if state is None else state.violations(PlaceTile(cell, LIES[letters].tile))
        if broken:
            notes += [Note(f"{name}: {one.text}", one.rule, SPOTS[cell], broken=True) for one in broken[:1]]
        else:
            notes.append(Note(f"{name} may lie there.", "TRI-11" if rest else "TRI-8", SPOTS[cell]))
    if len(board) > 1 and not any(note.broken for note in notes) and not _reachable(board, seats):
        notes.append(
            Note("No order of play leads to this board from a first tile on a plain cell.", "TRI-8", broken=True)
        )
    return notes


def _reachable(board: Board, seats: int) -> bool:
    """True if the tiles can have been placed one after the other, each legally."""
    for first in board:
        if first in BONUS:
            continue
        laid, left = {first: board[first]}, {cell: there for cell, there in board.items() if cell != first}
        grown = True
        while left and grown:
            state = _position(laid, seats)
            grown = False
            for cell, letters in list(left.items()):
                if state is not None and not state.violations(PlaceTile(cell, LIES[letters].tile)):
                    laid[cell] = left.pop(cell)
                    grown = True
                    break
        if not left:
            return True
    return False


def _turn(before: Board, after: Board, seat: int, seats: int) -> Turn:
    who = f"Player {seat + 1}"
    gone = sorted(cell for cell, letters in before.items() if after.get(cell) != letters)
    if gone:
        spots = ", ".join(SPOTS[cell] for cell in gone)
        return Turn(seat, f"{who}: the tiles on {spots} are gone (TRI-13).", None)
    new = [cell for cell in after if cell not in before]
    if not new:
        return Turn(seat, f"{who} placed nothing.", 0)
    if len(new) > _AT_ONCE:
        return Turn(seat, f"{who}: {len(new)} tiles have come. Take a photo after each turn.", None)
    found = {points for order in permutations(new) if (points := _points(before, after, order, seats)) is not None}
    named = " and ".join(f"{LIES[after[cell]].name} on {SPOTS[cell]}" for cell in new)
    if not found:
        return Turn(seat, f"{who}: {named} is not allowed.", 0)
    if len(new) > 1:
        open_points = " or ".join(str(points) for points in sorted(found))
        return Turn(seat, f"{who}: {named} have come, for {open_points} points together.", None)
    return Turn(seat, f"{who}: {named}.", found.pop())


def _points(before: Board, after: Board, order: Sequence[int], seats: int) -> int | None:
    """Returns the points of new tiles in this order; None if one of them is illegal."""
    board, total = dict(before), 0
    for cell in order:
        state = _position(board, seats)
        move = PlaceTile(cell, LIES[after[cell]].tile)
        if state is None or state.violations(move):
            return None
        total += state.apply(move).scores()[0].total
        board[cell] = after[cell]
    return total


__all__ = ["DOMAINS", "LONGEST_ROW", "Note", "PhotoReport", "Turn", "report_on"]

Reading = Mapping[str, Any]
_REPORTS: Mapping[str, Callable[[Sequence[Reading], int], PhotoReport]] = {
    "spectrangle": tile_report,
    "roll-and-color": dice_report,
    "spectrum": pawn_report,
    "ice-stalks": stalk_report,
    "spectra": tree_report,
}
DOMAINS: Mapping[str, str] = {
    "spectrangle": "spectrangle",
    "roll-and-color": "dice",
    "spectrum": "spectrum",
    "ice-stalks": "pyramids",
    "spectra": "pyramids",
}
"""The kind of pieces that a photograph of each game shows."""
LONGEST_ROW = 40
"""The largest number of photographs of one game; Spectrangle has 36 tiles."""


def report_on(game: str, readings: Sequence[Reading], seats: int) -> PhotoReport:
    """Returns the report on a series of photographs of one game, the oldest first.

    Raises:
        BadRecord: The game is not one of `DOMAINS`, or a reading has another form.
    """
    report = _REPORTS.get(game)
    if report is None:
        raise BadRecord(f"No photograph is scored for this game. Choose one of: {', '.join(DOMAINS)}.")
    if not 1 <= len(readings) <= LONGEST_ROW:
        raise BadRecord(f"Give 1 to {LONGEST_ROW} photographs of one game.")
    try:
        return report(readings, seats)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadRecord(f"A reading is incomplete or has another form ({error}). Take the photograph again.") from error
