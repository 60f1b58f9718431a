"""The game object of Spectrump, its first position, and positions read from their written form (docs/records.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from companion.core.capabilities import WHOLE, Heuristics, Horizon, Proposer
from companion.core.contract import Drawn, Event, ScoreLine, Seat, Shown
from companion.core.foundation.errors import BadEvent, BadNotation, BadOptions, BadRecord, GameOver
from companion.core.game import Capabilities, EventCodec, Game, GameInfo, Positions
from companion.games.shared.cards import deck_events
from companion.games.shared.cards.card_game import card_game, drawn_from
from companion.games.shared.cards.deck import CODES, COLOR, COLORS, NUMBER, SHADES_MASK
from companion.games.shared.cards.deck_events import card_words
from companion.games.shared.forms.position_form import CardsForm, cards_in, reader
from companion.games.spectrump import hidden, trick
from companion.games.spectrump import moves as notation
from companion.games.spectrump.moves import Bid, Play, SpectrumpEvent
from companion.games.spectrump.options import DECK_BITS, SHAPES, Options
from companion.games.spectrump.options import Options as SpectrumpOptions
from companion.games.spectrump.situation import COLOR_NUMBER, SCORING_PLAYED, TRUMP_PLAYED
from companion.games.spectrump.state import SpectrumpState, infer_event

_Hand = str | tuple[CardsForm | None, ...] | None
_Count = Annotated[int, Meta(ge=0, le=1000)]


def start(seats: int, options: Options) -> SpectrumpState:
    """Returns the position before the first deal; the last seat deals, so the first one bids first."""
    sets = SHAPES[options.deck][seats].sets
    return SpectrumpState(
        options,
        dealer=seats - 1,
        session=0,
        dealing=True,
        sets=(((),) * sets,) * seats,
        hidden=((0,) * sets,) * seats,
        turn=0,
        bid=None,
        passed=0,
        ready=0,
        swaps=(0,) * seats,
        playing=0,
        leader=0,
        trick=(),
        broken=0,
        denied=(0,) * seats,
        won=((),) * seats,
        last=(),
        last_leader=0,
        played=0,
    )


class Broken(Struct, frozen=True, forbid_unknown_fields=True):
    """True for trump, and for scoring colors, if they have been played in this set (UMP-10)."""

    trump: bool = False
    scoring: bool = False


class PositionForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A position in its written form."""

    hands: tuple[_Hand, ...] = ()
    """For each seat, a list of cards for each set, or for the present one alone; null is not known."""
    dealer: _Count | None = None
    session: Annotated[int, Meta(ge=1)] = 1
    set: Annotated[int, Meta(ge=1, le=2)] = 1
    bid: str | Mapping[str, Any] | None = None
    """The highest bid, as a line or an object."""
    turn: _Count | None = None
    """The seat that bids next; missing with a bid: the bidding is over."""
    passed: tuple[Seat, ...] = ()
    leader: _Count | None = None
    trick: CardsForm = ()
    won: tuple[CardsForm, ...] = ()
    broken: Broken | None = None
    played: _Count = 0
    rounds: _Count = 0
    scores: tuple[int, ...] = ()


def _state(seats: int, options: Options, form: PositionForm) -> SpectrumpState:
    fresh = start(seats, options)
    for name, values in (("hands", form.hands), ("won", form.won), ("scores", form.scores)):
        if values and len(values) != seats:
            raise BadRecord(f"The position has {len(values)} {name} for {seats} players.")
    bid = _bid(form.bid)
    dealer = fresh.dealer if form.dealer is None else form.dealer
    brought = {"earlier": form.rounds, "brought": form.scores if any(form.scores) else (), "dealer": dealer}
    if not form.hands:
        if bid is not None or form.trick or form.won:
            raise BadRecord("A position after the deal names hands; a hand that is not known is null.")
        return msgspec.structs.replace(fresh, turn=(dealer + 1) % seats, **brought)
    trick = _numbers(form.trick, "the trick")
    leader = form.leader if form.leader is not None else bid.seat if bid is not None else 0
    sets, hidden = _hands(form, fresh, [(seat - leader) % seats < len(trick) for seat in range(seats)])
    on = bid is None or form.turn is not None
    passed = sum(1 << seat for seat in set(form.passed))
    if bid is not None and not on:
        passed = (1 << seats) - 1 & ~(1 << bid.seat)
    won = tuple(_numbers(cards, f"the cards taken by seat {seat}") for seat, cards in enumerate(form.won))
    state = msgspec.structs.replace(
        fresh,
        session=form.session - 1,
        dealing=False,
        sets=sets,
        hidden=hidden,
        turn=(dealer + 1) % seats if form.turn is None else form.turn,
        bid=bid,
        passed=passed,
        ready=(1 << seats) - 1,
        playing=form.set - 1,
        leader=leader,
        trick=trick,
        won=won or fresh.won,
        last_leader=leader,
        played=form.played,
        **brought,
    )
    if bid is not None and not on:
        state = msgspec.structs.replace(state, broken=_broken(form.broken, state))
    return state


