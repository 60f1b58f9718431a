"""Checks entered dice and cards, and applies their effects.

While moves before the roll, or after the turn, are possible, players may already enter dice and cards of the next roll:
this means that they do not want to make such moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from msgspec.structs import replace

from companion.core.contract import Drawn, Rolled, Seat, Shown, ToDraw, ToRoll, Violation
from companion.core.pieces import Die, Piece
from companion.games.shared import color_dice
from companion.games.shared.cards.deck import COLOR, NUMBER, RANK, written
from companion.games.spectrum import chance, opening, portals, secrets, turns
from companion.games.spectrum.situation import HIDDEN, Situation
from companion.games.spectrum.usages import PLACE

S = TypeVar("S", bound=Situation)
E = TypeVar("E")
Told = Rolled | Drawn | Shown


@lru_cache(maxsize=1 << 14)
def roll_of(faces: tuple[Die, ...], kinds: tuple[str, ...]) -> tuple[str, ...] | None:
    """Returns the colors that are up, in the order of the wheel; None if such dice do not have these faces."""
    if not color_dice.is_roll_of(faces, kinds):
        return None
    return tuple(sorted([str(one.face) for one in faces], key=PLACE.__getitem__))


def advance(state: S) -> S:
    """Returns the position after the optional moves before the next roll or draw were declined."""
    if state.phase == "end":
        state = turns.ended(state)
    return turns.going_to_roll(state) if state.phase == "start" else state


def impossible(situation: Situation, told: Told) -> tuple[Violation, ...]:
    """Returns the reasons why these dice or cards are impossible, whichever seat is to move; empty if they are
    possible.
    """
    match told:
        case Rolled():
            return _impossible_dice(told)
        case Drawn():
            return _impossible_cards(situation, told)
    return _impossible_shown(situation, told)


def _impossible_dice(rolled: Rolled) -> tuple[Violation, ...]:
    if any(one not in color_dice.PLACE for one in rolled.faces):
        return (Violation("BRD-6", "These are no Spectrum dice. Say which colors are up.", ("dice",)),)
    return ()


def numbers(pieces: Sequence[Piece | None]) -> tuple[int, ...]:
    """Returns entered cards as numbers of the deck, `HIDDEN` for an unseen card."""
    return tuple(HIDDEN if piece is None else NUMBER[piece] for piece in pieces)


def _impossible_cards(situation: Situation, drawn: Drawn) -> tuple[Violation, ...]:
    if any(piece is not None and piece not in NUMBER for piece in drawn.pieces):
        return (Violation("VAR-6", "The deck has no such card. Say which cards were drawn."),)
    due = chance.expects(advance(situation))
    if not isinstance(due, ToDraw):
        return ()
    cards = numbers(drawn.pieces)
    if not 1 <= len(cards) <= due.count:
        one = f"1 card is to be drawn, not {len(cards)}. Say which one came."
        several = f"{due.count} cards are to be drawn, not {len(cards)}. Say which ones came."
        return (Violation(_rule(situation), one if due.count == 1 else several),)
    if HIDDEN in cards and due.shown:
        return (Violation(_rule(situation), "Everybody sees these cards. Say which ones were drawn."),)
    known = [number for number in cards if number != HIDDEN]
    wrong = tuple(number for number in known if known.count(number) > 1) or _not_there(advance(situation), tuple(known))
    if wrong:
        text = f"{written(wrong)} cannot have been drawn now. Correct what was misread."
        return (Violation(_rule(situation), text),)
    return ()


def _rule(situation: Situation) -> str:
    """Returns the rule by which cards are drawn now."""
    match situation.phase:
        case "bonus":
            return "VAR-26"
        case "drawing":
            return "VAR-24"
        case "set-up":
            due = opening.due(situation)
            steps = {"shotgun cards": "VAR-1", "weights": "VAR-17", "portals": "VAR-22"}
            return "VAR-19" if due is None else steps.get(due.step, "VAR-19")
    return "VAR-6"


def _not_there(situation: Situation, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the entered cards that cannot have come."""
    match situation.phase:
        case "cards":
            return _not_in_deck(situation, cards)
        case "bonus" | "drawing":
            return tuple(sorted(set(cards) - secrets.unknown(situation)))
    due = opening.due(situation)
    assert due is not None
    match due.step:
        case "shotgun cards":
            return _not_in_piles(situation, due.seat, cards)
        case "weights":
            return _no_weights(situation, cards)
        case "secondary missions":
            return tuple(sorted(set(cards) - (secrets.unknown(situation) & secrets.SECONDARY)))
    return tuple(sorted(set(cards) - (secrets.unknown(situation) & secrets.PRIMARY)))


