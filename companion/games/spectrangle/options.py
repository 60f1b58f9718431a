"""The options of Spectrangle: each with its default and a sentence for the page."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.games.spectrangle.board import Handed

Edges = Literal["one", "all"]
Hands = Literal["open", "unseen"]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of Spectrangle."""

    edges: Annotated[
        Edges,
        Meta(
            title="Which edges must match?",
            description="Which touching edges of a new tile must match. TRI-11.",
            extra_json_schema={"labels": {"one": "at least one of them", "all": "every one of them"}},
        ),
    ] = "one"
    handed: Annotated[
        Handed,
        Meta(
            description="Which way the three letters of a tile may run. TRI-3.",
            title="Which way may the letters run?",
            extra_json_schema={"labels": {"any": "both ways", "cw": "clockwise", "ccw": "counter-clockwise"}},
        ),
    ] = "any"
    keep_first: Annotated[
        bool,
        Meta(
            description="The tile drawn to decide who begins stays in the hand (on), or goes back into the bag (off). "
            "TRI-7.",
            title="Does the starting tile stay in the hand?",
        ),
    ] = True
    teams: Annotated[
        bool,
        Meta(
            title="Teams of two?",
            description="Four players in two teams, partners opposite each other, one score for each team. TRI-6.",
        ),
    ] = False
    hands: Annotated[
        Hands,
        Meta(
            description="If the referee sees only the board, the first player begins and draws are taken as made. "
            "TRI-7, TRI-17.",
            title="Does the referee see the hands?",
            extra_json_schema={"labels": {"open": "yes, they are open", "unseen": "no, only the board"}},
        ),
    ] = "open"
