"""A few cases of each kind; a long run is `make fuzz ARGS=MINUTES`."""

from __future__ import annotations

from contextlib import nullcontext
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import FlakyStrategyDefinition
from hypothesis.reporting import report

from tests.fuzz import (
    addresses,
    cards,
    described,
    diagnoses,
    journals,
    kept,
    notations,
    pictures,
    records,
    requests,
    serial,
    streams,
)
from tests.fuzz.worker import Kind, Worker

CHANCE = st.randoms(use_true_random=False)


def few(count: int) -> settings:
    """So many cases, the same ones at every run."""
    return settings(
        max_examples=count, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
    )


@few(150)
@given(CHANCE)
def test_lines_read_back_and_other_text_is_refused(rng: Random) -> None:
    notations.one(rng)


@few(150)
@given(CHANCE)
def test_records_are_judged_or_refused_in_a_sentence(rng: Random) -> None:
    records.one(rng)


@few(100)
@given(CHANCE)
def test_positions_are_set_up_or_refused_in_a_sentence(rng: Random) -> None:
    records.setting_up(rng)


@few(100)
@given(CHANCE)
def test_spoiled_journals_are_read_or_refused_in_a_sentence(rng: Random) -> None:
    journals.one(rng)


@few(60)
@given(CHANCE)
def test_spoiled_lines_of_a_journal_are_read_or_refused_in_a_sentence(rng: Random) -> None:
    journals.lines(rng)


@few(15)
@given(CHANCE)
def test_tables_that_cannot_be_placed_are_diagnosed(rng: Random) -> None:
    diagnoses.one(rng)


@few(150)
@given(CHANCE)
def test_spoiled_kept_files_are_used_or_set_aside_or_refused_in_a_sentence(rng: Random) -> None:
    kept.one(rng)


@few(40)
@given(CHANCE)
def test_no_secret_of_an_address_is_printed(rng: Random) -> None:
    addresses.one(rng)


@pytest.mark.timeout(120)
@few(15)
@given(st.integers(0, 1 << 32))
def test_requests_are_answered_and_soon(number: int) -> None:
    requests.one(Random(number), steps=25)  # What is asked next depends on answers: hypothesis would call that flaky.


def test_the_document_of_the_addresses_is_true_and_their_answers_are_soon() -> None:
    described.stories(1, many=6, steps=30)


FAULT = AssertionError("a fault")


@pytest.mark.parametrize("failed", [None, FAULT, BaseExceptionGroup("several faults", [FAULT])], ids=type)
def test_stories_that_cannot_be_told_again_end_in_silence_unless_one_failed(
    failed: BaseException | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(machine: type[described.Page], settings: settings) -> None:
        story = machine()
        try:
            report("state = Page()")
            if failed is not None:
                raise failed
        except (AssertionError, BaseExceptionGroup):
            story.teardown()
        else:
            story.teardown()
        raise FlakyStrategyDefinition("elsewhere")

    monkeypatch.setattr(described, "run_state_machine_as_test", run)
    with nullcontext() if failed is None else pytest.raises(type(failed), match="fault"):
        described.stories(1, many=1, steps=1)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("failed", [FAULT, BaseExceptionGroup("several faults", [FAULT])], ids=type)
def test_a_case_that_fails_is_told_by_its_number(failed: BaseException) -> None:
    def one(rng: Random) -> None:
        raise failed

    (told,) = Worker("odd", Kind(one, 1), start=417, minutes=0.0005).waited().failures.values()
    assert told.startswith(f"odd 417: {type(failed).__name__} in ") and "fault" in told


@few(40)
@given(CHANCE)
def test_odd_pictures_are_read_or_refused_in_a_sentence(rng: Random) -> None:
    pictures.one(rng)


@few(12)
@given(CHANCE)
def test_odd_pictures_and_calibrations_of_cards_are_read_or_refused_in_a_sentence(rng: Random) -> None:
    cards.one(rng)


@few(12)
@given(CHANCE)
def test_odd_servers_of_motion_jpeg_are_read_or_refused_in_a_sentence(rng: Random) -> None:
    streams.one(rng)


@pytest.mark.parametrize("script", streams.SCRIPTS, ids=lambda script: script.__name__)
def test_each_kind_of_odd_server_is_met(script: streams.Script) -> None:
    streams.met(script, Random(1))


@pytest.mark.parametrize("place", streams.PLACES, ids=repr)
def test_no_place_that_a_server_sends_a_camera_on_to_is_a_fault(place: str) -> None:
    streams.met(streams.moved_to(place), Random(1))


@few(20)
@given(CHANCE)
def test_odd_bytes_on_a_serial_line_are_survived(rng: Random) -> None:
    serial.one(rng)
