"""Explains why an event of Spectrumo is refused, rule by rule.

Hands are judged by the cards that the referee knows. Unseen cards are never evidence: the referee believes a player
with unseen cards who claims to have no playable one.
"""

from __future__ import annotations

from companion.core.contract import Drawn, Seat, Shown, Violation
from companion.core.pieces import Piece
from companion.games.shared.cards.deck import CODES, COLOR, COPIES, LETTERS, NUMBER, NUMBER_CARDS, SWAPS, written
from companion.games.spectrumo.fitting import ANYTHING, SWAPPED, is_swap
from companion.games.spectrumo.moves import (
    DRAW_CARDS,
    PASS_LEFT,
    PASS_RIGHT,
    REVERSE_DRAW,
    Draw,
    Give,
    Move,
    Pass,
    Penalty,
    Play,
    SpectrumoEvent,
    Trade,
)
from companion.games.spectrumo.situation import HAND, POOL_BITS, Situation

_OWED_BY = {DRAW_CARDS: "UMO-10", REVERSE_DRAW: "UMO-10", PASS_RIGHT: "UMO-12", PASS_LEFT: "UMO-12"}
"""The special that was played last to the rule by which others draw. A penalty ends the turn (UMO-5)."""


def violations_of(state: Situation, event: SpectrumoEvent) -> tuple[Violation, ...]:
    """Returns the rules that an event breaks; empty if and only if it is legal now."""
    if not isinstance(event, Move | Drawn | Shown):
        return (Violation("UMO-2", f"{type(event).__name__} is no event of Spectrumo: players play and draw cards."),)
    if not 0 <= event.seat < state.seats or not state.is_in(event.seat):
        return (Violation("UMO-1", f"There is no player {event.seat + 1} in this hand."),)
    if isinstance(event, Shown):
        return _of_shown(state, event)
    if state.ending is not None:
        return (Violation("UMO-16", f"The game has ended. {state.ending.text}"),)
    if isinstance(event, Drawn):
        return _of_drawn(state, event)
    due = state.due
    if due is not None:
        what = "card is" if due.count == 1 else "cards are"
        return (
            Violation(_rule_of_due(state), f"First {due.count} {what} due to player {due.seat + 1} ({due.source})."),
        )
    if isinstance(event, Penalty):
        return _of_penalty(state, event)
    if state.foul:
        return (_went_back(state),)
    if event.seat != state.turn:
        return (Violation("UMO-1", f"It is player {state.turn + 1}'s turn, not player {event.seat + 1}'s."),)
    if state.swapping is not None:
        return _of_trade(state, event)
    match event:
        case Give() | Trade():
            return (Violation("UMO-9", "Cards are traded after Swap Cards was played."),)
        case Draw() | Pass():
            return _of_no_play(state, event)
    return _of_play(state, event)


def _went_back(state: Situation) -> Violation:
    text = f"The card of player {state.turn + 1} went back to the hand: two cards are drawn, and the turn is over."
    return Violation("UMO-5", f"{text} Take the penalty first.")


def _rule_of_due(state: Situation) -> str:
    if state.stage in ("deal", "turn-up"):
        return "UMO-1"
    if state.stage == "count":
        return "UMO-16"
    if state.swapping is not None:
        return "UMO-9"
    if state.seeking:
        return "UMO-4"
    return _OWED_BY.get(state.discard[-1], "UMO-5") if state.specials else "UMO-5"


def _of_penalty(state: Situation, penalty: Penalty) -> tuple[Violation, ...]:
    if state.swapping is not None:
        return (Violation("UMO-9", "A trade is not complete. The penalty is for a card that was played."),)
    who = f"player {penalty.seat + 1}"
    if penalty.seat != state.turn:
        text = f"It is the turn of player {state.turn + 1}, in which {who} has played nothing. No penalty is due."
        return (Violation("UMO-5", text),)
    if state.foul:
        return ()
    if penalty.card is None:
        fault = f"No card of {who} was refused, and the penalty is for a play that is not allowed."
        return (Violation("UMO-5", f"{fault} Say which card was played."),)
    if is_foul(state, Play(penalty.seat, penalty.card)):
        return ()
    code = written((NUMBER[penalty.card],)) if penalty.card in NUMBER else "That"
    return (Violation("UMO-5", f"{code} can be played by {who}, or is not in the hand: no penalty is due for it."),)


