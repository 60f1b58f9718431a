"""Plays random games of Spectrangle on a table: hands lie open in their strips, and tiles are placed, drawn and taken
back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import Struct

from companion.core.contract import Drawn, Event, Over, ToDraw
from companion.core.foundation.errors import MoveError
from companion.core.layout import Detection, Layout, Spot
from companion.core.pieces import TILES, Piece, Tile, identify
from companion.core.plan import Point, TileHeap
from companion.core.recording import Recording
from companion.games.spectrangle.board import CELLS as CELL_COUNT
from companion.games.spectrangle.board import EMPTY, SPOTS, TOUCHING, letters_on
from companion.games.spectrangle.game import SPECTRANGLE
from companion.games.spectrangle.manifest import board_corners_mm, plan
from companion.games.spectrangle.moves import PASS, PLACES, Exchange, PlaceTile
from companion.games.spectrangle.state import SpectrangleState
from companion.games.spectrangle.violations import hand_spot
from companion.referee.journal import timeline
from companion.referee.table.table import Table
from simulation.drawn.camera import Camera, Floats
from simulation.drawn.step import Habits, Kind, Step, step_of
from simulation.followed.eyes import CellHolds, FollowingEyes
from simulation.followed.piece_reading import TILE_DOUBT, TILE_FAULTS, PieceSharpness, like_tile
from simulation.followed.view import Thing
from simulation.lawful import is_lawful
from vision.readers.tiles.lattice import CELLS, CORNERS, SIDE_MM, TILE_TOP_MM, Placement

ILLEGAL = 0.14
"""The probability of a mistake at each step that neither pushes things about nor takes a mistake back."""
NOTHING = 0.1
"""The probability of a picture in which tiles were only pushed about."""
DRAWN_AT_ONCE = 0.7
"""The probability that the tile drawn after a placement shows in the same picture."""
TILE_MM = 48.0
"""The length of a tile's side."""
JITTER_MM, JITTER_DEG = 3.0, 12.0
"""The usual range of the random shift and rotation of tiles in a strip."""
NEAR_MM = (5.0, 40.0)
"""The range of the distance at which a tile is put down on purpose near the last place of another one."""
SLOTS = 5
"""The number of tiles that have room in a strip."""
LONGEST = 24
"""The number of moves before the first picture is random and about this at most."""
_TRIES = 60


class TileStand(Struct, frozen=True):
    """A tile on the table, or an empty place for one."""

    pieces: tuple[Piece | None, ...]
    """The tile; None for an empty place."""
    corners_mm: tuple[Point, Point, Point]

    @property
    def seen(self) -> tuple[Piece | None, ...]:
        """The one tile, or None for a place."""
        return self.pieces

    @property
    def place_mm(self) -> Point:
        """The middle of the tile."""
        return sum(x for x, _ in self.corners_mm) / 3, sum(y for _, y in self.corners_mm) / 3

    def solids(self) -> list[Floats]:
        """Returns the corners (6, 3) of its lower and its upper face."""
        corners = np.array(self.corners_mm)
        return [np.concatenate([np.column_stack([corners, np.full(3, z)]) for z in (0.0, TILE_TOP_MM)])]


class _Open(NamedTuple):
    """A mistake that lies on the table, and the position and tiles before it."""

    event: Event
    before: SpectrangleState
    hands: dict[int, list[TileStand]]
    board: dict[int, TileStand]


