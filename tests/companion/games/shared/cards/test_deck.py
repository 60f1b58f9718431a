"""The deck: which cards there are, how their colors hang together, and how they are written (DEK-1 to DEK-4)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from companion.core.contract import Drawn
from companion.core.foundation.errors import BadNotation
from companion.core.pieces import INTERMEDIATES, PRIMARIES, WHEEL, Card, Special
from companion.games.shared.cards import deck
from companion.games.solitaire.game import SOLITAIRE
from companion.games.spectrumo.game import SPECTRUMO
from companion.games.spectrump.game import SPECTRUMP
from simulation.play import game_of
from tests.companion.games.examples import allows, excludes


def cards(text: str) -> list[int]:
    return [deck.number_of(word) for word in text.split()]


def shades(color: str) -> set[str]:
    return {WHEEL[shade] for shade in deck.SHADES[deck.color_of(color)]}


@allows
def test_dek_1_144_number_cards_and_24_specials() -> None:
    numbers = [piece for piece in deck.PIECES if isinstance(piece, Card)]
    specials = [piece for piece in deck.PIECES if isinstance(piece, Special)]
    assert Counter(one.color for one in numbers) == dict.fromkeys(WHEEL, 12)
    assert Counter(one.rank for one in numbers) == dict.fromkeys(range(1, 13), 12)
    assert len(set(numbers)) == deck.NUMBER_CARDS == 144
    assert len(set(specials)) == 12
    assert sum(deck.COPIES[deck.NUMBER_CARDS :]) == 24
    assert sum(deck.COPIES) == deck.CARDS_IN_ALL == 168


@allows
def test_dek_1_a_card_has_a_number() -> None:
    assert deck.LETTERS == ("R", "RO", "O", "OY", "Y", "YG", "G", "GB", "B", "BP", "P", "PR")
    assert deck.PIECES[deck.number_of("RO12")] == Card("red-orange", 12)
    assert deck.number_of("RO12") == deck.card(1, 12) == 23
    for number, piece in enumerate(deck.PIECES[: deck.NUMBER_CARDS]):
        assert piece == Card(WHEEL[deck.COLOR[number]], deck.RANK[number])
        assert deck.card(deck.COLOR[number], deck.RANK[number]) == number == deck.NUMBER[piece]


@allows
def test_dek_1_every_card_is_written_and_read() -> None:
    assert len(set(deck.CODES)) == deck.KINDS == 156
    assert all(deck.number_of(code) == deck.number_of(code.lower()) == number for number, code in enumerate(deck.CODES))
    assert deck.PIECES[deck.number_of("red-orange 12")] == Card("red-orange", 12)
    assert deck.number_of("swap R/G") == deck.number_of("swap g/r") == deck.number_of("swap red/green")
    assert deck.PIECES[deck.number_of("swap OY/BP")] == Special("swap orange-yellow/blue-purple")
    assert deck.numbers_of("R7, ??, pass  hand left") == (6, None, deck.KINDS - 1)
    assert deck.numbers_of("R7 RO1 ??") == (6, 12, None)
    assert deck.written((6, None, deck.KINDS - 1)) == "R7, ??, pass hand left"


@pytest.mark.parametrize("text", ["R13", "R0", "OR7", "swap R/B", "swap", "joker", "", "7", "RR7", "R07"])
@excludes
def test_dek_1_no_other_card_is_in_the_deck(text: str) -> None:
    with pytest.raises(BadNotation, match="no card of the deck"):
        deck.number_of(text)


@allows
@excludes
def test_dek_1_no_other_color_is_on_the_wheel() -> None:
    assert deck.color_of(" gb ") == deck.color_of("green-blue") == 7
    with pytest.raises(BadNotation, match="no color of the wheel"):
        deck.color_of("pink")


@allows
def test_dek_1_color_swaps_join_opposites() -> None:
    names = [
        piece.kind for piece in deck.PIECES[deck.NUMBER_CARDS : deck.NUMBER_CARDS + 6] if isinstance(piece, Special)
    ]
    assert names == [
        "swap red/green",
        "swap orange/blue",
        "swap yellow/purple",
        "swap red-orange/green-blue",
        "swap orange-yellow/blue-purple",
        "swap yellow-green/purple-red",
    ]


@allows
def test_dek_2_shades_are_the_neighbors_on_the_wheel() -> None:
    assert shades("red") == {"red-orange", "purple-red"}
    assert shades("green-blue") == {"green", "blue"}
    for primary in PRIMARIES:
        assert shades(primary) == {color for color in INTERMEDIATES if primary in color.split("-")}
    for secondary in INTERMEDIATES:
        assert shades(secondary) == set(secondary.split("-"))
        assert WHEEL[deck.SHADES[deck.color_of(secondary)][0]] == secondary.split("-")[0]


@excludes
def test_dek_2_a_color_is_no_shade_of_itself() -> None:
    for one in range(deck.COLORS):
        assert one not in deck.SHADES[one]


@allows
def test_dek_3_a_primary_in_all_cards() -> None:
    assert deck.common_shades(cards("R5 RO6 R7 PR8")) == deck.PRIMARIES_MASK[deck.color_of("red")]
    assert deck.common_shades(cards("GB1 GB12")) == deck.PRIMARIES_MASK[6] | deck.PRIMARIES_MASK[8]
    assert deck.common_shades(cards("P1 PR2 BP3")) == deck.PRIMARIES_MASK[deck.color_of("purple")]


@excludes
def test_dek_3_neighbors_need_not_have_one() -> None:
    assert deck.common_shades(cards("G1 GB2 B3")) == 0
    assert deck.common_shades(cards("R1 O1")) == 0
    assert deck.common_shades(cards("RO1 OY1 YG1")) == 0


@allows
@excludes
def test_dek_3_cards_with_a_common_shade_lie_around_one_primary() -> None:
    for colors in combinations(range(deck.COLORS), 3):
        near = [p for p in range(0, deck.COLORS, 2) if set(colors) <= {p, *deck.SHADES[p]}]
        assert bool(near) == bool(deck.common_shades(deck.card(color, 1) for color in colors))
    rng = Random(3)
    for _ in range(500):
        chosen = rng.sample(range(deck.NUMBER_CARDS), rng.randint(1, 5))
        named = [set(WHEEL[deck.COLOR[number]].split("-")) for number in chosen]
        shared = set(PRIMARIES).intersection(*named)
        assert {PRIMARIES[bit] for bit in range(6) if deck.common_shades(chosen) >> bit & 1} == shared


@allows
@excludes
def test_dek_4_specials_are_played_in_spectrumo_alone() -> None:
    told = Drawn(0, (Special("draw"),))
    assert SPECTRUMO.start(2, SPECTRUMO.Options()).violations(told) == ()
    for game in (SPECTRUMP, SOLITAIRE):
        state = game.start(game.seats[0], game.Options())
        assert [breach.rule.split("-")[1] for breach in state.violations(told)] == ["1"]
        assert not any(isinstance(piece, Special) for piece in game_of(state).unseen(state))
