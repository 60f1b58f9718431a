"""Random games of which a part is never in view: `python -m bench.part_seen --game spectrangle --games 300`.

Hands reach out of the picture, a cloth lies on a few spaces for a while, the light changes so that readings are less
sure and now and then one is wrong, and steady pictures between two events are missing. People enter on the page what
leaves no trace on the table and answer questions; whoever sees that the record has been wrong for three pictures sets
the position. There are no pictures here: what is shown is what readers would say of them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec

from companion.core.contract import Drawn, Event, Over, Rolled, ToDraw, ToRoll
from companion.core.foundation.errors import MoveError
from companion.core.layout import Candidate, Detection, Layout, Spot
from companion.core.pieces import FACES, Die, Piece
from companion.core.verdict import Pending, Refused, Unclear
from companion.games import GAMES
from companion.referee.journal import Header, Journal, timeline
from companion.referee.matching import HISTORY, LOOKS
from companion.referee.table.table import Table

OPTIONS: dict[str, dict[str, Any]] = {
    "spectrangle": {"hands": "open"},
    "spectrum": {},
    "escape": {},
    "roll-and-color": {},
}
"""The games, each with what is not usual."""
SKIPPED = 0.2
"""Share of events after which no steady picture comes."""
MOST = 2
"""So many pictures in a row may be missing."""
CLOTH = 0.1
"""Share of pictures at which a cloth is laid, if none lies there."""
SPACES, PICTURES = 3, (2, 6)
"""It lies on so many spaces, for so many pictures."""
MISREAD = 0.03
"""Share of pictures in which one space or piece reads as something else, for that picture alone."""
SLIDES = 0.1
"""Share of pictures at which a piece of a hand slides out of the picture, for each hand of which none has."""
LATE = 3
"""After so many pictures that leave the record wrong a person sets the position."""


class PartSeenOutcome(NamedTuple):
    """The outcomes of some games."""

    right: int
    events: int
    wrong: int
    """Events in the record that nobody made."""
    accused: int
    asked: int
    pictures: int
    set_by_hand: int
    longest_s: float
    times_s: tuple[float, ...]


class PartSeen:
    """One game and what its eyes do not see."""

    def __init__(self, name: str, seed: int, trace: bool = False) -> None:
        self.trace = trace
        self.rng = Random(f"{name} {seed}")
        self.game = GAMES[name]
        seats = self.rng.choice([n for n in self.game.seats if n <= 4 and n > 1] or [min(self.game.seats)])
        header = Header(
            game=name,
            rules=self.game.rules,
            seats=seats,
            names=tuple(f"Player {seat + 1}" for seat in range(seats)),
            options=OPTIONS[name],
            started=0.0,
            software="0",
        )
        self._folder = TemporaryDirectory(prefix="companion-")
        self.journal = Journal.open(Path(self._folder.name) / "games.journal")
        self.again = False
        self.table = Table(
            self.game, self.journal.begin(header), self.journal, look_again=self._look_again, settled=self._settled
        )
        self.moved: list[Die] | None = None
        """Dice that were rolled since record and table last agreed, as readers of dice know it; None before that."""
        self.state = self.table.session.state
        self.out: dict[Spot, Piece | None] = {}
        """By hand that reaches out of the picture, the piece that lies there."""
        self.before: list[Layout] = []
        """The tables of the last positions."""
        self.cloth: dict[Spot, int] = {}
        self.made = self.right = self.events = self.wrong = 0
        self.asked = self.accused = self.wrong_for = self.pictures = self.by_hand = 0
        self.since: list[Event] = []
        """The events since record and table last agreed, at `known` events."""
        self.known = 0
        self.told: Counter[str] = Counter()
        self.times: list[float] = []

    def _settled(self, position: Layout) -> None:
        self.moved = []

    def _look_again(self) -> None:
        self.again = True

    def play(self, most: int) -> None:
        """Play to the end, or for so many events."""
        skipped = 0
        while self.made < most and not isinstance(self.state.expects(), Over):
            event = self._next()
            if self.trace:
                print(self.made, self.game.text(event))
            after = self.state.apply(event)
            if self._is_untraced(event, after):
                if skipped:
                    self._show()
                    skipped = 0
                self._tell(event)
                continue
            self.state = after
            self.made += 1
            self.since.append(event)
            if isinstance(event, Rolled) and self.moved is not None:
                self.moved = list(event.faces)
            if skipped < MOST and self.rng.random() < SKIPPED:
                skipped += 1
                continue
            skipped = 0
            self._show()
        if skipped:
            self._show()
        self._settle(agreed=self._agrees())
        self.journal.close()
        self._folder.cleanup()

    def _next(self) -> Event:
        """Returns a random legal move, or what chance brings."""
        due = self.state.expects()
        if isinstance(due, ToRoll):
            return Rolled(tuple(Die(kind, self.rng.choice(FACES[kind])) for kind in due.dice))
        if isinstance(due, ToDraw):
            events = list(self.game.outcomes(self.state))
            return self.rng.choices([one for one, _ in events], [ways for _, ways in events])[0]
        return self.rng.choice(list(self.state.legal_moves()))

    def _is_untraced(self, event: Event, after: Any) -> bool:
        """True if no picture shows it, or the game asks people to tell it."""
        told = self.game.proposer.needs_confirmation
        if told is not None and told(self.state, event):
            return True
        table = after.layout()
        if isinstance(event, Drawn) and any(not table.differences(earlier) for earlier in self.before):
            return True  # lots that are drawn to break a tie go back into the bag at once
        self.before = [*self.before[-HISTORY:], self.state.layout()]
        return not _plain(self.state.layout()).differences(_plain(after.layout())) and not isinstance(event, Rolled)

    def _tell(self, event: Event) -> None:
        """A person tells it on the page; whoever looks there first sees to it that the record is right."""
        if not self._agrees():
            self._set_position()
        elif self.since:
            self._settle(agreed=True)
        self.state = self.state.apply(event)
        self.made += 1
        self.table.play(event, source="page")
        self.known = len(self.table.session.steps())

    def _show(self) -> None:
        """A steady picture, and one more if the referee asks for it."""
        self.pictures += 1
        if self.cloth:
            self.cloth = {spot: left - 1 for spot, left in self.cloth.items() if left > 1}
        elif self.rng.random() < CLOTH:
            cells = list(self.state.layout().cells)
            lasts = self.rng.randint(*PICTURES)
            self.cloth = dict.fromkeys(self.rng.sample(cells, min(SPACES, len(cells))), lasts)
        self._slide()
        for nth in range(LOOKS):
            self.again = False
            began = time.process_time()
            said = self.table.see(msgspec.structs.replace(self._seen(), again=nth > 0), self.pictures)
            if self.trace:
                print("    ", self.pictures, said)
            self.times.append(time.process_time() - began)
            if not self.again:
                break
        self._answer()

    def _slide(self) -> None:
        """Pieces of hands that are known slide out of the picture, and come back when they are played."""
        known = self.table.session.state.layout()
        hands = {
            spot: [one.piece for one in heap] for spot, heap in self.state.layout().heaps.items() if ".hand" in spot
        }
        self.out = {spot: piece for spot, piece in self.out.items() if piece in hands.get(spot, ())}
        for spot, pieces in hands.items():
            there = [one.piece for one in known.heaps.get(spot, ()) if one.piece in pieces]
            if there and spot not in self.out and self.rng.random() < SLIDES:
                self.out[spot] = self.rng.choice(there)

    def _answer(self) -> None:
        """Answers the questions of the page as people do."""
        session = self.table.session
        if session.alert is not None:
            verdict = session.alert.verdict
            if isinstance(verdict, Unclear):
                self.asked += 1
                self._choose(verdict)
            elif isinstance(verdict, Refused):
                self.accused += 1
                self._set_position()
                return
        hidden = set(self.cloth)
        differs = [one for one in session.state.layout().differences(self.state.layout()) if one.spot not in hidden]
        self.wrong_for = self.wrong_for + 1 if differs else 0
        if self._agrees():
            self.state = session.state  # which of two dice is called the first is nobody's business
            self._settle(agreed=True)
        elif isinstance(session.alert and session.alert.verdict, Pending) and "Say what" in session.alert.verdict.text:
            self._say_roll()
        if self.wrong_for == LATE:
            self._set_position()

    def _say_roll(self) -> None:
        """Somebody tells the roll that no picture shows, as the page asks."""
        written = Counter(key_of(step.event) for step in self.table.session.steps()[self.known :] if step.event)
        left = [event for event in self.since if not _taken(written, key_of(event))]
        if self.trace:
            print("    asked for a roll; not written:", *map(self.game.text, left), sep=" | ")
        due = self.table.session.state.expects()
        if left and isinstance(left[0], Rolled) and isinstance(due, ToRoll):
            self.table.play(left[0], source="page")
            self.told[key_of(left[0])] += 1

    def _agrees(self) -> bool:
        """True if the record shows the same table, due and score as the game."""
        mine, its = self.state, self.table.session.state
        same = not its.layout().differences(mine.layout()) and not mine.layout().differences(its.layout())
        return same and its.expects() == mine.expects() and its.scores() == mine.scores()

    def _choose(self, question: Unclear) -> None:
        wanted = self.state.layout()
        for number, choice in enumerate(question.choices):
            state = self.table.session.state if choice.given is None else choice.given.state
            try:
                for event in choice.events:
                    state = state.apply(event)
            except MoveError:
                continue
            if not state.layout().differences(wanted):
                self.table.answer(number, source="page")
                return
        self._say_roll()

    def _set_position(self) -> None:
        """Somebody puts the record right; what it had wrong stays wrong."""
        self.by_hand += 1
        self.wrong_for = 0
        self._settle(agreed=False)
        self.table.set_position(timeline.written(self.state), "as it stands", source="page")
        self.known = len(self.table.session.steps())

    def _seen(self) -> Layout:
        """The readings of the present table."""
        truth = self.state.layout()
        cells = {spot: self._read(one.piece) for spot, one in truth.cells.items() if spot not in self.cloth}
        heaps = {}
        for spot, heap in _plain(truth).heaps.items():
            pieces = [one.piece for one in heap]
            if spot in self.out:
                pieces.remove(self.out[spot])
            heaps[spot] = tuple(self._read(piece) for piece in pieces)
        if self.moved is not None and "dice" in heaps:
            heaps["dice.moved"] = tuple(self._read(die) for die in self.moved)
        if self.rng.random() < MISREAD:
            self._mistake(cells, heaps)
        return Layout(cells, heaps, partial=frozenset(self.out), hidden=frozenset(self.cloth))

    def _read(self, piece: Piece | None) -> Detection:
        sure = self.rng.uniform(0.8, 0.995)
        found = [Candidate(piece, sure)]
        if piece is not None:
            found.append(Candidate(None, (1 - sure) * 0.1))
        return Detection(tuple(found))

    def _mistake(self, cells: dict[Spot, Detection], heaps: dict[Spot, tuple[Detection, ...]]) -> None:
        """One thing is taken for another of its kind, hardly surely."""
        held = [spot for spot, one in cells.items() if one.piece is not None]
        pieces = {one.piece for one in cells.values()} | {one.piece for heap in heaps.values() for one in heap}
        if held:
            spot = self.rng.choice(sorted(held))
            others = sorted((one for one in pieces if one is not None and one != cells[spot].piece), key=repr)
            if others:
                sure = self.rng.uniform(0.4, 0.75)
                wrong = Candidate(self.rng.choice(others), sure)
                cells[spot] = Detection((wrong, Candidate(cells[spot].piece, (1 - sure) * 0.6)))

    def _settle(self, *, agreed: bool) -> None:
        """Count what happened since record and table last agreed.

        Events that leave the same position, with the same scores, are the same story: no picture tells which it was.
        """
        steps = self.table.session.steps()
        written = Counter(key_of(step.event) for step in steps[self.known :] if step.event is not None)
        made = Counter(map(key_of, self.since)) - self.told
        written -= self.told
        self.events += made.total()
        self.right += made.total() if agreed else (written & made).total()
        self.wrong += 0 if agreed else (written - made).total()
        if self.trace and not agreed:
            print("not written:", *(made - written), "made up:", *(written - made), sep="\n    ")
        self.since, self.known = [], len(steps)
        self.told.clear()

    def outcome(self) -> PartSeenOutcome:
        """Its outcome."""
        return PartSeenOutcome(
            self.right,
            self.events,
            self.wrong,
            self.accused,
            self.asked,
            self.pictures,
            self.by_hand,
            max(self.times, default=0.0),
            tuple(self.times),
        )


def key_of(event: Event) -> str:
    """Returns an event as it is compared: dice have no order."""
    told = msgspec.to_builtins(event)
    if isinstance(event, Rolled):
        told["faces"] = sorted(told["faces"], key=repr)
    if isinstance(event, Drawn):
        told["pieces"] = sorted(told["pieces"], key=repr)
    return json.dumps(told, sort_keys=True)


def _taken(left: Counter[str], key: str) -> bool:
    """True if there is one more, which is used up then."""
    if left[key] <= 0:
        return False
    left[key] -= 1
    return True


def _plain(layout: Layout) -> Layout:
    """Returns a predicted table as readers would say it: what is declared lies nowhere."""
    return Layout(layout.cells, {spot: heap for spot, heap in layout.heaps.items() if spot != "declared"})


def outcomes(game: str, seeds: Sequence[int], most: int, trace: bool) -> Iterator[tuple[int, PartSeenOutcome]]:
    """The outcome of each game."""
    for seed in seeds:
        played = PartSeen(game, seed, trace)
        played.play(most)
        yield seed, played.outcome()


def main(arguments: Sequence[str]) -> int:
    """Print a row a game; 1 if anybody was accused, or fewer than 97 in 100 events are right."""
    parser = argparse.ArgumentParser(prog="python -m bench.part_seen", description=__doc__)
    parser.add_argument("--game", choices=OPTIONS, action="append")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--events", type=int, default=60, help="so many events a game at most")
    parser.add_argument("--each", action="store_true", help="a line for each game that went wrong")
    parser.add_argument("--trace", action="store_true", help="what happens and what the referee says")
    given = parser.parse_args(arguments)
    failed = False
    for game in given.game or OPTIONS:
        found = []
        for seed, one in outcomes(game, range(given.seed, given.seed + given.games), given.events, given.trace):
            found.append(one)
            if given.each and (one.right < one.events or one.accused or one.wrong):
                print(f"  seed {seed}: {one._replace(times_s=())}")
        right, events = sum(one.right for one in found), sum(one.events for one in found)
        accused, pictures = sum(one.accused for one in found), sum(one.pictures for one in found)
        times = sorted(value for one in found for value in one.times_s)
        print(
            f"{game:14s} {len(found)} games, {pictures} pictures: right {right} of {events} ({right / events:.4f}),"
            f" made up {sum(one.wrong for one in found)}, accused {accused}, asked {sum(one.asked for one in found)},"
            f" set by hand {sum(one.set_by_hand for one in found)};"
            f" a look {1000 * times[len(times) // 2]:.1f} ms, longest {1000 * times[-1]:.0f} ms",
            flush=True,
        )
        failed |= bool(accused) or right < 0.97 * events
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
