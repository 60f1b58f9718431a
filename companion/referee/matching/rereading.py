"""Other readings of the past: the possible identities of a moved piece whose move makes no sense.

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
from companion.referee.matching.accusing import MOST_DOUBT
from companion.referee.matching.evidence import LIKELY_ENOUGH
from companion.referee.matching.hypotheses import ILLEGAL
from companion.referee.matching.memory import Belief, Memory, named
from companion.referee.observation import FLOOR, observation_of

FARTHEST = ILLEGAL - log(MOST_DOUBT) + 1.0
"""Nats (1,000 to 1): a reading that is so much surer is not doubted afterwards. A smaller value would hide excuses: an
accusation has `ILLEGAL` against it and needs to be `MOST_DOUBT` ahead, of several accounts together."""
OPTIONS = 16
"""So many other readings of a piece are tried, the likeliest. Chosen, so that a look stays short."""
DOUBTFUL = 0.9
"""A reading that was less sure than this when the piece came is a doubt that people may settle."""
CHOICES = 3
"""Of a doubt, no more answers than this are offered."""
BROUGHT = 6.0
"""Nats (400 to 1) against a thing that came after a row being a piece that no event brought. Chosen."""
PLACES = 5
"""So many pieces may have moved in one picture for their readings to be doubted; more is a table that was cleared.
Chosen."""


class Doubt(NamedTuple):
    """A piece that was never surely read; refereeing goes on with what it most likely is."""

    key: str
    """Its place."""
    belief: Belief
    options: tuple[Piece | None, ...]
    """The possible pieces, the assumed one first; None: no piece of the game."""


class Rereading(NamedTuple):
    """One piece that was something else all along."""

    key: str
    """Its place."""
    spot: Spot
    was: Piece | None
    """The assumed piece; None: no piece of the game."""
    now: Piece | None
    """The true piece; None: there never was a piece of the game."""
    row: int
    """Number of the row after which it came; 0: it was there at the start."""
    state: Any
    """The position with it."""
    memory: Memory
    cost: float
    """Nats by which it reads rather as what it was held for."""


SURE = 0.97
"""Three looks that are each as sure as `DOUBTFUL` are together as sure as this."""
LOOKALIKE = 3.0
"""Nats (20 to 1) against a piece that reads below `SURE` being one that looks like it. Chosen; held by
`python -m bench.referee ice-stalks --eyes erring`."""

Reader = Callable[[Any, Spot, Piece | None, Piece | None], Any]
"""`Proposer.reread` of a game."""


def rereadings(game: Game[Any], state: Any, memory: Memory, layout: Layout) -> Iterator[Rereading]:
    """Yields each other reading of each piece that has just left its place; none in games that cannot be reread.

    Args:
        layout: The reading in which they have left.
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
    """Yields readings in which one piece that has just come is another one, with their cost in nats.

    The listed candidates, and "no piece came", are part of the reading as it is.
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
                if sighting.probability(piece) < LIKELY_ENOUGH:
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
    """True if more would stand at a place than it was held for, and eyes saw it come.

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
