"""Explains why an event is not allowed: the rule's number, what the table shows, and what to do.

Each function lists all broken rules, the most important one first. A move of the side that is not to move is also
judged as if its turn had come, if that explains more.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.contract import Violation
from companion.games.regenbogen import moves
from companion.games.regenbogen.board import BIT, CELL, CELLS, CLEAR, COLOR, HEADING, NAMES, NEIGHBORS, RAYS
from companion.games.regenbogen.data import DATA, SIDES
from companion.games.regenbogen.kinds import (
    CLERIC,
    KIND,
    MOST_SPIRITS,
    OWNER,
    POOL,
    SPIRITS,
    START_HEALTH,
    called,
    shuns,
)
from companion.games.regenbogen.reach import BOOST, open_cells, range_of
from companion.games.regenbogen.situation import Situation

_Action = moves.Fight | moves.Summon | moves.Heal | moves.Recover | moves.SelfDestruct
_BACK = "Put it back, or correct what was misread."


def side(seat: int) -> str:
    """Returns a seat's name at the beginning of a sentence: "White"."""
    return SIDES[seat].capitalize()


def violations_of(situation: Situation, move: moves.Move) -> tuple[Violation, ...]:
    """Returns the rules that a move breaks; empty if and only if it is legal."""
    ending = situation.ending
    if ending is not None:
        return (Violation(ending.rule, f"The game is over: {ending.text}"),)
    if not isinstance(move, moves.Move):
        return (Violation("RGB-9", f"{type(move).__name__} is no move of Regenbogen: a piece moves and acts."),)
    if not 0 <= move.seat < situation.seats:
        return (Violation("RGB-1", f"There is no player {move.seat + 1}; White and Black play."),)
    open_question = _open_question(situation, move)
    if open_question is not None:
        return open_question
    if move.seat == situation.turn:
        return tuple(_of(situation, move))
    if situation.last is not None and isinstance(move, moves.EndTurn):
        return ()
    late = Violation("RGB-9", f"It is {side(situation.turn)}'s turn; {side(move.seat)} waits.")
    if isinstance(move, moves.EndTurn):
        return (late,)
    if isinstance(move, _Action) and situation.last is not None and CELL.get(move.piece) == situation.last:
        # The turn ended because the piece had no action left: its action then broke the rule for that action.
        then = replace(situation, turn=move.seat, moved=situation.last, offer="", last=None)
        return tuple(_of(then, move)) or (late,)
    then = replace(situation, turn=move.seat, moved=None, offer="")
    return (late, *_of(then, move))


def _open_question(situation: Situation, move: moves.Move) -> tuple[Violation, ...] | None:
    """Returns the violations while the fate of a Cleric or an offer is undecided; None if neither is."""
    if situation.saving:
        if isinstance(move, moves.GiveSpell | moves.LoseCleric) and move.seat in situation.saving:
            return ()
        waits = " and ".join(side(seat) for seat in situation.saving)
        return (Violation("RGB-17", f"{waits} must say first whether the Cleric gives up a spell."),)
    if situation.offer == "open":
        other = 1 - situation.turn
        if isinstance(move, moves.AcceptDraw | moves.DeclineDraw) and move.seat == other:
            return ()
        return (Violation("RGB-27", f"A draw was proposed; {side(other)} answers first."),)
    return None


def _of(situation: Situation, move: moves.Move) -> Iterator[Violation]:
    """Yields the violations of a move of the side on turn."""
    match move:
        case moves.GiveSpell() | moves.LoseCleric():
            yield Violation("RGB-17", "No Cleric would be killed now, so there is nothing to choose.")
        case moves.AcceptDraw() | moves.DeclineDraw():
            yield Violation("RGB-27", "No draw was proposed, so there is nothing to answer.")
        case moves.OfferDraw():
            if situation.moved is not None or situation.offer:
                yield Violation(
                    "RGB-27", "A draw is proposed once in a turn, before anything is moved. Finish the turn."
                )
        case moves.EndTurn():
            if situation.moved is None:
                yield Violation(
                    "RGB-9", "A turn moves a piece or takes an action; nothing was done yet. Do one of them."
                )
        case moves.Pass():
            if situation.moved is not None or situation.can_act:
                yield Violation("RGB-9", "A turn is passed only if nothing can be moved or done. Make a move.")
        case _:
            actor = _actor(situation, move)
            if isinstance(actor, Violation):
                yield actor
            else:
                yield from _once(situation, move, actor)
                yield from _of_piece(situation, move, actor)