class TileTable:
    """A table at which all seats of Spectrangle are played at random."""

    game = SPECTRANGLE

    def __init__(self, rng: Random, seats: int, camera: Camera, habits: Habits) -> None:
        self.camera = camera
        self._rng = rng
        self._habits = habits
        self._plan = plan(seats)
        self._chosen = {"edges": rng.choice(("one", "all"))}
        self._options = SPECTRANGLE.Options(**self._chosen)
        self._board_at = Placement.of(board_corners_mm())
        self._strips = {zone.spot: zone.outline_mm for zone in self._plan.zones if isinstance(zone, TileHeap)}
        self.state: SpectrangleState = self._begun(seats)
        self._start = self.state
        self._open: _Open | None = None
        self._left: list[TileStand] = []
        """Tiles that have left their places since the last picture."""
        self._near = self._pictures = 0
        self._hands: dict[int, list[TileStand]] = {seat: [] for seat in range(seats)}
        self._board: dict[int, TileStand] = {}
        for cell in range(CELL_COUNT):
            letters = letters_on(self.state.board, cell)
            if letters != EMPTY * 3:
                self._board[cell] = self._laid(cell, PLACES[cell][letters].tile)
        for seat, hand in enumerate(self.state.hands):
            for number in hand:
                self._put(seat, TILES[number])

    def recording(self) -> Recording:
        """Returns the beginning of the recording, with the initial position."""
        return Recording(
            names=tuple(f"Player {seat + 1}" for seat in range(self._start.seats)),
            options=self._chosen,
            position=timeline.written(self._start),
            plan=self._plan,
            draws="told",
        )

    def eyes(self, seed: int, faults: float) -> FollowingEyes:
        """Returns eyes that follow the hands and know the board's cells."""
        sharp = PieceSharpness(seed, TILE_FAULTS.scaled(faults), TILE_DOUBT, like_tile)
        return FollowingEyes(self._plan, self.camera, seed, sharp, list(self._strips))

    def things(self) -> tuple[Thing, ...]:
        """Returns the tiles of all hands."""
        return tuple(Thing(hand_spot(seat), stand) for seat, hand in self._hands.items() for stand in hand)

    def cells(self) -> Mapping[Spot, CellHolds]:
        """Returns the cells of the board with their tiles."""
        return {SPOTS[cell]: CellHolds(self._laid(cell, None), self._board.get(cell)) for cell in range(CELL_COUNT)}

    def layout(self) -> Layout:
        """Returns the true layout of the table."""
        cells = {
            spot: Detection.sure(None if cell.stand is None else cell.stand.pieces[0])
            for spot, cell in self.cells().items()
        }
        heaps = {
            hand_spot(seat): tuple(Detection.sure(stand.pieces[0]) for stand in hand)
            for seat, hand in self._hands.items()
        }
        return Layout(cells, heaps)

    def seen(self, eyes: FollowingEyes) -> Layout:
        """Returns the part of the true layout that is in view."""
        whole = self.layout()
        cells = {spot: whole.cells[spot] for spot, cell in self.cells().items() if eyes.is_cell_in_view(cell)}
        heaps: dict[Spot, tuple[Detection, ...]] = {}
        partial = set()
        for seat, hand in self._hands.items():
            shown = [stand for stand in hand if eyes.is_in_view(stand)]
            heaps[hand_spot(seat)] = tuple(Detection.sure(stand.pieces[0]) for stand in shown)
            if len(shown) < len(hand):
                partial.add(hand_spot(seat))
        return Layout(cells, heaps, partial=frozenset(partial))

    def set_up(self, table: Table, state: SpectrangleState) -> None:
        """Sets the position on a table's page."""
        table.set_position(timeline.written(state), "misread", source="page")

    def untraced(self) -> list[Event]:
        """Plays and returns a pass if no other move is possible."""
        due = self.state.expects()
        if self._open is not None or isinstance(due, ToDraw | Over) or self._move() is not None:
            return []
        self.state = self.state.apply(PASS)
        return [PASS]

    def step(self) -> Step | None:
        """Plays on until the table has changed visibly; returns None when the game is over."""
        self._pictures += 1
        self._left = []
        if self._open is not None:
            return self._taken_back(self._open)
        if isinstance(self.state.expects(), Over):
            return None
        if self._rng.random() < NOTHING:
            self._push()
            return self._step("nothing", (), self.state)
        if self._rng.random() < ILLEGAL:
            step = self._mistake()
            if step is not None:
                return step
        return self._legal()

    def _begun(self, seats: int) -> SpectrangleState:
        """Returns a position in which a move is due, somewhere in a random game."""
        state: SpectrangleState = SPECTRANGLE.start(seats, self._options)
        moves = self._rng.randrange(LONGEST)
        while isinstance(state.expects(), ToDraw) or state.lots or moves > 0:
            if isinstance(state.expects(), Over):
                return self._begun(seats)
            if isinstance(state.expects(), ToDraw):
                state = state.apply(SPECTRANGLE.sample(state, self._rng))
            else:
                state = state.apply(self._rng.choice(list(state.legal_moves())))
                moves -= 1
        return state

    def _legal(self) -> Step | None:
        before = self.state
        events: list[Event] = []
        seen = 0
        while not isinstance(self.state.expects(), Over):
            due = self.state.expects()
            event = SPECTRANGLE.sample(self.state, self._rng) if isinstance(due, ToDraw) else self._move()
            if event is None:
                break
            draws = isinstance(event, Drawn)
            at_once = self._rng.random()
            if (
                seen
                and not isinstance(events[-1], Exchange)
                and at_once >= (DRAWN_AT_ONCE if draws else self._habits.two_turns)
            ):
                break
            self._do(event, before.turn if not events else self.state.turn)
            self.state = self.state.apply(event)
            events.append(event)
            seen += not isinstance(event, Exchange)
        return self._step("legal", tuple(events), before) if events else None

    def _move(self) -> Event | None:
        """Returns a legal move that can be seen; None if only a pass is legal."""
        moves = [move for move in self.state.legal_moves() if move != PASS]
        places = [move for move in moves if isinstance(move, PlaceTile)]
        return self._rng.choice(places or moves) if moves else None

    def _mistake(self) -> Step | None:
        """Plays an event that breaks a rule and that legal events cannot explain; returns None if none was found."""
        for _ in range(_TRIES):
            event, seat = self._wrong_event()
            if event is None or not self.state.violations(event):
                continue
            if isinstance(event, Exchange) and (len(self._in_bag()) < 2 or isinstance(self.state.expects(), ToDraw)):
                continue  # People do not exchange while another player still draws.
            before = _Open(event, self.state, {s: list(h) for s, h in self._hands.items()}, dict(self._board))
            if not self._do(event, seat):
                continue
            if isinstance(event, Exchange):
                self._put(seat, self._rng.choice([tile for tile in self._in_bag() if tile != event.tile]))
            if is_lawful(SPECTRANGLE, self.state, self.layout(), 3):
                self._hands, self._board, self._left = before.hands, before.board, []
                continue
            self._open = before
            try:
                after = self.state.apply_unchecked(event)
            except MoveError:
                after = self.state
            step = self._step("illegal", (event,), self.state)
            self.state = after
            return step._replace(after=after)
        return None

    def _wrong_event(self) -> tuple[Event | None, int]:
        """Returns an event that may be illegal, and the seat from whose hand its tile comes."""
        rng, state = self._rng, self.state
        seat = rng.choice([one for one, hand in self._hands.items() if hand] or [0])
        if rng.random() < 0.6 and self._hands[state.turn]:
            seat = state.turn
        hand = [stand.pieces[0] for stand in self._hands[seat]]
        if not hand:
            return None, seat
        way = rng.random()
        free = [cell for cell in range(CELL_COUNT) if cell not in self._board]
        if way < 0.15:
            return Exchange(rng.choice(hand)), state.turn  # type: ignore[arg-type]
        if way < 0.25:
            bag = self._in_bag()
            return (Drawn(seat, (rng.choice(bag),)) if bag else None), seat
        tile = rng.choice(hand)
        assert isinstance(tile, Tile)
        near = [cell for cell in free if way < 0.35 or any(other in self._board for other in TOUCHING[cell])]
        if not near:
            return None, seat
        cell = rng.choice(near)
        ways = [lie for letters, lie in PLACES[cell].items() if identify(letters) == tile]
        return rng.choice(ways), seat

    def _do(self, event: Event, seat: int) -> bool:
        """Moves the tiles of an event; returns False if a tile is not in the hand from which the event takes it."""
        match event:
            case PlaceTile(cell=cell, tile=tile):
                taken = self._take(seat, identify(tile.edges))
                if taken:
                    self._board[cell] = self._laid(cell, tile)
                return taken
            case Exchange(tile=tile):
                return self._take(seat, tile)
            case Drawn(seat=drawer, pieces=pieces):
                for piece in pieces:
                    self._put(drawer, piece)
        return True

    def _taken_back(self, opened: _Open) -> Step:
        """Puts the tiles of a mistake back: the board as it was, the hands wherever there is room."""
        event, before = opened.event, opened.before
        self._open, self.state = None, before
        self._board = opened.board
        for seat, hand in opened.hands.items():
            for stand in [one for one in self._hands[seat] if one.pieces not in [other.pieces for other in hand]]:
                self._take(seat, stand.pieces[0])
            for stand in [one for one in hand if one.pieces not in [other.pieces for other in self._hands[seat]]]:
                self._put(seat, stand.pieces[0])
        return self._step("back", (event,), before)

    def _push(self) -> None:
        """Puts some tiles of a hand down elsewhere."""
        seat = self._rng.choice([one for one, hand in self._hands.items() if hand] or [0])
        hand = self._hands[seat]
        for stand in self._rng.sample(hand, min(len(hand), self._rng.choice((1, 2)))):
            hand.remove(stand)
            self._put(seat, stand.pieces[0])

    def _step(self, kind: Kind, events: tuple[Event, ...], before: SpectrangleState) -> Step:
        return step_of(SPECTRANGLE, kind, events, before, self.state, (self._board_at.x_mm, self._board_at.y_mm))

    def _in_bag(self) -> list[Tile]:
        """Returns the tiles that lie neither in a hand nor on the board."""
        out = {stand.pieces[0] for hand in self._hands.values() for stand in hand}
        laid = [stand.pieces[0] for stand in self._board.values()]
        out |= {identify(tile.edges) for tile in laid if isinstance(tile, Tile)}
        return [tile for tile in TILES if tile not in out]

    def _laid(self, cell: int, tile: Tile | None) -> TileStand:
        """Returns a tile in a cell, or the place of one if `tile` is None."""
        corners, middle = np.array(CELLS[cell].corners), np.array(CELLS[cell].middle)
        shrunk = middle + (corners - middle) * (TILE_MM / (SIDE_MM / 6))
        a, b, c = self._board_at.to_table(shrunk)
        return TileStand((tile,), (_point(a), _point(b), _point(c)))

    def _take(self, seat: int, tile: Piece | None) -> bool:
        stand = next((one for one in self._hands[seat] if one.pieces == (tile,)), None)
        if stand is None:
            return False
        self._hands[seat].remove(stand)
        self._left.append(stand)
        return True

    def _put(self, seat: int, tile: Piece | None) -> None:
        """Puts a tile into a strip: where there is room, or near the last place of another tile."""
        others = [stand for hand in self._hands.values() for stand in hand]
        wanted = self._near < self._habits.near * self._pictures
        if wanted and self._left:
            for _ in range(_TRIES):
                x, y = self._rng.choice(self._left).place_mm
                far, turn = self._rng.uniform(*NEAR_MM), self._rng.uniform(0, 2 * math.pi)
                stand = _tile_at(tile, x + far * math.cos(turn), y + far * math.sin(turn), self._rng.uniform(0, 360))
                if self._is_free(seat, stand, others):
                    self._near += 1
                    self._hands[seat].append(stand)
                    return
        x0, y0, x1, y1 = self._strip(seat)
        for attempt in range(_TRIES):
            slot = (self._rng.randrange(SLOTS) + 0.5) / SLOTS
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
            if x1 - x0 > y1 - y0:
                x = x0 + slot * (x1 - x0)
            else:
                y = y0 + slot * (y1 - y0)
            loose = 1 + attempt / 10
            x, y = (at + self._rng.uniform(-JITTER_MM, JITTER_MM) * loose for at in (x, y))
            heading = 90 * self._rng.randrange(4) + self._rng.uniform(-JITTER_DEG, JITTER_DEG)
            stand = _tile_at(tile, x, y, heading)
            if self._is_free(seat, stand, others) or attempt == _TRIES - 1:
                break
        self._hands[seat].append(stand)

    def _strip(self, seat: int) -> tuple[float, float, float, float]:
        xs, ys = zip(*self._strips[hand_spot(seat)], strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def _is_free(self, seat: int, stand: TileStand, others: Sequence[TileStand]) -> bool:
        x0, y0, x1, y1 = self._strip(seat)
        x, y = stand.place_mm
        return x0 < x < x1 and y0 < y < y1 and not any(_overlap(stand, other) for other in others)


def _tile_at(tile: Piece | None, x: float, y: float, heading_deg: float) -> TileStand:
    corners = Placement(x, y, heading_deg).to_table(CORNERS * (TILE_MM / SIDE_MM))
    a, b, c = (_point(corner) for corner in corners)
    return TileStand((tile,), (a, b, c))


def _point(point: Floats) -> Point:
    return float(point[0]), float(point[1])


def _overlap(one: TileStand, other: TileStand) -> bool:
    (x, y), (a, b) = one.place_mm, other.place_mm
    if math.hypot(x - a, y - b) > TILE_MM * 1.2:
        return False
    area, _ = cv2.intersectConvexConvex(np.array(one.corners_mm, np.float32), np.array(other.corners_mm, np.float32))
    return bool(area > 0)
