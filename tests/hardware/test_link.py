"""The host's half of the link, against the simulated device and the C core, in virtual time."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.core.foundation.errors import DeviceRestarted, LinkDown, RequestRefused, WrongDevice
from firmware_protocol import messages
from firmware_protocol.frame import REPLY_BIT, LinkFrame
from hardware.led_board import LedBoard
from hardware.link import PATIENCE, Link, Phase
from hardware.tower import DiceTower, TowerEvent
from simulation.firmware.native_device import NativeDevice
from simulation.firmware.simulated import Simulated
from simulation.hardware.virtual_wire import NOISES, Errands, VirtualWire
from tests.hardware.scripted_device import BOARD, Scripted, answer, nonsense, sent


def test_an_unknown_port_is_only_asked_who_is_there() -> None:
    link = Link(Errands(messages.Kind.BOARD), Random(1))
    link.start(0.0)
    written = [link.due(step / 100) for step in range(400)]
    asked = [data for data in written if data]
    assert set(asked) == {LinkFrame(messages.Identify.TYPE, 0, 0, 0).wire()}
    assert len(asked) == 16
    link.due(4.0)
    assert link.phase is Phase.SILENT
    assert "Nothing answered for 4 s" in str(link.trouble)


def test_a_foreign_device_that_talks_is_not_greeted() -> None:
    scripted = Scripted(Errands(messages.Kind.BOARD))
    scripted.says()
    scripted.hears(b"ok T:20.1 /0.0 B:20.0\r\nAda\n" * 20)
    assert {frame.type for frame in scripted.says(0.25)} == {messages.Identify.TYPE}
    assert scripted.link.phase is Phase.PROBING


@pytest.mark.parametrize(
    ("major", "kind", "sentence"),
    [
        (2, messages.Kind.BOARD, "The device speaks version 2 of the protocol, this program version 1."),
        (1, messages.Kind.TOWER, "The port holds a dice tower, not an LED board: choose the other port."),
        (1, 9, "The port holds another device, not an LED board: choose the other port."),
    ],
)
def test_the_wrong_device_is_named_and_left_alone(major: int, kind: int, sentence: str) -> None:
    scripted = Scripted(Errands(messages.Kind.BOARD))
    [probe] = scripted.says()
    scripted.hears(answer(probe, messages.IdentifyReply(b"TTP", major, 0, kind, b"\1\0\0", 1, 56, 64, 0, 1, 0).pack()))
    assert scripted.link.phase is Phase.WRONG
    assert isinstance(scripted.link.trouble, WrongDevice)
    assert str(scripted.link.trouble) == sentence
    assert scripted.says(1.0) == []


def test_a_later_minor_version_is_welcome() -> None:
    scripted = Scripted(Errands(messages.Kind.BOARD))
    [probe] = scripted.says()
    later = messages.IdentifyReply(b"TTP", 1, 7, messages.Kind.BOARD, b"\1\0\0", 1, 56, 64, 0, 1, 0).pack() + b"new"
    scripted.hears(answer(probe, later))
    assert [frame.type for frame in scripted.says()] == [messages.Hello.TYPE]


def test_a_session_number_is_never_zero_and_changes_every_time() -> None:
    numbers = []
    wire = VirtualWire(Errands(messages.Kind.BOARD), Simulated("board"))
    for _ in range(300):
        wire.ready()
        numbers.append(wire.link._session)
        wire.device.reset()
        wire.until(lambda: wire.link.phase is not Phase.READY, 5)
    assert 0 not in numbers
    assert all(a != b for a, b in pairwise(numbers))


def test_a_late_answer_to_another_hello_begins_nothing() -> None:
    scripted = Scripted(Errands(messages.Kind.BOARD))
    [probe] = scripted.says()
    scripted.hears(answer(probe, BOARD.pack()))
    [hello] = scripted.says()
    asked = messages.Hello.unpack(hello.payload)
    scripted.hears(answer(hello, messages.HelloReply(asked.nonce ^ 1, asked.session, 0).pack()))
    assert scripted.link.phase is Phase.GREETING


def test_one_request_at_a_time_sent_again_with_the_same_number() -> None:
    errands = Errands(messages.Kind.BOARD, [messages.Ping(b"a"), messages.Ping(b"b")])
    scripted = Scripted(errands)
    scripted.greeted()
    [first] = scripted.says()
    assert scripted.says(0.049) == []
    assert scripted.says(0.002) == [first]
    assert scripted.link.counters.retries == 1
    scripted.hears(answer(first, b"a"))
    [second] = scripted.says()
    assert second.seq == first.seq + 1
    scripted.hears(answer(first, b"a"))  # the answer to the repetition
    assert [request for request, _, _ in errands.answers] == [messages.Ping(b"a")]
    scripted.hears(answer(second, b"b"))
    assert [reply for _, reply, _ in errands.answers] == [messages.PingReply(b"a"), messages.PingReply(b"b")]


def test_every_try_waits_a_little_longer_and_the_last_gives_up() -> None:
    errands = Errands(messages.Kind.BOARD, [messages.Ping(b"a")])
    scripted = Scripted(errands)
    scripted.greeted()
    times_s = []
    while scripted.link.phase is Phase.READY:
        if scripted.says(0.001):
            times_s.append(scripted.now_s)
    waits_s = [b - a for a, b in pairwise(times_s)]
    assert len(times_s) == PATIENCE.tries + 1  # the last one asks who is there
    assert all(later > wait - 0.002 for wait, later in pairwise(waits_s))
    assert waits_s[0] == pytest.approx(0.05, abs=0.002)
    assert waits_s[-1] == pytest.approx(0.4, abs=0.002)
    [(request, why)] = errands.failures
    assert request == messages.Ping(b"a")
    assert isinstance(why, LinkDown)
    assert "PING was sent 18 times without an answer" in str(why)


def test_a_quiet_line_is_asked_for_its_counters_every_second() -> None:
    wire = VirtualWire(Errands(messages.Kind.BOARD), NativeDevice("board"))
    wire.run(10.0)
    assert wire.link.counters.device is not None
    assert 8 <= wire.link.counters.device.executed <= 10


def test_a_refused_request_is_told_and_the_next_goes_on() -> None:
    errands = Errands(
        messages.Kind.BOARD, [messages.LedFill(bytes(3), 60, 9), messages.TowerConfig(1, 1), messages.Ping(b"x")]
    )
    wire = VirtualWire(errands, NativeDevice("board"))
    wire.until(lambda: not errands.todo, 5)
    assert [str(why) for _, why in errands.failures] == [
        "The device refused LED_FILL: bad range.",
        "The device refused TOWER_CONFIG: unknown type.",
    ]
    assert all(isinstance(why, RequestRefused) for _, why in errands.failures)
    assert len(errands.answers) == 1


def test_a_status_of_a_later_version_is_a_refusal() -> None:
    errands = Errands(messages.Kind.BOARD, [messages.Ping(b"")])
    scripted = Scripted(errands)
    scripted.greeted()
    [request] = scripted.says()
    scripted.hears(answer(request, status=77))
    assert str(errands.failures[0][1]) == "The device refused PING: status 77."


def test_an_answer_that_is_too_short_is_dropped_and_asked_again() -> None:
    scripted = Scripted(Errands(messages.Kind.BOARD))
    scripted.greeted()
    [request] = scripted.says(1.0)
    assert request.type == messages.Stats.TYPE
    scripted.hears(answer(request, b"short"))
    assert scripted.link.counters.bad == 1
    assert scripted.says(0.06) == [request]


@pytest.mark.parametrize("boot_is_heard", [True, False])
def test_a_reset_is_noticed_and_a_new_session_begun(boot_is_heard: bool) -> None:
    errands = Errands(messages.Kind.BOARD)
    wire = VirtualWire(errands, NativeDevice("board"))
    wire.ready()
    wire.device.reset()
    if not boot_is_heard:
        wire.device.run(0.001)
    wire.until(lambda: wire.link.counters.restarts == 1, 2)
    wire.ready()
    assert [who.boots for who in errands.greeted] == [1, 2]


def test_a_request_that_meets_a_reset_is_told_that_nobody_knows() -> None:
    errands = Errands(messages.Kind.BOARD)
    wire = VirtualWire(errands, NativeDevice("board"))
    wire.ready()
    wire.device.reset()
    wire.device.run(0.001)  # the BOOT message is lost
    errands.todo.append(messages.Ping(b"?"))
    wire.until(lambda: bool(errands.failures), 2)
    assert isinstance(errands.failures[0][1], DeviceRestarted)


def test_a_late_refusal_of_an_old_session_ends_nothing() -> None:
    scripted = Scripted(Errands(messages.Kind.BOARD))
    hello = scripted.greeted()
    scripted.hears(
        LinkFrame(
            messages.NoSession.TYPE, 0, 0, 0, messages.NoSession(hello.session - 1, 4, messages.Ping.TYPE).pack()
        ).wire()
    )
    assert scripted.link.phase is Phase.READY
    scripted.hears(
        LinkFrame(
            messages.NoSession.TYPE, 0, 0, 0, messages.NoSession(hello.session, 4, messages.Ping.TYPE).pack()
        ).wire()
    )
    assert scripted.link.phase is Phase.PROBING


def test_boot_while_probing_is_ignored() -> None:
    scripted = Scripted(Errands(messages.Kind.BOARD))
    scripted.says()
    scripted.hears(LinkFrame(messages.Boot.TYPE, 0, 0, 0, BOARD.pack()).wire())
    assert scripted.link.phase is Phase.PROBING
    assert scripted.link.counters.restarts == 0


# ---- events


def test_an_event_is_delivered_once_and_acknowledged_each_time() -> None:
    errands = Errands(messages.Kind.BOARD)
    scripted = Scripted(errands)
    session = scripted.greeted().session
    event = LinkFrame(messages.RollStarted.TYPE, session, 1, 0, messages.RollStarted(0, 1, 5).pack()).wire()
    for _ in range(3):
        scripted.hears(event)
        assert [(frame.type, frame.ack) for frame in scripted.says()] == [(messages.EventAck.TYPE, 1)]
    assert errands.events == [messages.RollStarted(0, 1, 5)]


@pytest.mark.parametrize("seq", [0, 2, 255])
def test_only_the_next_event_is_taken(seq: int) -> None:
    errands = Errands(messages.Kind.BOARD)
    scripted = Scripted(errands)
    session = scripted.greeted().session
    scripted.hears(LinkFrame(messages.RollStarted.TYPE, session, seq, 0, messages.RollStarted(0, 1, 5).pack()).wire())
    assert errands.events == []
    assert all(frame.ack == 0 for frame in scripted.says())


def test_an_event_of_another_session_is_ignored() -> None:
    errands = Errands(messages.Kind.BOARD)
    scripted = Scripted(errands)
    session = scripted.greeted().session
    scripted.hears(
        LinkFrame(messages.RollStarted.TYPE, session % 255 + 1, 1, 0, messages.RollStarted(0, 1, 5).pack()).wire()
    )
    assert (errands.events, scripted.says()) == ([], [])


def test_an_event_that_cannot_be_read_is_taken_and_counted() -> None:
    errands = Errands(messages.Kind.BOARD)
    scripted = Scripted(errands)
    session = scripted.greeted().session
    scripted.hears(LinkFrame(messages.RollStarted.TYPE, session, 1, 0, b"x").wire())
    assert (errands.events, scripted.link.counters.bad) == ([], 1)
    assert [frame.ack for frame in scripted.says()] == [1]


def test_losses_count_from_the_beginning_of_the_session_and_only_forwards() -> None:
    errands = Errands(messages.Kind.BOARD)
    scripted = Scripted(errands)
    session = scripted.greeted(lost=65530).session
    scripted.hears(LinkFrame(messages.RollStarted.TYPE, session, 1, 0, messages.RollStarted(65535, 1, 0).pack()).wire())
    assert errands.lost == 5
    scripted.hears(LinkFrame(messages.RollStarted.TYPE, session, 2, 0, messages.RollStarted(3, 2, 0).pack()).wire())
    assert errands.lost == 9  # the device's count wraps
    request = scripted.says(1.0)[-1]
    scripted.hears(answer(request, messages.StatsReply(0, 0, 0, 0, 0, 9, 65535, 1, 0).pack()))
    assert errands.lost == 9  # an answer from the device's memory may be older than an event


@pytest.mark.parametrize(("session", "lost"), [(7, 2), (0, 0)])
def test_losses_go_on_where_the_device_remembers_its_session(session: int, lost: int) -> None:
    """A power cut may leave the number of resets as it was: a device without a session counts anew."""
    errands = Errands(messages.Kind.BOARD)
    scripted = Scripted(errands)
    scripted.greeted(lost=3)
    scripted.link.start(scripted.now_s)
    scripted.greeted(lost=5, who=replace(BOARD, session=session))
    assert errands.lost == lost


def test_a_reset_between_the_first_answer_and_the_session_is_noticed() -> None:
    errands = Errands(messages.Kind.BOARD)
    scripted = Scripted(errands)
    [probe] = scripted.says()
    scripted.hears(answer(probe, BOARD.pack()))
    assert [frame.type for frame in scripted.says()] == [messages.Hello.TYPE]
    scripted.hears(LinkFrame(messages.Boot.TYPE, 0, 0, 0, replace(BOARD, boots=2).pack()).wire())
    assert [frame.type for frame in scripted.says()] == [messages.Identify.TYPE]


def test_farewell_is_a_frame_of_the_session() -> None:
    wire = VirtualWire(Errands(messages.Kind.BOARD), NativeDevice("board"))
    wire.ready()
    wire.device.send(wire.link.farewell(messages.Bye(messages.Policy.OFF)))
    [reply] = sent(wire.device.run(0.001))
    assert (reply.type, reply.ack) == (messages.Bye.TYPE | REPLY_BIT, 0)


def test_words_of_the_host_that_come_back_over_a_looped_line_begin_nothing() -> None:
    link = Link(Errands(messages.Kind.BOARD), Random(1))
    link.start(0.0)
    for step in range(500):
        link.receive(link.due(step / 100), step / 100)
    assert link.phase is Phase.SILENT


# ---- anything at all


@pytest.mark.parametrize("kind", list(messages.Kind))
@pytest.mark.parametrize("seed", range(15))
def test_a_device_that_talks_nonsense_in_right_frames_ends_nothing(kind: messages.Kind, seed: int) -> None:
    """Right checksums, sessions and numbers, and any payload at all."""
    random = Random(seed)
    now_s = 0.0
    board, told = LedBoard({f"c{at}": (at,) for at in range(64)}, clock=lambda: now_s), list[TowerEvent]()
    link = Link(board if kind is messages.Kind.BOARD else DiceTower(told.append, sensors=6), random)
    link.start(now_s)
    for _ in range(200):
        now_s += random.choice((0.001, 0.01, 0.05, 0.4))
        board.legal([f"c{random.randrange(64)}"], [random.randrange(30)])
        board.refused([f"c{random.randrange(64)}"])
        said = b"".join(nonsense(random, kind, asked) for asked in sent(link.due(now_s)))
        for _ in range(random.randrange(3)):
            session, seq = random.choice((link._session, 0)), (link._taken + random.randrange(2)) % 256
            payload = random.randbytes(random.choice((0, 4, 8, 10, 27, 56)))
            said += LinkFrame(
                random.choice((*range(0x40, 0x43), messages.Boot.TYPE, 0x5F, 0x7F)), session, seq, 0, payload
            ).wire()
        link.receive(said, now_s)
    assert link.counters.sessions > 0


ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.integers(1, 5)),
        st.tuples(st.just("wait"), st.integers(1, 1500)),
        st.tuples(st.just("reset"), st.just(0)),
        st.tuples(st.just("cut"), st.integers(1, 8000)),
        st.tuples(st.just("garbage"), st.integers(0, 2**32 - 1)),
    ),
    max_size=12,
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ACTIONS, st.sampled_from(sorted(NOISES)), st.integers(0, 1000))
def test_whatever_happens_each_request_is_answered_rightly_or_its_fate_is_told(
    actions: list[tuple[str, int]], noise: str, seed: int
) -> None:
    errands = Errands(messages.Kind.BOARD)
    wire = VirtualWire(errands, Simulated("board"), noise=NOISES[noise], seed=seed, step_s=0.005)
    asked = 0
    for action, number in actions:
        if action == "ask":
            errands.todo.extend(messages.Ping((asked + at).to_bytes(4, "little")) for at in range(number))
            asked += number
        elif action == "wait":
            wire.run(number / 1000)
        elif action == "reset":
            wire.device.reset()
        elif action == "cut":
            wire.cut = True
            wire.run(number / 1000)
            wire.cut = False
        else:
            wire.device.send(Random(number).randbytes(40))
        if wire.link.phase is Phase.SILENT:
            wire.link.start(wire.now_s)
    wire.cut = False
    for _ in range(20):
        if errands.todo:
            wire.run(2.0)
        if wire.link.phase is Phase.SILENT:
            wire.link.start(wire.now_s)
    fates = [request for request, _, _ in errands.answers] + [request for request, _ in errands.failures]
    assert sorted(int.from_bytes(one.data, "little") for one in fates if isinstance(one, messages.Ping)) == list(
        range(asked)
    )
    for request, reply, _ in errands.answers:
        assert isinstance(request, messages.Ping)
        assert reply == messages.PingReply(request.data)
    order = [int.from_bytes(one.data, "little") for one, _, _ in errands.answers if isinstance(one, messages.Ping)]
    assert order == sorted(order)
    if not any(action in ("reset", "cut") for action, _ in actions):
        assert errands.failures == []
