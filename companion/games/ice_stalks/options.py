"""The options of Ice Stalks: each with its default and a sentence for the page."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

MOST_PLAYERS = 8
"""The largest number of seats around one table."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Ice Stalks."""

    solid_set: Annotated[
        Literal["replace", "add"],
        Meta(
            title="What are seven solid stalks worth?",
            description="What solid stalks of all seven colors are worth. ICE-19.",
            extra_json_schema={
                "labels": {"replace": "15 points instead of their seven", "add": "15 points on top of their seven"}
            },
        ),
    ] = "replace"
    max_players: Annotated[
        int,
        Meta(
            title="How many players at most?",
            ge=2,
            le=MOST_PLAYERS,
            description="How many players the table allows. ICE-2.",
            extra_json_schema={"seats": "least"},
        ),
    ] = 4
    first: Annotated[
        int,
        Meta(
            title="Which player begins?",
            ge=1,
            le=MOST_PLAYERS,
            description="Which player begins, counted from 1. ICE-21.",
            extra_json_schema={"seats": "most"},
        ),
    ] = 1
