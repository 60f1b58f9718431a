"""The options of Spectrumo: each with its default and a sentence for the page."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Spectrumo."""

    same_color: Annotated[
        bool,
        Meta(
            title="Does the same color always go?",
            description="The very same color as the table card may always be played. UMO-2.",
        ),
    ] = field(name="same_colour", default=False)
    limit: Annotated[
        int, Meta(title="How many points end the game?", ge=20, le=500, description="Points that end the game. UMO-16.")
    ] = 200
    elimination: Annotated[
        bool,
        Meta(
            title="Do players above the limit drop out?",
            description="Who goes above the limit drops out, and the last one left wins. UMO-16.",
        ),
    ] = False
    first: Annotated[
        int,
        Meta(
            title="Which player begins?",
            ge=1,
            le=8,
            description="The player who starts the first hand, counted from 1. UMO-1.",
            extra_json_schema={"seats": "most"},
        ),
    ] = 1