def _actor(
    situation: Situation, move: moves.Go | moves.Fight | moves.Summon | moves.Heal | moves.Recover | moves.SelfDestruct
) -> int | Violation:
    """Returns the cell of the piece that moves or acts, or the violation if it cannot be that piece's turn."""
    cell = CELL.get(move.piece)
    if cell is None:
        return Violation("RGB-6", f'The board has no cell "{move.piece}". Name one of its {len(CELLS)} cells.')
    one = situation.board[cell]
    if not one:
        return Violation("RGB-9", f"There is no piece on {move.piece}. Correct what was misread.", (move.piece,))
    if OWNER[one] != move.seat:
        text = f"The {called(KIND[one])} on {move.piece} is {side(OWNER[one])}'s; a turn uses an own piece. {_BACK}"
        return Violation("RGB-9", text, (move.piece,))
    return cell


def _once(situation: Situation, move: moves.Move, cell: int) -> Iterator[Violation]:
    """Yields the violations of using a second piece in a turn or moving a piece twice (RGB-9)."""
    moved = situation.moved
    if moved is None:
        return
    if cell != moved:
        text = f"The piece on {CELLS[moved]} has moved in this turn, and only that piece may act. End the turn first."
        yield Violation("RGB-9", text, (CELLS[moved], CELLS[cell]))
    elif isinstance(move, moves.Go):
        text = f"The piece on {CELLS[cell]} has moved in this turn already. It may act, or the turn ends."
        yield Violation("RGB-9", text, (CELLS[cell],))


def _of_piece(
    situation: Situation,
    move: moves.Go | moves.Fight | moves.Summon | moves.Heal | moves.Recover | moves.SelfDestruct,
    cell: int,
) -> Iterator[Violation]:
    aimed = _aimed(move)
    if aimed is not None and aimed not in CELL:
        yield Violation("RGB-6", f'The board has no cell "{aimed}". Name one of its {len(CELLS)} cells.')
        return
    match move:
        case moves.Go():
            yield from _of_go(situation, move, cell)
        case moves.Fight():
            yield from _of_fight(situation, move, cell)
        case moves.Summon():
            yield from _of_summon(situation, move, cell)
        case moves.Heal():
            yield from _of_heal(situation, move, cell)
        case moves.Recover():
            yield from _of_recover(situation, cell)
        case moves.SelfDestruct():
            yield from _of_self_destruct(situation, cell)


def _aimed(move: moves.Move) -> str | None:
    """Returns the name of the cell that a move affects besides the cell of its piece."""
    match move:
        case moves.Go() | moves.Summon():
            return move.to
        case moves.Fight() | moves.Heal():
            return move.target
    return None


def _of_go(situation: Situation, go: moves.Go, start: int) -> Iterator[Violation]:
    to = CELL[go.to]
    kind, where = KIND[situation.board[start]], (go.piece, go.to)
    if to not in HEADING[start]:
        text = f"{go.to} is not in a straight line from {go.piece}; a move goes in one of eight directions. {_BACK}"
        yield Violation("RGB-10", text, where)
        return
    ray = RAYS[start][HEADING[start][to]]
    way = ray[: ray.index(to) + 1]
    free = []
    for cell in open_cells(kind, ray):
        if situation.occupied & BIT[cell]:
            break
        free.append(cell)
    standing = next((cell for cell in way if situation.occupied & BIT[cell]), None)
    if standing is not None:
        text = f"{CELLS[standing]} is occupied; no piece moves onto or through another. {_BACK}"
        yield Violation("RGB-11", text, (go.piece, CELLS[standing]))
    shunned = next((cell for cell in way if shuns(kind, COLOR[cell])), None)
    if shunned is not None:
        color = NAMES[COLOR[shunned]]
        reason = "a Cleric never enters a white cell" if kind == CLERIC else f"{color} is the opposite color"
        text = f"{CELLS[shunned]} is {'white' if kind == CLERIC else color}: {reason}. {_BACK}"
        yield Violation("RGB-12", text, (go.piece, CELLS[shunned]))
    carried = range_of(kind, start, free, situation.options.boost_stacks)
    if len(way) > carried.cells:
        both = carried.by_start and carried.by_way and len(way) == carried.value + 2 * BOOST
        rule = "RGB-14" if both else "RGB-10"
        more = " the two boosts do not add up;" if both else ""
        text = f"{len(way)} cells are too far:{more} the {called(kind)} goes up to {carried.cells} there. {_BACK}"
        yield Violation(rule, text, where)


