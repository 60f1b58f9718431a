"""Every game in five situations: at its start, in its middle, with an illegal move open, with a question open, over.

Games are played by chance from a fixed seed, once for all tests; what the table asks is put up as the session itself
would show it, so a page can be looked at without a camera.
"""

from __future__ import annotations

from random import Random
from typing import Any, Literal

from companion.core.contract import Event, Over, ToMove, Violation
from companion.core.verdict import Choice, Refused, Unclear
from companion.referee.matching import seat_of
from companion.referee.session.alert import Alert
from companion.referee.session_manager import SessionManager
from companion.referee.table.table import Table

Situation = Literal["start", "middle", "alert", "question", "end"]
SITUATIONS: tuple[Situation, ...] = ("start", "middle", "alert", "question", "end")

NAMES = ("Ada", "Bonaventura", "Cleo", "Dietrich", "Eve", "Farid")
MIDDLE = 24
"""Events before the middle of a game."""
EARLY = {"solitaire": 3, "poker": 1}
"""Events before the middle of games that chance ends soon."""
LONGEST = 700
"""More events than a game of these options has."""
MADE_UP = (
    "A piece may go only where it touches another one along a whole side, and here it touches none.",
    "A neighboring color must be the same size or one size smaller than the piece below it.",
)
"""Sentences of breaches that no game says: all that an alert may hold."""
SHORT: dict[str, dict[str, Any]] = {
    "spectrumo": {"limit": 20, "same_colour": True},
    "spectrump": {"deck": 72, "rounds": 1},
}
"""Options by which long games are over soon."""

_SHOWS = """new Promise((done, fail) => { const end = performance.now() + 60000; const look = () => {
  const row = document.querySelector('#history .row')?.dataset.key ?? 'row-0';
  const alert = Number(document.querySelector('#alert')?.dataset.number ?? 0);
  const fresh = row === 'row-%d' && alert === %d && document.querySelector('#state.live');
  if (fresh && !document.querySelector('[aria-busy="true"]')) done(true);
  else if (performance.now() > end) fail(new Error('the page never showed row %d')); else setTimeout(look, 15); }; look(); })"""


def shows(table: Table) -> str:
    """JavaScript that waits until an open page shows the table's last row and its alert."""
    alert = 0 if table.session.alert is None else table.session.alert.number
    return _SHOWS % (table.session.seq, alert, table.session.seq)


def begin(sessions: SessionManager, game: str) -> Table:
    """A new game with as few players as it allows, dealt by the program where it can."""
    seats = sessions.games[game].seats[0]
    names = NAMES[:seats]
    return sessions.start(
        game, names, SHORT.get(game, {}), draws="told" if sessions.games[game].dealer is None else "dealt"
    )


def chance(table: Table, rng: Random) -> Event | None:
    """Any event that may come next; None if the game is over."""
    state = table.session.state
    expects = state.expects()
    if isinstance(expects, Over):
        return None
    if isinstance(expects, ToMove):
        return rng.choice(table.session.legal())
    found = []
    for event, _ in table.session.game.outcomes(state):
        found.append(event)
        if len(found) == 60:
            break
    return rng.choice(found)


def play(table: Table, events: int, seed: int = 5) -> None:
    """Play events by chance, until there are none."""
    rng = Random(seed)
    for _ in range(events):
        event = chance(table, rng)
        if event is None:
            return
        table.play(event, source="page")


def refuse(table: Table) -> None:
    """An illegal move is open, with all that such an alert can hold."""
    event = _event(table)
    rule = _rule(table)
    breaches = (Violation(rule, MADE_UP[0]), Violation(rule, MADE_UP[1]))
    seat = seat_of(table.session.state, event) or 0
    with table.session.lock:
        table.session.show(Alert(1, Refused(event, seat, breaches, 9.0), None))


def wonder(table: Table) -> None:
    """A question between three answers is open."""
    rng = Random(3)
    found: list[Event] = [_event(table)]
    for _ in range(40):
        event = chance(table, rng)
        if event is not None and event not in found and len(found) < 3:
            found.append(event)
    game = table.session.game
    choices = tuple(Choice((event,), game.text(event), (), 5.0) for event in found)
    with table.session.lock:
        table.session.show(Alert(2, Unclear(choices), None))


def _event(table: Table) -> Event:
    event = chance(table, Random(1))
    assert event is not None
    return event


def _rule(table: Table) -> str:
    from companion.games.rule_pages import rules_of

    return rules_of(table.session.game.name)[3].number


def arrange(sessions: SessionManager, game: str, situation: Situation) -> Table:
    """Put a game on the session manager's table, in one of the situations."""
    table = begin(sessions, game)
    for one in SITUATIONS[: SITUATIONS.index(situation) + 1]:
        lead_to(table, one)
    return table


def lead_to(table: Table, situation: Situation) -> None:
    """Lead a game from the situation before to this one."""
    if situation == "middle":
        play(table, EARLY.get(table.session.game.name, MIDDLE))
    elif situation == "alert":
        refuse(table)
    elif situation == "question":
        wonder(table)
    elif situation == "end":
        play(table, LONGEST)
