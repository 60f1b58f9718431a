"""The options of Solitaire: each with its default and a sentence for the page."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Solitaire."""

    draw: Annotated[
        Literal[3, 1],
        Meta(
            title="How many cards at a time?",
            description="How many cards are turned from the stock at a time: 3 or 1. SOL-7.",
        ),
    ] = 3
    max_passes: Annotated[
        int,
        Meta(
            title="How many passes through the stock?",
            ge=0,
            le=100,
            description="How many passes through the stock there are; 0 for any number. SOL-8.",
        ),
    ] = 10
    strict_shades: Annotated[
        bool,
        Meta(
            title="Only shades on piles?",
            description="Piles are built in shades alone, never in the very same color. SOL-3.",
        ),
    ] = False
    empty_pile: Annotated[
        Literal["twelve", "any"],
        Meta(
            title="What may go on an empty pile?",
            description="A pile is empty when its last card has gone. SOL-6.",
            extra_json_schema={"labels": {"twelve": "a 12, or a run headed by one", "any": "any card or run"}},
        ),
    ] = "twelve"
    foundation_back: Annotated[
        bool,
        Meta(
            title="Can cards come back from a foundation?",
            description="The top card of a foundation may go back on a pile. SOL-9.",
        ),
    ] = False
