"""Invitations: their codes change, hold for a while, and end with their places."""

from __future__ import annotations

from itertools import count

from web.admission.invitations import HOLD_S, MOST, RENEW_S, Invitations


class Now:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.s = 0.0

    def __call__(self) -> float:
        return self.s


def invitations() -> tuple[Invitations, Now]:
    numbers, now = count(1), Now()
    return Invitations(now, lambda: str(next(numbers))), now


def test_a_code_is_renewed_while_it_is_shown() -> None:
    all_, now = invitations()
    first = all_.show(3)
    assert all_.show(3, first.id) == first
    now.s = RENEW_S
    second = all_.show(3, first.id)
    assert second.id == first.id and second.code != first.code
    now.s = RENEW_S + HOLD_S - 1
    assert first.code is not None and all_.use(first.code), "who scanned it just before it changed comes in"
    now.s = RENEW_S + HOLD_S
    assert not all_.use(first.code)


def test_an_invitation_that_nobody_looks_at_ends() -> None:
    all_, now = invitations()
    one = all_.show(3)
    assert one.code is not None
    now.s = RENEW_S + HOLD_S
    assert not all_.use(one.code)
    assert all_.show(3, one.id).id != one.id


def test_sending_all_away_ends_invitations() -> None:
    all_, _ = invitations()
    one = all_.show(3)
    all_.close()
    assert one.code is not None and not all_.use(one.code)


def test_there_is_always_a_place_and_never_too_many_invitations() -> None:
    all_, _ = invitations()
    shown = [all_.show(0) for _ in range(MOST + 1)]
    assert all(one.left == 1 for one in shown)
    used = [one.code is not None and all_.use(one.code) for one in shown]
    assert used == [False] + [True] * MOST
