"""Explains why an event is not allowed: the rule's number, what the table shows, and what to do.

Each function lists all broken rules, the most important one first.
"""

from __future__ import annotations

from companion.core.contract import Rolled, Seat, Violation
from companion.core.layout import Spot
from companion.core.pieces import WHEEL
from companion.games.escape.moves import (
    OUT,
    RIM,
    Add,
    EscapeEvent,
    Lose,
    Play,
    Which,
    Withdraw,
    rule_of,
    spot_of,
    targets,
)
from companion.games.escape.options import PAWNS
from companion.games.escape.situation import BITS, BOTH, WITHDREW, Situation, dice_of
from companion.games.shared.color_dice import COLOR, is_roll_of

_BACK = "Put the pawn back, or correct what was misread."


def violations_of(situation: Situation, event: EscapeEvent) -> tuple[Violation, ...]:
    """Returns the rules that an event breaks; empty if and only if it is legal now."""
    ending = situation.ending
    if ending is not None:
        return (Violation(ending.rule, f"The game is over: {ending.text[0].lower()}{ending.text[1:]}"),)
    if isinstance(event, Rolled):
        return of_roll(situation, event)
    if not isinstance(event, Play | Lose | Withdraw | Add):
        return (Violation("ESC-13", f"{type(event).__name__} is no event of Spectrum Escape. Enter a roll or a move."),)
    if not 0 <= event.seat < situation.seats:
        return (Violation("ESC-1", f"There is no player {event.seat + 1}; the game has {situation.seats}."),)
    if not situation.rolled:
        early = Violation("ESC-12", "The dice of this round have not been rolled. Roll all nine first.")
        return (early, *_second_pawn(situation, event))
    match event:
        case Play():
            return (*_turn(situation, event.seat), *_of_play(situation, event))
        case Lose():
            return (*_turn(situation, event.seat), *_of_lose(situation, event))
        case Withdraw():
            return (*_turn(situation, event.seat), *_of_withdraw(situation, event))
    return _second_pawn(situation, event)


def of_roll(situation: Situation, rolled: Rolled) -> tuple[Violation, ...]:
    """Returns the reasons why these dice cannot be the next roll; empty if they can (ESC-1, ESC-12)."""
    if situation.rolled:
        return (
            Violation("ESC-12", "All dice are rolled once, at the start of the round. Go on with the dice that lie."),
        )
    seats = situation.seats
    kinds = dice_of(situation.round, seats)
    if len(rolled.faces) != len(kinds):
        return (Violation("ESC-12", f"A round begins with nine dice, not {len(rolled.faces)}. Enter all of them."),)
    if not is_roll_of(rolled.faces, kinds):
        return (Violation("ESC-1", "The set has four d6 in six colors and five d12 in twelve. Correct the roll."),)
    if tuple(one.kind for one in rolled.faces[:seats]) != kinds[:seats]:
        text = f"In a {situation.round} round the personal dice are {situation.round}. Name them first, by player."
        return (Violation("ESC-12", text, tuple(personal_spot(seat) for seat in range(seats))),)
    return ()


def personal_spot(seat: Seat) -> Spot:
    """Returns the heap of a seat's personal die."""
    return f"seat{seat}.die"


def _turn(situation: Situation, seat: Seat) -> tuple[Violation, ...]:
    turn = situation.turn
    if seat == turn or turn is None:
        return ()
    if situation.done[seat] == WITHDREW:
        text = f"Player {seat + 1} took a pawn back instead of both moves of this round. Player {turn + 1} moves."
        return (Violation("ESC-15", text),)
    if situation.done[seat] == BOTH:
        return (Violation("ESC-13", f"Player {seat + 1} has made both moves of this round. Player {turn + 1} moves."),)
    return (Violation("ESC-16", f"It is player {turn + 1}'s move; play order is clockwise. Player {seat + 1} waits."),)


def _of_kind(situation: Situation, seat: Seat, die: Which) -> tuple[Violation, ...]:
    """Returns the violation of using two dice of one kind in a round: one personal and one common die are allowed
    (ESC-13).
    """
    done = situation.done[seat]
    if done in (BOTH, WITHDREW) or not done & BITS[die]:
        return ()
    other = "common" if die == "personal" else "personal"
    text = f"Player {seat + 1} has made the move of the {die} die already. The second move takes the {other} one."
    return (Violation("ESC-13", text),)


def _of_play(situation: Situation, play: Play) -> tuple[Violation, ...]:
    found = [*_of_kind(situation, play.seat, play.die)]
    color = COLOR[play.color]
    if play.die == "personal" and situation.personal[play.seat] != color:
        shown = WHEEL[situation.personal[play.seat]]
        text = f"The personal die of player {play.seat + 1} shows {shown}, not {play.color}. {_BACK}"
        found.append(Violation("ESC-13", text, (personal_spot(play.seat),)))
    elif play.die == "common" and color not in situation.open_colors():
        if any(die % 12 == color for die in situation.used):
            text = f"The common {play.color} is used up; a common die is used by one player only. {_BACK}"
        else:
            text = f"No common die shows {play.color}. {_BACK}"
        found.append(Violation("ESC-13", text, ("dice",)))
    return (*found, *_of_pawn(situation, play, color))


