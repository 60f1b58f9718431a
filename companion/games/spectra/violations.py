"""Explains why an event is not allowed: the rule's number, what the table shows, and what to do.

Each function lists all broken rules, the most important one first. If possible, an event of the player whose turn comes
next is judged as if the bag had been passed on: the table looks the same.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.contract import Drawn, Seat, Violation
from companion.core.pieces import Piece, Pyramid, a_color
from companion.games.spectra.exchanges import colors, is_special, third_size
from companion.games.spectra.moves import Add, Draw, EndTurn, Exchange, SpectraEvent, Withdraw
from companion.games.spectra.situation import Situation
from companion.games.spectra.stash import (
    KIND,
    KINDS,
    PRIMARIES,
    SECONDARIES,
    TREES,
    changed,
    name,
    supply_spot,
    trees_spot,
)

_BACK = "Put the pieces back, or correct what was misread."


def of_colors(exchange: Exchange) -> tuple[Violation, ...]:
    """Returns the violation of the three colors of an exchange of two pieces for one, if any."""
    one, other = exchange.gave
    where = (supply_spot(exchange.seat),)
    made = colors(one.color, other.color)
    took = exchange.took.color
    if not made:
        rule, text = _yields_nothing(one.color, other.color)
        return (Violation(rule, f"{text} {_BACK}", where),)
    if took in made:
        return ()
    if is_special(took):
        return (Violation("SPA-19", f"No exchange yields a {took} piece. {_BACK}", where),)
    yielded = f"{one.color} and {other.color} yield {' or '.join(made)}, not {took}."
    return (Violation(_rule(one, other), f"{yielded[0].upper()}{yielded[1:]} {_BACK}", where),)


def _rule(one: Pyramid, other: Pyramid) -> str:
    pair = (one.color, other.color)
    return "SPA-16" if "black" in pair else "SPA-17" if "white" in pair else "SPA-14"


def _yields_nothing(one: str, other: str) -> tuple[str, str]:
    """Returns the rule and the reason for a pair of colors that yields no color."""
    if is_special(one) or is_special(other):
        changes = "Black changes only primaries, and white only secondaries"
        return "SPA-19", f"{changes}: {one} and {other} yield nothing."
    if one == other:
        return "SPA-14", f"Two {one} pieces yield nothing; the colors must differ."
    if one in SECONDARIES and other in SECONDARIES:
        return "SPA-14", f"{one.capitalize()} and {other} are both secondaries and yield nothing."
    primary, secondary = (one, other) if one in PRIMARIES else (other, one)
    return "SPA-14", f"There is no {primary} in {secondary}, so the two yield nothing."


def of_sizes(exchange: Exchange) -> tuple[Violation, ...]:
    """Returns the violation of the three sizes of an exchange of two pieces for one, if any."""
    one, other = exchange.gave
    took = exchange.took.size
    where = (supply_spot(exchange.seat),)
    if is_special(one.color) or is_special(other.color):
        special, changes = (one, other) if is_special(one.color) else (other, one)
        if one.size != other.size:
            text = (
                f"A {special.size} {special.color} piece changes only {special.size} pieces, not a {changes.size} one."
            )
            return (Violation("SPA-18", f"{text} {_BACK}", where),)
        if took != one.size:
            text = f"{special.color.capitalize()} keeps the size: {one.size}, not {took}."
            return (Violation(_rule(one, other), f"{text} {_BACK}", where),)
        return ()
    size = third_size(one.size, other.size)
    if took == size:
        return ()
    pair = f"Two {one.size} pieces" if one.size == other.size else f"A {one.size} and a {other.size} piece"
    return (Violation("SPA-15", f"{pair} yield a {size} one, not a {took} one. {_BACK}", where),)


def passed_on(situation: Situation) -> Situation:
    """Returns the situation after the bag was passed to the next player, without the counts of SPA-26."""
    return replace(situation, turn=situation.next_seat, drawn=False, exchanged=False, added=False)


def violations_of(situation: Situation, event: SpectraEvent) -> tuple[Violation, ...]:
    """Returns the rules that an event breaks; empty if and only if it is legal now."""
    ending = situation.ending
    if ending is not None:
        return (Violation(ending.rule, f"The game is over: {ending.text[0].lower()}{ending.text[1:]}"),)
    if not isinstance(event, Draw | Exchange | Add | Withdraw | EndTurn | Drawn):
        return (
            Violation("SPA-5", f"{type(event).__name__} is no event of Spectra: a turn draws, exchanges and adds."),
        )
    if not 0 <= event.seat < situation.seats:
        return (Violation("SPA-2", f"There is no player {event.seat + 1}; the game has {situation.seats}."),)
    if event.seat in situation.movers:
        return _of(situation, event)
    if situation.may_end and event.seat == situation.next_seat:
        return _of(passed_on(situation), event) or (_out_of_turn(situation, event),)
    late = _out_of_turn(situation, event)
    return (late, *_of(replace(situation, turn=event.seat, drawn=False, reach=None), event))


def _out_of_turn(situation: Situation, event: SpectraEvent) -> Violation:
    turn, seat = situation.turn, event.seat
    assert turn is not None
    on_turn = f"It is player {turn + 1}'s turn"
    where = (supply_spot(seat),)
    if isinstance(event, Add):
        text = (
            f"{on_turn}, and pieces go into trees only in the own turn. Player {seat + 1} adds it when the turn comes."
        )
        return Violation("SPA-10", text, where)
    if situation.may_end:
        return Violation("SPA-5", f"{on_turn}. Pass the bag on first.", where)
    if situation.may_draw and seat == situation.next_seat:
        return Violation(
            "SPA-6", f"{on_turn}, and the draw is still open; it must be made before the bag moves on.", where
        )
    return Violation("SPA-5", f"{on_turn}; player {seat + 1} waits for the bag.", where)


def _of(situation: Situation, event: SpectraEvent) -> tuple[Violation, ...]:
    match event:
        case Drawn():
            return (*impossible_draw(situation, event), *_of_draw(situation, event.seat, told=True))
        case Draw():
            return _of_reach(situation, event)
        case EndTurn():
            return _of_end(situation, event)
        case Add():
            return (*_waiting(situation, event.seat), *_of_add(situation, event))
        case Exchange():
            return (*_waiting(situation, event.seat), *_of_exchange(situation, event))
    text = f"A piece in a tree stays there: {name(event.piece)} left the trees. Put it back."
    return (Violation("SPA-12", text, (trees_spot(event.seat),)),)


def _waiting(situation: Situation, seat: Seat) -> tuple[Violation, ...]:
    if situation.reach is None:
        return ()
    return (Violation("SPA-6", f"Player {seat + 1}'s hand is in the bag. Say first which piece was drawn."),)


def kind_of(piece: Piece | None) -> int | None:
    """Returns the place of a piece in `KINDS`, or None if the set has no such piece."""
    return KIND.get(piece) if isinstance(piece, Pyramid) else None


def impossible_draw(situation: Situation, drawn: Drawn) -> tuple[Violation, ...]:
    """Returns the reasons why these pieces cannot have come from the bag; empty if they can."""
    where = (supply_spot(drawn.seat),)
    if len(drawn.pieces) != 1:
        return (Violation("SPA-6", f"A draw takes one piece, not {len(drawn.pieces)}. Say which one it was.", where),)
    piece = drawn.pieces[0]
    if piece is None:
        return (Violation("SPA-4", "Everything outside the bag is public. Say which piece was drawn.", where),)
    kind = kind_of(piece)
    if kind is None:
        return (Violation("SPA-1", "The set has no such piece. Say which piece was drawn.", where),)
    if not situation.bag[kind]:
        text = f"No {name(KINDS[kind])} is left in the bag; all of them are on the table. Correct what was misread."
        return (Violation("SPA-1", text, where),)
    if situation.reach is not None and situation.reach != KINDS[kind].size:
        text = f"The draw was for a {situation.reach} piece, not a {KINDS[kind].size} one. Say which piece was drawn."
        return (Violation("SPA-6", text, where),)
    return ()


def _of_draw(situation: Situation, seat: Seat, *, told: bool) -> tuple[Violation, ...]:
    where = (supply_spot(seat),)
    if situation.drawn:
        text = f"Player {seat + 1} has drawn in this turn already; a turn holds exactly one draw. Put the piece back."
        return (Violation("SPA-5", text, where),)
    if not told and situation.reach is not None:
        return _waiting(situation, seat)
    if not told and situation.is_bag_empty:
        return (Violation("SPA-6", "The bag is empty, so the draw is skipped. Go on without it.", where),)
    return ()


def _of_reach(situation: Situation, draw: Draw) -> tuple[Violation, ...]:
    broken = _of_draw(situation, draw.seat, told=False)
    if broken:
        return broken
    if not any(count and KINDS[kind].size == draw.size for kind, count in enumerate(situation.bag)):
        return (Violation("SPA-6", f"The bag holds no {draw.size} piece any more. Feel for another size."),)
    return ()


def _of_end(situation: Situation, end: EndTurn) -> tuple[Violation, ...]:
    waiting = _waiting(situation, end.seat)
    if waiting or situation.drawn or situation.is_bag_empty:
        return waiting
    return (Violation("SPA-6", f"Player {end.seat + 1} has not drawn yet; the draw is compulsory. Draw one piece."),)


def _of_add(situation: Situation, add: Add) -> tuple[Violation, ...]:
    kind = KIND.get(add.piece)
    here, there = supply_spot(add.seat), trees_spot(add.owner)
    if kind is None:
        return (Violation("SPA-1", f"The set has no {name(add.piece)}. Correct what was misread.", (there,)),)
    found = []
    if not situation.supplies[add.seat][kind]:
        text = f"Player {add.seat + 1} has no {name(add.piece)} in the supply; only such pieces go into trees."
        found.append(Violation("SPA-7", text, (here,)))
    if not 0 <= add.owner < situation.seats:
        found.append(Violation("SPA-2", f"There is no player {add.owner + 1}; the game has {situation.seats}."))
        return tuple(found)
    if add.to is not None:
        text = (
            f"Player {add.seat + 1} adds to their own trees, not to those of player {add.to + 1}. Put the piece back."
        )
        found.append(Violation("SPA-5", text, (there,)))
        return tuple(found)
    color = situation.colors[add.seat]
    if add.piece.color != color:
        text = f"The trees of player {add.seat + 1} are {color}; {a_color(add.piece.color)} piece stays in the supply."
        found.append(Violation("SPA-7", text, (there,)))
    elif situation.trees[add.seat][kind] >= TREES:
        text = (
            f"The trees hold {TREES} {add.piece.size} pieces already, and three trees need no more. Leave it in supply."
        )
        found.append(Violation("SPA-8", text, (there,)))
    return tuple(found)


def _of_exchange(situation: Situation, exchange: Exchange) -> tuple[Violation, ...]:
    kinds = [KIND.get(piece) for piece in (*exchange.gave, exchange.took)]
    if None in kinds:
        return (
            Violation("SPA-1", "The set has no such piece. Correct what was misread.", (supply_spot(exchange.seat),)),
        )
    found = [*_of_given(situation, exchange)]
    if len(exchange.gave) != 2:
        text = f"An exchange gives two pieces for one, not {len(exchange.gave)}. {_BACK}"
        found.append(Violation("SPA-13", text, (supply_spot(exchange.seat),)))
    else:
        found += of_colors(exchange)
        found += of_sizes(exchange)
    found += _of_source(situation, exchange)
    if exchange.from_trees and not any(breach.rule == "SPA-12" for breach in found):
        named = " and ".join(name(piece) for piece in exchange.from_trees)
        found.append(Violation("SPA-12", f"{_first(named)} came out of a tree, and trees are protected. {_BACK}"))
    return tuple(found)


def given_from_trees(situation: Situation, exchange: Exchange) -> tuple[Pyramid, ...] | None:
    """Returns the given pieces that must come from the seat's own trees; None if the seat does not have them all."""
    supply, trees = situation.supplies[exchange.seat], situation.trees[exchange.seat]
    marked = list(exchange.from_trees)
    out = []
    for piece in exchange.gave:
        kind = KIND[piece]
        asked = piece in marked and trees[kind] > 0
        if asked:
            marked.remove(piece)
        if supply[kind] and not asked:
            supply = changed(supply, kind, -1)
        elif trees[kind]:
            trees = changed(trees, kind, -1)
            out.append(piece)
        else:
            return None
    return tuple(out)


