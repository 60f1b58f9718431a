"""One process of a long run: cases of one kind, each made from its number, until the time is over.

A process for each kind uses every core, and a case that never ends or takes its process down with it spoils no other
kind. A kind that has made what it was to make lets the others go first.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from random import Random
from typing import Any, NamedTuple

from tests.fuzz.timing import now_s

LONGEST_S = 5.0
"""No case takes longer, but for what other programs of the machine take; a story looks at each of its parts."""
HANG_S = 60.0
"""A case that is not over by then, on however busy a machine, never ends."""
MEMORY_MB = 600
"""No process ever holds more, unless the one that it was copied from did."""


class Kind(NamedTuple):
    """A kind of case, and how many there are to be in half an hour."""

    one: Callable[[Random], None]
    goal: int
    count: Callable[[], int] | None = None
    """What is counted toward the goal; by default the cases."""
    unit: str = "cases"
    many: bool = False
    """Whether a case is a long story, which may take its time."""


class Report(NamedTuple):
    """What one process did."""

    cases: int
    counted: int
    slowest_s: float
    memory_mb: float
    failures: dict[str, str]
    """How each kind of failure is met again, by what it is."""


class Worker:
    """One process that makes cases of one kind."""

    def __init__(self, name: str, kind: Kind, start: int, minutes: float) -> None:
        """
        :param start: number of the first case.
        """
        self.name, self.kind = name, kind
        self._now: Any = multiprocessing.Array("d", [float(start), time.monotonic()])
        self._reports, there = multiprocessing.Pipe(duplex=False)
        self._process = multiprocessing.Process(
            target=_work, args=(kind, name, start, minutes, self._now, there), daemon=True
        )
        self._process.start()
        there.close()

    def waited(self) -> Report:
        """What it did, once it is over; a case that never ended or took the process down is a failure."""
        while not self._reports.poll(0.5):
            number, begun = int(self._now[0]), self._now[1]
            if time.monotonic() > begun + HANG_S + (HANG_S * 5 if self.kind.many else 0):
                self._process.kill()
                return self._fallen(number, "a case that never ends")
        try:
            report: Report = self._reports.recv()
        except EOFError:
            self._process.join()
            return self._fallen(int(self._now[0]), f"a process that died ({self._process.exitcode})")
        self._process.join()
        return report

    def _fallen(self, number: int, what: str) -> Report:
        return Report(0, 0, 0.0, 0.0, {what: f"{self.name} {number}: {what}"})


def _work(kind: Kind, name: str, start: int, minutes: float, now: Any, there: Connection) -> None:
    until, made, slowest, ahead = time.monotonic() + minutes * 60, 0, 0.0, False
    failures: dict[str, str] = {}
    copied = _most_mb()
    while time.monotonic() < until:
        number = start + made
        now[0], now[1] = float(number), time.monotonic()
        begun = now_s()
        try:
            kind.one(Random(number))
        except (Exception, BaseExceptionGroup) as error:  # whatever it is, it is a finding
            where = traceback.extract_tb(error.__traceback__)[-1]
            known = f"{type(error).__name__} in {where.filename}:{where.lineno}"
            failures.setdefault(known, f"{name} {number}: {known}: {str(error)[:300]}")
        made += 1
        took = now_s() - begun
        slowest = max(slowest, took)
        if took > LONGEST_S and not kind.many:
            failures.setdefault("slow", f"{name} {number}: took {took:.1f} s")
        counted = made if kind.count is None else kind.count()
        if not ahead and counted > kind.goal * minutes / 30 * 1.1:
            ahead = True
            os.nice(9)
    held = _most_mb()
    if held > max(MEMORY_MB, 1.2 * copied):
        failures["memory"] = f"{name}: held {held:.0f} MB"
    there.send(Report(made, made if kind.count is None else kind.count(), slowest, held, failures))


def _most_mb() -> float:
    """The most memory that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
