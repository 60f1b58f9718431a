"""The addresses as `docs/openapi.json` describes them, asked by schemathesis: never a fault, never slow, and the document true.

A machine of hypothesis sets games up, plays, undoes and corrects; between its steps it sends what schemathesis makes of
the document, what fits it and what does not, and each answer must be one that the document promises.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import schemathesis
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import FlakyStrategyDefinition, HypothesisException
from hypothesis.reporting import with_reporter
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from companion.games import GAMES, PLANS
from companion.referee.journal import Journal, timeline
from companion.referee.session_manager import SessionManager
from tests.fuzz.played import CASES, begun, next_event
from tests.fuzz.requests import ADDRESSES, LONGEST_S
from tests.fuzz.timing import now_s
from tests.web.conftest import ORIGIN, Browser
from tests.web.doubles import PaintedEyes
from web.admission.access import Access
from web.app import create_app

STEPS = 40
"""Requests of one story."""
STORIES = 12
"""Stories of one case of a long run; the first one of them is always the plainest."""
HEADERS = {"Origin": ORIGIN, "Accept-Encoding": "identity"}
"""Of the page itself; answers as they are, since schemathesis unpacks none that are packed."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
DOCUMENT = Path(__file__).parents[2] / "docs" / "openapi.json"
count = 0
"""Requests so far."""


@cache
def requests_of(path: str, method: str) -> Any:
    """Requests to an address, mostly such as the document allows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        operation = _document()[path][method.upper()]
        fitting = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
        if not operation.body and not operation.query and not operation.path_parameters:
            return fitting
        return st.one_of(fitting, fitting, operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))


@cache
def _document() -> Any:
    return schemathesis.openapi.from_dict(msgspec.json.decode(DOCUMENT.read_bytes()))


def fits(expected: object) -> bool:
    """Whether this may be the number of a row: one that was made wrong stays wrong."""
    return type(expected) is int and expected >= 0


FAILURES = (Exception, BaseExceptionGroup)
"""What fails; schemathesis gathers what it finds in a group of its own."""


class Page(RuleBasedStateMachine):
    """A page with its host and a phone, which do what the document and the games allow, and more."""

    met: list[BaseException]
    """What has failed so far, in any story."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.journal = Journal.open(Path(self.folder.name) / "journal.sqlite")
        self.dealer = Random(0)
        self.sessions = SessionManager(
            self.journal,
            GAMES,
            PLANS["spectrangle"](2),
            eyes=PaintedEyes(),
            random_bytes=lambda count: self.dealer.randbytes(count),
        )
        access = Access(pin="123456")
        self.app = create_app(self.sessions, access=access)
        self.app.config["PROPAGATE_EXCEPTIONS"] = True
        self.tokens = access.token("host"), access.token("table"), None
        self.host = Browser(self.app, self.tokens[0], "127.0.0.1")

    def teardown(self) -> None:
        error = sys.exception()
        if isinstance(error, FAILURES) and not isinstance(error, HypothesisException):
            self.met.append(error)
        self.journal.close()
        self.folder.cleanup()

    @rule(
        place=st.integers(0, len(CASES) - 1),
        draws=st.sampled_from(("told", "unseen", "dealt")),
        deal=st.integers(0, 999),
    )
    def begin(self, place: int, draws: str, deal: int) -> None:
        """Any game with any of its options, as people set it up."""
        self.dealer.seed(deal)
        case = CASES[place]
        names = [f"P{seat}" for seat in range(case.seats)]
        body = {"game": case.game.name, "names": names, "options": msgspec.to_builtins(case.options), "draws": draws}
        if self.sessions.table is not None:
            body["instead"] = self.sessions.table.session.header.id
        answer = self._post("/api/games", body)
        assert answer.status_code == 201 or draws == "dealt", answer.get_data()
        assert begun(place) is not None

    @precondition(lambda self: self.sessions.table is not None)
    @rule(chance=st.randoms(use_true_random=False), more=st.integers(1, 6))
    def play(self, chance: Random, more: int) -> None:
        """A few events that may happen now."""
        for _ in range(more):
            event = next_event(self.sessions.table.session.state, chance)
            if event is None:
                return
            self._post("/api/table/play", {"expected": self._seq(), "event": msgspec.to_builtins(event)})

    @precondition(lambda self: self.sessions.table is not None)
    @rule(to=st.integers(0, 20))
    def undo(self, to: int) -> None:
        """Back to an earlier row."""
        self._post("/api/table/undo", {"expected": self._seq(), "to": to})

    @precondition(lambda self: self.sessions.table is not None and self.sessions.table.session.seq > 0)
    @rule(chance=st.randoms(use_true_random=False))
    def correct(self, chance: Random) -> None:
        """Another event in the place of an earlier one; or the whole position anew."""
        state = self.sessions.table.session.state
        event = next_event(state, chance)
        if event is None:
            self._post("/api/table/position", {"expected": self._seq(), "position": timeline.written(state)})
        else:
            n = chance.randrange(1, self._seq() + 1)
            self._post("/api/table/correct", {"expected": self._seq(), "n": n, "event": msgspec.to_builtins(event)})

    @rule(data=st.data(), address=st.sampled_from(ADDRESSES), who=st.sampled_from((0, 0, 1, 2)), now=st.booleans())
    def ask(self, data: st.DataObject, address: tuple[str, str, Any], who: int, now: bool) -> None:
        """Whatever the document allows, or forbids, at any address."""
        global count
        path, method, _ = address
        case = data.draw(requests_of(path, method))
        if now and isinstance(case.body, dict) and self.sessions.table is not None and fits(case.body.get("expected")):
            case.body["expected"] = self._seq()
        client = Browser(self.app, self.tokens[who]).flask  # a new one: what was asked for may have changed its cookie
        begun_s = now_s()
        answer = case.call(app=self.app, session=client, headers=HEADERS)
        took = now_s() - begun_s
        count += 1
        assert took < LONGEST_S, (method, path, took)
        case.validate_response(answer, checks=CHECKS)

    def _seq(self) -> int:
        return int(self.sessions.table.session.seq)

    def _post(self, path: str, body: Any) -> Any:
        global count
        begun_s = now_s()
        answer = self.host.post(path, json=body)
        took = now_s() - begun_s
        count += 1
        assert answer.status_code < 500 and took < LONGEST_S, (path, body, answer.get_data()[:300], took)
        return answer


def stories(number: int, many: int, steps: int) -> None:
    """So many stories, the same ones for the same number; the first that fails raises, made short.

    What is asked next depends on what was answered, and tokens differ from run to run: where hypothesis notices that
    the same choices led elsewhere, the stories end in silence, and nothing has failed unless a story did before.
    """
    met: list[BaseException] = []
    machine = seed(number)(type("Page", (Page,), {"met": met}))
    bounds = settings(
        max_examples=many,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate,),
    )
    said: list[str] = []
    try:
        with with_reporter(said.append):
            run_state_machine_as_test(machine, settings=bounds)
    except FlakyStrategyDefinition:
        if met:
            raise met[0] from None
    except FAILURES:
        print("\n".join(said))
        raise


def one(rng: Random) -> None:
    """A few stories."""
    stories(rng.getrandbits(64), STORIES, STEPS)
