"""Plays a drawn game without corrections, to see how soon a referee that fell behind recovers by itself.

Nobody answers its questions either. So the figures are how often position and table agree, the invented events, and the
wrong accusations; an event that is reported a picture or two late does not count as an error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.app.commands.watch import RecordingReferee
from companion.core.verdict import Refused, Unclear
from companion.referee.telling import ToldVerdict
from simulation.drawn.reel import Moment
from simulation.drawn.refereed import Refereed
from simulation.drawn.step import Player, Step
from simulation.drawn.tally import key_of
from vision.image.picture import Picture


class Alone(Refereed):
    """A game with a referee that gets no help."""

    def __init__(self, *args: Any, **kept: Any) -> None:
        super().__init__(*args, **kept)
        self._behind: list[Step] = []
        """The steps since position and table last agreed."""
        self._due: Counter[str] = Counter()
        """The events that happened and are not reported yet."""
        self._illegal: list[Step] = []
        """The mistakes made since then, including the one before the last agreement."""

    def _judge(self, player: Player, referee: RecordingReferee, moment: Moment, last: Any, views: Any) -> None:
        step = moment.step
        if step is None:
            self._open(player, referee, moment, last, views)
            return
        table = referee.table
        self._last_turn = moment.turn if not moment.hand else self._last_turn
        told: list[ToldVerdict] = []
        picture: Picture | None = None
        for picture, number in views():
            told += self._look(referee, picture, number)
            if self._agrees(table, moment):
                break
        if moment.hand:
            return
        self._behind.append(step)
        self._due.update(map(key_of, self._seen_words(step)))
        result = self._result(step, table, told, moment)
        self.tally.counts["events"] += len(step.words)
        self.tally.outcomes[step.kind, result] += 1
        if last() is not None:
            self.tally.read(moment.layout, last().layout)
        if result != "right":
            self._note(moment, result, told, last(), picture)
        self._alerts = table.session.alert.number if table.session.alert is not None else self._alerts

    def _result(self, step: Step, table: Any, told: list[ToldVerdict], moment: Moment) -> str:
        verdict = None
        if table.session.alert is not None and table.session.alert.number > self._alerts:
            verdict = table.session.alert.verdict
        wrong = 0
        for one in told:
            if (
                one.words is not None
                and one.words.get("legal")
                and one.words["type"] != "take_back"
                and "rock" not in one.words
            ):
                if self._due[key_of(one.words)] > 0:
                    self._due[key_of(one.words)] -= 1
                else:
                    wrong += 1
        named = [event for late in self._behind if late.kind == "illegal" for event in late.events]
        agrees = self._agrees(table, moment)
        if isinstance(verdict, Refused):
            return "right" if verdict.event in named else "misnamed" if named else "accused"
        if agrees or (step.kind == "illegal" and not table.session.state.layout().differences(step.before.layout())):
            settled = self._behind
            self._behind = [step] if step.kind == "illegal" and not agrees else []
            if wrong:
                self._due.clear()
                return "wrong"
            if step.kind == "illegal" and len(settled) == 1:
                return "asked" if isinstance(verdict, Unclear) else "silent"
            return "right"
        if isinstance(verdict, Unclear):
            return "asked"
        return "wrong" if wrong else "silent"

    def _seen_words(self, step: Step) -> Iterator[dict[str, Any]]:
        """Yields the events of a legal step that a camera can see."""
        if step.kind == "legal":
            yield from (words for words in step.words if "rock" not in words)
