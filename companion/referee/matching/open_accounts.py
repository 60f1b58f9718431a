"""The accounts that a verdict opens: answers to a question, and other events in place of a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from companion.core.contract import Event
from companion.core.layout import Layout
from companion.core.verdict import Accepted, Choice, Same, Unclear, Verdict
from companion.referee.matching.accounts import MOST_ACCOUNTS, Account, Standpoint, against, one_misread
from companion.referee.matching.alternatives import legal_ways
from companion.referee.matching.memory import Memory
from companion.referee.matching.rereading import FARTHEST
from companion.referee.matching.stories import Stories, carried_out

FAR = 50.0
"""The cost in nats of the account that nothing happened, if the picture is unexplained: it is followed last."""


class OpenAccounts(NamedTuple):
    """Opens accounts after a verdict."""

    tales: Stories
    compared: Callable[[Standpoint, Memory, Layout], Verdict]
    """Returns the verdict on a reading if only legal explanations count."""
    memory: Memory
    """The memory of the table before the verdict."""

    def answers(
        self, question: Unclear, ahead: Sequence[Account], here: Standpoint, layout: Layout, unmoved: Memory
    ) -> tuple[Account, ...]:
        """Returns the accounts that are open after a question.

        Args:
            ahead: The accounts that were open before it.
            unmoved: The memory if nothing has happened.
        """
        nothing = FAR
        if question.cost is not None:
            nothing = max(0.0, against(self.memory, here.state, layout) - question.cost)
        accounts = [Account((), here.state, unmoved, nothing)]
        choices = (*question.choices, *question.rest)
        if all(choice.breaches for choice in choices):  # The players may undo all of them.
            accounts += [one for one in ahead if one.says_something and not one.illegal]
        for choice in choices:
            illegal = bool(choice.breaches)
            state = self.tales.forced(here.state, choice) if illegal else self.tales.after(here.state, choice)
            if state is not None and choice.undo is None:
                memory = self.memory.taken(state.layout(), layout, here.row, "event")
                account = Account(
                    choice.events, state, memory, choice.score, choice.given, None, choice.confirm, illegal
                )
                accounts.append(account)
        return tuple(accounts)

    def rivals(
        self, accepted: Accepted, known: Sequence[Account], stood: Any, here: Standpoint, layout: Layout
    ) -> tuple[Account, ...]:
        """Returns the accounts in which the accepted events, or earlier ones of the record, did not happen.

        Args:
            known: The rivals of earlier rows.
            stood: The position before the accepted events, or None.
            here: The state of the game after the accepted events.
        """
        found: list[Account] = []
        for account in known:
            then = self.compared(here._replace(state=account.state), account.memory, layout)
            if isinstance(then, Same):
                cost = account.cost + against(account.memory, account.state, layout) - accepted.cost
                memory = account.memory.taken(account.state.layout(), layout, here.row, "event")
                found.append(account._replace(memory=memory, cost=max(0.0, cost)))
            for events, cost in legal_ways(then):
                state = self.tales.after(account.state, Choice(events, "", (), 0.0))
                if state is not None:
                    memory = account.memory.taken(state.layout(), layout, here.row, "event")
                    cost = max(0.0, account.cost + cost - accepted.cost)
                    found.append(
                        account._replace(events=(*account.events, *events), state=state, memory=memory, cost=cost)
                    )
        if stood is not None:
            row = here.row - len(accepted.events)
            for rival in accepted.rivals:
                state = self.tales.after(stood, rival)
                if state is None:
                    continue
                given = rival.given or (None if rival.events else one_misread(stood, here.state, row))
                memory = self.memory.taken(state.layout(), layout, here.row, "event")
                cost = max(0.0, rival.score - accepted.cost)
                undo = None if given is not None and not rival.events else row
                found.append(Account(rival.events, state, memory, cost, given, undo))
        return within([one for one in found if one.state != here.state])


def within(accounts: Iterable[Account]) -> tuple[Account, ...]:
    """Returns the accounts that the pictures have not contradicted, the likeliest of each position first."""
    known: dict[Any, Account] = {}
    for account in sorted(accounts, key=lambda one: one.cost):
        if account.cost <= FARTHEST:
            known.setdefault(account.state, account)
    return tuple(known.values())[:MOST_ACCOUNTS]


def followed_by(account: Account, event: Event, here: Standpoint, layout: Layout | None) -> Account | None:
    """Returns an account continued with a row that was written without a picture; None if the account ends there.

    Args:
        here: Where the game stands after the row.
        layout: The reading that already shows the row; None if no reading does yet.
    """
    state = carried_out(account.state, event)
    if state is None or state == here.state:
        return None
    known = account.memory
    memory = known if layout is None else known.taken(state.layout(), layout, here.row, "event")
    return account._replace(events=(*account.events, event), state=state, memory=memory)
