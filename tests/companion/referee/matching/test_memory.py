"""What is remembered of a table: unchanged places keep what the game has there, whatever a reader says now."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from companion.core.layout import Candidate, Detection, Layout, Uncovered
from companion.core.pieces import TILES, Pawn, Pyramid
from companion.core.verdict import Accepted, Refused, Same
from companion.games.regenbogen.game import REGENBOGEN
from companion.games.spectra.state import SpectraState
from companion.referee.matching import Memory, match
from companion.referee.matching.memory import named
from simulation.play import game_of
from tests.companion.games.spectra.short_spectra import table

TILE = {tile.name: tile for tile in TILES}
RED, GREEN, BLUE, WHITE = (Pyramid(color, "small") for color in ("red", "green", "blue", "white"))
SUPPLY = "seat0.supply"
TABLE = table("RS GS BS", "PL", turn=0)


def at(place: str, piece: Pyramid, sure: float = 1.0, *others: tuple[Pyramid | None, float]) -> Detection:
    return Detection((Candidate(piece, sure), *[Candidate(one, share) for one, share in others]), place)


def seen(*supply: Detection, state: SpectraState = TABLE, **more: object) -> Layout:
    return msgspec.structs.replace(Layout(heaps={**state.layout().heaps, SUPPLY: supply}), **more)


THREE = (at("p1", RED), at("p2", GREEN), at("p3", BLUE))


def test_a_piece_that_lies_elsewhere_is_not_what_an_odd_sighting_was_misread_for() -> None:
    """Who says where it belongs is about to put it back. From game 12113 of `simulation.drawn.games --game spectra`."""
    odd = at("p3", Pyramid("orange", "small"), 0.8842, (RED, 0.0001))
    supply = (at("p2", GREEN), at("p4", BLUE), odd)
    moved = {**seen().heaps, SUPPLY: supply, "seat0.trees": (*TABLE.layout().heaps["seat0.trees"], at("p9", RED))}
    read, lost = (Memory().taken(TABLE.layout(), one, 0, "told") for one in (Layout(heaps=moved), seen(*supply)))
    assert (read.places["p3"].piece, read.absent[SUPPLY]) == (None, (RED,))
    assert (lost.places["p3"].piece, SUPPLY in lost.absent) == (RED, False)
    back = seen(*supply, at("p10", RED, 0.9996))
    compared = match(game_of(TABLE), TABLE, read.seen(back), absent=read.away(back), fresh=read.fresh(back))
    assert compared == Same()


def test_an_unchanged_place_keeps_its_piece_whatever_is_read_there() -> None:
    memory = Memory().taken(TABLE.layout(), seen(*THREE), 0, "read")
    wrong = seen(at("p1", WHITE), at("p2", GREEN), at("p3", BLUE))
    assert match(game_of(TABLE), TABLE, wrong) != Same()
    assert match(game_of(TABLE), TABLE, memory.seen(wrong)) == Same()


def test_what_was_misread_when_the_game_began_is_no_news() -> None:
    doubted = Detection((Candidate(WHITE, 0.9), Candidate(RED, 0.05)), "p1")
    begun = seen(doubted, at("p2", GREEN), at("p3", BLUE))
    memory = Memory().taken(TABLE.layout(), begun, 0, "read")
    assert memory.places["p1"].piece == RED
    assert match(game_of(TABLE), TABLE, memory.seen(begun)) == Same()


def test_a_place_that_changed_is_read_anew() -> None:
    memory = Memory().taken(TABLE.layout(), seen(*THREE), 0, "read")
    (fresh,) = (one for one in memory.seen(seen(at("p9", WHITE), *THREE[1:])).heaps[SUPPLY] if one.place == "p9")
    assert fresh.piece == WHITE


def test_what_nothing_accounts_for_is_left_out_until_its_place_changes() -> None:
    ghost = at("p7", WHITE, 0.8)
    memory = Memory().taken(TABLE.layout(), seen(*THREE, ghost), 0, "read")
    assert memory.places["p7"].origin == "unknown"
    assert match(game_of(TABLE), TABLE, memory.seen(seen(*THREE, ghost))) == Same()
    assert len(memory.seen(seen(*THREE, at("p8", WHITE))).heaps[SUPPLY]) == 4


def test_a_piece_out_of_sight_is_not_gone() -> None:
    memory = Memory().taken(TABLE.layout(), seen(*THREE[:2]), 0, "told")
    assert memory.absent == {SUPPLY: (BLUE,)}
    assert match(game_of(TABLE), TABLE, memory.seen(seen(*THREE[:2])), absent=memory.absent) == Same()
    back = memory.taken(TABLE.layout(), seen(*THREE), 1, "event")
    assert SUPPLY not in back.absent


def test_a_covered_piece_may_be_there_or_not() -> None:
    memory = Memory().taken(TABLE.layout(), seen(*THREE), 0, "read")
    covered = seen(*THREE[1:], hidden=frozenset({"p1"}))
    assert match(game_of(TABLE), TABLE, memory.seen(covered), absent=memory.away(covered)) == Same()
    assert match(game_of(TABLE), TABLE, memory.seen(seen(*THREE[1:])), absent=memory.away(seen(*THREE[1:]))) != Same()


def test_eyes_that_follow_nothing_are_known_again_by_what_they_read() -> None:
    plain = tuple(Detection.sure(piece) for piece in (WHITE, GREEN, BLUE))
    memory = Memory().taken(TABLE.layout(), seen(*plain), 0, "told")
    assert match(game_of(TABLE), TABLE, memory.seen(seen(*plain))) == Same()
    assert match(game_of(TABLE), TABLE, memory.seen(seen(*plain, Detection.sure(Pyramid("red", "large"))))) != Same()
    assert memory.taken(TABLE.layout(), TABLE.layout(), 1, "event").places == {}


def test_misreadings_do_not_hide_what_else_happens() -> None:
    begun = seen(at("p1", WHITE, 0.9), at("p2", GREEN), at("p3", BLUE))
    memory = Memory().taken(TABLE.layout(), begun, 0, "read")
    drawn = seen(*begun.heaps[SUPPLY], at("p4", Pyramid("purple", "large")))
    verdict = match(game_of(TABLE), TABLE, memory.seen(drawn))
    assert isinstance(verdict, Accepted | Refused)
    assert not isinstance(verdict, Refused)


def test_a_person_overrules_a_cell_for_as_long_as_it_reads_so() -> None:
    table_is = Layout(cells={"c1": Detection.sure(None), "c2": Detection.sure(TILE["RRR6"])})
    read = Layout(cells={"c1": Detection.sure(TILE["BBB6"]), "c2": Detection.sure(TILE["RRR6"])})
    memory = Memory().overruled(table_is, read, 3)
    assert set(memory.seen(read).cells) == {"c2"}
    other = Layout(cells={"c1": Detection.sure(TILE["GGG6"]), "c2": Detection.sure(TILE["RRR6"])})
    assert set(memory.seen(other).cells) == {"c1", "c2"}
    assert memory.taken(table_is, other, 4, "event").silent == {}


def test_a_misread_cell_of_a_board_is_no_news_until_it_reads_otherwise() -> None:
    state = REGENBOGEN.start(2, REGENBOGEN.Options())
    tops = state.layout().cells
    clear, other = Pyramid("clear", "small"), Pyramid("clear", "medium")
    misread = Layout(cells={**tops, "c1": Detection((Candidate(other, 0.9), Candidate(clear, 0.05)))})
    assert tops["c1"].piece == clear
    assert match(game_of(state), state, misread) != Same()
    memory = Memory().taken(state.layout(), misread, 0, "event")
    believed = memory.seen(misread).cells["c1"]
    assert (believed.piece, believed.candidates[1].piece) == (clear, other)
    assert match(game_of(state), state, memory.seen(misread)) == Same()
    one_hidden = replace(misread, hidden=frozenset({"c2"}))
    beside = Memory().taken(state.layout(), one_hidden, 0, "event")
    assert beside.seen(misread).cells["c1"] == misread.cells["c1"], "what has gone may stand where nobody can look"
    gone = Layout(cells={**tops, "c1": Detection.sure(None)})
    assert memory.seen(gone) == gone
    moved = Layout(cells={**misread.cells, "c1": Detection.sure(None), "c3": misread.cells["c1"]})
    again = Layout(cells={**misread.cells, "c3": misread.cells["c1"]})
    after = memory.taken(state.layout(), moved, 1, "event")
    assert after.seen(again).cells["c1"] == again.cells["c1"], "what stood there has gone, and something else has come"


def test_a_person_who_speaks_of_one_spot_overrules_nothing_else() -> None:
    table_is = Layout(cells={"c1": Detection.sure(None), "c2": Detection.sure(None)})
    read = Layout(cells={spot: Detection.sure(TILE["BBB6"]) for spot in ("c1", "c2")})
    assert set(Memory().overruled(table_is, read, 3, ["c1"]).seen(read).cells) == {"c2"}


@pytest.mark.parametrize(("sure", "piece"), [(0.7, None), (0.97, RED)])
def test_a_person_who_speaks_of_a_cell_takes_poor_readings_of_others_for_mistakes(
    sure: float, piece: Pyramid | None
) -> None:
    table_is = Layout(cells={"c1": Detection.sure(None), "c2": Detection.sure(None)})
    read = Layout(cells={"c1": Detection.sure(RED), "c2": Detection((Candidate(RED, sure), Candidate(None, 0.02)))})
    memory = Memory().overruled(table_is, read, 3, ["c1"])
    assert {spot: one.piece for spot, one in memory.seen(read).cells.items()} == {"c2": piece}


@pytest.mark.parametrize(("sure", "piece"), [(0.7, "blue"), (0.97, None)])
def test_a_pawn_that_was_read_poorly_is_known_again_by_its_cell(sure: float, piece: str | None) -> None:
    table_is = Layout(cells={"blue.1": Detection.sure(Pawn("blue"))})
    read = Layout(cells={"blue.1": Detection((Candidate(None, sure), Candidate(Pawn("blue"), 0.02)))})
    memory = Memory().taken(table_is, read, 1, "event")
    assert memory.seen(read).cells["blue.1"].piece == (None if piece is None else Pawn(piece))


def test_what_a_person_has_told_is_what_the_only_odd_sighting_was_misread_for() -> None:
    odd = at("p3", Pyramid("cyan", "large"), 0.9, (None, 0.1))
    layout = seen(*THREE[:2], odd)
    told = Memory().taken(TABLE.layout(), layout, 0, "told")
    assert told.places["p3"].piece == BLUE
    assert match(game_of(TABLE), TABLE, told.seen(layout)) == Same()
    assert Memory().taken(TABLE.layout(), layout, 0, "read").places["p3"].piece is None


def test_what_a_person_has_told_is_paired_with_what_it_is_likeliest_misread_for() -> None:
    odd = (at("p2", Pyramid("cyan", "large"), 0.9, (BLUE, 0.1)), at("p3", Pyramid("white", "large"), 0.9, (GREEN, 0.1)))
    told = Memory().taken(TABLE.layout(), seen(THREE[0], *odd), 0, "told")
    assert (told.places["p2"].piece, told.places["p3"].piece) == (BLUE, GREEN)


def test_without_what_a_reading_contradicts() -> None:
    memory = Memory().taken(TABLE.layout(), seen(*THREE), 0, "told")
    assert memory.as_read(seen(*THREE)) is memory
    assert set(memory.as_read(seen(at("p1", WHITE), *THREE[1:])).places) == {"p2", "p3"}


def test_doubts_are_what_was_only_read_and_hardly_so() -> None:
    begun = seen(at("p1", RED, 0.55, (WHITE, 0.4)), at("p2", GREEN, 0.99), at("p3", BLUE))
    memory = Memory().taken(TABLE.layout(), begun, 0, "read")
    assert [key for key, _ in memory.doubted(0.9)] == ["p1"]
    assert Memory().taken(TABLE.layout(), begun, 0, "told").doubted(0.9) == ()


def test_a_memory_is_json_both_ways_and_small() -> None:
    memory = Memory().taken(TABLE.layout(), seen(*THREE[:2], at("p7", WHITE, 0.8)), 2, "read")
    data = msgspec.json.encode(memory)
    assert msgspec.json.decode(data, type=Memory) == memory
    assert len(data) < 4000


@pytest.mark.parametrize("count", [1, 2])
def test_equal_readings_of_a_heap_have_names_of_their_own(count: int) -> None:
    heap = tuple(Detection.sure(RED) for _ in range(count))
    assert len({key for key, _ in named(SUPPLY, heap)}) == count


def test_places_are_fresh_only_beside_remembered_ones_that_lie_open() -> None:
    layout = seen(*THREE, at("p4", WHITE), at("", WHITE), at("p5", WHITE))
    hidden = replace(layout, uncovered={"p5": Uncovered("foreign", 0, 1.0)})
    assert Memory().fresh(layout) == frozenset(), "where nothing is remembered yet, nothing is new"
    memory = Memory().taken(TABLE.layout(), seen(*THREE), 0, "read")
    assert memory.fresh(seen(*THREE)) == frozenset()
    assert memory.fresh(layout) == {"p4", "p5"}
    assert memory.fresh(hidden) == {"p4"}


def test_what_reads_well_and_nothing_accounts_for_is_doubted_first() -> None:
    whole = seen(at("p1", RED, 0.97), at("p2", GREEN, 0.8), at("p3", BLUE), at("p4", WHITE, 0.95), at("p5", WHITE, 0.3))
    memory = Memory().taken(TABLE.layout(), whole, 0, "read")
    assert [key for key, _ in memory.doubted(0.9)] == ["p4", "p2"]
    assert [key for key, _ in memory.doubted(0.75)] == ["p4"]
    assert [key for key, _ in memory.doubted(0.98)] == ["p2", "p1"]
    assert not memory.confirmed("p4", None).confirmed("p2", GREEN).doubted(0.9)


@pytest.mark.parametrize(("sure", "count"), [(0.6, 0), (0.9, 0), (0.99, 1)])
def test_what_was_taken_for_nothing_counts_once_it_reads_far_more_surely(sure: float, count: int) -> None:
    table_is = Layout(heaps={"seat0.supply": ()})
    red = Pyramid("red", "small")
    faint, now = (
        Layout(heaps={"seat0.supply": (Detection((Candidate(red, share),), "p1"),)}) for share in (0.55, sure)
    )
    memory = Memory().taken(table_is, faint, 2, "event")
    assert len(memory.seen(faint).heaps["seat0.supply"]) == 0
    assert len(memory.seen(now).heaps["seat0.supply"]) == count
