"""What every game promises, for every registered game, number of seats and option: a new game is covered at once.

Each case plays a few random games. Chance is picked from `chances`, so nothing here knows a single rule.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec import Struct
from msgspec.inspect import type_info

from companion import positions
from companion.contract import Drawn, Event, Over, Rolled, Shown, ToMove, ToRoll
from companion.errors import BadEvent, BadOptions, BadRecord, GameOver, IllegalMove, MoveError
from companion.game import Game
from companion.games import GAMES
from companion.layout import Layout
from companion.matching import match
from companion.pieces import FACES, Die
from companion.verdict import Accepted, Same, Unclear

STEPS_LOOKED_AT = 9
"""Positions of each game that are looked at closely, spread evenly."""

UNDONE = 0.05
"""How often a random player makes a move that the game names as undoing others."""


class Case(NamedTuple):
    """One game to be played."""

    game: Game[Any]
    seats: int
    options: Struct

    def __str__(self) -> str:
        changed = [
            f"{field}={getattr(self.options, field)}"
            for field in self.options.__struct_fields__
            if getattr(self.options, field) != getattr(self.game.Options(), field)
        ]
        return "-".join((self.game.name, str(self.seats), *changed))


def values(field: Any) -> tuple[Any, ...]:
    """What an option may be: each choice of a switch or a list, the bounds of a number."""
    kind = type(field).__name__
    if kind == "BoolType":
        return (False, True)
    if kind == "LiteralType":
        return tuple(field.values)
    if kind == "IntType":
        return tuple(bound for bound in (field.ge, field.le) if bound is not None)
    return ()


def option_sets(game: Game[Any]) -> Iterator[Struct]:
    """The defaults, and each option changed alone."""
    default = game.Options()
    yield default
    for field in type_info(game.Options).fields:
        for value in values(field.type.type if type(field.type).__name__ == "Metadata" else field.type):
            if value != getattr(default, field.name):
                yield msgspec.structs.replace(default, **{field.name: value})


def cases() -> Iterator[Case]:
    """Every number of seats, with the defaults if they allow it; each changed option with one number, in turn."""
    for game in GAMES.values():
        default, *changed = option_sets(game)
        for seats in game.seats:
            fitting = next((options for options in (default, *changed) if starts(game, seats, options)), None)
            if fitting is not None:
                yield Case(game, seats, fitting)
        for turn, options in enumerate(changed):
            order = [*game.seats[turn % len(game.seats) :], *game.seats[: turn % len(game.seats)]]
            seats = next((seats for seats in order if starts(game, seats, options)), None)
            if seats is not None:
                yield Case(game, seats, options)


def starts(game: Game[Any], seats: int, options: Struct) -> bool:
    """Whether the game allows these options with so many seats."""
    try:
        game.start(seats, options)
    except BadOptions:
        return False
    return True


CASES = list(cases())


class Step(NamedTuple):
    """A position, and the event that came next."""

    state: Any
    event: Event


class Played(NamedTuple):
    """A random game."""

    steps: list[Step]
    end: Any

    def looked_at(self) -> list[Step]:
        """A few steps, spread over the game."""
        stride = max(len(self.steps) // STEPS_LOOKED_AT, 1)
        return self.steps[::stride]


def next_event(game: Game[Any], state: Any, rng: Random) -> Event:
    """A random move, a roll of the dice that are due, or a random chance event by its weights."""
    due = state.expects()
    if isinstance(due, ToMove):
        undoing = () if game.heuristics is None else game.heuristics.undoing
        moves = list(state.legal_moves())
        # Where half of all turns undid others, no game would ever end.
        return rng.choice([move for move in moves if not isinstance(move, undoing) or rng.random() < UNDONE] or moves)
    if isinstance(due, ToRoll):
        # Nine dice have half a million outcomes, so dice are rolled and not picked from a list.
        return Rolled(tuple(Die(kind, rng.choice(FACES[kind])) for kind in due.dice))
    events, weights = zip(*game.outcomes(state), strict=True)
    return rng.choices(events, weights)[0]


@cache
def played(case: Case) -> Played:
    """One random game, always the same for a case."""
    rng = Random(str(case))
    state = case.game.start(case.seats, case.options)
    limit = case.game.bound(state)
    steps = []
    while not isinstance(state.expects(), Over):
        event = next_event(case.game, state, rng)
        steps.append(Step(state, event))
        state = state.apply(event)
        assert len(steps) <= limit, "the game is longer than its bound"
    return Played(steps, state)


def shown_by_others(case: Case) -> bool:
    """Whether a game with fewer players and one with more show the same: then this one is left to `-m slow`."""
    return case.seats in case.game.seats[1:-1] and str(case) == f"{case.game.name}-{case.seats}"


every_case = pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.slow if shown_by_others(case) else ()) for case in CASES], ids=str
)


def json_of(value: Any) -> bytes:
    return msgspec.json.encode(value)


def test_every_game_is_covered_with_every_number_of_seats() -> None:
    covered = {(case.game.name, case.seats) for case in CASES}
    assert covered == {(game.name, seats) for game in GAMES.values() for seats in game.seats}
    assert {game.name for game in GAMES.values()} == set(GAMES)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_options_have_a_default_and_a_sentence(game: Game[Any]) -> None:
    for field in type_info(game.Options).fields:
        assert not field.required, field.name
        schema = field.type.extra_json_schema or {}
        assert schema.get("description", "").endswith("."), field.name


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_other_numbers_of_seats_are_refused(game: Game[Any]) -> None:
    for seats in (0, game.seats[0] - 1, game.seats[-1] + 1):
        with pytest.raises(BadOptions):
            game.start(seats, game.Options())


@every_case
def test_what_is_due_and_what_is_legal_agree(case: Case) -> None:
    game = played(case)
    for state, _ in game.steps:
        assert bool(state.legal_moves()) == isinstance(state.expects(), ToMove)
        assert state.outcome() is None
    assert not game.end.legal_moves()
    assert game.end.outcome() is not None


@every_case
def test_a_move_is_legal_if_and_only_if_nothing_is_broken(case: Case) -> None:
    game = played(case)
    rng = Random(1)
    moves = {
        move
        for state, _ in game.looked_at()
        for move in rng.sample(list(state.legal_moves()), min(3, len(state.legal_moves())))
    }
    others = sorted(moves, key=repr)
    for state, _ in [*game.looked_at(), Step(game.end, None)]:
        legal = list(state.legal_moves())
        assert len(set(legal)) == len(legal)
        for move in legal if len(legal) < 40 else rng.sample(legal, 40):
            assert state.explain(move) == ()
        for move in rng.sample(others, min(25, len(others))):
            breaches = state.explain(move)
            if not breaches and move not in legal:
                # What says nothing new, or leaves out what can be only one thing, is listed in one way alone.
                after = state.apply(move)
                assert after == state or any(after == state.apply(listed) for listed in legal), move
                continue
            assert (not breaches) == (move in legal), move
            assert all(breach.rule and breach.text.endswith(".") for breach in breaches)


@every_case
def test_an_illegal_move_raises_and_changes_nothing(case: Case) -> None:
    game = played(case)
    moves = sorted({event for _, event in game.steps if not isinstance(event, (Drawn, Rolled, Shown))}, key=repr)
    refused = 0
    for state, _ in [*game.looked_at(), Step(game.end, None)]:
        before = json_of(state)
        for move in moves[::5]:
            breaches = state.explain(move)
            if breaches:
                with pytest.raises((IllegalMove, GameOver)) as raised:
                    state.apply(move)
                if isinstance(raised.value, IllegalMove):
                    assert raised.value.breaches == breaches
                refused += 1
        assert json_of(state) == before
    assert refused


@every_case
def test_the_end_is_the_end(case: Case) -> None:
    game = played(case)
    for _, event in game.steps[-5:]:
        with pytest.raises(MoveError):
            game.end.apply(event)
    with pytest.raises((GameOver, BadEvent)):
        game.end.apply(game.steps[-1].event, force=True)


@every_case
def test_every_position_can_be_written_out_and_read_again(case: Case) -> None:
    game = played(case)
    for state in [*(step.state for step in game.looked_at()), game.end]:
        plain = json.loads(json.dumps(positions.written(state)))
        assert positions.read(case.game, case.seats, case.options, plain) == state
        with pytest.raises(BadRecord):
            positions.read(case.game, case.seats, case.options, {**plain, "turn": 0})
        for seats in set(case.game.seats) - {case.seats}:
            with pytest.raises(BadRecord):
                positions.read(case.game, seats, case.options, plain)


@every_case
def test_what_is_refused_is_refused_with_the_reasons_that_are_explained(case: Case) -> None:
    """Dice and draws are no exception: one sentence, one rule, whether one asks or tries."""
    game = played(case)
    events = sorted({event for _, event in game.steps}, key=repr)
    refused = 0
    for state, _ in [*game.looked_at(), Step(game.end, None)]:
        for event in Random(2).sample(events, min(25, len(events))):
            breaches = state.explain(event)
            if not breaches:
                state.apply(event)
                continue
            refused += 1
            with pytest.raises(MoveError) as raised:
                state.apply(event)
            assert all(f"{breach.rule}: {breach.text}" in str(raised.value) for breach in breaches)
    assert refused


@every_case
def test_states_survive_json_and_are_values(case: Case) -> None:
    game = played(case)
    for state, event in game.looked_at():
        again = case.game.load(json_of(state))
        assert again == state
        assert hash(again) == hash(state)
        assert again.expects() == state.expects()
        assert list(again.legal_moves()) == list(state.legal_moves())
        assert again.layout() == state.layout()
        assert again.scores() == state.scores()
        assert again.apply(event) == state.apply(event)
    assert case.game.load(json_of(game.end)).outcome() == game.end.outcome()


@every_case
def test_events_survive_json_and_text(case: Case) -> None:
    rng = Random(2)
    for state, event in played(case).looked_at():
        legal = list(state.legal_moves())
        for one in (event, *rng.sample(legal, min(6, len(legal)))):
            assert case.game.event(msgspec.to_builtins(one)) == one
            assert hash(case.game.event(msgspec.json.decode(json_of(one)))) == hash(one)
            text = case.game.text(one)
            assert "\n" not in text
            assert case.game.parse(state, text) == one
        texts = [case.game.text(move) for move in legal]
        assert len(set(texts)) == len(texts)


@every_case
def test_the_same_events_lead_to_the_same_states(case: Case) -> None:
    game = played(case)
    state = case.game.start(case.seats, case.options)
    for before, event in game.steps:
        assert state == before
        state = state.apply(event)
    assert state == game.end
    assert json_of(state) == json_of(game.end)


def pieces_in(game: Game[Any], state: Any) -> Counter[tuple[str, str]]:
    """Every piece on the table and out of sight, as its kind and what makes it the piece it is."""
    layout = state.layout()
    seen = [sighting.piece for sighting in layout.cells.values()]
    seen += [sighting.piece for heap in layout.heaps.values() for sighting in heap]
    found: Counter[tuple[str, str]] = Counter()
    for piece in seen:
        if piece is not None:
            found.update(identity(part) for part in getattr(piece, "pieces", (piece,)))
    for piece, count in game.unseen(state).items():
        found[identity(piece)] += count
    return found


def identity(piece: Any) -> tuple[str, str]:
    """Kind and name of a piece whichever way it is turned: a tile is its colors, a die its kind whatever face is up."""
    fields = msgspec.to_builtins(piece)
    kind = fields["type"]
    if kind == "die":
        return kind, fields["kind"]
    return kind, repr(sorted(map(repr, fields.values())) if kind == "tile" else fields)


@every_case
def test_pieces_are_conserved(case: Case) -> None:
    """On the table and out of sight together there are always the same pieces, once hidden ones are filled in.

    Kinds that are not there at the start come from a stock that the game does not count; they only grow in number.
    """
    rng = Random(3)
    game = played(case)
    states = [*(step.state for step in game.steps), game.end]
    first = pieces_in(case.game, case.game.determinize(states[0], rng))
    counted = {kind for kind, _ in first}
    before = first
    for state in states[:: max(len(states) // 25, 1)]:
        there = pieces_in(case.game, case.game.determinize(state, rng))
        assert {one: count for one, count in there.items() if one[0] in counted} == first
        # Dice are picked up again, and those in use may lie apart.
        assert Counter({one: count for one, count in before.items() if one[0] != "die"}) <= there
        before = there


@every_case
def test_scores_add_up_and_places_follow(case: Case) -> None:
    game = played(case)
    for state in (*(step.state for step in game.looked_at()), game.end):
        scores = state.scores()
        assert len(scores) == case.seats
        for score in scores:
            assert not score.lines or score.total == sum(line.points for line in score.lines)
    assert sorted(seat for place in game.end.outcome().places for seat in place) == list(range(case.seats))


@every_case
def test_views_hide_and_nothing_else(case: Case) -> None:
    """What a seat may know is the same whatever the pieces that it cannot see are."""
    for state, _ in played(case).looked_at():
        for seat in (None, *range(case.seats)):
            view = case.game.view(state, seat)
            assert case.game.view(view, seat) == view
            if view != state:
                assert case.game.view(case.game.determinize(view, Random(5)), seat) == view
                assert case.game.view(case.game.determinize(view, Random(6)), seat) == view


@every_case
def test_different_moves_leave_different_tables_or_are_alike(case: Case) -> None:
    for state, _ in played(case).looked_at():
        legal = list(state.legal_moves())
        shown = [
            (move, state.apply(move).layout()) for move in (legal if len(legal) < 25 else legal[:: len(legal) // 25])
        ]
        for at, (one, layout) in enumerate(shown):
            assert case.game.looks_alike(state, one, one)
            for other, another in shown[at + 1 :]:
                if layout == another:
                    assert case.game.looks_alike(state, one, other), (one, other)
                assert case.game.looks_alike(state, one, other) == case.game.looks_alike(state, other, one)


@every_case
def test_matching_finds_the_move(case: Case) -> None:
    rng = Random(4)
    for state, _ in played(case).looked_at()[::2]:
        legal = list(state.legal_moves())
        for move in rng.sample(legal, min(2, len(legal))):
            after = state.apply(move).layout()
            verdict = match(case.game, state, after)
            if not state.layout().differences(after):
                # At most what may stand unseen is another.
                assert isinstance(verdict, Same)
                continue
            assert isinstance(verdict, (Accepted, Unclear)), (move, verdict)
            found = [verdict.events] if isinstance(verdict, Accepted) else [one.events for one in verdict.choices]
            assert any(
                events[0] == move
                or (len(events) == 1 and case.game.looks_alike(state, events[0], move))
                or ends_alike(state, events, after)
                for events in found
            ), (move, verdict)


def ends_alike(state: Any, events: tuple[Event, ...], after: Layout) -> bool:
    """Whether another line of events leads to the very table that was seen."""
    for event in events:
        state = state.apply(event)
    return bool(state.layout() == after)
