"""The options of a game: each with its default and a sentence for the page."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of Spectrump."""

    deck: Annotated[
        Literal[144, 72],
        Meta(
            description="How many cards are played with: 144, or 72 (ranks 1 to 6). For 6 or 8 players take 144. UMP-1."
        ),
    ] = 144
    partners: Annotated[bool, Meta(description="Players opposite each other play together, four or more. UMP-2.")] = (
        False
    )
    hand_loading: Annotated[
        bool, Meta(description="Cards may be exchanged between the own two sets before the first trick. UMP-2.")
    ] = False
    match: Annotated[
        Literal["rounds", "points"],
        Meta(
            description="What ends the match: rounds (so many are played) or points (somebody reaches so many). UMP-13."
        ),
    ] = "rounds"
    rounds: Annotated[int, Meta(ge=1, le=10, description="Rounds of a match that is played in rounds. UMP-13.")] = 5
    points: Annotated[
        int,
        Meta(
            ge=0,
            le=500,
            description="Points of a match that is played for points; 0 for 200, or 50 with 72 cards. UMP-13.",
        ),
    ] = 0
