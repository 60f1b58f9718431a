"""A piece that was drawn may stand unseen in another one: then who acts next is asked about, not accused."""

from __future__ import annotations

from companion.layout import Layout, Sighting
from companion.matching import match
from companion.matching.accounts import Standpoint
from companion.matching.evidence import Evidence
from companion.matching.nested_draws import unseen_draws
from companion.verdict import Refused, Unclear
from simulation.play import game_of
from tests.companion.games.spectra.short_spectra import draw, table
from tests.companion.matching.beginning import begun

TREES = {"colors": "blue,green", "trees": ("BL", "GL GM")}
OPEN = table("BS RS", "OS KS", turn=0, **TREES)
"""Player 1 has not drawn."""
ADDED = table("RS", "OS KS", turn=0, colors="blue,green", trees=("BL BS", "GL GM"))
NEXT = table("RS", "OS KS GM", turn=0, colors="blue,green", trees=("BL BS", "GL GM")).layout()
"""Player 2 has drawn, which is against SPA-6 as long as nobody knows of a draw of player 1."""


def followed(layout: Layout, **shifted: str) -> Layout:
    """The same, each thing at a place of its own.

    :param shifted: by owner, what the places of its trees are called.
    """
    heaps = {}
    for spot, heap in layout.heaps.items():
        owner, area = spot.split(".")
        mark = shifted.get(owner, "") if area == "trees" else ""
        heaps[spot] = tuple(Sighting(one.candidates, f"{spot} {one.piece}{mark}") for one in heap)
    return Layout(heaps=heaps, covered=layout.covered)


def test_the_next_players_draw_is_asked_about_once_the_trees_were_opened() -> None:
    referee, here = begun(OPEN)
    added = referee.verdict(here, ADDED.layout())
    here = Standpoint(ADDED, ((0, OPEN),), 1)
    referee.remember(added, here, ADDED.layout())
    verdict = referee.verdict(here, NEXT)
    assert isinstance(verdict, Unclear)
    *legal, illegal = verdict.choices
    assert [choice.text.split(", ")[0] for choice in legal] == [
        "player 1 draws blue medium",
        "player 1 draws blue small",
    ]
    assert not any(choice.breaches for choice in legal)
    assert [breach.rule for breach in illegal.breaches] == ["SPA-6"]


def test_it_is_an_accusation_where_the_trees_have_not_moved() -> None:
    before = table("RS", "OS KS", turn=0, **TREES)
    after = table("RS", "OS KS GM", turn=0, **TREES).layout()
    referee, here = begun(before, followed(before.layout()))
    assert isinstance(referee.verdict(here, followed(after)), Refused)
    assert isinstance(referee.verdict(here, followed(after, seat0=" lifted")), Unclear)


def test_a_lone_small_hides_nothing() -> None:
    before = table("RS", "OS KS", turn=0, colors="blue,green", trees=("BS", "GL"))
    seen = table("RS", "OS KS GM", turn=0, colors="blue,green", trees=("BS", "GL")).layout()
    opened = {"seat0.trees", "seat1.trees"}
    assert not list(unseen_draws(game_of(before), before, (draw(1, "GM"),), Evidence(seen), opened))


def test_a_whole_turn_of_the_other_player_may_be_unseen() -> None:
    """Player 2 has drawn, player 1 too, and has put it into the large one; then player 2 draws again."""
    before = table("RS", "OS KS", turn=1, drawn=True, **TREES)
    seen = table("RS", "OS KS GM", turn=1, drawn=True, **TREES).layout()
    assert isinstance(match(game_of(before), before, seen), Refused)
    found = list(unseen_draws(game_of(before), before, (draw(1, "GM"),), Evidence(seen), {"seat0.trees"}))
    assert [len(way) for way in found] == [5, 5]
    assert not list(unseen_draws(game_of(before), before, (draw(1, "GM"),), Evidence(seen), {"seat1.trees"}))
