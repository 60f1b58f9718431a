"""Motion-JPEG streams, well and badly made."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.foundation.errors import CameraError
from vision.sources.stream import HEAD_LIMIT, PART_LIMIT, SILENCE_LIMIT, MultipartParser, boundary_of

HEAD = b"--cut\r\nContent-Type: image/jpeg\r\nContent-Length: 5\r\n\r\n"


@pytest.mark.parametrize(
    ("content_type", "boundary"),
    [
        ("", None),
        ("text/html", None),
        ("image/jpeg; boundary=cut", None),
        ("multipart/x-mixed-replace", None),
        ("multipart/x-mixed-replace; boundary=", None),
        ("multipart/x-mixed-replace; boundary=cut", b"cut"),
        ('Multipart/X-Mixed-Replace;charset=x; Boundary="cut"', b"cut"),
        ("multipart/x-mixed-replace;boundary=--cut", b"cut"),
    ],
)
def test_boundary(content_type: str, boundary: bytes | None) -> None:
    assert boundary_of(content_type) == boundary


@pytest.mark.parametrize(
    "stream",
    [
        HEAD + b"ABCDE\r\n" + HEAD + b"FGHIJ\r\n",
        b"preamble\r\n" + HEAD + b"ABCDE" + HEAD + b"FGHIJ",
        HEAD.replace(b"\r\n", b"\n") + b"ABCDE\n" + HEAD.replace(b"\r\n", b"\n") + b"FGHIJ\n",
        HEAD.replace(b"Length", b"LENGTH") + b"ABCDE\r\n\r\n" + HEAD + b"FGHIJ",
        b"--cut\r\n\r\nABCDE\r\n--cut\r\nX: y\r\n\r\nFGHIJ\r\n--cut--",
        b"--cut\n\nABCDE\n--cut\n\nFGHIJ\n--cut\n",
        b"----cut\r\nContent-Length: 5\r\n\r\nABCDE\r\n----cut\r\nContent-Length: 5\r\n\r\nFGHIJ",
        b"--cut\r\nContent-Length: junk\r\n\r\nABCDE\r\n--cut\r\nContent-Length: 0\r\n\r\nFGHIJ\r\n--cut",
    ],
)
@pytest.mark.parametrize("step", [1, 3, 1000])
def test_both_pictures_come_out_however_the_line_is_cut(stream: bytes, step: int) -> None:
    parser = MultipartParser(b"cut")
    bodies = [body for at in range(0, len(stream), step) for body in parser.feed(stream[at : at + step])]
    assert bodies == [b"ABCDE", b"FGHIJ"]


def test_a_wrong_length_costs_one_picture_and_no_more() -> None:
    wrong = HEAD.replace(b"5", b"9") + b"ABCDE\r\n" + HEAD + b"FGHIJ\r\n" + HEAD + b"KLMNO\r\n"
    assert MultipartParser(b"cut").feed(wrong)[-1] == b"KLMNO"


def test_the_closing_delimiter_ends_the_stream() -> None:
    parser = MultipartParser(b"cut")
    assert parser.feed(HEAD + b"ABCDE\r\n--cut--\r\n" + HEAD + b"FGHIJ") == [b"ABCDE"]
    assert parser.ended


@pytest.mark.parametrize(
    ("stream", "sentence"),
    [
        (b"x" * (SILENCE_LIMIT + 1), "never sends the boundary"),
        (b"--cut\r\n" + b"X: y\r\n" * HEAD_LIMIT, "header lines"),
        (f"--cut\r\nContent-Length: {PART_LIMIT + 1}\r\n\r\n".encode(), "announces a picture of 10 MB"),
        (b"--cut\r\nContent-Length: 99999999999999999999999\r\n\r\n", "announces"),
        (b"--cut\r\n\r\n" + b"x" * (PART_LIMIT + 1), "more than 10 MB"),
    ],
)
def test_what_would_fill_memory_is_refused(stream: bytes, sentence: str) -> None:
    with pytest.raises(CameraError, match=sentence):
        MultipartParser(b"cut").feed(stream)


@given(
    st.lists(st.binary(max_size=40) | st.sampled_from([b"--cut", b"\r\n\r\n", b"\n", HEAD, b"--cut--"]), max_size=30)
)
@settings(max_examples=150, deadline=None)
def test_noise_never_breaks_the_parser(pieces: list[bytes]) -> None:
    parser = MultipartParser(b"cut")
    for piece in pieces:
        assert all(isinstance(body, bytes) and body for body in parser.feed(piece))
