"""A WLED controller as a board: datagrams, repetition, flashes, a dead network."""

from __future__ import annotations

import socket

from hardware import picture
from hardware.lights import LEGAL, REFUSED
from hardware.wled import AGAIN_S, WledBoard, datagrams

CELLS = {f"c{at}": (at,) for at in range(4)}


class Network:
    """Takes datagrams, or does not."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.dead = False
        self.now_s = 50.0

    def send(self, datagram: bytes) -> None:
        if self.dead:
            raise OSError(101, "Network is unreachable")
        self.sent.append(datagram)


def board_on(network: Network) -> WledBoard:
    return WledBoard(CELLS, send=network.send, clock=lambda: network.now_s)


def test_a_datagram_says_protocol_timeout_first_light_and_colors() -> None:
    assert datagrams(((1, 2, 3), (4, 5, 6))) == [bytes((4, 3, 0, 0, 1, 2, 3, 4, 5, 6))]


def test_a_long_strip_needs_several_datagrams() -> None:
    sent = datagrams(picture.dark(1000))
    assert [(one[2] << 8 | one[3], (len(one) - 4) // 3) for one in sent] == [(0, 489), (489, 489), (978, 22)]


def test_the_picture_is_sent_again_every_second() -> None:
    network = Network()
    board = board_on(network)
    board.legal(["c2"])
    assert board.step() == AGAIN_S
    assert network.sent == [bytes((4, 3, 0, 0)) + picture.packed(picture.lit(4, [2], LEGAL))]


def test_a_flash_blinks_eight_times_a_second_and_ends() -> None:
    network = Network()
    board = board_on(network)
    board.refused(["c1"], duration_ms=500)
    seen = []
    for _ in range(6):
        wait_s = board.step()
        seen.append(network.sent[-1][4 + 3 : 4 + 6])
        network.now_s += wait_s + 1e-6
    on, off = bytes(REFUSED), bytes(3)
    assert seen == [on, off, on, off, off, off]


def test_a_dead_network_is_told_and_recovers() -> None:
    network = Network()
    board = board_on(network)
    network.dead = True
    board.step()
    assert "Network is unreachable" in board.sentence
    network.dead = False
    board.step()
    assert "WLED does not confirm" in board.sentence


def test_real_datagrams_arrive_and_the_thread_ends() -> None:
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender,
    ):
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(5.0)
        board = WledBoard(CELLS, send=lambda data: sender.sendto(data, receiver.getsockname()))
        board.start()
        board.legal(["c0"])
        wanted = datagrams(picture.lit(4, [0], LEGAL))[0]
        received = receiver.recv(2048)
        while received != wanted:
            received = receiver.recv(2048)
        board.close()
