"""A hand that lies partly out of the picture: what is not seen there is no change, what is seen there counts."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.contract import Drawn
from companion.core.layout import Layout
from companion.core.pieces import identify
from companion.core.verdict import Accepted, Same
from companion.games import GAMES
from companion.games.spectrangle.moves import PLACES
from companion.referee.matching import match
from simulation.play import game_of

GAME = GAMES["spectrangle"]
HANDS = [["GGY4", "PPB4", "YYB5", "BBP5"], ["RYB1", "BBR5", "BBY4", "GRB3"]]
START = GAME.from_record(2, GAME.Options(), {"hands": HANDS, "to_move": 0})


def without(layout: Layout, spot: str, name: str) -> Layout:
    """The layout with one tile of a hand beyond the picture's border."""
    kept = tuple(sighting for sighting in layout.heaps[spot] if getattr(sighting.piece, "name", "") != name)
    assert len(kept) + 1 == len(layout.heaps[spot])
    return Layout(layout.cells, {**layout.heaps, spot: kept}, partial=frozenset({spot}))


def test_a_tile_beyond_the_border_is_not_missed() -> None:
    assert match(game_of(START), START, without(START.layout(), "seat0.hand", "BBP5")) == Same()


def test_a_tile_that_left_a_hand_in_full_view_is_missed() -> None:
    seen = without(START.layout(), "seat0.hand", "BBP5")
    assert match(game_of(START), START, replace(seen, partial=frozenset())) != Same()


def test_a_tile_from_beyond_the_border_may_be_played() -> None:
    place = PLACES[14]["BPB"]
    played = START.apply(PLACES[21]["GGY"]).apply(Drawn(0, (identify("GGB"),)))
    played = played.apply(PLACES[13]["BBY"]).apply(Drawn(1, (identify("PPG"),)))
    assert not played.violations(place)
    seen = played.apply(place).apply(Drawn(0, (None,))).layout()
    hand = without(played.layout(), "seat0.hand", "BBP5")
    seen = Layout(seen.cells, {**seen.heaps, "seat0.hand": hand.heaps["seat0.hand"]}, partial=hand.partial)
    verdict = match(game_of(played), played, seen)
    assert isinstance(verdict, Accepted)
    assert verdict.events[0] == place


def test_the_next_player_s_move_is_found_although_nobody_saw_the_draw_before_it() -> None:
    first = START.apply(PLACES[21]["GGY"])
    after = first.apply(Drawn(0, (None,))).apply(PLACES[13]["BBY"]).apply(Drawn(1, (identify("PPG"),)))
    hand = Layout(heaps={"seat0.hand": without(START.layout(), "seat0.hand", "GGY4").heaps["seat0.hand"]})
    seen = Layout(after.layout().cells, {**after.layout().heaps, **hand.heaps})
    verdict = match(game_of(first), first, replace(seen, partial=frozenset({"seat0.hand"})))
    assert isinstance(verdict, Accepted)
    assert verdict.events == (Drawn(0, (None,)), PLACES[13]["BBY"], Drawn(1, (identify("PPG"),)))
    covered = match(game_of(first), first, replace(seen, obscured=frozenset({"seat0.hand"})))
    assert isinstance(covered, Accepted)
    assert covered.events == verdict.events
    assert covered.cost > verdict.cost
