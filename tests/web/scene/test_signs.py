"""Signs belong to people."""

from __future__ import annotations

from web.scene.signs import COLORS, signs


def test_a_person_has_the_same_sign_in_every_seat_and_company() -> None:
    ada, ben, cleo = 0, 1, 2
    first, second = signs((ada, ben)), signs((cleo, ben, ada))
    assert (first[0], first[1]) == (second[2], second[1])
    assert len({sign.shape for sign in second}) == len({sign.color for sign in second}) == 3


def test_the_eleventh_shares_a_shape_in_another_color_and_yields_at_one_table() -> None:
    alone, first = signs((COLORS,))[0], signs((0,))[0]
    assert alone.shape == first.shape and alone.color != first.color
    late, early = signs((COLORS, 0))
    assert early == first and late.shape != early.shape and late.color != early.color


def test_a_hundred_people_have_a_hundred_signs() -> None:
    assert len({signs((number,))[0] for number in range(COLORS**2)}) == COLORS**2