def is_foul(state: Situation, event: SpectrumoEvent) -> bool:
    """True if the seat to move played a card illegally (UMO-5), and did not just misname it."""
    if not isinstance(event, Play) or event.seat != state.turn or state.stage != "play" or state.due is not None:
        return False
    card = NUMBER.get(event.card)
    if card is None or state.swapping is not None or _not_in_hand(state, event.seat, card) is not None:
        return False
    return bool(_of_play(state, event))


def _of_play(state: Situation, play: Play) -> tuple[Violation, ...]:
    card = NUMBER.get(play.card)
    if card is None:
        return (Violation("UMO-1", f"{play.card} is no card of the deck."),)
    missing = _not_in_hand(state, play.seat, card)
    if missing is not None:
        return (Violation("UMO-2", missing, (f"seat{play.seat}.hand",)),)
    if state.must_play_drawn and card != state.drawn:
        assert state.drawn is not None
        text = f"{CODES[state.drawn]} was just drawn and can be played, so it must be, and not {CODES[card]}."
        return (Violation("UMO-4", text, ("discard",)),)
    if state.can_play(card):
        return ()
    return _of_number(state, card) if card < NUMBER_CARDS else _of_special(state, card)


def _not_in_hand(state: Situation, seat: Seat, card: int) -> str | None:
    """Returns the reasons why a card cannot come from a hand; None if it can."""
    if card in state.hands[seat] or (state.hidden[seat] and state.holds_unknown(card)):
        return None
    return f"{CODES[card]} is not in the hand of player {seat + 1}."


def _of_number(state: Situation, card: int) -> tuple[Violation, ...]:
    found = []
    if state.count(state.turn) == 1 and state.specials:
        text = f"{CODES[card]} is the last card, and a special was played in this turn. Nobody goes out so; draw."
        found.append(Violation("UMO-13", text, ("discard",)))
    if not state.fits[card]:
        table = f"{LETTERS[state.color]}{state.rank}"
        if COLOR[card] == state.color:
            text = f"{CODES[card]} has the very same color as the table card {table}. That goes only as the last card."
        else:
            text = (
                f"{CODES[card]} is no shade of {LETTERS[state.color]} and no {state.rank}; the table card is {table}."
            )
        found.append(Violation("UMO-2", text, ("discard",)))
    return tuple(found)


def _of_special(state: Situation, card: int) -> tuple[Violation, ...]:
    found = []
    code = CODES[card]
    if state.count(state.turn) == 1:
        found.append(
            Violation("UMO-13", f"{code} is the last card, and nobody goes out with a special. Draw.", ("discard",))
        )
    if not is_swap(card):
        return tuple(found)
    pair = SWAPS[card - NUMBER_CARDS]
    one, other = (LETTERS[color] for color in pair)
    if state.color == ANYTHING:
        text = f"{code} goes only on a card that is {one} or {other}, not on a special."
        found.append(Violation("UMO-8", text, ("discard",)))
    elif state.color not in pair:
        text = f"{code} goes only on {one} or {other}; the table card is {LETTERS[state.color]}{state.rank}."
        found.append(Violation("UMO-7", text, ("discard",)))
    elif state.count(state.turn) > 1:
        virtual = f"{LETTERS[SWAPPED[card - NUMBER_CARDS][state.color]]}{state.rank}"
        text = f"After {code} the table card would be {virtual}, and no further card of the hand could be played on it"
        last = ", since the last card may not follow a special" if state.count(state.turn) == 2 else ""
        found.append(Violation("UMO-7", f"{text}{last}.", ("discard",)))
    return tuple(found)


def _of_no_play(state: Situation, event: Draw | Pass) -> tuple[Violation, ...]:
    if state.playable:
        text = f"Player {event.seat + 1} can play {written(state.playable)}, and so must play."
        return (Violation("UMO-4", text, (f"seat{event.seat}.hand",)),)
    if isinstance(event, Draw) and not state.available:
        return (Violation("UMO-15", "No card is left to draw. Who cannot play passes."),)
    if isinstance(event, Pass) and state.available:
        text = f"{state.available} cards are left, so who cannot play draws and does not pass."
        return (Violation("UMO-15", text),)
    return ()


