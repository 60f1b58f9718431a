"""Sessions, requests and events, frame by frame, on the Python device, the C core and the firmware in an emulated Uno."""

from __future__ import annotations

import subprocess

import pytest

from firmware_protocol import messages
from firmware_protocol.frame import REPLY_BIT, LinkFrame
from simulation.firmware import peer, toolchain
from simulation.firmware.peer import KINDS, Talk

S = Talk.SESSION


@pytest.fixture(params=KINDS)
def board(request: pytest.FixtureRequest) -> Talk:
    """A talk with an LED board."""
    return Talk(peer.board(request.param))


@pytest.fixture(params=KINDS)
def tower(request: pytest.FixtureRequest) -> Talk:
    """A talk with a dice tower."""
    return Talk(peer.tower(request.param))


def stats(talk: Talk, seq: int) -> messages.StatsReply:
    """The device's counters."""
    [answer] = talk.ask(messages.Stats(), seq)
    return messages.StatsReply.unpack(answer.payload)


def test_a_device_says_who_it_is_without_a_session(board: Talk, tower: Talk) -> None:
    for talk, kind, leds in ((board, messages.Kind.BOARD, 64), (tower, messages.Kind.TOWER, 0)):
        [answer] = talk.say(LinkFrame(messages.Identify.TYPE, 0, 5, 0))
        assert (answer.type, answer.session, answer.seq, answer.ack) == (0x81, 0, 5, messages.Status.OK)
        who = messages.IdentifyReply.unpack(answer.payload)
        assert (who.magic, who.major, who.kind, who.leds, who.boots) == (b"TTP", 1, kind, leds, 1)


def test_a_reset_is_told_and_counted(board: Talk) -> None:
    board.hello()
    board.device.reset()
    told = board.listen()
    assert [frame.type for frame in told] == [messages.Boot.TYPE]
    assert messages.IdentifyReply.unpack(told[0].payload).boots == 2


def test_hello_begins_a_session(board: Talk) -> None:
    [answer] = board.hello(nonce=99)
    assert (answer.type, answer.session) == (messages.Hello.TYPE | REPLY_BIT, S)
    assert messages.HelloReply.unpack(answer.payload) == messages.HelloReply(99, S, 0)


def test_session_0_is_refused(board: Talk) -> None:
    [answer] = board.hello(session=0)
    assert answer.ack == messages.Status.BAD_RANGE
    [refused] = board.ask(messages.Ping(b""), 1, session=0)
    assert refused.type == messages.NoSession.TYPE


def test_the_same_hello_again_clears_nothing(board: Talk) -> None:
    board.hello(nonce=5)
    board.ask(messages.Ping(b"a"), 1)
    board.hello(nonce=5)
    assert stats(board, 2).executed == 2
    board.hello(nonce=6)
    assert stats(board, 3).executed == 1


@pytest.mark.parametrize("session", [S + 1, 0])
def test_a_frame_of_another_session_is_refused_by_name(board: Talk, session: int) -> None:
    board.hello()
    [refused] = board.ask(messages.Ping(b"x"), 3, session=session)
    assert (refused.type, messages.NoSession.unpack(refused.payload)) == (
        messages.NoSession.TYPE,
        messages.NoSession(session, 3, messages.Ping.TYPE),
    )


def test_a_repeated_request_is_answered_and_not_executed_again(board: Talk) -> None:
    board.hello()
    first = board.ask(messages.Ping(b"once"), 1)
    again = board.ask(messages.Ping(b"once"), 1)
    assert first == again
    counts = stats(board, 2)
    assert (counts.executed, counts.repeated) == (2, 1)


def test_seq_0_after_hello_is_no_repetition(board: Talk) -> None:
    board.hello()
    [answer] = board.ask(messages.Ping(b"new"), 0)
    assert answer.payload == b"new"
    assert stats(board, 1).repeated == 0


@pytest.mark.parametrize("length", [0, 1, 55, 56])
def test_a_ping_brings_back_its_bytes(board: Talk, length: int) -> None:
    board.hello()
    [answer] = board.ask(messages.Ping(bytes(range(length))), 1)
    assert answer.payload == bytes(range(length))


