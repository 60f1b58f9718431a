"""The C core's frames against the golden vectors and, on 30,000 damaged streams, against Python's."""

from __future__ import annotations

import subprocess
import zlib
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_protocol import frame
from firmware_protocol.frame import LinkFrame
from simulation.firmware import toolchain
from tests.firmware_protocol.core import frame_core
from tests.firmware_protocol.golden import named

SEED = 20
STREAMS = 30_000


@pytest.mark.parametrize("vector", named("frames"))
def test_golden_frames(vector: dict[str, Any]) -> None:
    made = LinkFrame(vector["type"], vector["session"], vector["seq"], vector["ack"], bytes.fromhex(vector["payload"]))
    assert frame_core.encode(made).hex() == vector["wire"]
    assert frame_core.Decoder().feed(bytes.fromhex(vector["wire"])) == [made]


@pytest.mark.parametrize("vector", named("rejects"))
def test_golden_rejects(vector: dict[str, Any]) -> None:
    decoder = frame_core.Decoder()
    assert decoder.feed(bytes.fromhex(vector["wire"])) == []
    assert (decoder.state.good, decoder.state.bad) == (0, 1)


@pytest.mark.parametrize("vector", named("streams"))
def test_golden_streams(vector: dict[str, Any]) -> None:
    found = frame_core.Decoder().feed(bytes.fromhex(vector["wire"]))
    assert [one.payload.hex() for one in found] == vector["payloads"]


@given(st.binary(max_size=1000))
def test_the_checksum_is_zlibs(data: bytes) -> None:
    assert frame_core.core().ttp_crc32(data, len(data)) == zlib.crc32(data)


def damaged(random: Random) -> bytes:
    """A few frames with bits flipped, bytes lost, doubled or put in, ends cut off, or nothing wrong at all."""
    stream = bytearray()
    for _ in range(random.randint(1, 3)):
        payload = random.randbytes(random.choice((0, 1, 4, 13, 56)))
        if random.random() < 0.3:
            payload = bytes(byte if random.random() < 0.4 else 0 for byte in payload)
        stream += LinkFrame(random.randrange(256), random.randrange(256), random.randrange(256), 0, payload).wire()
    for _ in range(random.choice((0, 0, 1, 1, 2, 5))):
        at = random.randrange(len(stream))
        match random.randrange(5):
            case 0:
                stream[at] ^= 1 << random.randrange(8)
            case 1:
                del stream[at]
            case 2:
                stream.insert(at, stream[at])
            case 3:
                stream[at:at] = random.randbytes(random.randint(1, 80))
            case 4:
                del stream[at : at + random.randint(1, 40)]
        if not stream:
            break
    return bytes(stream)


def test_thirty_thousand_damaged_streams_give_the_same_frames_in_c_and_python() -> None:
    random = Random(SEED)
    in_python, in_c = frame.Decoder(), frame_core.Decoder()
    accepted = 0
    for number in range(STREAMS):
        stream = damaged(random)
        wanted = list(in_python.feed(stream))
        assert in_c.feed(stream) == wanted, f"seed {SEED}, stream {number}: {stream.hex()}"
        accepted += len(wanted)
    assert (in_c.state.good, in_c.state.bad) == (in_python.good % 65536, in_python.bad % 65536)
    assert accepted > STREAMS, "most frames are whole, or the test shows nothing"


@settings(max_examples=300)
@given(st.lists(st.binary(max_size=90), max_size=5))
def test_any_bytes_at_all_give_the_same_frames_in_c_and_python(chunks: list[bytes]) -> None:
    in_python, in_c = frame.Decoder(), frame_core.Decoder()
    for chunk in chunks:
        assert in_c.feed(chunk) == list(in_python.feed(chunk))


def test_no_wrong_frame_is_accepted_at_a_bit_error_rate_of_one_in_a_thousand() -> None:
    """300,000 frames here; ten million by the command in docs/hardware.md."""
    soak = toolchain.program("noise_soak", "-O2")
    done = subprocess.run([soak, "300000", "1e-3", "1"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    assert "300000 frames sent" in done.stdout and " 0 wrong" in done.stdout


def test_the_decoder_takes_any_bytes_under_the_sanitizers() -> None:
    """One second here; a minute by the command in docs/hardware.md."""
    fuzz = toolchain.program("decoder_fuzz", *toolchain.SANITIZERS)
    done = subprocess.run([fuzz, "1", "1"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "inputs, no finding" in done.stdout
