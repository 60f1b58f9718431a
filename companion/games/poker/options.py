"""The options of Poker: each with its default and a sentence for the page."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.games.poker.categories import RankingName


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Poker."""

    ranking: Annotated[
        RankingName,
        Meta(
            title="Which hand beats which?",
            description="Which category beats which; high card is always the lowest. POK-2.",
            extra_json_schema={
                "labels": {"book": "as the rule book lists them", "statistical": "the rarer beats the commoner"}
            },
        ),
    ] = "book"
    cards: Annotated[
        int, Meta(title="How many cards each?", ge=2, le=7, description="How many cards each player is dealt. POK-1.")
    ] = 5
    shared: Annotated[
        int,
        Meta(
            title="How many open cards for all?",
            ge=0,
            le=5,
            description="How many open cards count with every hand, as in hold'em. POK-1.",
        ),
    ] = 0
    exchanges: Annotated[
        int,
        Meta(
            title="How often can you exchange cards?",
            ge=0,
            le=2,
            description="How often each player may exchange cards before the showdown, as in draw. POK-1.",
        ),
    ] = 0
