"""The options of Regenbogen: each with its default and a sentence for the page."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from companion.games.regenbogen.data import DATA

_DEFAULT = DATA.options
_REPEATED, _QUIET = _DEFAULT.repetition_draw, _DEFAULT.no_damage_draw_turns


class Options(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """The options of Regenbogen."""

    self_destruct_any_health: Annotated[
        bool,
        Meta(
            title="May a healthy Spirit destroy itself?",
            description="A Spirit may destroy itself although it has health left. RGB-23.",
        ),
    ] = _DEFAULT.self_destruct_any_health
    boost_stacks: Annotated[
        bool,
        Meta(
            title="Do boosts add up?", description="Boosts of the start cell and of a cell on the way add up. RGB-14."
        ),
    ] = _DEFAULT.boost_stacks
    repetition_draw: Annotated[
        int,
        Meta(
            title="After how many repetitions is it a draw?",
            ge=_REPEATED.least,
            le=_REPEATED.most,
            description="The game is drawn when a position occurs so many times with the same side to move. RGB-27.",
        ),
    ] = _REPEATED.default
    no_damage_draw_turns: Annotated[
        int,
        Meta(
            title="After how many turns without damage is it a draw?",
            ge=_QUIET.least,
            le=_QUIET.most,
            description="The game is drawn after so many turns, both sides' counted together, without damage. RGB-27.",
        ),
    ] = _QUIET.default