def test_an_unknown_request_is_answered_with_a_status(board: Talk, tower: Talk) -> None:
    board.hello()
    tower.hello()
    assert [frame.ack for frame in board.say(LinkFrame(0x3F, S, 1, 0))] == [messages.Status.UNKNOWN_TYPE]
    assert [frame.ack for frame in board.ask(messages.TowerState(), 2)] == [messages.Status.UNKNOWN_TYPE]
    assert [frame.ack for frame in tower.ask(messages.LedFill(bytes(3), 0, 1), 1)] == [messages.Status.UNKNOWN_TYPE]


def test_a_request_that_is_too_short_is_answered_with_a_status(board: Talk, tower: Talk) -> None:
    """The length rules of C and Python agree for every request with fields."""
    board.hello()
    tower.hello()
    seq = 0
    for kind in messages.REQUESTS.values():
        least = kind.HEAD.size
        if kind.NAME.startswith("TOWER") and least:
            talk = tower
        elif kind.NAME.startswith("LED") and least:
            talk = board
        else:
            continue
        seq += 1
        [answer] = talk.say(LinkFrame(kind.TYPE, S, seq, 0, bytes(least - 1)))
        assert answer.ack == messages.Status.BAD_RANGE, kind.NAME


def test_the_chain_proves_what_was_executed_in_which_order(board: Talk) -> None:
    board.hello()
    chain = 0
    for seq, request in enumerate((messages.Ping(b"ab"), messages.LedFill(b"\1\2\3", 0, 64), messages.Stats()), 1):
        [answer] = board.ask(request, seq)
        for byte in bytes((request.TYPE, seq)) + request.pack():
            chain = (31 * chain + byte) % 2**32
    assert messages.StatsReply.unpack(answer.payload).chain == chain


def test_words_of_a_device_that_come_back_are_ignored(board: Talk) -> None:
    board.hello()
    assert board.say(LinkFrame(messages.Hello.TYPE | REPLY_BIT, S, 0, 0, messages.HelloReply(1, S, 0).pack())) == []
    assert board.say(LinkFrame(messages.Button.TYPE, S, 1, 0, messages.Button(0, 0, 1).pack())) == []


def test_damaged_frames_are_counted_and_not_answered(board: Talk) -> None:
    board.hello()
    wire = bytearray(LinkFrame(messages.Ping.TYPE, S, 1, 0, b"abc").wire())
    wire[8] ^= 16
    board.device.send(bytes(wire))
    assert board.listen() == []
    assert stats(board, 1).bad == 1


# ---- events


def press(talk: Talk, button: int) -> None:
    """A button goes down and up, with time for both."""
    talk.device.press(button, True)  # type: ignore[attr-defined]
    talk.device.run(0.05)
    talk.device.press(button, False)  # type: ignore[attr-defined]
    talk.device.run(0.05)


def events(told: list[LinkFrame]) -> list[tuple[int, messages.Button]]:
    """Numbers and contents of the button events."""
    return [(frame.seq, messages.Button.unpack(frame.payload)) for frame in told if frame.type == messages.Button.TYPE]


def test_an_event_is_repeated_until_it_is_taken_and_then_the_next_comes(tower: Talk) -> None:
    tower.hello()
    press(tower, 1)
    told = events(tower.listen(0.2))
    assert len(told) >= 4
    assert set(told) == {(1, messages.Button(0, 1, 1))}
    told = events(tower.say(LinkFrame(messages.EventAck.TYPE, S, 0, 1), 0.1))
    assert set(told[-2:]) == {(2, messages.Button(0, 1, 0))}
    assert events(tower.say(LinkFrame(messages.EventAck.TYPE, S, 0, 2), 0.2)) == []


def test_a_request_acknowledges_events_as_well(tower: Talk) -> None:
    tower.hello()
    press(tower, 0)
    tower.listen(0.05)
    told = tower.ask(messages.Ping(b""), 1, ack=1)
    assert {frame.seq for frame in told if frame.type == messages.Button.TYPE} == {2}


