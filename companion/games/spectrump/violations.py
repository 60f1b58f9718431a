"""Explains why an event of Spectrump is refused, rule by rule.

Hands are judged by the cards that the referee knows. Unseen cards are never evidence: they may be the claimed ones.
"""

from __future__ import annotations

from companion.core.contract import Drawn, Seat, Shown, Violation
from companion.core.pieces import WHEEL, Piece
from companion.games.shared.cards.deck import CODES, COLOR, COLORS, LETTERS, NUMBER, NUMBER_CARDS
from companion.games.spectrump.moves import Bid, Move, Pass, Play, Ready, SpectrumpEvent, Swap, order_of
from companion.games.spectrump.situation import COLOR_NUMBER, Situation, barred, binding, opened


def violations_of(state: Situation, event: SpectrumpEvent) -> tuple[Violation, ...]:
    """Returns the rules that an event breaks; empty if and only if it is legal now."""
    if isinstance(event, Drawn):
        return _of_drawn(state, event)
    if isinstance(event, Shown):
        return _of_shown(state, event)
    if not isinstance(event, Move):
        return (
            Violation("UMP-10", f"{type(event).__name__} is no event of Spectrump: players bid, pass and play cards."),
        )
    if not 0 <= event.seat < state.seats:
        return (Violation("UMP-1", f"There is no player {event.seat + 1}; {state.seats} play."),)
    if state.ending is not None:
        return (Violation("UMP-13", f"The match has ended. {state.ending.text}"),)
    if state.dealing:
        due = state.due
        return (
            Violation("UMP-1", f"Player {due.seat + 1} still gets {due.count} cards ({due.source}). Deal them first."),
        )
    match event:
        case Bid() | Pass():
            return _of_call(state, event)
        case Swap() | Ready():
            return _of_exchange(state, event)
    return _of_play(state, event)


def _of_call(state: Situation, call: Bid | Pass) -> tuple[Violation, ...]:
    if state.phase != "bid":
        assert state.bid is not None
        text = f"The bidding is over: player {state.bid.seat + 1} named {state.bid.color}."
        return (Violation("UMP-4", text),)
    if call.seat != state.turn:
        if state.passed >> call.seat & 1:
            return (Violation("UMP-3", f"Player {call.seat + 1} has passed, and passing is final."),)
        return (Violation("UMP-3", f"It is player {state.turn + 1}'s turn to bid, not player {call.seat + 1}'s."),)
    if isinstance(call, Pass):
        return ()
    color = COLOR_NUMBER.get(call.color)
    if color is None:
        return (Violation("UMP-3", f"{call.color} is no color of the wheel. A bid names one of {', '.join(WHEEL)}."),)
    found = []
    if order_of(color, call.number) <= state.height:
        assert state.bid is not None
        text = f"{call.color} {call.number} is not higher than {state.bid.color} {state.bid.number}."
        found.append(
            Violation("UMP-3", f"{text} The number counts first; at equal numbers a primary beats a secondary.")
        )
    most = state.may_hold(call.seat)[color]
    if not 1 <= call.number <= most:
        text = f"Player {call.seat + 1} has at most {most} cards of {call.color} in all sets, not {call.number}."
        found.append(Violation("UMP-3", text))
    return tuple(found)


def _of_exchange(state: Situation, event: Swap | Ready) -> tuple[Violation, ...]:
    if not state.options.hand_loading or state.shape.sets == 1:
        return (Violation("UMP-2", "Each set is played as it was dealt; nothing is exchanged between them."),)
    if state.phase == "bid":
        return (Violation("UMP-2", "Cards are exchanged between the sets after the bidding."),)
    if state.ready >> event.seat & 1:
        return (Violation("UMP-2", f"Player {event.seat + 1} exchanges nothing more in this session."),)
    if isinstance(event, Ready):
        return ()
    one, other = NUMBER.get(event.one), NUMBER.get(event.other)
    first, second = state.sets[event.seat]
    if one not in first or other not in second:
        whose = f"of player {event.seat + 1}"
        text = f"{event.one} is not known to be in the first set {whose}, or {event.other} not in the second."
        return (Violation("UMP-2", text),)
    if state.swaps[event.seat] >= state.shape.cards:
        text = f"After {state.shape.cards} exchanges any two sets can be made. Player {event.seat + 1} is ready."
        return (Violation("UMP-2", text),)
    return ()