def _numbers(written: CardsForm, where: str) -> tuple[int, ...]:
    """Returns the cards of a list, all of which must be known."""
    cards = cards_in(written, where)
    if None in cards:
        raise BadRecord(f"In {where} a card is not named; it lies open.")
    return tuple(card for card in cards if card is not None)


def _bid(given: str | Mapping[str, Any] | None) -> Bid | None:
    if given is None:
        return None
    try:
        bid = notation.read(given) if isinstance(given, str) else msgspec.convert({"type": "bid", **given}, Bid)
    except (BadNotation, msgspec.ValidationError) as error:
        raise BadRecord(f"This is no bid: {error}") from error
    if not isinstance(bid, Bid) or bid.color not in COLOR_NUMBER:
        raise BadRecord(f"{given} is no bid. Write: player 1 bids blue 4.")
    return bid


def _broken(given: Broken | None, state: SpectrumpState) -> int:
    """Returns the kinds of cards played in the set: as given, or as the cards on the table show."""
    if given is not None:
        return (TRUMP_PLAYED if given.trump else 0) | (SCORING_PLAYED if given.scoring else 0)
    found = 0
    for cards in (state.trick, *state.won):
        for card in cards:
            if COLOR[card] == state.trump:
                found |= TRUMP_PLAYED
            elif SHADES_MASK[state.trump] >> COLOR[card] & 1:
                found |= SCORING_PLAYED
    return found


def _hands(
    form: PositionForm, fresh: SpectrumpState, has_played: Sequence[bool]
) -> tuple[tuple[tuple[tuple[int, ...], ...], ...], tuple[tuple[int, ...], ...]]:
    """Returns known cards and hidden counts; an unseen set holds as many cards as those of the others."""
    sets, playing = fresh.shape.sets, form.set - 1
    if playing >= sets:
        raise BadRecord(f"Set {form.set} is played, but a session has {sets}.")
    written: list[list[tuple[int | None, ...] | None]] = []
    for seat, hand in enumerate(form.hands):
        by_set = _by_set(hand, sets)
        if len(by_set) == 1:
            by_set = [()] * playing + by_set + [None if hand is None else ()] * (sets - playing - 1)
        if len(by_set) != sets:
            raise BadRecord(f"Hand {seat} has {len(by_set)} sets; a session has {sets}.")
        written.append([None if cards is None else cards_in(cards, f"hand {seat}") for cards in by_set])
    known, hidden = [], []
    for seat, mine in enumerate(written):
        counts = []
        for place, cards in enumerate(mine):
            if cards is not None:
                counts.append(cards.count(None))
                continue
            early = [has_played[other] and place == playing for other in range(fresh.seats)]
            sizes = [
                len(theirs[place] or ()) + early[other]
                for other, theirs in enumerate(written)
                if theirs[place] is not None
            ]
            whole = 0 if place < playing else max(sizes, default=fresh.shape.cards)
            counts.append(max(whole - early[seat], 0))
        hidden.append(tuple(counts))
        known.append(tuple(tuple(sorted(card for card in cards or () if card is not None)) for cards in mine))
    return tuple(known), tuple(hidden)


def _by_set(hand: _Hand, sets: int) -> list[CardsForm | None]:
    """Returns the cards of each set that a hand names, or those of the present set alone.

    In the older form the entry for a set is one text, perhaps of a single card, so a list of codes means one set only
    if a session has one.
    """
    if hand is None or isinstance(hand, str):
        return [hand]
    codes = tuple(one for one in hand if isinstance(one, str))
    return [codes] if sets == 1 and len(codes) == len(hand) != 1 else list(hand)


def check(state: SpectrumpState) -> None:
    """Checks that a position is possible.

    Raises:
        BadRecord: A card is there twice or not in the deck, sets differ in size, or a seat does not exist.
    """
    seats = state.seats
    if seats not in SHAPES[state.options.deck]:
        raise BadRecord(f"Spectrump is for 2, 4, 6 or 8 players, not {seats} (UMP-1).")
    by_seat = (state.hidden, state.swaps, state.denied, state.won, state.brought or state.swaps)
    if any(len(values) != seats for values in by_seat):
        raise BadRecord(f"Something is said for more or fewer than the {seats} players.")
    shape = state.shape
    if any(len(sets) != shape.sets for sets in (*state.sets, *state.hidden)) or not 0 <= state.playing < shape.sets:
        raise BadRecord(f"A session of {seats} players has {shape.sets} sets.")
    if not 0 <= state.session < shape.sessions:
        raise BadRecord(f"A round of {seats} players has {shape.sessions} sessions (UMP-1).")
    named = [state.dealer, state.turn, state.leader, state.last_leader, *([state.bid.seat] if state.bid else [])]
    if any(not 0 <= seat < seats for seat in named) or not 0 <= state.passed < 1 << seats:
        raise BadRecord(f"A seat is named that is none; the seats are 0 to {seats - 1}.")
    if state.bid is not None and state.bid.color not in COLOR_NUMBER:
        raise BadRecord(f"{state.bid.color} is no color of the wheel.")
    _check_cards(state)
    _check_sizes(state)