def _of_fight(situation: Situation, fight: moves.Fight, cell: int) -> Iterator[Violation]:
    target = CELL[fight.target]
    where = (fight.piece, fight.target)
    one = situation.board[target]
    if not one:
        yield Violation("RGB-15", f"There is no enemy piece on {fight.target}. Fight an adjacent one.", where)
    elif OWNER[one] == fight.seat:
        text = f"The {called(KIND[one])} on {fight.target} is an own piece; only enemies are fought."
        yield Violation("RGB-15", text, where)
    if target not in NEIGHBORS[cell]:
        yield Violation("RGB-15", f"{fight.target} is not adjacent to {fight.piece}. Fight an adjacent enemy.", where)


def _of_summon(situation: Situation, summon: moves.Summon, cell: int) -> Iterator[Violation]:
    to = CELL[summon.to]
    kind, where = KIND[situation.board[cell]], (summon.piece, summon.to)
    if kind >= CLERIC:
        yield Violation("RGB-19", f"A {called(kind)} summons nothing; Wizards do. {_BACK}", where)
        return
    if to not in NEIGHBORS[cell]:
        yield Violation("RGB-19", f"{summon.to} is not adjacent to {summon.piece}. Choose an adjacent cell.", where)
    if situation.board[to]:
        yield Violation("RGB-19", f"{summon.to} is occupied. Choose a vacant cell.", where)
    if shuns(kind, COLOR[to]):
        text = f"{summon.to} is {NAMES[COLOR[to]]}, the opposite of {NAMES[kind]}. Choose another cell."
        yield Violation("RGB-19", text, where)
    spirits, health = situation.pool(summon.seat, kind)
    color = NAMES[kind].capitalize() if kind == CLEAR else NAMES[kind]
    if spirits < 1:
        text = f"All {MOST_SPIRITS[kind]} {color} Spirits of {side(summon.seat)} are on the board. {_BACK}"
        yield Violation("RGB-19", text, where)
    if health < DATA.spirits.summon_health:
        text = (
            f"{side(summon.seat)}'s {color} Spirits hold {POOL[kind] - health} of {POOL[kind]} health; a summon needs "
            f"{DATA.spirits.summon_health} in the pool, and {max(health, 0)} is left."
        )
        yield Violation("RGB-19", text, where)


def _of_heal(situation: Situation, heal: moves.Heal, cell: int) -> Iterator[Violation]:
    target = CELL[heal.target]
    where = (heal.piece, heal.target)
    kind = KIND[situation.board[cell]]
    if kind != CLERIC:
        yield Violation("RGB-21", f"A {called(kind)} heals nobody; the Cleric does. {_BACK}", where)
        return
    if not situation.spells[heal.seat]:
        yield Violation("RGB-21", f"{side(heal.seat)}'s Cleric has no spell left, and a heal costs one.", where)
    one = situation.board[target]
    if target == cell:
        if situation.moved is not None:
            yield Violation("RGB-21", "The Cleric moved in this turn, so it may heal another piece, not itself.", where)
    elif target not in NEIGHBORS[cell]:
        yield Violation("RGB-21", f"{heal.target} is not adjacent to {heal.piece}. Heal an adjacent piece.", where)
    if OWNER[one] != heal.seat:
        yield Violation("RGB-21", f"There is no own piece on {heal.target}. Heal an own piece.", where)
        return
    if heal.points > situation.curable(target):
        yield Violation("RGB-21", _too_much(situation, heal, target), where)


