"""Conformance tests for the parts of a game: cited rules, the page, the mat, and a worked game."""

from __future__ import annotations

from collections.abc import Sequence
from pkgutil import resolve_name
from typing import Any, ClassVar

from companion.core.contract import Event, Move, ToMove
from companion.core.foundation.errors import MoveError
from companion.core.game import Game
from companion.core.manifest import Manifest
from companion.core.plan import Point, PyramidBoard
from companion.games import rule_pages
from companion.testing.cases import Case, WorkedGame, cases, played, several


def rule_numbers(manifest: Manifest) -> frozenset[str]:
    """Returns the numbers of all written rules of a game."""
    if manifest.rules is None:
        return frozenset(rule.number for rule in rule_pages.rules_of(manifest.game.name))
    return frozenset(rule.number for rule in rule_pages.read(manifest.rules.read_text(encoding="utf-8")))


def other_moves(case: Case) -> list[Move]:
    """Returns every move of a played game and some further legal moves; in other positions most of them are illegal."""
    games = several(case)
    found = {event for game in games for state, event in game.steps if isinstance(state.expects(), ToMove)}
    for state, _ in (step for game in games for step in game.looked_at()):
        legal = state.legal_moves()
        found.update(legal[at] for at in range(0, len(legal), max(len(legal) // 20, 1)))
    return sorted(found, key=repr)


def cited(case: Case) -> frozenset[str]:
    """Returns the rules that a played game cites in refusals, in scores and at its end."""
    game = played(case)
    moves = other_moves(case)
    found = {case.game.seats_rule, game.end.outcome().rule}
    for state in (*(step.state for step in game.looked_at()), game.end):
        found.update(breach.rule for move in moves[:: max(len(moves) // 15, 1)] for breach in state.violations(move))
        found.update(line.rule for score in state.scores() for line in score.lines)
    return frozenset(number for rules in found for number in rules.split(", "))


def signed_area(outline: Sequence[Point]) -> float:
    """Returns twice the area of an outline; positive if it goes clockwise on a mat, whose y axis points down."""
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(outline, [*outline[1:], *outline[:1]], strict=True))


def after_lines(game: Game[Any], worked: WorkedGame) -> Any:
    """Returns the position after the lines of a worked game."""
    seats = game.seats[0] if worked.seats is None else worked.seats
    options = game.Options()
    begun = worked.position is None
    state = game.start(seats, options) if begun else game.from_record(seats, options, worked.position or {})
    for line in worked.lines:
        event: Event = game.parse(state, line)
        try:
            state = state.apply(event)
        except MoveError as error:
            raise AssertionError(f"{line}: {error}") from error
    return state


class PartsContract:
    """Conformance tests that need the manifest of a game, and a game that a person has worked out."""

    manifests: ClassVar[Sequence[Manifest]] = ()
    """The manifests of the games; their parts are tested as well."""
    worked: ClassVar[Sequence[WorkedGame]] = ()
    """A worked game for each game, because the suite itself knows neither winners nor places."""
    needs_worked_games: ClassVar[bool] = True
    """True if each game of `manifests` must have a worked game."""

    def test_cited_rules_are_written_down(self, manifest: Manifest) -> None:
        numbers = rule_numbers(manifest)
        for case in cases(manifest.game):
            missing = cited(case) - numbers
            assert not missing, f"{case} cites {', '.join(sorted(missing))}, which its rules do not have"

    def test_what_the_page_needs_can_be_loaded(self, manifest: Manifest) -> None:
        for name in (manifest.presenter, manifest.adviser):
            if name:
                resolve_name(name)()
        if not isinstance(manifest.panel, str):
            assert manifest.panel.is_file()

    def test_the_mat_shows_the_cells_as_the_page_does(self, manifest: Manifest) -> None:
        rows = getattr(resolve_name(manifest.presenter), "rows", None) if manifest.presenter else None
        for seats in manifest.game.seats if manifest.plan is not None else ():
            for zone in manifest.plan(seats).zones if manifest.plan is not None else ():
                if isinstance(zone, PyramidBoard):
                    assert signed_area(zone.outline_mm) > 0, "the corners of a board run clockwise, seen from above"
                    assert rows is None or tuple(map(tuple, rows)) == zone.rows

    def test_texts_of_other_languages_can_be_read(self, manifest: Manifest) -> None:
        for page in manifest.translated_rules.values():
            assert {rule.number for rule in rule_pages.read(page.read_text(encoding="utf-8"))} == rule_numbers(manifest)
        for catalog in manifest.texts.values():
            assert catalog.is_file() and "msgid" in catalog.read_text(encoding="utf-8")

    def test_a_worked_game_goes_as_a_person_says(self, manifest: Manifest) -> None:
        worked = next((one for one in self.worked if one.game == manifest.game.name), None)
        assert worked is not None or not self.needs_worked_games, "give a WorkedGame in `worked`"
        if worked is None:
            return
        state = after_lines(manifest.game, worked)
        outcome = state.outcome()
        assert outcome is not None, "a worked game is played to its end"
        assert outcome.places == worked.places
        layout = state.layout()
        for spot, piece in worked.shows.items():
            assert layout.cells[spot].piece == piece, spot
        if manifest.plan is not None:
            assert worked.shows or not layout.cells, "say what lies on some cells"
