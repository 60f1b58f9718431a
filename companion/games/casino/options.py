"""The options of Casino: each with its default and a sentence for the page."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

MOST_ROUNDS = 12
"""The largest number of rounds of a match. Each round gives 60 points and 100 points win."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Casino."""

    high_builds: Annotated[
        bool,
        Meta(
            title="Can builds go above 12?",
            description="A value that is built may be above 12 (on), or must be a rank (off). CAS-4.",
        ),
    ] = False
    free_discard: Annotated[
        bool,
        Meta(
            title="Can you lay a card although you could take?",
            description="A player may put a card on the board although something could be taken (on), or only a player "
            "who cannot take may (off). CAS-6.",
        ),
    ] = False
    rounds: Annotated[
        int,
        Meta(
            title="How many rounds?",
            ge=1,
            le=MOST_ROUNDS,
            description="How many rounds are played on end at most, fewer if the match is won before; a later game "
            "can begin with the totals. CAS-9.",
        ),
    ] = 1
