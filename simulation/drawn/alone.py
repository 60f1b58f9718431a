"""One drawn game that nobody corrects: how soon does a referee that fell behind find back by itself?

Nobody answers its questions either. So what counts is how often position and table agree, what it took that never
happened, and whom it accused wrongly; an event that is told a picture or two late is no harm.
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
    """One game and one referee, and nobody to help it."""

    def __init__(self, *args: Any, **kept: Any) -> None:
        super().__init__(*args, **kept)
        self._behind: list[Step] = []
        """What was done since position and table last agreed."""
        self._due: Counter[str] = Counter()
        """Events that happened and were not told yet."""
        self._illegal: list[Step] = []
        """Mistakes made since then, the one before the last agreement included."""

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
