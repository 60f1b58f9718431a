"""What the page tells: rocks left, what each stalk may become, what would kill it, why a base is or is not allowed."""

from __future__ import annotations

from random import Random

from companion.games.ice_stalks.advice import additions, base, futures, killers, rocks_left, why_dead
from companion.games.ice_stalks.game import ICE_STALKS
from companion.games.ice_stalks.growth import RAINBOW, pieces_of, stalk_of
from tests.companion.games.ice_stalks.short_stalks import table


def test_rocks_left_by_color() -> None:
    left = rocks_left(table("R3", rocks={"G": 0}))
    assert tuple(left) == RAINBOW
    assert (left["green"], left["cyan"]) == (0, 4)


def test_a_green_base_has_seven_futures() -> None:
    """Solid; toward purple heights 3 and 4 (1 + 2); toward red the same."""
    (future,) = futures(table("G3"))
    assert len(future.completions) == 1 + 2 * (1 + 2)
    assert {len(whole) for whole in future.completions} == {3, 4}
    assert max(future.points) == 4 and min(future.points) == 1


def test_a_red_base_may_become_the_full_rainbow() -> None:
    (future,) = futures(table("R3"))
    assert max(future.points) == 10
    assert len(future.completions) == 1 + sum(range(1, 6))


def test_a_stalk_without_future_is_dead() -> None:
    dead, alive = futures(table("R3O3", "Y3Y2", rocks={"G": 0}))
    assert dead.is_dead and not dead.points
    assert [stalk_of(whole) for whole in alive.completions] == ["Y3Y2Y1"]


def test_why_a_stalk_is_dead() -> None:
    few = {"B": 1, "C": 0, "P": 2}
    assert why_dead(table("B3", rocks=few), "B3") == (
        "only one blue rock is left for a solid stalk",
        "nothing follows purple",
        "no cyan rock is left to go on toward red",
    )
    assert why_dead(table("R3O3", rocks={"G": 0}), "R3O3") == ("no green rock is left to go on toward purple",)
    assert why_dead(table("G3G2", rocks={"G": 0}), "G3G2") == ("no green rock is left for a solid stalk",)


def test_every_dead_stalk_of_a_game_has_its_reason() -> None:
    """Pieces never run out (ICE-13), so it is always the rocks, or the rainbow's end."""
    rng, told = Random(3), 0
    for _ in range(12):
        state = ICE_STALKS.start(3, ICE_STALKS.Options())
        while not state.is_over:
            state = state.apply(
                rng.choice([event for event, _ in ICE_STALKS.outcomes(state)] or list(state.legal_moves()))
            )
            for future in futures(state) if state.hand is None else ():
                if future.is_dead:
                    reasons = why_dead(state, stalk_of(future.stalk))
                    assert reasons and not any("placed" in reason for reason in reasons)
                    told += 1
    assert told > 100


def test_killers_are_the_placements_of_ice_12() -> None:
    state = table("C3", hand="B")
    assert [(stalk_of(one.stalk), one.piece) for one in killers(state, "blue")] == [("C3", pieces_of("B3")[0])]
    assert [(stalk_of(one.stalk), one.piece) for one in additions(state, "blue")] == [("C3", pieces_of("B2")[0])]
    assert killers(state, "red") == ()


def test_why_a_base_is_or_is_not_allowed() -> None:
    assert not base(table("C3"), "blue").allowed
    assert "cyan large" in base(table("C3"), "blue").text
    alone = base(table("C3"), "red")
    assert alone.allowed and "no stalk takes a red piece" in alone.text
    dying = base(table("Y3", rocks={"Y": 0}), "yellow")
    assert dying.allowed and "cannot be completed" in dying.text