def _of_pawn(situation: Situation, play: Play, color: int) -> tuple[Violation, ...]:
    seat, column = play.seat, situation.columns[color]
    here, to = column[seat], targets(column, situation.alone)[seat]
    if not here and not situation.stock(seat):
        text = f"Player {seat + 1} has no pawn in stock, so only a color with an own pawn may be chosen. {_BACK}"
        return (Violation("ESC-10", text, (spot_of(color, 1),)),)
    if not to:
        text = f"The leader of {play.color} stands on position {RIM}; nobody enters and escapes in one move. {_BACK}"
        return (Violation("ESC-9", text, (spot_of(color, RIM),)),)
    if play.to == to:
        return ()
    rule = rule_of(column, seat)
    text = f"{_WHY[rule](situation, color, seat)}. {_goes(to, play.to)} {_BACK}"
    found = [Violation(rule, text, _spots(color, play.to, to))]
    if (play.to == OUT) != (to == OUT):
        text = f"A pawn escapes that would reach position {OUT}, and only then: this one reaches {to}."
        found.append(Violation("ESC-2", text, _spots(color, play.to, to)))
    if play.to < OUT and play.to in column and play.to != here:
        owner = column.index(play.to) + 1
        text = f"Position {play.to} of {play.color} holds a pawn of player {owner}; two pawns never share a space."
        found.append(Violation("ESC-3", text, (spot_of(color, play.to),)))
        found.append(Violation("ESC-11", "Nothing is captured. Put both pawns back.", (spot_of(color, play.to),)))
    return tuple(found)


def _spots(color: int, *positions: int) -> tuple[Spot, ...]:
    return tuple(spot_of(color, position) for position in positions if position < OUT)


def _goes(to: int, shown: int) -> str:
    if to == OUT:
        return f"It escapes and does not stop on {shown}."
    return f"It goes to position {to} and {'does not leave the board' if shown == OUT else f'not to {shown}'}."


def _enters(situation: Situation, color: int, seat: Seat) -> str:
    leader = max(situation.columns[color])
    where = "the color is empty" if not leader else f"the leader stands on position {leader}"
    return f"A pawn of player {seat + 1} enters {WHEEL[color]}, and {where}"


def _follows(situation: Situation, color: int, seat: Seat) -> str:
    leader = max(situation.columns[color])
    return f"The pawn of player {seat + 1} does not lead {WHEEL[color]}; the leader stands on position {leader}"


def _leads(situation: Situation, color: int, seat: Seat) -> str:
    column = situation.columns[color]
    behind = max(at for at in column if at < column[seat])
    gap = column[seat] - behind
    return f"The pawn of player {seat + 1} leads {WHEEL[color]} by {gap} and advances as far"


def _leads_alone(situation: Situation, color: int, seat: Seat) -> str:
    how = "1" if situation.alone == "one" else "as far as it stands from the center"
    return f"The pawn of player {seat + 1} is alone in {WHEEL[color]} and advances {how}"


_WHY = {"ESC-5": _enters, "ESC-6": _follows, "ESC-7": _leads, "ESC-8": _leads_alone}
"""Rule of a pawn's move to the function that explains the move's target."""


def _of_lose(situation: Situation, lose: Lose) -> tuple[Violation, ...]:
    found = [*_of_kind(situation, lose.seat, lose.die)]
    colors = (situation.personal[lose.seat],) if lose.die == "personal" else situation.open_colors()
    able = [color for color in colors if situation.target(lose.seat, color)]
    if able:
        named = " or ".join(WHEEL[color] for color in able)
        what = "The personal die allows" if lose.die == "personal" else "A common die allows"
        text = f"{what} player {lose.seat + 1} to move in {named}, and an allowed move must be made."
        found.append(Violation("ESC-14", text, tuple(spot_of(color, 1) for color in able)))
    return tuple(found)


def _of_withdraw(situation: Situation, withdraw: Withdraw) -> tuple[Violation, ...]:
    color, seat = COLOR[withdraw.color], withdraw.seat
    if withdraw.owner is not None:
        text = f"A pawn of player {withdraw.owner + 1} left {withdraw.color}. Nothing is captured. {_BACK}"
        return (Violation("ESC-11", text, (spot_of(color, 1),)),)
    found = []
    if situation.done[seat] and situation.turn == seat:
        text = f"Player {seat + 1} has made move one; a pawn is taken back instead of both moves only. {_BACK}"
        found.append(Violation("ESC-15", text))
    if not situation.columns[color][seat]:
        text = f"Player {seat + 1} has no pawn in {withdraw.color} to take back. Correct what was misread."
        found.append(Violation("ESC-15", text))
    return tuple(found)


def _second_pawn(situation: Situation, event: EscapeEvent) -> tuple[Violation, ...]:
    if not isinstance(event, Add):
        return ()
    color = COLOR[event.color]
    here = situation.columns[color][event.seat]
    where = (spot_of(color, event.to),)
    if here:
        text = f"Player {event.seat + 1} has a pawn in {event.color} on position {here} and never has two. {_BACK}"
        return (Violation("ESC-3", text, where),)
    if situation.on_board(event.seat) + situation.escaped[event.seat] >= PAWNS:
        text = f"Player {event.seat + 1} has {PAWNS} pawns, and all of them are on the board or escaped. {_BACK}"
        return (Violation("ESC-18", text, where),)
    return (Violation("ESC-13", f"A pawn enters only by a move with a die. {_BACK}", where),)
