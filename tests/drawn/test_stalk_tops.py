"""Tops of stalks are counted zone by zone, whatever is read below them."""

from __future__ import annotations

from companion.core.layout import Detection, Layout
from companion.core.pieces import Pyramid, Stack
from companion.games.ice_stalks.growth import pieces_of
from simulation.drawn.readings import GameRead, Look
from simulation.drawn.reel import moments_of
from simulation.drawn.refereed import Setting, player_of
from simulation.drawn.stalk_tops import tops, tops_of


def test_what_is_on_top() -> None:
    heap = [Detection.sure(Stack(pieces_of("R3O2"))), Detection.sure(Stack(pieces_of("O2")))]
    assert tops(heap) == {Pyramid("orange", "medium"): 2}


def test_a_picture_that_reads_one_top_otherwise() -> None:
    player, _ = player_of(Setting("ice-stalks", steps=6), 3)
    turns = {moment.turn: moment.layout for moment, _ in moments_of(player, 6)}
    (spot, heap), *_ = [one for one in turns[6].heaps.items() if len(one[1]) > 1 and isinstance(one[1][0].piece, Stack)]
    misread = Layout(heaps={**turns[6].heaps, spot: (Detection.sure(Stack((Pyramid("clear", "small"),))), *heap[1:])})
    looks = tuple(Look(turn, turn, False, (seen,), None) for turn, seen in ((5, turns[5]), (6, misread)))
    game = GameRead("ice-stalks", 3, 6, None, None, None, True, looks)
    before, after = ([one for one in tops_of(game) if one.turn == turn] for turn in (5, 6))
    assert before and all(one.right == one.shown for one in before)
    assert sum(one.shown - one.right for one in after) == 1
