"""Why an event is not allowed: the rule's number, what the table shows, and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.core.contract import Breach, Drawn, Rolled, Shown
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum import moves as events
from companion.games.spectrum import told, variant_breaches
from companion.games.spectrum.board import NAMES, SPACE, STARS, STARTS, name_of
from companion.games.spectrum.going import breaches_of, listed
from companion.games.spectrum.scoring import reason
from companion.games.spectrum.situation import Situation
from companion.games.spectrum.usages import Usage
from companion.games.spectrum.waiting import of_another, waiting

_TURN_MOVES = (
    events.Declare,
    events.Go,
    events.Pass,
    events.Roll,
    events.Surrender,
    events.TakeOff,
    events.Swap,
    events.Fulfil,
    events.EndTurn,
)
"""Moves that only the seat on turn makes."""
_BEFORE_A_ROLL = {events.Surrender: "surrender", events.Fulfil: "missions", events.Activate: "portals"}
"""Moves that may come before the roll of a turn, each with its option."""


def explain(
    situation: Situation, event: events.SpectrumEvent, moves: Sequence[events.Move], alive: Sequence[Usage]
) -> tuple[Breach, ...]:
    """The rules that an event breaks; empty if and only if it may happen now.

    :param moves: the legal moves. :param alive: the usages that may be declared.
    """
    if situation.phase == "over":
        rule, text = reason(situation)
        return (Breach(rule, f"The game is over: {text[0].lower()}{text[1:]}"),)
    if isinstance(event, Rolled | Drawn | Shown):
        return told.impossible(situation, event) or told.untimely(situation, event)
    if not isinstance(event, events.Move):
        return (Breach("BRD-8", f"{type(event).__name__} is no event of Spectrum: a turn rolls and moves."),)
    if isinstance(event, events.Go):
        event = meant(situation, event, moves)
    if event in moves or _says_nothing_new(situation, event):
        return ()
    if not 0 <= event.seat < situation.seats:
        return (Breach("BRD-5", f"There is no player {event.seat + 1}; the game has {situation.seats}."),)
    if isinstance(event, _TURN_MOVES) and (event.seat != situation.turn or situation.phase == "set-up"):
        return (of_another(situation, event.seat),)
    if situation.again and situation.phase in ("roll", "cards"):
        option = _BEFORE_A_ROLL.get(type(event))
        if option is not None and getattr(situation.options, option):
            due = "Roll." if situation.phase == "roll" else "Draw the cards that replace the dice."
            return (Breach("BRD-33", f"The extra turn goes on at once, and nothing comes before its roll. {due}"),)
    return _of(situation, event, alive)


def meant(situation: Situation, go: events.Go, moves: Sequence[events.Move]) -> events.Go:
    """The move with its part, where none is named and it can be one alone (BRD-12): the legal one, or the one left."""
    if go.part or situation.phase != "move" or not situation.used.free:
        return go
    parts = _parts_at_hand(situation)
    named = [replace(go, part=part) for part in parts]
    legal = [one for one in named if one in moves]
    if len(legal) == 1:
        return legal[0]
    return named[0] if len(parts) == 1 else go


def _parts_at_hand(situation: Situation) -> list[int]:
    """Numbers of the parts that are left, of parts that are alike the first one."""
    usage = situation.used
    found = {usage.parts[place]: place + 1 for place in reversed(tuple(bits(situation.left)))}
    return sorted(found.values())


def _says_nothing_new(situation: Situation, event: events.Move) -> bool:
    """True if a usage is declared that is in use, or one of those that have no move where none has (BRD-8, BRD-28)."""
    if not isinstance(event, events.Declare) or event.seat != situation.turn:
        return False
    if situation.phase == "move":
        return event.usage == situation.usage
    return situation.phase == "pass" and situation.usage_named(event.usage) is not None


def _of(situation: Situation, event: events.Move, alive: Sequence[Usage]) -> tuple[Breach, ...]:
    match event:
        case events.Go():
            return of_go(situation, event, alive)
        case events.Declare():
            return _of_declare(situation, event, alive)
        case events.PlacePawn():
            return _of_place(situation, event)
        case events.Pass():
            return _of_pass(situation, alive)
        case events.Roll():
            return (waiting(situation, "The roll"),)
        case events.Surrender():
            return _of_surrender(situation)
        case events.TakeOff():
            return _of_take_off(situation, event)
        case events.Swap():
            return variant_breaches.of_swap(situation, event)
        case events.Pick():
            return variant_breaches.of_pick(situation, event)
        case events.Fulfil():
            return variant_breaches.of_fulfil(situation, event)
        case events.Activate():
            return variant_breaches.of_activate(situation, event)
        case events.Send():
            return variant_breaches.of_send(situation, event)
        case events.EndTurn():
            return (waiting(situation, "The end of the turn"),)


def of_go(situation: Situation, go: events.Go, alive: Sequence[Usage]) -> tuple[Breach, ...]:
    """Why a pawn's move is not legal: by the declared usage, or by the one that comes nearest to allowing it."""
    ends = events.ends_of(go)
    if ends is None:
        text = f"The board has no way from {name_of(go.pawn)} to {name_of(go.to)}. Correct what was misread."
        return (Breach("BRD-2", text),)
    match situation.phase:
        case "move":
            return _of_some_part(situation, go, ends)
        case "declare" | "pass":
            found = [
                breaches_of(situation, go, ends, usage, usage.all_parts)
                for usage in (alive or situation.usages)
                if usage.exchange is None
            ]
            best = min(found, key=len, default=())
            rule = "VAR-14" if situation.options.cards_as_dice else "BRD-8"
            return best or (Breach(rule, "Several usages of the roll may be meant. Say which one it is first."),)
    return (waiting(situation, "The move of a pawn"),)


