"""Who holds a piece is in the middle of a move: nobody is accused of another one meanwhile, since it may be their turn."""

from __future__ import annotations

from companion.core.layout import Layout
from companion.core.verdict import Pending, Refused, Unclear, Verdict
from companion.referee.matching import match
from simulation.play import game_of
from tests.companion.games.spectra.short_spectra import table
from tests.companion.referee.matching.beginning import begun

TWO = {"colors": "green,orange", "trees": ("GL", "OL OM")}
BEFORE = table("RM YS", "BL", turn=1, drawn=True, **TWO)
"""Player 2 has drawn; what is not known is that player 2 has also passed the bag, and player 1 drawn out of sight."""
HELD = table("YS", "BL", **TWO).layout()
"""Player 1 holds the red medium."""
DRAWN = table("RM YS", "BL PL", **TWO).layout()
BOTH = table("YS", "BL PL", **TWO).layout()


def seen(*looks: Layout) -> list[Verdict]:
    """What is said of one picture after the other."""
    referee, here = begun(BEFORE)
    said = []
    for look in looks:
        said.append(referee.verdict(here, look))
        referee.remember(said[-1], here, look)
    return said


def test_a_second_draw_is_asked_about_while_another_player_holds_a_piece() -> None:
    assert isinstance(match(game_of(BEFORE), BEFORE, DRAWN), Refused)
    verdict = match(game_of(BEFORE), BEFORE, BOTH)
    assert isinstance(verdict, Unclear)
    (choice,) = verdict.choices
    assert choice.breaches[0].rule == "SPA-5"
    assert choice.text.endswith(", while red medium from player 1's supply is off the table")


def test_it_is_asked_about_also_where_the_picture_before_showed_that_the_piece_has_left() -> None:
    """In the account that nothing had happened it is remembered as out of sight, so the accusation explains all there is."""
    held, both = seen(HELD, BOTH)
    assert isinstance(held, Pending)
    assert isinstance(both, Unclear)
    assert any(choice.breaches for choice in both.choices)


def test_it_is_an_accusation_again_once_the_piece_lies_where_it_lay() -> None:
    held, drawn = seen(HELD, DRAWN)
    assert isinstance(held, Pending)
    assert isinstance(drawn, Refused)
