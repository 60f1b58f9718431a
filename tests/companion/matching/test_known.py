"""A piece that is read wrong, and read wrong the same way again, is no news; whatever else happens beside it is."""

from __future__ import annotations

import pytest

from companion.games.spectra.moves import EndTurn
from companion.layout import Layout, Sighting
from companion.matching import SWAPPED_ONLY, is_explained, joined, match, misreadings
from companion.matching.evidence import KNOWN, MISSED, Evidence, Misreading, Pile, pair
from companion.pieces import Piece, Pyramid
from companion.verdict import Accepted, Pending, Same
from tests.companion.games.spectra.short_spectra import draw, table
from tests.companion.matching.noise import ranked

RED, BLUE, GREEN, WHITE = (Pyramid(color, "small") for color in ("red", "blue", "green", "white"))
TABLE = table("YS BS WM", "PL", turn=0, drawn=True)


def read(layout: Layout, spot: str, *pieces: Piece, sure: float = 0.8) -> Layout:
    """A table of which one heap is read so."""
    return Layout(heaps={**layout.heaps, spot: tuple(ranked((piece, sure)) for piece in pieces)})


def surely(*pieces: Piece) -> tuple[Sighting, ...]:
    return tuple(Sighting.sure(piece) for piece in pieces)


@pytest.mark.parametrize(
    ("seen", "known", "regret"),
    [
        (surely(GREEN), (), MISSED),
        (surely(GREEN, WHITE), (Misreading(RED, WHITE),), KNOWN),
        (surely(GREEN), (Misreading(RED, None),), 0.0),
        (surely(GREEN, RED, BLUE), (Misreading(None, BLUE),), KNOWN),
        (surely(GREEN, RED), (Misreading(RED, WHITE),), 0.0),
        (surely(GREEN, RED), (Misreading(RED, None), Misreading(None, WHITE)), 0.0),
        (surely(GREEN), (Misreading(RED, WHITE),), MISSED),
    ],
)
def test_what_is_known_costs_little_and_only_while_it_is_so(
    seen: tuple[Sighting, ...], known: tuple[Misreading, ...], regret: float
) -> None:
    assert pair(Pile((RED, GREEN)), seen, known=known).regret == pytest.approx(regret)


def test_a_known_misreading_leaves_the_piece_that_it_looks_like_alone() -> None:
    """White is read for red; when the real white piece goes, that one is missing and not the red one."""
    pairs = pair(Pile((RED, WHITE)), surely(WHITE), known=(Misreading(RED, WHITE),)).pairs
    assert {(one.piece, one.sighting is None) for one in pairs} == {(RED, False), (WHITE, True)}


def test_misreadings_are_taken_up_piece_by_piece() -> None:
    seen = read(TABLE.layout(), "seat0.supply", Pyramid("yellow", "small"), Pyramid("white", "small"))
    found = misreadings(TABLE.layout(), seen)["seat0.supply"]
    assert sorted(one.read is None for one in found) == [False, True]
    (swapped,) = misreadings(TABLE.layout(), seen, kinds=SWAPPED_ONLY)["seat0.supply"]
    assert swapped.read == Pyramid("white", "small")
    assert misreadings(TABLE.layout(), seen, spots=["seat1.supply"]) == {}
    assert misreadings(TABLE.layout(), TABLE.layout()) == {}


def test_what_two_pictures_know_is_not_counted_twice() -> None:
    one = {"heap": (Misreading(RED, BLUE),)}
    assert joined(one, one) == one
    assert joined(one, {"other": (Misreading(RED, None),)}).keys() == {"heap", "other"}


def test_a_draw_beside_a_known_misreading_is_taken() -> None:
    wrong = read(
        TABLE.layout(), "seat0.supply", Pyramid("yellow", "small"), Pyramid("blue", "small"), Pyramid("clear", "small")
    )
    assert not isinstance(match(TABLE, wrong), Same | Accepted)
    known = misreadings(TABLE.layout(), wrong)
    assert match(TABLE, wrong, known=known) == Same()
    assert is_explained(TABLE.layout(), wrong, known)
    drawn = TABLE.apply(EndTurn(0)).apply(draw(1, "OM"))
    seen = Layout(heaps={**wrong.heaps, "seat1.supply": drawn.layout().heaps["seat1.supply"]})
    verdict = match(TABLE, seen, known=known)
    assert isinstance(verdict, Accepted)
    assert verdict.events == (EndTurn(0), draw(1, "OM"))


def test_a_piece_that_surely_reads_as_another_is_said_to_be_misread_if_no_event_explains_it() -> None:
    seen = read(
        TABLE.layout(), "seat0.supply", Pyramid("yellow", "small"), Pyramid("blue", "small"), Pyramid("clear", "medium")
    )
    verdict = match(TABLE, seen)
    assert isinstance(verdict, Pending)
    assert verdict.still


def test_tiles_and_dice_are_none_of_its_business() -> None:
    from companion.pieces import TILES

    hand = Layout(heaps={"hand": surely(TILES[0])})
    assert misreadings(hand, Layout(heaps={"hand": surely(TILES[1])})) == {}
    assert Evidence(hand).total(hand) == 0.0
