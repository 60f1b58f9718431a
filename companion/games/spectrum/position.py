"""Makes the first position of Spectrum, reads positions from records and pictures, and checks states that were read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core.foundation.errors import BadNotation, BadOptions, BadRecord
from companion.core.game import Setup
from companion.core.layout import Layout
from companion.core.pieces import FACES, Pawn
from companion.games.shared.cards.deck import number_of
from companion.games.spectrum import chance, notation, opening, portals, secrets, turns, usages
from companion.games.spectrum.board import SPACE, STARS, STARTS
from companion.games.spectrum.listing import playable
from companion.games.spectrum.options import Options, stock_of, teams_of
from companion.games.spectrum.situation import (
    COLOR_OF_LETTER,
    EMPTY,
    FREE,
    HIDDEN,
    LETTER,
    NO_PAWNS,
    Extras,
    Held,
    PortalHand,
)
from companion.games.spectrum.state import SpectrumState
from companion.games.spectrum.usages import PLACE

Teams = tuple[tuple[str, ...], ...]
_Cards = list[str]


class Captured(Struct, frozen=True, forbid_unknown_fields=True):
    """A pawn that is still to be put on a start."""

    pawn: str
    by: Annotated[int, Meta(ge=0, le=5)] | None = None
    """The seat that captured it. Default: the seat to move."""


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in its written form."""

    pawns: dict[str, str] | list[list[str]] = {}
    """Space to the color of its pawn, or for each seat the spaces of its pawns."""
    turn: Annotated[int, Meta(ge=0, le=5)] | None = None
    roll: list[str] | None = None
    cards: _Cards | None = None
    usage: str | None = None
    left: list[Annotated[int, Meta(ge=1, le=4)]] | int | None = None
    walked: dict[str, str] = {}
    captured: Captured | None = None
    extra: bool = False
    after_moves: bool = False
    discards: _Cards = []
    weights: dict[str, Annotated[int, Meta(ge=1, le=12)]] | None = None
    missions: list[_Cards] | None = None
    revealed: list[bool] | None = None
    portals: list[_Cards] | None = None
    portal_discards: _Cards = []


def start(teams: Teams, options: Options) -> SpectrumState:
    """Returns an empty board, and whatever the variants set up first."""
    extras = opening.beginning(len(teams), options)
    first = options.first - 1
    return opening.go_on(SpectrumState(options, teams, NO_PAWNS, first, "set-up", extras=extras))


def read(teams: Teams, options: Options, data: Mapping[str, Any]) -> Setup[SpectrumState]:
    """Returns the position that a record describes, to be checked.

    Raises:
        BadRecord: It cannot be read or contradicts the pieces.
    """
    try:
        record = msgspec.convert(data, PositionForm)
        extras = _extras(teams, options, record)
        board = _board(teams, record)
        roll = tuple(sorted(record.roll or (), key=PLACE.__getitem__))
        state = SpectrumState(options, teams, board, record.turn or 0, "roll", roll, again=record.extra, extras=extras)
        if record.turn is None:
            state = replace(state, turn=options.first - 1)
        if state.turn >= len(teams):
            raise BadRecord(f"It cannot be the turn of seat {state.turn}; seats are 0 to {len(teams) - 1}.")
        _count(state)
        return Setup(_at(state, record))
    except (msgspec.ValidationError, BadNotation) as error:
        raise BadRecord(f"This is no position of Spectrum: {error} See docs/records.md.") from error
    except KeyError as error:
        raise BadRecord(f"This is no position of Spectrum: there is no {error} on the board or wheel.") from error


def _board(teams: Teams, record: PositionForm) -> str:
    if isinstance(record.pawns, dict):
        pawns = list(record.pawns.items())
    else:
        if len(record.pawns) != len(teams) or any(len(colors) > 1 for colors in teams):
            raise BadRecord("Name the pawns by space and color, or one list of spaces for each player of one color.")
        pawns = [(spot, colors[0]) for colors, spots in zip(teams, record.pawns, strict=True) for spot in spots]
    board = NO_PAWNS
    for spot, color in pawns:
        space = SPACE[spot]
        if board[space] != EMPTY:
            raise BadRecord(f"Two pawns stand on {spot}, and two pawns never share a space (BRD-16). Correct one.")
        board = turns.with_pawn(board, space, LETTER[color])
    return board


