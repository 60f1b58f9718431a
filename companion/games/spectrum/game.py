"""The game object of Spectrum, which the command line, the page and the journal use."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.capabilities import ChanceEvents, Heuristics, HiddenInformation, Proposer, TurnHints
from companion.core.contract import Rolled, ToRoll
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions, Setup
from companion.core.layout import Layout
from companion.core.pieces import PRIMARIES
from companion.games.shared import color_dice
from companion.games.shared.cards.deck import PIECES, number_of
from companion.games.shared.forms.player_lines import written_out
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum import chance, notation, observation, search, secrets, told
from companion.games.spectrum.board import SPACE, STARTS, STEP, STOCK, STOCKS, name_of
from companion.games.spectrum.moves import (
    Declare,
    Go,
    Pass,
    PlacePawn,
    SpectrumEvent,
    Surrender,
    Swap,
    TakeOff,
    ends_of,
)
from companion.games.spectrum.options import Options, teams_of
from companion.games.spectrum.position import check, read, seen_position, start
from companion.games.spectrum.situation import COLOR_OF_LETTER, EMPTY, Situation
from companion.games.spectrum.state import SpectrumState
from companion.games.spectrum.usages import Usage

if TYPE_CHECKING:
    from companion.games.spectrum.state import SpectrumState
from companion.core.foundation.errors import BadEvent, BadRecord
from companion.core.layout import Spot
from companion.core.pieces import WHEEL, Pawn, Piece
from companion.games.shared.cards.deck import CODES
from companion.games.spectrum.board import SPOTS
from companion.games.spectrum.situation import FREE, HIDDEN

# Writes a position in the form of a record, which `position.read` reads (docs/records.md).
#
# Corrections by hand change this form: the places of pawns, and the seat to move.

_OF_A_TURN = ("roll", "cards", "usage", "left", "walked", "captured", "extra", "after_moves")
"""The keys of a record for a turn in progress."""
_IN_BETWEEN = ("set-up", "bonus", "off", "drawing", "send")
"""The phases that records cannot express: an action that has begun must be finished first."""


def written(situation: Situation) -> dict[str, Any]:
    """Returns the position as a record.

    Raises:
        BadEvent: Something is half done for which records have no words.
    """
    held, extras = situation.held, situation.extras
    if situation.phase in _IN_BETWEEN or (held is not None and extras.activation is not None):
        raise BadEvent("Something is half done that a written position has no words for. Finish it, or undo it, first.")
    found: dict[str, Any] = {
        "pawns": {SPOTS[at]: COLOR_OF_LETTER[one] for at, one in enumerate(situation.board) if one != EMPTY},
        "turn": situation.turn,
        **_variants(situation),
    }
    if situation.again:
        found["extra"] = True
    if situation.phase == "end":
        found["after_moves"] = True
    if situation.phase in ("declare", "pass", "move", "place") and not situation.options.cards_as_dice:
        found["roll"] = list(situation.roll)
    if situation.phase in ("move", "place"):
        found |= _in_use(situation)
    if held is not None:
        found["captured"] = {"pawn": held.color, "by": held.seat}
    return found


def _in_use(situation: Situation) -> dict[str, Any]:
    left = situation.left
    parts = [at + 1 for at in range(left.bit_length()) if left >> at & 1]
    return {
        "usage": situation.usage,
        "left": left if situation.used.plain else parts,
        "walked": {SPOTS[at]: "several" if color == FREE else WHEEL[color] for at, color in situation.walked},
    }


def _variants(situation: Situation) -> dict[str, Any]:
    extras, options = situation.extras, situation.options
    found: dict[str, Any] = {}
    if options.weighted:
        found["weights"] = dict(zip(WHEEL, extras.weights, strict=True))
    if options.missions:
        found["missions"] = [_codes(cards) for cards in extras.missions]
        found["revealed"] = list(extras.revealed)
    if options.portals:
        found["portals"] = [_codes((*hand.first, *hand.later)) for hand in extras.portals]
        found["portal_discards"] = _codes(extras.spent)
    if options.cards_as_dice:
        found["cards"] = _codes(extras.drawn)
        found["discards"] = _codes(extras.discards)
    return found


def _codes(numbers: tuple[int, ...]) -> list[str]:
    return ["??" if number == HIDDEN else CODES[number] for number in numbers]


def set_out(state: SpectrumState, seen: Mapping[Spot, Sequence[Piece]]) -> SpectrumState:
    """Returns the position with these pawns on these spaces; all other pawns are in stock.

    If the roll does not agree with them, the turn is before its roll.

    Raises:
        BadEvent: Records have no form for a half-made action, or another piece than a pawn is named.
        BadRecord: There are more pawns of a color than the game has.
    """
    found = written(state)
    for spot, pieces in seen.items():
        if spot not in SPACE and pieces:
            raise BadEvent("Only pawns on the board can be set up as they are seen. Correct all else by hand.")
        found["pawns"].pop(spot, None)
        for pawn in pieces:
            if not isinstance(pawn, Pawn):
                raise BadEvent(f"On {spot} stands a pawn or nothing (BRD-5). Choose a pawn, or none.")
            found["pawns"][spot] = pawn.color
    if "walked" in found:
        found["walked"] = {at: color for at, color in found["walked"].items() if at in found["pawns"]}
    try:
        return read(state.teams, state.options, found).checked(check)
    except BadRecord:
        rolled_anew = {key: value for key, value in found.items() if key not in _OF_A_TURN}
        return read(state.teams, state.options, rolled_anew).checked(check)


def turns(state: SpectrumState) -> dict[str, SpectrumState]:
    """Returns the position before the roll for each seat that may be to move (BRD-7); only itself during an unfinished
    action.
    """
    if state.phase in _IN_BETWEEN or state.held is not None:
        return {f"player {state.turn + 1} is on turn": state}
    kept = {key: value for key, value in written(state).items() if key not in _OF_A_TURN}
    return {
        f"player {seat + 1} is on turn": state
        if seat == state.turn
        else read(state.teams, state.options, {**kept, "turn": seat}).checked(check)
        for seat in range(state.seats)
    }


_NAMED = 4
"""The largest number of pawns or spaces named in a sentence."""


def still_to_do(state: SpectrumState) -> str | None:
    """Returns the next action of the player on turn before the turn is over; None if no action was begun."""
    match state.phase:
        case "move":
            what = _left(state.used, state.left)
            movers = list(dict.fromkeys(_mover(move) for move in state.moves))
            who = _listed(movers, "or") if len(movers) <= _NAMED else f"one of {len(movers)} pawns"
            return f"To be played: {what}, by {who} (BRD-27)."
        case "place":
            held = state.held
            assert held is not None
            free = [name_of(move.to) for move in state.moves if isinstance(move, PlacePawn)]
            return f"The captured {held.color} pawn goes on a free start (BRD-24): {_listed(free, 'or')}."
        case "pass":
            return f"Player {state.turn + 1} cannot move with this roll and passes (BRD-28)."
    return None


def _mover(move: object) -> str:
    if isinstance(move, Swap):
        return f"{name_of(move.one)} and {name_of(move.other)}"
    return name_of(move.pawn) if isinstance(move, Go) else ""


def _left(usage: Usage, left: int) -> str:
    """Returns the rest of a usage, in words: "and" joins parts in any order, "then" parts in sequence."""
    if usage.exchange is not None:
        return f"the exchange of {usage.name}"
    if usage.plain:
        spaces = "1 space" if left == 1 else f"{left} single spaces"
        return f"{spaces} in {_listed(usage.colors, 'or')}"
    hand = usage.at_hand(left)
    found = ""
    for place in bits(left):
        part = usage.parts[place]
        spaces = "1 space" if part.spaces == 1 else f"{part.spaces} spaces"
        joint = "" if not found else "; and " if hand >> place & 1 else "; then "
        found += f"{joint}{spaces} with one pawn in {_listed(part.colors, 'or')}"
    return found


def _listed(words: Sequence[str], last: str) -> str:
    """Returns the words as a list: "red, blue or green"."""
    if len(words) <= 1:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def lost(before: SpectrumState, event: SpectrumEvent, after: SpectrumState) -> str | None:
    """Returns the parts of a usage that cannot be played and are lost (BRD-27)."""
    if after.phase in ("place", "over", "bonus"):
        return None
    due = _due(before, event, after)
    if due is None:
        return None
    usage, left = due
    goes_on = after.phase == "move" and after.turn == before.turn
    rest = left & ~after.left if goes_on and not usage.plain else 0 if goes_on else left
    if not rest:
        return None
    parts = [rest] if usage.plain else [1 << place for place in bits(rest)]
    what = "; and ".join(_left(usage, part) for part in parts)
    return f"Lost, because no pawn can play it: {what} (BRD-27)."


def _due(before: SpectrumState, event: SpectrumEvent, after: SpectrumState) -> tuple[Usage, int] | None:
    """Returns the usage in play and the parts of it that had to be played after an event; None if there is no usage."""
    if isinstance(event, Declare):
        return after.used, after.used.all_parts
    if after.phase == "move" and before.phase in ("roll", "cards", "start", "end"):
        return after.used, after.used.all_parts
    if before.phase == "place" and before.usage:
        return before.used, before.left
    if before.phase != "move" or not isinstance(event, Go):
        return None
    usage, ends = before.used, ends_of(event)
    if ends is None:
        return None
    if usage.plain:
        single = STARTS if ends.origin >= STOCK else STEP[ends.origin]
        return usage, before.left - 1 if single >> ends.space & 1 else 0
    return usage, before.left & ~(1 << usage.place_of(before.left, event.part, ends.space))


def pending_prompt(state: SpectrumState, seen: Layout) -> str | None:
    """Returns the entry or action that must come first if no event explains a picture; None if that is not clear."""
    if state.phase not in ("roll", "start", "end"):
        return None
    ready = told.advance(state)
    due = chance.expects(ready)
    who = f"player {chance.mover(ready) + 1}"
    if not isinstance(due, ToRoll):
        return None
    dice = _miscounted(ready, due, seen)
    if dice is not None:
        return f"{dice}, and {who} rolls {len(due.dice)} (BRD-7). Roll as many as are due, and take others away."
    if observation.change(state, seen, 1.0).changed:
        spaces = [
            name_of(spot) for spot in seen.cells if spot in SPACE and state.layout().cells[spot] != seen.cells[spot]
        ]
        where = _listed(spaces[:_NAMED], "and")
        return f"Pawns were moved ({where}), and the roll of {who} was not seen (BRD-8). Say what the dice show."
    return None


def _miscounted(situation: Situation, due: ToRoll, seen: Layout) -> str | None:
    """Returns the number of rolled dice in words if it is wrong; None otherwise."""
    heap, moved = seen.heaps.get(observation.DICE), seen.heaps.get(observation.MOVED)
    count = len(heap or ())
    if count > len(due.dice):
        return f"{count} dice lie"
    if moved is not None and 0 < len(moved) < len(due.dice) <= count:
        return f"{len(moved)} of the dice {'was' if len(moved) == 1 else 'were'} rolled"
    return None


def _begin(seats: int, options: Options) -> SpectrumState:
    """Returns the first position: an empty board, and whatever the variants set up first (BRD-5, VAR-1 to VAR-22)."""
    return start(teams_of(seats, options), options)


def _read(seats: int, options: Options, position: Mapping[str, Any]) -> Setup[SpectrumState]:
    return read(teams_of(seats, options), options, position)


def _seen_position(seats: int, options: Options, seen: Layout) -> Mapping[str, Any]:
    return seen_position(teams_of(seats, options), seen)


def _words_of(state: SpectrumState, event: SpectrumEvent) -> dict[str, Any] | None:
    """Returns the event in the words of `companion watch`; None for an event that a camera cannot see.

    Args:
        state: The position before the event.
    """
    match event:
        case Rolled():
            return {"player": state.turn, "type": "roll", "faces": [one.face for one in event.faces]}
        case Go():
            return _moved(state, event)
        case PlacePawn():
            return {"player": event.seat, "type": "place", "pawn": event.pawn, "to": event.to}
        case TakeOff():
            return {"player": event.seat, "type": "surrender", "from": event.pawn}
        case Declare():
            return {"player": event.seat, "type": "use", "usage": event.usage}
        case Pass():
            return {"player": event.seat, "type": "pass"}
    return None


def _moved(state: SpectrumState, go: Go) -> dict[str, Any]:
    space = SPACE.get(go.to)
    there = EMPTY if space is None else state.board[space]
    captured = {} if there == EMPTY else {"captured": COLOR_OF_LETTER[there]}
    came = None if go.pawn in STOCKS else go.pawn
    return {"player": go.seat, "type": "move", "from": came, "to": go.to, **captured}


def _plain_usage(data: Any) -> Any:
    return notation.usage_named(data) if isinstance(data, str) else data


def _plain_card(data: Any) -> Any:
    """Returns a card as an object; None stays."""
    if isinstance(data, str):
        return None if data == "??" else msgspec.to_builtins(PIECES[number_of(data)])
    return {"type": "card", **data} if isinstance(data, Mapping) else data


def _needs_confirmation(state: SpectrumState, event: SpectrumEvent) -> bool:
    """True if a pawn's move may be one of several parts, which no picture shows (an addition to the contract)."""
    if not isinstance(event, Go) or not event.part:
        return False
    where = event.pawn, event.to
    return any(
        isinstance(move, Go) and (move.pawn, move.to) == where and move.part != event.part for move in state.moves
    )


SPECTRUM: Game[SpectrumState] = Game.of(
    GameInfo("spectrum", "Spectrum", rules=2, seats=range(1, len(PRIMARIES) + 1), seats_rule="BRD-5", Options=Options),
    Positions(SpectrumState, _begin, _read, check),
    EventCodec(
        SpectrumEvent,
        notation.text,
        notation.parse,
        _words_of,
        plain=written_out(
            {"faces": color_dice.plain, "pieces": _plain_card, "card": _plain_card, "usage": _plain_usage}
        ),
    ),
    Capabilities(
        proposer=dataclasses.replace(
            Proposer.of(search),
            needs_confirmation=_needs_confirmation,
            pending_prompt=pending_prompt,
            seen_position=_seen_position,
            set_out=set_out,
            turns=turns,
        ),
        chance=ChanceEvents(outcomes=chance.outcomes, sample=chance.sample),
        hidden=HiddenInformation(
            unseen=secrets.unseen, view=secrets.view, redact=told.redact, determinize=secrets.determinize
        ),
        turn_hints=TurnHints(still_to_do=still_to_do, lost=lost),
        heuristics=Heuristics(undoing=(Surrender,)),
    ),
)
"""The game object of Spectrum."""