def _check_cards(state: SpectrumpState) -> None:
    deck = DECK_BITS[state.options.deck]
    there = [card for sets in state.sets for cards in sets for card in cards]
    there += [card for cards in (*state.won, state.trick) for card in cards]
    for card in (*there, *state.last):
        if not 0 <= card < len(CODES) or not deck >> card & 1:
            raise BadRecord(f"A deck of {state.options.deck} cards has no card {card} (UMP-1, DEK-4).")
    twice = {CODES[card] for card in there if there.count(card) > 1}
    if twice:
        raise BadRecord(f"{', '.join(sorted(twice))} is in two places; the deck has each card once.")
    if any(not 0 <= colors < 1 << COLORS for colors in state.denied):
        raise BadRecord("A seat has denied a color that is not on the wheel.")
    unknown = sum(map(sum, state.hidden))
    if any(count < 0 for counts in state.hidden for count in counts) or state.pool.bit_count() < unknown:
        raise BadRecord(f"{unknown} cards are said to be in hands unseen, but only {state.pool.bit_count()} are left.")


def _check_sizes(state: SpectrumpState) -> None:
    if len(state.trick) >= state.seats:
        raise BadRecord(f"The trick has {len(state.trick)} cards; it is taken when all {state.seats} have played.")
    for place in range(state.shape.sets):
        sizes = set()
        for seat in range(state.seats):
            early = place == state.playing and (seat - state.leader) % state.seats < len(state.trick)
            sizes.add(len(state.sets[seat][place]) + state.hidden[seat][place] + early)
        if max(sizes) > state.shape.cards or (len(sizes) > 1 and not state.dealing):
            text = f"Set {place + 1} has {', '.join(map(str, sorted(sizes)))} cards at different seats"
            raise BadRecord(
                f"{text}, those played to the trick counted; all have the same, {state.shape.cards} at most."
            )
    empty = not state.dealing and not state.dealt and not state.trick
    if empty:
        raise BadRecord("Nobody has a card, so the round is over. Give the position before the next deal.")


read = reader("Spectrump", PositionForm, _state)


def words(state: SpectrumpState, event: Event) -> dict[str, Any] | None:
    """Returns the event in the words of a recording; None for dealt or shown cards."""
    if isinstance(event, Drawn | Shown):
        return None
    return {"type": type(event).__name__.lower(), **card_words(event)}


def _fit(seats: int, options: SpectrumpOptions) -> None:
    if seats not in SHAPES[options.deck]:
        raise BadOptions(f"Spectrump is for 2, 4, 6 or 8 players, not {seats} (UMP-1).")
    if options.partners and seats == 2:
        raise BadOptions("Partners need four players or more (UMP-2). Leave partners off.")


def _checked(event: SpectrumpEvent) -> SpectrumpEvent:
    if isinstance(event, Bid) and event.color not in COLOR_NUMBER:
        raise BadNotation(f'"{event.color}" is no color of the wheel.')
    return event


def _looks_alike(state: SpectrumpState, one: SpectrumpEvent, other: SpectrumpEvent) -> bool:
    """True if two events leave the same table: two bids, for instance."""
    if one == other or (isinstance(one, Bid) and isinstance(other, Bid)):
        return True
    try:
        return state.apply_unchecked(one).layout() == state.apply_unchecked(other).layout()
    except (BadEvent, GameOver):
        return False


def _score_breakdown(state: SpectrumpState, event: SpectrumpEvent) -> tuple[ScoreLine, ...]:
    """Returns the points of the next event, line by line: the winner of a complete trick and why, and each card."""
    if not isinstance(event, Play) or state.phase != "play" or len(state.trick) + 1 < len(state.sets):
        return ()
    judged = trick.judge(state.trump, (*state.trick, NUMBER[event.card]))
    taker = (state.leader + judged.winner) % len(state.sets)
    return (ScoreLine(0, judged.rule, f"player {taker + 1} takes the trick: {judged.reason}"), *judged.lines)


SPECTRUMP: Game[SpectrumpState] = card_game(
    GameInfo("spectrump", "Spectrump", rules=1, seats=range(2, 9, 2), seats_rule="UMP-1", Options=SpectrumpOptions),
    Positions(SpectrumpState, start, read, check, fit=_fit),
    EventCodec(SpectrumpEvent, notation.text_of, notation.parse, words, plain=deck_events.plain, canonical=_checked),
    hidden,
    Capabilities(
        chance=drawn_from(lambda state: state.pool),
        proposer=Proposer(infer_event=infer_event, looks_alike=_looks_alike),
        score_breakdown=_score_breakdown,
        heuristics=Heuristics(
            horizon=Horizon(WHOLE, hand=lambda state: (len(state.rounds), state.session, state.playing))
        ),
    ),
)
"""The game object of Spectrump."""
