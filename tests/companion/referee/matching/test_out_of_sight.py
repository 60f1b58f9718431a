"""Events out of sight: draws into other pieces, turns under a cloth, and unknown tiles that come into view."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.contract import Shown
from companion.core.layout import Candidate, Detection, Layout, Uncovered
from companion.core.pieces import Stack, identify
from companion.core.verdict import Accepted, Desynchronized, Refused, Same, Unclear
from companion.games import GAMES
from companion.games.ice_stalks.growth import pieces_of
from companion.games.spectra.moves import EndTurn
from companion.referee.matching import match
from companion.referee.matching.accounts import Standpoint
from companion.referee.matching.evidence import Evidence
from companion.referee.matching.out_of_sight import unseen_draws
from companion.referee.matching.referee import Referee
from simulation.play import game_of
from tests.companion.games.ice_stalks.short_stalks import table as stalks_of
from tests.companion.games.spectra.short_spectra import draw, give, piece, table
from tests.companion.referee.matching.beginning import begun

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
        heaps[spot] = tuple(Detection(one.candidates, f"{spot} {one.piece}{mark}") for one in heap)
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


# --- a turn of somebody else may lie under something foreign ---------------------------------------------------------


def hidden_stalks() -> tuple[Referee, Standpoint]:
    """Player 1's turn; a cloth lies over one of three stalks in a picture that shows nothing new."""
    state = stalks_of("C3G2", "B3", "R3")
    referee, here = begun(state, placed("C3G2", "B3", "R3"))
    quiet = placed("C3G2", "R3", hidden=("B3",))
    verdict = referee.verdict(here, quiet)
    assert isinstance(verdict, Same)
    referee.remember(verdict, here, quiet)
    return referee, here


def placed(*stalks: str, hidden: tuple[str, ...] = ()) -> Layout:
    """The stalks of a table for two, each at a place of its own."""
    heap = tuple(Detection((Candidate(Stack(pieces_of(stalk)), 1.0),), stalk) for stalk in stalks)
    return Layout(
        heaps={"stalks": heap, "seat0.stalks": (), "seat1.stalks": ()},
        hidden=frozenset(hidden),
        obscured=frozenset({"stalks"} if hidden else ()),
    )


def test_who_may_have_played_under_a_cloth_is_not_accused_of_what_the_next_one_does() -> None:
    referee, here = hidden_stalks()
    verdict = referee.verdict(here, placed("C3G2P2", "R3", hidden=("B3",)))
    assert isinstance(verdict, Unclear)
    assert [[breach.rule for breach in one.breaches] for one in verdict.choices] == [["ICE-11"]]


def test_a_legal_move_is_asked_about_where_somebody_else_may_have_played_under_a_cloth_before() -> None:
    referee, here = hidden_stalks()
    verdict = referee.verdict(here, placed("C3G2", "R3O3", hidden=("B3",)))
    assert isinstance(verdict, Unclear)
    assert [(one.confirm, one.breaches) for one in verdict.choices] == [(True, ())]


def test_without_a_cloth_both_are_decided() -> None:
    for stalks, kind in ((("C3G2P2", "B3", "R3"), Refused), (("C3G2", "B3", "R3O3"), Accepted)):
        referee, here = begun(stalks_of("C3G2", "B3", "R3"), placed("C3G2", "B3", "R3"))
        quiet = placed("C3G2", "B3", "R3")
        referee.remember(referee.verdict(here, quiet), here, quiet)
        assert isinstance(referee.verdict(here, placed(*stalks)), kind)


def test_a_turn_under_a_cloth_may_lie_between_two_that_are_seen() -> None:
    """Yellow, then orange come on one stalk; whoever placed orange is not known if a turn lay under the cloth."""
    for hidden, kind in ((("B3",), Unclear), ((), Accepted)):
        referee, here = hidden_stalks()
        stalks = ("C3G2Y2O2", "R3") if hidden else ("C3G2Y2O2", "R3", "B3")
        verdict = referee.verdict(here, placed(*stalks, hidden=hidden))
        assert isinstance(verdict, kind)


def test_what_follows_an_unexplained_picture_is_asked_about() -> None:
    """A small comes against the rules of any stalk and stays; the next piece may be the player's after the next."""
    state = stalks_of("C3G2", "B3", "R3")
    referee, here = begun(state, placed("C3G2", "B3", "R3"))
    odd = placed("C3G2", "B3", "R3", "O1", "P1")
    verdict = referee.verdict(here, odd)
    assert isinstance(verdict, Desynchronized)
    referee.remember(verdict, here, odd)
    verdict = referee.verdict(here, placed("C3G2", "B3", "R3O3", "O1", "P1"))
    assert isinstance(verdict, Unclear)
    assert [choice.confirm for choice in verdict.choices] == [True]


def test_a_stalk_that_grew_beside_a_faint_one_may_be_the_next_players() -> None:
    """Two stalks grew in one picture, one of them faintly: whoever placed orange is asked about."""
    for sure, kind in ((0.65, Unclear), (0.0, Accepted)):
        referee, here = begun(stalks_of("C3", "R3"), placed("C3", "R3"))
        grown = Candidate(Stack(pieces_of("C3G2")), sure), Candidate(Stack(pieces_of("C3")), 1.0 - sure)
        clear = placed("C3", "R3O3")
        doubtful = Detection(grown if sure else grown[1:], "C3,G2" if sure else "C3")
        stalks = tuple(doubtful if one.place == "C3" else one for one in clear.heaps["stalks"])
        verdict = referee.verdict(here, replace(clear, heaps={**clear.heaps, "stalks": stalks}))
        assert isinstance(verdict, kind)


