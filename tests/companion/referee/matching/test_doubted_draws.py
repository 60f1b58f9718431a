"""A draw of the next player that reads less surely is asked about, whatever of several pieces it was."""

from __future__ import annotations

from companion.core.layout import Candidate, Detection, Layout
from companion.core.verdict import Unclear
from companion.referee.matching import match
from simulation.play import game_of
from tests.companion.games.spectra.short_spectra import piece, table


def _drawn(*candidates: tuple[str, float]) -> Unclear:
    before = table("KL", "BM", turn=0, colors="red,yellow", trees=("RL", "YL"), drawn=True)
    come = Detection(tuple(Candidate(piece(code), share) for code, share in candidates), "p9")
    heaps = before.layout().heaps
    look = Layout(heaps={**heaps, "seat1.supply": (*heaps["seat1.supply"], come)})
    verdict = match(game_of(before), before, look, fresh=frozenset({"p9"}))
    assert isinstance(verdict, Unclear), verdict
    return verdict


def test_a_piece_that_barely_reads_as_one_is_still_a_draw_after_the_bag_was_passed() -> None:
    verdict = _drawn(("PL", 0.40), ("RL", 0.33))
    assert [choice.text.rsplit(" ", 2)[1] for choice in verdict.choices] == ["purple", "red"]


def test_what_two_draws_say_together_counts_against_no_draw() -> None:
    """Neither draw alone is 3 to 2 likelier than no piece; one of the two is."""
    verdict = _drawn(("YL", 0.40), ("OL", 0.21))
    assert len(verdict.choices) == 2
