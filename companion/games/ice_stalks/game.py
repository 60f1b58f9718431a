"""The game object of Ice Stalks, which the command line, the page and the journal use."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core.capabilities import ChanceEvents, Heuristics, HiddenInformation, Horizon, Proposer
from companion.core.contract import Chance, Drawn
from companion.core.foundation.errors import BadEvent, BadOptions
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.core.layout import Layout, Spot
from companion.core.pieces import Piece, Pyramid, Rock
from companion.games.ice_stalks import moves as notation
from companion.games.ice_stalks import search
from companion.games.ice_stalks.growth import RAINBOW, ROCKS, STALKS_SPOT, is_complete, pieces_of
from companion.games.ice_stalks.moves import IceStalksEvent, PlacePiece, Take
from companion.games.ice_stalks.observation import stalk_in
from companion.games.ice_stalks.options import MOST_PLAYERS
from companion.games.ice_stalks.options import Options as IceStalksOptions
from companion.games.ice_stalks.position import check, read, seen_position, set_out, start, turns
from companion.games.ice_stalks.situation import UNKNOWN
from companion.games.ice_stalks.state import IceStalksState, one_less
from companion.games.shared.forms.player_lines import written_out
from companion.games.shared.search.ways import without_order


def unseen(state: IceStalksState) -> Mapping[Piece, int]:
    """Returns the rocks in the bag, and the rock in the hand if the referee has not seen it."""
    return {ROCKS[color]: count for color, count in zip(RAINBOW, state.rocks, strict=True) if count}


def outcomes(state: IceStalksState) -> Iterable[tuple[Chance, int]]:
    """Yields the rocks that may be drawn now."""
    if state.hand is None and state.done is None:
        for color, count in zip(RAINBOW, state.rocks, strict=True):
            if count:
                yield Drawn(state.turn, (ROCKS[color],)), count


def determinize(state: IceStalksState, rng: Random) -> IceStalksState:
    """Returns a rock in the hand that was not shown, filled in from the bag."""
    if state.hand != UNKNOWN:
        return state
    color = rng.choices(range(len(RAINBOW)), state.rocks)[0]
    return type(state)(
        state.options, state.stalks, state.taken, one_less(state.rocks, color), state.turn, RAINBOW[color]
    )


_DRAWN = tuple(tuple(Drawn(seat, (ROCKS[color],)) for color in RAINBOW) for seat in range(MOST_PLAYERS))
"""For each seat and color, a rock that is drawn."""


def sample(state: IceStalksState, rng: Random) -> Chance:
    """Returns a rock drawn from the bag.

    Raises:
        BadEvent: None may be drawn now.
    """
    left = sum(state.rocks)
    if state.hand is not None or state.done is not None or not left:
        raise BadEvent("No rock may be drawn now. Place a piece, or take the completed stalk.")
    place = int(rng.random() * left)
    color = 0
    while place >= state.rocks[color]:
        place -= state.rocks[color]
        color += 1
    return _DRAWN[state.turn][color]


_EVENTS_PER_ROCK = 3
"""The largest number of events for one rock: its draw, a placement, and a taken stalk."""


def _fit(seats: int, options: IceStalksOptions) -> None:
    if seats > options.max_players:
        raise BadOptions(
            f"Ice Stalks has 2 to {options.max_players} players here, not {seats} (ICE-2). "
            "An option says how many the table allows."
        )
    if options.first > seats:
        raise BadOptions(f"Player {options.first} cannot begin: there are {seats} (ICE-21). Choose one of them.")


def _seen_position(seats: int, options: IceStalksOptions, seen: Layout) -> Mapping[str, Any]:
    _fit(seats, options)
    return seen_position(seats, seen)


def _words_of(state: IceStalksState, event: IceStalksEvent) -> dict[str, Any] | None:
    """Returns the event in the words of `companion watch`.

    Args:
        state: The position before the event.
    """
    match event:
        case Drawn(seat=seat, pieces=(Rock(color=color),)):
            return {"player": seat, "type": "draw", "rock": color}
        case PlacePiece():
            words: dict[str, Any] = {"player": event.seat, "type": "place", "piece": _words(event.piece)}
            return {**words, "on": [_words(piece) for piece in event.on], "points": _gained(state, event)}
        case Take():
            stalk = [] if state.done is None else [_words(piece) for piece in pieces_of(state.done)]
            return {"player": event.seat, "type": "take", "stalk": stalk}
    return None


def _bound(state: IceStalksState) -> int:
    """Returns an upper bound for the number of events until the game ends."""
    return _EVENTS_PER_ROCK * (sum(state.rocks) + 1)


def _gained(state: IceStalksState, place: PlacePiece) -> int | float:
    """Returns the points gained by a placement, those of the stalk that it completes; 0 if it breaks a rule."""
    if state.violations(place):
        return 0
    return state.apply(place).scores()[place.seat].total - state.scores()[place.seat].total


def _words(piece: Pyramid) -> dict[str, str]:
    return {"color": piece.color, "size": piece.size}


def _plain_piece(data: Any) -> Any:
    if isinstance(data, str):
        return {"type": "rock", "color": data} if data in RAINBOW else msgspec.to_builtins(notation.piece(data))
    if isinstance(data, Mapping):
        return {"type": "pyramid" if "size" in data else "rock", **data}
    return data


def _reread(state: IceStalksState, spot: Spot, was: Piece | None, now: Piece | None) -> IceStalksState | None:
    """Returns the position in which a growing stalk was another one from the beginning; None if the set has no such
    pieces.

    Args:
        was: The stalk in the record; `now` is the stalk as seen. None stands for no stalk.
    """
    old, new = stalk_in(was), stalk_in(now)
    if spot != STALKS_SPOT or (was is not None and old not in state.stalks) or (now is not None and new is None):
        return None
    stalks = list(state.stalks)
    if old is not None:
        stalks.remove(old)
    if new is not None:
        if len(new) > 2 and is_complete(new):
            return None
        stalks.append(new)
    then = replace(state, stalks=tuple(sorted(stalks)))
    return None if min(then.left) < 0 else then


ICE_STALKS: Game[IceStalksState] = Game.of(
    GameInfo(
        "ice-stalks",
        "Ice Stalks",
        rules=1,
        seats=range(2, MOST_PLAYERS + 1),
        seats_rule="ICE-2",
        Options=IceStalksOptions,
    ),
    Positions(IceStalksState, start, read, check, fit=_fit, bound=_bound),
    EventCodec(
        IceStalksEvent,
        notation.text,
        lambda state, text: notation.parse(text),
        _words_of,
        plain=written_out(dict.fromkeys(("piece", "on", "pieces"), _plain_piece)),
    ),
    Capabilities(
        proposer=dataclasses.replace(
            Proposer.of(search),
            history_key=without_order,
            reread=_reread,
            seen_position=_seen_position,
            set_out=set_out,
            turns=turns,
        ),
        chance=ChanceEvents(outcomes=outcomes, sample=sample),
        hidden=HiddenInformation(unseen=unseen, determinize=determinize),
        heuristics=Heuristics(horizon=Horizon(turns=4)),
    ),
)
"""The game object of Ice Stalks."""
