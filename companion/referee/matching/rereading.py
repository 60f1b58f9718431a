"""Other readings of the past: the pieces that a moved piece may really be if its move makes no sense.

A misread piece does no harm until it moves. Then the rules reveal it: a small that was exchanged as a large was a
large. So if a picture is unexplained, or only by an illegal event, unconfirmed pieces that have just left their places
are tried as other pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.core.game import Game
from companion.core.layout import Candidate, Detection, Layout, Spot
from companion.core.pieces import Piece, Stack
from companion.referee.matching.accounts import MOST_DOUBT
from companion.referee.matching.evidence import LIKELY_ENOUGH
from companion.referee.matching.hypotheses import ILLEGAL
from companion.referee.matching.memory import Belief, Memory, named
from companion.referee.observation import FLOOR, observation_of

FARTHEST = ILLEGAL - log(MOST_DOUBT) + 1.0
"""Nats (1,000 to 1): a reading that is so much surer is not doubted later. A smaller value would hide excuses: an
accusation has `ILLEGAL` against it and must lead several accounts together by `MOST_DOUBT`."""
OPTIONS = 16
"""The number of other readings of a piece that are tried, the likeliest first. Chosen, so that a look stays short."""
DOUBTFUL = 0.9
"""The probability below which the reading of a new piece is a doubt that people may settle."""
CHOICES = 3
"""The largest number of answers to a doubt."""
BROUGHT = 6.0
"""Nats (400 to 1) against a thing that came after a row being a piece that no event brought. Chosen."""
PLACES = 5
"""The largest number of pieces that may have left in one picture for their readings to be doubted; if more have left,
the table was cleared. Chosen."""


class Doubt(NamedTuple):
    """A piece that was never surely read; refereeing continues with its likeliest reading."""

    key: str
    """The key of its place."""
    belief: Belief
    options: tuple[Piece | None, ...]
    """The possible pieces, the assumed one first; None: no piece of the game."""


class Rereading(NamedTuple):
    """A piece that was all along another one than the memory assumed."""

    key: str
    """The key of its place."""
    spot: Spot
    was: Piece | None
    """The assumed piece; None: no piece of the game."""
    now: Piece | None
    """The true piece; None: there never was a piece of the game."""
    row: int
    """The number of the row after which it came; 0 if it was there at the start."""
    state: Any
    """The position if the piece is the true one."""
    memory: Memory
    cost: float
    """The evidence for the assumed piece: by how many nats the readings fit it better than the true one."""


SURE = 0.97
"""The probability that three looks have together if each is as sure as `DOUBTFUL`."""
LOOKALIKE = 3.0
"""Nats (20 to 1) against a piece that reads below `SURE` being a piece that looks like it. Chosen; checked by
`python -m bench.referee ice-stalks --eyes erring`."""

Reader = Callable[[Any, Spot, Piece | None, Piece | None], Any]
"""The type of `Proposer.reread` of a game."""


def rereadings(game: Game[Any], state: Any, memory: Memory, layout: Layout) -> Iterator[Rereading]:
    """Yields each other reading of each piece that has just left its place; none in games that cannot be reread.

    Args:
        layout: The reading in which the pieces have left.
    """
    reread = None if game.proposer is None else game.proposer.reread
    if reread is None:
        return
    there = {key for spot, heap in layout.heaps.items() for key, _ in named(spot, heap)} | layout.hidden
    gone = [(key, one) for key, one in memory.places.items() if key not in there and one.origin != "told"]
    if len(gone) > PLACES:
        return
    for key, belief in gone:
        yield from _of(reread, state, memory, key, belief)


def misreadings(memory: Memory, layout: Layout) -> Iterator[tuple[Layout, float]]:
    """Yields readings in which one piece that has just come is another piece, with their cost in nats.

    "No piece came" and the listed candidates of a sure piece are left out, because the original reading has them.
    """
    for spot, heap in layout.heaps.items():
        for at, (key, sighting) in enumerate(named(spot, heap)):
            if key in memory.places or sighting.piece is None:
                continue
            costs = {piece: cost for cost, piece in _options(sighting, sighting.piece, (None,)) if piece is not None}
            if sighting.confidence < SURE:
                alike = observation_of(sighting.piece).lookalikes(sighting)
                costs |= {piece: min(LOOKALIKE, costs.get(piece, LOOKALIKE)) for piece in alike}
            for piece, cost in costs.items():
                if sighting.probability(piece) < LIKELY_ENOUGH or sighting.confidence < SURE:
                    other = (*heap[:at], Detection((Candidate(piece, 1.0),), sighting.place), *heap[at + 1 :])
                    yield replace(layout, heaps={**layout.heaps, spot: other}), cost


def _options(
    read: Detection, held: Piece | None, without: Sequence[Piece | None] = ()
) -> Iterator[tuple[float, Piece | None]]:
    """Yields the other possible pieces of a detection, the likeliest first, with the nats against each."""
    kind = observation_of(read.piece)
    pieces = {held, read.piece, *kind.alternatives(read)}
    shares = {piece: kind.probability(read, piece) for piece in pieces}
    share_held = max(FLOOR, shares[held])
    options = sorted(
        ((share, str(piece), piece) for piece, share in shares.items() if piece != held and piece not in without),
        reverse=True,
    )
    for share, _, piece in options:
        cost = max(0.0, log(share_held / max(share, FLOOR)))
        if cost > FARTHEST:
            return
        yield cost, piece


def _of(reread: Reader, state: Any, memory: Memory, key: str, belief: Belief) -> Iterator[Rereading]:
    tried = 0
    for cost, piece in _options(belief.read, belief.piece):
        if tried == OPTIONS:
            break
        then = reread(state, belief.spot, belief.piece, piece)
        if then is not None:
            tried += 1
            places = {**memory.places, key: Belief(belief.spot, piece, belief.origin, belief.read, belief.row)}
            cost += BROUGHT if belief.row and _has_come(key, belief.piece, piece) else 0.0
            other = Memory(places, memory.absent, memory.silent)
            yield Rereading(key, belief.spot, belief.piece, piece, belief.row, then, other, cost)


def _has_come(key: str, was: Piece | None, now: Piece | None) -> bool:
    """Returns true if the new reading puts more on a place than the old one, and the reader saw that come.

    Args:
        key: The place; of a stack, the keys of all levels that were read.
    """
    if isinstance(was, Stack) and isinstance(now, Stack):
        return len(was.pieces) < len(now.pieces) == len(key.split(","))
    return was is None


def doubted_pieces(game: Game[Any], memory: Memory, state: Any) -> tuple[Doubt, ...]:
    """Returns the pieces that were read less surely than `DOUBTFUL` and never confirmed, the most doubtful first."""
    reread = None if game.proposer is None else game.proposer.reread
    if reread is None:
        return ()
    found = []
    for key, belief in memory.doubted(DOUBTFUL):
        listed = [one.piece for one in belief.read.candidates if one.piece not in (None, belief.piece)]
        others = [piece for piece in listed if reread(state, belief.spot, belief.piece, piece) is not None]
        nothing = [None] if belief.piece is not None else []
        options: list[Piece | None] = [belief.piece, *others[: CHOICES - 1], *nothing]
        if len(options) > 1:
            found.append(Doubt(key, belief, tuple(options)))
    return tuple(found)
