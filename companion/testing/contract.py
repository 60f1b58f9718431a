"""The conformance suite of games, as tests: `class TestMyGame(GameContract): manifests = (MINE,)`.

Each case plays a few random games with one number of seats and one set of options. Chance events are drawn from the
game's own outcomes, so the suite knows no rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

import msgspec
import pytest

from companion.core.contract import Drawn, Event, Move, Rolled, Shown, ToMove, named_seat
from companion.core.foundation.errors import BadEvent, BadOptions, BadRecord, GameOver, IllegalMove, MoveError
from companion.core.foundation.kept_file import decode_json
from companion.core.game import Game
from companion.core.layout import Layout
from companion.core.pieces import Pyramid, Stack, Tile
from companion.core.verdict import Accepted, Pending, Refused, Same, Unclear, Verdict
from companion.referee.journal import timeline
from companion.referee.matching import match, seat_of
from companion.testing.cases import Case, PlayedStep, cases, option_fields, played, several, shown_by_others
from companion.testing.parts_contract import PartsContract, other_moves

LOOKED_AT = 120
"""The number of moves that are examined in each position."""
FORCED = 8
"""The number of illegal moves that are carried out in each position."""


def json_of(value: Any) -> bytes:
    return msgspec.json.encode(value)


def pieces_in(game: Game[Any], state: Any) -> Counter[tuple[str, str]]:
    """Returns every piece on the table and out of sight, as its kind and its identity."""
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


def things(layout: Layout) -> dict[str, tuple[Any, ...]]:
    """Returns the contents of each cell, and of each heap of pyramids, stacks or tiles, in the order of names."""
    cells = {spot: () if one.piece is None else (one.piece,) for spot, one in layout.cells.items()}
    heaps = {
        spot: tuple(sorted((one.piece for one in heap), key=repr))
        for spot, heap in layout.heaps.items()
        if all(isinstance(one.piece, Pyramid | Stack | Tile) for one in heap)
    }
    return {**cells, **heaps}


def identity(piece: Any) -> tuple[str, str]:
    """Returns the kind and the name of a piece in any rotation: the colors of a tile, the kind of a die."""
    fields = msgspec.to_builtins(piece)
    kind = fields["type"]
    if kind == "die":
        return kind, fields["kind"]
    return kind, repr(sorted(map(repr, fields.values())) if kind == "tile" else fields)


def ends_alike(state: Any, events: tuple[Event, ...], after: Layout) -> bool:
    """True if other events lead to the same table."""
    for event in events:
        state = state.apply(event)
    return bool(state.layout() == after)


class GameContract(PartsContract):
    """The conformance tests; a subclass names its games or their manifests, and pytest runs it."""

    games: ClassVar[Sequence[Game[Any]]] = ()
    """The games; by default those of `manifests`."""

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Generates one test for each game or manifest, or for each case of each game."""
        games = self.games or [manifest.game for manifest in self.manifests]
        if "manifest" in metafunc.fixturenames:
            metafunc.parametrize("manifest", self.manifests, ids=lambda manifest: manifest.game.name)
        if "game" in metafunc.fixturenames:
            metafunc.parametrize("game", games, ids=lambda game: game.name)
        if "case" in metafunc.fixturenames:
            found = [case for game in games for case in cases(game)]
            marked = [pytest.param(one, marks=pytest.mark.slow if shown_by_others(one) else ()) for one in found]
            metafunc.parametrize("case", marked, ids=str)

    def test_every_number_of_seats_is_covered(self, game: Game[Any]) -> None:
        assert {case.seats for case in cases(game)} == set(game.seats)

    def test_options_have_a_default_and_a_sentence(self, game: Game[Any]) -> None:
        for field in option_fields(game):
            assert not field.required, field.name
            schema = getattr(field.type, "extra_json_schema", None) or {}
            assert schema.get("description", "").endswith("."), field.name

    def test_other_numbers_of_seats_are_refused(self, game: Game[Any]) -> None:
        for seats in (0, game.seats[0] - 1, game.seats[-1] + 1):
            with pytest.raises(BadOptions):
                game.start(seats, game.Options())

    def test_what_is_due_and_what_is_legal_agree(self, case: Case) -> None:
        game = played(case)
        for state, _ in game.steps:
            assert bool(state.legal_moves()) == isinstance(state.expects(), ToMove)
            assert state.outcome() is None
        assert not game.end.legal_moves()
        assert game.end.outcome() is not None

    def test_a_move_is_legal_if_and_only_if_nothing_is_broken(self, case: Case) -> None:
        games = several(case)
        rng = Random(1)
        others = other_moves(case)
        for state, _ in [*(step for game in games for step in game.looked_at()), PlayedStep(games[0].end, None)]:
            legal = list(state.legal_moves())
            assert len(set(legal)) == len(legal)
            for move in legal if len(legal) < 40 else rng.sample(legal, 40):
                assert state.violations(move) == ()
            for move in rng.sample(others, min(LOOKED_AT, len(others))):
                breaches = state.violations(move)
                if not breaches and move not in legal:
                    # A move that adds no information, or leaves out what follows anyway, is listed in one form only.
                    after = state.apply(move)
                    assert after == state or any(after == state.apply(listed) for listed in legal), move
                    continue
                assert (not breaches) == (move in legal), move
                assert all(breach.rule and breach.text.endswith(".") for breach in breaches)

    def test_an_illegal_move_raises_and_changes_nothing(self, case: Case) -> None:
        game = played(case)
        moves = sorted({event for _, event in game.steps if not isinstance(event, (Drawn, Rolled, Shown))}, key=repr)
        refused = 0
        for state, _ in [*game.looked_at(), PlayedStep(game.end, None)]:
            before = json_of(state)
            for move in moves[::5]:
                breaches = state.violations(move)
                if breaches:
                    with pytest.raises((IllegalMove, GameOver)) as raised:
                        state.apply(move)
                    if isinstance(raised.value, IllegalMove):
                        assert raised.value.breaches == breaches
                    refused += 1
            assert json_of(state) == before
        assert refused

    def test_the_end_is_the_end(self, case: Case) -> None:
        game = played(case)
        for _, event in game.steps[-5:]:
            with pytest.raises(MoveError):
                game.end.apply(event)
        with pytest.raises((GameOver, BadEvent)):
            game.end.apply_unchecked(game.steps[-1].event)

    def test_every_position_can_be_written_out_and_read_again(self, case: Case) -> None:
        game = played(case)
        for state in [*(step.state for step in game.looked_at()), game.end]:
            plain = decode_json(msgspec.json.encode(timeline.written(state)), dict[str, Any])
            assert timeline.read(case.game, case.seats, case.options, plain) == state
            with pytest.raises(BadRecord):
                timeline.read(case.game, case.seats, case.options, {**plain, "turn": 0})
            for seats in set(case.game.seats) - {case.seats}:
                with pytest.raises(BadRecord):
                    timeline.read(case.game, seats, case.options, plain)

    def test_a_position_that_is_set_out_stands_as_it_was_said(self, case: Case) -> None:
        """If a game can be set out: the reading of a position has no effect on it, and the reading of another position
        is on the table afterwards, or one sentence says why it cannot be.
        """
        set_out = None if case.game.proposer is None else case.game.proposer.set_out
        if set_out is None:
            return
        states = [step.state for step in played(case).looked_at()]
        for state in states:
            for other in states:
                shown = things(other.layout())
                try:
                    then = set_out(state, shown)
                except (MoveError, BadRecord) as error:
                    assert str(error).endswith((".", "?"))
                    continue
                stands = things(then.layout())
                assert {spot: pieces for spot, pieces in shown.items() if stands.get(spot, pieces) != pieces} == {}
                plain = decode_json(msgspec.json.encode(timeline.written(then)), dict[str, Any])
                assert timeline.read(case.game, case.seats, case.options, plain) == then

    def test_every_turn_that_may_be_leaves_the_table_as_it_is(self, case: Case) -> None:
        turns = None if case.game.proposer is None else case.game.proposer.turns
        if turns is None:
            return
        for step in played(case).looked_at():
            for words, state in turns(step.state).items():
                assert words
                assert not step.state.layout().differences(state.layout())
                plain = decode_json(msgspec.json.encode(timeline.written(state)), dict[str, Any])
                assert timeline.read(case.game, case.seats, case.options, plain) == state

    def test_what_is_refused_is_refused_with_the_reasons_that_are_explained(self, case: Case) -> None:
        """Dice and draws are no exception: `violations` and `apply` give the same sentence and the same rule."""
        game = played(case)
        events = sorted({event for _, event in game.steps}, key=repr)
        refused = 0
        for state, _ in [*game.looked_at(), PlayedStep(game.end, None)]:
            for event in Random(2).sample(events, min(25, len(events))):
                breaches = state.violations(event)
                if not breaches:
                    state.apply(event)
                    continue
                refused += 1
                with pytest.raises(MoveError) as raised:
                    state.apply(event)
                assert all(f"{breach.rule}: {breach.text}" in str(raised.value) for breach in breaches)
        assert refused

    def test_states_survive_json_and_are_values(self, case: Case) -> None:
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

    def test_events_survive_json_and_text(self, case: Case) -> None:
        rng = Random(2)
        for state, event in played(case).looked_at():
            legal = list(state.legal_moves())
            for one in (event, *rng.sample(legal, min(6, len(legal)))):
                assert case.game.event(msgspec.to_builtins(one)) == one
                assert hash(case.game.event(decode_json(json_of(one), dict[str, Any]))) == hash(one)
                text = case.game.text(one)
                assert "\n" not in text
                assert case.game.parse(state, text) == one
            texts = [case.game.text(move) for move in legal]
            assert len(set(texts)) == len(texts)

    def test_the_same_events_lead_to_the_same_states(self, case: Case) -> None:
        game = played(case)
        state = case.game.start(case.seats, case.options)
        for before, event in game.steps:
            assert state == before
            state = state.apply(event)
        assert state == game.end
        assert json_of(state) == json_of(game.end)

    def test_pieces_are_conserved(self, case: Case) -> None:
        """The pieces on the table and out of sight together are always the same, once hidden ones are filled in.

        Pieces of kinds that are absent at the start come from a stock that the game does not count; their number only
        grows.
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
            # Dice are picked up again, and dice in use may be apart.
            assert Counter({one: count for one, count in before.items() if one[0] != "die"}) <= there
            before = there

    def test_scores_add_up_and_places_follow(self, case: Case) -> None:
        game = played(case)
        for state in (*(step.state for step in game.looked_at()), game.end):
            scores = state.scores()
            assert len(scores) == case.seats
            for score in scores:
                assert not score.lines or score.total == sum(line.points for line in score.lines)
        assert sorted(seat for place in game.end.outcome().places for seat in place) == list(range(case.seats))

    def test_views_hide_and_nothing_else(self, case: Case) -> None:
        """The view of a seat is the same for any unseen pieces."""
        for state, _ in played(case).looked_at():
            for seat in (None, *range(case.seats)):
                view = case.game.view(state, seat)
                assert case.game.view(view, seat) == view
                if view != state:
                    assert case.game.view(case.game.determinize(view, Random(5)), seat) == view
                    assert case.game.view(case.game.determinize(view, Random(6)), seat) == view

    def test_different_moves_leave_different_tables_or_are_alike(self, case: Case) -> None:
        for state, _ in played(case).looked_at():
            legal = list(state.legal_moves())
            shown = [
                (move, state.apply(move).layout())
                for move in (legal if len(legal) < 25 else legal[:: len(legal) // 25])
            ]
            for at, (one, layout) in enumerate(shown):
                assert case.game.looks_alike(state, one, one)
                for other, another in shown[at + 1 :]:
                    if layout == another:
                        assert case.game.looks_alike(state, one, other), (one, other)
                    assert case.game.looks_alike(state, one, other) == case.game.looks_alike(state, other, one)

    def test_matching_finds_the_move(self, case: Case) -> None:
        rng = Random(4)
        for state, _ in played(case).looked_at()[::2]:
            legal = list(state.legal_moves())
            for move in rng.sample(legal, min(2, len(legal))):
                after = state.apply(move).layout()
                verdict = match(case.game, state, after)
                if not state.layout().differences(after):
                    # Only pieces that may be out of sight can differ.
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

    unnamed: ClassVar[Mapping[str, float]] = {}
    """The largest share of illegal moves, by game, after which table and record are only compared; 0 for most games.

    In games with many steps in a turn, an illegal step may leave a table that no single event explains.
    """

    def test_illegal_moves_on_the_table_are_named(self, game: Game[Any]) -> None:
        """If a camera proposes moves, an illegal move that was carried out is refused with the right event and seat, or
        people are asked what happened. No other seat is ever blamed, and no rule is cited that was not broken.
        """
        if game.proposer is None or game.name not in self.watched():
            return
        tried, unnamed = 0, []
        for state, move, seen in forced_moves(game):
            verdict = match(game, state, seen)
            same = [move, *(one for one in by_other_seats(state, move) if forced(state, one) == seen)]
            tried += 1
            if isinstance(verdict, Refused):
                assert verdict.seat in {seat_of(state, one) for one in same}, (game.text(move), verdict)
                assert set(verdict.breaches) <= set(state.violations(verdict.event)) or verdict.before
            if not is_named(game, state, same, seen, verdict):
                unnamed.append((game.text(move), verdict))
        assert len(unnamed) <= self.unnamed.get(game.name, 0.0) * tried, unnamed

    def watched(self) -> frozenset[str]:
        """Returns the names of the games that a camera watches; all games if there are no manifests."""
        if self.games and not self.manifests:
            return frozenset(game.name for game in self.games)
        return frozenset(one.game.name for one in self.manifests if one.plan is not None)


def forced(state: Any, move: Event) -> Layout | None:
    """Returns the table after an illegal move; None if the move is legal or cannot be carried out."""
    if not state.violations(move):
        return None
    try:
        layout: Layout = state.apply_unchecked(move).layout()
    except MoveError:
        return None
    return layout


def forced_moves(game: Game[Any]) -> Iterator[tuple[Any, Move, Layout]]:
    """Yields positions of a game, illegal moves in them, and the tables after these moves."""
    rng = Random(7)
    for case in cases(game):
        moves = other_moves(case)
        for state, _ in [step for one in several(case) for step in one.looked_at()[::2]]:
            if not isinstance(state.expects(), ToMove):
                continue
            for move in rng.sample(moves, min(FORCED, len(moves))):
                seen = forced(state, move)
                if seen is not None and state.layout().differences(seen):
                    yield state, move, seen


def is_named(game: Game[Any], state: Any, same: Sequence[Move], seen: Layout, verdict: Verdict) -> bool:
    """True if a verdict names an illegal move that was carried out, or asks people about it.

    Args:
        same: The move, and the moves of other seats that leave the same table.
        seen: The table after the move.
    """
    match verdict:
        case Accepted():
            return ends_alike(state, verdict.events, seen)
        case Pending():
            return True
        case Refused():
            named = [verdict.event]
        case Unclear():
            named = [choice.events[-1] for choice in verdict.choices if choice.events]
        case _:
            return False
    return any(
        one == event or game.looks_alike(state, one, event) or leaves(state, one, seen)
        for one in named
        for event in same
    )


def leaves(state: Any, move: Event, seen: Layout) -> bool:
    """True if an illegal move would have left this table; a table does not show which die was used."""
    after = forced(state, move)
    return after is not None and not after.differences(seen)


def by_other_seats(state: Any, move: Move) -> list[Move]:
    """Returns the same move by each of the other seats; without owned pieces, a table does not show who has moved."""
    seat = named_seat(move)
    return (
        []
        if seat is None
        else [msgspec.structs.replace(move, seat=other) for other in range(state.seats) if other != seat]
    )
