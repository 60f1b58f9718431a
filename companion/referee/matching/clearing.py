"""A reading without its meaningless doubts.

A reader doubts a little everywhere, and a flickering cell must not hide a clear change. So before events are searched
for, every spot is compared with the prediction: a faint difference counts as none. In a heap this is done piece by
piece, because one unreadable piece is no evidence about those beside it.

The constants are chosen, not fitted; `python -m bench.turns` and `python -m simulation.drawn.games --eyes doubting`
check them.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.layout import Candidate, Detection, Layout
from companion.referee.matching.evidence import (
    LIKELY_ENOUGH,
    DetectionPair,
    DetectionPairing,
    Evidence,
    pile,
    sighting_nll_ratio,
)
from companion.referee.observation import observation_of

CLEAR = 2.5
"""Nats (12 to 1) by which a reading must beat the prediction to count as a change; below this it is a doubt."""
SWAPPED = 4.6
"""The same in nats (100 to 1) for a piece of a heap that reads as another piece: misreadings are commoner than such
moves."""
UNSEEN = 0.5
"""The probability that a piece out of sight is still there: a hand may have been there, too."""
RIVAL = 0.13
"""The share of the best candidate's probability that another reading of an expected piece must reach to be
considered."""
RECONSIDERED = 0.9
"""The probability below which a piece may be one of its other candidates. Chosen."""
READINGS = 4
"""The largest number of candidates of a doubtful thing that are considered. Chosen."""


def cleaned(table: Layout, evidence: Evidence, doubtful: float = CLEAR, swapped: float = SWAPPED) -> Layout:
    """Returns the best readings, with the predictions of `table` in place of doubtful ones.

    Args:
        doubtful: A reading that beats the prediction by fewer nats is a doubt.
        swapped: The same for a piece of a heap that reads as another piece.
    """
    seen = evidence.seen
    cells = {}
    for spot, sighting in seen.cells.items():
        predicted = table.cells.get(spot)
        kept = predicted is not None and evidence.cell(spot, predicted.piece) < doubtful
        cells[spot] = predicted if kept and predicted is not None else Detection.sure(sighting.piece)
    heaps = {}
    for name, heap in seen.heaps.items():
        expected = pile(table, name)
        if expected is None:
            heaps[name] = heap
            continue
        pairing = evidence.pairing(name, expected)
        pairs = [pair for pair in pairing.pairs if pair.sighting is not None or pair.nll_ratio == 0.0]
        stayed = [_cleaned(pair, swapped) for pair in pairs]
        come = [one for one in pairing.extras if sighting_nll_ratio(one, None) >= doubtful]
        heaps[name] = (*stayed, *_beside_hidden(pairing), *[Detection.sure(one.piece) for one in come])
    return Layout(cells, heaps, unexplained=seen.unexplained)


def _beside_hidden(pairing: DetectionPairing) -> list[Detection]:
    """Returns the pieces that were seen elsewhere while something hides the place of a piece like them: both may be
    there.
    """
    moved = [one for one in pairing.pairs if one.sighting is not None and one.sighting.piece == one.piece]
    return [Detection.sure(one.piece) for one in moved if one.nll_ratio > 0.0]


def _cleaned(pair: DetectionPair, swapped: float) -> Detection:
    if pair.sighting is None or pair.nll_ratio < swapped:
        return Detection.sure(pair.piece)
    return Detection.sure(pair.sighting.piece)


def read(evidence: Evidence) -> Layout:
    """Returns the layout in which every best reading is true."""
    cells = {spot: Detection.sure(sighting.piece) for spot, sighting in evidence.seen.cells.items()}
    heaps = {spot: tuple(Detection.sure(one.piece) for one in heap) for spot, heap in evidence.seen.heaps.items()}
    return Layout(cells, heaps, unexplained=evidence.seen.unexplained)


def likely(table: Layout, evidence: Evidence) -> Layout:
    """Returns the reading with only those candidates of each cell and piece that may still lead to an explanation.

    Keeps the expected piece among the candidates if a detection can be paired with it.
    """
    cells = {spot: _likely_cell(sighting, table.cells.get(spot)) for spot, sighting in evidence.seen.cells.items()}
    heaps = {}
    for name, heap in evidence.seen.heaps.items():
        expected = pile(table, name)
        if expected is None:
            heaps[name] = heap
            continue
        pairing = evidence.pairing(name, expected)
        kept = [_likely(pair) for pair in pairing.pairs if pair.sighting is not None or pair.nll_ratio == 0.0]
        heaps[name] = (*kept, *_beside_hidden(pairing), *[_above(one, LIKELY_ENOUGH) for one in pairing.extras])
    return Layout(cells, heaps, unexplained=evidence.seen.unexplained)


def _likely_cell(sighting: Detection, predicted: Detection | None) -> Detection:
    if predicted is None:
        return Detection.sure(sighting.piece)
    return _likely(DetectionPair(predicted.piece, sighting, sighting_nll_ratio(sighting, predicted.piece)), CLEAR)


def _likely(pair: DetectionPair, doubtful: float = SWAPPED) -> Detection:
    """
    Args:
        doubtful: With a lower ratio than this the expected piece is the first candidate.
    """
    sighting = pair.sighting
    if sighting is None:
        return Detection((Candidate(pair.piece, UNSEEN), Candidate(None, 1 - UNSEEN)))
    if observation_of(pair.piece).thrown:
        # A rolled die may show any face, so the face before the roll is only as likely as it reads.
        return _above(sighting, LIKELY_ENOUGH)
    if pair.nll_ratio == 0.0:
        return _above(sighting, RIVAL * sighting.confidence)
    read = [one for one in _above(sighting, LIKELY_ENOUGH).candidates if one.piece != pair.piece]
    if pair.nll_ratio < doubtful:
        return Detection((Candidate(pair.piece, 0.5), *[Candidate(one.piece, one.probability / 2) for one in read]))
    return Detection((*read, Candidate(pair.piece, LIKELY_ENOUGH)))


def _above(sighting: Detection, least: float) -> Detection:
    """Returns the detection without candidates below a probability; the best candidate stays with its own
    probability.
    """
    first, *others = sighting.candidates
    return Detection((first, *[one for one in others if one.probability >= least and one.piece is not None]))


def read_otherwise(seen: Layout) -> Iterator[Layout]:
    """Yields readings in which one doubtful thing of a heap is read as another one that it may be."""
    for spot, heap in seen.heaps.items():
        for at, sighting in enumerate(heap):
            for other in sighting.candidates[1:READINGS] if sighting.confidence < RECONSIDERED else ():
                if other.piece is not None and other.probability >= LIKELY_ENOUGH:
                    one = Detection((Candidate(other.piece, 1.0),), sighting.place)
                    yield replace(seen, heaps={**seen.heaps, spot: (*heap[:at], one, *heap[at + 1 :])})
