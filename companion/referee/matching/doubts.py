"""Sentences for people when no event explains a picture: a half-made move, an unreadable spot, or the differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.contract import Expect, Over, State, ToDraw, ToRoll
from companion.core.game import Game
from companion.core.layout import Detection, Difference, Layout, Spot, place_words
from companion.core.pieces import Stack
from companion.core.verdict import Desynchronized, Pending, Same, named
from companion.referee.matching.clearing import CLEAR, cleaned
from companion.referee.matching.evidence import Evidence, pile
from companion.referee.matching.foresight import has_grown
from companion.referee.observation import observation_of

FAINT = 0.4
"""Nats (3 to 2) that a spot must read against the prediction to be mentioned; where mistakes are measured, `CLEAR`
applies instead. Chosen."""
_NAMED = 3
"""The largest number of pieces, spots or answers that one sentence names. Chosen."""


def prompt_of(game: Game[Any], state: Any, seen: Layout) -> str | None:
    """Returns the prompt of a game for a table that no event explains: the due action or entry, with its rule."""
    prompt = None if game.proposer is None else game.proposer.pending_prompt
    return None if prompt is None else prompt(state, seen)


def differences(table: Layout, evidence: Evidence) -> tuple[Difference, ...]:
    """Returns the spots that clearly read otherwise than predicted."""
    return table.differences(cleaned(table, evidence))


def half_made(table: Layout, state: Any, evidence: Evidence) -> Pending | None:
    """Returns the sentence for a move that has only begun: pieces have left, or a draw or a roll is not complete.

    Returns None if anything else differs.
    """
    found = differences(table, evidence)
    if not found:
        return None
    gone, come, dice = _changed(table, found)
    if gone and not come:
        pieces = _left(table, gone, evidence)
        lies = "it lies" if len(gone) == 1 else "they lie"
        return Pending(f"{pieces}. The move is judged when {lies} again.") if pieces else None
    due: Expect = Over() if state is None else state.expects()
    if isinstance(due, ToDraw) and come < due.count and not gone:
        return Pending(f"{come} of {due.count} pieces are drawn. The draw is judged when it is complete.")
    return _rolling(table, due, evidence) if dice == come and not gone else None


def off_the_table(table: Layout, evidence: Evidence) -> str:
    """Returns the sentence about the pieces that have left the table: "red small from player 1's supply is off the
    table".

    Returns an empty string if no piece has left, or if anything else differs.
    """
    gone, come, _ = _changed(table, differences(table, evidence))
    return _left(table, gone, evidence) if gone and not come else ""


def _left(table: Layout, gone: Sequence[tuple[str, Spot]], evidence: Evidence) -> str:
    """Returns the sentence about missing pieces; empty if they may be among the surplus pieces of a heap."""
    if any(_shows_more(table, spot, evidence) for _, spot in gone):
        return ""
    pieces = " and ".join(f"{name} from {place_words(spot)}" for name, spot in gone[:_NAMED])
    more = f" and {len(gone) - _NAMED} more" if len(gone) > _NAMED else ""
    return f"{pieces}{more} {'is off the table' if len(gone) == 1 else 'are off the table'}"


def _changed(table: Layout, found: Sequence[Difference]) -> tuple[list[tuple[str, Spot]], int, int]:
    """Returns the missing pieces by name, with their spots, the number of new pieces, and how many of those are
    dice.
    """
    gone: list[tuple[str, Spot]] = []
    come, dice = 0, 0
    for spot, expected, seen in found:
        rest, covered = list(seen), list(table.covered.get(spot, ()))
        for piece in expected:
            if piece in rest:
                rest.remove(piece)
            elif piece in covered:
                covered.remove(piece)
            elif piece is not None:
                gone.append((named(piece), spot))
        come += sum(piece is not None for piece in rest)
        dice += sum(observation_of(piece).thrown for piece in rest)
    return gone, come, dice


def _shows_more(table: Layout, spot: Spot, evidence: Evidence) -> bool:
    """Returns true if a heap holds an unpredicted piece: the missing one may be it."""
    expected = pile(table, spot)
    return expected is not None and bool(evidence.extras(spot, expected))


def rolling(table: Layout, state: State, evidence: Evidence) -> Pending | None:
    """Returns the sentence for a tray that does not show all new dice yet; None if no die is new, or if all of them
    lie.
    """
    new = any(observation_of(piece).thrown for one in differences(table, evidence) for piece in one.seen)
    return _rolling(table, state.expects(), evidence) if new else None


def _rolling(table: Layout, due: Expect, evidence: Evidence) -> Pending | None:
    """Returns the sentence for dice of which some are still in the air or in a hand; None if all of them lie."""
    heaps = evidence.seen.heaps
    # "dice.moved" repeats dice that lie in "dice", and "dice.cocked" holds dice that no game counts.
    lying = sum(observation_of(one.piece).thrown for spot in table.heaps for one in heaps.get(spot, ()))
    leaning = sum(len(heap) for spot, heap in heaps.items() if spot.endswith(".cocked"))
    predicted = sum(observation_of(one.piece).thrown for spot in heaps for one in table.heaps.get(spot, ()))
    wanted = max(predicted, len(due.dice) if isinstance(due, ToRoll) else 0)
    if lying >= wanted:
        return None
    if leaning:
        again = "1 leans: roll it again" if leaning == 1 else f"{leaning} lean: roll them again"
        return Pending(f"{lying} of {wanted} dice lie flat and {again}. The roll is judged when all lie flat.")
    return Pending(f"{lying} of {wanted} dice lie. The roll is judged when all do.")


def unexplained(table: Layout, best: Layout, state: Any, evidence: Evidence) -> Desynchronized | Pending | Same:
    """Returns the verdict if even the best explanation disagrees with the reading.

    Only a sure difference puts the table out of step; a doubtful reading only asks for another look.

    Args:
        best: The table that the best explanation predicts, and `state` the position after it.
    """
    waiting = half_made(best, state, evidence) or half_made(table, None, evidence)
    if waiting is not None:
        return waiting
    if differences(best, evidence):
        return Desynchronized(differences(table, evidence))
    return doubt(table, evidence)


def doubt(table: Layout, evidence: Evidence) -> Pending | Same:
    """Returns `Pending` with a sentence that names the spots that look changed although no event explains it; `Same` if
    every spot differs only faintly.
    """
    ratios = {spot: evidence.cell(spot, sighting.piece) for spot, sighting in table.cells.items()}
    ratios |= {name: evidence.heap(name, pile(table, name)) for name in table.heaps}
    least = {name: CLEAR for name, heap in evidence.seen.heaps.items() if heap and all(map(_is_measured, heap))}
    faint = 0.0 if has_grown(table, evidence.seen) else FAINT
    doubted = (spot for spot, nll_ratio in ratios.items() if nll_ratio > least.get(spot, faint))
    spots = sorted(doubted, key=lambda spot: -ratios[spot])
    if not spots:
        return Same()
    what = "looks changed, but not clearly enough to judge"
    return Pending(f"{', '.join(map(place_words, spots[:_NAMED]))} {what}. Clear the view, or say what lies there.")


def _is_measured(sighting: Detection) -> bool:
    """Returns true if the reliability of a reading of this kind is measured, piece by piece."""
    return observation_of(sighting.piece).remembered and not isinstance(sighting.piece, Stack)


def many(texts: Sequence[str]) -> Pending:
    """Returns the sentence for more explanations than a question may offer: the next move or a person decides."""
    more = "; or something else" if len(texts) > _NAMED else ""
    return Pending(f"It may be: {'; '.join(texts[:_NAMED])}{more}. Play on, which may show it, or say which it is.")
