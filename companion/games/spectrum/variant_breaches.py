"""Why a move of a variant is not allowed (VAR-4, VAR-16, VAR-20 to VAR-28)."""

from __future__ import annotations

from companion.core.contract import Breach
from companion.core.pieces import WHEEL
from companion.games.shared.cards.deck import CODES, RANK, number_card
from companion.games.spectrum import opening, portals, secrets
from companion.games.spectrum.board import RINGS, SPACE, SPOTS, STARS, name_of
from companion.games.spectrum.going import listed
from companion.games.spectrum.moves import Activate, Fulfil, Pick, Send, Swap
from companion.games.spectrum.situation import HIDDEN, Situation
from companion.games.spectrum.usages import PLACE
from companion.games.spectrum.waiting import waiting


def of_swap(situation: Situation, swap: Swap) -> tuple[Breach, ...]:
    """Why two pawns may not be exchanged (VAR-16)."""
    spots = (swap.one, swap.other)
    exchange = situation.used.exchange if situation.phase == "move" else None
    if exchange is None:
        return (Breach("VAR-16", "No color swap card is played as a swap. Put both pawns back.", spots),)
    named = listed(tuple(WHEEL[path] for path in exchange))
    found = []
    for spot in spots:
        space = SPACE.get(spot)
        if space is None:
            found.append(Breach("BRD-2", f"The board has no space {name_of(spot)}. Correct what was misread."))
        elif STARS >> space & 1:
            found.append(Breach("VAR-16", f"{name_of(spot)} is a star, and pawns on stars are not exchanged.", (spot,)))
        elif not situation.occupied >> space & 1:
            found.append(Breach("VAR-16", f"No pawn stands on {name_of(spot)}. Both pawns must be there.", (spot,)))
    paths = [SPACE[spot] // RINGS for spot in spots if spot in SPACE]
    if len(paths) == 2 and set(paths) != set(exchange):
        text = f"{situation.usage} exchanges one pawn in each of {named}. Put both pawns back."
        found.append(Breach("VAR-16", text, spots))
    return tuple(found)


def of_pick(situation: Situation, pick: Pick) -> tuple[Breach, ...]:
    """Why these two colors may not be picked (VAR-4)."""
    due = opening.due(situation) if situation.phase == "set-up" else None
    if due is None or due.step != "pick":
        return (Breach("VAR-4", "Colors are picked after doubles in a shotgun start only. Leave that out."),)
    if due.seat != pick.seat:
        return (Breach("VAR-5", f"Player {due.seat + 1} picks, not player {pick.seat + 1}."),)
    found = []
    for color in dict.fromkeys((pick.one, pick.other)):
        if color not in PLACE:
            found.append(Breach("BRD-1", f'"{color}" is no color of the wheel. Name one of the twelve.'))
        elif PLACE[color] not in opening.free_colors(situation, pick.seat):
            ring = opening.ring_due(situation, pick.seat) + 1
            spot = f"{color}.{ring}"
            found.append(Breach("VAR-4", f"{name_of(spot)} holds a pawn already. Pick a free color.", (spot,)))
    if pick.one == pick.other:
        found.append(Breach("VAR-4", "After doubles two different colors are picked. Name another one."))
    return tuple(found)


def of_fulfil(situation: Situation, fulfil: Fulfil) -> tuple[Breach, ...]:
    """Why missions may not be declared (VAR-20, VAR-21)."""
    if not situation.options.missions:
        return (Breach("VAR-20", "The option missions is off, so there is nothing to declare."),)
    if situation.phase != "start":
        text = "Missions are declared at the start of the own turn, before the roll. Wait for the next turn."
        return (Breach("VAR-21", text),)
    if HIDDEN in situation.extras.missions[fulfil.seat]:
        return (Breach("VAR-20", "Some of these missions are not known yet. Show the six cards first."),)
    count = secrets.fulfilled(situation, fulfil.seat)
    text = f"{count} of 6 missions are fulfilled, and {portals.ENOUGH} are needed. The cards lie open already."
    return (Breach("VAR-20", text),)


def of_activate(situation: Situation, activate: Activate) -> tuple[Breach, ...]:
    """Why a portal may not be activated (VAR-22 to VAR-24, VAR-28)."""
    number = number_card(activate.card)
    seat = activate.seat
    if not situation.options.portals:
        return (Breach("VAR-23", "The option portals is off, so there is none to activate."),)
    if number is None or RANK[number] not in secrets.RANKS:
        text = "Portals are spaces 3 to 7; spaces 1, 2, 8 and 9 are never touched. Correct what was misread."
        return (Breach("VAR-28", text),)
    if situation.phase not in ("start", "end"):
        text = "Portals are activated before the roll or after all moves of a turn. Wait until then."
        return (Breach("VAR-23", text), waiting(situation, "A portal"))
    spot = SPOTS[secrets.space_on_card(number)]
    found = []
    if seat not in portals.waiting(situation):
        text = (
            f"Portals are asked for clockwise from player {situation.turn + 1}; player {seat + 1} has had the chance."
        )
        found.append(Breach("VAR-23", text, (spot,)))
    if not secrets.may_hold(situation, situation.extras.portals[seat], number):
        text = f"{CODES[number]} is no portal of player {seat + 1}. Correct what was misread."
        found.append(Breach("VAR-22", text, (spot,)))
    if not situation.occupied >> secrets.space_on_card(number) & 1:
        found.append(Breach("VAR-23", f"A portal needs a pawn on its space, and {name_of(spot)} is empty.", (spot,)))
    return tuple(found)


def of_send(situation: Situation, send: Send) -> tuple[Breach, ...]:
    """Why a card may not be the destination (VAR-24)."""
    activation = situation.extras.activation
    if situation.phase != "send" or activation is None:
        return (Breach("VAR-24", "No activated portal waits for a destination. Leave that out."),)
    if send.seat != activation.seat:
        text = f"Player {activation.seat + 1} activated the portal and says where it leads, not player {send.seat + 1}."
        return (Breach("VAR-24", text),)
    number = number_card(send.card)
    name = "That" if number is None else CODES[number]
    return (Breach("VAR-24", f"{name} is none of the two drawn cards. Say which of them is the destination."),)
