"""Positions and events of Spectrum Escape in short, for the tests: "red 7 2 0" is red with pawns of A and B."""

from __future__ import annotations

from typing import Any

from companion.core.contract import Rolled
from companion.games.escape.game import ESCAPE
from companion.games.escape.moves import Play
from companion.games.escape.options import Options
from companion.games.escape.situation import dice_of
from companion.games.escape.state import EscapeState
from companion.games.shared import color_dice
from tests.companion.games.short import Lines

_LINES = Lines(ESCAPE)
rules, told, legal = _LINES.rules, _LINES.play, _LINES.legal

ALL = "red red-orange orange orange-yellow yellow yellow-green green green-blue blue blue-purple purple purple-red"


def table(
    *colors: str,
    seats: int = 2,
    personal: str = "",
    d6: str = "",
    d12: str = "",
    round_: str = "d6",
    first: int = 0,
    escaped: tuple[int, ...] | None = None,
    done: list[str] | None = None,
    **options: Any,
) -> EscapeState:
    """A position: colors with the positions of A, B and so on; dice by their colors, as many as the round has.

    Dice that are left out show purple and purple-red.
    """
    pawns: list[dict[str, int]] = [{} for _ in range(seats)]
    for one in colors:
        color, *positions = one.split()
        for seat, position in enumerate(positions):
            if int(position):
                pawns[seat][color] = int(position)
    given: dict[str, Any] = {"pawns": pawns, "round": round_, "first": first, "escaped": list(escaped or (0,) * seats)}
    if personal:
        kinds = dice_of("d6" if round_ == "d6" else "d12", seats)[seats:]
        cubes = kinds.count("spectrum-d6")
        used = sum(one in ("common", "both") for one in done or ())
        rest = {"d6": d6.split(), "d12": d12.split()}
        rest["d6"] += ["purple"] * (cubes - len(rest["d6"]))
        rest["d12"] += ["purple-red"] * (len(kinds) - cubes - len(rest["d12"]))
        del rest["d12"][len(rest["d12"]) - used :]
        given |= {"personal": personal.split(), "common": rest}
        given |= {"done": done} if done else {}
    return ESCAPE.from_record(seats, Options(**options), given)


def first_rule(state: EscapeState, line: str) -> str:
    """The rule that is named first."""
    return state.violations(ESCAPE.parse(state, line))[0].rule


def at(state: EscapeState, color: str) -> tuple[int, ...]:
    """By seat: the position in a color."""
    return tuple(state.columns[color_dice.COLOR[color]])


def goes(state: EscapeState, seat: int, color: str) -> int:
    """Where a common die of that color would bring a seat's pawn, whoever is on turn."""
    event = ESCAPE.parse(state, f"player {seat + 1} plays common {color}")
    assert isinstance(event, Play)
    return event.to


def roll(words: str) -> Rolled:
    return Rolled(color_dice.parse(words))
