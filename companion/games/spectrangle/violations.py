"""Explains why a move or a draw is not allowed: the rule's number, what the table shows, and what to do.

Each function lists all broken rules, the most important one first: reasons on the board come before those of hands and
turns.
"""

from __future__ import annotations

from companion.core.contract import Drawn, Seat, Shown, Violation
from companion.core.layout import Spot
from companion.core.pieces import TILES, Piece, Tile
from companion.games.spectrangle.board import (
    BONUS,
    CELLS,
    COLOR_NAMES,
    EDGES,
    EMPTY,
    FACING,
    LIE_OF,
    LIES,
    NAMES,
    NEIGHBORS,
    NUMBER,
    SPOTS,
    UNKNOWN,
    LyingTile,
    agrees,
    letters_on,
    points_up,
    ways,
)
from companion.games.spectrangle.board import clockwise as read_clockwise
from companion.games.spectrangle.moves import Exchange, PlaceTile
from companion.games.spectrangle.placements import ALONE, MATCHING, matching_edges, needed_edges
from companion.games.spectrangle.situation import HAND, Situation

_AGAIN = "Take it back and play again."


def hand_spot(seat: Seat) -> Spot:
    """Returns the heap of a seat's tiles."""
    return f"seat{seat}.hand"


def not_due(situation: Situation) -> tuple[Violation, ...]:
    """Returns the reasons why no move is possible now; empty if one is."""
    ending = situation.ending
    if ending is not None:
        return (Violation(ending.rule, f"The game is over: {ending.text[0].lower()}{ending.text[1:]}"),)
    if situation.lots:
        text = "It is not decided yet who begins: each player draws a tile and the highest value begins. Draw first."
        return (Violation("TRI-7", text, tuple(hand_spot(seat) for seat in situation.lots_due)),)
    if situation.aside is not None:
        text = "A tile was put aside for an exchange, and its draw from the bag is still open. Draw one tile first."
        return (Violation("TRI-16", text, (hand_spot(situation.turn),)),)
    due = situation.draw_due
    if due is not None:
        text = (
            f"A hand has {_tiles(situation.size(due.seat))} and the bag is not empty. "
            f"Draw until the hand has {HAND} tiles, then go on."
        )
        return (Violation("TRI-17", text, (hand_spot(due.seat),)),)
    return ()


def of_place(situation: Situation, move: PlaceTile) -> tuple[Violation, ...]:
    """Returns the rules that a placement breaks (TRI-2, TRI-3, TRI-8 to TRI-12, TRI-15, TRI-17)."""
    if not 0 <= move.cell < CELLS:
        return (Violation("TRI-4", f"The board has no cell c{move.cell}; its cells are c0 to c{CELLS - 1}."),)
    lie = LIE_OF.get(move.tile)
    if lie is None:
        text = f"The set has no tile {move.tile.name}. If the tile was misread, correct it."
        return (Violation("TRI-1", text, (SPOTS[move.cell],)),)
    waiting = not_due(situation)
    if waiting and situation.draw_due is None:
        return waiting
    return (*_reading(situation, move, lie), *_where(situation, move, lie), *_held(situation, move, lie), *waiting)


def _reading(situation: Situation, move: PlaceTile, lie: LyingTile) -> tuple[Violation, ...]:
    up = points_up(move.cell)
    handed = situation.options.handed
    if agrees(lie, up, handed):
        return ()
    way = "clockwise" if handed == "cw" else "counter-clockwise"
    read = _colors(read_clockwise(lie.letters, up))
    text = (
        f"On {SPOTS[move.cell]} the edges read {read} clockwise, but {lie.name} has its letters {way}: "
        "no turn of the tile lies so. If the tile was misread, correct it."
    )
    return (Violation("TRI-3", text, (SPOTS[move.cell],)),)


def _where(situation: Situation, move: PlaceTile, lie: LyingTile) -> tuple[Violation, ...]:
    cell = move.cell
    here = SPOTS[cell]
    there = letters_on(situation.board, cell)
    if there != EMPTY * 3:
        text = (
            f"{here} already holds {LIES[there].name}; a tile goes on an empty cell, and placed tiles stay where "
            f"they are. {_AGAIN}"
        )
        return (Violation("TRI-9", text, (here,)),)
    facing = FACING[cell](situation.board + EMPTY)
    if situation.is_first:
        if cell in BONUS:
            text = f"{here} is a bonus cell (x{BONUS[cell]}); the first tile goes on a cell without a bonus. {_AGAIN}"
            return (Violation("TRI-8", text, (here,)),)
        return ()
    if facing == ALONE:
        text = (
            f"{lie.name} on {here} touches no other tile; it must share at least one edge with a placed tile. {_AGAIN}"
        )
        return (Violation("TRI-9", text, (here,)),)
    return _edges(situation, move, lie)