def _of_some_part(situation: Situation, go: events.Go, ends: events.Ends) -> tuple[Breach, ...]:
    """By the part that the move is; where it names none, and none of several fits, by the one that comes nearest."""
    usage, left = situation.used, situation.left
    if go.part or not usage.free:
        return breaches_of(situation, go, ends, usage, left)
    parts = _parts_at_hand(situation)
    found = [breaches_of(situation, replace(go, part=part), ends, usage, left) for part in parts]
    if all(found):
        return min(found, key=len)
    return breaches_of(situation, go, ends, usage, left)


def _of_declare(situation: Situation, declare: events.Declare, alive: Sequence[Usage]) -> tuple[Breach, ...]:
    cards = situation.options.cards_as_dice
    if situation.phase == "move":
        text = f"{situation.usage} is in use already, and a turn uses its roll in one way. Go on with it."
        return (Breach("VAR-7" if cards else "BRD-8", text),)
    if situation.phase not in ("declare", "pass"):
        return (waiting(situation, "A usage"),)
    usage = situation.usage_named(declare.usage)
    if usage is None:
        rule = "VAR-7" if cards else ("BRD-10" if situation.options.dice == "d6" else "BRD-11")
        usages = listed(tuple(one.name for one in situation.usages))
        text = f"This roll or these cards cannot be used as {declare.usage or 'that'}. There are {usages}."
        return (Breach(rule, text, ("dice",)),)
    usages = listed(tuple(one.name for one in alive))
    text = f"{declare.usage} has no legal move, so it may not be chosen. There are {usages}."
    return (Breach("VAR-14" if cards else "BRD-28", text, ("dice",)),)


def _of_place(situation: Situation, place: events.PlacePawn) -> tuple[Breach, ...]:
    held = situation.held
    if situation.phase != "place" or held is None:
        return (Breach("BRD-24", "No captured pawn is to be put anywhere now. Put it back.", (place.to,)),)
    found = []
    if place.seat != held.seat:
        text = f"Player {held.seat + 1} made the capture and says where the pawn goes, not player {place.seat + 1}."
        found.append(Breach("VAR-25" if situation.extras.activation else "BRD-24", text, (place.to,)))
    if place.pawn != held.color:
        text = f"The captured pawn is {held.color}, not {place.pawn}. Correct what was misread."
        found.append(Breach("BRD-24", text, (place.to,)))
    space = SPACE.get(place.to)
    free = listed(tuple(NAMES[one] for one in range(len(NAMES)) if (STARTS & ~situation.occupied) >> one & 1))
    if space is None or not STARTS >> space & 1:
        text = f"A captured pawn is put on a free start, and {name_of(place.to)} is none. There is {free}."
        found.append(Breach("BRD-24", text, (place.to,)))
    elif situation.occupied >> space & 1:
        text = f"{name_of(place.to)} is occupied, and two pawns never share a space. Free is {free}."
        found.append(Breach("BRD-24", text, (place.to,)))
    return tuple(found)


def _of_pass(situation: Situation, alive: Sequence[Usage]) -> tuple[Breach, ...]:
    cards = situation.options.cards_as_dice
    if situation.phase == "declare":
        usages = listed(tuple(usage.name for usage in alive))
        text = f"A turn without a move is legal only where no usage has one. There are {usages}."
        return (Breach("VAR-14" if cards else "BRD-28", text),)
    if situation.phase == "move":
        text = f"Something of {situation.usage} can still be played, and everything that can be used must be used."
        return (Breach("BRD-27", text),)
    return (waiting(situation, "A turn without a move"),)


def _of_surrender(situation: Situation) -> tuple[Breach, ...]:
    if not situation.options.surrender:
        return (Breach("BRD-32", "The option surrender is off. Roll, or cards are drawn, as in every turn."),)
    if situation.phase == "start":
        return (Breach("BRD-32", "No own pawn stands on the board but those on stars. Roll."),)
    if situation.phase in ("roll", "cards") and not situation.pawns_on_paths(situation.turn):
        return (Breach("BRD-32", "No own pawn stands on the board but those on stars. Roll."),)
    return (Breach("BRD-32", "A pawn is surrendered instead of a roll, before it. It is too late in this turn."),)


def _of_take_off(situation: Situation, off: events.TakeOff) -> tuple[Breach, ...]:
    if situation.phase != "off":
        text = f"No pawn is being surrendered, so the one on {name_of(off.pawn)} stays on the board. Put it back."
        return (Breach("BRD-32", text, (off.pawn,)),)
    space = SPACE.get(off.pawn)
    if space is not None and (situation.masks[situation.turn] & STARS) >> space & 1:
        return (
            Breach("BRD-25", f"The pawn on {name_of(off.pawn)} marks a captured color. Take another one.", (off.pawn,)),
        )
    text = f"No own pawn stands on {name_of(off.pawn)}. Take an own pawn off the board."
    return (Breach("BRD-32", text, (off.pawn,) if space is not None else ()),)
