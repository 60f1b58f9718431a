"""Explains why an event is not allowed: the rule's number, what the table shows, and what to do.

Each function lists all broken rules, the most important one first. Unknown cards are never evidence against a player.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.contract import Drawn, Over, ScoreLine, Seat, Shown, ToDraw, Violation
from companion.core.layout import Spot
from companion.games.cribbage.counting import FULL, combinations
from companion.games.cribbage.moves import Count, CribbageEvent, Go, LayAway, Play
from companion.games.cribbage.situation import WAITING, Situation
from companion.games.shared.cards.card_game import breaches_of_cards_laid, breaches_of_draw, breaches_of_shown
from companion.games.shared.cards.deck import CODES, NUMBER, NUMBER_CARDS, RANK, RANKS
from companion.games.shared.cards.hands import count_phrase, hand_spot

CRIB_SPOT = "crib"
STARTER_SPOT = "starter"
_AGAIN = "Take it back and play again."
_ADVICE = ("Unknown cards are laid away as ??, or shown to the referee before.", "Lay away cards of the own hand.")
_RULES = {"cut": "CRB-1", "deck": "CRB-2", "starter": "CRB-3", "crib": "CRB-6"}
"""Source of drawn cards to the rule that says where they come from."""


def played_spot(seat: Seat) -> Spot:
    """Returns the name of the heap of the cards that a seat has played."""
    return f"seat{seat}.played"


def violations_of(situation: Situation, event: CribbageEvent) -> tuple[Violation, ...]:
    """Returns the rules that an event breaks; empty if and only if it is legal now."""
    match event:
        case Play():
            return _of_play(situation, event)
        case Go():
            return _of_go(situation, event)
        case LayAway():
            return _of_lay_away(situation, event)
        case Count():
            return _of_count(situation, event)
        case Drawn():
            return _over(situation) or _of_drawn(situation, event)
        case Shown():
            return _over(situation) or breaches_of_shown(situation.hands, event, "CRB-1", "CRB-2")
    return (
        Violation("CRB-4", f"{type(event).__name__} is no event of Cribbage: cards are laid away, played, counted."),
    )


def _over(situation: Situation) -> tuple[Violation, ...]:
    if not situation.is_over:
        return ()
    text = f"The game is over: a side has reached {situation.options.target} points. Begin another game."
    return (Violation("CRB-6", text),)


def _phase(situation: Situation) -> str:
    """Returns the phase of the hand: "over", "draw", "lay", "play" or "count"."""
    due = situation.due
    if isinstance(due, Over | ToDraw):
        return "over" if isinstance(due, Over) else "draw"
    if situation.starter is None:
        return "lay"
    return "count" if situation.is_played else "play"


def _to_do_before(situation: Situation, wanted: str) -> tuple[Violation, ...]:
    """Returns the reasons why a move of the phase `wanted` is not possible now; empty in that phase."""
    phase = _phase(situation)
    if phase == wanted:
        return ()
    if phase == "over":
        return _over(situation)
    due = situation.due
    if isinstance(due, ToDraw):
        what = {"cut": "It is not decided yet who deals", "deck": "Cards are still to be dealt"}.get(
            due.source, f"The {due.source} is still to be turned up"
        )
        text = f"{what}: {count_phrase(due.count)} for player {due.seat + 1}. Do that first."
        return (Violation(_RULES[due.source], text, _where(due)),)
    if phase == "lay":
        who = " and ".join(f"player {seat + 1}" for seat in situation.to_lay)
        text = f"Cards are still to be laid away by {who}: {situation.sizes.laid} each. Do that first."
        return (Violation("CRB-2", text, (CRIB_SPOT,)),)
    if phase == "play":
        rule = {"lay": "CRB-2", "count": "CRB-6"}[wanted]
        text = f"The play goes on, and it is player {situation.turn + 1}'s turn. Play all cards first."
        return (Violation(rule, text),)
    seat, of = situation.counting
    rule = "CRB-4" if wanted == "play" else "CRB-2"
    return (Violation(rule, f"All cards are played; player {seat + 1} counts the {of} next. Count first."),)


def _out_of_turn(situation: Situation, seat: Seat) -> tuple[Violation, ...]:
    if seat == situation.turn:
        return ()
    rule = "CRB-4" if situation.seats == 2 else "CRB-11"
    return (Violation(rule, f"It is player {situation.turn + 1}'s turn to play; player {seat + 1} waits. {_AGAIN}"),)


def _of_play(situation: Situation, play: Play) -> tuple[Violation, ...]:
    if first := _to_do_before(situation, "play"):
        return first
    found = list(_out_of_turn(situation, play.seat))
    card = NUMBER.get(play.card, NUMBER_CARDS)
    if card >= NUMBER_CARDS:
        return (*found, Violation("CRB-1", "The deck has no such card. Correct an entry."))
    if not 0 <= play.seat < situation.seats or not situation.hands.may_hold(play.seat, card):
        text = f"{CODES[card]} is not in player {play.seat + 1}'s hand. A card of the own hand is played. {_AGAIN}"
        found.append(Violation("CRB-4", text, (hand_spot(play.seat),)))
    if not situation.fitting >> card & 1:
        text = (
            f"{CODES[card]} would take the count from {situation.total} to {situation.total + RANK[card]}, above"
            f" {FULL}. Play a card of at most {FULL - situation.total}, or say Go."
        )
        found.append(Violation("CRB-4", text, (played_spot(play.seat),)))
    return tuple(found)


def _of_go(situation: Situation, go: Go) -> tuple[Violation, ...]:
    if first := _to_do_before(situation, "play"):
        return first
    found = list(_out_of_turn(situation, go.seat))
    if not found and situation.knows_a_play(go.seat):
        text = (
            f"The count is {situation.total}, and player {go.seat + 1} holds a card of at most"
            f" {min(FULL - situation.total, RANKS)}. Only a player who cannot play says Go. Play a card."
        )
        found.append(Violation("CRB-4", text, (hand_spot(go.seat),)))
    return tuple(found)


def _of_lay_away(situation: Situation, move: LayAway) -> tuple[Violation, ...]:
    if first := _to_do_before(situation, "lay"):
        return first
    if move.seat not in situation.to_lay:
        text = f"Player {move.seat + 1} has laid cards away already, or is not in the game. Take them back."
        return (Violation("CRB-2", text, (CRIB_SPOT,)),)
    return _cards_laid(situation, move)


def _cards_laid(situation: Situation, move: LayAway) -> tuple[Violation, ...]:
    rule = "CRB-2" if situation.seats == 2 else "CRB-11"
    here = (hand_spot(move.seat), CRIB_SPOT)
    found = []
    laid = situation.sizes.laid
    if len(move.cards) != laid:
        found.append(
            Violation(rule, f"{count_phrase(len(move.cards))} are laid away, not {laid}. Lay away {laid}.", here)
        )
    return (*found, *breaches_of_cards_laid(situation.hands, move.seat, move.cards, rule, here, _ADVICE))


def _of_count(situation: Situation, move: Count) -> tuple[Violation, ...]:
    if first := _to_do_before(situation, "count"):
        return first
    seat, of = situation.counting
    if (move.seat, move.of) != (seat, of):
        text = (
            f"Player {seat + 1} counts the {of} next; hands are counted from the dealer's left, the dealer's last, then"
            " the crib. Wait."
        )
        return (Violation("CRB-6", text, (played_spot(move.seat),)),)
    worth = sum(situation.worth)
    if move.points == worth:
        return ()
    assert situation.starter is not None
    cards = situation.crib if of == "crib" else situation.played[seat]
    lines = combinations(cards, situation.starter, crib=of == "crib")
    listed = "; ".join(f"{line.text} ({line.points})" for line in lines) or "nothing"
    text = f"The {of} counts {worth}, not {move.points}: {listed}. Count {worth}."
    spot = CRIB_SPOT if of == "crib" else played_spot(seat)
    return (Violation(_rule_missed(lines, worth - move.points), text, (spot,)),)


def _rule_missed(lines: Iterable[ScoreLine], missed: float) -> str:
    """Returns the rule that a wrong count most likely overlooked: flush or nobs if exactly their points are missing."""
    for rule in ("CRB-8", "CRB-9"):
        if missed and missed == sum(line.points for line in lines if line.rule == rule):
            return rule
    return "CRB-7"


def _of_drawn(situation: Situation, drawn: Drawn) -> tuple[Violation, ...]:
    due = situation.due
    if situation.is_played and any(situation.laid_hidden):
        # The crib may be turned up early, for instance when somebody writes down a game afterwards.
        due = situation.crib_due
    if not isinstance(due, ToDraw):
        return (Violation("CRB-2", "No card is due from the deck. Go on with the play."),)
    return breaches_of_draw(situation.hands, drawn, due, _RULES[due.source], _where(due), _who(situation, due))


def _who(situation: Situation, due: ToDraw) -> tuple[Seat, ...]:
    """Returns the seats that may draw now: in a cut all that still must, otherwise the seat whose draw comes next."""
    if due.source != "cut":
        return (due.seat,)
    return tuple(seat for seat, card in enumerate(situation.cut) if card == WAITING)


def _where(due: ToDraw) -> tuple[Spot, ...]:
    return {"starter": (STARTER_SPOT,), "crib": (CRIB_SPOT,)}.get(due.source, (hand_spot(due.seat),))