def _of_trade(state: Situation, event: Move) -> tuple[Violation, ...]:
    swapping = state.swapping
    assert swapping is not None
    count = len(swapping.given) + swapping.unknown
    if isinstance(event, Trade):
        if not count:
            return (Violation("UMO-9", "At least one card is traded. Lay one aside for another player."),)
        return ()
    if not isinstance(event, Give):
        return (Violation("UMO-9", "Swap Cards was played: first the cards are traded."),)
    if event.to not in state.partners(swapping):
        return (Violation("UMO-9", f"Player {event.to + 1} is not the one other player that cards are traded with."),)
    if count >= state.count(event.to):
        text = f"Player {event.to + 1} has {state.count(event.to)} cards, so no more are traded."
        return (Violation("UMO-9", text),)
    if event.card is None:
        if state.hidden[event.seat]:
            return ()
        return (Violation("UMO-9", f"The hand of player {event.seat + 1} is known. Say which card is laid aside."),)
    card = NUMBER.get(event.card)
    if card not in state.hands[event.seat]:
        code = event.card if card is None else CODES[card]
        text = f"{code} is not known to be in the hand of player {event.seat + 1}."
        return (Violation("UMO-9", f"{text} A card that nobody showed is laid aside as ??."),)
    return ()


def _of_drawn(state: Situation, drawn: Drawn) -> tuple[Violation, ...]:
    due = state.due
    if due is None and state.foul:
        return (_went_back(state),)
    if due is None:
        return (Violation("UMO-4", "No draw is due. Who cannot play says so first."),)
    rule = _rule_of_due(state)
    most = due.count
    if drawn.seat != due.seat:
        if state.stage == "deal":
            most = HAND - state.count(drawn.seat)
        elif state.stage == "play" and state.trading is None:
            most = min(state.owed[drawn.seat], state.available)
        else:
            most = 0
    if not 1 <= len(drawn.pieces) <= most:
        text = f"Player {drawn.seat + 1} has {most} cards to draw now, not {len(drawn.pieces)}."
        return (Violation(rule, text),)
    if due.shown and None in drawn.pieces:
        return (Violation(rule, "These cards are seen by everybody. Say which they are."),)
    if state.trading is not None:
        return _of_blind(state, drawn)
    return _of_new_cards(state, rule, [piece for piece in drawn.pieces if piece is not None], state.stage == "play")


def _of_blind(state: Situation, drawn: Drawn) -> tuple[Violation, ...]:
    """Returns the violations of cards drawn from the other hand in a trade."""
    swapping = state.trading
    assert swapping is not None and swapping.to is not None
    hand = list(state.hands[swapping.to])
    unknown = []
    for piece in drawn.pieces:
        number = NUMBER.get(piece)
        if number in hand:
            hand.remove(number)
        elif piece is not None:
            unknown.append(piece)
    if len(unknown) > state.hidden[swapping.to]:
        return (Violation("UMO-9", f"Player {swapping.to + 1} does not hold {unknown[0]}. Correct what was misread."),)
    return _of_new_cards(state, "UMO-9", unknown, False)


def _of_shown(state: Situation, shown: Shown) -> tuple[Violation, ...]:
    hidden = state.hidden[shown.seat]
    if not 1 <= len(shown.pieces) <= hidden:
        text = f"Player {shown.seat + 1} has {hidden} cards that are not known, not {len(shown.pieces)}."
        return (Violation("UMO-2", text),)
    return _of_new_cards(state, "UMO-2", list(shown.pieces), False)


def _of_new_cards(state: Situation, rule: str, pieces: list[Piece], reshuffled: bool) -> tuple[Violation, ...]:
    """Returns the reasons why cards cannot be new to the referee: not in the deck, or all of the kind known to lie
    elsewhere.

    Args:
        reshuffled: True if discards may be among them, because the draw deck does not suffice.
    """
    pool = state.pool
    lying = list(state.discard[:-1]) if reshuffled and len(pieces) > state.draw else []
    told: list[int] = []
    for piece in pieces:
        card = NUMBER.get(piece)
        if card is None:
            return (Violation("UMO-1", f"{piece} is no card of the deck."),)
        there = (pool >> POOL_BITS * card & (1 << POOL_BITS) - 1) + lying.count(card) - told.count(card)
        if there <= 0:
            times = "once" if COPIES[card] == 1 else "twice"
            text = f"{CODES[card]} lies elsewhere already; the deck has it {times}."
            return (Violation(rule, text),)
        told.append(card)
    return ()
