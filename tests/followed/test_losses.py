"""Events that no row tells are counted by cause."""

from __future__ import annotations

from collections import Counter

from companion.core.layout import Detection, Layout
from companion.core.pieces import Pyramid
from simulation.followed.losses import Loss, Losses, MisreadSpots

BLUE, RED = Detection.sure(Pyramid("blue", "small")), Detection.sure(Pyramid("red", "small"))


def test_an_event_that_a_later_row_tells_is_not_lost() -> None:
    losses = Losses()
    losses.after_picture(Counter({"a": 1, "b": 1}), Loss("waits", "now"))
    losses.after_picture(Counter({"b": 1, "c": 1}), Loss("silent", "never"))
    losses.settle()
    assert losses.lost == {Loss("waits", "now"): 1, Loss("silent", "never"): 1}


def test_an_event_that_an_open_question_names_is_lost_to_that_question() -> None:
    losses = Losses()
    losses.after_picture(Counter({"a": 2}), Loss("waits", "now"))
    losses.name(Counter({"a": 1, "b": 1}))
    losses.settle()
    assert losses.lost == {Loss("asked", "now"): 1, Loss("waits", "now"): 1}


def test_a_misreading_is_new_in_the_picture_that_first_shows_it() -> None:
    spots, truth = MisreadSpots(), Layout(heaps={"pool": (BLUE,), "hand": (RED,)})
    wrong = Layout(heaps={"pool": (RED,), "hand": (RED,)})
    assert [spots.look(layout, truth) for layout in (truth, wrong, wrong, truth)] == ["never", "now", "before", "never"]


def test_what_was_misread_asked_or_out_of_sight_cannot_be_known() -> None:
    causes = ("asked", "behind a question", "out of sight", "silent", "waits")
    assert [Loss(cause, "never").can_be_known for cause in causes] == [False, False, False, True, True]
    assert not Loss("silent", "now").can_be_known
