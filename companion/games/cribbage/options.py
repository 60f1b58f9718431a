"""The options of Cribbage: each with its default and a sentence for the page."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Cribbage."""

    target: Annotated[
        int,
        Meta(
            title="How many points win?",
            ge=30,
            le=500,
            description="Points that win the game, usually 121, 150 or 200. CRB-1.",
        ),
    ] = 121