def _not_in_deck(situation: Situation, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the cards that cannot come from the deck: first come its remaining cards, then the shuffled discards
    (VAR-6).
    """
    extras = situation.extras
    pile = set(extras.pile)
    if len(cards) <= len(pile):
        return tuple(number for number in cards if number not in pile)
    wrong = tuple(number for number in cards if number not in pile and number not in extras.discards)
    return wrong or (() if pile <= set(cards) else tuple(number for number in cards if number not in pile))


def _not_in_piles(situation: Situation, seat: int, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the cards that cannot come from the piles: each player gets two of each number, every card once
    (VAR-1).
    """
    counts = list(opening.ring_counts(situation, seat))
    wrong = []
    for number in cards:
        ring = RANK[number] - 1 if number < len(RANK) else opening.SHOTGUN_RINGS
        full = ring >= opening.SHOTGUN_RINGS or counts[ring] >= opening.EACH_RING
        if full or not opening.is_free(situation, COLOR[number], ring):
            wrong.append(number)
        else:
            counts[ring] += 1
    return tuple(wrong)


def _no_weights(situation: Situation, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the cards that cannot be weights: one for each color, of 3 to 7 from its pile or any from the deck
    (VAR-17).
    """
    missing = {color for color, weight in enumerate(situation.extras.weights) if not weight}
    ranks = secrets.RANKS if situation.options.weights == "piles" else range(1, 13)
    wrong = []
    for number in cards:
        if number < len(RANK) and COLOR[number] in missing and RANK[number] in ranks:
            missing.discard(COLOR[number])
        else:
            wrong.append(number)
    return tuple(wrong)


def _impossible_shown(situation: Situation, shown: Shown) -> tuple[Violation, ...]:
    """Returns the violations of shown cards: only missions can be shown, because a portal is shown by activating it."""
    missions = situation.extras.missions
    cards = [NUMBER.get(piece, HIDDEN) for piece in shown.pieces]
    if not 0 <= shown.seat < len(missions) or HIDDEN not in missions[shown.seat]:
        return (Violation("VAR-19", f"Player {shown.seat + 1} has no mission that is still hidden."),)
    hidden = missions[shown.seat]
    free = set(secrets.unknown(situation))
    for of, held in ((secrets.PRIMARY, hidden[: secrets.EACH]), (secrets.SECONDARY, hidden[secrets.EACH :])):
        if sum(number in of for number in cards) > held.count(HIDDEN):
            return (Violation("VAR-19", "A player has three missions of each pile. Say which ones they are."),)
    if not cards or len(set(cards)) != len(cards) or not set(cards) <= free:
        return (Violation("VAR-19", "These cards cannot be missions of this player. Say which ones they are."),)
    return ()


def timing_errors(situation: Situation, told: Told) -> tuple[Violation, ...]:
    """Returns the reasons why possible dice or cards cannot come at this time; empty if they can."""
    if isinstance(told, Shown):
        return ()
    due = chance.expects(advance(situation))
    if isinstance(told, Rolled):
        if not isinstance(due, ToRoll):
            return (_too_early(situation, "Dice were rolled"),)
        if not color_dice.is_roll_of(told.faces, due.dice):
            kind = "twelve-sided" if due.dice[0] == color_dice.D12 else "six-sided"
            text = f"{len(due.dice)} {kind} dice are rolled now. Roll those, or correct what was misread."
            return (Violation("VAR-3" if situation.phase == "set-up" else "BRD-7", text, ("dice",)),)
        return ()
    if not isinstance(due, ToDraw):
        return (_too_early(situation, "Cards were drawn"),)
    if told.seat != due.seat:
        text = f"Player {due.seat + 1} draws now, not player {told.seat + 1}."
        return (Violation(_rule(situation), text),)
    return ()


def _too_early(situation: Situation, what: str) -> Violation:
    who = f"player {chance.mover(situation) + 1}"
    match situation.phase:
        case "move":
            text = f"{what}, and {who} can still move. Everything that can be used must be used."
            return Violation("BRD-27", text)
        case "place":
            return Violation("BRD-24", f"{what}, and {who} has still to put the captured pawn on a start.")
        case "declare" | "pass":
            return Violation("BRD-8", f"{what}, and {who} has not used the last roll yet.")
        case "off":
            return Violation("BRD-32", f"{what}, and {who} surrenders a pawn instead of rolling.")
        case "bonus":
            return Violation("VAR-26", f"{what}, and {who} has still to draw a portal for the first color.")
        case "drawing" | "send":
            return Violation("VAR-24", f"{what}, and the portal of {who} is still being used.")
        case "set-up":
            return Violation("VAR-5", f"{what}, and something else comes first in the set-up.")
    rule = "VAR-6" if situation.options.cards_as_dice else "BRD-7"
    return Violation(rule, f"{what}, and {who} has something else to draw or roll.")


def apply(state: S, told: Told) -> S:
    """Returns the position after dice or cards that may come now."""
    if isinstance(told, Shown):
        return _shown(state, told)
    due = chance.expects(advance(state))
    state = advance(state)
    if isinstance(told, Rolled):
        colors = tuple(str(one.face) for one in told.faces)
        if state.phase == "set-up":
            assert isinstance(due, ToRoll)
            return opening.dice_rolled(state, due.seat, colors)
        return turns.rolled(state, tuple(sorted(colors, key=PLACE.__getitem__)))
    cards = numbers(told.pieces)
    match state.phase:
        case "cards":
            return _replacing_dice(state, cards)
        case "bonus":
            return portals.first_color(state, cards)
        case "drawing":
            return portals.offered(state, cards)
    step = opening.due(state)
    assert step is not None
    match step.step:
        case "shotgun cards":
            return opening.cards_dealt(state, step.seat, cards)
        case "weights":
            return opening.weights_drawn(state, cards)
        case "portals":
            return opening.portals_drawn(state, step.seat, cards)
    return opening.missions_drawn(state, step.seat, cards)


def _replacing_dice(state: S, cards: tuple[int, ...]) -> S:
    """Returns the position after cards come off the deck; the discards replace an empty deck (VAR-6)."""
    extras = state.extras
    rest = set(extras.pile) - set(cards)
    discards = extras.discards
    if set(cards) - set(extras.pile):
        rest, discards = set(discards) - set(cards), ()
    drawn = tuple(sorted((*extras.drawn, *cards)))
    extras = replace(extras, drawn=drawn, pile=tuple(sorted(rest)), discards=discards)
    after = turns.same_board(state, extras=extras)
    return after if chance.cards_due(after) else turns.cards_drawn(after, extras)


def _shown(state: S, shown: Shown) -> S:
    """Returns the position in which hidden missions of a player have become known."""
    extras, seat = state.extras, shown.seat
    hand = list(extras.missions[seat])
    for number in numbers(shown.pieces):
        from_, until = (0, secrets.EACH) if number in secrets.PRIMARY else (secrets.EACH, 2 * secrets.EACH)
        hand[hand.index(HIDDEN, from_, until)] = number
    both = secrets.in_order(hand[: secrets.EACH]) + secrets.in_order(hand[secrets.EACH :])
    missions = (*extras.missions[:seat], both, *extras.missions[seat + 1 :])
    return turns.same_board(state, extras=replace(extras, missions=missions))


def redact(situation: Situation, event: E, seat: Seat | None) -> E | Drawn | None:
    """Returns the next event as a seat, or with None the public, may know it; None if that viewer learns nothing
    (VAR-19, VAR-22).

    Public cards, such as those that replace the dice, are not redacted.
    """
    if isinstance(event, Drawn) and event.seat != seat:
        due = chance.expects(advance(situation))
        if isinstance(due, ToDraw) and due.shown:
            return event
        return Drawn(event.seat, (None,) * len(event.pieces))
    if isinstance(event, Shown) and event.seat != seat:
        revealed = situation.extras.revealed
        return event if event.seat < len(revealed) and revealed[event.seat] else None
    return event
