"""The options of 500: each with its default and a sentence for the page."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

LeastMeld = Literal[4, 3]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of 500."""

    min_meld: Annotated[
        LeastMeld,
        Meta(
            title="How many cards make a meld?",
            description="How many cards a meld has at least: 4, or 3 as in the usual rummy. 500-2.",
        ),
    ] = 4
    minus_hand: Annotated[
        bool,
        Meta(
            title="Do cards left in hand count against you?",
            description="Cards that are left in a hand at the end count against it. 500-7.",
        ),
    ] = True
    target: Annotated[
        int, Meta(title="How many points win?", ge=50, le=5000, description="Points that win the match. 500-9.")
    ] = 500
