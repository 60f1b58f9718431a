"""The verdict on a picture while a question is open: each of its answers may go on, and so may the record.
The accounts that a verdict opens.

Without a person, only a clear lead of one explanation over all others closes a question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import Any, NamedTuple

from msgspec.structs import replace

from companion.core.contract import Event
from companion.core.layout import Layout
from companion.core.verdict import Accepted, Choice, Refused, Same, Unclear, Verdict
from companion.referee.matching.accounts import MOST_ACCOUNTS, Account, Standpoint, against, one_misread, shows_cards
from companion.referee.matching.alternatives import legal_ways
from companion.referee.matching.came_to_light import UNASKED
from companion.referee.matching.judging import ACCEPT_MARGIN
from companion.referee.matching.memory import Memory
from companion.referee.matching.rereading import FARTHEST
from companion.referee.matching.stories import CHOICES, Stories, Story, carried_out, common_end, distinct

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


FARTHER = 2.0
"""Nats by which a legal account may be less likely than an accusation to be offered as an answer beside it."""


class OpenQuestion(NamedTuple):
    """A question that no person has answered, together with a further reading."""

    tales: Stories
    compared: Callable[..., Verdict]
    """The verdict on a reading for a standpoint and a memory."""
    accused: Callable[..., Verdict]
    """Returns an accusation, or a legal explanation in its place."""
    here: Standpoint
    layout: Layout
    asked: Unclear | None
    """The question that was asked last."""
    ahead: tuple[Account, ...]
    """The answers to the question, as accounts."""
    told: tuple[Event, ...]
    """The events since the last row that all accounts share."""

    def verdict(self, memory: Memory, read: Verdict, *, glance: bool) -> Verdict | None:
        """Returns the verdict on the reading; None if there is no news.

        Args:
            memory: The memory of the table by the record; `read`: the verdict by this memory.
            glance: True if there will be another look before an accusation.
        """
        stories = list(self.tales.told_by(Account((), self.here.state, memory, 0.0), read))
        standing = inf
        for account in self.ahead:
            stood = self.here._replace(state=account.state)
            then = self.compared(stood, account.memory, self.layout, lawful=account.illegal)
            if isinstance(then, Same):
                return self.asked if isinstance(read, Accepted) and self._is_undecided else None
            if account.illegal:
                standing = min([standing, *(account.cost + cost for _, cost in legal_ways(then))])
            else:
                stories += self.tales.told_by(account, then)
        stories = distinct(stories)
        if not stories:
            return None
        best, *rest = stories
        others = [one for one in rest if self.tales.differ(self.here, best, one)]
        enough = self._enough(best, others)
        if standing < best.choice.score + enough:
            return self.asked  # The event in question may be illegal and still stand: then all later events are legal.
        margin = others[0].choice.score - best.choice.score if others else inf
        if best.choice.breaches:
            accused = self._refused(best, others, margin, glance)
            if accused is not None:
                return accused
        elif not best.choice.confirm and margin >= enough:
            given, cost = best.choice.given, best.choice.score
            rivals = tuple(one.choice for one in others if not one.choice.breaches)
            return Accepted(best.choice.events, 0.0, margin, cost=cost, given=given, told=self.told, rivals=rivals)
        return self._question(best, others)

    @property
    def _is_undecided(self) -> bool:
        """Returns true if two answers to the question explain the reading about equally well."""
        answers = [one for one in self.ahead if one.says_something]
        costs = sorted(one.cost + against(one.memory, one.state, self.layout) for one in answers)
        return len(costs) > 1 and costs[1] < costs[0] + ACCEPT_MARGIN

    def _refused(self, best: Story, others: Sequence[Story], margin: float, glance: bool) -> Verdict | None:
        """Returns an accusation, or a legal explanation in its place; None if it is not sure enough."""
        unsure = best.excused or best.choice.confirm or best.choice.given is not None
        if unsure or shows_cards(self.layout):
            return None
        *before, event = best.choice.events
        accused = Refused(event, best.seat, best.choice.breaches, margin, tuple(before), best.choice.score)
        if glance:
            return accused
        named = [one for one in others if one.choice.breaches]
        if named and named[0].choice.score < accused.cost + FARTHER:
            return None
        return self.accused(accused, behind=best.account if best.account.says_something else None)

    def _enough(self, best: Story, others: Sequence[Story]) -> float:
        """Returns the nats by which a legal explanation must lead all others to be taken."""
        corrected = {one.choice.given is None for one in (best, *others)}
        likelier = any(one.cost < best.account.cost for one in self.ahead if one.says_something)
        usual = ACCEPT_MARGIN
        return UNASKED if likelier or len(corrected) > 1 else usual

    def _question(self, best: Story, others: Sequence[Story]) -> Unclear:
        """Returns the question which of several explanations is true; all of them stay open."""
        least = best.choice.score
        open_ = [one for one in (best, *others) if one.choice.score < least + FARTHEST][:MOST_ACCOUNTS]
        answers = [replace(one.choice, score=one.choice.score - least) for one in open_]
        unsettled = shows_cards(self.layout) or any(one.choice.breaches for one in open_)
        common = () if unsettled else common_end([one.new for one in open_])
        return Unclear(tuple(answers[:CHOICES]), least, common, tuple(answers[CHOICES:]))
