"""Defines a made-up game for the referee's tests: small enough to understand, with everything that a referee meets.

Nine cells in a row, twelve tiles, two seats. LAD-1: seats take turns. LAD-2: the first tile lies anywhere, every other
beside a laid one. LAD-3: it shares a color with a neighbor. LAD-4: it comes from one's own hand. LAD-5: after laying,
one draws while the bag lasts; hands hold two. LAD-6: one skips only when nothing can be laid. LAD-7: a tile scores its
value; the game ends when all cells are full or both skip in a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.capabilities import ChanceEvents, HiddenInformation, Proposer
from companion.core.contract import (
    Chance,
    Drawn,
    Event,
    Expect,
    Outcome,
    Over,
    Score,
    ScoreLine,
    ToDraw,
    ToMove,
    Violation,
)
from companion.core.foundation.errors import BadEvent, BadNotation, BadOptions, BadRecord, GameOver, IllegalMove
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions, Setup
from companion.core.layout import Detection, Layout
from companion.core.pieces import TILES, Tile

SET = TILES[:12]
CELLS = 9
HAND = 2


class Lay(Struct, frozen=True, tag="lay"):
    cell: int
    tile: Tile


class Skip(Struct, frozen=True, tag="skip"):
    pass


class LadderOptions(Struct, frozen=True, forbid_unknown_fields=True):
    cells: int = CELLS


class Ladder(Struct, frozen=True):
    """A position; unknown tiles in hands are None."""

    cells: tuple[Tile | None, ...]
    hands: tuple[tuple[Tile | None, ...], ...] = ((), ())
    laid: tuple[tuple[int, int], ...] = ()
    turn: int = 0
    skips: int = 0

    @property
    def seats(self) -> int:
        return 2

    def pool(self) -> list[Tile]:
        out = {tile for tile in (*self.cells, *self.hands[0], *self.hands[1]) if tile is not None}
        return [tile for tile in SET if tile not in out]

    def bag(self) -> int:
        return len(self.pool()) - sum(tile is None for hand in self.hands for tile in hand)

    def expects(self) -> Expect:
        if self.skips == 2 or all(self.cells):
            return Over()
        for seat in (1 - self.turn, self.turn):
            short = min(HAND - len(self.hands[seat]), self.bag())
            if short > 0:
                return ToDraw(seat, short, "bag", True)
        return ToMove((self.turn,))

    def legal_moves(self) -> Sequence[Any]:
        if not isinstance(self.expects(), ToMove):
            return ()
        hand = self.hands[self.turn]
        tiles = {tile for tile in hand if tile} | (set(self.pool()) if None in hand else set())
        lays = [Lay(cell, tile) for cell in range(len(self.cells)) for tile in SET if tile in tiles]
        legal = [lay for lay in lays if not self._wrong(lay)]
        known = any(lay.tile in hand for lay in legal)
        return tuple(legal) if known or (legal and None not in hand) else (*legal, Skip())

    def _wrong(self, lay: Lay) -> tuple[Violation, ...]:
        near = [self.cells[i] for i in (lay.cell - 1, lay.cell + 1) if 0 <= i < len(self.cells)]
        there = [tile for tile in near if tile]
        where = (f"c{lay.cell}",)
        found = []
        if self.cells[lay.cell] or (any(self.cells) and not there):
            found.append(Violation("LAD-2", f"c{lay.cell} is not a free cell beside a laid tile.", where))
        if there and not any(set(lay.tile.edges) & set(tile.edges) for tile in there):
            found.append(Violation("LAD-3", f"{lay.tile.name} shares no color with a neighbor of c{lay.cell}.", where))
        hand = self.hands[self.turn]
        if lay.tile not in hand and not (None in hand and lay.tile in self.pool()):
            found.append(Violation("LAD-4", f"{lay.tile.name} is not in the hand of seat {self.turn}.", where))
        return tuple(found)

    def violations(self, move: Any) -> tuple[Violation, ...]:
        due = self.expects()
        if isinstance(due, ToDraw):
            return (Violation("LAD-5", f"Seat {due.seat} draws first."),)
        if isinstance(due, Over):
            return (Violation("LAD-7", "The game is over."),)
        if isinstance(move, Lay):
            return self._wrong(move)
        return () if Skip() in self.legal_moves() else (Violation("LAD-6", "A tile can be laid."),)

    def apply_unchecked(self, event: Event) -> Ladder:
        found = self.violations(event)
        return self._forced(event, found) if found else self.apply(event)

    def apply(self, event: Event) -> Ladder:
        due = self.expects()
        if isinstance(due, Over):
            raise GameOver("The game is over. Begin another one.")
        if isinstance(event, Drawn):
            if not isinstance(due, ToDraw) or event.seat != due.seat or not 1 <= len(event.pieces) <= due.count:
                raise BadEvent("No such draw is due. Lay a tile.")
            if any(piece is not None and piece not in self.pool() for piece in event.pieces):
                raise BadEvent("That tile is not in the bag. Look at the hands again.")
            return self._hand(event.seat, (*self.hands[event.seat], *event.pieces))  # type: ignore[arg-type]
        broken = self.violations(event)
        if broken:
            raise IllegalMove(broken)
        return self._carry(event)

    def _forced(self, move: Any, found: tuple[Violation, ...]) -> Ladder:
        if not isinstance(move, Lay) or self.cells[move.cell]:
            raise BadEvent("The cell is taken. Move the tile first.")
        return self._carry(move)

    def _carry(self, move: Any) -> Ladder:
        if isinstance(move, Skip):
            return replace(self, turn=1 - self.turn, skips=self.skips + 1)
        hand = list(self.hands[self.turn])
        if move.tile in hand:
            hand.remove(move.tile)
        elif hand:
            hand.remove(None if None in hand else hand[0])
        cells = (*self.cells[: move.cell], move.tile, *self.cells[move.cell + 1 :])
        moved = replace(
            self._hand(self.turn, tuple(hand)), cells=cells, laid=(*self.laid, (self.turn, move.tile.value))
        )
        return replace(moved, turn=1 - self.turn, skips=0)

    def _hand(self, seat: int, hand: tuple[Tile | None, ...]) -> Ladder:
        ordered = tuple(sorted(hand, key=lambda tile: tile.name if tile else "~"))
        return replace(self, hands=(*self.hands[:seat], ordered, *self.hands[seat + 1 :]))

    def scores(self) -> tuple[Score, ...]:
        lines = [tuple(ScoreLine(v, "LAD-7", f"value {v}") for who, v in self.laid if who == seat) for seat in (0, 1)]
        return tuple(Score(sum(line.points for line in own), own) for own in lines)

    def outcome(self) -> Outcome | None:
        if not isinstance(self.expects(), Over):
            return None
        a, b = (score.total for score in self.scores())
        return Outcome(
            ((0, 1),) if a == b else ((0,), (1,)) if a > b else ((1,), (0,)), "LAD-7", "Nothing can be laid."
        )

    def layout(self) -> Layout:
        cells = {f"c{i}": Detection.sure(tile) for i, tile in enumerate(self.cells)}
        heaps = {
            f"seat{seat}.hand": tuple(Detection.sure(tile) for tile in hand)
            for seat, hand in enumerate(self.hands)
            if None not in hand
        }
        return Layout(cells, heaps)


def infer_event(state: Ladder, seen: Layout) -> Event | None:
    differences = state.layout().differences(seen)
    cells = [d for d in differences if d.spot.startswith("c")]
    if len(cells) == 1 and cells[0].expected == (None,):
        tile = cells[0].seen[0]
        return Lay(int(cells[0].spot[1:]), tile) if isinstance(tile, Tile) else None
    return None


def outcomes(state: Ladder) -> Iterable[tuple[Chance, int]]:
    due = state.expects()
    if isinstance(due, ToDraw):
        for tile in state.pool():
            yield Drawn(due.seat, (tile,)), 1


def sample(state: Ladder, rng: Random) -> Chance:
    return rng.choice([event for event, _ in outcomes(state)])


def determinize(state: Ladder, rng: Random) -> Ladder:
    pool = state.pool()
    rng.shuffle(pool)
    return replace(state, hands=tuple(tuple(tile or pool.pop() for tile in hand) for hand in state.hands))


def _fit(seats: int, options: LadderOptions) -> None:
    if not 2 <= options.cells <= CELLS:
        raise BadOptions("Ladder has 2 to 9 cells.")


def _read(seats: int, options: LadderOptions, position: Mapping[str, Any]) -> Setup[Ladder]:
    try:
        return Setup(msgspec.convert(dict(position), Ladder))
    except msgspec.ValidationError as error:
        raise BadRecord(f"The position cannot be read: {error}.") from error


def text_of(event: Event) -> str:
    if isinstance(event, Drawn):
        names = " ".join(getattr(piece, "name", "??") for piece in event.pieces)
        return f"draw {event.seat} {names}"
    return f"{event.tile.name} c{event.cell}" if isinstance(event, Lay) else "skip"


def parsed(state: Ladder, text: str) -> Event:
    names = {tile.name: tile for tile in SET}
    if text == "skip":
        return Skip()
    found = re.fullmatch(r"(\w{4}) c(\d)", text)
    if found and found[1] in names and int(found[2]) < len(state.cells):
        return Lay(int(found[2]), names[found[1]])
    if (found := re.fullmatch(r"draw ([01])((?: (?:\w{4}|\?\?))+)", text)) and all(
        name in names or name == "??" for name in found[2].split()
    ):
        return Drawn(int(found[1]), tuple(names.get(name) for name in found[2].split()))
    raise BadNotation(f'"{text}" is no event of Ladder. Write a tile and a cell, as in "RRR6 c4".')


LADDER = Game.of(
    GameInfo("ladder", "Ladder", rules=1, seats=range(2, 3), seats_rule="LAD-1", Options=LadderOptions),
    Positions(
        Ladder,
        lambda seats, options: Ladder((None,) * options.cells),
        _read,
        lambda state: None,
        fit=_fit,
        bound=lambda state: 60,
    ),
    EventCodec(Lay | Skip | Drawn, text_of, parsed, lambda state, event: None),
    Capabilities(
        chance=ChanceEvents(outcomes, sample),
        hidden=HiddenInformation(unseen=lambda state: dict.fromkeys(state.pool(), 1), determinize=determinize),
        proposer=Proposer(infer_event, looks_alike=lambda state, one, other: False),
    ),
)


def dealt(*hands: str, cells: str = "", turn: int = 0) -> Ladder:
    """Returns a position from names: `dealt("RRR6 BBB6", "GGG6 ??", cells="- YYY6")`."""
    names: dict[str, Tile | None] = {tile.name: tile for tile in SET} | {"??": None, "-": None}
    row = [names[name] for name in cells.split()]
    held = tuple(tuple(sorted((names[n] for n in hand.split()), key=lambda t: t.name if t else "~")) for hand in hands)
    return Ladder((*row, *[None] * (CELLS - len(row))), held, turn=turn)
