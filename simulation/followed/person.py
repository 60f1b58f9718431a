"""Simulates a person beside the table who answers the referee truly, or not at all.

She knows what happened. She never answers a share of the questions: then she does nothing about that question and does
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
        """Prepares a person.

        Args:
            unanswered: The share of questions that she never answers.
            corrects: False if she answers questions and reports misreadings, but never sets the position.
            set_up: Sets the true position on the page of a table.
        """
        self._rng = rng
        self._ledger = ledger
        self._unanswered = unanswered
        self._corrects = corrects
        self._set_up = set_up
        self._handled = 0
        """The number of the last alert that she has seen."""
        self.ignores = False
        """True while she leaves a question open."""
        self.corrections = 0

    def new_alert(self, table: Table) -> Alert | None:
        """Returns the alert on the page if she has not handled it yet; otherwise None."""
        alert = table.session.alert
        return alert if alert is not None and alert.number > self._handled else None

    def react(self, table: Table, *, agrees: bool, wrong: bool, waits: bool) -> None:
        """Answers questions and corrects the record after a picture.

        Args:
            agrees: True if record and table agree, as far as the eyes can see.
            wrong: True if something untrue was recorded or reported.
            waits: True if the last step was illegal or out of sight; then she does not put the record right yet.
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
        """Sets the true position if she corrects at all; otherwise reports a misreading."""
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
        """Returns the index of the true answer that states the most; None if none is true."""
        state, found = table.session.state, []
        for place, choice in enumerate(question.choices):
            try:
                if self._ledger.is_true(state, choice) and self._ledger.is_in_order(state, choice):
                    found.append((self._ledger.untrue(state, choice), place))
            except MoveError:
                continue
        return min(found)[-1] if found else None

    def _answered(self, table: Table, question: Unclear) -> bool:
        """Chooses the true answer; returns False if none is true or the referee rejects it."""
        true = self.true_answer(table, question)
        if true is None:
            return False
        try:
            table.answer(true, source="page")
        except MoveError:
            return False
        return True