def test_an_acknowledgment_of_something_else_changes_nothing(tower: Talk) -> None:
    tower.hello()
    press(tower, 0)
    tower.listen(0.05)
    assert {seq for seq, _ in events(tower.say(LinkFrame(messages.EventAck.TYPE, S, 0, 9), 0.1))} == {1}
    told = tower.say(LinkFrame(messages.EventAck.TYPE, S + 1, 0, 1), 0.1)
    assert {frame.type for frame in told} == {messages.Button.TYPE, messages.NoSession.TYPE}


def test_events_that_find_the_queue_full_take_no_number_and_are_counted(tower: Talk) -> None:
    tower.hello()
    for _ in range(6):
        press(tower, 0)
    taken: list[tuple[int, messages.Button]] = []
    told = events(tower.listen(0.05))
    while told:
        taken.append(told[-1])
        told = events(tower.say(LinkFrame(messages.EventAck.TYPE, S, 0, told[-1][0]), 0.06))
    assert [seq for seq, _ in taken] == list(range(1, 9))
    assert taken[-1][1].lost == 4


def test_without_a_session_events_are_lost_and_counted(tower: Talk) -> None:
    press(tower, 0)
    assert tower.listen() == []
    [answer] = tower.hello()
    assert messages.HelloReply.unpack(answer.payload).events_lost == 2


def test_a_new_session_loses_the_waiting_events_and_says_so(tower: Talk) -> None:
    tower.hello(nonce=1)
    press(tower, 0)
    tower.listen()
    [answer] = [frame for frame in tower.hello(nonce=2) if frame.type == messages.Hello.TYPE | REPLY_BIT]
    assert messages.HelloReply.unpack(answer.payload).events_lost == 2
    assert tower.listen(0.2) == []


# ---- silence


def test_lights_fall_back_when_the_host_is_silent_and_come_back_with_it(board: Talk) -> None:
    board.hello()
    board.ask(messages.LedFill(bytes((80, 0, 0)), 0, 4), 1)
    board.ask(messages.LedShow(1, 255), 2)
    strip = board.device.strip  # type: ignore[attr-defined]
    assert strip()[:3] == bytes((80, 0, 0))
    board.listen(4.9)
    assert strip()[:3] == bytes((80, 0, 0))
    board.listen(0.2)
    assert strip()[:3] == bytes((20, 0, 0))
    board.ask(messages.Ping(b""), 3)
    assert strip()[:3] == bytes((80, 0, 0))


@pytest.mark.parametrize(
    ("policy", "red"), [(messages.Policy.OFF, 0), (messages.Policy.DIM, 20), (messages.Policy.KEEP, 80)]
)
def test_bye_applies_its_policy_at_once(board: Talk, policy: messages.Policy, red: int) -> None:
    board.hello()
    board.ask(messages.LedFill(bytes((80, 0, 0)), 0, 4), 1)
    board.ask(messages.LedShow(1, 255), 2)
    [answer] = board.ask(messages.Bye(policy), 3)
    assert answer.ack == messages.Status.OK
    assert board.device.strip()[:3] == bytes((red, 0, 0))  # type: ignore[attr-defined]


def test_an_unknown_policy_is_refused(board: Talk) -> None:
    board.hello()
    assert [frame.ack for frame in board.ask(messages.Bye(9), 1)] == [messages.Status.BAD_RANGE]


def test_a_tower_has_at_most_six_sensors(tower: Talk) -> None:
    tower.hello()
    assert [frame.ack for frame in tower.ask(messages.TowerConfig(6, 400), 1)] == [messages.Status.OK]
    assert [frame.ack for frame in tower.ask(messages.TowerConfig(7, 400), 2)] == [messages.Status.BAD_RANGE]


@pytest.mark.parametrize("device", ["board", "tower"])
def test_any_request_is_answered_and_stays_in_bounds_under_the_sanitizers(device: str) -> None:
    """One second here; a minute by the command in docs/hardware.md."""
    fuzz = toolchain.program("link_fuzz", *toolchain.SANITIZERS, device=device)
    done = subprocess.run([fuzz, "1", "1"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "requests, no finding" in done.stdout