def _of_play(state: Situation, play: Play) -> tuple[Violation, ...]:
    if state.phase == "bid":
        return (Violation("UMP-4", f"Trump is not named yet; player {state.turn + 1} bids."),)
    if state.phase == "load":
        return (Violation("UMP-2", "Players still exchange cards between their sets."),)
    spot = (f"seat{play.seat}.trick",)
    if play.seat != state.mover:
        return (Violation("UMP-10", f"It is player {state.mover + 1}'s turn, not player {play.seat + 1}'s.", spot),)
    card = NUMBER.get(play.card, NUMBER_CARDS)
    if card >= NUMBER_CARDS:
        return (Violation("UMP-1", f"{play.card} is no number card (DEK-4).", spot),)
    missing = _not_in_set(state, play.seat, card)
    if missing is not None:
        return (Violation("UMP-2", missing, spot),)
    if state.allowed >> COLOR[card] & 1:
        return ()
    return (_of_lead(state, card) if not state.trick else _of_following(state, card),)


def _not_in_set(state: Situation, seat: Seat, card: int) -> str | None:
    """Returns the reasons why a card cannot come from the set that is played; None if it can."""
    if card in state.sets[seat][state.playing]:
        return None
    if state.pool >> card & 1 and state.hidden[seat][state.playing]:
        return None
    if any(card in cards for cards in state.sets[seat]):
        return f"{CODES[card]} is in the other set of player {seat + 1}; set {state.playing + 1} is played."
    return f"{CODES[card]} is not in the set of player {seat + 1}."


def _named(colors: int) -> str:
    return ", ".join(LETTERS[color] for color in range(COLORS) if colors >> color & 1)


def _held(state: Situation, colors: int) -> str:
    """Returns the codes of the mover's known cards of these colors."""
    cards = state.sets[state.mover][state.playing]
    return ", ".join(CODES[card] for card in cards if colors >> COLOR[card] & 1)


def _of_lead(state: Situation, card: int) -> Violation:
    what = "Trump" if COLOR[card] == state.trump else "A scoring color"
    free = (1 << COLORS) - 1 & ~barred(state.trump, state.broken)
    text = f"{what} may not be led before {'trump' if what == 'Trump' else 'one'} has been played in this set."
    return Violation("UMP-10", f"{text} {_held(state, free)} may be led.", (f"seat{state.mover}.trick",))


def _of_following(state: Situation, card: int) -> Violation:
    trump, spot = state.trump, (f"seat{state.mover}.trick",)
    if COLOR[state.trick[0]] == trump and state.allowed == 1 << trump:
        text = f"Trump was led, and who has {WHEEL[trump]} must play it: {_held(state, 1 << trump)}, not {CODES[card]}."
        return Violation("UMP-12", text, spot)
    open_colors, must = opened(trump, state.trick), binding(trump, state.trick)
    rule = "UMP-11" if must == open_colors else "UMP-12"
    text = (
        f"{CODES[card]} is of none of the opened colors {_named(open_colors)}, but {_held(state, must)} is in the hand."
    )
    return Violation(rule, f"{text} One of the opened colors must be played.", spot)


def _of_drawn(state: Situation, drawn: Drawn) -> tuple[Violation, ...]:
    if state.ending is not None:
        return (Violation("UMP-13", f"The match has ended. {state.ending.text}"),)
    if not state.dealing:
        return (Violation("UMP-1", "All cards of this session are dealt; nobody draws."),)
    if not 0 <= drawn.seat < state.seats:
        return (Violation("UMP-1", f"There is no player {drawn.seat + 1}; {state.seats} play."),)
    missing = sum(state.missing(drawn.seat, place) for place in range(state.shape.sets))
    if not 1 <= len(drawn.pieces) <= missing:
        text = f"Player {drawn.seat + 1} gets {missing} more cards in this session, not {len(drawn.pieces)}."
        return (Violation("UMP-1", text),)
    return _of_new_cards(state, [piece for piece in drawn.pieces if piece is not None])


def _of_shown(state: Situation, shown: Shown) -> tuple[Violation, ...]:
    if not 0 <= shown.seat < state.seats:
        return (Violation("UMP-1", f"There is no player {shown.seat + 1}; {state.seats} play."),)
    hidden = state.hidden[shown.seat]
    if len(shown.pieces) > sum(hidden) or not shown.pieces:
        text = f"Player {shown.seat + 1} has {sum(hidden)} cards that are not known, not {len(shown.pieces)}."
        return (Violation("UMP-2", text),)
    return _of_new_cards(state, list(shown.pieces))


def _of_new_cards(state: Situation, pieces: list[Piece]) -> tuple[Violation, ...]:
    """Returns the reasons why cards cannot be new to the referee: not in the deck, or known to lie elsewhere."""
    told: set[int] = set()
    for piece in pieces:
        card = NUMBER.get(piece, NUMBER_CARDS)
        if card >= NUMBER_CARDS:
            return (Violation("UMP-1", f"{piece} is no number card (DEK-4)."),)
        if card in told or not state.pool >> card & 1:
            text = f"{CODES[card]} lies elsewhere already, or is not in a deck of {state.options.deck} cards."
            return (Violation("UMP-1", text),)
        told.add(card)
    return ()