def _edges(situation: Situation, move: PlaceTile, lie: LyingTile) -> tuple[Violation, ...]:
    """Returns the breach of TRI-11, if any: every touching edge that differs is named."""
    facing = FACING[move.cell](situation.board + EMPTY)
    differing = []
    where = [SPOTS[move.cell]]
    for edge, mine, there, other in zip(EDGES, lie.letters, facing, NEIGHBORS[move.cell], strict=True):
        if other is not None and there != EMPTY and mine not in MATCHING[there]:
            differing.append(f"{edge} edge is {COLOR_NAMES[mine]} and meets {COLOR_NAMES[there]} on {SPOTS[other]}")
            where.append(SPOTS[other])
    every = situation.options.edges == "all"
    if not differing or (not every and matching_edges(lie.letters, facing)):
        return ()
    needed = "every touching edge must match" if every else "at least one touching edge must match"
    shown = f"The {differing[0]}"
    for one in differing[1:]:
        shown += f", the {one}"
    shown = shown.replace(" edge is", f" edge of {lie.name} on {SPOTS[move.cell]} is", 1)
    text = f"{shown}; {needed}. {_advice(situation, move, lie)}"
    return (Violation("TRI-11", text, tuple(where)),)


def _advice(situation: Situation, move: PlaceTile, lie: LyingTile) -> str:
    facing = FACING[move.cell](situation.board + EMPTY)
    needed = needed_edges(facing, situation.options.edges)
    turns = ways(lie.number, points_up(move.cell), situation.options.handed)
    if any(matching_edges(turn.letters, facing) >= needed for turn in turns):
        return "Take it back, or turn it: another turn of this tile fits here."
    return _AGAIN


def _held(situation: Situation, move: PlaceTile, lie: LyingTile) -> tuple[Violation, ...]:
    """Returns the violations if the seat to move cannot hold the tile."""
    seat = situation.turn
    if lie.number in situation.hands[seat] or (situation.hidden[seat] and situation.pool >> lie.number & 1):
        return ()
    own = hand_spot(seat)
    for cell, here in enumerate(SPOTS):
        letters = letters_on(situation.board, cell)
        if letters != EMPTY * 3 and LIES[letters].number == lie.number and cell != move.cell:
            text = f"{lie.name} already lies on {here}, and the set has it once. If a tile was misread, correct it."
            return (Violation("TRI-2", text, (SPOTS[move.cell], here)),)
    for other, hand in enumerate(situation.hands):
        if lie.number in hand:
            text = f"{lie.name} is in another player's hand; a player places a tile of the own hand. {_AGAIN}"
            return (Violation("TRI-15", text, (hand_spot(other), own)),)
    if situation.pool >> lie.number & 1:
        text = (
            f"{lie.name} was not in the hand but still in the bag; a drawn tile is not placed in the same turn. "
            "Place a tile of the hand."
        )
        return (Violation("TRI-17", text, (own,)),)
    return (Violation("TRI-15", f"{lie.name} is not in the hand. Place a tile of the hand.", (own,)),)


def of_pass(situation: Situation) -> tuple[Violation, ...]:
    """Returns the violations of a pass: a player who can place must place (TRI-15)."""
    return not_due(situation) or _compulsion(situation)


def _compulsion(situation: Situation) -> tuple[Violation, ...]:
    if not situation.must_place:
        return ()
    if not situation.known_placements:
        text = "The board is empty, where any tile can be placed; who can place must place."
        return (Violation("TRI-15", text, (hand_spot(situation.turn),)),)
    example = situation.known_placements[0]
    name = LIE_OF[example.tile].name
    text = (
        f"{name} can be placed, for instance on {SPOTS[example.cell]} ({_lying(example)}); who can place must place, "
        "and neither passes nor exchanges. Place a tile."
    )
    return (Violation("TRI-15", text, (SPOTS[example.cell], hand_spot(situation.turn))),)


def of_exchange(situation: Situation, move: Exchange) -> tuple[Violation, ...]:
    """Returns the rules that an exchange breaks (TRI-15, TRI-16)."""
    waiting = not_due(situation)
    if waiting:
        return waiting
    seat = situation.turn
    own = (hand_spot(seat),)
    found = list(_compulsion(situation))
    if not situation.bag:
        found.append(Violation("TRI-16", "The bag is empty, so no tile can be exchanged. Pass.", own))
    if move.tile is None:
        if not situation.hidden[seat]:
            found.append(Violation("TRI-16", "Every tile of the hand is known; name the one that is exchanged.", own))
    elif move.tile not in TILES:
        text = f"The set has no tile written {move.tile.name} off the board. Name a tile of the hand."
        found.append(Violation("TRI-1", text, own))
    elif NUMBER[move.tile] not in situation.hands[seat]:
        text = (
            f"{move.tile.name} is not in the hand; only a tile of the own hand is exchanged. Name a tile of the hand."
        )
        found.append(Violation("TRI-16", text, own))
    return tuple(found)