# --- an unknown tile becomes known once its hand is seen whole --------------------------------------------------------

HANDS = [["GGY4", "PPB4", "YYB5", "BBP5"], ["RYB1", "BBR5", "BBY4"]]


def tiles_of(*hands: list[str]) -> Any:
    game = GAMES["spectrangle"]
    return game.from_record(2, game.Options(), {"hands": list(hands), "to_move": 0})


@pytest.mark.parametrize(("why", "known"), [("", True), ("partial", False), ("obscured", False)])
def test_an_unknown_tile_becomes_known_once_its_hand_is_seen_whole(why: str, known: bool) -> None:
    unknown, whole = tiles_of(HANDS[0], [*HANDS[1], "??"]), tiles_of(HANDS[0], [*HANDS[1], "GRB3"])
    seen = whole.layout()
    referee, here = begun(unknown, seen)
    look = replace(seen, **({why: frozenset({"seat1.hand"})} if why else {}))
    verdict = referee.verdict(here, look)
    assert verdict == Same() if not known else isinstance(verdict, Accepted)
    if isinstance(verdict, Accepted):
        assert verdict.events == (Shown(1, (identify("GRB"),)),)
        assert unknown.apply(verdict.events[0]).layout().heaps.keys() == whole.layout().heaps.keys()


# --- a whole turn out of sight before a row that was written ----------------------------------------------------------

OPENED = table("RS PS", "YM BM OS KS", turn=1, drawn=True, **TREES)
"""Player 2 has drawn, and both trees may hide a small."""


def after_a_quiet_picture(*, quiet: bool) -> tuple[Referee, Standpoint]:
    """Player 2 exchanges; before that a picture showed nothing new, or none did."""
    referee, here = begun(OPENED, followed(OPENED.layout()))
    if quiet:
        look = followed(OPENED.layout())
        referee.remember(referee.verdict(here, look), here, look)
    exchanged = OPENED.apply(give(1, "YM BM", "GM"))
    look = followed(exchanged.layout())
    verdict = referee.verdict(here, look)
    assert isinstance(verdict, Accepted)
    here = Standpoint(exchanged, ((0, OPENED),), 1)
    referee.remember(verdict, here, look)
    return referee, here


def drawn_again(here: Standpoint) -> Layout:
    """Player 2 has drawn once more."""
    heaps = here.state.layout().heaps
    return followed(Layout(heaps={**heaps, "seat1.supply": (*heaps["seat1.supply"], Detection.sure(piece("WL")))}))


def test_who_draws_again_is_not_accused_where_the_others_turn_may_have_been_out_of_sight() -> None:
    """Player 1 may have drawn a blue small and put it into the blue large; then the exchange began a turn (SPA-5)."""
    referee, here = after_a_quiet_picture(quiet=True)
    verdict = referee.verdict(here, drawn_again(here))
    assert isinstance(verdict, Unclear)
    assert any(choice.breaches for choice in verdict.choices)


def test_who_draws_again_is_accused_where_no_picture_left_time_for_a_turn() -> None:
    referee, here = after_a_quiet_picture(quiet=False)
    verdict = referee.verdict(here, drawn_again(here))
    assert isinstance(verdict, Refused)
    assert [breach.rule for breach in verdict.breaches] == ["SPA-5"]


def test_what_lay_under_a_cloth_may_have_been_drawn_before_the_row_between() -> None:
    """A draw comes to light together with a second one: the first was made before the other player's draw."""
    begin = table("KS", "", turn=None, **TREES)
    referee, here = begun(begin, followed(begin.layout()))
    covered = replace(followed(begin.layout()), obscured=frozenset({"seat0.supply"}))
    referee.remember(referee.verdict(here, covered), here, covered)
    then = begin.apply(draw(1, "OL"))
    look = followed(then.layout())
    verdict = referee.verdict(here, look)
    assert isinstance(verdict, Accepted)
    here = Standpoint(then, ((0, begin),), 1)
    referee.remember(verdict, here, look)
    now = then.layout().heaps
    now = {**now, "seat0.supply": (*now["seat0.supply"], Detection.sure(piece("BM")), Detection.sure(piece("YS")))}
    uncovered = {"seat0.supply " + str(piece("BM")): Uncovered("foreign", 2, 1.0)}
    assert isinstance(referee.verdict(here, followed(Layout(heaps=now))), Refused)
    assert isinstance(referee.verdict(here, replace(followed(Layout(heaps=now)), uncovered=uncovered)), Unclear)


def test_what_something_foreign_may_hide_has_not_left_the_table() -> None:
    """Green large may have been pushed under a cloth while player 2 drew; that it was given away is far-fetched."""
    before = table("KL", "GL", turn=0, drawn=True, **TREES)
    heaps = before.layout().heaps
    look = Layout(heaps={**heaps, "seat1.supply": (Detection.sure(piece("BM")),)})
    covered = replace(look, obscured=frozenset({"seat1.supply"}))
    bare, verdict = (match(game_of(before), before, one) for one in (look, covered))
    assert isinstance(bare, Accepted)
    assert bare.events[:2] == (EndTurn(0), draw(1, "YS"))
    assert isinstance(verdict, Unclear)
    assert [choice.events for choice in verdict.choices] == [(EndTurn(0), draw(1, "BM"))]
