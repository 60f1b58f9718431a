"""Options as fields of a form."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct, field

from companion.games import GAMES
from web.facts.options import fields


class Options(Struct):
    edges: Annotated[Literal["one", "all"], Meta(description="Which edges: one or all.")] = "one"
    tiles: Annotated[int, Meta(description="How many.", ge=1, le=4)] = 2
    speed: Annotated[float, Meta(description="How fast.", gt=0)] = 1.5
    teams: Annotated[bool, Meta(description="Teams.", title="In teams")] = False
    motto: str = field(default_factory=lambda: "none")


def test_every_kind_of_option_has_a_field() -> None:
    shown = fields(Options)
    assert [one.kind for one in shown] == ["choice", "number", "number", "switch", "text"]
    edges, tiles, speed, teams, motto = shown
    assert edges.choices == ("one", "all") and edges.title == "Edges" and edges.sentence == "Which edges: one or all."
    assert (tiles.least, tiles.most, tiles.default) == (1, 4, 2)
    assert speed.least == 0 and teams.title == "In teams" and motto.default == "none"


def test_an_option_that_no_form_can_show_is_a_mistake() -> None:
    class Odd(Struct):
        pairs: dict[str, int] = {}

    with pytest.raises(TypeError, match="pairs"):
        fields(Odd)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_s_options_can_be_shown_and_say_what_they_do(name: str) -> None:
    for one in fields(GAMES[name].Options):
        assert one.sentence, f"{name}: {one.name} has no sentence"


def test_an_option_is_posted_by_the_name_that_records_use() -> None:
    assert fields(GAMES["spectrumo"].Options)[0].name == "same_colour"
