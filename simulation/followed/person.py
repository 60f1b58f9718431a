"""A person beside the table who answers the referee truly, or not at all.

She knows what happened. A share of the questions she never answers: then she does nothing about that question and does
not put the record right either, until record and table agree again or she answers another question.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from companion.core.foundation.errors import MoveError
from companion.core.verdict import Refused, TakenBack, Unclear
from companion.referee.session.alert import Alert
from companion.referee.table.table import Table
from simulation.followed.ledger import Ledger


class Person:
    """One person at one table."""

    def __init__(
        self, rng: Random, ledger: Ledger, unanswered: float, corrects: bool, set_up: Callable[[Table], None]
    ) -> None:
        """
        :param unanswered: the share of questions that she never answers.
        :param corrects: False: she answers and says what was misread, but never sets the position.
        :param set_up: sets the position that really is there.
        """
        self._rng = rng
        self._ledger = ledger
        self._unanswered = unanswered
        self._corrects = corrects
        self._set_up = set_up
        self._handled = 0
        """Number of the last alert that she has seen."""
        self.ignores = False
        """True while she leaves a question open."""
        self.corrections = 0

    def new_alert(self, table: Table) -> Alert | None:
        """What is asked or said that was not on the page before."""
        alert = table.session.alert
        return alert if alert is not None and alert.number > self._handled else None

    def react(self, table: Table, *, agrees: bool, wrong: bool, waits: bool) -> None:
        """Answer and correct after a picture.

        :param agrees: whether record and table agree, as far as it can be seen.
        :param wrong: whether something was written or said that is not true.
        :param waits: whether what happened cannot be seen or was illegal: then nothing is put right yet.
        """
        alert = self.new_alert(table)
        self._handled = alert.number if alert is not None else self._handled
        if alert is not None and isinstance(alert.verdict, Unclear):
            self.ignores = self._rng.random() < self._unanswered
            if self.ignores or self._answered(table, alert.verdict):
                return
            if waits:
                return
            self._put_right(table, agrees=agrees, wrong=wrong, asked=True)
            return
        if self.ignores:
            self.ignores = not agrees
            return
        asked = alert is not None and isinstance(alert.verdict, TakenBack)
        if alert is not None and isinstance(alert.verdict, Refused) and not wrong:
            return
        if wrong or asked or (not agrees and not waits):
            self._put_right(table, agrees=agrees, wrong=wrong, asked=asked)

    def put_right(self, table: Table) -> None:
        """Set the position, should she ever."""
        if self._corrects:
            self.corrections += 1
            self._set_up(table)
        elif table.session.alert is not None:
            table.misread(source="page")
        self._handled = max(self._handled, table.session.alert.number if table.session.alert is not None else 0)

    def _put_right(self, table: Table, *, agrees: bool, wrong: bool, asked: bool) -> None:
        if agrees and not wrong and asked:
            table.misread(source="page")
        else:
            self.put_right(table)

    def true_answer(self, table: Table, question: Unclear) -> int | None:
        """Returns the place of the answer that is true and tells most; None if none is true."""
        state, found = table.session.state, []
        for place, choice in enumerate(question.choices):
            try:
                if self._ledger.is_true(state, choice) and self._ledger.is_in_order(state, choice):
                    found.append((self._ledger.untrue(state, choice), place))
            except MoveError:
                continue
        return min(found)[-1] if found else None

    def _answered(self, table: Table, question: Unclear) -> bool:
        """Choose the true answer; False if none is true."""
        true = self.true_answer(table, question)
        if true is None:
            return False
        try:
            table.answer(true, source="page")
        except MoveError:
            return False
        return True