def _of_given(situation: Situation, exchange: Exchange) -> tuple[Violation, ...]:
    seat = exchange.seat
    out = given_from_trees(situation, exchange)
    if out is None:
        pieces = " and ".join(name(piece) for piece in exchange.gave)
        text = f"Player {seat + 1} does not have {pieces} in the supply. Correct what was misread."
        return (Violation("SPA-13", text, (supply_spot(seat),)),)
    return tuple(
        Violation(
            "SPA-12", f"{_first(name(piece))} stands in a tree and may not be given. {_BACK}", (trees_spot(seat),)
        )
        for piece in out
    )


def takes_from_trees(situation: Situation, exchange: Exchange) -> bool:
    """True if the taken piece comes, or can only come, from the other player's trees."""
    source, kind = exchange.source, KIND[exchange.took]
    if source == "bag" or not 0 <= source < situation.seats or not situation.trees[source][kind]:
        return False
    named = exchange.from_trees.count(exchange.took) > exchange.gave.count(exchange.took)
    return named or not situation.supplies[source][kind]


def _of_source(situation: Situation, exchange: Exchange) -> tuple[Violation, ...]:
    seat, source, kind = exchange.seat, exchange.source, KIND[exchange.took]
    piece = name(exchange.took)
    holders = situation.holders(seat, kind)
    if source == "bag":
        if holders:
            named = " and ".join(f"player {holder + 1}" for holder in holders)
            verb = "has" if len(holders) == 1 else "have"
            text = f"{_first(piece)} came from the bag, but {named} {verb} one in supply. Exchange with a player first."
            return (Violation("SPA-20", text, tuple(supply_spot(holder) for holder in holders)),)
        if not situation.bag[kind]:
            text = f"No other player has {piece} in supply, and none is left in the bag. {_BACK}"
            return (Violation("SPA-22", text, (supply_spot(seat),)),)
        return ()
    if not 0 <= source < situation.seats:
        return (Violation("SPA-2", f"There is no player {source + 1}; the game has {situation.seats}."),)
    if source == seat:
        return (Violation("SPA-22", f"A piece of the own supply is no source. {_BACK}", (supply_spot(seat),)),)
    if takes_from_trees(situation, exchange):
        text = f"{_first(piece)} stands in a tree of player {source + 1}, and trees are protected. {_BACK}"
        return (Violation("SPA-12", text, (trees_spot(source),)),)
    if source not in holders:
        text = f"Player {source + 1} has no {piece} in supply. Correct what was misread."
        return (Violation("SPA-20", text, (supply_spot(source),)),)
    return ()


def _first(words: str) -> str:
    """Returns the words as the beginning of a sentence."""
    return words[0].upper() + words[1:]


def reminders(situation: Situation) -> tuple[Violation, ...]:
    """Returns reminders for the player to move before the bag moves on (SPA-9). A reminder does not make a move
    illegal.
    """
    turn = situation.turn
    if turn is None or situation.ending is not None:
        return ()
    return tuple(
        Violation(
            "SPA-9",
            f"{_first(name(KINDS[kind]))} fits in the trees of player {turn + 1}. Add it.",
            (supply_spot(turn),),
        )
        for kind in situation.loose(turn)
    )
