"""The LED board on all three devices: pictures, masks, effects, and the limit that no host can lift."""

from __future__ import annotations

import zlib

import pytest

from firmware_protocol import messages
from firmware_protocol.payload import Payload
from simulation.firmware import peer
from simulation.firmware.peer import KINDS, Board, Talk

LEDS = 64
RED, GREEN, BLUE = bytes((9, 0, 0)), bytes((0, 9, 0)), bytes((0, 0, 9))


class Lit(Talk):
    """A talk with a board that numbers its requests."""

    def __init__(self, device: Board) -> None:
        super().__init__(device)
        self._device = device
        self._seq = 0
        self.hello()

    def do(self, request: Payload) -> tuple[messages.Status, bytes]:
        """Status and payload of the answer."""
        self._seq = (self._seq + 1) % 256
        [answer] = self.ask(request, self._seq)
        return messages.Status(answer.ack), answer.payload

    def lights(self) -> list[bytes]:
        """What the strip shows."""
        strip = self._device.strip()
        return [strip[at : at + 3] for at in range(0, len(strip), 3)]


@pytest.fixture(params=KINDS)
def board(request: pytest.FixtureRequest) -> Lit:
    """A board in a session."""
    return Lit(peer.board(request.param))


def test_single_lights_are_shown_when_asked_and_not_before(board: Lit) -> None:
    colors = bytes(range(1, 55))
    assert board.do(messages.LedPixels(46, colors)) == (messages.Status.OK, b"")
    assert set(board.lights()) == {bytes(3)}
    assert board.do(messages.LedShow(1, 255))[0] is messages.Status.OK
    assert board.lights() == [bytes(3)] * 46 + [colors[at : at + 3] for at in range(0, 54, 3)]


def test_a_mask_colors_its_lights_and_leaves_the_others(board: Lit) -> None:
    board.do(messages.LedFill(BLUE, 0, LEDS))
    board.do(messages.LedMask(RED, 8, bytes((0b10000001, 0b1))))
    board.do(messages.LedShow(1, 255))
    assert [at for at, color in enumerate(board.lights()) if color == RED] == [8, 15, 16]
    assert board.lights().count(BLUE) == LEDS - 3


def test_a_fill_has_a_beginning_and_an_end(board: Lit) -> None:
    board.do(messages.LedFill(GREEN, 10, 5))
    board.do(messages.LedShow(1, 255))
    assert [at for at, color in enumerate(board.lights()) if color == GREEN] == [10, 11, 12, 13, 14]


@pytest.mark.parametrize(
    "request_",
    [
        messages.LedPixels(63, RED + RED),
        messages.LedPixels(65535, RED),
        messages.LedPixels(0, RED + b"\1"),
        messages.LedMask(RED, 60, b"\x10"),
        messages.LedMask(RED, 65535, b"\x02"),
        messages.LedFill(RED, 1, 64),
        messages.LedFill(RED, 65535, 65535),
        messages.LedEffect(3, RED, 100, 0, b"\1"),
        messages.LedEffect(messages.Effect.FLASH, RED, 100, 64, b"\1"),
    ],
    ids=str,
)
def test_what_does_not_fit_on_the_strip_is_refused_and_changes_nothing(board: Lit, request_: Payload) -> None:
    board.do(messages.LedFill(BLUE, 0, LEDS))
    assert board.do(request_) == (messages.Status.BAD_RANGE, b"")
    board.do(messages.LedShow(1, 255))
    assert set(board.lights()) == {BLUE}


@pytest.mark.parametrize(
    "request_", [messages.LedPixels(64, b""), messages.LedMask(RED, 60, b"\x0f"), messages.LedFill(RED, 64, 0)], ids=str
)
def test_what_just_fits_is_taken(board: Lit, request_: Payload) -> None:
    assert board.do(request_) == (messages.Status.OK, b"")


def test_the_digest_names_the_picture(board: Lit) -> None:
    board.do(messages.LedPixels(0, bytes(range(54))))
    board.do(messages.LedShow(777, 255))
    reply = messages.LedDigestReply.unpack(board.do(messages.LedDigest())[1])
    assert reply == messages.LedDigestReply(777, zlib.crc32(bytes(range(54)) + bytes(3 * LEDS - 54)))


@pytest.mark.parametrize("brightness", [0, 1, 100, 254, 255])
def test_brightness_scales_every_channel(board: Lit, brightness: int) -> None:
    board.do(messages.LedPixels(0, bytes((255, 128, 1))))
    board.do(messages.LedShow(1, brightness))
    assert list(board.lights()[0]) == [value * (brightness + 1) >> 8 for value in (255, 128, 1)]


def test_white_everywhere_is_dimmed_to_the_limit(board: Lit) -> None:
    board.do(messages.LedFill(bytes((255, 255, 255)), 0, LEDS))
    status, payload = board.do(messages.LedShow(1, 255))
    reply = messages.LedShowReply.unpack(payload)
    assert status is messages.Status.OVER_POWER
    assert reply.brightness == 22
    assert 380 <= reply.current_ma <= 400
    shown = sum(sum(color) for color in board.lights()) * 20 / 255 + LEDS
    assert shown <= 402


def test_an_effect_on_top_is_dimmed_as_well(board: Lit) -> None:
    board.do(messages.LedEffect(messages.Effect.FLASH, bytes((255, 255, 255)), 1000, 0, b"\xff" * 8))
    assert sum(sum(color) for color in board.lights()) * 20 / 255 + LEDS <= 402


def test_a_flash_blinks_over_the_picture_and_the_picture_comes_back(board: Lit) -> None:
    board.do(messages.LedFill(BLUE, 0, LEDS))
    board.do(messages.LedShow(1, 255))
    board.do(messages.LedEffect(messages.Effect.FLASH, RED, 600, 2, b"\x05"))
    seen = []
    for _ in range(24):
        assert board.lights()[3] == BLUE
        assert board.lights()[2] == board.lights()[4]
        seen.append(board.lights()[2])
        board.listen(0.03)
    changes = [color for at, color in enumerate(seen) if at == 0 or seen[at - 1] != color]
    assert changes == [RED, bytes(3), RED, bytes(3), RED, BLUE]


def test_a_pulse_swells_and_fades(board: Lit) -> None:
    board.do(messages.LedEffect(messages.Effect.PULSE, bytes((200, 0, 0)), 1000, 0, b"\1"))
    seen = []
    for _ in range(14):
        seen.append(board.lights()[0][0])
        board.listen(0.033)
    top = seen.index(max(seen))
    assert max(seen) > 180
    assert seen[: top + 1] == sorted(seen[: top + 1])
    assert seen[top:] == sorted(seen[top:], reverse=True)


def test_an_effect_can_be_stopped(board: Lit) -> None:
    board.do(messages.LedEffect(messages.Effect.FLASH, RED, 60000, 0, b"\1"))
    board.do(messages.LedEffect(messages.Effect.NONE, RED, 0, 0, b""))
    board.listen(0.05)
    assert set(board.lights()) == {bytes(3)}


def test_a_reset_leaves_a_dark_strip(board: Lit) -> None:
    board.do(messages.LedFill(RED, 0, LEDS))
    board.do(messages.LedShow(1, 255))
    board.device.reset()
    board.listen()
    assert set(board.lights()) == {bytes(3)}