def of_drawn(situation: Situation, drawn: Drawn) -> tuple[Violation, ...]:
    """Returns the reasons why this draw is not the one that the position waits for (TRI-7, TRI-16, TRI-17)."""
    if situation.ending is not None:
        return not_due(situation)
    seat, pieces = drawn.seat, drawn.pieces
    if not 0 <= seat < situation.seats:
        return (Violation("TRI-6", f"There is no seat {seat}; the seats are 0 to {situation.seats - 1}."),)
    here = (hand_spot(seat),)
    if situation.lots:
        due = situation.lots_due
        if seat not in due or len(pieces) != 1:
            text = "To decide who begins, each player draws one tile, and only those with equal highest draw again."
            return (Violation("TRI-7", text, tuple(hand_spot(other) for other in due)),)
        if pieces[0] is None:
            return (Violation("TRI-7", "The tile that decides who begins must be shown. Name it.", here),)
    elif situation.aside is not None:
        if seat != situation.turn or len(pieces) != 1:
            text = "An exchange is open: its player draws one tile from the bag, and nobody else draws."
            return (Violation("TRI-16", text, (hand_spot(situation.turn),)),)
        if NUMBER.get(pieces[0]) == situation.aside != UNKNOWN:
            text = (
                f"{NAMES[situation.aside]} is the tile that was put aside; it returns to the bag only after the draw. "
                "Name the new tile."
            )
            return (Violation("TRI-16", text, here),)
    elif situation.options.hands == "unseen":
        text = "The hands are not shown to the referee, so draws are taken as made and are not entered."
        return (Violation("TRI-17", text, here),)
    elif not pieces or situation.size(seat) + len(pieces) > HAND:
        text = (
            f"The hand has {_tiles(situation.size(seat))}; tiles are drawn until it has {HAND}. Put back what is more."
        )
        return (Violation("TRI-17", text, here),)
    if len(pieces) > situation.bag:
        text = f"The bag holds {_tiles(situation.bag)}; {_tiles(len(pieces))} cannot come out of it."
        return (Violation("TRI-17", text, here),)
    return _unseen(situation, seat, pieces)


def of_shown(situation: Situation, shown: Shown) -> tuple[Violation, ...]:
    """Returns the reasons why these tiles cannot be hidden tiles of that hand (TRI-2)."""
    seat = shown.seat
    if not 0 <= seat < situation.seats:
        return (Violation("TRI-6", f"There is no seat {seat}; the seats are 0 to {situation.seats - 1}."),)
    if not shown.pieces or len(shown.pieces) > situation.hidden[seat]:
        text = (
            f"{_tiles(situation.hidden[seat])} of this hand are unknown; {_tiles(len(shown.pieces))} cannot be shown."
        )
        return (Violation("TRI-7", text, (hand_spot(seat),)),)
    return _unseen(situation, seat, shown.pieces)


def _unseen(situation: Situation, seat: Seat, pieces: tuple[Piece | None, ...]) -> tuple[Violation, ...]:
    """Returns the violations if a tile does not exist, is named twice or is known to be somewhere else (TRI-1,
    TRI-2).
    """
    here = hand_spot(seat)
    left = situation.pool
    for piece in pieces:
        number = NUMBER.get(piece)
        if number is None:
            text = f"The set has no tile {piece.name if isinstance(piece, Tile) else piece}. Name a tile of the set."
            return (Violation("TRI-1", text, (here,)),)
        if number == UNKNOWN:
            continue
        if not left >> number & 1:
            there = _whereabouts(situation, number)
            text = f"{NAMES[number]} cannot come from the bag: {there}. If a tile was misread, correct it."
            return (Violation("TRI-2", text, (here,)),)
        left &= ~(1 << number)
    return ()


def _whereabouts(situation: Situation, number: int) -> str:
    for cell, here in enumerate(SPOTS):
        letters = letters_on(situation.board, cell)
        if letters != EMPTY * 3 and LIES[letters].number == number:
            return f"it lies on {here}"
    if any(number in hand for hand in (*situation.hands, *situation.lots)):
        return "it is in a hand"
    return "it is not in play, or is named twice"


def _tiles(count: int) -> str:
    return "1 tile" if count == 1 else f"{count} tiles"


def _colors(letters: str) -> str:
    return ", ".join(COLOR_NAMES[letter] for letter in letters)


def _lying(place: PlaceTile) -> str:
    left, right, flat = (COLOR_NAMES[letter] for letter in place.tile.edges)
    return f"left {left}, right {right}, flat {flat}"