def _extras(teams: Teams, options: Options, record: PositionForm) -> Extras:
    """Returns weights, hands and decks of a record; hands that it leaves out are dealt and hidden."""
    seats = len(teams)
    extras = opening.beginning(seats, options)
    if options.weighted:
        if record.weights is None or set(record.weights) != set(PLACE):
            raise BadRecord("Weighted colors need the weight of each of the twelve (VAR-17). Give weights.")
        extras = replace(extras, weights=tuple(record.weights[color] for color in PLACE))
    if options.missions:
        dealt = record.missions or [["??"] * (2 * secrets.EACH)] * seats
        if len(dealt) != seats:
            raise BadRecord("Missions are one list of six cards for each player (VAR-19).")
        revealed = tuple(record.revealed or [False] * seats)
        extras = replace(extras, missions=tuple(_missions(cards) for cards in dealt), revealed=revealed)
    if options.portals:
        held = record.portals or [["??"] * secrets.EACH] * seats
        if len(held) != seats:
            raise BadRecord("Portals are one list of cards for each player (VAR-22).")
        spent = _numbers(record.portal_discards)
        hands = _hands(held, len(spent) // 2)
        inside = len(secrets.SECRET) - sum(map(len, extras.missions)) - sum(map(len, held)) - len(spent)
        if inside < 0:
            raise BadRecord("There are more secret cards than 60 (VAR-22). Correct the hands or the discards.")
        extras = replace(extras, portals=hands, spent=spent, deck=inside)
    if options.cards_as_dice:
        drawn, discards = _numbers(record.cards or []), _numbers(record.discards)
        out = {*drawn, *discards}
        pile = tuple(number for number in extras.pile if number not in out)
        if len(pile) + len(drawn) + len(discards) != len(extras.pile):
            raise BadRecord("Drawn cards and discards are different cards 1 to 3 (VAR-6). Correct them.")
        extras = replace(extras, drawn=tuple(sorted(drawn)), discards=discards, pile=pile)
    return extras


def _numbers(cards: _Cards) -> tuple[int, ...]:
    return tuple(HIDDEN if card == "??" else number_of(card) for card in cards)


def _missions(cards: _Cards) -> tuple[int, ...]:
    """Returns a hand of missions, primaries first; hidden cards complete three of each."""
    known = [number for number in _numbers(cards) if number != HIDDEN]
    first = sorted(number for number in known if number in secrets.PRIMARY)
    others = sorted(number for number in known if number not in secrets.PRIMARY)
    if len(cards) != 2 * secrets.EACH or max(len(first), len(others)) > secrets.EACH:
        raise BadRecord("A player has three missions of each pile (VAR-19). Give six cards, hidden ones as ??.")
    return tuple(number for half in (first, others) for number in [HIDDEN] * (secrets.EACH - len(half)) + half)


def _hands(held: list[_Cards], activations: int) -> tuple[PortalHand, ...]:
    """Returns the hands of portals: the first primaries, a fourth for a first color, one for each activation (VAR-22 to
    VAR-26).

    Raises:
        BadRecord: There are more secondaries than can have come out of the portal deck.
    """
    hands = tuple(_numbers(cards) for cards in held)
    if not all(secrets.EACH <= len(cards) <= secrets.MOST_PORTALS for cards in hands):
        raise BadRecord("A player has three or four portals (VAR-22, VAR-26). Give them, hidden ones as ??.")
    from_deck = 0
    for cards in hands:
        secondaries = sum(number in secrets.SECONDARY for number in cards)
        from_deck += max(secondaries - (len(cards) - secrets.EACH), 0)
    if from_deck > activations:
        raise BadRecord(
            "The three portals of the start are primaries, and others come with a first color or an activation, which "
            "leaves two cards among the portal_discards (VAR-22, VAR-24). Correct the portals or the discards."
        )
    if activations:
        return tuple(PortalHand(later=secrets.in_order(cards)) for cards in hands)
    return tuple(_of_the_start(cards) for cards in hands)


def _of_the_start(cards: tuple[int, ...]) -> PortalHand:
    """Returns a hand without an activated card: a fourth card came with the first color, and is the secondary."""
    first = sorted(cards, key=lambda number: (number in secrets.SECONDARY, number))
    return PortalHand(secrets.in_order(first[: secrets.EACH]), secrets.in_order(first[secrets.EACH :]))


def _at(state: SpectrumState, record: PositionForm) -> SpectrumState:
    """Returns the point of the turn that the record describes."""
    ending = _ended(state)
    if ending is not None:
        return ending
    if record.roll is not None:
        _check_roll(state)
    used = record.roll is not None or (
        state.options.cards_as_dice and bool(state.extras.drawn) and not chance.cards_due(state)
    )
    if not used:
        if record.usage is not None or record.captured is not None or record.left is not None:
            raise BadRecord("A usage, what is left of it and a captured pawn need the roll or the cards. Give them.")
        state = replace(state, roll=())
        if record.after_moves:
            return replace(state, phase="end")
        if record.extra or state.extras.drawn:
            return turns.going_to_roll(state)
        return turns.begun(state)
    if record.usage is None:
        return turns.reconsidered(state)
    return _using(state, record)


def _check_roll(state: SpectrumState) -> None:
    faces = FACES[chance.KIND[state.options.dice]]
    if state.options.cards_as_dice or len(state.roll) != chance.dice_due(state) or not set(state.roll) <= set(faces):
        raise BadRecord(
            f"With {state.stars_taken} stars taken {chance.dice_due(state)} dice are rolled, each with one of: "
            f"{', '.join(map(str, faces))} (BRD-7). Correct the roll."
        )


def _using(state: SpectrumState, record: PositionForm) -> SpectrumState:
    """Returns the position in the middle of using a roll."""
    assert record.usage is not None
    usage = state.usage_named(notation.usage_named(record.usage))
    if usage is None:
        raise BadRecord(f"This roll or these cards cannot be used as {record.usage} (BRD-8). Correct the usage.")
    left = usage.all_parts
    if isinstance(record.left, int):
        left = record.left if usage.plain and 0 <= record.left <= left else -1
    elif record.left is not None:
        left = -1 if usage.plain else sum(1 << (part - 1) for part in set(record.left))
    if not 0 <= left <= usage.all_parts:
        raise BadRecord("What is left is a number of single spaces, or a list of the parts not played, from 1.")
    walked = tuple((SPACE[spot], FREE if color == "several" else PLACE[color]) for spot, color in record.walked.items())
    state = replace(state, phase="move", usage=usage.name, left=left, walked=walked)
    if record.captured is not None:
        by = state.turn if record.captured.by is None else record.captured.by
        if by != state.turn:
            raise BadRecord("The seat on turn made the capture. Correct who it was.")
        return replace(state, phase="place", held=Held(record.captured.pawn, by))
    if not left:
        raise BadRecord("Nothing is left of the roll, so the turn is over. Leave roll and usage out.")
    following = playable(state, usage, left)
    if not following.moves:
        raise BadRecord(f"Nothing of {usage.name} can be played, so the turn is over. Leave roll and usage out.")
    return replace(state, left=following.left)


def _ended(state: SpectrumState) -> SpectrumState | None:
    """Returns the same position as the end of a won game, or None while it goes on."""
    taken = [(pawns & STARS).bit_count() for pawns in state.masks]
    to_the_end = state.options.weighted and state.options.weighted_end == "all"
    for seat, count in enumerate(taken):
        if count >= state.stars_needed and not to_the_end:
            return turns.over(replace(state, turn=seat, roll=()), "stars")
    if sum(taken) == STARS.bit_count():
        return turns.over(replace(state, roll=()), "all")
    if state.options.portals and state.extras.deck < portals.LEAST:
        return turns.over(replace(state, roll=()), "exhausted")
    return None


def seen_position(teams: Teams, seen: Layout) -> dict[str, Any]:
    """Returns the position that the first steady picture shows, because a recording may begin in the middle of a game.

    Pawns are read by best candidate; those of other colors are left out.
    """
    colors = {color for team in teams for color in team}
    found = {}
    for spot, sighting in seen.cells.items():
        piece = sighting.piece
        if isinstance(piece, Pawn) and piece.color in colors and spot in SPACE:
            found[spot] = piece.color
    return {"pawns": found}


def _count(state: SpectrumState) -> None:
    """Checks the pawns against the set.

    Raises:
        BadRecord: There are more of a color than there are, or pawns of a color without a player.
    """
    for letter in set(state.board) - {EMPTY}:
        if COLOR_OF_LETTER[letter] not in state.owner:
            raise BadRecord(f"Nobody plays {COLOR_OF_LETTER[letter]} (BRD-5). Correct the pawns or the colors.")
    for seat, colors in enumerate(state.teams):
        for color in colors:
            if state.stock(color) < 0:
                most = stock_of(state.seats, colors)[color]
                raise BadRecord(f"Player {seat + 1} has {most} {color} pawns, and more are named (BRD-5).")


def check(state: SpectrumState) -> None:
    """Checks a state that was read against the pieces and for contradictions.

    Raises:
        BadRecord: Its parts contradict each other.
    """
    try:
        if teams_of(state.seats, state.options) != state.teams:
            raise BadRecord("The state's pawn colors are not those of its options (BRD-5).")
    except BadOptions as error:
        raise BadRecord(f"The state's options are not possible: {error}") from error
    if state.turn >= state.seats:
        raise BadRecord("The state names a player who is not there.")
    if state.held is not None and (state.held.color not in state.owner or state.held.seat >= state.seats):
        raise BadRecord("The state's captured pawn is of nobody who plays.")
    _count(state)
    if not _cards_fit(state):
        raise BadRecord("The state's cards are not those of its options (VAR-6, VAR-19, VAR-22).")
    if not _phase_fits(state):
        raise BadRecord(f'The state cannot be in phase "{state.phase}": what it says of the turn contradicts that.')


def _cards_fit(state: SpectrumState) -> bool:
    options, extras, seats = state.options, state.extras, state.seats
    sizes = (
        len(extras.weights) == (12 if options.weighted else 0),
        len(extras.missions) == len(extras.revealed) == (seats if options.missions else 0),
        len(extras.portals) == (seats if options.portals else 0),
        extras.activation is None or (options.portals and extras.activation.seat < seats),
    )
    if not all(sizes):
        return False
    held = [
        *(number for cards in extras.missions for number in cards),
        *(number for hand in extras.portals for number in (*hand.first, *hand.later)),
        *(extras.activation.offer if extras.activation is not None else ()),
        *extras.spent,
    ]
    known = [number for number in held if number != HIDDEN]
    if len(set(known)) != len(known) or not set(known) <= set(secrets.SECRET) or HIDDEN in extras.spent:
        return False
    if options.portals and state.phase != "set-up" and len(held) + extras.deck != len(secrets.SECRET):
        return False
    deck = usages.CARDS + (usages.SWAP_CARDS if options.swap_cards else ())
    if any(not set(hand.first) <= {HIDDEN, *secrets.PRIMARY} for hand in extras.portals):
        return False
    return sorted((*extras.pile, *extras.drawn, *extras.discards)) == (sorted(deck) if options.cards_as_dice else [])


def _phase_fits(state: SpectrumState) -> bool:
    options, extras = state.options, state.extras
    faces = FACES["spectrum-d12" if state.phase == "set-up" else chance.KIND[options.dice]]
    if not set(state.roll) <= set(faces) or (state.ending != "") != (state.phase == "over"):
        return False
    if (state.held is not None) != (state.phase == "place"):
        return False
    if state.phase not in ("set-up", "over") and opening_due(state):
        return False
    match state.phase:
        case "set-up":
            return opening_due(state)
        case "move" | "bonus":
            usage = state.usage_named(state.usage)
            if (
                usage is None
                or not 0 <= state.left <= usage.all_parts
                or (state.phase == "bonus" and not extras.portals)
            ):
                return False
            return state.phase == "bonus" or (state.left > 0 and bool(playable(state, usage, state.left).moves))
        case "place":
            named = extras.activation is not None or state.usage_named(state.usage) is not None
            return named and bool(STARTS & ~state.occupied)
        case "declare":
            return len(state.alive) > 1
        case "pass":
            return bool(state.usages) and not turns.any_alive(state)
        case "drawing" | "send":
            wanted = portals.DRAWN_FOR_ONE if state.phase == "send" else 0
            return extras.activation is not None and len(extras.activation.offer) >= wanted
        case "cards":
            return options.cards_as_dice and chance.cards_due(state) > 0
        case "roll":
            return not options.cards_as_dice
        case "start":
            return options.portals or options.missions or options.surrender
        case "end":
            return options.portals
        case "off":
            return options.surrender and bool(state.pawns_on_paths(state.turn))
    return True


def opening_due(state: SpectrumState) -> bool:
    """True if cards, weights or hands of the set-up are missing."""
    extras = state.extras
    if state.phase == "set-up":
        return opening.due(state) is not None
    held = [len(cards) for cards in extras.missions]
    return 0 in extras.weights or any(count != 2 * secrets.EACH for count in held)