def _too_much(situation: Situation, heal: moves.Heal, target: int) -> str:
    """Returns the reasons why a piece cannot regain so much."""
    one = situation.board[target]
    kind = KIND[one]
    if heal.points > DATA.cleric.heal_up_to:
        return f"A spell restores up to {DATA.cleric.heal_up_to} health, not {heal.points}."
    if (one & 7) + heal.points > START_HEALTH[kind]:
        return (
            f"The {called(kind)} has {one & 7} of {START_HEALTH[kind]} health and never gets more than it began with."
        )
    left = situation.pool(heal.seat, kind - SPIRITS)[1]
    return f"The pool holds {max(left, 0)} health for the {called(kind)}; no more than that is restored."


def _of_recover(situation: Situation, cell: int) -> Iterator[Violation]:
    kind, where, seat = KIND[situation.board[cell]], (CELLS[cell],), situation.turn
    if kind != CLERIC:
        yield Violation("RGB-22", f"A {called(kind)} has no spells; the Cleric recovers them.", where)
        return
    if situation.moved is not None:
        yield Violation("RGB-22", "The Cleric moved in this turn and recovers nothing. End the turn, or heal.", where)
    near = [CELLS[other] for other in NEIGHBORS[cell] if OWNER[situation.board[other]] == 1 - seat]
    if near:
        yield Violation("RGB-22", f"An enemy is adjacent to the Cleric ({', '.join(near)}).", (*where, *near))
    if situation.spells[seat] >= DATA.cleric.spells_max:
        yield Violation("RGB-22", f"The Cleric has all {DATA.cleric.spells_max} spells already.", where)


def _of_self_destruct(situation: Situation, cell: int) -> Iterator[Violation]:
    one, where = situation.board[cell], (CELLS[cell],)
    kind = KIND[one]
    if kind < SPIRITS:
        yield Violation("RGB-23", f"A {called(kind)} does not destroy itself; Spirits do. {_BACK}", where)
        return
    if situation.moved is not None:
        yield Violation("RGB-23", "The Spirit moved in this turn, so it may not destroy itself.", where)
    if one & 7 and not situation.options.self_destruct_any_health:
        yield Violation(
            "RGB-23", f"The Spirit has {one & 7} health left; only one without health destroys itself.", where
        )


def can_be_done(situation: Situation, move: moves.Move) -> bool:
    """True if the pieces on the table permit a move at all, whatever the rules say."""
    if not 0 <= move.seat < situation.seats:
        return False
    match move:
        case moves.EndTurn() | moves.Pass():
            return True
        case moves.GiveSpell() | moves.LoseCleric() | moves.OfferDraw() | moves.AcceptDraw() | moves.DeclineDraw():
            return False
    cell = CELL.get(move.piece, -1)
    one = situation.board[cell] if cell >= 0 else 0
    if not one:
        return False
    kind = KIND[one]
    match move:
        case moves.Go():
            return move.to in CELL and not situation.board[CELL[move.to]]
        case moves.Fight():
            return move.target in CELL and bool(situation.board[CELL[move.target]]) and move.target != move.piece
        case moves.Summon():
            vacant = move.to in CELL and not situation.board[CELL[move.to]]
            return kind < CLERIC and vacant and min(situation.pool(move.seat, kind)) >= 1
        case moves.Heal():
            return move.target in CELL and bool(situation.spells[move.seat]) and _has_room(situation, move)
        case moves.Recover():
            return kind == CLERIC and OWNER[one] == move.seat and situation.spells[move.seat] < DATA.cleric.spells_max
    return kind >= SPIRITS


def _has_room(situation: Situation, heal: moves.Heal) -> bool:
    """True if a piece can regain that much health: from its own pawns, or from those of its pool."""
    one = situation.board[CELL[heal.target]]
    if not one or (one & 7) + heal.points > START_HEALTH[KIND[one]]:
        return False
    kind = KIND[one]
    return kind < SPIRITS or heal.points <= situation.pool(OWNER[one], kind - SPIRITS)[1]
