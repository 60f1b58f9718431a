"""Explains why an event is not allowed: the rule's number, what the table shows, and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.core.contract import Drawn, Rolled, Seat, Shown, Violation
from companion.core.pieces import WHEEL
from companion.games.shared.cards.deck import CODES, RANK, number_card
from companion.games.shared.search.bit_sets import bits
from companion.games.spectrum import chance, opening, portals, secrets, told
from companion.games.spectrum import moves as events
from companion.games.spectrum.board import NAMES, RINGS, SPACE, SPOTS, STARS, STARTS, name_of
from companion.games.spectrum.going import breaches_of, listed
from companion.games.spectrum.moves import Activate, Fulfil, Pick, Send, Swap
from companion.games.spectrum.opening import due
from companion.games.spectrum.scoring import reason
from companion.games.spectrum.situation import HIDDEN, Situation
from companion.games.spectrum.usages import PLACE, Usage

_SET_UP = {"shotgun cards": "VAR-1", "shotgun dice": "VAR-2", "pick": "VAR-4", "weights": "VAR-17", "portals": "VAR-22"}


def waiting(situation: Situation, what: str) -> Violation:
    """Returns the violation that names what must happen before `what`: the player and the event."""
    rule, first = _first(situation)
    who = f"player {chance.mover(situation) + 1}"
    return Violation(rule, f"{what} does not come now: {who} {first} first.")


def of_another(situation: Situation, seat: Seat) -> Violation:
    """Returns the reasons why a seat that is not on turn may not act."""
    turn = situation.turn
    if situation.phase == "set-up":
        return waiting(situation, "A turn")
    text = f"It is the turn of player {turn + 1}, not of player {seat + 1}. Put back what was moved."
    return Violation("BRD-8", text)


def _first(situation: Situation) -> tuple[str, str]:
    """Returns the rule and the action for which the table waits."""
    match situation.phase:
        case "start":
            return "BRD-8", "goes on to the roll"
        case "roll":
            return "BRD-7", f"rolls {chance.dice_due(situation)} dice"
        case "cards":
            return "VAR-6", f"draws {chance.cards_due(situation)} cards"
        case "declare":
            return "BRD-8", "says what the roll is used as"
        case "pass":
            return "BRD-28", "can do nothing with this roll, and passes"
        case "move":
            return "BRD-27", f"uses what is left of {situation.usage}"
        case "place":
            return "BRD-24", "puts the captured pawn on a free start"
        case "bonus":
            return "VAR-26", "draws a portal for the first color"
        case "off":
            return "BRD-32", "takes the surrendered pawn off the board"
        case "end":
            return "VAR-23", "ends the turn"
        case "drawing":
            return "VAR-24", "draws two cards for the activated portal"
        case "send":
            return "VAR-24", "says which drawn card is the destination"
    step = due(situation)
    assert step is not None
    return _SET_UP.get(step.step, "VAR-19"), "goes on with the set-up"


def of_swap(situation: Situation, swap: Swap) -> tuple[Violation, ...]:
    """Returns the reasons why two pawns may not be exchanged (VAR-16)."""
    spots = (swap.one, swap.other)
    exchange = situation.used.exchange if situation.phase == "move" else None
    if exchange is None:
        return (Violation("VAR-16", "No color swap card is played as a swap. Put both pawns back.", spots),)
    named = listed(tuple(WHEEL[path] for path in exchange))
    found = []
    for spot in spots:
        space = SPACE.get(spot)
        if space is None:
            found.append(Violation("BRD-2", f"The board has no space {name_of(spot)}. Correct what was misread."))
        elif STARS >> space & 1:
            found.append(
                Violation("VAR-16", f"{name_of(spot)} is a star, and pawns on stars are not exchanged.", (spot,))
            )
        elif not situation.occupied >> space & 1:
            found.append(Violation("VAR-16", f"No pawn stands on {name_of(spot)}. Both pawns must be there.", (spot,)))
    paths = [SPACE[spot] // RINGS for spot in spots if spot in SPACE]
    if len(paths) == 2 and set(paths) != set(exchange):
        text = f"{situation.usage} exchanges one pawn in each of {named}. Put both pawns back."
        found.append(Violation("VAR-16", text, spots))
    return tuple(found)


def of_pick(situation: Situation, pick: Pick) -> tuple[Violation, ...]:
    """Returns the reasons why these two colors may not be picked (VAR-4)."""
    due = opening.due(situation) if situation.phase == "set-up" else None
    if due is None or due.step != "pick":
        return (Violation("VAR-4", "Colors are picked after doubles in a shotgun start only. Leave that out."),)
    if due.seat != pick.seat:
        return (Violation("VAR-5", f"Player {due.seat + 1} picks, not player {pick.seat + 1}."),)
    found = []
    for color in dict.fromkeys((pick.one, pick.other)):
        if color not in PLACE:
            found.append(Violation("BRD-1", f'"{color}" is no color of the wheel. Name one of the twelve.'))
        elif PLACE[color] not in opening.free_colors(situation, pick.seat):
            ring = opening.ring_due(situation, pick.seat) + 1
            spot = f"{color}.{ring}"
            found.append(Violation("VAR-4", f"{name_of(spot)} holds a pawn already. Pick a free color.", (spot,)))
    if pick.one == pick.other:
        found.append(Violation("VAR-4", "After doubles two different colors are picked. Name another one."))
    return tuple(found)


def of_fulfil(situation: Situation, fulfil: Fulfil) -> tuple[Violation, ...]:
    """Returns the reasons why missions may not be declared (VAR-20, VAR-21)."""
    if not situation.options.missions:
        return (Violation("VAR-20", "The option missions is off, so there is nothing to declare."),)
    if situation.phase != "start":
        text = "Missions are declared at the start of the own turn, before the roll. Wait for the next turn."
        return (Violation("VAR-21", text),)
    if HIDDEN in situation.extras.missions[fulfil.seat]:
        return (Violation("VAR-20", "Some of these missions are not known yet. Show the six cards first."),)
    count = secrets.fulfilled(situation, fulfil.seat)
    text = f"{count} of 6 missions are fulfilled, and {portals.ENOUGH} are needed. The cards lie open already."
    return (Violation("VAR-20", text),)


def of_activate(situation: Situation, activate: Activate) -> tuple[Violation, ...]:
    """Returns the reasons why a portal may not be activated (VAR-22 to VAR-24, VAR-28)."""
    number = number_card(activate.card)
    seat = activate.seat
    if not situation.options.portals:
        return (Violation("VAR-23", "The option portals is off, so there is none to activate."),)
    if number is None or RANK[number] not in secrets.RANKS:
        text = "Portals are spaces 3 to 7; spaces 1, 2, 8 and 9 are never touched. Correct what was misread."
        return (Violation("VAR-28", text),)
    if situation.phase not in ("start", "end"):
        text = "Portals are activated before the roll or after all moves of a turn. Wait until then."
        return (Violation("VAR-23", text), waiting(situation, "A portal"))
    spot = SPOTS[secrets.space_on_card(number)]
    found = []
    if seat not in portals.waiting(situation):
        text = (
            f"Portals are asked for clockwise from player {situation.turn + 1}; player {seat + 1} has had the chance."
        )
        found.append(Violation("VAR-23", text, (spot,)))
    if not secrets.may_hold(situation, situation.extras.portals[seat], number):
        text = f"{CODES[number]} is no portal of player {seat + 1}. Correct what was misread."
        found.append(Violation("VAR-22", text, (spot,)))
    if not situation.occupied >> secrets.space_on_card(number) & 1:
        found.append(Violation("VAR-23", f"A portal needs a pawn on its space, and {name_of(spot)} is empty.", (spot,)))
    return tuple(found)


def of_send(situation: Situation, send: Send) -> tuple[Violation, ...]:
    """Returns the reasons why a card may not be the destination (VAR-24)."""
    activation = situation.extras.activation
    if situation.phase != "send" or activation is None:
        return (Violation("VAR-24", "No activated portal waits for a destination. Leave that out."),)
    if send.seat != activation.seat:
        text = f"Player {activation.seat + 1} activated the portal and says where it leads, not player {send.seat + 1}."
        return (Violation("VAR-24", text),)
    number = number_card(send.card)
    name = "That" if number is None else CODES[number]
    return (Violation("VAR-24", f"{name} is none of the two drawn cards. Say which of them is the destination."),)


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
"""The moves that only the seat to move makes."""
_BEFORE_A_ROLL = {events.Surrender: "surrender", events.Fulfil: "missions", events.Activate: "portals"}
"""The moves that may come before the roll of a turn, each with its option."""


def violations_of(
    situation: Situation, event: events.SpectrumEvent, moves: Sequence[events.Move], alive: Sequence[Usage]
) -> tuple[Violation, ...]:
    """Returns the rules that an event breaks; empty if and only if it is legal now.

    Args:
        moves: The legal moves.
        alive: The usages that may be declared.
    """
    if situation.phase == "over":
        rule, text = reason(situation)
        return (Violation(rule, f"The game is over: {text[0].lower()}{text[1:]}"),)
    if isinstance(event, Rolled | Drawn | Shown):
        return told.impossible(situation, event) or told.timing_errors(situation, event)
    if not isinstance(event, events.Move):
        return (Violation("BRD-8", f"{type(event).__name__} is no event of Spectrum: a turn rolls and moves."),)
    if isinstance(event, events.Go):
        event = meant(situation, event, moves)
    if event in moves or _says_nothing_new(situation, event):
        return ()
    if not 0 <= event.seat < situation.seats:
        return (Violation("BRD-5", f"There is no player {event.seat + 1}; the game has {situation.seats}."),)
    if isinstance(event, _TURN_MOVES) and (event.seat != situation.turn or situation.phase == "set-up"):
        return (of_another(situation, event.seat),)
    if situation.again and situation.phase in ("roll", "cards"):
        option = _BEFORE_A_ROLL.get(type(event))
        if option is not None and getattr(situation.options, option):
            due = "Roll." if situation.phase == "roll" else "Draw the cards that replace the dice."
            return (Violation("BRD-33", f"The extra turn goes on at once, and nothing comes before its roll. {due}"),)
    return _of(situation, event, alive)


def meant(situation: Situation, go: events.Go, moves: Sequence[events.Move]) -> events.Go:
    """Returns the move with its part if it names none and only one is possible (BRD-12): the legal one, or the one
    left.
    """
    if go.part or situation.phase != "move" or not situation.used.free:
        return go
    parts = _parts_at_hand(situation)
    named = [replace(go, part=part) for part in parts]
    legal = [one for one in named if one in moves]
    if len(legal) == 1:
        return legal[0]
    return named[0] if len(parts) == 1 else go


def _parts_at_hand(situation: Situation) -> list[int]:
    """Returns the numbers of the unused parts; equal parts count once, with the first number."""
    usage = situation.used
    found = {usage.parts[place]: place + 1 for place in reversed(tuple(bits(situation.left)))}
    return sorted(found.values())


def _says_nothing_new(situation: Situation, event: events.Move) -> bool:
    """True if a declaration has no effect: it names the usage in use, or any usage when none has a move (BRD-8,
    BRD-28).
    """
    if not isinstance(event, events.Declare) or event.seat != situation.turn:
        return False
    if situation.phase == "move":
        return event.usage == situation.usage
    return situation.phase == "pass" and situation.usage_named(event.usage) is not None


def _of(situation: Situation, event: events.Move, alive: Sequence[Usage]) -> tuple[Violation, ...]:
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
            return of_swap(situation, event)
        case events.Pick():
            return of_pick(situation, event)
        case events.Fulfil():
            return of_fulfil(situation, event)
        case events.Activate():
            return of_activate(situation, event)
        case events.Send():
            return of_send(situation, event)
        case events.EndTurn():
            return (waiting(situation, "The end of the turn"),)


def of_go(situation: Situation, go: events.Go, alive: Sequence[Usage]) -> tuple[Violation, ...]:
    """Returns the reasons why a pawn's move is not legal: by the declared usage, or by the one that comes nearest to
    allowing it.
    """
    ends = events.ends_of(go)
    if ends is None:
        text = f"The board has no way from {name_of(go.pawn)} to {name_of(go.to)}. Correct what was misread."
        return (Violation("BRD-2", text),)
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
            return best or (Violation(rule, "Several usages of the roll may be meant. Say which one it is first."),)
    return (waiting(situation, "The move of a pawn"),)


def _of_some_part(situation: Situation, go: events.Go, ends: events.Ends) -> tuple[Violation, ...]:
    """Returns the violations of a move by its part; if it names none and several do not fit, by the one that fits
    best.
    """
    usage, left = situation.used, situation.left
    if go.part or not usage.free:
        return breaches_of(situation, go, ends, usage, left)
    parts = _parts_at_hand(situation)
    found = [breaches_of(situation, replace(go, part=part), ends, usage, left) for part in parts]
    if all(found):
        return min(found, key=len)
    return breaches_of(situation, go, ends, usage, left)


def _of_declare(situation: Situation, declare: events.Declare, alive: Sequence[Usage]) -> tuple[Violation, ...]:
    cards = situation.options.cards_as_dice
    if situation.phase == "move":
        text = f"{situation.usage} is in use already, and a turn uses its roll in one way. Go on with it."
        return (Violation("VAR-7" if cards else "BRD-8", text),)
    if situation.phase not in ("declare", "pass"):
        return (waiting(situation, "A usage"),)
    usage = situation.usage_named(declare.usage)
    if usage is None:
        rule = "VAR-7" if cards else ("BRD-10" if situation.options.dice == "d6" else "BRD-11")
        usages = listed(tuple(one.name for one in situation.usages))
        text = f"This roll or these cards cannot be used as {declare.usage or 'that'}. There are {usages}."
        return (Violation(rule, text, ("dice",)),)
    usages = listed(tuple(one.name for one in alive))
    text = f"{declare.usage} has no allowed move, so it may not be chosen. There are {usages}."
    return (Violation("VAR-14" if cards else "BRD-28", text, ("dice",)),)


def _of_place(situation: Situation, place: events.PlacePawn) -> tuple[Violation, ...]:
    held = situation.held
    if situation.phase != "place" or held is None:
        return (Violation("BRD-24", "No captured pawn is to be put anywhere now. Put it back.", (place.to,)),)
    found = []
    if place.seat != held.seat:
        text = f"Player {held.seat + 1} made the capture and says where the pawn goes, not player {place.seat + 1}."
        found.append(Violation("VAR-25" if situation.extras.activation else "BRD-24", text, (place.to,)))
    if place.pawn != held.color:
        text = f"The captured pawn is {held.color}, not {place.pawn}. Correct what was misread."
        found.append(Violation("BRD-24", text, (place.to,)))
    space = SPACE.get(place.to)
    free = listed(tuple(NAMES[one] for one in range(len(NAMES)) if (STARTS & ~situation.occupied) >> one & 1))
    if space is None or not STARTS >> space & 1:
        text = f"A captured pawn is put on a free start, and {name_of(place.to)} is none. There is {free}."
        found.append(Violation("BRD-24", text, (place.to,)))
    elif situation.occupied >> space & 1:
        text = f"{name_of(place.to)} is occupied, and two pawns never share a space. Free is {free}."
        found.append(Violation("BRD-24", text, (place.to,)))
    return tuple(found)


def _of_pass(situation: Situation, alive: Sequence[Usage]) -> tuple[Violation, ...]:
    cards = situation.options.cards_as_dice
    if situation.phase == "declare":
        usages = listed(tuple(usage.name for usage in alive))
        text = f"A turn without a move is allowed only where no usage has one. There are {usages}."
        return (Violation("VAR-14" if cards else "BRD-28", text),)
    if situation.phase == "move":
        text = f"Something of {situation.usage} can still be played, and everything that can be used must be used."
        return (Violation("BRD-27", text),)
    return (waiting(situation, "A turn without a move"),)


def _of_surrender(situation: Situation) -> tuple[Violation, ...]:
    if not situation.options.surrender:
        return (Violation("BRD-32", "The option surrender is off. Roll, or cards are drawn, as in every turn."),)
    if situation.phase == "start":
        return (Violation("BRD-32", "No own pawn stands on the board but those on stars. Roll."),)
    if situation.phase in ("roll", "cards") and not situation.pawns_on_paths(situation.turn):
        return (Violation("BRD-32", "No own pawn stands on the board but those on stars. Roll."),)
    return (Violation("BRD-32", "A pawn is surrendered instead of a roll, before it. It is too late in this turn."),)


def _of_take_off(situation: Situation, off: events.TakeOff) -> tuple[Violation, ...]:
    if situation.phase != "off":
        text = f"No pawn is being surrendered, so the one on {name_of(off.pawn)} stays on the board. Put it back."
        return (Violation("BRD-32", text, (off.pawn,)),)
    space = SPACE.get(off.pawn)
    if space is not None and (situation.masks[situation.turn] & STARS) >> space & 1:
        return (
            Violation(
                "BRD-25", f"The pawn on {name_of(off.pawn)} marks a captured color. Take another one.", (off.pawn,)
            ),
        )
    text = f"No own pawn stands on {name_of(off.pawn)}. Take an own pawn off the board."
    return (Violation("BRD-32", text, (off.pawn,) if space is not None else ()),)
