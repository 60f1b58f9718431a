"""What is said when no event is."""

from __future__ import annotations

from companion.core.layout import Detection, Layout
from companion.core.pieces import Die, Pyramid, Stack
from companion.core.verdict import Pending, Same
from companion.games import GAMES
from companion.referee.matching.doubts import differences, doubt, half_made, named
from companion.referee.matching.evidence import Evidence
from simulation.ladder import SET, dealt
from simulation.matching.noise import ranked
from tests.companion.games.spectra.short_spectra import table as spectra

TILE = {tile.name: tile for tile in SET}
OPEN = dealt("RRR6 RRY5", "BBB6 RRP5", cells="- - - BBR5")
TABLE = OPEN.layout()


def test_a_faint_doubt_is_no_difference() -> None:
    seen = Layout({**TABLE.cells, "c1": ranked((TILE["RRR6"], 0.5), (None, 0.4))}, TABLE.heaps)
    assert differences(TABLE, Evidence(seen)) == ()
    assert doubt(TABLE, Evidence(seen)) == Same()


def test_spots_that_look_changed_are_named_the_worst_first() -> None:
    seen = Layout({"c1": ranked((TILE["RRR6"], 0.6), (None, 0.1)), "c2": ranked((TILE["RRR6"], 0.6), (None, 0.08))})
    verdict = doubt(TABLE, Evidence(seen))
    text = "c2, c1 looks changed, but not clearly enough to judge. Clear the view, or say what lies there."
    assert verdict == Pending(text)


def test_a_spot_that_clearly_differs_but_explains_nothing_looks_changed() -> None:
    verdict = doubt(TABLE, Evidence(Layout({"c1": Detection.sure(TILE["RRR6"])})))
    assert isinstance(verdict, Pending)
    assert verdict.text.startswith("c1 looks changed, but not clearly enough to judge.")


def test_pieces_that_left_and_lie_nowhere_are_a_move_half_made() -> None:
    lifted = Layout({}, {"seat0.hand": (Detection.sure(TILE["RRR6"]),), "seat1.hand": ()})
    verdict = half_made(TABLE, OPEN, Evidence(lifted))
    assert verdict is not None
    assert verdict.text == (
        "RRY5 from player 1's hand and BBB6 from player 2's hand and RRP5 from player 2's hand are off the table."
        " The move is judged when they lie again."
    )
    assert half_made(TABLE, OPEN, Evidence(TABLE)) is None


def test_a_piece_that_has_come_is_no_move_half_made() -> None:
    swapped = Layout({"c3": Detection.sure(None), "c7": Detection.sure(TILE["BBR5"])})
    assert half_made(TABLE, OPEN, Evidence(swapped)) is None


def test_a_draw_of_several_waits_for_all() -> None:
    due = dealt("", "BBB6 RRP5", cells="- - - BBR5")
    one = Layout({}, {"seat0.hand": (Detection.sure(TILE["GGG6"]),)})
    assert half_made(due.layout(), due, Evidence(one)) == Pending(
        "1 of 2 pieces are drawn. The draw is judged when it is complete."
    )


def test_a_covered_piece_is_not_off_the_table() -> None:
    table = Layout(heaps={"trees": (Detection.sure(SET[0]), Detection.sure(SET[1]))}, covered={"trees": (SET[1],)})
    seen = Layout(heaps={"trees": ()})
    verdict = half_made(table, OPEN, Evidence(seen))
    assert verdict is not None and verdict.text.startswith("RRR6 from trees is off the table")


def test_pieces_in_a_word() -> None:
    assert named(SET[0]) == "RRR6"
    assert named(Die("spectrum-d6", "red")) == "red"
    assert named(Stack((Pyramid("red", "large"), Pyramid("orange", "medium")))) == "red large, orange medium"


def test_dice_that_still_roll_are_waited_for() -> None:
    """Five of nine dice lie, before a first roll and in a re-roll; once all lie, the roll itself is judged."""
    game = GAMES["roll-and-color"]
    start = game.start(1, game.Options())
    rolled = start.apply(game.parse(start, "rolls d6 red yellow blue green, d12 red-orange red red blue purple"))
    for state in (start, rolled):
        table = state.layout()
        thrown = [Die("spectrum-d6", "orange"), *[Die("spectrum-d12", "green")] * 4]
        seen = Layout(heaps={"dice": tuple(map(Detection.sure, thrown))})
        assert half_made(table, state, Evidence(seen)) == Pending("5 of 9 dice lie. The roll is judged when all do.")
        whole = Layout(heaps={"dice": tuple(map(Detection.sure, [*thrown, *[Die("spectrum-d6", "orange")] * 4]))})
        assert half_made(table, state, Evidence(whole)) is None


def test_a_piece_that_may_be_what_lies_there_is_not_called_gone() -> None:
    before = spectra("YS BS", "PL")
    seen = Layout(heaps={**before.layout().heaps, "seat0.supply": (ranked((Pyramid("clear", "large"), 0.3)),)})
    assert half_made(before.layout(), before, Evidence(seen)) is None
    gone = Layout(heaps={**before.layout().heaps, "seat0.supply": ()})
    assert half_made(before.layout(), before, Evidence(gone)) is not None
